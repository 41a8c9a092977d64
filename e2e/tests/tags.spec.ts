import { heading, openMenu, tab } from "../support/controls";
import { expect, type Page, test } from "../support/test";

test.describe("tags", () => {
  const menuOf = async (page: Page, name: string) => {
    await tab(page, name).click({ button: "right" });
    const menu = page.locator(".tag-menu").filter({ visible: true });
    await expect(menu).toBeVisible();
    return menu;
  };

  test("close by their menu; home is pinned; a hidden page keeps what was typed", async ({ as }) => {
    const page = await as("admin");
    await page.goto("/system/post");
    await page.getByLabel("岗位名称").fill("秘书");
    await openMenu(page, "系统管理", "角色管理");
    await expect(heading(page, "角色")).toBeVisible();
    await openMenu(page, "系统管理", "部门管理");
    await expect(heading(page, "部门")).toBeVisible();
    await tab(page, "岗位管理").click();
    await expect(page.getByLabel("岗位名称")).toHaveValue("秘书");
    await expect(page.getByRole("tab")).toHaveText(["首页", "岗位管理", "角色管理", "部门管理"]);

    const first = await menuOf(page, "首页");
    expect((await first.boundingBox())?.width).toBe(105);
    await expect(first.getByRole("menuitem")).toHaveText(["刷新页面", "关闭其他", "关闭右侧", "全部关闭"]);
    await page.keyboard.press("Escape");
    await (await menuOf(page, "角色管理")).getByRole("menuitem", { name: "关闭右侧" }).click();
    await expect(page.getByRole("tab")).toHaveText(["首页", "岗位管理", "角色管理"]);
    await (await menuOf(page, "角色管理")).getByRole("menuitem", { name: "关闭左侧" }).click();
    await expect(page.getByRole("tab")).toHaveText(["首页", "角色管理"]);
    await expect(page).toHaveURL(/\/system\/role/);
    await expect(heading(page, "角色")).toBeVisible();
    await tab(page, "角色管理").press("Delete");
    await expect(page.getByRole("tab")).toHaveText(["首页"]);
    await expect(page).toHaveURL("/index");
    await tab(page, "首页").press("Delete");
    await expect(page.getByRole("tab")).toHaveText(["首页"]);
  });

  test("refresh builds the page anew and close others keeps the chosen one", async ({ as }) => {
    const page = await as("admin");
    await page.goto("/system/post?pageNo=2");
    await openMenu(page, "系统管理", "角色管理");
    await openMenu(page, "系统管理", "部门管理");
    await page.getByLabel("部门名称").fill("一个不存在的学院");
    await (await menuOf(page, "部门管理")).getByRole("menuitem", { name: "刷新页面" }).click();
    await expect(page.getByLabel("部门名称").filter({ visible: true })).toHaveValue("");
    await (await menuOf(page, "部门管理")).getByRole("menuitem", { name: "关闭其他" }).click();
    await expect(page.getByRole("tab")).toHaveText(["首页", "部门管理"]);
    await (await menuOf(page, "部门管理")).getByRole("menuitem", { name: "全部关闭" }).click();
    await expect(page).toHaveURL("/index");
  });

  test("labels longer than five characters carry a tooltip", async ({ as }) => {
    const page = await as("student01");
    await page.goto("/user/notify-message");
    await tab(page, "我的站内信").hover();
    await page.waitForTimeout(400);
    await expect(page.getByRole("tooltip")).toHaveCount(0);
    await page.evaluate(() => localStorage.setItem("language", "en"));
    await page.reload();
    await tab(page, "My messages").hover();
    await expect(page.getByRole("tooltip")).toHaveText("My messages");
  });
});
