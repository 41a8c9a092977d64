// @vitest-environment jsdom
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/model.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("workflow model extensions in %s", (dialect) => {
  test("buttons and assignees of a task", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("流程模型扩展");
    await panel.changes(async () => {
      await panel.press("编辑 同意");
      await panel.save("编辑按钮", { 名称: "通过", 下一步: "end" });
    }, ['name="通过"', 'next="end"', "<other:note>"]);
    await panel.changes(async () => {
      await panel.press("添加按钮");
      await panel.refused("添加按钮", "请填写动作", { 名称: "退" });
      await panel.chooseIn("添加按钮", "动作", "退回");
      await panel.save("添加按钮");
    }, ['<P:button id="2" name="退" code="return" sort="2" />']);
    await panel.changes(async () => {
      await panel.press("添加办理人");
      await panel.save("添加办理人", { 类型: "user", 值: "3" });
    }, ['<P:assignee id="1" type="user" value="3" sort="1" />']);
    await panel.changes(
      async () => {
        await panel.press("移除 通过");
        await panel.confirm("确认移除该属性吗？");
      },
      ["<other:note>"],
      ["通过"],
    );
  });

  test("conditions of a flow", async () => {
    const panel = await openPanel(fixture, dialect, "go");
    await panel.open("流程模型扩展");
    await panel.changes(async () => {
      await panel.press("添加条件");
      await panel.chooseIn("添加条件", "比较", ">=");
      await panel.save("添加条件", { 字段: "day", 值: "3" });
    }, ['<P:condition id="1" field="day" compare="&#62;=" value="3" sort="1" />']);
  });
});
