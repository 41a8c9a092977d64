import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus and of the declared routes. */
export const pages: PageRegistry = {
  "system/user/index": () => import("./user/UserPage"),
  "system/role/index": () => import("./role/RolePage"),
  "system/menu/index": () => import("./menu/MenuPage"),
  "system/dept/index": () => import("./dept/DeptPage"),
  "system/post/index": () => import("./post"),
  "system/tenant/index": () => import("./tenant/TenantPage"),
  "system/tenantPackage/index": () => import("./tenant/packages"),
  "system/loginlog/index": () => import("./loginlog"),
  "system/oauth2/token/index": () => import("./session/SessionPage"),
  "user/profile": () => import("./profile/ProfilePage"),
};
