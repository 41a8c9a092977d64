import { useCallback, useContext } from "react";
import { UNSAFE_DataRouterContext as RouterContext, useLocation, useNavigate } from "react-router";
import { confirmLeave, hasUnsaved } from "@/kernel/ui";
import { addressOf, type CloseScope, closedKeys, type Tab, useTags } from "../stores/tags";
import { redirectAddress } from "../useShellState";

export interface TabActs {
  show: (tab: Tab) => void;
  refresh: (tab: Tab) => void;
  close: (tab: Tab, scope: CloseScope) => Promise<void>;
}

/** What can be done with tabs; typed but unsaved work is asked about before it goes. */
export function useTabActs(): TabActs {
  const navigate = useNavigate();
  const currentPath = useCurrentPath();
  const show = useCallback((tab: Tab) => void navigate(addressOf(tab.location)), [navigate]);
  const refresh = useCallback(
    async (tab: Tab) => {
      if (hasUnsaved(tab.key) && !(await confirmLeave())) return;
      void navigate(redirectAddress(addressOf(tab.location)), { replace: true });
    },
    [navigate],
  );
  const close = useCallback(
    async (tab: Tab, scope: CloseScope) => {
      const closed = closedKeys(useTags.getState().tabs, tab.key, scope);
      if ([...closed].some((key) => hasUnsaved(key)) && !(await confirmLeave())) return;
      const next = useTags.getState().close(tab.key, scope, currentPath());
      if (next) await navigate(next);
    },
    [navigate, currentPath],
  );
  return { show, refresh, close };
}

/**
 * Gives the path the router is at now. The drawn one lags behind while a page is being drawn, and
 * a tab closed in that moment would come back with its page.
 */
function useCurrentPath(): () => string {
  const router = useContext(RouterContext)?.router;
  const { pathname } = useLocation();
  return useCallback(() => router?.state.location.pathname ?? pathname, [router, pathname]);
}
