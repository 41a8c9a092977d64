// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { fakeSvgGeometry } from "@/testing/svg";
import { task } from "../viewer/fixtures";
import type { InstanceData } from "./calls";
import DetailPage from "./DetailPage";
import { decider, instanceData, node, starter } from "./fixtures";

fakeSvgGeometry();
// Whole pages with dialogs: a busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 180_000 });

let sent: { call: string; body: unknown; key: string | null }[];

/** Answers everything the page reads. */
function serve(data: InstanceData): void {
  server.use(
    http.get(api("/bpm/process-instance/get-approval-detail"), () => ok(data.detail)),
    http.get(api("/bpm/task/list-by-process-instance-id"), () => ok(data.tasks)),
    http.get(api("/bpm/activity/list"), () => ok(data.activities)),
    http.get(api("/bpm/comment/list-by-process-instance-id"), () => ok(data.comments)),
  );
}

async function keep({ request }: { request: Request }) {
  const url = new URL(request.url);
  const text = await request.text();
  sent.push({
    call: `${request.method} ${url.pathname.replace("/admin-api/bpm", "")}${url.search}`,
    body: text && JSON.parse(text),
    key: request.headers.get("Idempotency-Key"),
  });
  return ok(true);
}

async function openPage(data = instanceData()) {
  serve(data);
  const view = renderPage(<DetailPage />, "/bpm/process-instance/detail?id=i1");
  await screen.findByRole("heading", { name: "王同学的请假" });
  return view;
}

const main = () => within(screen.getByRole("toolbar", { name: "可执行的操作" }));

/** Opens an act beside the heading or in the menu, and gives its dialog. */
async function begin(name: string) {
  const button = main().queryByRole("button", { name });
  if (button) fireEvent.click(button);
  else {
    fireEvent.click(main().getByRole("button", { name: /更多操作/ }));
    fireEvent.click(await screen.findByRole("menuitem", { name }));
  }
  return within(await screen.findByRole("dialog", { name }));
}

type Box = Awaited<ReturnType<typeof begin>>;

function write(box: Box, label: RegExp, text: string): void {
  fireEvent.change(box.getByLabelText(label), { target: { value: text } });
}

async function choose(box: Box, label: string, option: string): Promise<void> {
  fireEvent.mouseDown(box.getByRole("combobox", { name: new RegExp(label) }));
  fireEvent.click(await screen.findByText(option, { selector: ".ant-select-item-option-content" }));
}

beforeEach(() => {
  sent = [];
  signInAs({ user: { id: decider.id, username: "liu", nickname: "刘老师", type: 2 } });
  fillDicts({
    bpm_task_status: { 1: "审批中", 2: "审批通过", 3: "审批不通过" },
    bpm_process_instance_result: { 1: "处理中", 2: "通过" },
    bpm_comment_type: { 0: "评论", 7: "转派" },
  });
  server.use(
    http.get(api("/bpm/process-definition/get"), () =>
      ok({ allowCancelRunningProcess: true, allowWithdrawTask: true }),
    ),
    http.get(api("/bpm/process-instance/get-next-approval-nodes"), () => ok([])),
    http.get(api("/system/user/list-all-simple"), () =>
      ok([{ id: 5, nickname: "陈远", deptName: "研究生院" }]),
    ),
    http.get(api("/bpm/task/list-by-return"), () => ok([{ taskDefinitionKey: "first", name: "学院初审" }])),
    http.put(api("/bpm/*"), keep),
    http.post(api("/bpm/*"), keep),
    http.delete(api("/bpm/*"), keep),
  );
});

