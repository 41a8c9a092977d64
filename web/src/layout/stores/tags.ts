import { create } from "zustand";
import { hasUnsaved } from "@/kernel/ui/unsaved";
import { type AppRoute, homePath } from "../routes/types";

/** The address a tab shows; kept per tab so that a hidden page goes on seeing its own. */
export interface TabLocation {
  pathname: string;
  search: string;
  hash: string;
  state: unknown;
  key: string;
}

export interface Tab {
  /** The path without query: one tab per page address. */
  key: string;
  name: string;
  /** Title of the route; `ownTitle` is what the page itself asked for. */
  title: string;
  ownTitle: string | null;
  affix: boolean;
  keepAlive: boolean;
  location: TabLocation;
  /** Raised to build the page anew. */
  revision: number;
}

export type CloseScope = "current" | "others" | "left" | "right" | "all";

/** So many pages stay alive; the one shown longest ago goes first, never one with unsaved work. */
export const keptAlive = 20;

interface TagsState {
  tabs: Tab[];
  /** Keys of pages that are alive, latest shown last. */
  alive: string[];
  /** Whose tabs these are. */
  owner: number | null;
  /** Tabs belong to one person: another one starts with none. */
  belongTo: (owner: number | null) => void;
  /** Adds or updates the tab of the address that is shown now. */
  visit: (route: AppRoute, location: TabLocation) => void;
  pin: (routes: readonly AppRoute[]) => void;
  refresh: (key: string) => void;
  /** Closes tabs; returns the address to show next when the active tab went, else null. */
  close: (key: string, scope: CloseScope, active: string) => string | null;
  setTitle: (key: string, title: string | null) => void;
  clear: () => void;
}

function tabOf(route: AppRoute, location: TabLocation): Tab {
  return {
    key: location.pathname,
    name: route.name,
    title: route.title,
    ownTitle: null,
    affix: route.affix,
    keepAlive: route.keepAlive,
    location,
    revision: 0,
  };
}

/** Which tabs a close act removes; pinned ones always stay. */
export function closedKeys(tabs: readonly Tab[], key: string, scope: CloseScope): Set<string> {
  const at = tabs.findIndex((tab) => tab.key === key);
  const inScope = (index: number): boolean => {
    if (scope === "current") return index === at;
    if (scope === "others") return index !== at;
    if (scope === "left") return index < at;
    if (scope === "right") return index > at;
    return true;
  };
  return new Set(tabs.filter((tab, index) => !tab.affix && inScope(index)).map((tab) => tab.key));
}

function nextActive(
  tabs: readonly Tab[],
  closed: Set<string>,
  chosen: string,
  active: string,
): string | null {
  if (!closed.has(active)) return null;
  const kept = tabs.find((tab) => tab.key === chosen && !closed.has(tab.key));
  if (kept) return addressOf(kept.location);
  const at = tabs.findIndex((tab) => tab.key === active);
  const right = tabs.slice(at + 1).find((tab) => !closed.has(tab.key));
  const left = tabs.slice(0, at).findLast((tab) => !closed.has(tab.key));
  const next = left ?? right;
  return next ? addressOf(next.location) : homePath;
}

export function addressOf(location: Pick<TabLocation, "pathname" | "search" | "hash">): string {
  return location.pathname + location.search + location.hash;
}

function shownLast(alive: readonly string[], key: string): string[] {
  const next = [...alive.filter((entry) => entry !== key), key];
  let surplus = next.length - keptAlive;
  return next.filter((entry) => surplus <= 0 || entry === key || hasUnsaved(entry) || surplus-- <= 0);
}

export const useTags = create<TagsState>()((set, get) => ({
  tabs: [],
  alive: [],
  owner: null,
  belongTo: (owner) => {
    if (owner !== get().owner) set({ owner, tabs: [], alive: [] });
  },
  visit: (route, location) => {
    const { tabs, alive } = get();
    const known = tabs.some((tab) => tab.key === location.pathname);
    const next = known
      ? tabs.map((tab) =>
          tab.key === location.pathname
            ? { ...tab, location, title: route.title, keepAlive: route.keepAlive, affix: route.affix }
            : tab,
        )
      : [...tabs, tabOf(route, location)];
    set({ tabs: next, alive: route.keepAlive ? shownLast(alive, location.pathname) : alive });
  },
  pin: (routes) => {
    const { tabs } = get();
    const missing = routes
      .filter((route) => route.affix && !tabs.some((tab) => tab.key === route.path))
      .map((route) =>
        tabOf(route, { pathname: route.path, search: "", hash: "", state: null, key: "default" }),
      );
    if (missing.length > 0) set({ tabs: [...missing, ...tabs] });
  },
  refresh: (key) =>
    set({
      tabs: get().tabs.map((tab) => (tab.key === key ? { ...tab, revision: tab.revision + 1 } : tab)),
    }),
  close: (key, scope, active) => {
    const { tabs, alive } = get();
    const closed = closedKeys(tabs, key, scope);
    set({
      tabs: tabs.filter((tab) => !closed.has(tab.key)),
      alive: alive.filter((entry) => !closed.has(entry)),
    });
    return nextActive(tabs, closed, key, active);
  },
  setTitle: (key, title) =>
    set({ tabs: get().tabs.map((tab) => (tab.key === key ? { ...tab, ownTitle: title } : tab)) }),
  clear: () => set({ tabs: [], alive: [] }),
}));
