// @vitest-environment jsdom
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/properties.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("extension properties in %s", (dialect) => {
  test("of several holders become one list, the last removed takes the holder", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("扩展属性");
    await panel.changes(async () => {
      await panel.press("添加属性");
      await panel.refused("添加属性", "属性名称不能为空");
      await panel.save("添加属性", { 属性名称: "c", 属性值: "3" });
    }, ['value="2" /><P:property name="c" value="3" /></P:properties>', "<other:note>"]);
    await panel.changes(async () => {
      await panel.press("编辑 b");
      await panel.save("编辑属性", { 属性值: "9" });
    }, ['name="b" value="9"']);
    for (const name of ["a", "b"])
      await panel.changes(
        async () => {
          await panel.press(`移除 ${name}`);
          await panel.confirm("确认移除该属性吗？");
        },
        ["<other:note>"],
        [`name="${name}"`],
      );
    await panel.changes(
      async () => {
        await panel.press("移除 c");
        await panel.confirm("确认移除该属性吗？");
      },
      ["<other:note>"],
      ["properties"],
    );
  });

  test("an element without extensions gets them, and loses them again", async () => {
    const panel = await openPanel(fixture, dialect, "hand");
    await panel.open("扩展属性");
    await panel.changes(async () => {
      await panel.press("添加属性");
      await panel.save("添加属性", { 属性名称: "c" });
    }, ['<manualTask id="hand"><extensionElements><P:properties><P:property name="c" value="" />']);
    await panel.changes(async () => {
      await panel.press("移除 c");
      await panel.confirm("确认移除该属性吗？");
    }, ['<manualTask id="hand" />']);
  });
});
