// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/listeners.bpmn?raw";
import { answer, openPanel } from "../testing";

describe.each(dialects)("listeners in %s", (dialect) => {
  test("of an element are added, edited and removed; others stay", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("执行监听器");
    await panel.changes(async () => {
      await panel.press("添加监听器");
      await panel.chooseIn("添加监听器", "事件类型", "结束");
      await panel.chooseIn("添加监听器", "监听器类型", "代理表达式");
      await panel.save("添加监听器", { 代理表达式: "bean" });
    }, ['delegateExpression="bean"', 'event="end"', "<other:note>"]);
    await panel.changes(
      async () => {
        await panel.press("编辑 notify");
        await panel.save("编辑监听器", { 处理程序: "archive" });
      },
      ['class="archive"', 'stringValue="starter"', "<other:note>"],
      ["notify"],
    );
    await panel.changes(
      async () => {
        await panel.press("移除 archive");
        await panel.confirm("确认移除该监听器吗？");
      },
      ["<other:note>", "taskListener"],
      ["archive"],
    );
  });

  test("of a task need an id, and may wait for a time", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("任务监听器");
    await panel.changes(async () => {
      await panel.press("添加监听器");
      await panel.refused("添加监听器", "监听器编号不能为空");
      screen.getByText("请选择事件类型");
      screen.getByText("请选择监听器类型");
      await panel.chooseIn("添加监听器", "事件类型", "超时");
      await panel.chooseIn("添加监听器", "监听器类型", "脚本");
      await panel.refused("添加监听器", "请填写脚本格式", { 监听器编号: "l2" });
      screen.getByText("请选择脚本类型");
      screen.getByText("请填写脚本内容");
      await panel.chooseIn("添加监听器", "脚本类型", "内联脚本");
      await panel.chooseIn("添加监听器", "定时类型", "持续时长");
      await panel.refused("添加监听器", "请填写定时器配置", { 脚本格式: "javascript", 脚本: "1" });
      await panel.save("添加监听器", { 定时配置: "PT2H" });
    }, ['id="l2"', 'event="timeout"', "PT2H</timeDuration>", ">1</P:script>", "<other:note>"]);
  });
});

test("a flow is taken, and that is all that happens to it", async () => {
  const panel = await openPanel(fixture, "camunda", "go");
  await panel.open("执行监听器");
  await panel.changes(async () => {
    await panel.press("添加监听器");
    await panel.chooseIn("添加监听器", "监听器类型", "处理程序");
    await panel.save("添加监听器", { 处理程序: "notify" });
  }, ['class="notify" event="take"']);
});

test("a stored listener fills the form", async () => {
  const panel = await openPanel(fixture, "flowable", "check");
  const stored = { id: 1, name: "通知导师", event: "assignment", valueType: "class", value: "notify" };
  answer("/bpm/process-listener/page", { list: [stored], total: 1 });
  await panel.open("任务监听器");
  await panel.changes(async () => {
    await panel.press("添加监听器");
    await panel.chooseIn("添加监听器", "引用已保存的监听器", "通知导师 · notify");
    await panel.save("添加监听器", { 监听器编号: "l3" });
  }, ['id="l3" event="assignment" class="notify"']);
});
