import type { MenuItem } from "@/kernel/session";
import { type AppRoute, route } from "./types";

const webAddress = /^https?:\/\//i;

export function isWebAddress(value: string | null | undefined): boolean {
  return webAddress.test(value ?? "");
}

/** Menus of the family may carry a query behind the component or path; the route itself has none. */
function withoutQuery(value: string): string {
  const mark = value.indexOf("?");
  return mark < 0 ? value : value.slice(0, mark);
}

/** Child paths are relative unless they start with a slash. */
export function joinPath(parent: string, path: string): string {
  if (path.startsWith("/")) return path;
  return `${parent.replace(/\/+$/, "")}/${path}`.replace(/\/{2,}/g, "/");
}

function pascalCase(path: string): string {
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

/** An address of our own for a page that shows a foreign one: `https://a.b/c` → `frame/a.b/c`. */
function framePath(address: string): string {
  return `frame/${address
    .replace(webAddress, "")
    .replace(/[?#].*$/, "")
    .replace(/[^\w./-]/g, "_")
    .replace(/\/+$/, "")}`;
}

/** Markers with which menus of the family ask for embedding instead of a new browser tab. */
const embedMarkers = new Set(["InnerLink", "IFrame", "iframe"]);

function fromMenu(menu: MenuItem, parent: string): AppRoute {
  const component = menu.component?.trim() || null;
  const base = {
    name: menu.componentName || pascalCase(menu.path),
    title: menu.name,
    icon: menu.icon && menu.icon !== "#" ? menu.icon : "",
    hidden: !menu.visible,
    keepAlive: menu.keepAlive,
    alwaysShow: menu.alwaysShow,
  };
  if (isWebAddress(menu.path)) {
    if (component && embedMarkers.has(component)) {
      return route(joinPath(parent || "/", framePath(menu.path)), { ...base, frame: menu.path });
    }
    return route(menu.path, { ...base, external: true });
  }
  const path = joinPath(parent || "/", withoutQuery(menu.path));
  if (component && isWebAddress(component)) return route(path, { ...base, frame: component });
  const children = (menu.children ?? []).map((child) => fromMenu(child, path));
  return route(path, {
    ...base,
    // A page without a component key is found by its address.
    component: children.length > 0 ? null : withoutQuery(component ?? path.replace(/^\//, "")),
    children,
  });
}

/** Turns the session's menu tree into the route tree of the shell. */
export function routesFromMenus(menus: readonly MenuItem[]): AppRoute[] {
  return menus.map((menu) => fromMenu(menu, ""));
}
