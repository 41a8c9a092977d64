import { Menu } from "antd";
import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useShell } from "../context";
import { splitTopMenu, topMenuOf } from "../routes/menuTree";
import { isFolder, menuChain } from "../routes/resolve";
import type { AppRoute } from "../routes/types";
import { menuIcon } from "../sidebar/menuItems";
import { useSidebar } from "../stores/sidebar";
import { useGoTo } from "../useGoTo";
import { useRouteTitle } from "../useRouteTitle";

const moreKey = "more";

function watchWidth(changed: () => void): () => void {
  window.addEventListener("resize", changed);
  return () => window.removeEventListener("resize", changed);
}

/** First level of the menu in the navbar; what does not fit goes into 更多菜单. */
export function TopMenu({ menus }: { menus: readonly AppRoute[] }) {
  const { t } = useTranslation("layout");
  const { routes, match } = useShell();
  const titleOf = useRouteTitle();
  const goTo = useGoTo();
  const topChoice = useSidebar((state) => state.topChoice);
  const chooseTop = useSidebar((state) => state.chooseTop);
  const width = useSyncExternalStore(watchWidth, () => window.innerWidth);
  const items = useMemo(() => {
    const { shown, more } = splitTopMenu(menus, width);
    const entry = (route: AppRoute) => ({
      key: route.path,
      label: titleOf(route),
      icon: menuIcon(route),
    });
    const rest = more.map(entry);
    const overflow = rest.length > 0 ? [{ key: moreKey, label: t("topMenu.more"), children: rest }] : [];
    return [...shown.map(entry), ...overflow];
  }, [menus, width, titleOf, t]);
  const choose = (path: string) => {
    const route = menus.find((entry) => entry.path === path);
    if (!route) return;
    if (isFolder(route)) chooseTop(route.path);
    else {
      if (!route.external) chooseTop(null);
      goTo(route.path);
    }
  };
  return (
    <nav aria-label={t("topMenu.label")}>
      <Menu
        mode="horizontal"
        disabledOverflow
        items={items}
        selectedKeys={[topChoice ?? topMenuOf(menus, menuChain(routes, match))?.path ?? ""]}
        onClick={({ key }) => choose(key)}
      />
    </nav>
  );
}
