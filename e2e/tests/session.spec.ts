import { setStatus, throwAway } from "../support/accounts";
import { dialog, heading, openMenu, sidebar, signIn } from "../support/controls";
import { expect, type Page, test } from "../support/test";

const item = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const expired = "登录状态已过期，您可以继续留在该页面，或者重新登录";

/** Replaces the stored tokens; an expired access token and an unknown one get the same answer. */
function spoil(page: Page, ...keys: ("ACCESS_TOKEN" | "REFRESH_TOKEN")[]): Promise<void> {
  return page.evaluate((names) => {
    for (const name of names) localStorage.setItem(name, "0123456789abcdef0123456789abcdef");
  }, keys);
}

test("an expired access token is refreshed once, and everything asked for meanwhile is answered", async ({
  as,
}) => {
  const page = await as("advisor01");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: /待我审批（\d+）/ })).toBeVisible();
  await spoil(page, "ACCESS_TOKEN");
  const refreshes: string[] = [];
  let refused = 0;
  page.on("response", async (response) => {
    if (response.url().includes("/system/auth/refresh-token")) refreshes.push(response.url());
    else if ((await response.text().catch(() => "")).startsWith('{"code":401')) refused += 1;
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: /待我审批（\d+）/ })).toBeVisible();
  await spoil(page, "ACCESS_TOKEN");
  await openMenu(page, "论文管理", "选题审核");
  await expect(page.getByRole("region", { name: "选题审核列表" })).toBeVisible();
  await page.getByRole("button", { name: /站内信/ }).click();
  await expect(page.getByRole("dialog", { name: "站内信" }).getByRole("listitem").first()).toBeVisible();
  expect(refreshes).toHaveLength(2);
  expect(refused).toBeGreaterThanOrEqual(2);
  expect(await item(page, "ACCESS_TOKEN")).toMatch(/^[0-9a-zA-Z_-]{32,}$/);
  await expect(page.getByText(expired)).toHaveCount(0);
});

test("a session that cannot be refreshed asks whether to sign in again", async ({ as }) => {
  const page = await as("advisor02");
  await page.goto("/");
  await expect(heading(page, /工作台/)).toBeVisible();
  await spoil(page, "ACCESS_TOKEN", "REFRESH_TOKEN");
  await openMenu(page, "论文管理", "课题库");
  const ask = page.getByRole("dialog").filter({ hasText: expired });
  await expect(ask).toContainText("系统提示");
  await expect(page.getByRole("dialog").filter({ hasText: expired })).toHaveCount(1);
  await page.mouse.click(5, 5);
  await expect(ask).toBeVisible();
  await ask.getByRole("button", { name: "取消" }).click();
  await expect(ask).toBeHidden();
  await expect(page.getByText("无效的会话，或者会话已过期，请重新登录。").first()).toBeVisible();
  await page.getByRole("button", { name: "重试" }).first().click();
  await ask.getByRole("button", { name: "重新登录" }).click();
  await expect(page).toHaveURL(/\/studentLogin/);
  expect(await item(page, "ACCESS_TOKEN")).toBeNull();
});

test("remember me fills in the next sign-in and keeps no password in clear", async ({ guest }) => {
  const page = await guest();
  await page.goto("/login");
  await page.getByLabel("记住我").check();
  await signIn(page, "  training01 ");
  await expect(heading(page, "培养办老师的工作台")).toBeVisible();
  expect(await item(page, "REMEMBER_ME")).toBe("true");
  expect(await item(page, "USERNAME")).toBe("training01");
  expect(await item(page, "TENANT_NAME")).toBe("青岚大学");
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain("Viva@2026");
  await page.getByRole("button", { name: "培养办老师的账户菜单" }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByLabel("用户名")).toHaveValue("training01");
  await expect(page.getByLabel("密码", { exact: true })).toHaveValue("Viva@2026");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(heading(page, "培养办老师的工作台")).toBeVisible();
});

test("five wrong passwords lock the account, the right one included", async ({ guest }) => {
  const account = await throwAway("锁定试用");
  const page = await guest();
  await page.goto("/login");
  for (let attempt = 1; attempt <= 5; attempt++) {
    const answered = page.waitForResponse(/\/system\/auth\/login/);
    await signIn(page, account.username, `Wrong-Password-${attempt}`);
    await answered;
  }
  await signIn(page, account.username, account.password);
  await expect(page.getByRole("alert")).toContainText(/账号已锁定至 \d{4}-\d\d-\d\d \d\d:\d\d/);
  expect(await item(page, "ACCESS_TOKEN")).toBeNull();
});

test("a disabled user is out at the next call and cannot come back", async ({ as, guest }) => {
  const account = await throwAway("停用试用");
  const page = await as(account.username, { secret: account.password });
  await page.goto("/");
  await expect(heading(page, "停用试用的工作台")).toBeVisible();
  await setStatus(account, 1);
  await page.getByRole("button", { name: /站内信/ }).click();
  const ask = page.getByRole("dialog").filter({ hasText: expired });
  await ask.getByRole("button", { name: "重新登录" }).click();
  await expect(page).toHaveURL(/\/studentLogin/);
  const again = await guest();
  await again.goto("/login");
  await signIn(again, account.username, account.password);
  await expect(again.getByRole("alert")).toContainText("账号已停用");
});

test("another school is another world, and an unknown one is said to be unknown", async ({ guest }) => {
  const page = await guest();
  await page.goto("/login");
  await signIn(page, "admin", undefined, "不存在大学");
  await expect(page.getByText("没有名为“不存在大学”的学校，请核对名称后重试").first()).toBeVisible();
  await signIn(page, "admin", undefined, "临川理工");
  await expect(sidebar(page)).toBeVisible();
  await openMenu(page, "学生与导师", "专业");
  await expect(heading(page, "专业")).toBeVisible();
  await expect(page.getByText("计算机科学与技术")).toHaveCount(0);
  await expect(dialog(page, "系统提示")).toHaveCount(0);
});
