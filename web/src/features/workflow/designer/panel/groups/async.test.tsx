// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/async.bpmn?raw";
import { openPanel } from "../testing";

describe.each(dialects)("pauses in %s", (dialect) => {
  test("are written under the names of the engine; without any, exclusive is off and retries go", async () => {
    const panel = await openPanel(fixture, dialect, "check");
    await panel.open("异步");
    expect(screen.queryByLabelText("排他")).toBeNull();
    const native = dialect === "camunda" ? [] : ['P:async="true"'];
    await panel.changes(() => panel.check("异步前"), ['P:asyncBefore="true"', ...native]);
    const leave = dialect === "flowable" ? ['P:asyncLeave="true"'] : [];
    await panel.changes(() => panel.check("异步后"), ['P:asyncAfter="true"', ...leave]);
    await panel.changes(() => panel.check("排他"), ['P:exclusive="false"']);
    await panel.changes(() => panel.check("排他"), [], ["exclusive"]);
    await panel.changes(
      () => panel.type("失败重试周期", "R5/PT1M"),
      [">R5/PT1M</P:failedJobRetryTimeCycle>"],
    );
    await panel.changes(() => panel.check("异步前"), ['P:asyncAfter="true"'], ["asyncBefore", "async="]);
    await panel.changes(
      () => panel.check("异步后"),
      ['P:exclusive="false"', "<other:note>"],
      ["async", "Retry"],
    );
    await panel.changes(() => panel.check("异步后"), ['P:asyncAfter="true"'], ["exclusive"]);
  });

  test("the old name is read", async () => {
    const panel = await openPanel(
      fixture.replace('"check"', '"check" camunda:async="true"'),
      dialect,
      "check",
    );
    await panel.open("异步");
    expect((await screen.findByLabelText<HTMLInputElement>("异步前")).checked).toBe(true);
  });
});
