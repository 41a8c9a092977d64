// @vitest-environment jsdom
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/inputOutput.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("input and output in %s", (dialect) => {
  test("are texts, scripts, lists and maps", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("输入与输出参数");
    await panel.changes(async () => {
      await panel.press("编辑 a");
      await panel.save("编辑参数", { 属性值: "2" });
    }, ['name="a">2</P:inputParameter>', "<other:note>"]);
    await panel.changes(async () => {
      await panel.press("编辑 l");
      await panel.press("添加一项");
      await panel.save("编辑参数", { "列表 第 2 行 属性值": "y" });
    }, ["<P:value>x</P:value><P:value>y</P:value>"]);
    await panel.changes(async () => {
      await panel.press("添加输出参数");
      await panel.chooseIn("添加输出参数", "参数类型", "脚本");
      await panel.save("添加输出参数", { 名称: "o", 脚本格式: "javascript", 脚本: "1" });
    }, ['<P:outputParameter name="o"><P:script scriptFormat="javascript">1</P:script>']);
    for (const name of ["a", "l"])
      await panel.changes(
        async () => {
          await panel.press(`移除 ${name}`);
          await panel.confirm("确认移除该参数吗？");
        },
        ["<other:note>", "outputParameter"],
        [`name="${name}"`],
      );
    await panel.changes(
      async () => {
        await panel.press("移除 o");
        await panel.confirm("确认移除该参数吗？");
      },
      ["<other:note>"],
      ["inputOutput"],
    );
  });
});
