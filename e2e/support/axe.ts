import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

/** The script that pages need before `faults`: give it to `addInitScript`. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds serious or critical on the page as it is now, by all rules or by those given. */
export async function faults(page: Page, only?: string[]): Promise<string[]> {
  const found = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: { run: (where: Document, how: object) => Promise<unknown> } };
    return axe.run(document, { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) });
  }, only);
  return (found as { violations: Finding[] }).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`),
    );
}
