// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/base.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("base information in %s", (dialect) => {
  test("the process has a key and a name", async () => {
    const panel = await openPanel(fixture, dialect);
    expect(panel.field("流程标识").value).toBe("p");
    await panel.changes(
      () => panel.type("流程标识", "leave_1.a$"),
      ['<process id="leave_1.a$"', 'bpmnElement="leave_1.a$"'],
    );
    await panel.changes(() => panel.type("流程名称", "销假"), ['name="销假"']);
  });

  test("an element has an id, which its drawing follows, and a name", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.changes(
      () => panel.type("编号", "audit"),
      ['<userTask id="audit"', '<bpmndi:BPMNShape id="audit_di" bpmnElement="audit">'],
    );
    await panel.changes(() => panel.type("名称", "复核"), ['name="复核"']);
    await panel.changes(() => panel.type("名称", ""), ['<userTask id="audit" />']);
  });

  test("a note has a text", async () => {
    const panel = await openPanel(fixture, dialect, "note");
    await panel.changes(() => panel.type("注释内容", "第二行"), ["<text>第二行</text>"]);
  });
});

test.each([
  ["流程标识", "", "流程标识不能为空"],
  ["流程标识", "check", "该编号已被其他元素使用，请换一个"],
  ["流程名称", " ", "流程名称不能为空"],
])("%s refuses %j", async (label, text, reason) => {
  const panel = await openPanel(fixture, "camunda");
  await panel.keeps(() => panel.type(label, text));
  expect(screen.getByText(reason)).toBeTruthy();
});

test.each(["1a", "a b", "审批"])("the key %j is silently not written", async (text) => {
  const panel = await openPanel(fixture, "camunda");
  await panel.keeps(() => panel.type("流程标识", text));
});

test.each([
  ["", "编号不能为空"],
  ["a b", "编号以字母或下划线开头，后接字母、数字、- _ ."],
  ["start", "该编号已被其他元素使用，请换一个"],
])("the id %j is refused", async (text, reason) => {
  const panel = await openPanel(fixture, "flowable", "check");
  await panel.keeps(() => panel.type("编号", text));
  expect(screen.getByText(reason)).toBeTruthy();
});

test("the key of a stored model is fixed", async () => {
  const panel = await openPanel(fixture, "camunda", undefined, { id: "1", key: "p", name: "请假" });
  expect(panel.field("流程标识").disabled).toBe(true);
});

test("walking through the elements writes nothing", async () => {
  const panel = await openPanel(fixture, "camunda");
  await panel.keeps(async () => {
    for (const id of ["check", "start", "note"]) await panel.select(id);
  });
});
