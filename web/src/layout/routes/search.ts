import type Fuse from "fuse.js";
import type { IFuseOptions } from "fuse.js";
import { flattenRoutes, isFolder } from "./resolve";
import type { AppRoute } from "./types";

export interface SearchEntry {
  path: string;
  /** Titles of the trail, outermost first. */
  title: string[];
  icon: string;
  external: boolean;
}

export const searchOptions: IFuseOptions<SearchEntry> = {
  shouldSort: true,
  threshold: 0.4,
  distance: 100,
  minMatchCharLength: 1,
  keys: [
    { name: "title", weight: 0.7 },
    { name: "path", weight: 0.3 },
  ],
};

/** Everything one can go to by name: visible pages and links whose address needs no parameter. */
export function searchEntries(
  routes: readonly AppRoute[],
  titleOf: (route: AppRoute) => string,
): SearchEntry[] {
  return flattenRoutes(routes)
    .filter(({ route, chain }) => {
      const shown = chain.every((entry) => !entry.hidden);
      return shown && !isFolder(route) && route.title !== "" && !route.path.includes("/:");
    })
    .map(({ route, chain }) => ({
      path: route.path,
      title: chain.map(titleOf).filter(Boolean),
      icon: route.icon,
      external: route.external,
    }));
}

/** The search library is fetched when somebody searches, not with the shell. */
export async function createSearch(entries: SearchEntry[]): Promise<Fuse<SearchEntry>> {
  const { default: FuseIndex } = await import("fuse.js");
  return new FuseIndex(entries, searchOptions);
}
