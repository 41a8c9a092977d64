import { flattenRoutes, isFolder } from "./resolve";
import type { AppRoute } from "./types";

/** What menus show: hidden entries and folders without anything visible are left out. */
export function visibleMenus(routes: readonly AppRoute[]): AppRoute[] {
  return routes.flatMap((route) => {
    if (route.hidden) return [];
    if (!isFolder(route)) return [route];
    const children = visibleMenus(route.children);
    const only = children[0];
    if (!only) return [];
    // A folder with one page shows as that page, unless it asks to stay a folder.
    if (children.length === 1 && !route.alwaysShow && !isFolder(only)) {
      return [{ ...only, icon: only.icon || route.icon }];
    }
    return [{ ...route, children }];
  });
}

/**
 * The first-level entry of the shown menus that a page stands under. Routes of the chain may be
 * missing from the menus: hidden folders, and folders that show as their only page.
 */
export function topMenuOf(menus: readonly AppRoute[], chain: readonly AppRoute[]): AppRoute | undefined {
  const paths = new Set(chain.map((route) => route.path));
  return menus.find((menu) => paths.has(menu.path));
}

/** One open submenu at a time: of all open folders only the newest and its ancestors stay open. */
export function accordion(
  menus: readonly AppRoute[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  const opened = after.find((key) => !before.includes(key));
  if (!opened) return [...after];
  const match = flattenRoutes(menus).find((entry) => entry.route.path === opened);
  return match ? match.chain.map((entry) => entry.path) : [opened];
}

const topItemWidth = 85;

/** How many entries of the top menu fit: a third of the screen, 85 px each. */
export function topMenuCapacity(screenWidth: number): number {
  return Math.max(0, Math.floor(screenWidth / 3 / topItemWidth));
}

/** Divides the top menu into what is shown and what goes into the "more menu". */
export function splitTopMenu<T>(items: readonly T[], screenWidth: number): { shown: T[]; more: T[] } {
  const capacity = topMenuCapacity(screenWidth);
  return { shown: items.slice(0, capacity), more: items.slice(capacity) };
}
