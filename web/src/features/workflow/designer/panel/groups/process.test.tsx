// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/process.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("process attributes in %s", (dialect) => {
  test("are read, written and undone", async () => {
    const panel = await openPanel(fixture, dialect);
    await panel.open("流程属性");
    expect((await screen.findByLabelText<HTMLInputElement>("可发起的用户")).value).toBe("amy");
    await panel.changes(() => panel.type("可发起的用户", "amy,bob"), ['P:candidateStarterUsers="amy,bob"']);
    await panel.changes(() => panel.type("可发起的组", "staff"), ['P:candidateStarterGroups="staff"']);
    await panel.changes(() => panel.type("可发起的组", ""), [], ["candidateStarterGroups"]);
    await panel.changes(() => panel.check("可执行"), ['isExecutable="false"', "<other:note"]);
  });

  test("the documentation is text, its removal leaves none", async () => {
    const panel = await openPanel(fixture, dialect);
    await panel.open("其他");
    expect((await screen.findByLabelText<HTMLInputElement>("元素文档")).value).toBe("说明");
    await panel.changes(() => panel.type("元素文档", "一\n二"), ["一\n二</documentation>"]);
    await panel.changes(() => panel.type("元素文档", ""), ["<other:note"], ["documentation"]);
    await panel.changes(() => panel.type("元素文档", "新"), ["<documentation>新</documentation>"]);
  });
});

test("what only Camunda knows is offered there", async () => {
  const panel = await openPanel(fixture, "camunda");
  await panel.open("流程属性");
  await panel.changes(() => panel.check("可在任务列表发起"), ['camunda:isStartableInTasklist="false"']);
  await panel.changes(() => panel.check("可在任务列表发起"), [], ["isStartableInTasklist"]);
  await panel.changes(() => panel.type("版本标签", "v2"), ['camunda:versionTag="v2"']);
  await panel.changes(() => panel.type("历史保留时间", "P180D"), ['camunda:historyTimeToLive="P180D"']);
});

test("what only Flowable knows is offered there", async () => {
  const panel = await openPanel(fixture, "flowable");
  await panel.open("流程属性");
  expect(screen.queryByLabelText("版本标签")).toBeNull();
  await panel.changes(() => panel.check("预先读取执行数据"), ['flowable:isEagerExecutionFetching="true"']);
});
