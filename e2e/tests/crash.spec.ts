import { readFileSync } from "node:fs";
import { call, signInByCall } from "../support/api";
import { dialog, toast } from "../support/controls";
import { Server } from "../support/server";
import { expect, type Page, test } from "../support/test";

// The life of a process from another tool, every act of its deciders done in the browser,
// and the server killed after each: what was answered is there, and happened once.

const file = readFileSync(new URL("../fixtures/expense.bpmn", import.meta.url));
const fields = [
  { type: "input", field: "purpose", title: "事由", $required: true },
  { type: "inputNumber", field: "amount", title: "金额", $required: true },
];

let server: Server;
let before: string | undefined;

test.beforeAll(async () => {
  server = await Server.start();
  before = process.env.VIVA_URL;
  process.env.VIVA_URL = server.address;
});

test.afterAll(async () => {
  process.env.VIVA_URL = before;
  await server.stop();
});

const acts = (page: Page) => page.getByRole("toolbar", { name: "可执行的操作" });

interface Deed {
  who: string;
  act: string;
  /** What the dialog asks for besides. */
  fill?: (box: ReturnType<typeof dialog>) => Promise<void>;
  reason?: string;
}

async function perform(page: Page, { act, fill, reason }: Deed): Promise<void> {
  const direct = acts(page).getByRole("button", { name: act, exact: true });
  const more = acts(page).getByRole("button", { name: /更多操作/ });
  await expect(direct.or(more).first()).toBeVisible();
  if (await direct.count()) await direct.click();
  else {
    await more.click();
    await page.getByRole("menuitem", { name: act, exact: true }).click();
  }
  const box = dialog(page, act);
  await fill?.(box);
  if (reason) await box.getByRole("textbox").last().fill(reason);
  await box.getByRole("button", { name: act, exact: true }).click();
  await expect(box).toBeHidden();
  await expect(toast(page, `已完成：${act}`)).toBeVisible();
}

async function pick(box: ReturnType<typeof dialog>, ...names: string[]): Promise<void> {
  for (const name of names) {
    const people = box.getByRole("combobox", { name: "人员" });
    await people.click();
    await people.fill(name);
    await box.page().getByTitle(name, { exact: true }).filter({ visible: true }).last().click();
  }
  await box.locator(".ant-modal-title").click(); // the list of several stays open
}

interface Person {
  id: number;
  nickname: string;
}

interface Told {
  name: string;
  status: number;
  assigneeUser: Person | null;
  children: Told[];
  endTime: number | null;
}

