import { dialog, heading, signIn } from "../support/controls";
import { expect, type Page, test } from "../support/test";

/** Works out `3 + 8 = ?` as a person would. */
async function answerOf(page: Page): Promise<number> {
  const question = await dialog(page, "安全验证")
    .getByText(/请计算：/)
    .innerText();
  const parts = /(\d+)\s*([+\-−×*])\s*(\d+)/.exec(question);
  if (!parts) throw new Error(`no sum in: ${question}`);
  const [left, right] = [Number(parts[1]), Number(parts[3])];
  if (parts[2] === "+") return left + right;
  return parts[2] === "×" || parts[2] === "*" ? left * right : left - right;
}

test("the sign-in puzzle has a sum as its alternative; a wrong answer brings a new one", async ({
  guest,
}) => {
  const page = await guest({ address: process.env.VIVA_PUZZLE_URL });
  await page.goto("/login");
  await signIn(page, "admin");
  const box = dialog(page, "安全验证");
  const slider = box.getByRole("slider", { name: "拼图位置" });
  await expect(slider).toHaveAttribute("aria-disabled", "false");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(slider).not.toHaveAttribute("aria-valuenow", "0");
  await box.getByRole("button", { name: "无法完成拼图？改用计算题" }).click();
  const field = box.getByRole("textbox", { name: /请计算/ });
  await field.fill(String((await answerOf(page)) + 1));
  await box.getByRole("button", { name: "确认答案" }).click();
  await expect(box.getByText("没有对上，已换新题，请再试一次")).toBeVisible();
  await expect(field).toHaveValue("");
  await field.fill(String(await answerOf(page)));
  await page.keyboard.press("Enter");
  await expect(heading(page, "系统管理员的工作台")).toBeVisible();
});

test("leaving the puzzle signs nobody in, and a wrong password asks for a new one", async ({ guest }) => {
  const page = await guest({ address: process.env.VIVA_PUZZLE_URL });
  await page.goto("/studentLogin");
  await signIn(page, "student01", "wrong-password");
  const box = dialog(page, "安全验证");
  await expect(box).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(page).toHaveURL(/studentLogin/);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await box.getByRole("button", { name: "无法完成拼图？改用计算题" }).click();
  await box.getByRole("textbox", { name: /请计算/ }).fill(String(await answerOf(page)));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("账号或密码不正确");
});
