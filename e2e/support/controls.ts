import { expect, type Locator, type Page } from "@playwright/test";
import { password } from "./people";

/** Opens a select list by its label and takes the option of that name. */
export async function choose(place: Page | Locator, label: string | RegExp, option: string): Promise<void> {
  const box = place.getByRole("combobox", { name: label });
  await box.click();
  const page = "page" in place ? place.page() : place;
  await page.getByTitle(option, { exact: true }).filter({ visible: true }).last().click();
}

/** Fills in the sign-in form that is shown and sends it. */
export async function signIn(
  page: Page,
  username: string,
  secret = password,
  school?: string,
): Promise<void> {
  const field = page.getByLabel("学校（租户）");
  if (school) await field.fill(school);
  else await expect(field).not.toHaveValue("");
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "登录", exact: true }).click();
}

/** The main menu beside the page, or in the drawer of a narrow screen. */
export function sidebar(page: Page): Locator {
  return page.getByRole("navigation", { name: "主菜单" });
}

/** A tag of the tags bar. */
export function tab(page: Page, name: string): Locator {
  return page.getByRole("tab", { name, exact: true });
}

/** The heading of the page that is shown. */
export function heading(page: Page, name: string | RegExp): Locator {
  return page.getByRole("heading", { level: 1, name });
}

/** Opens a page by the menu, as people do: the names of the folders, then the page's own. */
export async function openMenu(page: Page, ...names: string[]): Promise<void> {
  const menu = sidebar(page);
  for (const [at, name] of names.entries()) {
    const entry = menu.getByRole("menuitem", { name, exact: true });
    if (at === names.length - 1) await entry.last().click();
    else if ((await entry.first().getAttribute("aria-expanded")) !== "true") await entry.first().click();
  }
}

/** The dialog that is open and has this title. */
export function dialog(page: Page, name: string | RegExp): Locator {
  return page.getByRole("dialog", { name });
}

/** A message at the top of the window. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator(".ant-message-notice, .ant-message").getByText(text).first();
}