test("a process of another tool lives through every act and a kill after each", async ({ as }) => {
  test.setTimeout(600_000);
  const { accessToken: token } = await signInByCall("admin");
  const names = new Map<string, string>();
  for (const username of ["secretary01", "degree01", "training01", "advisor02", "dean01"]) {
    const page = await call<{ list: Person[] }>(
      "GET",
      `/system/user/page?pageNo=1&pageSize=10&username=${username}`,
      { token },
    );
    names.set(username, page.list[0]?.nickname ?? "");
  }
  const nick = (username: string) => names.get(username) ?? "";

  const doing = async (who: string, address: string, fn: (page: Page) => Promise<void>) => {
    const page = await as(who);
    await page.goto(address);
    await fn(page);
    await page.context().close();
    await server.crash();
    await server.resume();
  };

  await doing("admin", "/bpm/manager/model", async (page) => {
    await page.getByRole("button", { name: "导入文件" }).click();
    const box = dialog(page, "导入流程模型");
    await box
      .locator('input[type="file"]')
      .setInputFiles({ name: "expense.bpmn", mimeType: "text/xml", buffer: file });
    await expect(box.getByLabel("流程标识")).toHaveValue("expense");
    await expect(box.getByLabel("流程名称")).toHaveValue("差旅报销");
    await box.getByRole("button", { name: "导入为新模型" }).click();
    await expect(toast(page, "已导入「差旅报销」")).toBeVisible();
  });
  const { accessToken: again } = await signInByCall("admin");
  const formId = await call<number>("POST", "/bpm/form/create", {
    token: again,
    body: { name: "报销单", conf: "{}", status: 0, fields: fields.map((one) => JSON.stringify(one)) },
  });
  const models = await call<{ list: { id: string }[] }>(
    "GET",
    "/bpm/model/page?pageNo=1&pageSize=10&key=expense",
    {
      token: again,
    },
  );
  const model = await call<object>("GET", `/bpm/model/get?id=${models.list[0]?.id}`, { token: again });
  await call("PUT", "/bpm/model/update", {
    token: again,
    body: { ...model, formType: 10, formId, allowWithdrawTask: true },
  });
  await doing("admin", "/bpm/manager/model", async (page) => {
    await page
      .getByRole("row", { name: /差旅报销/ })
      .getByRole("button", { name: /^发布/ })
      .click();
    const box = dialog(page, "发布：差旅报销");
    await box.getByRole("button", { name: "发布为 v1" }).click();
    await expect(toast(page, "「差旅报销」已发布为 v1")).toBeVisible();
  });

  let address = "";
  const start = (purpose: string) =>
    doing("advisor01", "/bpm/task/create", async (page) => {
      await page
        .getByRole("link", { name: /差旅报销/ })
        .first()
        .click();
      await page.getByRole("textbox", { name: "事由" }).fill(purpose);
      await page.getByRole("spinbutton", { name: "金额" }).fill("2600");
      await page.getByRole("button", { name: "提交差旅报销" }).click();
      await expect(page).toHaveURL(/\/bpm\/process-instance\/detail\?id=/);
      address = new URL(page.url()).pathname + new URL(page.url()).search;
    });
  await start("参加学术会议");

  const [degree, second, training] = [nick("degree01"), nick("advisor02"), nick("training01")];
  const deeds: Deed[] = [
    { who: "secretary01", act: "评论", reason: "请补充会议通知" },
    { who: "secretary01", act: "抄送", fill: (box) => pick(box, nick("dean01")) },
    { who: "secretary01", act: "转办", fill: (box) => pick(box, training), reason: "金额较大" },
    { who: "training01", act: "委派", fill: (box) => pick(box, degree), reason: "请看是否符合标准" },
    { who: "degree01", act: "通过", reason: "符合标准" },
    { who: "training01", act: "加签", fill: (box) => pick(box, degree, second), reason: "请一并核对票据" },
    {
      who: "training01",
      act: "减签",
      fill: async (box) => {
        await box.getByRole("combobox", { name: "加签人" }).click();
        await box
          .page()
          .getByTitle(new RegExp(`^${second}`))
          .filter({ visible: true })
          .last()
          .click();
      },
      reason: "一人核对即可",
    },
    { who: "degree01", act: "通过", reason: "票据齐全" },
    { who: "training01", act: "通过", reason: "同意报销" },
    { who: "degree01", act: "领取任务" },
    {
      who: "degree01",
      act: "退回",
      fill: (box) => box.getByRole("radio", { name: "初审" }).check(),
      reason: "缺少发票原件",
    },
    { who: "secretary01", act: "通过", reason: "发票已补" },
    { who: "secretary01", act: "撤回审批" },
    { who: "secretary01", act: "通过", reason: "核对无误" },
    { who: "training01", act: "领取任务" },
    {
      who: "training01",
      act: "加签",
      fill: async (box) => {
        await box.getByRole("radio", { name: /向后加签/ }).click();
        await pick(box, degree);
      },
      reason: "请复核",
    },
    { who: "training01", act: "通过", reason: "同意" },
    { who: "degree01", act: "通过", reason: "复核无误" },
    { who: "advisor01", act: "催办", reason: "请尽快归档" },
    { who: "advisor02", act: "通过", reason: "已归档" },
  ];
  for (const deed of deeds) {
    await test.step(`${deed.who}: ${deed.act}`, () =>
      doing(deed.who, address, (page) => perform(page, deed)));
  }

  const last = await signInByCall("admin");
  const id = new URLSearchParams(address.split("?")[1]).get("id");
  const tasks = await call<Told[]>("GET", `/bpm/task/list-by-process-instance-id?processInstanceId=${id}`, {
    token: last.accessToken,
  });
  const told = (list: Told[]): string[] =>
    list.flatMap((one) => [
      `${one.name} ${one.assigneeUser?.nickname} ${one.status}`,
      ...told(one.children ?? []),
    ]);
  const [secretary] = [nick("secretary01")];
  expect(told(tasks).sort()).toEqual(
    [
      `初审 ${training} 2`,
      `初审 ${degree} 2`, // signed before
      `初审 ${second} 4`, // removed
      `财务复核 ${degree} 5`,
      `初审 ${secretary} 2`,
      "财务复核 undefined 4", // nobody had taken it when the decision before was withdrawn
      `初审 ${secretary} 2`,
      `财务复核 ${training} 2`,
      `财务复核 ${degree} 2`, // signed after
      `归档 ${second} 2`,
    ].sort(),
  );
  const { processInstance } = await call<{ processInstance: { result: number } }>(
    "GET",
    `/bpm/process-instance/get-approval-detail?processInstanceId=${id}`,
    { token: last.accessToken },
  );
  expect(processInstance.result).toBe(2);

  await start("购置图书");
  await doing("secretary01", address, (page) =>
    perform(page, { who: "", act: "不通过", reason: "图书请走采购流程" }),
  );
  await start("重复提交");
  await doing("advisor01", address, (page) =>
    perform(page, { who: "", act: "取消流程", reason: "填错了金额" }),
  );
  const reader = await as("advisor01");
  await reader.goto("/bpm/task/my");
  const rows = reader.getByRole("row").filter({ hasText: "差旅报销" });
  await expect(rows).toHaveCount(3);
  for (const [n, state] of ["已取消", "审批不通过", "审批通过"].entries()) {
    await expect(rows.nth(n).getByText(state, { exact: true })).toBeVisible();
  }
});
