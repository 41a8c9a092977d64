import { describe, expect, it } from "vitest";
import { menu, sampleMenus } from "./fixture";
import { routesFromMenus } from "./fromMenus";
import { mergeRoutes } from "./resolve";
import { createSearch, type SearchEntry, searchEntries, searchOptions } from "./search";
import { staticRoutes } from "./staticRoutes";

const routes = mergeRoutes(routesFromMenus(sampleMenus), staticRoutes);
const entries = searchEntries(routes, (entry) => entry.title);

function entry(path: string, ...title: string[]): SearchEntry {
  return { path, title, icon: "", external: false };
}

async function find(list: SearchEntry[], text: string): Promise<string[]> {
  return (await createSearch(list)).search(text).map((result) => result.item.path);
}

describe("menu search", () => {
  it("has the weights and limits of the specification", () => {
    expect(searchOptions).toMatchObject({
      threshold: 0.4,
      distance: 100,
      keys: [
        { name: "title", weight: 0.7 },
        { name: "path", weight: 0.3 },
      ],
    });
  });

  it("offers pages and links, but no folders, hidden pages or addresses with parameters", () => {
    expect(entries.map((item) => item.path)).toEqual([
      "/index",
      "/system/user",
      "/system/dict",
      "/system/messages/mail",
      "/infra/job",
      "/infra/swagger",
      "https://example.org/help",
    ]);
    expect(entries.find((item) => item.path === "/system/messages/mail")?.title).toEqual([
      "系统管理",
      "消息中心",
      "邮箱管理",
    ]);
    expect(entries.find((item) => item.path.startsWith("https"))?.external).toBe(true);
  });

  it("ranks a hit in the title above the same hit in the path", async () => {
    const found = await find([entry("/audit", "zzzz"), entry("/yyyy", "audit")], "audit");
    expect(found).toEqual(["/yyyy", "/audit"]);
  });

  it("finds by path and forgives a slip", async () => {
    expect(await find(entries, "/infra/job")).toContain("/infra/job");
    expect(await find(entries, "用户管里")).toContain("/system/user");
  });

  it("finds nothing for something else entirely", async () => {
    expect(await find(entries, "qqqqqq")).toEqual([]);
  });

  it("keeps an always-shown single page findable", () => {
    const single = routesFromMenus([menu("/fb", "反馈", { children: [menu("list", "问题反馈")] })]);
    expect(searchEntries(single, (item) => item.title)).toMatchObject([
      { path: "/fb/list", title: ["反馈", "问题反馈"] },
    ]);
  });
});
