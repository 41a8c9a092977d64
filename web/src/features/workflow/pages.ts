import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus. */
export const pages: PageRegistry = {
  "bpm/model/index": () => import("./model/ModelPage"),
  "bpm/model/editor/index": () => import("./designer/DesignerPage"),
  "bpm/definition/index": () => import("./model/DefinitionPage"),
  "bpm/processInstance/detail/index": () => import("./instance/DetailPage"),
  "bpm/processInstance/manager/index": () => import("./operate/InstancePage"),
  "bpm/task/manager/index": () => import("./operate/TaskPage"),
  "bpm/incident/index": () => import("./operate/IncidentPage"),
  "bpm/migration/index": () => import("./operate/migration/MigrationPage"),
  "bpm/statistics/index": () => import("./operate/statistics/StatisticsPage"),
  "bpm/form/index": () => import("./form/FormPage"),
  "bpm/form/editor/index": () => import("./form/EditorPage"),
  "bpm/processInstance/create/index": () => import("./process/start/StartPage"),
  "bpm/processInstance/index": () => import("./process/MinePage"),
  "bpm/task/todo/index": () => import("./process/TodoPage"),
  "bpm/task/done/index": () => import("./process/DonePage"),
  "bpm/task/copy/index": () => import("./process/CopyPage"),
  "bpm/oa/leave/index": () => import("./leave/LeavePage"),
  "bpm/oa/leave/create": () => import("./leave/LeaveCreate"),
  "bpm/oa/leave/detail": () => import("./leave/LeaveDetail"),
  "bpm/category/index": () => import("./category"),
  "bpm/group/index": () => import("./group"),
  "bpm/processListener/index": () => import("./listener"),
  "bpm/processExpression/index": () => import("./expression"),
};
