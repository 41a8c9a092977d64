import { beforeEach } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import DeptPage from "./dept/DeptPage";
import LoginLogPage from "./loginlog";
import MenuPage from "./menu/MenuPage";
import PostPage from "./post";
import RolePage from "./role/RolePage";
import SessionPage from "./session/SessionPage";
import PackagePage from "./tenant/packages";
import TenantPage from "./tenant/TenantPage";
import UserPage from "./user/UserPage";

const base = { id: 7, status: 0, sort: 1, version: 1, createTime: 1795240920000 };
const agent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36";

const cases: ListPageCase[] = [
  {
    name: "users",
    Page: UserPage,
    path: "/system/user/page",
    row: { ...base, username: "zhangsan", nickname: "张三", type: 2, deptName: "信息学院", postIds: [] },
    shows: "zhangsan",
    query: "system:user:query",
    buttons: ["新建用户", "导入", "导出", "编辑 张三", "分配角色 张三"],
    forbidden: "您没有查看用户的权限",
    empty: "还没有用户",
  },
  {
    name: "roles",
    Page: RolePage,
    path: "/system/role/page",
    row: { ...base, name: "秘书", code: "sec", type: 2, dataScope: 1 },
    shows: "sec",
    query: "system:role:query",
    buttons: ["新建角色", "导出", "编辑 秘书", "菜单权限 秘书"],
    forbidden: "您没有查看角色的权限",
    empty: "还没有角色",
  },
  {
    name: "menus",
    Page: MenuPage,
    path: "/system/menu/list",
    whole: true,
    row: { ...base, name: "用户管理", type: 2, parentId: 0, path: "/user", icon: "", visible: true },
    shows: "用户管理",
    query: "system:menu:query",
    buttons: ["新建菜单", "新增下级 用户管理", "编辑 用户管理", "删除 用户管理"],
    forbidden: "您没有查看菜单的权限",
    empty: "还没有菜单",
  },
  {
    name: "departments",
    Page: DeptPage,
    path: "/system/dept/list",
    whole: true,
    row: { ...base, name: "信息学院", parentId: 0, leaderUserId: 0, phone: "", email: "" },
    shows: "信息学院",
    query: "system:dept:query",
    buttons: ["新建部门", "新增下级 信息学院", "编辑 信息学院", "删除 信息学院"],
    forbidden: "您没有查看部门的权限",
    empty: "还没有部门",
  },
  {
    name: "posts",
    Page: PostPage,
    path: "/system/post/page",
    row: { ...base, name: "教务员", code: "JWY" },
    shows: "JWY",
    query: "system:post:query",
    buttons: ["新建岗位", "导出", "编辑 教务员", "删除 教务员"],
    forbidden: "您没有查看岗位的权限",
    empty: "还没有岗位",
  },
  {
    name: "tenants",
    Page: TenantPage,
    path: "/system/tenant/page",
    row: {
      ...base,
      name: "青岚大学",
      contactName: "李",
      packageId: 3,
      expireTime: 4000000000000,
      websites: [],
    },
    shows: "青岚大学",
    query: "system:tenant:query",
    buttons: ["新建租户", "导出", "编辑 青岚大学", "删除 青岚大学"],
    forbidden: "您没有查看租户的权限",
    empty: "还没有租户",
  },
  {
    name: "packages",
    Page: PackagePage,
    path: "/system/tenant-package/page",
    row: { ...base, name: "标准套餐", remark: "", menuIds: [1, 2, 3] },
    shows: "3 项",
    query: "system:tenant-package:query",
    buttons: ["新建租户套餐", "编辑 标准套餐", "删除 标准套餐"],
    forbidden: "您没有查看租户套餐的权限",
    empty: "还没有租户套餐",
  },
  {
    name: "sign-in log",
    Page: LoginLogPage,
    path: "/system/login-log/page",
    row: { ...base, username: "zhangsan", logType: 100, result: 10, userIp: "10.0.0.9", userAgent: agent },
    shows: "Chrome 140 · Linux",
    query: "system:login-log:query",
    buttons: ["导出"],
    forbidden: "您没有查看登录日志的权限",
    empty: "还没有登录日志",
  },
  {
    name: "sessions",
    Page: SessionPage,
    path: "/system/oauth2-token/page",
    row: { ...base, accessToken: "7", username: "zhangsan", nickname: "张三", userType: 2, userAgent: agent },
    shows: "Chrome 140 · Linux",
    query: "system:oauth2-token:page",
    buttons: ["强制下线 张三"],
    forbidden: "您没有查看在线会话的权限",
    empty: "还没有在线会话",
  },
];

beforeEach(() => {
  signInAs();
  server.use(
    http.get(api("/system/post/simple-list"), () => ok([])),
    http.get(api("/system/dept/simple-list"), () => ok([{ id: 3, name: "信息学院", parentId: 0 }])),
    http.get(api("/system/role/simple-list"), () => ok([])),
    http.get(api("/system/tenant-package/simple-list"), () => ok([{ id: 3, name: "标准套餐" }])),
  );
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_menu_type: { 1: "目录", 2: "菜单", 3: "按钮" },
    user_type: { 1: "学生", 2: "教师" },
  });
});

describeListPages(cases);
