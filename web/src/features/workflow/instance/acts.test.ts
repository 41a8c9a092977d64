// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { task } from "../viewer/fixtures";
import { actsFor, type Reader } from "./acts";
import { decider, instanceData, starter, xmlWith } from "./fixtures";
import { nodeSetting } from "./nodeSetting";

const none = nodeSetting("", "");
const everything = { id: decider.id, may: () => true, claimable: [], rules: null };
const staff = (id: number, more: Partial<Reader> = {}): Reader => ({
  ...everything,
  id,
  may: (permission) => !/admin|manager/.test(permission),
  ...more,
});
const keys = (data = instanceData(), reader = staff(decider.id)) =>
  actsFor(data, none, reader).map((act) => (act.reason ? `${act.key}: ${act.reason}` : act.key));

const done = task({ id: "t1", status: 2, endTime: 1795244520000, assigneeUser: decider });

describe("what is offered", () => {
  test("to the decider", () => {
    expect(keys()).toEqual([
      "approve",
      "reject",
      "return",
      "transfer",
      "delegate",
      "addSign",
      "copy",
      "comment",
    ]);
  });

  test("to the starter, and nothing to somebody else but comments", () => {
    const others = instanceData({ detail: { todoTask: null } });
    expect(keys(others, staff(starter.id))).toEqual(["comment", "urge", "cancel"]);
    expect(keys(others, staff(9))).toEqual(["comment"]);
    expect(keys(others, staff(9, { may: () => false }))).toEqual([]);
  });

  test("to administrators, with every open task", () => {
    const admin = actsFor(instanceData({ detail: { todoTask: null } }), none, { ...everything, id: 9 });
    expect(admin.map((act) => act.key)).toEqual([
      "comment",
      "adminAssign",
      "adminApprove",
      "adminReject",
      "adminCancel",
    ]);
    expect(admin[1]?.target).toEqual({ instanceId: "i1", taskId: "t1" });
  });

  test("nothing that changes an instance once it has ended", () => {
    const ended = instanceData({ tasks: [done], instance: { result: 2 }, detail: { todoTask: null } });
    expect(keys(ended, { ...everything })).toEqual(["copy"]);
    expect(keys(ended, staff(starter.id))).toEqual([]);
  });

  test("a task that waits for one of several is claimed", () => {
    const free = instanceData({
      tasks: [task({ id: "t5", assigneeUser: null })],
      detail: { todoTask: null },
    });
    expect(keys(free, staff(9, { claimable: ["t5"] }))).toEqual(["claim", "comment"]);
  });
});

describe("why an act is locked", () => {
  test("a suspended instance", () => {
    const suspended = keys(instanceData({ instance: { suspended: true } }));
    expect(suspended.slice(0, 2)).toEqual([
      "approve: 流程已挂起，恢复后才能办理",
      "reject: 流程已挂起，恢复后才能办理",
    ]);
  });

  test("a task that only asks for advice", () => {
    const advised = instanceData({ tasks: [task({ id: "t1", result: 6, assigneeUser: decider })] });
    expect(keys(advised).filter((key) => key.includes("委派"))).toHaveLength(3);
    expect(keys(advised).slice(0, 2)).toEqual(["approve", "reject"]);
  });

  test.each<[string, Partial<Reader>, Parameters<typeof task>[0], string]>([
    ["free to go", {}, {}, "withdraw"],
    [
      "the model forbids it",
      { rules: { allowWithdrawTask: false, allowCancelRunningProcess: true } },
      {},
      "withdraw: 该流程不允许审批人撤回",
    ],
    ["too late", {}, { endTime: 1795244530000, status: 2 }, "withdraw: 后续任务已办理，不能撤回"],
  ])("withdrawal: %s", (_name, reader, next, expected) => {
    const following = task({ id: "t2", assigneeUser: starter, createTime: 1795244520000, ...next });
    const data = instanceData({ tasks: [following, done], detail: { todoTask: null } });
    expect(keys(data, staff(decider.id, reader))).toContain(expected);
  });

  test("cancelling what the model keeps, urging nobody", () => {
    const rules = { allowCancelRunningProcess: false, allowWithdrawTask: true };
    const unassigned = instanceData({
      tasks: [task({ id: "t1", assigneeUser: null })],
      detail: { todoTask: null },
    });
    expect(keys(unassigned, staff(starter.id, { rules }))).toEqual([
      "comment",
      "urge: 当前没有等待审批的人",
      "cancel: 该流程不允许发起人取消",
    ]);
  });
});

test("signers are removed by who added them, before and after", () => {
  const signer = task({ id: "t2", parentTaskId: "t1", assigneeUser: starter });
  const before = task({ id: "t1", status: 0, assigneeUser: null, ownerUser: decider, children: [signer] });
  const after = task({ id: "t1", assigneeUser: decider, children: [{ ...signer, status: 0 }] });
  for (const parent of [before, after]) {
    const data = instanceData({ tasks: [parent], detail: { todoTask: null } });
    expect(keys(data)).toContain("removeSign");
    expect(keys(data, staff(9))).not.toContain("removeSign");
  }
});

describe("the model's settings of a step", () => {
  test("names and hides buttons, in both spellings", () => {
    const settings =
      '<flowable:buttonsSetting id="1" displayName="同意" enable="true"/><flowable:buttonsSetting id="7" displayName="抄送" enable="false"/>' +
      '<flowable:button id="b" name="打回" code="return" isHide="false"/><flowable:button id="c" name="x" code="delegate" isHide="true"/>' +
      "<flowable:reasonRequire>true</flowable:reasonRequire><flowable:signEnable>true</flowable:signEnable>";
    const setting = nodeSetting(xmlWith(settings), "check");
    const acts = actsFor(instanceData(), setting, staff(decider.id));
    expect(acts.map((act) => act.label)).toEqual(["同意", "不通过", "打回", "转办", "加签", "评论"]);
    expect(setting).toMatchObject({ wantsOpinion: true, wantsSignature: true });
  });

  test("of another step say nothing", () => {
    const setting = nodeSetting(xmlWith("<flowable:reasonRequire>true</flowable:reasonRequire>"), "other");
    expect(setting).toMatchObject({ wantsOpinion: false, wantsSignature: false, names: {} });
  });
});
