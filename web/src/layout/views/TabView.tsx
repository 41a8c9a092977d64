import { ConfigProvider } from "antd";
import { memo, useCallback, useMemo, useRef } from "react";
import { Route, Routes } from "react-router";
import { ErrorBoundary } from "@/kernel/ui";
import type { AppRoute } from "../routes/types";
import type { Tab } from "../stores/tags";
import { TabContext } from "../tabActive";
import { useRouteTitle } from "../useRouteTitle";
import { FrameView } from "./FrameView";
import { PageHost } from "./PageHost";

interface Props {
  tab: Tab;
  route: AppRoute;
  active: boolean;
  /** Whether the pane belongs to a tab of the tags bar. */
  labelled: boolean;
}

export function paneId(key: string): string {
  return `pane:${key}`;
}

export function tabId(key: string): string {
  return `tab:${key}`;
}

/**
 * One visited page. A hidden one stays mounted with the address it had, and everything it pops up
 * (dialogs, drawers, select lists) is drawn inside its own pane, so that it hides with it.
 */
export const TabView = memo(function TabView({ tab, route, active, labelled }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const container = useCallback(() => pane.current ?? document.body, []);
  const scope = useMemo(() => ({ key: tab.key, active }), [tab.key, active]);
  const titleOf = useRouteTitle();
  const panel = labelled ? { role: "tabpanel", id: paneId(tab.key), "aria-labelledby": tabId(tab.key) } : {};
  const page = route.frame ? (
    <FrameView address={route.frame} title={titleOf(route)} />
  ) : (
    <PageHost component={route.component} />
  );
  return (
    <div ref={pane} className="shell-pane" hidden={!active} {...panel}>
      <ConfigProvider getPopupContainer={container}>
        <TabContext value={scope}>
          <div className="shell-scroll">
            <ErrorBoundary resetKey={`${tab.key}#${tab.revision}`}>
              <Routes location={tab.location}>
                <Route path={route.path} element={page} />
              </Routes>
            </ErrorBoundary>
          </div>
        </TabContext>
      </ConfigProvider>
    </div>
  );
});
