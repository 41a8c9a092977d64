// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/userTask.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("a user task in %s", (dialect) => {
  test("has dates, a priority and people of its own", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("任务");
    expect((await screen.findByLabelText<HTMLInputElement>("到期时间")).value).toBe("P3D");
    for (const [label, name] of [
      ["到期时间", "dueDate"],
      ["优先级", "priority"],
      ["办理人", "assignee"],
      ["候选用户", "candidateUsers"],
      ["候选组", "candidateGroups"],
    ] as const) {
      await panel.changes(() => panel.type(label, "${x}"), [`P:${name}="\${x}"`, "<other:note>"]);
    }
    await panel.changes(() => panel.type("到期时间", ""), ["<other:note>"], ["dueDate"]);
    const has = (label: string) => screen.queryByLabelText(label) !== null;
    expect(has("跟进时间")).toBe(dialect === "camunda");
    expect(has("所有者")).toBe(dialect !== "camunda");
    expect(has("任务编号变量")).toBe(dialect === "flowable");
  });
});

test("Camunda's tasks have a follow-up date", async () => {
  const panel = await openPanel(fixture, "camunda", "check");
  await panel.open("任务");
  await panel.changes(() => panel.type("跟进时间", "P1D"), ['camunda:followUpDate="P1D"']);
});
