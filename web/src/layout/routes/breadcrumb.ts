import { menuChain, type RouteMatch } from "./resolve";
import { type AppRoute, homePath } from "./types";

/**
 * The trail to a page: home first, unless the trail starts there; entries without a title or with
 * the breadcrumb flag off are left out; a page that names an active menu stands below that menu.
 */
export function breadcrumbTrail(routes: readonly AppRoute[], match: RouteMatch | null): AppRoute[] {
  if (!match) return [];
  const above = match.route.activeMenu ? menuChain(routes, match) : [];
  const chain = [...above.filter((entry) => !match.chain.includes(entry)), ...match.chain];
  const startsAtHome = chain[0]?.path === homePath;
  const home = startsAtHome ? [] : routes.filter((entry) => entry.path === homePath).slice(0, 1);
  return [...home, ...chain].filter((entry) => entry.title !== "" && entry.breadcrumb);
}
