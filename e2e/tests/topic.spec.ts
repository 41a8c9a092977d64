import { choose, dialog, heading, openMenu, signIn } from "../support/controls";
import { pdf } from "../support/files";
import { expect, type Page, phone, test } from "../support/test";

const title = "面向高校场景的学位论文过程管理方法研究";
const reason = "学位论文的办理环节多、参与人多，材料在邮件和表格之间流转，容易遗漏也难以追溯。".repeat(3);
const opinion = "选题有意义，工作量适当，同意。";
const collegeOpinion = "符合学院要求，同意开题。";

/** The card of a page that has this accessible name. */
const part = (page: Page, name: string) => page.getByRole("region", { name });

test("a student declares a topic, the advisor and the secretary approve, the student sees it", async ({
  guest,
}) => {
  const student = await guest();
  await test.step("the student signs in and finds the next act", async () => {
    await student.goto("/studentLogin");
    await signIn(student, "student01");
    await student.getByRole("region", { name: "下一步" }).getByRole("button", { name: "去办理" }).click();
    await expect(heading(student, "选题申报")).toBeVisible();
  });
  await test.step("proposes a topic with a PDF and keeps a draft", async () => {
    await student.getByText("自拟题目", { exact: true }).click();
    await student.getByLabel("论文题目").fill(title);
    await choose(student, "论文类型", "应用研究");
    await choose(student, "选题来源", "导师自选");
    await student.getByLabel("选题理由").fill(reason);
    await student
      .locator("input[type=file]")
      .setInputFiles({ name: "选题论证.pdf", mimeType: "application/pdf", buffer: pdf("A proposal") });
    await expect(student.getByRole("button", { name: "移除：选题论证.pdf" })).toBeVisible();
    await student.getByRole("button", { name: "保存草稿" }).click();
    await expect(student.getByText("草稿已保存")).toBeVisible();
  });
  await test.step("finds the draft again in a new window", async () => {
    await student.reload();
    await expect(student.getByLabel("论文题目")).toHaveValue(title);
    await expect(student.getByText("选题论证.pdf").first()).toBeVisible();
  });
  await test.step("submits and gets a receipt", async () => {
    await student.getByRole("button", { name: "提交选题" }).click();
    const ask = dialog(student, "确认提交选题");
    await expect(ask).toContainText(title);
    await expect(ask).toContainText("任嘉涵");
    await ask.getByRole("button", { name: "提交选题" }).click();
    const receipt = part(student, "提交回执");
    await expect(receipt).toContainText("第 1 次提交");
    await expect(receipt).toContainText("选题论证.pdf");
    await expect(receipt).toContainText(/[0-9a-f]{64}/);
    await expect(student.getByText("待导师审核").first()).toBeVisible();
    await expect(part(student, "现在要做什么")).toContainText("导师 任嘉涵");
  });
  await test.step("the advisor finds it and approves", () => approve(guest, "advisor01", { opinion }));
  await test.step("the secretary approves", () =>
    approve(guest, "secretary01", { opinion: collegeOpinion, byKeyboard: true }));
  await test.step("the student sees the result, who decided and why", async () => {
    await student.reload();
    await expect(student.getByText("已通过").first()).toBeVisible();
    await expect(part(student, "现在要做什么")).toContainText("选题已通过");
    const history = student.getByRole("listitem");
    await expect(history.filter({ hasText: "任嘉涵" }).filter({ hasText: opinion })).toBeVisible();
    await expect(
      history.filter({ hasText: "信息学院秘书" }).filter({ hasText: collegeOpinion }),
    ).toBeVisible();
    await expect(history.filter({ hasText: "葛南泽" }).first()).toBeVisible();
  });
  await test.step("the student has a message about each decision", async () => {
    await student.getByRole("button", { name: /站内信/ }).click();
    const box = dialog(student, "站内信");
    await expect(box).toContainText("任嘉涵");
    await expect(box).toContainText(title);
    await box.getByRole("button", { name: "查看全部" }).click();
    await expect(heading(student, "我的站内信")).toBeVisible();
    await expect(student.getByText(title).filter({ visible: true }).first()).toBeVisible();
  });
});

