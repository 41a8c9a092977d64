// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/call.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("a call activity in %s", (dialect) => {
  test("names what it calls, in the newest version unless told otherwise", async () => {
    const panel = await openPanel(fixture, dialect, "call");
    await panel.open("调用活动");
    await panel.changes(() => panel.type("被调用的流程", "other"), ['calledElement="other"', "<other:note>"]);
    expect(screen.queryByLabelText("流程版本")).toBeNull();
    await panel.changes(() => panel.choose("绑定", "指定版本"), ['P:calledElementBinding="version"']);
    await panel.changes(() => panel.type("流程版本", "3"), ['P:calledElementVersion="3"']);
    await panel.changes(() => panel.choose("绑定", "最新版本"), [], ["calledElementBinding"]);
  });

  test("hands variables over", async () => {
    const panel = await openPanel(fixture, dialect, "call");
    await panel.open("变量传递");
    await panel.changes(async () => {
      await panel.press("编辑 b");
      await panel.save("编辑变量传递", { 来源: "x" });
    }, ['<P:in source="x" target="b" />', "<other:note>"]);
    await panel.changes(async () => {
      await panel.press("添加输出");
      await panel.refused("添加输出", "此项不能为空");
      await panel.chooseIn("添加输出", "方式", "表达式");
      await panel.save("添加输出", { 来源: "y", 目标: "z" });
    }, ['<P:out sourceExpression="y" target="z" />']);
    await panel.changes(
      async () => {
        await panel.press("移除 b");
        await panel.confirm("确认移除该变量传递吗？");
      },
      ["<other:note>", "<P:out"],
      ["<P:in"],
    );
  });
});

test("Camunda calls cases as well", async () => {
  const panel = await openPanel(fixture, "camunda", "call");
  await panel.open("调用活动");
  await panel.changes(() => panel.choose("调用", "案例"), ['camunda:caseRef=""'], ["calledElement"]);
  await panel.changes(() => panel.type("案例", "file"), ['camunda:caseRef="file"']);
  await panel.changes(() => panel.choose("调用", "流程"), [], ["caseRef"]);
});
