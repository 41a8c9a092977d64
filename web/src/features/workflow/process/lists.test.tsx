import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import CopyPage from "./CopyPage";
import DonePage from "./DonePage";
import MinePage from "./MinePage";
import TodoPage from "./TodoPage";

vi.setConfig({ testTimeout: 60_000 });

const chen = { id: 3, nickname: "陈远", deptName: "信息学院" };
const dean = { id: 4, nickname: "院长", deptName: "信息学院" };
const summary = [{ key: "天数", value: "3" }];

const process = {
  id: "i1",
  name: "请假申请",
  processDefinitionKey: "oa_leave",
  category: "office",
  categoryName: "行政办公",
  status: 1,
  suspended: false,
  mayCancel: true,
  reason: "",
  createTime: 1795240920000,
  endTime: null,
  summary,
  tasks: [{ id: "i1.2", name: "负责人审批", assigneeUser: dean }],
};

const task = {
  id: "i1.2",
  name: "负责人审批",
  createTime: Date.now() - 9 * 24 * 3_600_000,
  endTime: null,
  suspensionState: 1,
  status: 1,
  mayWithdraw: false,
  reason: "",
  processInstanceId: "i1",
  processInstance: { name: "请假申请", startUser: chen, createTime: 1795240920000, summary },
};

const done = { ...task, status: 2, endTime: 1795250920000, mayWithdraw: true, reason: "同意" };

const copy = {
  id: 8,
  processInstanceId: "i1",
  processInstanceName: "请假申请",
  activityName: "负责人审批",
  reason: "请知悉",
  startUser: chen,
  createUser: dean,
  createTime: 1795240920000,
  summary,
};

const taskPages = { todo: "/bpm/task/todo-page", claimable: "/bpm/task/claimable-page" };

let sent: { call: string; body: unknown; key: string | null }[];

/** Records a change and answers it. */
async function keep({ request }: { request: Request }) {
  const url = new URL(request.url);
  const text = await request.text();
  const call = `${request.method} ${url.pathname.replace("/admin-api", "")}${url.search}`;
  sent.push({ call, body: text ? JSON.parse(text) : null, key: request.headers.get("Idempotency-Key") });
  return ok(true);
}

function page(path: string, rows: object[]) {
  return http.get(api(path), () => ok({ list: rows, total: rows.length }));
}

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts({
    bpm_process_instance_status: { 1: "审批中", 2: "审批通过", 4: "已取消" },
    bpm_task_status: { 1: "审批中", 2: "审批通过" },
  });
  server.use(
    http.get(api("/bpm/category/simple-list"), () => ok([{ id: 1, name: "行政办公", code: "office" }])),
    page(taskPages.todo, []),
    page(taskPages.claimable, []),
  );
});

const cases: ListPageCase[] = [
  {
    name: "my processes",
    Page: MinePage,
    path: "/bpm/process-instance/my-page",
    row: process,
    shows: "请假申请",
    query: "bpm:process-instance:query",
    buttons: ["发起流程", /更多.*请假申请/],
    forbidden: "您没有查看我的流程的权限",
    empty: "您还没有发起过流程",
  },
  {
    name: "tasks to do",
    Page: TodoPage,
    path: taskPages.todo,
    row: task,
    shows: "请假申请",
    query: "bpm:task:query",
    buttons: [],
    forbidden: "您没有查看待办任务的权限",
    empty: "没有等您办理的任务",
  },
  {
    name: "tasks done",
    Page: DonePage,
    path: "/bpm/task/done-page",
    row: done,
    shows: "请假申请",
    query: "bpm:task:query",
    buttons: ["撤回 请假申请 · 负责人审批"],
    forbidden: "您没有查看已办任务的权限",
    empty: "您还没有办理过任务",
  },
  {
    name: "copies",
    Page: CopyPage,
    path: "/bpm/process-instance/copy/page",
    row: copy,
    shows: "请知悉",
    query: "bpm:process-instance-cc:query",
    buttons: [],
    forbidden: "您没有查看抄送我的流程的权限",
    empty: "没有抄送给您的流程",
  },
];

describeListPages(cases);

/** Opens the menu of the row and presses an act in it. */
async function more(name: RegExp, act: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name }));
  fireEvent.click(await screen.findByRole("menuitem", { name: act }));
}

