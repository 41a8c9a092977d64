import { beforeEach, describe, expect, it, vi } from "vitest";
import { hasUnsaved } from "@/kernel/ui/unsaved";
import { route } from "../routes/types";
import { closedKeys, keptAlive, type TabLocation, useTags } from "./tags";

vi.mock("@/kernel/ui/unsaved", () => ({ hasUnsaved: vi.fn(() => false) }));

const home = route("/index", { title: "首页", affix: true });

function at(pathname: string, search = ""): TabLocation {
  return { pathname, search, hash: "", state: null, key: pathname };
}

function visit(pathname: string, rest: Parameters<typeof route>[1] = {}, search = ""): void {
  useTags.getState().visit(route(pathname, { title: pathname, ...rest }), at(pathname, search));
}

const keys = () => useTags.getState().tabs.map((tab) => tab.key);

beforeEach(() => {
  useTags.getState().clear();
  useTags.getState().pin([home]);
  for (const path of ["/a", "/b", "/c", "/d"]) visit(path);
});

describe("visited pages", () => {
  it("starts with the pinned page and adds each page once", () => {
    visit("/b");
    expect(keys()).toEqual(["/index", "/a", "/b", "/c", "/d"]);
  });

  it("keeps one tab per path and remembers its latest query", () => {
    visit("/b", {}, "?q=2");
    expect(keys()).toHaveLength(5);
    expect(useTags.getState().tabs.find((tab) => tab.key === "/b")?.location.search).toBe("?q=2");
  });

  it("builds a page anew on refresh and no other", () => {
    useTags.getState().refresh("/b");
    expect(useTags.getState().tabs.map((tab) => tab.revision)).toEqual([0, 0, 1, 0, 0]);
  });

  it("keeps a title the page gave itself", () => {
    useTags.getState().setTitle("/b", "性别");
    visit("/b", {}, "?q=3");
    expect(useTags.getState().tabs.find((tab) => tab.key === "/b")?.ownTitle).toBe("性别");
  });
});

describe("another person", () => {
  it("starts without tabs, the same one keeps them", () => {
    useTags.getState().belongTo(1);
    visit("/a");
    useTags.getState().belongTo(1);
    expect(keys()).toEqual(["/a"]);
    useTags.getState().belongTo(2);
    expect(keys()).toEqual([]);
  });
});

describe("closing", () => {
  it.each([
    ["current", ["/b"]],
    ["others", ["/a", "/c", "/d"]],
    ["left", ["/a"]],
    ["right", ["/c", "/d"]],
    ["all", ["/a", "/b", "/c", "/d"]],
  ] as const)("%s of /b closes %j and never the pinned page", (scope, expected) => {
    expect([...closedKeys(useTags.getState().tabs, "/b", scope)]).toEqual(expected);
  });

  it("cannot close the pinned page itself", () => {
    expect(useTags.getState().close("/index", "current", "/index")).toBeNull();
    expect(keys()).toContain("/index");
  });

  it("stays where it is when another page is closed", () => {
    expect(useTags.getState().close("/b", "current", "/c")).toBeNull();
    expect(keys()).toEqual(["/index", "/a", "/c", "/d"]);
  });

  it("goes to the neighbour when the shown page is closed, with that page's query", () => {
    visit("/a", {}, "?page=2");
    expect(useTags.getState().close("/b", "current", "/b")).toBe("/a?page=2");
  });

  it("goes to the chosen page when the shown one is among those closed", () => {
    expect(useTags.getState().close("/b", "others", "/d")).toBe("/b");
    expect(useTags.getState().close("/b", "right", "/b")).toBeNull();
  });

  it("goes home after closing all", () => {
    expect(useTags.getState().close("/c", "all", "/c")).toBe("/index");
    expect(keys()).toEqual(["/index"]);
  });
});

describe("kept-alive pages", () => {
  it("does not keep a page whose menu says so", () => {
    visit("/x", { keepAlive: false });
    expect(useTags.getState().alive).not.toContain("/x");
  });

  it("keeps the twenty shown last", () => {
    for (let i = 0; i < keptAlive; i++) visit(`/n${i}`);
    expect(useTags.getState().alive).toHaveLength(keptAlive);
    expect(useTags.getState().alive).not.toContain("/a");
    visit("/n0");
    visit("/one-more");
    expect(useTags.getState().alive).toContain("/n0");
    expect(useTags.getState().alive).not.toContain("/n1");
    expect(keys()).toContain("/a");
  });

  it("never lets go of a page with unsaved work", () => {
    vi.mocked(hasUnsaved).mockImplementation((key) => key === "/a");
    for (let i = 0; i < keptAlive; i++) visit(`/n${i}`);
    expect(useTags.getState().alive).toContain("/a");
    expect(useTags.getState().alive).not.toContain("/b");
    expect(useTags.getState().alive).toHaveLength(keptAlive);
    vi.mocked(hasUnsaved).mockReset();
  });

  it("forgets a closed page", () => {
    useTags.getState().close("/b", "current", "/c");
    expect(useTags.getState().alive).not.toContain("/b");
  });
});
