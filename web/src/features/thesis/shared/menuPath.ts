import { type MenuItem, useSession } from "@/kernel/session";

function find(menus: readonly MenuItem[], component: string, above = ""): string | null {
  for (const menu of menus) {
    const path = menu.path.startsWith("/") ? menu.path : `${above}/${menu.path}`;
    if (menu.component === component) return path;
    const below = find(menu.children ?? [], component, path);
    if (below) return below;
  }
  return null;
}

/** Where the signed-in user finds a page; null when his menus do not hold it. */
export function useMenuPath(component: string): string | null {
  const menus = useSession((state) => state.menus);
  return find(menus, component);
}
