import { addressesOf, signInByCall } from "../support/api";
import { axe, faults } from "../support/axe";
import { openMenu } from "../support/controls";
import { roles } from "../support/people";
import { expect, type Page, phone, settled, test } from "../support/test";

/** Goes to another page of the application without loading it anew. */
async function goInside(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, "", to);
    window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, address);
  await expect(page).toHaveURL(address);
}

/** What reaches beyond the right edge and cannot be scrolled to, outermost first. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = window.innerWidth;
    const wide = document.documentElement.scrollWidth - edge;
    const found = wide > 0 ? [`the page is ${wide} px wider than the phone`] : [];
    const visit = (element: Element) => {
      const { overflowX, position } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      // A box of a pixel holds what is only read out, however wide that is inside it.
      if (overflowX === "hidden" && box.width <= 1 && box.height <= 1) return;
      if (box.width > 1 && box.left < edge && box.right > edge + 1 && position !== "fixed") {
        found.push(`${element.tagName} ${element.className} ends at ${Math.round(box.right)} px`);
        return;
      }
      // A drawing cuts off what lies outside of it and is moved by hand.
      if (element instanceof SVGSVGElement) return;
      // Tables and bars scroll by themselves; what holds the heading is the page.
      const scrolls = overflowX === "auto" || overflowX === "scroll";
      if (scrolls && !element.querySelector("h1")) return;
      for (const child of element.children) visit(child);
    };
    visit(document.body);
    return found;
  });
}

/** Looks at the page in light, in dark (colours alone: the rest is the same) and on a phone. */
async function look(page: Page, address: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(desk);
  await goInside(page, address);
  await settled(page);
  const light = await faults(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const dark = await faults(page, ["color-contrast"]);
  await page.setViewportSize(phone);
  await expect(page.getByRole("button", { name: "展开侧边栏" })).toBeVisible();
  await settled(page);
  const narrow = await faults(page);
  narrow.push(...(await cutOff(page)));
  const named = (look: string) => (text: string) => `${address} (${look}): ${text}`;
  return [...light.map(named("light")), ...dark.map(named("dark")), ...narrow.map(named("phone"))];
}

const desk = { width: 1366, height: 850 } as const;

for (const role of roles) {
  test(`every page of ${role} in light, dark and at 390 px`, async ({ as }) => {
    test.setTimeout(600_000);
    const { accessToken } = await signInByCall(role);
    // Without tags no visited page stays alive behind the one that is looked at.
    const page = await as(role, { storage: { "layout-setting": JSON.stringify({ tagsView: false }) } });
    await page.addInitScript(axe);
    await page.goto("/index");
    const found: string[] = [];
    for (const address of await addressesOf(role, accessToken)) found.push(...(await look(page, address)));
    expect(found).toEqual([]);
  });
}

const looks = [
  { name: "light", storage: {}, viewport: undefined },
  { name: "dark", storage: { "theme-mode": "dark" }, viewport: undefined },
  { name: "at 390 px", storage: {}, viewport: phone },
] as const;

for (const { name, storage, viewport } of looks) {
  test(`pages without a session, ${name}`, async ({ guest }) => {
    const page = await guest({ storage, viewport });
    await page.addInitScript(axe);
    const found: string[] = [];
    for (const address of ["/studentLogin", "/login", "/sso", "/404", "/setup?token=none"]) {
      await page.goto(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      found.push(...(await faults(page)).map((text) => `${address}: ${text}`));
    }
    expect(found).toEqual([]);
  });
}

test("open dialogs, drawers and menus are accessible too", async ({ as }) => {
  const page = await as("admin");
  await page.addInitScript(axe);
  await page.goto("/");
  const found: string[] = [];
  const check = async (what: string) => {
    found.push(...(await faults(page)).map((text) => `${what}: ${text}`));
    await page.keyboard.press("Escape");
  };
  await openMenu(page, "系统管理", "岗位管理");
  await page.getByRole("button", { name: "新建岗位" }).first().click();
  await page.getByRole("dialog", { name: "新建岗位" }).getByRole("textbox").first().waitFor();
  await check("form drawer");
  await page.getByRole("button", { name: /的账户菜单/ }).click();
  await page.getByRole("menuitem", { name: "布局设置" }).waitFor();
  await check("account menu");
  await page.getByRole("button", { name: /站内信/ }).click();
  await page.getByRole("dialog", { name: "站内信" }).waitFor();
  await check("notices");
  await page.getByRole("button", { name: "搜索菜单" }).click();
  await page.getByRole("dialog", { name: "搜索菜单" }).getByRole("option").first().waitFor();
  await check("search");
  expect(found).toEqual([]);
});
