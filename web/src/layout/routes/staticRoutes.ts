import { type AppRoute, homePath, route } from "./types";

/** Routes that exist without a menu. Titles are keys of the layout's texts. */
export const staticRoutes: readonly AppRoute[] = [
  route(homePath, {
    name: "Index",
    title: "page.home",
    icon: "ep:home-filled",
    component: "index",
    affix: true,
  }),
  page("/user/profile", "Profile", "page.profile", "user/profile"),
  page("/user/notify-message", "MyNotifyMessage", "page.notifyMessage", "user/notify-message"),
  page("/user/system-notice", "SystemNotice", "page.systemNotice", "user/system-notice"),
  page("/dict/type/data/:dictId", "SystemDictData", "page.dictData", "dict/type/data", "/system/dict"),
  page("/job/log", "InfraJobLog", "page.jobLog", "job/log", "/infra/job"),
  page("/codegen/edit/:tableId", "InfraCodegenEdit", "page.codegenEdit", "codegen/edit", "/infra/codegen"),
  page("/thesisCockpit", "ThesisCockpit", "page.thesisCockpit", "thesisCockpit"),
  page("/academicCockpit", "AcademicCockpit", "page.academicCockpit", "academicCockpit"),
  page("/supplementary", "Supplementary", "page.supplementary", "supplementary"),
  page("/bpm/manager/form", "BpmForm", "page.bpmForm", "bpm/manager/form"),
];

function page(
  path: string,
  name: string,
  title: string,
  component: string,
  activeMenu: string | null = null,
): AppRoute {
  return route(path, { name, title, component, activeMenu, hidden: true });
}

/** Parameters that must be whole numbers; anything else is an unknown address. */
export const numericParams: ReadonlySet<string> = new Set(["dictId", "tableId"]);
