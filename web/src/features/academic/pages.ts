import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus. */
export const pages: PageRegistry = {
  "academic/student/index": () => import("./student"),
  "academic/advisor/index": () => import("./advisor"),
  "academic/supervision/index": () => import("./supervision"),
  "academic/major/index": () => import("./major"),
  "academic/semester/index": () => import("./semester"),
};
