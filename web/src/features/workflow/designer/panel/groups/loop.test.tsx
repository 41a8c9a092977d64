// @vitest-environment jsdom
import { describe, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/loop.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("multi-instance in %s", (dialect) => {
  test("parallel goes through the list of users, sequential through nothing yet", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("多实例");
    await panel.changes(
      () => panel.choose("回路特性", "并行多实例"),
      [`<multiInstanceLoopCharacteristics P:collection="\${coll_userList}" />`],
    );
    await panel.changes(() => panel.choose("回路特性", "时序多实例"), ['isSequential="true"']);
    await panel.changes(() => panel.type("循环基数", "3"), [">3</loopCardinality>"]);
    await panel.changes(() => panel.type("循环基数", ""), [], ["loopCardinality"]);
    await panel.changes(
      () => panel.choose("回路特性", "循环"),
      ["<standardLoopCharacteristics"],
      ["coll_userList"],
    );
    await panel.changes(() => panel.type("循环条件", `\${more}`), [`\${more}</loopCondition>`]);
    await panel.changes(() => panel.choose("回路特性", "无"), ['<userTask id="check" />']);
  });

  test("what is set is changed in place, with its own pauses", async () => {
    const panel = await openPanel(fixture, dialect, "all");
    await panel.open("多实例");
    await panel.changes(
      () => panel.choose("回路特性", "并行多实例"),
      [`\${people}`, `\${done}`],
      ["isSequential"],
    );
    await panel.changes(
      () => panel.type("集合", `\${others}`),
      [`P:collection="\${others}"`, "<other:note>"],
    );
    await panel.changes(() => panel.type("元素变量", "who"), ['P:elementVariable="who"']);
    await panel.changes(() => panel.type("完成条件", `\${ok}`), [`\${ok}</completionCondition>`]);
    await panel.changes(() => panel.check("异步前"), ['P:asyncBefore="true"', "<other:note>"]);
    await panel.changes(
      () => panel.type("失败重试周期", "R3/PT10M"),
      ["<P:failedJobRetryTimeCycle>R3/PT10M</P:failedJobRetryTimeCycle>", "<other:note>"],
    );
    await panel.changes(
      () => panel.check("异步前"),
      ['P:exclusive="false"', "<other:note>"],
      ["RetryTimeCycle"],
    );
  });
});
