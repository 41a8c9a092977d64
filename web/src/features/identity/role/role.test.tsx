import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import RolePage from "./RolePage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

const role = {
  id: 20,
  name: "教务",
  code: "edu",
  sort: 1,
  status: 0,
  type: 2,
  remark: "",
  dataScope: 1,
  dataScopeDeptIds: [],
  version: 1,
  createTime: 1795240920000,
};
const builtIn = { ...role, id: 2, name: "租户管理员", code: "tenant_admin", type: 1 };
const fixed = { ...role, id: 1, name: "超级管理员", code: "super_admin", type: 1 };

// 系统 ─ 用户 ─ 新增, 删除
const menus = [
  { id: 1, name: "系统", parentId: 0, type: 1 },
  { id: 2, name: "用户", parentId: 1, type: 2 },
  { id: 3, name: "新增用户", parentId: 2, type: 3 },
  { id: 4, name: "删除用户", parentId: 2, type: 3 },
];

let saved: unknown[];

beforeEach(() => {
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_menu_type: { 1: "目录", 2: "菜单", 3: "按钮" },
    system_data_scope: { 1: "全部", 2: "指定部门", 5: "仅本人" },
  });
  saved = [];
  server.use(
    http.get(api("/system/role/page"), () => ok({ list: [role, builtIn, fixed], total: 3 })),
    http.get(api("/system/menu/simple-list"), () => ok(menus)),
    http.get(api("/system/role/simple-list"), () => ok([{ id: 30, name: "我的角色", code: "mine" }])),
    http.get(api("/system/permission/list-role-menus"), ({ request }) => {
      const mine = new URL(request.url).searchParams.get("roleId") === "30";
      return ok(mine ? [1, 2, 3] : [1, 2, 4]);
    }),
    http.post(api("/system/permission/:call"), async ({ request }) => {
      saved.push(await request.json());
      return ok(true);
    }),
    http.get(api("/system/dept/simple-list"), () =>
      ok([
        { id: 1, name: "青岚大学", parentId: 0 },
        { id: 3, name: "信息学院", parentId: 1 },
      ]),
    ),
  );
});

async function show() {
  const user = userEvent.setup({ delay: null });
  renderPage(<RolePage />);
  await screen.findByText("edu");
  return user;
}

const box = (dialog: HTMLElement, name: string) =>
  within(dialog)
    .getByText(name)
    .closest(".ant-tree-treenode")
    ?.querySelector(".ant-tree-checkbox") as Element;

describe("the menus of a role", () => {
  async function open(permissions: string[], roles: string[]) {
    signInAs({ permissions, roles });
    const user = await show();
    await user.click(screen.getByRole("button", { name: "菜单权限 教务" }));
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByText(/已选 3 \/ 4/);
    await user.click(within(dialog).getByRole("button", { name: "全部展开" }));
    return { user, dialog };
  }
  const held = ["system:role:query", "system:permission:assign-role-menu"];

  test("what the user does not hold is shown and locked, and keeps its mark", async () => {
    const { user, dialog } = await open(held, ["mine"]);
    within(dialog).getByText(/带锁的项是您自己没有的权限/);
    expect(box(dialog, "删除用户").className).toContain("disabled");
    expect(box(dialog, "删除用户").className).toContain("checked");
    expect(box(dialog, "新增用户").className).not.toContain("disabled");
    await user.click(within(dialog).getByRole("button", { name: "全不选" }));
    // The locked button keeps what it stands under.
    within(dialog).getByText(/已选 3 \/ 4/);
    await user.click(box(dialog, "新增用户"));
    await user.click(within(dialog).getByRole("button", { name: "保存菜单权限" }));
    await screen.findByText("已更新「教务」的菜单权限");
    expect(saved).toEqual([{ roleId: 20, menuIds: [1, 2, 3, 4] }]);
  });

  test("who holds everything may give everything", async () => {
    const { user, dialog } = await open(["*:*:*"], ["super_admin"]);
    expect(within(dialog).queryByText(/带锁的项/)).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "全不选" }));
    await user.click(within(dialog).getByRole("button", { name: "保存菜单权限" }));
    await screen.findByText("已更新「教务」的菜单权限");
    expect(saved).toEqual([{ roleId: 20, menuIds: [] }]);
  });

  test("a search shows what it finds with the way to it", async () => {
    const { dialog } = await open(["*:*:*"], ["super_admin"]);
    const search = within(dialog).getByRole("searchbox", { name: "在菜单权限中查找" });
    fireEvent.change(search, { target: { value: "新增" } });
    await waitFor(() => expect(within(dialog).queryByText("删除用户")).toBeNull());
    within(dialog).getByText("用户");
    fireEvent.change(search, { target: { value: "不存在" } });
    await within(dialog).findByText("没有名称包含“不存在”的项");
  });

  test("a refusal names its reason and keeps the choice", async () => {
    const { user, dialog } = await open(["*:*:*"], ["super_admin"]);
    server.use(
      http.post(api("/system/permission/assign-role-menu"), () => failure(1002002903, "您没有“导出”权限")),
    );
    await user.click(within(dialog).getByRole("button", { name: "保存菜单权限" }));
    await within(dialog).findByText("您没有“导出”权限");
  });
});

describe("the data scope of a role", () => {
  test("chosen departments need at least one", async () => {
    signInAs();
    const user = await show();
    await user.click(screen.getByRole("button", { name: "更多 教务" }));
    await user.click(await screen.findByRole("menuitem", { name: "数据权限" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: /指定部门/ }));
    await within(dialog).findByText("青岚大学");
    await user.click(within(dialog).getByRole("button", { name: "保存数据权限" }));
    await within(dialog).findByText("请至少选择一个部门");
    await user.click(box(dialog, "青岚大学"));
    await user.click(within(dialog).getByRole("button", { name: "保存数据权限" }));
    await screen.findByText("已更新「教务」的数据权限");
    expect(saved).toEqual([{ roleId: 20, dataScope: 2, dataScopeDeptIds: [1, 3] }]);
  });
});

test("built-in roles are locked and say why; their menus may change unless they are fixed", async () => {
  signInAs();
  await show();
  const edit = screen.getByRole("button", { name: "编辑 租户管理员（内置角色不能修改或删除）" });
  expect(edit.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(edit);
  await screen.findByText("内置角色不能修改或删除");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(
    screen.getByRole("button", { name: "菜单权限 租户管理员" }).getAttribute("aria-disabled"),
  ).toBeNull();
  expect(
    screen
      .getByRole("button", { name: "菜单权限 超级管理员（该角色的权限由系统固定）" })
      .getAttribute("aria-disabled"),
  ).toBe("true");
});
