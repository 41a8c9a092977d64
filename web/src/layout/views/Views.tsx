import { useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useSettings } from "@/kernel/theme";
import { useShell } from "../context";
import { matchRoute } from "../routes/resolve";
import { useTags } from "../stores/tags";
import { TabView } from "./TabView";

/** The page shown now and, while the tags bar is on, the visited pages kept alive behind it. */
export function Views() {
  const { pathname } = useLocation();
  const { routes } = useShell();
  const tabs = useTags((state) => state.tabs);
  const alive = useTags((state) => state.alive);
  const tagsView = useSettings((state) => state.tagsView);
  const shown = tabs.filter(
    (tab) => tab.key === pathname || (tagsView && tab.keepAlive && alive.includes(tab.key)),
  );
  return shown.map((tab) => {
    const match = matchRoute(routes, tab.key);
    if (!match) return null;
    return (
      <TabView
        key={`${tab.key}#${tab.revision}`}
        tab={tab}
        route={match.route}
        active={tab.key === pathname}
        labelled={tagsView}
      />
    );
  });
}

/** Where pages share one scroll area, each gets back the position it was left at. */
export function useScrollMemory(flowing: boolean): React.RefObject<HTMLDivElement | null> {
  const { pathname } = useLocation();
  const area = useRef<HTMLDivElement>(null);
  const positions = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const element = area.current;
    if (!flowing || !element) return;
    element.scrollTop = positions.current.get(pathname) ?? 0;
    const remember = () => positions.current.set(pathname, element.scrollTop);
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [flowing, pathname]);
  return area;
}
