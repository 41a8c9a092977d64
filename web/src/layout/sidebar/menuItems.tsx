import type { MenuProps } from "antd";
import { isFolder } from "../routes/resolve";
import type { AppRoute } from "../routes/types";
import { MenuIcon } from "./MenuIcon";

export type MenuEntry = NonNullable<MenuProps["items"]>[number];

export function menuIcon(route: AppRoute) {
  return route.icon ? <MenuIcon name={route.icon} /> : undefined;
}

/** Menu entries of a route tree; the key of an entry is the path of its route. */
export function menuItems(
  routes: readonly AppRoute[],
  titleOf: (route: AppRoute) => string,
  onHover?: (route: AppRoute) => void,
): MenuEntry[] {
  return routes.map((route) => {
    const label = titleOf(route);
    const icon = menuIcon(route);
    if (isFolder(route)) {
      return { key: route.path, label, icon, children: menuItems(route.children, titleOf, onHover) };
    }
    return { key: route.path, label, icon, title: label, onMouseEnter: () => onHover?.(route) };
  });
}
