// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/service.bpmn?raw";
import { answer, openPanel } from "../testing";

describe.each(dialects)("a service task in %s", (dialect) => {
  test("is done in exactly one way", async () => {
    const panel = await openPanel(fixture, dialect, "tell");
    await panel.open("任务");
    await panel.changes(() => panel.choose("执行方式", "表达式"), ['P:expression=""'], ["P:class"]);
    await panel.changes(
      () => panel.type("表达式", `\${a.b()}`),
      [`P:expression="\${a.b()}"`, "<other:note>"],
    );
    await panel.changes(() => panel.type("结果变量", "r"), ['P:resultVariable="r"']);
    await panel.changes(
      () => panel.choose("执行方式", "代理表达式"),
      ['P:delegateExpression=""'],
      ["P:expression=", "resultVariable"],
    );
    await panel.changes(
      () => panel.choose("执行方式", "处理程序"),
      ['P:class=""'],
      ['delegateExpression=""'],
    );
    await panel.changes(() => panel.type("处理程序", "other"), ['P:class="other"']);
  });

  test("has injected fields, whatever their spelling", async () => {
    const panel = await openPanel(fixture, dialect, "tell");
    await panel.open("任务");
    await panel.changes(async () => {
      await panel.press("编辑 to");
      await panel.save("编辑字段", { 字段值: "assignee" });
    }, ['<P:field name="to" stringValue="assignee" />']);
    await panel.changes(async () => {
      await panel.press("添加字段");
      await panel.refused("添加字段", "字段值不能为空", { 字段名称: "c" });
      await panel.save("添加字段", { 字段值: "1" });
    }, ['<P:field name="c"><P:string>1</P:string></P:field>']);
    await panel.changes(
      async () => {
        await panel.press("移除 text");
        await panel.confirm("确认移除该字段吗？");
      },
      ["<other:note>"],
      [`\${day}`],
    );
  });

  test("a send task works alike, a decision is a way of business rules", async () => {
    const panel = await openPanel(fixture, dialect, "send");
    await panel.open("任务");
    await panel.changes(() => panel.type("代理表达式", `\${m}`), [`P:delegateExpression="\${m}"`]);
    await panel.select("rule");
    await panel.open("业务规则");
    await panel.changes(() => panel.type("决策", "mark"), ['P:decisionRef="mark"']);
    await panel.changes(() => panel.choose("绑定", "指定版本"), ['P:decisionRefBinding="version"']);
    await panel.changes(() => panel.type("决策版本", "2"), ['P:decisionRefVersion="2"']);
    await panel.changes(
      () => panel.choose("决策结果的形式", "单个值"),
      ['P:mapDecisionResult="singleEntry"'],
    );
    await panel.changes(() => panel.choose("绑定", "最新版本"), [], ["decisionRefBinding"]);
  });
});

test("the server's handlers are offered by their titles", async () => {
  const panel = await openPanel(fixture, "flowable", "tell");
  const handler = (name: string, title: string) => ({
    kind: "handler",
    name,
    title,
    uses: ["service"],
    async: false,
    fields: [],
  });
  answer("/bpm/model/handlers", [handler("notify", "发送站内信"), handler("archive", "归档")]);
  await panel.open("任务");
  await screen.findByText("发送站内信 · notify");
  await panel.changes(
    () => panel.choose("从服务器选择处理程序", "归档 · archive"),
    ['flowable:class="archive"'],
  );
});

test.each([
  ["camunda", 'camunda:type="external"'],
  ["flowable", 'flowable:type="external-worker"'],
] as const)("an external worker of %s", async (dialect, type) => {
  const panel = await openPanel(fixture, dialect, "tell");
  await panel.open("任务");
  await panel.changes(() => panel.choose("执行方式", "外部任务"), [type, 'P:topic=""'], ["P:class"]);
  await panel.changes(() => panel.type("主题", "print"), ['P:topic="print"']);
});

test.each(["activiti", "flowable"] as const)("a built-in type of %s", async (dialect) => {
  const panel = await openPanel(fixture, dialect, "tell");
  await panel.open("任务");
  await panel.changes(() => panel.choose("执行方式", "内置类型"), ['P:type="mail"', 'name="to"']);
  await panel.changes(() => panel.choose("类型", "HTTP 调用"), ['P:type="http"']);
});
