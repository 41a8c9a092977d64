import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus and of the declared routes. */
export const pages: PageRegistry = {
  "infra/config/index": () => import("./config"),
  "infra/file/index": () => import("./file"),
  "infra/job-run/index": () => import("./job/RunPage"),
  "infra/job/index": () => import("./job/JobPage"),
  "job/log": () => import("./job/JobLogPage"),
};
