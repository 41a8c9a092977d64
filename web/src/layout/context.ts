import { createContext, useContext } from "react";
import type { RouteMatch } from "./routes/resolve";
import type { AppRoute, PageRegistry } from "./routes/types";

export interface ShellValue {
  routes: readonly AppRoute[];
  pages: PageRegistry;
  /** The route of the address shown now; null for an address nobody knows. */
  match: RouteMatch | null;
}

export const ShellContext = createContext<ShellValue>({ routes: [], pages: {}, match: null });

export function useShell(): ShellValue {
  return useContext(ShellContext);
}
