import { defineConfig } from "@playwright/test";

// Debian's Chromium drives the real binary; nothing of ours is replaced.
export default defineConfig({
  testDir: "tests",
  outputDir: "results",
  fullyParallel: false,
  workers: 1,
  // A retried test is reported as flaky; a machine under load is not a fault of the product.
  retries: 2,
  timeout: 240_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  globalSetup: "./server.ts",
  use: {
    browserName: "chromium",
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 1366, height: 850 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.VIVA_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
