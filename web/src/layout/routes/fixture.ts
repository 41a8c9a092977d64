import type { MenuItem } from "@/kernel/session";

/** A menu as the server sends it, with what a test does not care about filled in. */
export function menu(path: string, name: string, rest: Partial<MenuItem> = {}): MenuItem {
  return {
    id: 1,
    parentId: 0,
    name,
    path,
    component: null,
    componentName: null,
    icon: "",
    visible: true,
    keepAlive: true,
    alwaysShow: true,
    children: null,
    ...rest,
  };
}

/** System management as the family ships it, a link, an embedded page and a hidden folder. */
export const sampleMenus: MenuItem[] = [
  menu("/system", "系统管理", {
    icon: "ep:tools",
    children: [
      menu("user", "用户管理", { component: "system/user/index", componentName: "SystemUser" }),
      menu("dict", "字典管理", { component: "system/dict/index", keepAlive: false }),
      menu("secret", "隐藏页", { component: "system/secret/index", visible: false }),
      menu("messages", "消息中心", {
        children: [menu("mail", "邮箱管理", { component: "system/mail/index" })],
      }),
    ],
  }),
  menu("/infra", "基础设施", {
    children: [
      menu("job", "定时任务", { component: "infra/job/index" }),
      menu("swagger", "API 接口", { component: "https://docs.example.org/api" }),
      menu("https://example.org/help", "帮助中心"),
    ],
  }),
  menu("/withdrawal", "退学申请", {
    visible: false,
    children: [menu("student/withdrawal", "退学申请", { component: "student/withdrawal" })],
  }),
];