describe("the page", () => {
  test("shows the form, the way with opinions, waiting people and who follows", async () => {
    const decided = { status: 2, endTime: 1795244520000, durationInMillis: 3_600_000 };
    const signer = task({ id: "t9", parentTaskId: "t1", assigneeUser: { id: 8, nickname: "赵会签" } });
    const tasks = [
      task({ id: "t1", assigneeUser: decider, children: [signer] }),
      task({
        id: "t0",
        ...decided,
        assigneeUser: starter,
        reason: "<b>看过</b>",
        taskDefinitionKey: "first",
      }),
    ];
    const data = instanceData({
      tasks,
      comments: [
        { id: 1, taskId: "t1", type: 7, message: "转办给 刘老师", createTime: 1795240920000, user: starter },
        { id: 2, taskId: "t1", type: 10, message: "", createTime: 1795240920000, user: starter },
        { id: 3, taskId: "t0", type: 1, message: "<b>看过</b>", createTime: 1795244520000, user: starter },
      ],
    });
    data.detail.activityNodes.splice(1, 0, node({ id: "first", name: "学院初审", tasks: tasks.slice(1) }));
    const { container } = await openPage(data);
    const way = within(screen.getByRole("region", { name: "审批过程" }));
    expect(way.getAllByText("<b>看过</b>")).toHaveLength(1);
    way.getByText(/1 小时/);
    expect(way.getAllByText(/已等待/)).toHaveLength(2);
    way.getByText("赵会签");
    way.getByText(/王同学 · 转派/);
    way.getByText(/王同学 · 催办/);
    expect(way.getByText("校长审批").closest("li")?.textContent).toContain("预计王同学（信息学院）");
    const form = within(screen.getByRole("region", { name: "表单" }));
    form.getByText("看病");
    form.getByLabelText(/备注/);
    await screen.findByText(/步骤清单/);
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  test("without an id, and with one that does not exist, says so", async () => {
    const view = renderPage(<DetailPage />, "/bpm/process-instance/detail");
    await screen.findByText("没有指定流程");
    view.unmount();
    const refuse = () => failure(1009004000, "流程实例不存在");
    for (const name of ["process-instance/get-approval-detail", "task/list-by-process-instance-id"]) {
      server.use(http.get(api(`/bpm/${name}`), refuse));
    }
    server.use(
      http.get(api("/bpm/activity/list"), refuse),
      http.get(api("/bpm/comment/list-by-process-instance-id"), refuse),
    );
    renderPage(<DetailPage />, "/bpm/process-instance/detail?id=x");
    await screen.findByText("流程实例不存在");
  });

  test("who only reads can change nothing", async () => {
    signInAs({
      user: { id: 9, username: "x", nickname: "旁人", type: 2 },
      permissions: [],
      roles: ["staff"],
    });
    await openPage(instanceData({ detail: { todoTask: null } }));
    expect(screen.queryByRole("toolbar", { name: "可执行的操作" })).toBeNull();
    expect(within(screen.getByRole("region", { name: "表单" })).queryByRole("textbox")).toBeNull();
  });

  test("a business form links to its page", async () => {
    const data = instanceData({ instance: { businessKey: "7", summary: [{ key: "天数", value: "3" }] } });
    Object.assign(data.detail.processDefinition, {
      formType: 20,
      formCustomViewPath: "/bpm/oa/leave/detail",
    });
    const { router } = await openPage(data);
    screen.getByText("天数");
    fireEvent.click(screen.getByRole("button", { name: "查看业务单据" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/bpm/oa/leave/detail"));
    expect(router.state.location.search).toBe("?id=7");
  });
});

describe("deciding", () => {
  test("approves with the fields that may be written, once the form is right", async () => {
    await openPage();
    fireEvent.click(main().getByRole("button", { name: "通过" }));
    await waitFor(() => expect(screen.getAllByRole("alert")[0]?.textContent).toMatch(/备注/));
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.change(screen.getByLabelText(/备注/), { target: { value: "已核" } });
    const box = await begin("通过");
    fireEvent.click(box.getByRole("button", { name: "情况属实，同意" }));
    serve(instanceData({ instance: { result: 2 }, detail: { todoTask: null } }));
    fireEvent.click(box.getByRole("button", { name: "通过" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      call: "PUT /task/approve",
      body: { id: "t1", reason: "情况属实，同意", variables: { remark: "已核" } },
    });
    expect(sent[0]?.key).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: "不通过" })).toBeNull());
  });

  test("wants the opinion and the next people where the model does", async () => {
    server.use(
      http.get(api("/bpm/process-instance/get-next-approval-nodes"), () =>
        ok([node({ id: "boss", name: "校长审批", candidateStrategy: 34 })]),
      ),
    );
    const settings = "<flowable:reasonRequire>true</flowable:reasonRequire>";
    await openPage(instanceData({ settings, detail: { formFieldsPermission: {} } }));
    const box = await begin("通过");
    await box.findByLabelText(/校长审批/);
    fireEvent.click(box.getByRole("button", { name: "通过" }));
    await box.findByText("请填写审批意见");
    await box.findByText("请选择人员");
    expect(sent).toEqual([]);
    write(box, /审批意见/, "同意");
    await choose(box, "校长审批", "陈远");
    fireEvent.click(box.getByRole("button", { name: "通过" }));
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ nextAssignees: { boss: [5] } }));
  });

  test("keeps the text and tells what happened when somebody was faster", async () => {
    await openPage(instanceData({ detail: { formFieldsPermission: {} } }));
    const box = await begin("不通过");
    write(box, /审批意见/, "写了很久的意见");
    server.use(http.put(api("/bpm/task/reject"), () => failure(1009005002, "任务不存在或已办结，请刷新")));
    const decided = { id: "t1", name: "经理审批", status: 2, endTime: 1795244520000, assigneeUser: decider };
    serve(instanceData({ tasks: [task(decided)], instance: { result: 2 } }));
    fireEvent.click(box.getByRole("button", { name: "不通过" }));
    const alert = await box.findByRole("alert");
    expect(alert.textContent).toMatch(/任务不存在或已办结.*「经理审批」已由 刘老师 于 .* 办理：审批通过/);
    expect(box.getByLabelText(/审批意见/)).toHaveProperty("value", "写了很久的意见");
    await waitFor(() => expect(screen.getByText("通过", { selector: ".ant-tag" })).toBeTruthy());
  });

  test("a lost answer is repeated with the same key", async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.put(api("/bpm/task/reject"), ({ request }) => {
        seen.push(request.headers.get("Idempotency-Key"));
        return seen.length === 1 ? failure(500, "系统繁忙") : ok(true);
      }),
    );
    await openPage(instanceData({ detail: { formFieldsPermission: {} } }));
    const box = await begin("不通过");
    write(box, /审批意见/, "不同意");
    fireEvent.click(box.getByRole("button", { name: "不通过" }));
    await box.findByText("系统繁忙");
    fireEvent.click(box.getByRole("button", { name: "不通过" }));
    await waitFor(() => expect(seen).toHaveLength(2));
    expect(seen[0]).toBe(seen[1]);
  });

  test("asks before a typed opinion is lost", async () => {
    await openPage(instanceData({ detail: { formFieldsPermission: {} } }));
    const box = await begin("不通过");
    write(box, /审批意见/, "写了一半");
    fireEvent.click(box.getByRole("button", { name: "取消" }));
    fireEvent.click(await screen.findByRole("button", { name: /继续编辑|留下|继续/ }));
    expect(box.getByLabelText(/审批意见/)).toHaveProperty("value", "写了一半");
  });
});

