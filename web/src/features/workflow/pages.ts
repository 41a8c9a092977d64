import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus. */
export const pages: PageRegistry = {
  "bpm/model/index": () => import("./model/ModelPage"),
  "bpm/definition/index": () => import("./model/DefinitionPage"),
  "bpm/form/index": () => import("./form"),
  "bpm/category/index": () => import("./category"),
  "bpm/group/index": () => import("./group"),
  "bpm/processListener/index": () => import("./listener"),
  "bpm/processExpression/index": () => import("./expression"),
};
