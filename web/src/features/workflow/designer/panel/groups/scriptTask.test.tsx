// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/script.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("a script task in %s", (dialect) => {
  test("keeps its script in the file or elsewhere, never both", async () => {
    const panel = await openPanel(fixture, dialect, "calc");
    await panel.open("任务");
    expect((await screen.findByLabelText<HTMLInputElement>("脚本")).value).toBe("a + b");
    await panel.changes(() => panel.type("脚本格式", "groovy"), ['scriptFormat="groovy"']);
    await panel.changes(() => panel.type("脚本", "a - b"), ["<script>a - b</script>"]);
    await panel.changes(() => panel.choose("脚本类型", "外部脚本"), ['P:resource=""'], ["<script>"]);
    await panel.changes(() => panel.type("资源地址", "sum.js"), ['P:resource="sum.js"']);
    await panel.changes(() => panel.choose("脚本类型", "内联脚本"), [], ["resource="]);
    await panel.changes(() => panel.type("结果变量", "total"), ['P:resultVariable="total"']);
  });
});
