import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { Navigate, useLocation } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { watchOtherTabs } from "@/kernel/session";
import { useSettings } from "@/kernel/theme";
import { ShellContext, type ShellValue } from "./context";
import { Navbar } from "./navbar/Navbar";
import { visibleMenus } from "./routes/menuTree";
import { firstPage, isFolder } from "./routes/resolve";
import { homePath, type PageRegistry } from "./routes/types";
import "./shell.css";
import { Sidebar } from "./sidebar/Sidebar";
import { useDocumentTitle } from "./systemTitle";
import { TagsBar } from "./tags/TagsBar";
import {
  isRedirect,
  usePageTitle,
  useRedirect,
  useShellValue,
  useSidebarDevice,
  useTabVisits,
  useTopChoice,
} from "./useShellState";
import { useLeaveGuard } from "./views/useLeaveGuard";
import { useScrollMemory, Views } from "./views/Views";

/** The frame around every page of the application; `pages` tells where page code is found. */
export function Shell({ pages }: { pages: PageRegistry }) {
  const { t } = useTranslation("layout");
  const shell = useShellValue(pages);
  const settings = useSettings();
  const flowing = !settings.fixedHeader;
  const area = useScrollMemory(flowing);
  const menus = useMemo(() => visibleMenus(shell.routes), [shell.routes]);
  useSidebarDevice();
  useTopChoice(shell, menus);
  useTabVisits(shell);
  useRedirect();
  useLeaveGuard();
  useDocumentTitle(usePageTitle(shell), settings.dynamicTitle);
  useEffect(() => watchOtherTabs(), []);
  return (
    <ShellContext value={shell}>
      <div className="shell">
        <button type="button" className="shell-skip" onClick={focusMain}>
          {t("skip")}
        </button>
        <ProgressBar />
        <Sidebar menus={menus} />
        <div ref={area} className={flowing ? "shell-body is-flowing" : "shell-body"}>
          <header className="shell-head">
            <Navbar menus={menus} />
            {settings.tagsView && <TagsBar />}
          </header>
          <main id="shell-main" className="shell-main" tabIndex={-1}>
            <Detour shell={shell} />
            <Views />
          </main>
        </div>
      </div>
    </ShellContext>
  );
}

/** With a `<base>` a plain `#` link would leave the page; the focus is moved by hand. */
function focusMain(): void {
  document.getElementById("shell-main")?.focus();
}

/** Addresses that are not pages: the root, folders, and those nobody knows. */
function Detour({ shell }: { shell: ShellValue }) {
  const { pathname } = useLocation();
  if (pathname === "/") return <Navigate to={homePath} replace />;
  if (isRedirect(pathname)) return null;
  if (!shell.match) return <Navigate to="/404" replace />;
  if (!isFolder(shell.match.route)) return null;
  const page = firstPage(shell.match.route);
  return <Navigate to={page ? page.path : "/404"} replace />;
}

/** A thin line while anything is being fetched. */
function ProgressBar() {
  const fetching = useIsFetching({ predicate: (query) => query.state.status === "pending" });
  return fetching > 0 ? <div className="shell-progress" aria-hidden="true" /> : null;
}
