import { useEffect, useLayoutEffect, useMemo } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { useSession } from "@/kernel/session";
import { useSettings } from "@/kernel/theme";
import { useMobile } from "@/kernel/ui";
import type { ShellValue } from "./context";
import { routesFromMenus } from "./routes/fromMenus";
import { topMenuOf } from "./routes/menuTree";
import { isFolder, matchRoute, menuChain, mergeRoutes } from "./routes/resolve";
import { staticRoutes } from "./routes/staticRoutes";
import type { AppRoute, PageRegistry } from "./routes/types";
import { useSidebar } from "./stores/sidebar";
import { useTags } from "./stores/tags";
import { useRouteTitle } from "./useRouteTitle";

/** The routes of the session's menus and the declared ones, and which of them is shown. */
export function useShellValue(pages: PageRegistry): ShellValue {
  const menus = useSession((state) => state.menus);
  const { pathname } = useLocation();
  const routes = useMemo(() => mergeRoutes(routesFromMenus(menus), staticRoutes), [menus]);
  return useMemo(() => ({ routes, pages, match: matchRoute(routes, pathname) }), [routes, pages, pathname]);
}

/** Opens the sidebar when the layout is created; below 992 px it is a drawer, closed at first. */
export function useSidebarDevice(): void {
  const mobile = useMobile();
  const { create, setDevice } = useSidebar.getState();
  useLayoutEffect(() => create(), [create]);
  useLayoutEffect(() => setDevice(mobile ? "mobile" : "desktop"), [mobile, setDevice]);
}

/**
 * With top navigation the sidebar holds the shown folder the page belongs to; without one it hides.
 * Narrow screens have no top navigation: their drawer holds the whole menu.
 */
export function useTopChoice({ routes, match }: ShellValue, menus: readonly AppRoute[]): void {
  const mobile = useMobile();
  const topNav = useSettings((state) => state.topNav) && !mobile;
  const { chooseTop, setHidden } = useSidebar.getState();
  useEffect(() => {
    if (!topNav) {
      setHidden(false);
      return;
    }
    const top = topMenuOf(menus, menuChain(routes, match));
    chooseTop(top && isFolder(top) ? top.path : null);
  }, [topNav, menus, routes, match, chooseTop, setHidden]);
}

/** Title of the page shown: what it asked for itself, else that of its route. */
export function usePageTitle({ match }: ShellValue): string {
  const { pathname } = useLocation();
  const titleOf = useRouteTitle();
  const own = useTags((state) => state.tabs.find((tab) => tab.key === pathname)?.ownTitle);
  return own ?? (match ? titleOf(match.route) : "");
}

/** Keeps the tab of the address up to date. */
export function useTabVisits({ routes, match }: ShellValue): void {
  const location = useLocation();
  const session = useSession((state) => state.user?.id);
  const { visit, pin, belongTo } = useTags.getState();
  useLayoutEffect(() => belongTo(session ?? null), [session, belongTo]);
  useLayoutEffect(() => pin(routes), [routes, pin]);
  useLayoutEffect(() => {
    if (match && !isFolder(match.route)) visit(match.route, plain(location));
  }, [match, location, visit]);
}

function plain({ pathname, search, hash, state, key }: Location) {
  return { pathname, search, hash, state: state as unknown, key };
}

const redirectPrefix = "/redirect";

/** `/redirect/<path>` builds the view of that path anew. */
export function useRedirect(): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!pathname.startsWith(`${redirectPrefix}/`)) return;
    const target = pathname.slice(redirectPrefix.length);
    useTags.getState().refresh(target);
    void navigate(target + search + hash, { replace: true });
  }, [pathname, search, hash, navigate]);
}

export function redirectAddress(address: string): string {
  return redirectPrefix + address;
}

export function isRedirect(pathname: string): boolean {
  return pathname.startsWith(`${redirectPrefix}/`);
}
