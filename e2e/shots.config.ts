import { defineConfig } from "@playwright/test";
import suite from "./playwright.config";

// `npm run shots`: pictures of the pages of each role, to be looked at by people.
export default defineConfig(suite, { testDir: "shots", testMatch: "*.ts", timeout: 600_000 });
