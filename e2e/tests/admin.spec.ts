import { throwAway } from "../support/accounts";
import { choose, dialog, heading, openMenu, sidebar, signIn } from "../support/controls";
import { expect, type Page, test } from "../support/test";
import { workbook } from "../support/xlsx";

const list = (page: Page, title: string) => page.getByRole("region", { name: `${title}列表` });
const row = (page: Page, title: string, text: string) =>
  list(page, title).getByRole("row").filter({ hasText: text });
const confirm = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog").last().getByRole("button", { name }).click();

async function open(page: Page, ...menu: string[]): Promise<void> {
  await page.goto("/");
  await openMenu(page, ...menu);
}

test("posts: create with refused fields, edit, export, delete, and the log tells each change", async ({
  as,
}) => {
  const page = await as("admin");
  await open(page, "系统管理", "岗位管理");
  await page.getByRole("button", { name: "新建岗位" }).first().click();
  const form = dialog(page, "新建岗位");
  await form.getByRole("button", { name: "新建岗位" }).click();
  await expect(form.getByText("请填写岗位名称")).toBeVisible();
  await form.getByRole("textbox", { name: /岗位名称/ }).fill("研究生秘书");
  await form.getByRole("textbox", { name: /岗位编码/ }).fill("grad_secretary");
  await page.locator(".ant-drawer-mask").click({ position: { x: 5, y: 300 } });
  await expect(form).toBeVisible();
  await form.getByRole("button", { name: "新建岗位" }).click();
  await expect(page.getByText("已新建岗位")).toBeVisible();
  await expect(row(page, "岗位", "grad_secretary")).toContainText("研究生秘书");

  await page.getByRole("button", { name: "新建岗位" }).click();
  await form.getByRole("textbox", { name: /岗位名称/ }).fill("研究生秘书");
  await form.getByRole("textbox", { name: /岗位编码/ }).fill("second");
  await form.getByRole("button", { name: "新建岗位" }).click();
  await expect(form.getByText("岗位名称已存在，请换一个")).toBeVisible();
  await form.getByRole("button", { name: "取消" }).click();
  await confirm(page, "离开");

  await row(page, "岗位", "grad_secretary").getByRole("button", { name: "编辑 研究生秘书" }).click();
  const edit = dialog(page, "编辑岗位");
  await edit.getByRole("textbox", { name: /岗位名称/ }).fill("学院研究生秘书");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(row(page, "岗位", "grad_secretary")).toContainText("学院研究生秘书");

  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出" }).click();
  expect((await exported).suggestedFilename()).toMatch(/岗位.*\.xlsx$/);

  await row(page, "岗位", "grad_secretary").getByRole("button", { name: /^删除/ }).click();
  await confirm(page, "删除");
  await expect(page.getByText("还没有岗位")).toBeVisible();

  await open(page, "系统管理", "审计日志", "操作日志");
  await page.getByRole("button", { name: "查看" }).nth(1).click();
  const changes = page.getByRole("region", { name: "修改内容" });
  await expect(changes.getByRole("row").filter({ hasText: "岗位名称" })).toContainText("研究生秘书");
  await expect(changes.getByRole("row").filter({ hasText: "岗位名称" })).toContainText("学院研究生秘书");
  await expect(changes.getByRole("columnheader")).toHaveText(["字段", "修改前", "修改后"]);
  await page.getByRole("dialog").getByRole("button", { name: "关闭" }).first().click();
  await page.getByRole("button", { name: "校验完整性" }).click();
  await expect(page.getByText(/已校验 [\d,]+ 条记录，没有缺失或改动/)).toBeVisible();
  await confirm(page, "确定");
});

test("an import keeps the good rows and says what is wrong with each other one", async ({ as }) => {
  const page = await as("admin");
  await open(page, "学生与导师", "专业");
  await page.getByRole("button", { name: "导入" }).click();
  const box = dialog(page, "导入专业");
  const template = page.waitForEvent("download");
  await box.getByRole("button", { name: "下载模板" }).click();
  expect((await template).suggestedFilename()).toMatch(/\.xlsx$/);
  await box.getByRole("button", { name: "开始导入" }).click();
  await expect(box.getByRole("alert")).toContainText("请先选择");
  const sheet = workbook([
    ["专业代码", "专业名称", "学院", "学位类型", "启用"],
    ["0899", "数据科学与工程", "信息学院", "学术学位", "启用"],
    ["0898", "无此学院的专业", "不存在的学院", "学术学位", "启用"],
  ]);
  await box.locator("input[type=file]").setInputFiles({
    name: "专业.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer: sheet,
  });
  await box.getByRole("button", { name: "开始导入" }).click();
  await expect(box.getByText("导入完成：新增 1 条，更新 0 条，失败 1 条")).toBeVisible();
  const refused = box.getByRole("row").filter({ hasText: "学院" });
  await expect(refused).toHaveCount(1);
  await expect(refused).toContainText("3");
  await box.getByRole("button", { name: "关闭" }).last().click();
  await page.getByRole("textbox", { name: "专业代码" }).fill("0899");
  await expect(row(page, "专业", "数据科学与工程")).toContainText("信息学院");
});

