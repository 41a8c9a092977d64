import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
} from "@playwright/test";
import { serverAddress, signInByCall } from "./api";
import { university } from "./people";

export { expect, type Page } from "@playwright/test";

export const phone = { width: 390, height: 844 } as const;

/** Collects what must never happen in a browser: errors nobody caught and calls to other hosts. */
export class Watch {
  readonly problems: string[] = [];
  private readonly hosts = new Set<string>();

  constructor(...addresses: (string | undefined)[]) {
    for (const address of addresses) if (address) this.hosts.add(new URL(address).host);
  }

  follow(context: BrowserContext): void {
    context.on("page", (page) => this.followPage(page));
    context.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && !this.hosts.has(host)) {
        this.problems.push(`request to another host: ${request.url()}`);
      }
    });
  }

  private followPage(page: Page): void {
    countCalls(page);
    page.on("pageerror", (error) => this.problems.push(`uncaught at ${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`console at ${page.url()}: ${message.text()}`);
    });
  }
}

export interface OpenOptions {
  viewport?: { width: number; height: number };
  /** More items of the browser's storage, e.g. the theme. */
  storage?: Record<string, string>;
  tenant?: { id: number; name: string };
  secret?: string;
  colorScheme?: "light" | "dark";
}

interface Fixtures {
  watch: Watch;
  /** A browser of somebody who is not signed in. */
  guest: (options?: OpenOptions & { address?: string }) => Promise<Page>;
  /** A browser of a user who signed in already. */
  as: (username: string, options?: OpenOptions) => Promise<Page>;
}

async function openBrowser(
  browser: Browser,
  watch: Watch,
  address: string,
  options: OpenOptions,
): Promise<BrowserContext> {
  const items = Object.entries(options.storage ?? {}).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    baseURL: address,
    viewport: options.viewport ?? { width: 1366, height: 850 },
    colorScheme: options.colorScheme ?? "light",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    reducedMotion: "reduce",
    storageState: { cookies: [], origins: [{ origin: address, localStorage: items }] },
  });
  watch.follow(context);
  return context;
}

export const test = base.extend<Fixtures>({
  watch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs.
    async ({}, use) => {
      const watch = new Watch(process.env.VIVA_URL, process.env.VIVA_PUZZLE_URL);
      await use(watch);
      expect(watch.problems).toEqual([]);
    },
    { auto: true },
  ],
  guest: async ({ browser, watch }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await openBrowser(browser, watch, options.address ?? serverAddress(), options);
      opened.push(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
  as: async ({ guest }, use) => {
    await use(async (username, options = {}) => {
      const tenant = options.tenant ?? university;
      const pair = await signInByCall(username, options.secret, tenant.id);
      return guest({
        ...options,
        storage: {
          ACCESS_TOKEN: pair.accessToken,
          REFRESH_TOKEN: pair.refreshToken,
          TENANT_ID: String(tenant.id),
          TENANT_NAME: tenant.name,
          ...options.storage,
        },
      });
    });
  },
});

/** Calls of a page that are not answered yet. */
const pending = new WeakMap<Page, Set<Request>>();

function countCalls(page: Page): void {
  const calls = new Set<Request>();
  pending.set(page, calls);
  page.on("request", (request) => calls.add(request));
  page.on("requestfinished", (request) => calls.delete(request));
  page.on("requestfailed", (request) => calls.delete(request));
}

/** Waits until the page of the address is there: its heading shown, nothing being fetched or drawn. */
export async function settled(page: Page): Promise<void> {
  const pane = page.locator(".shell-pane:not([hidden])");
  await expect(pane.getByRole("heading").first()).toBeVisible();
  const quiet = async () => {
    if (pending.get(page)?.size) return false;
    await page.waitForTimeout(50);
    return !pending.get(page)?.size;
  };
  await expect.poll(quiet, { intervals: [20] }).toBeTruthy();
  await expect(
    pane.locator(".ant-spin-spinning, .ant-skeleton-active, .shell-wait, .viva-skeleton-rows"),
  ).toHaveCount(0);
}
