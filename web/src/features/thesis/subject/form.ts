import type { Rule } from "antd/es/form";
import { t } from "@/kernel/i18n";
import { lengthOf } from "../shared/length";
import type { Subject } from "../shared/subjectWire";

/** What the student edits; `way` says whether a topic is chosen or proposed. */
export interface SubjectValues {
  way: "topic" | "own";
  topicId: number;
  titleZh: string;
  titleEn: string;
  thesisType: number | undefined;
  thesisSource: number | undefined;
  sourceNo: string;
  reason: string;
  expectedResult: string;
  attachments: number[];
}

export const TITLE_MIN = 5;
export const TITLE_LONG = 25;
export const TITLE_MAX = 60;
export const REASON_MIN = 100;
export const REASON_MAX = 2000;
export const RESULT_MAX = 1000;
export const FILES_MAX = 3;

/** Sources 1-6 are funded projects and carry a project number. */
export function needsProject(source: number | undefined): boolean {
  return source !== undefined && source >= 1 && source <= 6;
}

export function valuesOf(form: Subject | null): SubjectValues {
  return {
    way: form?.selfProposed ? "own" : "topic",
    topicId: form?.topicId ?? 0,
    titleZh: form?.titleZh ?? "",
    titleEn: form?.titleEn ?? "",
    thesisType: form?.thesisType || undefined,
    thesisSource: form?.thesisSource || undefined,
    sourceNo: form?.sourceNo ?? "",
    reason: form?.reason ?? "",
    expectedResult: form?.expectedResult ?? "",
    attachments: form?.attachments ?? [],
  };
}

/** The body of save-draft and submit. */
export function bodyOf(values: SubjectValues, id: number, version: number): object {
  const own = values.way === "own";
  return {
    id,
    version,
    topicId: own ? 0 : (values.topicId ?? 0),
    selfProposed: own,
    titleZh: clip(values.titleZh, TITLE_MAX),
    titleEn: clip(values.titleEn, 300),
    thesisType: values.thesisType ?? 0,
    thesisSource: values.thesisSource ?? 0,
    sourceNo: clip(values.sourceNo, 60),
    reason: clip(values.reason, REASON_MAX),
    expectedResult: clip(values.expectedResult, RESULT_MAX),
    attachments: values.attachments ?? [],
  };
}

/** A draft too long for the server is kept up to its limit: losing all of it would be worse. */
function clip(text: string | undefined, max: number): string {
  return [...(text ?? "").trim()].slice(0, max).join("");
}

type Check = (value: unknown) => string;

function rule(check: Check): Rule {
  return {
    validator: (_rule, value: unknown) => {
      const problem = check(value);
      return problem ? Promise.reject(new Error(problem)) : Promise.resolve();
    },
  };
}

/** The rules of the form; the server checks every one again. */
export const rules = {
  titleZh: rule((value) => {
    const n = lengthOf(value);
    if (n === 0) return t("thesis:subject.titleMissing");
    if (n < TITLE_MIN || n > TITLE_MAX) {
      return t("thesis:subject.titleLength", { min: TITLE_MIN, max: TITLE_MAX, n });
    }
    return "";
  }),
  titleEn: (required: boolean) =>
    rule((value) => {
      if (required && lengthOf(value) === 0) return t("thesis:subject.titleEnMissing");
      return lengthOf(value) > 300 ? t("thesis:subject.tooLong", { max: 300, n: lengthOf(value) }) : "";
    }),
  chosen: (message: string): Rule => ({ required: true, message }),
  sourceNo: (required: boolean) =>
    rule((value) => (required && lengthOf(value) === 0 ? t("thesis:subject.sourceNoMissing") : "")),
  reason: rule((value) => {
    const n = lengthOf(value);
    if (n < REASON_MIN) return t("thesis:subject.reasonShort", { min: REASON_MIN, n });
    return n > REASON_MAX ? t("thesis:subject.tooLong", { max: REASON_MAX, n }) : "";
  }),
  expectedResult: rule((value) => {
    const n = lengthOf(value);
    return n > RESULT_MAX ? t("thesis:subject.tooLong", { max: RESULT_MAX, n }) : "";
  }),
  topic: rule((value) => (Number(value) > 0 ? "" : t("thesis:subject.topicMissing"))),
};
