// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/condition.bpmn?raw";
import { answer, openPanel } from "../testing";

describe.each(dialects)("the condition of a flow in %s", (dialect) => {
  test("is an expression or a script", async () => {
    const panel = await openPanel(fixture, dialect, "long");
    await panel.open("流转条件");
    expect((await screen.findByLabelText<HTMLInputElement>("条件表达式")).value).toBe(`\${day > 3}`);
    await panel.changes(
      () => panel.type("条件表达式", `\${day > 5}`),
      [`\${day &gt; 5}</conditionExpression>`],
    );
    await panel.changes(() => panel.choose("条件格式", "脚本"), ['language="javascript"', `\${day`]);
    await panel.changes(() => panel.type("脚本格式", "groovy"), ['language="groovy"']);
    await panel.changes(() => panel.choose("脚本类型", "外部脚本"), ['P:resource=""'], [`\${day`]);
    await panel.changes(() => panel.type("资源地址", "a.js"), ['P:resource="a.js"']);
    await panel.changes(() => panel.choose("脚本类型", "内联脚本"), [], ["resource"]);
    await panel.changes(() => panel.type("脚本", "day > 5"), ["day &gt; 5</conditionExpression>"]);
    await panel.changes(() => panel.choose("条件格式", "表达式"), [], ["language"]);
  });

  test("the kind of flow changes flow and source together", async () => {
    const panel = await openPanel(fixture, dialect, "long");
    await panel.open("流转条件");
    await panel.changes(
      () => panel.choose("流转类型", "默认流转"),
      ['default="long"'],
      ["conditionExpression"],
    );
    await panel.changes(() => panel.choose("流转类型", "条件流转"), ["<conditionExpression"], ["default="]);
    await panel.changes(() => panel.choose("流转类型", "普通流转"), [], ["conditionExpression", "default="]);
  });
});

test("a flow out of a start event has no condition", async () => {
  await openPanel(fixture, "camunda", "first");
  expect(screen.queryByRole("button", { name: "流转条件" })).toBeNull();
});

test("the server's parser warns of what is typed, and what is no expression is said", async () => {
  const panel = await openPanel(fixture, "camunda", "long");
  answer("/bpm/model/check-expression", {
    valid: false,
    literal: false,
    column: 8,
    message: "第 8 个字符：少了",
  });
  await panel.open("流转条件");
  await panel.type("条件表达式", `\${day >}`);
  await screen.findByText("第 8 个字符：少了");
  expect(await panel.xml()).toContain(`\${day &gt;}`);
  await panel.type("条件表达式", "day");
  await screen.findByText(`没有写成 \${…}，会被当作普通文字`);
});
