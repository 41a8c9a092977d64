import { axe, faults } from "../support/axe";
import { choose, dialog, openMenu } from "../support/controls";
import { expect, type Page, phone, test } from "../support/test";

const canvas = (page: Page) => page.getByRole("region", { name: "表单内容" });
const properties = (page: Page) => page.getByRole("complementary", { name: "属性" });
const item = (page: Page, name: string) =>
  canvas(page).getByRole("button", { name: new RegExp(`^选中：${name}`) });
const add = (page: Page, kind: string) => page.getByRole("button", { name: `添加${kind}`, exact: true });

/** Makes a form in the list and gives the page that designs it. */
async function newForm(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await openMenu(page, "工作流程", "流程管理", "流程表单");
  await page.getByRole("button", { name: "新建流程表单" }).first().click();
  const box = dialog(page, "新建流程表单");
  await box.getByLabel("表单名称").fill(name);
  await box.getByRole("button", { name: "新建流程表单" }).click();
  await expect(page.getByRole("heading", { name: `设计表单：${name}` })).toBeVisible();
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
}

async function middle(place: ReturnType<typeof item>): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error("not on the page");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("a form is drawn, saved, opened again and tried out", async ({ as }) => {
  const page = await as("admin");
  await page.addInitScript(axe);
  await newForm(page, "出差申请");
  await expect(page.getByText("表单还是空的")).toBeVisible();

  await drag(page, await middle(add(page, "单行文本")), await middle(canvas(page)));
  const props = properties(page);
  await props.getByLabel("标题").fill("出差事由");
  await props.getByRole("switch", { name: "必填" }).click();
  await add(page, "数字").click();
  await props.getByLabel("标题").fill("天数");
  await props.getByLabel("最小值").fill("1");
  await add(page, "下拉选择").click();
  await props.getByLabel("标题").fill("类型");
  await props.getByText("数据字典").click();
  await props.getByRole("combobox", { name: "字典类型" }).fill("bpm_oa_leave");
  await page
    .getByTitle(/（bpm_oa_leave_type）$/)
    .filter({ visible: true })
    .last()
    .click();
  await add(page, "明细表").click();
  await props.getByLabel("标题").fill("行程");
  await add(page, "单行文本").click();
  await props.getByLabel("标题").fill("城市");
  await item(page, "行程").click({ position: { x: 20, y: 16 } });
  await add(page, "金额").click();
  await props.getByLabel("标题").fill("费用");

  // The number goes above the text by mouse, and back below it by keys.
  await drag(page, await middle(item(page, "天数")), await middle(item(page, "出差事由")));
  const names = () => canvas(page).getByRole("button", { name: /^选中：/ });
  await expect(names().first()).toHaveAccessibleName(/天数/);
  await item(page, "天数").press("Alt+ArrowDown");
  await expect(item(page, "天数")).toBeFocused();
  await expect(names().first()).toHaveAccessibleName(/出差事由/);
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "保存表单" }).click();
  await expect(page.getByText("已保存表单「出差申请」")).toBeVisible();

  await page.reload();
  await expect(names()).toHaveCount(6);
  await item(page, "类型").click();
  await expect(props.getByText(/（bpm_oa_leave_type）$/)).toBeVisible();

  await page.getByRole("button", { name: "预览" }).click();
  const preview = dialog(page, "预览：出差申请");
  await preview.getByRole("button", { name: "试填检查" }).click();
  await expect(preview.getByText("请填写出差事由")).toBeVisible();
  await preview.getByLabel("出差事由").fill("学术会议");
  await preview.getByLabel(/^天数/).fill("0");
  await choose(preview, /^类型/, "事假");
  await preview.getByRole("button", { name: "添加一行：行程" }).click();
  await preview.getByLabel("城市，第 1 行").fill("上海");
  await preview.getByLabel("费用，第 1 行").fill("880.5");
  await preview.getByRole("button", { name: "试填检查" }).click();
  await expect(preview.getByText("天数不能小于 1")).toBeVisible();
  await preview.getByLabel(/^天数/).fill("3");
  await preview.getByRole("button", { name: "试填检查" }).click();
  const given = JSON.parse((await preview.getByRole("status").locator("pre").textContent()) ?? "");
  expect(given).toEqual({
    text1: "学术会议",
    number1: 3,
    select1: 2,
    table1: [{ text2: "上海", money1: 880.5 }],
  });
  expect(await faults(page)).toEqual([]);
});

test("on a phone entries and properties open from below", async ({ as }) => {
  const page = await as("admin", { viewport: phone, storage: { "theme-mode": "dark" } });
  await page.addInitScript(axe);
  await page.goto("/bpm/manager/form/edit?id=1");
  await expect(page.getByRole("heading", { name: "设计表单：请假申请" })).toBeVisible();
  await page.getByRole("button", { name: "添加表单项" }).click();
  await add(page, "开关").click();
  await item(page, "开关").click();
  await dialog(page, "属性").getByLabel("标题").fill("需要派车");
  expect(await faults(page)).toEqual([]);
  await dialog(page, "属性")
    .getByRole("button", { name: /关闭|Close/ })
    .click();
  await item(page, "需要派车").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "上移 需要派车" }).click();
  await expect(
    canvas(page)
      .getByRole("button", { name: /^选中：/ })
      .nth(4),
  ).toHaveAccessibleName(/需要派车/);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider).toBe(false);
});
