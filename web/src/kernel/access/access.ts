import { useSession } from "@/kernel/session/store";

export type Mode = "any" | "all";

export const ALL_PERMISSIONS = "*:*:*";
/** Roles that pass every check: the name clients of the family know, and the code our server sends. */
export const SUPER_ROLES: readonly string[] = ["admin", "super_admin"];

function passes(
  held: readonly string[],
  wanted: readonly string[],
  mode: Mode,
  masters: readonly string[],
): boolean {
  if (held.some((item) => masters.includes(item))) return true;
  const has = (item: string) => held.includes(item);
  return mode === "all" ? wanted.every(has) : wanted.some(has);
}

/** Whether the user holds any (or all) of the permissions; '*:*:*' holds every one. */
export function hasPermission(wanted: readonly string[], mode: Mode = "any"): boolean {
  return passes(useSession.getState().permissions, requirePermissions(wanted), mode, [ALL_PERMISSIONS]);
}

/** Whether the user has any (or all) of the roles; a super role passes every check. */
export function hasRole(wanted: readonly string[], mode: Mode = "any"): boolean {
  return passes(useSession.getState().roles, requireRoles(wanted), mode, SUPER_ROLES);
}

export interface Access {
  hasPermission: (wanted: readonly string[], mode?: Mode) => boolean;
  hasRole: (wanted: readonly string[], mode?: Mode) => boolean;
}

/** The same checks, re-rendering the component when the session changes. */
export function useAccess(): Access {
  const permissions = useSession((s) => s.permissions);
  const roles = useSession((s) => s.roles);
  return {
    hasPermission: (wanted, mode = "any") =>
      passes(permissions, requirePermissions(wanted), mode, [ALL_PERMISSIONS]),
    hasRole: (wanted, mode = "any") => passes(roles, requireRoles(wanted), mode, SUPER_ROLES),
  };
}

function requirePermissions(wanted: readonly string[] | undefined): readonly string[] {
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Error("请设置操作权限标签值");
  return wanted;
}

function requireRoles(wanted: readonly string[] | undefined): readonly string[] {
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Error("请设置角色权限标签值");
  return wanted;
}
