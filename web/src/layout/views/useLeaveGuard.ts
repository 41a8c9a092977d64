import { useEffect } from "react";
import { useBlocker } from "react-router";
import { useSettings } from "@/kernel/theme";
import { confirmLeave, hasUnsaved } from "@/kernel/ui";
import { useTags } from "../stores/tags";
import { isRedirect } from "../useShellState";

/**
 * Asks before a page with unsaved work goes away. A page that stays alive behind the next one is
 * left without a question; closing and refreshing a tab ask for themselves.
 */
export function useLeaveGuard(): void {
  const tagsView = useSettings((state) => state.tagsView);
  const blocker = useBlocker(({ currentLocation: { pathname }, nextLocation }) => {
    if (pathname === nextLocation.pathname || isRedirect(nextLocation.pathname)) return false;
    const tab = useTags.getState().tabs.find(({ key }) => key === pathname);
    if (!tab || (tagsView && tab.keepAlive)) return false;
    return hasUnsaved(pathname);
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void confirmLeave().then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
}