describe("each act sends its own call", () => {
  const signer = task({ id: "t9", parentTaskId: "t1", assigneeUser: { id: 8, nickname: "赵会签" } });
  const mine = task({ id: "t1", name: "经理审批", assigneeUser: decider, children: [signer] });
  const acts: [string, (box: Box) => Promise<void>, string, object | ""][] = [
    ["转办", (box) => choose(box, "人员", "陈远"), "PUT /task/transfer", { id: "t1", assigneeUserId: 5 }],
    [
      "委派",
      (box) => choose(box, "人员", "陈远"),
      "PUT /task/delegate",
      { id: "t1", delegateUserId: 5, reason: "说明" },
    ],
    [
      "退回",
      async (box) => void fireEvent.click(await box.findByLabelText("学院初审")),
      "PUT /task/return",
      { id: "t1", targetTaskDefinitionKey: "first", reason: "说明" },
    ],
    [
      "加签",
      async (box) => {
        fireEvent.click(box.getByLabelText(/向后加签/));
        await choose(box, "人员", "陈远");
      },
      "PUT /task/create-sign",
      { id: "t1", userIds: [5], type: "after", reason: "说明" },
    ],
    [
      "减签",
      (box) => choose(box, "加签人", "赵会签"),
      "DELETE /task/delete-sign",
      { id: "t9", reason: "说明" },
    ],
    ["抄送", (box) => choose(box, "人员", "陈远"), "PUT /task/copy", { id: "t1", copyUserIds: [5] }],
    ["评论", async () => {}, "POST /comment/create", { taskId: "t1", message: "说明" }],
    [
      "指定审批人",
      (box) => choose(box, "人员", "陈远"),
      "PUT /task/assign-by-admin",
      { id: "t1", assigneeUserId: 5, reason: "说明" },
    ],
    ["代为通过", async () => {}, "PUT /task/approve-by-admin", { id: "t1", reason: "说明" }],
    ["代为不通过", async () => {}, "PUT /task/reject-by-admin", { id: "t1", reason: "说明" }],
    ["终止流程", async () => {}, "DELETE /process-instance/cancel-by-admin", { id: "i1", reason: "说明" }],
  ];

  test.each(acts)("%s", async (name, fill, call, body) => {
    await openPage(instanceData({ tasks: [mine], detail: { todoTask: mine } }));
    const box = await begin(name);
    await fill(box);
    write(box, /理由|评论/, "说明");
    fireEvent.click(box.getByRole("button", { name }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ call, body });
  });

  test.each([
    ["催办", "PUT /task/urge", { processInstanceId: "i1", reason: "说明" }],
    ["取消流程", "DELETE /process-instance/cancel-by-start-user", { id: "i1", reason: "说明" }],
  ])("%s, by the starter", async (name, call, body) => {
    signInAs({ user: { id: starter.id, username: "w", nickname: "王同学", type: 2 } });
    await openPage(instanceData({ detail: { todoTask: null } }));
    const box = await begin(name);
    write(box, /理由/, "说明");
    fireEvent.click(box.getByRole("button", { name }));
    await waitFor(() => expect(sent[0]).toMatchObject({ call, body }));
  });

  test("撤回审批 and 领取任务 need no words", async () => {
    const done = task({ id: "t0", status: 2, endTime: 1795244520000, assigneeUser: decider });
    const next = task({ id: "t2", name: "复核", createTime: 1795244520000, assigneeUser: null });
    server.use(http.get(api("/bpm/task/claimable-page"), () => ok({ list: [{ id: "t2" }], total: 1 })));
    await openPage(instanceData({ tasks: [next, done], detail: { todoTask: null } }));
    await main().findByRole("button", { name: "领取任务" });
    const claim = await begin("领取任务");
    fireEvent.click(claim.getByRole("button", { name: "领取任务" }));
    await waitFor(() => expect(sent[0]?.call).toBe("PUT /task/claim?id=t2"));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "领取任务" })).toBeNull());
    const withdraw = await begin("撤回审批");
    fireEvent.click(withdraw.getByRole("button", { name: "撤回审批" }));
    await waitFor(() => expect(sent[1]?.call).toBe("PUT /task/withdraw?taskId=t0"));
  });
});

test("the sheet of paper holds the head, the form and the decisions", async () => {
  const data = instanceData();
  const tasks = [{ id: "t0", name: "学院初审", signPicUrl: "", description: "王同学 审批通过 看过" }];
  server.use(
    http.get(api("/bpm/process-instance/get-print-data"), () =>
      ok({
        processInstance: data.detail.processInstance,
        printTemplateEnable: false,
        printTemplateHtml: "",
        tasks,
      }),
    ),
  );
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  await openPage(data);
  fireEvent.click(screen.getAllByRole("button", { name: "打印" })[0] as HTMLElement);
  const box = within(await screen.findByRole("dialog", { name: "打印预览" }));
  await box.findByText("王同学 审批通过 看过");
  box.getByText("看病");
  expect(box.queryByRole("textbox")).toBeNull();
  fireEvent.click(box.getByRole("button", { name: "打印" }));
  expect(print).toHaveBeenCalled();
});
