// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/events.bpmn?raw";
import { looksRight } from "../kit/timer";
import { openPanel } from "../testing";

describe.each(dialects)("events in %s", (dialect) => {
  test("a timer says one of three things", async () => {
    const panel = await openPanel(fixture, dialect, "start");
    await panel.open("定时器");
    await panel.changes(() => panel.type("定时配置", "PT2H"), [">PT2H</timeDuration>"]);
    await panel.changes(() => panel.choose("定时类型", "循环"), ["<timeCycle"], ["timeDuration"]);
    await panel.changes(() => panel.type("定时配置", "R3/PT10M"), [">R3/PT10M</timeCycle>"]);
    await panel.type("定时配置", "often");
    await screen.findByText("格式不对，例如 R3/PT10M");
    await panel.changes(() => panel.choose("定时类型", "日期"), ["<timeDate"], ["timeCycle"]);
    await panel.changes(() => panel.choose("定时类型", "无"), ['<timerEventDefinition id="t1" />']);
  });

  test("a timer at a task may interrupt it, or decide it", async () => {
    const panel = await openPanel(fixture, dialect, "late");
    await panel.open("超时处理");
    await panel.changes(
      () => panel.choose("任务超时未审批时", "自动通过"),
      ["<P:boundaryEventType>1</P:boundaryEventType><P:timeoutHandlerType>2</P:timeoutHandlerType>"],
    );
    await panel.changes(() => panel.choose("任务超时未审批时", "按流程图继续"), [], ["extensionElements"]);
    await panel.open("事件定义");
    await panel.changes(() => panel.check("触发时中断任务"), ['cancelActivity="false"']);
  });

  test("errors, signals and conditions", async () => {
    const panel = await openPanel(fixture, dialect, "failed");
    await panel.open("错误");
    await panel.changes(() => panel.choose("错误", "无"), [], ["errorRef"]);
    await panel.changes(async () => {
      await panel.press("创建错误");
      await panel.refused("创建错误", "该错误已存在，请修改id后重新保存", { 编号: "e1" });
      await panel.save("创建错误", { 编号: "e2", 错误代码: "E2" });
    }, ['<error id="e2" errorCode="E2" />', 'errorRef="e2"']);
    await panel.select("tell");
    await panel.open("事件定义");
    await panel.changes(() => panel.choose("信号", "停课 · s1"), ['signalRef="s1"']);
    await panel.select("when");
    await panel.open("事件定义");
    await panel.changes(() => panel.type("条件表达式", `\${b}`), [`>\${b}</condition>`]);
  });
});

test.each([
  ["duration", "P1D", true],
  ["duration", "PT1D", false],
  ["duration", "P1DT2H", true],
  ["duration", "P", false],
  ["date", "2026-12-31T18:00:00Z", true],
  ["date", "31.12.2026", false],
  ["cycle", "R/PT1H", true],
  ["cycle", "0 0 8 * * ?", true],
  ["cycle", "daily", false],
  ["date", `\${when}`, true],
] as const)("a %s %s looks right: %s", (kind, text, right) => {
  expect(looksRight(kind, text)).toBe(right);
});
