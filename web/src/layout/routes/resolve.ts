import { matchPath } from "react-router";
import { numericParams } from "./staticRoutes";
import type { AppRoute } from "./types";

/** A route together with its ancestors, outermost first; the last entry is the route itself. */
export interface RouteMatch {
  route: AppRoute;
  chain: AppRoute[];
}

export function isFolder(route: AppRoute): boolean {
  return route.children.length > 0;
}

/** Every route with its chain, folders included, in menu order. */
export function flattenRoutes(routes: readonly AppRoute[], above: AppRoute[] = []): RouteMatch[] {
  return routes.flatMap((route) => {
    const chain = [...above, route];
    return [{ route, chain }, ...flattenRoutes(route.children, chain)];
  });
}

/** The routes of the menus followed by those declared routes whose address no menu took. */
export function mergeRoutes(menus: readonly AppRoute[], declared: readonly AppRoute[]): AppRoute[] {
  const taken = new Set(flattenRoutes(menus).map((match) => match.route.path));
  return [...declared.filter((route) => !taken.has(route.path)), ...menus];
}

function fits(route: AppRoute, pathname: string): boolean {
  if (route.external) return false;
  const match = matchPath({ path: route.path, end: true }, pathname);
  if (!match) return false;
  return Object.entries(match.params).every(
    ([name, value]) => !numericParams.has(name) || /^\d+$/.test(value ?? ""),
  );
}

/** Finds the route of an address: pages before folders, fixed addresses before patterns. */
export function matchRoute(routes: readonly AppRoute[], pathname: string): RouteMatch | null {
  const found = flattenRoutes(routes).filter((match) => fits(match.route, pathname));
  const rank = (match: RouteMatch) =>
    (isFolder(match.route) ? 2 : 0) + (match.route.path.includes(":") ? 1 : 0);
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** Where a folder leads: its first page that is shown in menus, else its first page at all. */
export function firstPage(route: AppRoute): AppRoute | null {
  if (!isFolder(route)) return route.external ? null : route;
  const ordered = [...route.children].sort((a, b) => Number(a.hidden) - Number(b.hidden));
  for (const child of ordered) {
    const page = firstPage(child);
    if (page) return page;
  }
  return null;
}

/** The chain shown in menus for a match: a hidden page stands under the menu it names as active. */
export function menuChain(routes: readonly AppRoute[], match: RouteMatch | null): AppRoute[] {
  if (!match) return [];
  const active = match.route.activeMenu;
  if (!active) return match.chain;
  return matchRoute(routes, active)?.chain ?? match.chain;
}