test("users: create with a role, reset the password, disable; the login log tells", async ({ as, guest }) => {
  const page = await as("admin");
  await open(page, "系统管理", "用户管理");
  await page.getByRole("button", { name: "新建用户" }).click();
  const form = dialog(page, "新建用户");
  await form.getByRole("textbox", { name: "登录账号" }).fill("wanglan");
  await form.getByRole("textbox", { name: "姓名" }).fill("王岚");
  await form.getByRole("button", { name: "生成随机密码" }).click();
  const secret = await form.getByRole("textbox", { name: "初始密码" }).inputValue();
  await choose(form, "角色", "研究生院培养办");
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "新建用户" }).click();
  await expect(page.getByText("已新建用户")).toBeVisible();

  const wang = await guest();
  await wang.goto("/login");
  await signIn(wang, "wanglan", secret);
  await expect(heading(wang, "王岚的工作台")).toBeVisible();
  await expect(sidebar(wang)).toContainText("论文管理");

  await page.getByLabel("登录账号").first().fill("wanglan");
  await expect(list(page, "用户").getByRole("row").filter({ hasText: "wanglan" })).toHaveCount(1);
  await page
    .getByRole("button", { name: "更多 王岚" })
    .or(page.getByRole("button", { name: "重置密码 王岚" }))
    .first()
    .click();
  const reset = page.getByRole("menuitem", { name: "重置密码" });
  if (await reset.isVisible()) await reset.click();
  const again = dialog(page, "重置密码：王岚");
  await again.getByRole("textbox", { name: "新密码" }).fill("Quiet-Lantern-42");
  await again.getByRole("textbox", { name: "再次输入密码" }).fill("Quiet-Lantern-42");
  await again.getByRole("button", { name: "重置密码" }).click();
  await expect(page.getByText("已重置 王岚 的密码")).toBeVisible();
  await wang.getByRole("button", { name: /站内信/ }).click();
  await expect(wang.getByText("登录状态已过期，您可以继续留在该页面，或者重新登录")).toBeVisible();

  await page.getByRole("switch", { name: "王岚 的状态" }).click();
  await confirm(page, "停用");
  await expect(page.getByText("已停用 王岚")).toBeVisible();
  const back = await guest();
  await back.goto("/login");
  await signIn(back, "wanglan", "Quiet-Lantern-42");
  await expect(back.getByRole("alert")).toContainText("账号已停用");

  await open(page, "系统管理", "审计日志", "登录日志");
  const entries = page.getByRole("row").filter({ hasText: "wanglan" });
  await expect(entries.filter({ hasText: "成功" }).first()).toBeVisible();
  await expect(entries.filter({ hasText: /禁用|停用/ }).first()).toBeVisible();
});

test("roles: a new role gets a menu, its holder sees that menu alone", async ({ as }) => {
  const account = await throwAway("角色试用");
  const page = await as("admin");
  await open(page, "系统管理", "角色管理");
  await page.getByRole("button", { name: "新建角色" }).click();
  const form = dialog(page, "新建角色");
  await form.getByRole("textbox", { name: /角色名称/ }).fill("公告员");
  await form.getByRole("textbox", { name: /角色标识/ }).fill("notice_keeper");
  await form.getByRole("button", { name: "新建角色" }).click();
  await page.getByLabel("角色标识").first().fill("notice_keeper");
  await expect(list(page, "角色").getByRole("row").filter({ hasText: "notice_keeper" })).toHaveCount(1);
  await page.getByRole("button", { name: "菜单权限 公告员" }).click();
  const grant = dialog(page, "菜单权限：公告员");
  await grant.getByRole("searchbox", { name: "在菜单权限中查找" }).fill("通知公告");
  await grant.getByRole("checkbox").last().click();
  await expect(grant.getByRole("status")).toContainText(/已选 [1-9]/);
  await grant.getByRole("button", { name: "保存菜单权限" }).click();
  await expect(page.getByText("已更新「公告员」的菜单权限")).toBeVisible();

  await open(page, "系统管理", "用户管理");
  await page.getByLabel("登录账号").first().fill(account.username);
  await expect(list(page, "用户").getByRole("row").filter({ hasText: account.username })).toHaveCount(1);
  await page.getByRole("button", { name: `分配角色 ${account.nickname}` }).click();
  const roles = dialog(page, `分配角色：${account.nickname}`);
  await choose(roles, "角色", "公告员");
  await page.keyboard.press("Escape");
  await roles.getByRole("button", { name: "保存角色" }).click();
  await expect(page.getByText(`已更新 ${account.nickname} 的角色`)).toBeVisible();

  const holder = await as(account.username, { secret: account.password });
  await holder.goto("/");
  const menu = sidebar(holder);
  await openMenu(holder, "系统管理", "消息中心", "通知公告");
  await expect(heading(holder, "通知公告")).toBeVisible();
  await expect(menu).not.toContainText("用户管理");
  await holder.goto("/system/user");
  await expect(holder).toHaveURL("/404");
});