interface Decision {
  opinion: string;
  byKeyboard?: boolean;
}

async function approve(guest: () => Promise<Page>, username: string, given: Decision): Promise<void> {
  const page = await guest();
  await page.goto("/login");
  await signIn(page, username);
  await expect(page.getByRole("button", { name: /站内信，\d+ 条未读/ })).toBeVisible();
  await openMenu(page, "导师工作", "待我审批");
  await page.getByRole("textbox", { name: "学生、学号或题目" }).fill(title);
  await page.getByRole("button", { name: title }).click();
  const open = page.getByRole("article", { name: title });
  await expect(open).toContainText("葛南泽");
  await expect(open).toContainText("选题论证.pdf");
  await open.getByRole("textbox", { name: "审批意见" }).fill(given.opinion);
  const ask = dialog(page, "确认同意");
  if (given.byKeyboard) {
    await page.keyboard.press("Escape");
    await open.getByRole("heading", { name: title }).click();
    await page.keyboard.press("a");
    await expect(ask.getByRole("button", { name: "同意" })).toBeFocused();
    await expect(ask).toContainText(given.opinion);
    await page.keyboard.press("Enter");
  } else {
    await open.getByRole("button", { name: "同意", exact: true }).click();
    await expect(ask).toContainText(given.opinion);
    await ask.getByRole("button", { name: "同意" }).click();
  }
  await expect(page.getByText("已同意 葛南泽 的申请")).toBeVisible();
  await expect(page.getByText("没有符合条件的申请")).toBeVisible();
  await page.context().close();
}

test("on a phone a student chooses an offered topic and is returned with an opinion", async ({ as }) => {
  const advice = "题目过大，请缩小研究范围后重新提交。";
  const student = await as("student37", { viewport: phone });
  let chosen = "";
  await test.step("the student chooses one of the advisor's topics and submits it", async () => {
    await student.goto("/");
    await student.getByRole("region", { name: "下一步" }).getByRole("button", { name: "去办理" }).click();
    const offered = student.getByRole("list", { name: "可选课题" }).getByRole("listitem");
    const own = offered.filter({ hasText: "我的导师" }).first();
    chosen = (await own.getByRole("button").getAttribute("aria-label"))?.replace("选择课题 ", "") ?? "";
    await own.getByRole("button", { name: /选择课题/ }).click();
    await student.getByLabel("选题理由").fill(reason);
    await student.getByRole("button", { name: "提交选题" }).click();
    const ask = dialog(student, "确认提交选题");
    await expect(ask).toContainText(chosen);
    await expect(ask).toContainText("窦子 发布");
    await ask.getByRole("button", { name: "提交选题" }).click();
    await expect(part(student, "提交回执")).toContainText("第 1 次提交");
  });
  await test.step("the advisor returns it on a phone too", async () => {
    const page = await as("advisor02", { viewport: phone });
    await page.goto("/teacher/todo");
    await page.getByRole("textbox", { name: "学生、学号或题目" }).fill("姜云妍");
    await page.getByRole("button", { name: chosen }).click();
    await page.getByRole("button", { name: "退回修改" }).click();
    await expect(page.getByRole("alert")).toContainText("退回需要说明原因");
    await page.getByRole("textbox", { name: "审批意见" }).fill(advice);
    await page.getByRole("button", { name: "退回修改" }).click();
    await dialog(page, "确认退回修改").getByRole("button", { name: "退回修改" }).click();
    await expect(page.getByText("已退回 姜云妍 的申请")).toBeVisible();
  });
  await test.step("the student reads why and may change it", async () => {
    await student.reload();
    const now = part(student, "现在要做什么");
    await expect(now).toContainText("选题被退回");
    await expect(now).toContainText(advice);
    await expect(now).toContainText("窦子");
    await expect(student.getByRole("button", { name: "提交选题" })).toBeEnabled();
    await student.getByRole("button", { name: /站内信/ }).click();
    await expect(dialog(student, "站内信")).toContainText(chosen);
    const wide = await student.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});
