import { throwAway } from "../support/accounts";
import { call, signInByCall } from "../support/api";
import { axe, faults } from "../support/axe";
import { choose, dialog, openMenu, toast } from "../support/controls";
import { deployProcess, importProcess, letDecide, processFile } from "../support/processes";
import { expect, type Page, phone, test } from "../support/test";

async function setTime(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByLabel(label);
  await box.click();
  await box.fill(text);
  await box.press("Enter");
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const path = (page: Page) => page.getByRole("region", { name: "审批路径" });

test("a teacher applies for leave, the head decides, everybody finds it in the list", async ({ as }) => {
  const reason = `家访 ${Date.now().toString(36)}`;
  const name = `请假申请：2 天，${reason}`;
  const teacher = await as("advisor01");
  await teacher.addInitScript(axe);
  await teacher.goto("/");
  await openMenu(teacher, "工作流程", "审批中心", "发起流程");
  await teacher.getByRole("searchbox", { name: "搜索流程名称或说明" }).fill("请假");
  expect(await faults(teacher)).toEqual([]);
  await teacher
    .getByRole("link", { name: /请假申请/ })
    .first()
    .click();
  await choose(teacher, "请假类型", "事假");
  await setTime(teacher, "开始时间", "2026-12-01 08:00");
  await setTime(teacher, "结束时间", "2026-12-06 09:00");
  await expect(teacher.getByText("共 5 天")).toBeVisible();
  await expect(path(teacher)).toContainText("人事审批");
  await setTime(teacher, "结束时间", "2026-12-03 09:00");
  await expect(path(teacher)).not.toContainText("人事审批");
  await expect(path(teacher)).toContainText("信息学院院长");
  await teacher.getByLabel("请假事由").fill(reason);
  expect(await faults(teacher)).toEqual([]);
  await teacher.getByRole("button", { name: "提交请假申请" }).dblclick();
  await expect(teacher).toHaveURL(/\/bpm\/process-instance\/detail\?id=/);
  await expect(teacher.getByRole("heading", { level: 1, name })).toBeVisible();

  const head = await as("dean01");
  await head.addInitScript(axe);
  await head.goto("/");
  await expect(head.getByRole("link", { name: new RegExp(reason) })).toBeVisible();
  await openMenu(head, "工作流程", "审批中心", "待办任务");
  await row(head, reason).click();
  const look = head.getByRole("dialog", { name: new RegExp(reason) });
  await expect(look).toContainText("部门负责人审批");
  expect(await faults(head)).toEqual([]);
  await look.getByRole("button", { name: /^办理/ }).click();
  const task = new URL(head.url()).searchParams.get("taskId") ?? "";
  const { accessToken: token } = await signInByCall("dean01");
  const secretary = await signInByCall("secretary01");
  const body = { id: task, copyUserIds: [secretary.userId], reason: "请安排代课" };
  await call("PUT", "/bpm/task/copy", { token, body });
  const acts = head.getByRole("toolbar", { name: "可执行的操作" });
  await acts.getByRole("button", { name: "通过", exact: true }).click();
  const approve = dialog(head, "通过");
  await approve.getByLabel("审批意见").fill("同意，路上注意安全");
  await approve.getByRole("button", { name: "通过", exact: true }).click();
  await expect(approve).toBeHidden();
  await openMenu(head, "工作流程", "审批中心", "待办任务");
  await expect(head.getByRole("heading", { level: 1, name: "待办任务" })).toBeVisible();
  await expect(row(head, reason)).toHaveCount(0);
  await openMenu(head, "工作流程", "审批中心", "已办任务");
  await expect(row(head, reason)).toContainText("审批通过");
  await expect(row(head, reason)).toContainText("同意，路上注意安全");

  // One application in spite of two presses, in both lists.
  await openMenu(teacher, "工作流程", "审批中心", "我的流程");
  await expect(row(teacher, reason)).toHaveCount(1);
  await expect(row(teacher, reason)).toContainText("审批通过");
  expect(await faults(teacher)).toEqual([]);
  await openMenu(teacher, "工作流程", "OA 办公", "我的请假");
  await expect(teacher.getByRole("heading", { level: 1, name: "请假申请", exact: true })).toBeVisible();
  await expect(row(teacher, reason)).toContainText("审批通过");
  await row(teacher, reason).getByRole("button", { name: /^查看/ }).click();
  await expect(teacher.getByText("共 2 天")).toBeVisible();

  const reader = await as("secretary01");
  await reader.goto("/");
  await openMenu(reader, "工作流程", "审批中心", "抄送我的");
  await expect(row(reader, reason)).toContainText("请安排代课");
  await row(reader, reason).click();
  await expect(reader.getByRole("heading", { level: 1, name })).toBeVisible();
});

test("a form is filled in on a phone, its decider chosen; urged, cancelled and started again", async ({
  as,
}) => {
  const { accessToken: token } = await signInByCall("admin");
  const [starter, decider] = [await throwAway("经办人甲"), await throwAway("审核人乙")];
  await letDecide([starter, decider]);
  const key = `borrow_${Date.now().toString(36)}`;
  const title = `设备借用 ${key}`;
  const xml = processFile(key, title, [
    { id: "start", type: "startEvent", name: "提交" },
    { id: "check", type: "userTask", name: "主管审核", picked: true },
    { id: "end", type: "endEvent", name: "办结" },
  ]);
  const model = await importProcess(token, key, title, xml);
  await deployProcess(token, model, [
    { type: "input", field: "thing", title: "设备", $required: true },
    { type: "inputNumber", field: "amount", title: "数量" },
  ]);

  const page = await as(starter.username, { secret: starter.password, viewport: phone });
  await page.addInitScript(axe);
  await page.goto("/bpm/task/create");
  await page.getByRole("link", { name: title }).click();
  await page.getByRole("textbox", { name: "设备" }).fill("示波器");
  await page.getByRole("spinbutton", { name: "数量" }).fill("2");
  // Typed, not sent, left: it is offered again.
  await expect
    .poll(() => page.evaluate(() => Object.keys(sessionStorage).some((name) => name.includes("bpm-start"))))
    .toBe(true);
  await page.reload();
  await page.getByRole("button", { name: "恢复" }).click();
  await expect(page.getByRole("textbox", { name: "设备" })).toHaveValue("示波器");
  const send = page.getByRole("button", { name: `提交${title}` });
  await send.click();
  await expect(page.getByRole("alert").filter({ hasText: "请选择「主管审核」的审批人" })).toBeVisible();
  await page.getByRole("combobox", { name: "请选择「主管审核」的审批人" }).fill(decider.nickname);
  await page.getByTitle(decider.nickname, { exact: true }).filter({ visible: true }).first().click();
  await page.keyboard.press("Escape");
  expect(await faults(page)).toEqual([]);
  await send.click();
  await expect(page).toHaveURL(/\/bpm\/process-instance\/detail\?id=/);

  await page.goto("/bpm/task/my");
  const card = page.getByRole("listitem").filter({ hasText: title });
  await expect(card).toContainText("审核人乙");
  expect(await faults(page)).toEqual([]);
  await card.getByRole("button", { name: /^催办/ }).click();
  await dialog(page, /^催办/).getByLabel("想说的话").fill("下周要用");
  await dialog(page, /^催办/).getByRole("button", { name: "催办" }).click();
  await expect(toast(page, "已提醒正在办理的人")).toBeVisible();
  await card.getByRole("button", { name: /更多/ }).click();
  await page.getByRole("menuitem", { name: "取消流程" }).click();
  await dialog(page, /^取消流程/)
    .getByLabel("取消原因")
    .fill("设备已坏");
  await dialog(page, /^取消流程/)
    .getByRole("button", { name: "取消流程" })
    .click();
  await expect(card).toContainText("已取消");
  await card.getByRole("button", { name: /^再次发起/ }).click();
  await expect(page.getByRole("textbox", { name: "设备" })).toHaveValue("示波器");
  await expect(page.getByRole("spinbutton", { name: "数量" })).toHaveValue("2");
});
