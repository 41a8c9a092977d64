import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { formatTime } from "@/kernel/rules";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { detail, incident, instance, migration, period, present, report, task, versions } from "./fixtures";
import IncidentPage from "./IncidentPage";
import InstancePage from "./InstancePage";
import { ManageDrawer } from "./ManageDrawer";
import MigrationPage from "./migration/MigrationPage";
import StatisticsPage from "./statistics/StatisticsPage";
import TaskPage from "./TaskPage";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const deployed = formatTime(versions[0]?.deploymentTime);

let sent: { call: string; body: Record<string, unknown>; key: string | null }[];

/** Records a call and answers what is given. */
function keep(answer: unknown) {
  return async ({ request }: { request: Request }) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace("/admin-api", "")}`;
    sent.push({ call, body: await request.json(), key: request.headers.get("Idempotency-Key") });
    return ok(answer);
  };
}

const page = (rows: object[]) => () => ok({ list: rows, total: rows.length });

/** The dialog or drawer of that title. */
async function titled(title: string): Promise<HTMLElement> {
  const heads = await screen.findAllByText(title, { selector: ".ant-modal-title, .ant-drawer-title" });
  return heads.at(-1)?.closest("[role=dialog]") as HTMLElement;
}

/** Two characters on a button stand apart. */
const pressed = (text: string) => new RegExp(`^${[...text].join("\\s?")}$`);

function press(box: HTMLElement, text: string): void {
  fireEvent.click(within(box).getByRole("button", { name: pressed(text) }));
}

/** Gives the reason of an act; without one it is not sent. */
async function reasoned(title: string, ok: string): Promise<void> {
  const dialog = await titled(title);
  press(dialog, ok);
  await within(dialog).findByText(/请填写理由/);
  fireEvent.change(within(dialog).getByLabelText(/理由/), { target: { value: " 核查 " } });
  press(dialog, ok);
}

async function choose(box: HTMLElement, label: RegExp, text: string): Promise<void> {
  fireEvent.mouseDown(await within(box).findByLabelText(label));
  const options = await screen.findAllByText(text, { selector: ".ant-select-item-option-content" });
  fireEvent.click(options.at(-1) as HTMLElement);
}

/** An act in the menu of a row. */
async function more(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name: /更多.*请假/ }));
  fireEvent.click(await screen.findByText(name, { selector: ".ant-dropdown-menu-title-content" }));
}

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts({ bpm_process_instance_status: { 1: "审批中" }, bpm_task_status: { 1: "审批中" } });
  server.use(
    http.get(api("/system/user/list-all-simple"), () => ok([{ id: 3, nickname: "陈远" }])),
    http.get(api("/bpm/process-instance/manager-page"), page([instance])),
    http.get(api("/bpm/process-instance/get-manage-detail"), () => ok(detail)),
    http.get(api("/bpm/incident/page"), page([incident])),
    http.get(api("/bpm/incident/get"), () =>
      ok({
        ...incident,
        detail: "",
        attempts: [{ time: 1795240920000, message: "第一次失败", detail: "a / b" }],
        flows: [],
      }),
    ),
    http.get(api("/bpm/process-definition/simple-list"), () =>
      ok([{ id: "leave:2:x", key: "leave", name: "请假" }]),
    ),
    http.get(api("/bpm/process-definition/page"), page(versions)),
  );
});

describe("instances", () => {
  test("one is suspended with a reason, and terminated", async () => {
    server.use(
      http.put(api("/bpm/process-instance/update-state"), keep(true)),
      http.delete(api("/bpm/process-instance/cancel-by-admin"), keep(true)),
    );
    renderPage(<InstancePage />);
    await more("挂起");
    await reasoned("挂起「请假：李明」", "挂起");
    await waitFor(() => expect(sent[0]?.body).toEqual({ id: "i-1", state: 2, reason: "核查" }));
    expect(sent[0]?.key).toBeTruthy();
    await screen.findByText("已挂起「请假：李明」");
    await more("终止");
    await reasoned("终止「请假：李明」", "终止");
    await waitFor(() => expect(sent[1]?.body).toEqual({ id: "i-1", reason: "核查" }));
  });

  test("a suspended one can be activated, one that ended neither", async () => {
    server.use(http.get(api("/bpm/process-instance/manager-page"), page([{ ...instance, suspended: true }])));
    const view = renderPage(<InstancePage />);
    fireEvent.click(await screen.findByRole("button", { name: /更多.*请假/ }));
    await screen.findByText("激活", { selector: ".ant-dropdown-menu-title-content" });
    expect(screen.queryByText("挂起")).toBeNull();
    view.unmount();
    server.use(
      http.get(api("/bpm/process-instance/manager-page"), page([{ ...instance, endTime: 1795250000000 }])),
    );
    renderPage(<InstancePage />);
    await screen.findByText("请假：李明");
    expect(screen.queryByRole("button", { name: /更多.*请假/ })).toBeNull();
  });
});

describe("an instance from inside", () => {
  const open = (tab: "places" | "variables" | "incidents" = "places") =>
    renderPage(<ManageDrawer instance={{ id: "i-1", name: "请假：李明" }} tab={tab} onClose={() => {}} />);

  test("is moved to another element", async () => {
    server.use(http.put(api("/bpm/process-instance/move"), keep(true)));
    open();
    fireEvent.click(await screen.findByRole("button", { name: "移动 计算天数" }));
    const dialog = await titled("移动「计算天数」");
    await choose(dialog, /移动到/, "学院审核（用户任务）");
    fireEvent.change(within(dialog).getByLabelText(/理由/), { target: { value: "改派" } });
    press(dialog, "移动");
    await waitFor(() =>
      expect(sent[0]?.body).toEqual({ id: "i-1", from: ["i-1.2"], to: "check", reason: "改派" }),
    );
  });

  test("a variable is changed against the value that was seen; a refusal stays in the dialog", async () => {
    server.use(
      http.put(api("/bpm/process-instance/update-variable"), () => failure(1070000002, "数据已被他人修改")),
    );
    open("variables");
    expect(screen.queryByRole("button", { name: "修改 PROCESS_START_USER_ID" })).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: "修改 by" }));
    const dialog = await titled("修改变量 by");
    within(dialog).getByText("原值");
    fireEvent.change(within(dialog).getByLabelText(/新值/), { target: { value: "5" } });
    fireEvent.change(within(dialog).getByLabelText(/理由/), { target: { value: "改正" } });
    press(dialog, "保存变量");
    await within(dialog).findByText("数据已被他人修改");
    expect(within(dialog).getByLabelText(/新值/)).toHaveProperty("value", "5");
    server.use(http.put(api("/bpm/process-instance/update-variable"), keep(true)));
    press(dialog, "保存变量");
    await waitFor(() =>
      expect(sent[0]?.body).toEqual({
        id: "i-1",
        scope: "",
        name: "by",
        type: "integer",
        value: "5",
        before: "0",
        reason: "改正",
      }),
    );
  });

  test("without the permission nothing can be done", async () => {
    signInAs({ permissions: ["bpm:process-instance:manager-query"] });
    open("incidents");
    await screen.findByText(incident.message);
    expect(screen.queryByRole("button", { name: /重试|跳过|移动|修改/ })).toBeNull();
  });
});

describe("incidents", () => {
  test("a retry that fails again says so", async () => {
    server.use(
      http.put(api("/bpm/incident/retry"), keep({ pending: false, again: "i-1.12", message: "除数为零" })),
    );
    renderPage(<IncidentPage />);
    fireEvent.click(await screen.findByRole("button", { name: /^重试 请假/ }));
    await reasoned("重试「计算天数」", "重试");
    await screen.findByText("重试后仍然失败：除数为零");
    expect(sent[0]?.body).toEqual({ id: "i-1.9", reason: "核查" });
  });

  test("several are retried at once", async () => {
    server.use(
      http.get(api("/bpm/incident/page"), page([incident, { ...incident, id: "i-2.9" }])),
      http.put(
        api("/bpm/incident/retry-list"),
        keep([
          { id: "i-1.9", pending: false, again: "", message: "", refused: "" },
          { id: "i-2.9", pending: false, again: "", message: "", refused: "异常不存在或已处理" },
        ]),
      ),
    );
    renderPage(<IncidentPage />);
    fireEvent.click(await screen.findByRole("checkbox", { name: /全选|全部/ }));
    fireEvent.click(await screen.findByRole("button", { name: "重试所选" }));
    await reasoned("重试所选的 2 项异常", "重试");
    await screen.findByText("1 项已重试，1 项没有成功：异常不存在或已处理");
    expect(sent[0]?.body).toEqual({ ids: ["i-1.9", "i-2.9"], reason: "核查" });
  });

  test("the way is asked for where choosing it failed", async () => {
    server.use(
      http.get(api("/bpm/incident/get"), () =>
        ok({
          ...incident,
          kind: "flow",
          detail: "",
          attempts: [],
          flows: [{ id: "f3", name: "", targetName: "院长审批" }],
        }),
      ),
      http.put(api("/bpm/incident/skip"), keep(true)),
    );
    renderPage(<IncidentPage />);
    await more("跳过");
    const dialog = await titled("跳过「计算天数」");
    await choose(dialog, /走哪条连线/, "f3 → 院长审批");
    fireEvent.change(within(dialog).getByLabelText(/理由/), { target: { value: "走院长" } });
    press(dialog, "跳过");
    await waitFor(() => expect(sent[0]?.body).toEqual({ id: "i-1.9", flow: "f3", reason: "走院长" }));
  });

  test("the detail lists the failures", async () => {
    renderPage(<IncidentPage />);
    fireEvent.click(await screen.findByRole("button", { name: /^查看/ }));
    await screen.findByText("第一次失败");
    screen.getByText("a / b");
  });
});

test("a task is given to somebody else", async () => {
  server.use(
    http.get(api("/bpm/task/manager-page"), page([task])),
    http.put(api("/bpm/task/assign-by-admin"), keep(true)),
  );
  renderPage(<TaskPage />);
  fireEvent.click(await screen.findByRole("button", { name: "指定审批人 导师审批" }));
  const dialog = await titled("为「导师审批」指定审批人");
  await choose(dialog, /审批人/, "陈远");
  fireEvent.change(within(dialog).getByLabelText(/理由/), { target: { value: "出差" } });
  press(dialog, "指定审批人");
  await waitFor(() => expect(sent[0]?.body).toEqual({ id: "i-1.3", assigneeUserId: 3, reason: "出差" }));
});

describe("a migration", () => {
  test("is tried, mapped, tried again and started", async () => {
    server.use(
      http.get(api("/bpm/migration/page"), page([])),
      http.post(api("/bpm/migration/check"), keep(report)),
      http.post(api("/bpm/migration/create"), keep(5)),
    );
    renderPage(<MigrationPage />);
    fireEvent.click(await screen.findByRole("button", { name: "新建迁移" }));
    const drawer = await titled("新建迁移");
    await choose(drawer, /^流程$/, "请假（leave）");
    await choose(drawer, /原版本/, `v1（${deployed}）`);
    await choose(drawer, /目标版本/, `v2（${deployed}）`);
    const start = () => fireEvent.click(within(drawer).getByRole("button", { name: /开始迁移/ }));
    start();
    expect(screen.queryByText("开始迁移", { selector: ".ant-modal-title" })).toBeNull(); // not tried yet
    fireEvent.click(within(drawer).getByRole("button", { name: /试\s?算/ }));
    await within(drawer).findByText("1 个可以迁移 · 1 个不能迁移");
    within(drawer).getByText("「学院审核」新版本中没有对应的节点");
    await choose(drawer, /学院审核（用户任务） 对应的新节点/, "院长审核（b2）");
    start();
    expect(screen.queryByText("开始迁移", { selector: ".ant-modal-title" })).toBeNull(); // the plan has changed
    fireEvent.click(within(drawer).getByRole("button", { name: /试\s?算/ }));
    await waitFor(() => expect(sent[1]?.body.elementMap).toEqual({ b: "b2" }));
    await waitFor(() => {
      start();
      screen.getByText("开始迁移", { selector: ".ant-modal-title" });
    });
    await reasoned("开始迁移", "开始迁移");
    await waitFor(() =>
      expect(sent[2]).toMatchObject({
        call: "POST /bpm/migration/create",
        body: {
          sourceDefinitionId: "leave:1:x",
          targetDefinitionId: "leave:2:x",
          elementMap: { b: "b2" },
          recompute: false,
          reason: "核查",
        },
      }),
    );
  });

  test("its result can be read again", async () => {
    let asked = "";
    server.use(
      http.get(api("/bpm/migration/page"), page([migration])),
      http.get(api("/bpm/migration/item-page"), ({ request }) => {
        asked = new URL(request.url).search;
        const problems = report.list[0]?.problems ?? [];
        return ok({
          list: [{ processInstanceId: "i-2", name: "请假：周明", migrated: false, problems, time: 1 }],
          total: 1,
        });
      }),
    );
    renderPage(<MigrationPage />);
    await screen.findByText("已迁移 2，未迁移 1，共 3");
    fireEvent.click(screen.getByRole("button", { name: /查看结果/ }));
    await screen.findByText("「学院审核」新版本中没有对应的节点");
    fireEvent.click(screen.getByText("只看未迁移的"));
    await waitFor(() => expect(asked).toContain("failedOnly=true"));
  });
});

describe("statistics", () => {
  test("shows the figures as pictures and as tables", async () => {
    let asked = "";
    server.use(
      http.get(api("/bpm/statistics/period"), ({ request }) => {
        asked = new URL(request.url).search;
        return ok(period);
      }),
      http.get(api("/bpm/statistics/present"), () => ok(present)),
    );
    renderPage(<StatisticsPage />, "/?processDefinitionKey=leave&from=2026-11-20&to=2026-11-22");
    await screen.findByText("1 天 2 小时 / 2 天 2 小时");
    expect(asked).toContain("processDefinitionKey=leave");
    expect(asked).toContain("from=2026-11-20");
    const steps = screen.getByRole("region", { name: "各环节耗时" });
    within(within(steps).getByRole("table", { name: "各环节的办理耗时" })).getByText("2 天 2 小时");
    screen.getByText("流程异常");
    fireEvent.click(within(screen.getByRole("region", { name: "每天发起与结束" })).getByText("表"));
    await screen.findByRole("region", { name: "每天发起和结束的流程实例" });
  });

  test("needs the permission", async () => {
    signInAs({ permissions: ["other:thing:query"] });
    renderPage(<StatisticsPage />);
    await screen.findByText("您没有查看流程统计的权限");
  });
});
