import type { ReactNode } from "react";
import { type Mode, useAccess } from "./access";

interface Props {
  value: readonly string[];
  mode?: Mode;
  children: ReactNode;
}

/** Renders its children only when the permission check passes. */
export function IfPermission({ value, mode, children }: Props) {
  const access = useAccess();
  return access.hasPermission(value, mode) ? children : null;
}

/** Renders its children only when the role check passes. */
export function IfRole({ value, mode, children }: Props) {
  const access = useAccess();
  return access.hasRole(value, mode) ? children : null;
}
