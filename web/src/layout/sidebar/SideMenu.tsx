import { theme as antdTheme, ConfigProvider, Menu } from "antd";
import { useMemo, useState } from "react";
import { useSettings } from "@/kernel/theme";
import { useShell } from "../context";
import { accordion } from "../routes/menuTree";
import { isFolder, menuChain } from "../routes/resolve";
import { type AppRoute, homePath } from "../routes/types";
import { useGoTo } from "../useGoTo";
import { useRouteTitle } from "../useRouteTitle";
import { prefetchPage } from "../views/pageLoader";
import { menuItems } from "./menuItems";
import { sideLook, sideMenuTheme } from "./sideThemes";

interface Props {
  menus: readonly AppRoute[];
  collapsed: boolean;
  onChosen?: () => void;
}

/** The menu of the sidebar: one open submenu at a time, the current page marked. */
export function SideMenu({ menus, collapsed, onChosen }: Props) {
  const { routes, pages, match } = useShell();
  const titleOf = useRouteTitle();
  const goTo = useGoTo();
  const side = useSettings((state) => state.sideTheme);
  const brand = useSettings((state) => state.theme);
  const { token } = antdTheme.useToken();
  const chain = menuChain(routes, match).map((route) => route.path);
  const [openKeys, setOpenKeys] = useOpenKeys(menus, chain);
  const items = useMemo(
    () => menuItems(menus, titleOf, (route) => prefetchPage(pages, route)),
    [menus, titleOf, pages],
  );
  return (
    <ConfigProvider theme={sideMenuTheme(side, brand, token.colorLink)}>
      <Menu
        mode="inline"
        theme={sideLook(side).menu}
        inlineCollapsed={collapsed}
        inlineIndent={18}
        items={items}
        selectedKeys={chain.length > 0 ? chain : [homePath]}
        {...(collapsed ? {} : { openKeys, onOpenChange: setOpenKeys })}
        onClick={({ key }) => {
          goTo(key);
          onChosen?.();
        }}
      />
    </ConfigProvider>
  );
}

/** Open folders follow the page shown, and what the user opens afterwards closes the others. */
function useOpenKeys(
  menus: readonly AppRoute[],
  chain: readonly string[],
): [string[], (keys: string[]) => void] {
  const place = chain.join(" ");
  const [state, setState] = useState({ place: "", keys: [] as string[] });
  const current = state.place === place ? state.keys : [...chain];
  const change = (keys: string[]) => setState({ place, keys: accordion(menus, current, keys) });
  return [current, change];
}

export function sidebarMenus(
  menus: readonly AppRoute[],
  topChoice: string | null,
  topNav: boolean,
): AppRoute[] {
  if (!topNav) return [...menus];
  const chosen = menus.find((route) => route.path === topChoice);
  return chosen && isFolder(chosen) ? chosen.children : [];
}
