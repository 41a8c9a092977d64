import { addressesOf, signInByCall } from "../support/api";
import { roles } from "../support/people";
import { phone, settled, test } from "../support/test";

const looks = [
  { name: "light", storage: {}, viewport: undefined },
  { name: "dark", storage: { "theme-mode": "dark" }, viewport: undefined },
  { name: "phone", storage: {}, viewport: phone },
] as const;

const wanted = process.env.SHOTS?.split(",") ?? [];

for (const role of roles) {
  for (const look of looks) {
    const title = `${role} ${look.name}`;
    if (wanted.length > 0 && !wanted.some((word) => title.includes(word))) continue;
    test(title, async ({ as }) => {
      const { accessToken } = await signInByCall(role);
      const page = await as(role, { storage: look.storage, viewport: look.viewport });
      for (const address of await addressesOf(role, accessToken)) {
        await page.goto(address);
        await settled(page);
        const file = address.slice(1).replaceAll("/", "-");
        await page.screenshot({ path: `results/shots/${role}/${look.name}/${file}.png` });
      }
    });
  }
}

test("sign-in", async ({ guest }) => {
  for (const look of looks) {
    const page = await guest({ storage: look.storage, viewport: look.viewport });
    for (const address of ["/studentLogin", "/login", "/404", "/sso"]) {
      await page.goto(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.screenshot({ path: `results/shots/guest/${look.name}/${address.slice(1)}.png` });
    }
  }
});
