import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "@/kernel/api/client";
import { useSession } from "@/kernel/session";
import type { TreeItem } from "../tree/marks";
import type { RoleChoice } from "../user/AssignRoles";

export interface MenuName extends TreeItem {
  type: number;
}

const quiet = { silent: true } as const;

function menusOf(roleId: number, signal?: AbortSignal): Promise<number[]> {
  return get<number[]>("/system/permission/list-role-menus", { roleId }, { ...quiet, signal });
}

/** The menus of the roles that the user holds: what he may pass on; null stands for all. */
async function ownMenus(codes: readonly string[], signal: AbortSignal): Promise<number[]> {
  const roles = await get<RoleChoice[]>("/system/role/simple-list", undefined, { ...quiet, signal });
  const held = roles.filter((role) => codes.includes(role.code));
  const lists = await Promise.all(held.map((role) => menusOf(role.id, signal)));
  return lists.flat();
}

export function useMenuNames(enabled: boolean) {
  return useQuery({
    queryKey: ["/system/menu", "simple"],
    queryFn: ({ signal }) => get<MenuName[]>("/system/menu/simple-list", undefined, { ...quiet, signal }),
    enabled,
    staleTime: 60_000,
    retry: false,
  });
}

/** What the dialog of a role's menus needs: all menus, the role's, and those the user may not touch. */
export function useMenuGrant(roleId: number | undefined) {
  const enabled = roleId !== undefined;
  const codes = useSession((state) => state.roles);
  const everything = useSession((state) => state.permissions.includes("*:*:*"));
  const names = useMenuNames(enabled);
  const marked = useQuery({
    queryKey: ["/system/permission", "role-menus", roleId],
    queryFn: ({ signal }) => menusOf(roleId ?? 0, signal),
    enabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const own = useQuery({
    queryKey: ["/system/permission", "own-menus", codes],
    queryFn: ({ signal }) => ownMenus(codes, signal),
    enabled: enabled && !everything,
    staleTime: 0,
    retry: false,
  });
  const locked = useMemo(() => {
    const mine = new Set(own.data ?? []);
    return everything
      ? new Set<number>()
      : new Set((names.data ?? []).map((m) => m.id).filter((id) => !mine.has(id)));
  }, [everything, names.data, own.data]);
  return {
    items: names.data,
    marked: marked.data,
    locked,
    ready: names.data !== undefined && marked.data !== undefined && (everything || own.data !== undefined),
    error: names.error ?? marked.error ?? own.error,
    retry: () => Promise.all([names.refetch(), marked.refetch(), everything ? null : own.refetch()]),
  };
}
