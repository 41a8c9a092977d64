// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/form.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("forms in %s", (dialect) => {
  test("the key names a record; looking writes nothing", async () => {
    const panel = await openPanel(fixture, dialect, "start");
    await panel.keeps(() => panel.open("表单"));
    await screen.findByText("请假单");
    await panel.changes(
      () => panel.type("表单标识", "custom"),
      ['P:formKey="custom"'],
      ["extensionElements><P"],
    );
    await panel.changes(() => panel.choose("流程表单", "请假单"), ['P:formKey="7"']);
    await panel.changes(() => panel.type("发起人变量", "starter"), ['P:initiator="starter"']);
  });

  test("fields keep what they say besides", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("表单");
    await panel.changes(async () => {
      await panel.press("编辑 天数");
      await panel.press("添加约束");
      await panel.save("编辑表单字段", { "约束条件 第 1 行 配置": "2", "约束条件 第 2 行 名称": "required" });
    }, ['name="min" config="2"', 'name="required"', "<other:note>", 'businessKey="day"', 'other:mark="x"']);
    await panel.changes(async () => {
      await panel.press("添加表单字段");
      await panel.refused("添加表单字段", "已有同编号的字段，请换一个", { 字段编号: "day" });
      await panel.chooseIn("添加表单字段", "类型", "枚举");
      await panel.press("添加枚举值");
      await panel.save("添加表单字段", {
        字段编号: "kind",
        "枚举值 第 1 行 编号": "a",
        "枚举值 第 1 行 名称": "甲",
      });
    }, ['<P:formField id="kind" type="enum"><P:value id="a" name="甲" /></P:formField>']);
    await panel.changes(() => panel.choose("业务标识", "kind"), ['businessKey="kind"']);
    await panel.changes(
      async () => {
        await panel.press("移除 kind");
        await panel.confirm("确认移除该字段吗？");
      },
      ["天数"],
      ["kind", "businessKey"],
    );
    await panel.changes(
      async () => {
        await panel.press("移除 天数");
        await panel.confirm("确认移除该字段吗？");
      },
      ["<other:note>"],
      ["formData"],
    );
  });

  test("the first field is written as the engine reads it", async () => {
    const panel = await openPanel(fixture, dialect, "plain");
    await panel.open("表单");
    await panel.changes(
      async () => {
        await panel.press("添加表单字段");
        await panel.chooseIn("添加表单字段", "类型", "日期");
        await panel.save("添加表单字段", { 字段编号: "at", 显示名称: "日期", 日期格式: "yyyy" });
      },
      dialect === "camunda"
        ? ['<camunda:formData><camunda:formField id="at" label="日期" type="date" datePattern="yyyy" />']
        : ["<P:formProperty", 'id="at" name="日期" type="date"', 'datePattern="yyyy"'],
    );
  });
});