describe("my processes", () => {
  const open = (row: object) => {
    server.use(page("/bpm/process-instance/my-page", [row]));
    return renderPage(<MinePage />);
  };

  test("says where it stands and who holds it, and opens the instance", async () => {
    const { router } = open(process);
    await screen.findByText("院长（信息学院）");
    screen.getByText("审批中");
    screen.getByText("行政办公");
    fireEvent.click(screen.getByRole("button", { name: "查看 请假申请" }));
    expect(router.state.location.pathname + router.state.location.search).toBe(
      "/bpm/process-instance/detail?id=i1",
    );
  });

  test("is cancelled with a reason, in a body", async () => {
    server.use(http.delete(api("/bpm/process-instance/cancel"), keep));
    open(process);
    await more(/更多.*请假申请/, "取消流程");
    const dialog = await screen.findByRole("dialog");
    const send = within(dialog).getByRole("button", { name: "取消流程" });
    fireEvent.click(send);
    await within(dialog).findByText("请填写取消原因");
    fireEvent.change(within(dialog).getByLabelText(/取消原因/), { target: { value: " 不去了 " } });
    fireEvent.click(send);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      call: "DELETE /bpm/process-instance/cancel",
      body: { id: "i1", reason: "不去了" },
    });
    expect(sent[0]?.key).toBeTruthy();
  });

  test("a refused urge leaves its words in the dialog", async () => {
    server.use(http.put(api("/bpm/task/urge"), () => failure(1009004011, "30 分钟内已催办过，请稍后再试")));
    open(process);
    fireEvent.click(await screen.findByRole("button", { name: "催办 请假申请" }));
    const dialog = await screen.findByRole("dialog");
    const words = within(dialog).getByLabelText(/想说的话/);
    fireEvent.change(words, { target: { value: "请尽快" } });
    fireEvent.click(within(dialog).getByRole("button", { name: /催\s?办/ }));
    await within(dialog).findByText("30 分钟内已催办过，请稍后再试");
    expect(words).toHaveProperty("value", "请尽快");
    server.use(http.put(api("/bpm/task/urge"), keep));
    fireEvent.click(within(dialog).getByRole("button", { name: /催\s?办/ }));
    await screen.findByText("已提醒正在办理的人");
    expect(sent[0]?.body).toEqual({ processInstanceId: "i1", reason: "请尽快" });
  });

  test("what ended can neither be urged nor cancelled, but started again with its values", async () => {
    const { router } = open({ ...process, status: 4, tasks: [], reason: "发起人取消：不去了", endTime: 1 });
    await screen.findByText("发起人取消：不去了");
    expect(screen.queryByRole("button", { name: "催办 请假申请" })).toBeNull();
    expect(screen.queryByRole("button", { name: /更多/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "再次发起 请假申请" }));
    expect(router.state.location.search).toBe("?key=oa_leave&from=i1");
  });

  test("a process that must not be cancelled says so", async () => {
    open({ ...process, mayCancel: false });
    fireEvent.click(await screen.findByRole("button", { name: /更多.*请假申请/ }));
    await screen.findByText(/该流程不允许发起人取消/);
  });

  test("narrows by category", async () => {
    const asked: string[] = [];
    server.use(
      http.get(api("/bpm/process-instance/my-page"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("category") ?? "");
        return ok({ list: [process], total: 1 });
      }),
    );
    renderPage(<MinePage />);
    await screen.findAllByText("请假申请");
    fireEvent.mouseDown(screen.getByRole("combobox", { name: "按分类筛选" }));
    const options = await screen.findAllByText("行政办公", { selector: ".ant-select-item-option-content" });
    fireEvent.click(options.at(-1) as HTMLElement);
    await waitFor(() => expect(asked).toContain("office"));
  });
});

describe("tasks", () => {
  test("a press gives a quick look, deciding opens the instance with the task", async () => {
    server.use(page(taskPages.todo, [task]));
    const { router } = renderPage(<TodoPage />);
    fireEvent.click(await screen.findByText("负责人审批"));
    const look = await screen.findByRole("dialog");
    within(look).getByText("陈远（信息学院）");
    within(look).getByText("天数");
    fireEvent.click(within(look).getByRole("button", { name: "办理 请假申请 · 负责人审批" }));
    expect(router.state.location.search).toBe("?id=i1&taskId=i1.2");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("counts both lists; a claimed task changes from one to the other", async () => {
    let open = [task];
    let mine: object[] = [];
    server.use(
      http.get(api(taskPages.claimable), () => ok({ list: open, total: open.length })),
      http.get(api(taskPages.todo), () => ok({ list: mine, total: mine.length })),
      http.put(api("/bpm/task/claim"), (info) => {
        open = [];
        mine = [task];
        return keep(info);
      }),
    );
    renderPage(<TodoPage />);
    await screen.findByText("没有等您办理的任务");
    fireEvent.click(screen.getByText(/待领取/));
    fireEvent.click(await screen.findByRole("button", { name: "领取 请假申请 · 负责人审批" }));
    await screen.findByText("没有可以领取的任务");
    expect(sent[0]?.call).toBe("PUT /bpm/task/claim?id=i1.2");
    fireEvent.click(screen.getByText("待我办理"));
    await screen.findByRole("button", { name: "办理 请假申请 · 负责人审批" });
  });

  test("somebody who was faster is told of and the list is renewed", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    let asked = 0;
    server.use(
      http.get(api(taskPages.claimable), () => {
        asked += 1;
        return ok({ list: [task], total: 1 });
      }),
      http.put(api("/bpm/task/claim"), () => failure(1009005002, "任务已被他人领取")),
    );
    renderPage(<TodoPage />, "/?tab=claimable");
    const button = await screen.findByRole("button", { name: "领取 请假申请 · 负责人审批" });
    const before = asked;
    fireEvent.click(button);
    await screen.findByText("任务已被他人领取");
    await waitFor(() => expect(asked).toBeGreaterThan(before));
  });

  test("a decision is taken back after a question", async () => {
    server.use(page("/bpm/task/done-page", [done]), http.put(api("/bpm/task/withdraw"), keep));
    renderPage(<DonePage />);
    fireEvent.click(await screen.findByRole("button", { name: /^撤回/ }));
    const ask = await screen.findByRole("dialog");
    expect(sent).toEqual([]);
    fireEvent.click(within(ask).getByRole("button", { name: /撤\s?回/ }));
    await screen.findByText("已撤回，任务已回到您的待办");
    expect(sent[0]?.call).toBe("PUT /bpm/task/withdraw?taskId=i1.2");
  });

  test("what cannot be taken back offers nothing", async () => {
    server.use(page("/bpm/task/done-page", [{ ...done, mayWithdraw: false }]));
    renderPage(<DonePage />);
    await screen.findByText("同意");
    expect(screen.queryByRole("button", { name: /撤回/ })).toBeNull();
  });
});
