import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import DeptPage from "./dept/DeptPage";
import MenuPage from "./menu/MenuPage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

const base = { sort: 0, status: 0, version: 1, createTime: 1795240920000 };
const depts = [
  { ...base, id: 1, name: "青岚大学", parentId: 0, leaderUserId: 0, phone: "", email: "" },
  { ...base, id: 3, name: "信息学院", parentId: 1, leaderUserId: 0, phone: "0532", email: "" },
  { ...base, id: 5, name: "软件系", parentId: 3, leaderUserId: 0, phone: "", email: "" },
];
const menu = { ...base, nameEn: "", permission: "", icon: "", component: "", componentName: "" };
const flags = { visible: true, keepAlive: true, alwaysShow: true };
const menus = [
  { ...menu, ...flags, id: 1, name: "系统管理", type: 1, parentId: 0, path: "/system" },
  {
    ...menu,
    ...flags,
    id: 2,
    name: "用户管理",
    type: 2,
    parentId: 1,
    path: "user",
    component: "system/user/index",
  },
];

beforeEach(() => {
  signInAs();
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_menu_type: { 1: "目录", 2: "菜单", 3: "按钮" },
  });
  server.use(
    http.get(api("/system/dept/list"), () => ok(depts)),
    http.get(api("/system/menu/list"), () => ok(menus)),
    http.get(api("/system/user/simple-list"), () => ok([])),
    http.get(api("/system/menu/get"), ({ request }) => {
      const id = Number(new URL(request.url).searchParams.get("id"));
      return ok(menus.find((row) => row.id === id));
    }),
  );
});

function create(path: string): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http.post(api(path), async ({ request }) => {
      bodies.push(await request.json());
      return ok(9);
    }),
  );
  return bodies;
}

describe("departments", () => {
  test("fold and unfold by key, button and all at once", async () => {
    renderPage(<DeptPage />);
    const table = await screen.findByRole("region", { name: "部门树" });
    await screen.findByText("信息学院");
    expect(screen.queryByText("软件系")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "展开 信息学院" }));
    await screen.findByText("软件系");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowLeft"]) fireEvent.keyDown(table, { key });
    await waitFor(() => expect(screen.queryByText("软件系")).toBeNull());
    fireEvent.keyDown(table, { key: "ArrowRight" });
    await screen.findByText("软件系");
    fireEvent.click(screen.getByRole("button", { name: "全部收起" }));
    await waitFor(() => expect(screen.queryByText("信息学院")).toBeNull());
  });

  test("a new one below another starts with it as its parent", async () => {
    const bodies = create("/system/dept/create");
    const user = userEvent.setup({ delay: null });
    renderPage(<DeptPage />);
    await user.click(await screen.findByRole("button", { name: "新增下级 信息学院" }));
    const drawer = await screen.findByRole("dialog");
    fireEvent.change(within(drawer).getByLabelText(/部门名称/), { target: { value: "网络系" } });
    await user.click(within(drawer).getByRole("button", { name: "新建部门" }));
    await screen.findByText("已新建部门");
    expect(bodies[0]).toMatchObject({ name: "网络系", parentId: 3, status: 0, sort: 0 });
  });

  test("one with others below cannot be deleted and says why", async () => {
    renderPage(<DeptPage />);
    const button = await screen.findByRole("button", { name: "删除 青岚大学（请先删除或移走下级部门）" });
    fireEvent.click(button);
    await screen.findByText("请先删除或移走下级部门");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("on a phone they are indented cards", async () => {
    const narrow = { matches: true, addEventListener() {}, removeEventListener() {} };
    vi.spyOn(window, "matchMedia").mockReturnValue(narrow as unknown as MediaQueryList);
    renderPage(<DeptPage />);
    const list = await screen.findByRole("list", { name: "部门树" });
    const [top, below] = within(list).getAllByRole("listitem");
    const indent = (item: HTMLElement | undefined) =>
      Number.parseInt(item?.style.marginInlineStart ?? "", 10);
    expect([indent(top), indent(below)]).toEqual([0, 16]);
    within(below as HTMLElement).getByText("0532");
  });

  test("filters stand in the address and open the whole tree", async () => {
    const { router } = renderPage(<DeptPage />, "/?name=%E8%BD%AF");
    await screen.findByText("软件系");
    fireEvent.click(screen.getByRole("button", { name: "重置" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });
});

describe("menus", () => {
  async function edit(name: string) {
    const user = userEvent.setup({ delay: null });
    renderPage(<MenuPage />);
    await user.click(await screen.findByRole("button", { name }));
    const drawer = await screen.findByRole("dialog");
    await within(drawer).findByLabelText(/菜单名称/);
    return { user, drawer };
  }

  test("the kind decides which fields there are", async () => {
    const { user, drawer } = await edit("编辑 用户管理");
    within(drawer).getByLabelText(/组件路径/);
    within(drawer).getByLabelText(/是否缓存/);
    await user.click(within(drawer).getByText("按钮"));
    for (const field of [/组件路径/, /路由地址/, /菜单图标/, /是否缓存/]) {
      expect(within(drawer).queryByLabelText(field)).toBeNull();
    }
    within(drawer).getByLabelText(/权限标识/);
    await user.click(within(drawer).getByText("目录"));
    expect(within(drawer).queryByLabelText(/权限标识/)).toBeNull();
    within(drawer).getByLabelText(/路由地址/);
  });

  test("below a page comes a button; saving tells how others see it", async () => {
    const bodies = create("/system/menu/create");
    const { user, drawer } = await edit("新增下级 用户管理");
    fireEvent.change(within(drawer).getByLabelText(/菜单名称/), { target: { value: "冻结" } });
    fireEvent.change(within(drawer).getByLabelText(/权限标识/), { target: { value: "system:user:freeze" } });
    await user.click(within(drawer).getByRole("button", { name: "新建菜单" }));
    await screen.findByText("菜单已修改。已登录的用户刷新页面后生效。");
    expect(bodies[0]).toEqual({
      type: 3,
      parentId: 2,
      name: "冻结",
      nameEn: "",
      permission: "system:user:freeze",
      sort: 0,
      status: 0,
    });
    let asked = 0;
    server.use(
      http.get(api("/system/auth/get-permission-info"), () => {
        asked += 1;
        return ok({ user: { id: 1, type: 2 }, roles: ["a"], permissions: ["*:*:*"], menus: [] });
      }),
      http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
    );
    await user.click(screen.getByRole("button", { name: "刷新我的菜单" }));
    await screen.findByText("菜单已刷新");
    expect(asked).toBe(1);
    expect(screen.queryByText(/菜单已修改/)).toBeNull();
  });

  test("an icon is chosen from those that come with the product", async () => {
    const { user, drawer } = await edit("编辑 用户管理");
    await user.click(within(drawer).getByLabelText(/菜单图标/));
    const search = await screen.findByRole("searchbox", { name: "按名称查找图标" });
    fireEvent.change(search, { target: { value: "ep:box" } });
    await user.click(await screen.findByRole("button", { name: "ep:box" }));
    within(drawer).getByText("ep:box");
    await user.click(within(drawer).getByRole("button", { name: "清除" }));
    within(drawer).getByText("选择图标");
  });

  test("addresses are shown whole", async () => {
    renderPage(<MenuPage />);
    await screen.findByText("/system/user");
  });
});