test("dictionaries: a type and its data, with a colour", async ({ as }) => {
  const page = await as("admin");
  await open(page, "系统管理", "字典管理");
  await page.getByRole("button", { name: "新建字典类型" }).click();
  const form = dialog(page, "新建字典类型");
  await form.getByRole("textbox", { name: /字典名称/ }).fill("经费来源");
  await form.getByRole("textbox", { name: /字典类型/ }).fill("thesis_funding");
  await form.getByRole("button", { name: "新建字典类型" }).click();
  await expect(page.getByText("已新建字典类型")).toBeVisible();
  await page.getByLabel("字典名称").first().fill("经费来源");
  await page.getByRole("link", { name: "thesis_funding" }).click();
  await expect(page).toHaveURL(/\/dict\/type\/data\/\d+/);
  await page.getByRole("button", { name: "新建字典数据" }).first().click();
  const data = dialog(page, "新建字典数据");
  await data.getByRole("textbox", { name: /字典标签/ }).fill("自筹");
  await data.getByRole("textbox", { name: /字典键值/ }).fill("1");
  await data.getByRole("button", { name: "新建字典数据" }).click();
  await expect(row(page, "字典数据", "自筹")).toBeVisible();
  await expect(page.getByRole("tab", { name: "经费来源" })).toBeVisible();
});

test("a notice written by staff is read by a student", async ({ as }) => {
  const page = await as("admin");
  await open(page, "系统管理", "消息中心", "通知公告");
  await page.getByRole("button", { name: "新建通知公告" }).click();
  const form = dialog(page, "新建通知公告");
  await form.getByRole("textbox", { name: /公告标题/ }).fill("选题窗口延长三天");
  const text = form.locator("[contenteditable=true]");
  await text.click();
  await page.keyboard.type("请同学们在周五前提交。");
  await form.getByRole("button", { name: "加粗" }).click();
  await page.keyboard.type("逾期不候");
  await form.getByRole("button", { name: "新建通知公告" }).click();
  await expect(row(page, "通知公告", "选题窗口延长三天")).toBeVisible();

  const student = await as("student02");
  await student.goto("/user/system-notice");
  await student.getByRole("button", { name: /选题窗口延长三天/ }).click();
  const notice = dialog(student, "选题窗口延长三天");
  await expect(notice.locator("strong, b")).toHaveText("逾期不候");
  await expect(notice).toContainText("请同学们在周五前提交。");
});

test("configuration parameters: create, edit, find, delete", async ({ as }) => {
  const page = await as("admin");
  await open(page, "基础设施", "配置管理");
  await page.getByRole("button", { name: "新建参数配置" }).click();
  const form = dialog(page, "新建参数配置");
  await form.getByRole("textbox", { name: /参数分类/ }).fill("thesis");
  await form.getByRole("textbox", { name: /参数名称/ }).fill("咨询电话");
  await form.getByRole("textbox", { name: /参数键名/ }).fill("thesis.hotline");
  await form.getByRole("textbox", { name: /参数键值/ }).fill("010-12345678");
  await form.getByRole("button", { name: "新建参数配置" }).click();
  await expect(page.getByText("已新建参数配置")).toBeVisible();
  await page.getByLabel("参数键名").first().fill("thesis.hotline");
  await row(page, "参数配置", "thesis.hotline").getByRole("button", { name: /^编辑/ }).click();
  const edit = dialog(page, "编辑参数配置");
  await edit.getByRole("textbox", { name: /参数键值/ }).fill("010-87654321");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(row(page, "参数配置", "thesis.hotline")).toContainText("010-87654321");
  await row(page, "参数配置", "thesis.hotline").getByRole("button", { name: /^删除/ }).click();
  await confirm(page, "删除");
  await expect(page.getByText("没有符合条件的参数配置")).toBeVisible();
});

test("tenants are listed for the platform's administrator, and only for him", async ({ as }) => {
  const page = await as("admin");
  await open(page, "系统管理", "租户管理", "租户列表");
  await expect(row(page, "租户", "临川理工")).toContainText("标准套餐");
  await expect(row(page, "租户", "青岚大学")).toContainText("全部功能");
  await page.getByRole("button", { name: "新建租户" }).click();
  const form = dialog(page, "新建租户");
  await form.getByRole("button", { name: "新建租户" }).click();
  await expect(form.getByText("请填写管理员账号")).toBeVisible();
  await form.getByRole("button", { name: "取消" }).click();
  const other = await as("secretary01");
  await other.goto("/system/tenant/list");
  await expect(other).toHaveURL("/404");
});
