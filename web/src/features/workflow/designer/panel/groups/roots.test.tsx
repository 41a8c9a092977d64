// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/roots.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("messages and signals in %s", (dialect) => {
  test("are made, renamed and removed in one step each", async () => {
    const panel = await openPanel(fixture, dialect);
    await panel.open("消息与信号");
    await panel.changes(async () => {
      await panel.press("创建消息");
      await panel.save("创建消息", { 编号: "m2", 名称: "通知" });
    }, ['<message id="m2" name="通知" />']);
    await panel.changes(async () => {
      await panel.press("编辑 催办");
      await panel.save("编辑消息", { 编号: "m9" });
    }, ['<message id="m9"', 'messageRef="m9"']);
    await panel.changes(
      async () => {
        await panel.press("移除 停课");
        await panel.confirm("确认移除该定义吗？");
      },
      [],
      ["<signal"],
    );
  });

  test("a taken id is refused, the definition in use stays", async () => {
    const panel = await openPanel(fixture, dialect);
    await panel.open("消息与信号");
    await panel.press("创建信号");
    await panel.refused("创建信号", "该信号已存在，请修改id后重新保存", { 编号: "s1" });
    await panel.refused("创建信号", "该编号已被其他元素使用，请换一个", { 编号: "start" });
    await panel.press(/取\s*消/);
    await panel.press("创建消息");
    await panel.refused("创建消息", "该消息已存在，请修改id后重新保存", { 编号: "m1" });
    await panel.press(/取\s*消/);
    expect(screen.getByRole("button", { name: /移除 催办（wait 正在使用/ }).ariaDisabled).toBe("true");
  });

  test("a receive task is bound to one, to none, or to a new one", async () => {
    const panel = await openPanel(fixture, dialect, "wait");
    await panel.open("任务");
    await panel.changes(() => panel.choose("消息", "无"), ['<receiveTask id="wait" />']);
    await panel.changes(async () => {
      await panel.press("创建消息");
      await panel.save("创建消息", { 编号: "m2" });
    }, ['<message id="m2" />', '<receiveTask id="wait" messageRef="m2" />']);
  });
});

test("a signal of Flowable has a scope", async () => {
  const panel = await openPanel(fixture, "flowable");
  await panel.open("消息与信号");
  await panel.changes(async () => {
    await panel.press("编辑 停课");
    await panel.chooseIn("编辑信号", "信号范围", "当前流程实例");
    await panel.save("编辑信号");
  }, ['flowable:scope="processInstance"']);
});
