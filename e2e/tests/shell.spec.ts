import { signInByCall } from "../support/api";
import { dialog, heading, openMenu, sidebar, signIn, tab, toast } from "../support/controls";
import { expect, type Page, phone, test } from "../support/test";

const entry = (page: Page, name: string) => sidebar(page).getByRole("menuitem", { name, exact: true });
const trail = (page: Page) => page.getByRole("navigation", { name: "所在位置" }).getByRole("listitem");

test.describe("sidebar", () => {
  test("keeps one submenu open, folds, and starts open on every load", async ({ as }) => {
    const page = await as("student01");
    await page.goto("/");
    await entry(page, "学习").click();
    await expect(entry(page, "我的课程")).toBeVisible();
    await entry(page, "我的论文").click();
    await expect(entry(page, "选题申报")).toBeVisible();
    await expect(entry(page, "我的课程")).toBeHidden();
    expect((await sidebar(page).boundingBox())?.width).toBe(230);
    await page.getByRole("button", { name: "收起侧边栏" }).click();
    await expect(page.getByRole("button", { name: "展开侧边栏" })).toHaveAttribute("aria-expanded", "false");
    expect((await sidebar(page).boundingBox())?.width).toBeLessThan(100);
    expect(await page.evaluate(() => localStorage.getItem("sidebarStatus"))).toBe("0");
    await page.reload();
    await expect(page.getByRole("button", { name: "收起侧边栏" })).toBeVisible();
  });

  test("becomes a drawer below 992 px and a column above", async ({ as }) => {
    const page = await as("student01");
    await page.setViewportSize({ width: 991, height: 800 });
    await page.goto("/");
    await expect(page.getByRole("button", { name: "展开侧边栏" })).toBeVisible();
    await expect(sidebar(page)).toBeHidden();
    await page.getByRole("button", { name: "展开侧边栏" }).click();
    await openMenu(page, "我的导师", "我的导师");
    await expect(heading(page, "我的导师")).toBeVisible();
    await expect(sidebar(page)).toBeHidden();
    await page.setViewportSize({ width: 992, height: 800 });
    await expect(sidebar(page)).toBeVisible();
  });

  test("holds the whole menu on a phone, also with top navigation on", async ({ as }) => {
    const page = await as("admin", {
      viewport: phone,
      storage: { "layout-setting": JSON.stringify({ topNav: true }) },
    });
    await page.goto("/index");
    await page.getByRole("button", { name: "展开侧边栏" }).click();
    await openMenu(page, "系统管理", "角色管理");
    await expect(heading(page, "角色")).toBeVisible();
    const pager = page.getByRole("navigation", { name: "分页" });
    await expect(pager.getByRole("combobox", { name: "每页条数" })).toBeVisible();
    await expect(pager.getByRole("textbox", { name: "前往页码" })).toHaveValue("1");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });

  test("is filled by the top menu, whose surplus stands in a submenu", async ({ as }) => {
    const page = await as("admin", { storage: { "layout-setting": JSON.stringify({ topNav: true }) } });
    await page.goto("/");
    const top = page.getByRole("navigation", { name: "顶部菜单" });
    await expect(sidebar(page)).toBeHidden();
    await expect(page.getByRole("button", { name: "当前页面没有侧边菜单" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await expect(top.getByRole("menuitem", { name: "更多菜单" })).toBeVisible();
    await top.getByRole("menuitem", { name: "系统管理" }).click();
    await expect(entry(page, "岗位管理")).toBeVisible();
    await expect(entry(page, "基础设施")).toHaveCount(0);
    await entry(page, "岗位管理").click();
    await expect(heading(page, "岗位")).toBeVisible();
    await top.getByRole("menuitem", { name: "首页" }).click();
    await expect(sidebar(page)).toBeHidden();
  });
});

test("the student menu is the specified one, and what is not built says so", async ({ as }) => {
  const page = await as("student01");
  await page.goto("/");
  const menu: Record<string, [string, string, boolean][]> = {
    学习: [
      ["我的课程", "/study/myCourse", false],
      ["我的成绩", "/study/myScore", false],
    ],
    我的导师: [["我的导师", "/studentEnd/myMentor", true]],
    我的论文: [
      ["选题申报", "/myThesis/students-subject", true],
      ["开题报告", "/myThesis/students-open-subject", false],
      ["预答辩申请", "/myThesis/pre-defense-application", false],
      ["盲审结果", "/myThesis/blindReviewStudent", false],
      ["答辩申请", "/myThesis/defense-application", false],
      ["论文归档提交", "/myThesis/archivingStudent", false],
      ["学术成果提交", "/myThesis/achievementsStudent", false],
    ],
    证书: [["证书", "/student/certificate", false]],
    问题反馈: [["问题反馈", "/feedback/feedback/list", true]],
  };
  await expect(sidebar(page).getByRole("menuitem")).toHaveText(["首页", ...Object.keys(menu)]);
  for (const [folder, pages] of Object.entries(menu)) {
    const item = sidebar(page).getByRole("menuitem", { name: folder, exact: true });
    await item.first().click();
    for (const [name, address, built] of pages) {
      await item.and(sidebar(page).getByRole("menuitem", { name })).or(entry(page, name)).last().click();
      await expect(page).toHaveURL(address);
      const notOpen = page.getByRole("heading", { name: "该页面尚未开放" }).filter({ visible: true });
      if (built) await expect(heading(page, name)).toBeVisible();
      else await expect(notOpen).toBeVisible();
    }
  }
  await page.goto("/withdrawal/student/withdrawal");
  await expect(page.getByRole("heading", { name: "该页面尚未开放" })).toBeVisible();
  await page.getByRole("button", { name: "回到首页" }).click();
  await expect(page).toHaveURL("/index");
});

test("breadcrumb and title follow the page, home first", async ({ as }) => {
  const page = await as("admin", { storage: { "layout-setting": JSON.stringify({ dynamicTitle: true }) } });
  await page.goto("/");
  await expect(trail(page)).toHaveText(["首页"]);
  await page.goto("/dict/type/data/1");
  await expect(trail(page).filter({ hasText: /\S\S/ })).toHaveText([
    "首页",
    "系统管理",
    "字典管理",
    "字典数据",
  ]);
  await expect(page).toHaveTitle(/^字典数据 - /);
  await page.getByRole("link", { name: "字典管理" }).click();
  await expect(page).toHaveURL("/system/dict");
});

test("search finds pages by title and path and opens them by keyboard", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/");
  await expect(page.getByRole("button", { name: "搜索菜单" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const box = dialog(page, "搜索菜单").getByRole("combobox", { name: "搜索菜单" });
  await expect(box).toBeFocused();
  await box.fill("系统设置");
  await expect(dialog(page, "搜索菜单").getByRole("option").first()).toContainText("系统设置");
  await box.fill("operate-log");
  await expect(dialog(page, "搜索菜单").getByRole("option").first()).toContainText("操作日志");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/system/log/operate-log");
});

test("size, fullscreen, dark theme and language", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/system/post");
  const height = async () => (await page.getByRole("button", { name: "查询" }).boundingBox())?.height ?? 0;
  const before = await height();
  await page.getByRole("button", { name: "布局大小" }).click();
  await expect(page.getByRole("menuitem")).toContainText(["Default", "Medium", "Small", "Mini"]);
  await page.getByRole("menuitem", { name: "Mini" }).click();
  await expect(toast(page, "Switch Size Success")).toBeVisible();
  expect(await height()).toBeLessThan(before);

  await page.getByRole("button", { name: "全屏", exact: true }).click();
  await expect(page.getByRole("button", { name: "退出全屏" })).toBeVisible();
  await page.getByRole("button", { name: "退出全屏" }).click();
  await expect(page.getByRole("button", { name: "全屏", exact: true })).toBeVisible();

  const shade = () => page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  const light = await shade();
  await page.getByRole("button", { name: "切换到深色" }).click();
  await expect.poll(shade).not.toBe(light);
  await page.getByRole("button", { name: "切换到浅色" }).click();
  await expect.poll(shade).toBe(light);

  await page.getByRole("button", { name: "语言" }).click();
  await page.getByRole("menuitem", { name: "English" }).click();
  await expect(page.getByRole("button", { name: "Search", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.reload();
  await expect(page.getByRole("button", { name: "Search", exact: true })).toBeVisible();
});

test("a browser without fullscreen is told so", async ({ as }) => {
  const page = await as("student01");
  await page.addInitScript(() => Object.defineProperty(document, "fullscreenEnabled", { value: false }));
  await page.goto("/");
  await page.getByRole("button", { name: "全屏", exact: true }).click();
  await expect(toast(page, "你的浏览器不支持全屏")).toBeVisible();
});

test("layout settings are kept under layout-setting and reset with a reload", async ({ as }) => {
  const page = await as("admin");
  await page.goto("/");
  const openSettings = async () => {
    await page.getByRole("button", { name: "系统管理员的账户菜单" }).click();
    await page.getByRole("menuitem", { name: "布局设置" }).click();
  };
  const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("layout-setting") ?? "null"));
  await openSettings();
  const drawer = dialog(page, "布局设置");
  await drawer.getByText("蓝色", { exact: true }).click();
  await drawer.getByRole("radio", { name: "主题颜色 #f5222d" }).click();
  await drawer.getByRole("switch", { name: "显示标志" }).click();
  await drawer.getByRole("switch", { name: "开启页签" }).click();
  expect(await stored()).toBeNull();
  await expect(page.getByRole("tab")).toHaveCount(0);
  await drawer.getByRole("button", { name: "保存配置" }).click();
  expect(await stored()).toEqual({
    theme: "#f5222d",
    sideTheme: "theme-blue",
    showSettings: false,
    topNav: false,
    tagsView: false,
    fixedHeader: false,
    sidebarLogo: false,
    dynamicTitle: false,
    errorLog: "production",
  });
  await page.reload();
  await expect(sidebar(page)).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(0);
  await openSettings();
  const reloaded = page.waitForEvent("load");
  await drawer.getByRole("button", { name: "重置配置" }).click();
  await dialog(page, "系统提示").getByRole("button", { name: "确定" }).click();
  await reloaded;
  expect(await stored()).toBeNull();
  await expect(page.getByRole("tab", { name: "首页" })).toBeVisible();
});

test("the bell shows unread messages, and opening it makes the count 0", async ({ as }) => {
  const page = await as("student04");
  await page.goto("/");
  await page.getByRole("button", { name: /站内信，\d+ 条未读/ }).click();
  const box = dialog(page, "站内信");
  await expect(box.getByRole("listitem").first()).toContainText("研究生院");
  await expect(box.getByRole("listitem").first()).toContainText("系统消息");
  expect((await box.boundingBox())?.width).toBe(600);
  expect((await page.locator(".ant-popover").filter({ has: box }).boundingBox())?.width).toBe(600);
  await expect(page.getByRole("button", { name: "站内信", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await page.getByRole("button", { name: "站内信", exact: true }).click();
  await box.getByRole("button", { name: "查看全部" }).click();
  await expect(page).toHaveURL("/user/notify-message");
  await expect(heading(page, "我的站内信")).toBeVisible();
});

test("a tab follows when another one signs out or signs in as somebody else", async ({ as }) => {
  const page = await as("student05");
  await page.goto("/index");
  await expect(page.getByRole("button", { name: "任晨舟的账户菜单" })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("/index");
  const pair = await signInByCall("student04");
  await other.evaluate(({ accessToken, refreshToken }) => {
    localStorage.setItem("ACCESS_TOKEN", accessToken);
    localStorage.setItem("REFRESH_TOKEN", refreshToken);
  }, pair);
  await expect(page.getByRole("button", { name: "任晨舟的账户菜单" })).toBeHidden();
  await expect(page.getByRole("button", { name: /的账户菜单/ })).toBeVisible();
  await other.reload();
  await other.getByRole("button", { name: /的账户菜单/ }).click();
  await other.getByRole("menuitem", { name: "退出登录" }).click();
  await other.getByRole("button", { name: "确定" }).click();
  await expect(other).toHaveURL("/studentLogin");
  await expect(page).toHaveURL("/studentLogin");
});

test.describe("addresses", () => {
  test("logout asks and leads students and staff to their own sign-in", async ({ as }) => {
    for (const [username, name, address] of [
      ["student05", "任晨舟", "/studentLogin"],
      ["training01", "培养办老师", "/login"],
    ] as const) {
      const page = await as(username);
      await page.goto("/");
      await page.getByRole("button", { name: `${name}的账户菜单` }).click();
      await page.getByRole("menuitem", { name: "退出登录" }).click();
      const ask = page.getByRole("dialog").filter({ hasText: "确定注销并退出系统吗？" });
      await ask.getByRole("button", { name: "取消" }).click();
      await expect(ask).toBeHidden();
      await page.getByRole("button", { name: `${name}的账户菜单` }).click();
      await page.getByRole("menuitem", { name: "退出登录" }).click();
      await ask.getByRole("button", { name: "确定" }).click();
      await expect(page).toHaveURL(address);
      expect(await page.evaluate(() => localStorage.getItem("ACCESS_TOKEN"))).toBeNull();
    }
  });

  test("lead where the specification says", async ({ as, guest }) => {
    const page = await as("student01");
    await page.goto("/");
    await expect(page).toHaveURL("/index");
    await page.goto("/redirect/studentEnd/myMentor?from=test");
    await expect(page).toHaveURL("/studentEnd/myMentor?from=test");
    await page.goto("/no/such/page");
    await expect(page).toHaveURL("/404");
    await expect(heading(page, "页面不存在")).toBeVisible();
    await page.goto("/dict/type/data/abc");
    await expect(page).toHaveURL("/404");
    await page.goto("/login");
    await expect(page).toHaveURL("/index");
    await page.goto("/systemStudentLogin");
    await expect(heading(page, "学生登录")).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("ACCESS_TOKEN"))).toBeNull();

    const stranger = await guest();
    await stranger.goto("/studentEnd/myMentor");
    await expect(stranger).toHaveURL(/\/studentLogin\?redirect=/);
    await signIn(stranger, "student01");
    await expect(stranger).toHaveURL("/studentEnd/myMentor");
  });

  test("without a provider say so and lead back", async ({ guest }) => {
    const page = await guest();
    for (const address of [
      "/social-login",
      "/auth-redirect",
      "/bind",
      "/register",
      "/oauthLogin/gitee",
      "/sso",
    ]) {
      await page.goto(address);
      await expect(page.getByRole("link", { name: "前往学生登录" })).toBeVisible();
    }
    await page.getByRole("link", { name: "前往教师与管理人员登录" }).click();
    await expect(heading(page, "教师与管理人员登录")).toBeVisible();
    await page.goto("/401");
    await expect(heading(page, "没有访问权限")).toBeVisible();
  });

  test("go back and forth with the browser", async ({ as }) => {
    const page = await as("student01");
    await page.goto("/");
    await openMenu(page, "我的导师", "我的导师");
    await expect(heading(page, "我的导师")).toBeVisible();
    await openMenu(page, "我的论文", "选题申报");
    await expect(heading(page, "选题申报")).toBeVisible();
    await page.goBack();
    await expect(heading(page, "我的导师")).toBeVisible();
    await expect(tab(page, "我的导师")).toHaveAttribute("aria-selected", "true");
    await page.goBack();
    await expect(page).toHaveURL("/index");
    await page.goForward();
    await expect(heading(page, "我的导师")).toBeVisible();
  });
});

test("on a phone the navbar holds what matters and the rest is in the account menu", async ({ as }) => {
  const page = await as("student01", { viewport: phone });
  await page.goto("/");
  await page.getByRole("button", { name: "葛南泽的账户菜单" }).click();
  await page.getByRole("menuitem", { name: "切换到深色" }).click();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});
