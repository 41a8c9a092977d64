import { expect, test } from "vitest";
import { i18n } from "@/kernel/i18n";
import { groups } from "../staff/StepChart";
import { moods } from "../subject/situation";
import { stepCodes } from "./wire";

const each = (values: readonly (string | number)[], name: (value: string | number) => string) =>
  values.map(name);

/** Keys that are put together at run time, which no search of the source finds. */
const keys = [
  ...each(stepCodes, (code) => `step.${code}`),
  ...each([...Array(13).keys()], (status) => `status.${status}`),
  ...each([0, 1, 2, 3], (level) => `level.${level}`),
  ...each(Object.keys(moods), (situation) => `now.${situation}.what`),
  ...each(Object.keys(moods), (situation) => `now.${situation}.next`),
  ...each(["day", "hour", "minute"], (unit) => `due.left_${unit}`),
  ...each(["day", "hour", "minute"], (unit) => `due.over_${unit}`),
  ...each(["day", "hour"], (unit) => `waiting.${unit}`),
  ...each(["approve", "return", "reject", "refuseChange"], (verdict) => `decide.${verdict}`),
  ...each(["approve", "return", "reject", "refuseChange"], (verdict) => `decide.${verdict}Title`),
  ...each(["approve", "return", "reject", "refuseChange"], (verdict) => `decide.${verdict}After`),
  ...each(["approve", "return", "reject"], (verdict) => `decide.${verdict}Done`),
  ...each(["approve", "return", "reject"], (verdict) => `decide.${verdict}Needs`),
  ...each(["mine", "over", "near", "idle"], (warning) => `students.warn_${warning}`),
  ...each(groups, (group) => `chart.${group}`),
  ...each(["early", "open", "late", "closed"], (state) => `window.${state}`),
  ...each(["overview", "list", "why"], (view) => `record.${view}`),
  ...each(["publish", "close"], (act) => `topic.${act}Done`),
  ...each([1, 2, 3, 4], (n) => `phrase.default${n}`),
];

test.each(["zh-CN", "en"])("texts put together at run time exist in %s", (language) => {
  expect(keys.filter((key) => !i18n.exists(`thesis:${key}`, { lng: language, fallbackLng: false }))).toEqual(
    [],
  );
});
