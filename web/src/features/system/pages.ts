import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus and of the declared routes. */
export const pages: PageRegistry = {
  "system/dict/index": () => import("./dict/DictTypePage"),
  "dict/type/data": () => import("./dict/DictDataPage"),
  "system/notify/template/index": () => import("./notify/template"),
  "system/notify/message/index": () => import("./notify/message"),
  "user/notify-message": () => import("./notify/MyMessagesPage"),
  "system/notice/index": () => import("./notice/NoticePage"),
  "user/system-notice": () => import("./notice/ReadNoticesPage"),
  "system/operatelog/index": () => import("./log/OperateLogPage"),
  "system/systemConfig/index": () => import("./site/SitePage"),
};
