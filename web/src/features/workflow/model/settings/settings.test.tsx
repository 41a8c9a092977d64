import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import type { Model } from "../entity";
import { SettingsDrawer } from "./SettingsDrawer";
import type { StoredSettings } from "./settings";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const stored = {
  id: "7" as unknown as number,
  name: "请假",
  version: 3,
  formId: 5,
  visible: true,
  startUserIds: [],
  startDeptIds: [],
  managerUserIds: [],
  allowCancelRunningProcess: true,
  allowWithdrawTask: false,
  autoApprovalType: 0,
  processIdRule: null,
  titleSetting: null,
  summarySetting: { enable: true, summary: ["reason"] },
  taskAfterTriggerSetting: {
    url: "https://erp.example/a",
    header: null,
    body: [{ key: "k", type: 1, value: "reason" }],
    response: null,
  },
} as unknown as StoredSettings;

let sent: Record<string, unknown>[];
let refuse: object | null;
const done = vi.fn(() => Promise.resolve());
const closed = vi.fn();

beforeEach(() => {
  sent = [];
  refuse = null;
  done.mockClear();
  closed.mockClear();
  signInAs();
  server.use(
    http.get(api("/bpm/model/get"), () => ok(stored)),
    http.get(api("/bpm/form/get"), () =>
      ok({
        fields: [
          '{"type":"input","field":"reason","title":"事由"}',
          '{"type":"group","field":"trips","title":"行程","props":{"rule":[{"type":"input","field":"city","title":"城市"}]}}',
        ],
      }),
    ),
    http.get(api("/system/user/list-all-simple"), () => ok([])),
    http.get(api("/system/dept/list-all-simple"), () => ok([])),
    http.put(api("/bpm/model/update"), async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return refuse ? failure(400, "请检查", { fields: refuse }) : ok(true);
    }),
  );
});

async function open() {
  renderPage(<SettingsDrawer model={stored as Model} onDone={done} onClose={closed} />);
  await screen.findByRole("region", { name: "流程编号" });
}

const part = (name: string) => within(screen.getByRole("region", { name }));

describe("settings of a model", () => {
  test("a number is shown before it is saved", async () => {
    await open();
    fireEvent.click(part("流程编号").getByRole("switch", { name: /自动编号/ }));
    fireEvent.change(await part("流程编号").findByLabelText(/^前缀/), { target: { value: "QJ" } });
    const year = new Date().getFullYear();
    await waitFor(() => expect(part("流程编号").getByText(new RegExp(`^QJ${year}\\d{4}0001$`))).toBeTruthy());
    fireEvent.click(screen.getByRole("button", { name: "保存设置" }));
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(sent[0]).toMatchObject({
      id: "7",
      version: 3,
      processIdRule: { enable: true, prefix: "QJ", infix: "yyyyMMdd", length: 4 },
      taskAfterTriggerSetting: {
        url: "https://erp.example/a",
        body: [{ key: "k", type: 1, value: "reason" }],
      },
      summarySetting: { enable: true, summary: ["reason"] },
    });
  });

  test("a title is put together of fields, those of rows as well", async () => {
    await open();
    fireEvent.click(part("标题与摘要").getByRole("switch", { name: /自定义标题/ }));
    fireEvent.click(await part("标题与摘要").findByRole("button", { name: "发起人" }));
    fireEvent.click(part("标题与摘要").getByRole("button", { name: "行程·城市" }));
    expect((part("标题与摘要").getByRole("textbox", { name: /标题模板/ }) as HTMLInputElement).value).toBe(
      "{PROCESS_START_USER_ID}{trips.city}",
    );
  });

  test("a refusal stands at its group and nothing is lost", async () => {
    refuse = [{ name: "taskAfterTriggerSetting", msg: "地址不能使用" }];
    await open();
    fireEvent.click(part("外部调用").getByText("任务办理后"));
    fireEvent.change(part("外部调用").getAllByLabelText(/^地址/)[3] as HTMLElement, {
      target: { value: "https://erp.example/b" },
    });
    fireEvent.click(screen.getByRole("button", { name: "保存设置" }));
    expect(await part("外部调用").findByText("地址不能使用")).toBeTruthy();
    expect(closed).not.toHaveBeenCalled();
  });

  test("a malformed address is not sent", async () => {
    await open();
    fireEvent.click(part("外部调用").getByText("任务办理后"));
    fireEvent.change(part("外部调用").getAllByLabelText(/^地址/)[3] as HTMLElement, {
      target: { value: "erp.example" },
    });
    fireEvent.click(screen.getByRole("button", { name: "保存设置" }));
    expect(await part("外部调用").findByText(/请填写以 http/)).toBeTruthy();
    expect(sent).toEqual([]);
  });

  test("axe finds nothing", async () => {
    await open();
    fireEvent.click(part("流程编号").getByRole("switch", { name: /自动编号/ }));
    fireEvent.click(part("外部调用").getByText("任务办理后"));
    const found = await axe.run(document.body, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(found.violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
  });
});
