// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dialects } from "../../dialect";
import fixture from "../fixtures/approval.bpmn?raw";
import { answer, openPanel } from "../testing";

const open = async (dialect: (typeof dialects)[number], id: string) => {
  const panel = await openPanel(fixture, dialect, id);
  const item = { type: "input", field: "reason", title: "事由" };
  answer("/bpm/form/get", { id: 7, conf: "{}", fields: [JSON.stringify(item)] });
  await panel.open("审批设置");
  return panel;
};

describe.each(dialects)("approval in %s", (dialect) => {
  test("who decides is picked from real lists", async () => {
    const panel = await open(dialect, "check");
    await screen.findByText("刘老师");
    await panel.changes(() => panel.choose("范围", "陈老师"), ['P:candidateParam="3,4"', "<other:note>"]);
    await panel.changes(
      () => panel.choose("由谁审批", "角色"),
      ['P:candidateStrategy="10"'],
      ["candidateParam="],
    );
    await panel.changes(() => panel.choose("范围", "评审"), ['P:candidateParam="5"']);
    await panel.changes(
      () => panel.choose("由谁审批", "发起人的部门负责人"),
      ['P:candidateStrategy="37"', 'P:candidateParam="1"'],
    );
    await panel.changes(() => panel.type("层级（1 到 20）", "2"), ['P:candidateParam="2"']);
    await panel.changes(() => panel.choose("由谁审批", "表单中的用户字段"), ['P:candidateStrategy="50"']);
    await panel.changes(() => panel.choose("表单字段", "事由 · reason"), ['P:candidateParam="reason"']);
    await panel.changes(
      () => panel.choose("由谁审批", "模型的分配规则"),
      ["<other:note>"],
      ["candidateStrategy=", "candidateParam="],
    );
  });

  test("texts of the file stay texts", async () => {
    const panel = await open(dialect, "texts");
    await screen.findByText("评审");
    await panel.changes(
      () => panel.choose("由谁审批", "发起人本人"),
      ["<P:candidateStrategy>36</P:candidateStrategy>"],
      ["<P:candidateParam>"],
    );
    await panel.changes(() => panel.choose("退回到", "初审"), ["<P:rejectReturnTaskId>first<"]);
    await panel.changes(
      () => panel.choose("拒绝时", "终止流程"),
      ["<P:rejectHandlerType>1<"],
      ["ReturnTaskId"],
    );
  });

  test("the method is the multi-instance that does it", async () => {
    const panel = await open(dialect, "first");
    await panel.changes(
      () => panel.choose("多人审批方式", "会签（按比例）"),
      [`\${ nrOfCompletedInstances/nrOfInstances &gt;= 1 }`, "<P:approveMethod>2<"],
    );
    await panel.changes(() => panel.type("通过比例（%）", "60"), ["&gt;= 0.6 }", "<P:approveRatio>60<"]);
    await panel.changes(
      () => panel.choose("多人审批方式", "依次审批"),
      ['isSequential="true"'],
      ["approveRatio"],
    );
    await panel.changes(
      () => panel.choose("多人审批方式", "或签（一人即可）"),
      [`\${ nrOfCompletedInstances &gt; 0 }`],
    );
    await panel.changes(() => panel.choose("多人审批方式", "随机一人"), [], ["loopCharacteristics"]);
  });

  test("policies, buttons and rights on fields", async () => {
    const panel = await open(dialect, "check");
    await panel.changes(
      () => panel.choose("找不到审批人时", "指定人员审批"),
      ["<P:assignEmptyHandlerType>3<"],
    );
    await panel.changes(() => panel.choose("改由这些人审批", "刘老师"), ["<P:assignEmptyUserIds>3<"]);
    await panel.changes(() => panel.choose("找不到审批人时", "自动通过"), [], ["assignEmptyUserIds"]);
    await panel.changes(() => panel.check("必须填写审批意见"), ["<P:reasonRequire>true<"]);
    await panel.changes(() => panel.check("转办"), ['<P:buttonsSetting id="3" enable="false" />']);
    await panel.changes(() => panel.check("转办"), ["<other:note>"], ["buttonsSetting"]);
    await panel.changes(
      () => panel.type("通过 按钮的名称", "同意"),
      ['<P:buttonsSetting id="1" displayName="同意" enable="true" />'],
    );
    await panel.changes(
      () => panel.choose("事由 的权限", "隐藏"),
      ['<P:fieldsPermission field="reason" title="事由" permission="3" />'],
    );
    await panel.changes(() => panel.choose("事由 的权限", "未设置"), ["<other:note>"], ["fieldsPermission"]);
  });
});

test("rules of other modules are offered by their titles", async () => {
  const panel = await openPanel(fixture, "flowable", "first");
  const rule = {
    kind: "rule",
    name: "THESIS_ADVISOR",
    title: "论文导师",
    uses: [],
    async: false,
    fields: [],
  };
  answer("/bpm/model/handlers", [rule]);
  answer("/bpm/form/get", { id: 7, conf: "{}", fields: [] });
  await panel.open("审批设置");
  await screen.findByText("没有可设置的表单字段：请先在模型或“表单”中指定流程表单。");
  await panel.changes(() => panel.choose("由谁审批", "论文导师"), ['candidateStrategy="THESIS_ADVISOR"']);
  expect(screen.getByLabelText("参数")).toBeTruthy();
});
