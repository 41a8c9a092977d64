import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import UserPage from "./UserPage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

/** An offered choice; screen readers get a second copy of it. */
const option = ".ant-select-item-option-content";

const zhang = {
  id: 12,
  username: "zhangsan",
  nickname: "张三",
  type: 2,
  deptId: 3,
  deptName: "信息学院",
  postIds: [],
  email: "",
  mobile: "",
  sex: 1,
  avatar: "",
  status: 0,
  version: 1,
  createTime: 1795240920000,
};
const me = { ...zhang, id: 1, username: "admin", nickname: "管理员" };
const roles = [
  { id: 5, name: "督导", code: "inspector" },
  { id: 6, name: "财务", code: "finance" },
  { id: 9, name: "学生", code: "student" },
];

let queries: URLSearchParams[];

beforeEach(() => {
  signInAs();
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    user_type: { 1: "学生", 2: "教师" },
    system_user_sex: { 1: "男", 2: "女" },
  });
  queries = [];
  server.use(
    http.get(api("/system/user/page"), ({ request }) => {
      queries.push(new URL(request.url).searchParams);
      return ok({ list: [zhang, me], total: 2 });
    }),
    http.get(api("/system/dept/simple-list"), () =>
      ok([
        { id: 1, name: "青岚大学", parentId: 0 },
        { id: 3, name: "信息学院", parentId: 1 },
        { id: 4, name: "文学院", parentId: 1 },
      ]),
    ),
    http.get(api("/system/post/simple-list"), () => ok([{ id: 2, name: "讲师" }])),
    http.get(api("/system/role/simple-list"), () => ok(roles)),
  );
});

async function show() {
  const user = userEvent.setup({ delay: null });
  const view = renderPage(<UserPage />);
  await screen.findByText("zhangsan");
  return { user, ...view };
}

/** Records the bodies of a call and answers it. */
function record(method: "post" | "put", path: string, answer: () => ReturnType<typeof ok>): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](api(path), async ({ request }) => {
      bodies.push(await request.json());
      return answer();
    }),
  );
  return bodies;
}

test("a department chosen at the left filters the list and stands in the address", async () => {
  const { user, router } = await show();
  const tree = await screen.findByRole("complementary", { name: "部门" });
  await user.click(await within(tree).findByText("文学院"));
  await waitFor(() => expect(queries.at(-1)?.get("deptId")).toBe("4"));
  expect(router.state.location.search).toBe("?deptId=4");
  await user.type(within(tree).getByRole("searchbox", { name: "查找部门" }), "信息");
  await waitFor(() => expect(within(tree).queryByText("文学院")).toBeNull());
  within(tree).getByText("青岚大学");
});

describe("a new account", () => {
  async function fill() {
    const { user } = await show();
    await user.click(screen.getByRole("button", { name: "新建用户" }));
    const drawer = await screen.findByRole("dialog");
    const put = (label: RegExp, value: string) =>
      fireEvent.change(within(drawer).getByLabelText(label), { target: { value } });
    put(/登录账号/, "lisi2026");
    put(/姓名/, "李四");
    put(/初始密码/, "correct horse");
    put(/再次输入密码/, "correct horse");
    fireEvent.mouseDown(within(drawer).getByLabelText(/角色/));
    await user.click(await screen.findByText("督导", { selector: `${option}, ${option} *` }));
    expect(screen.queryByText("学生", { selector: ".ant-select-item-option-content *" })).toBeNull();
    return {
      user,
      drawer,
      submit: () => user.click(within(drawer).getByRole("button", { name: "新建用户" })),
    };
  }

  test("is created with its password, then gets its roles", async () => {
    const created = record("post", "/system/user/create", () => ok(77));
    const assigned = record("post", "/system/permission/assign-user-role", () => ok(true));
    const { submit } = await fill();
    await submit();
    await screen.findByText("已新建用户");
    expect(created[0]).toMatchObject({
      username: "lisi2026",
      nickname: "李四",
      password: "correct horse",
      type: 2,
    });
    expect(created[0]).not.toHaveProperty("passwordAgain");
    await waitFor(() => expect(assigned).toEqual([{ userId: 77, roleIds: [5] }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("whose roles are refused exists all the same, and that is said", async () => {
    record("post", "/system/user/create", () => ok(77));
    record("post", "/system/permission/assign-user-role", () => failure(1002002901, "您没有权限“导出”"));
    const { submit } = await fill();
    await submit();
    await screen.findByText("账号已创建，但角色未能授予：您没有权限“导出”");
  });

  test("shows a refusal of the server on its field", async () => {
    record("post", "/system/user/create", () =>
      failure(1002003000, "用户账号已经存在", {
        fields: [{ name: "username", message: "用户账号已经存在" }],
      }),
    );
    const { drawer, submit } = await fill();
    await submit();
    const item = (await within(drawer).findByText("用户账号已经存在")).closest(".ant-form-item");
    expect(item?.querySelector("input")).toBe(within(drawer).getByLabelText(/登录账号/));
  });

  test("needs a password that is not easily guessed, typed twice alike", async () => {
    const { user } = await show();
    await user.click(screen.getByRole("button", { name: "新建用户" }));
    const drawer = await screen.findByRole("dialog");
    await user.type(within(drawer).getByLabelText(/初始密码/), "12345678");
    await user.type(within(drawer).getByLabelText(/再次输入密码/), "1234");
    await user.click(within(drawer).getByRole("button", { name: "新建用户" }));
    await within(drawer).findByText("还不满足：不是连续或重复的字符");
    within(drawer).getByText("两次输入的密码不一致");
    await user.click(within(drawer).getByRole("button", { name: "生成随机密码" }));
    const first = within(drawer).getByLabelText<HTMLInputElement>(/初始密码/);
    expect(first.value).toHaveLength(14);
    expect(within(drawer).getByLabelText<HTMLInputElement>(/再次输入密码/).value).toBe(first.value);
    expect(first.type).toBe("text");
  });
});

describe("acts on an account", () => {
  const choose = async (user: ReturnType<typeof userEvent.setup>, act: string) => {
    await user.click(screen.getByRole("button", { name: "更多 张三" }));
    await user.click(await screen.findByRole("menuitem", { name: act }));
  };

  test("switching off asks first; oneself cannot be switched off", async () => {
    const bodies = record("put", "/system/user/update-status", () => ok(true));
    const { user } = await show();
    await user.click(screen.getByRole("switch", { name: /^管理员 的状态（/ }));
    expect(await screen.findByText(/不能停用自己/, { selector: ".ant-message *" })).toBeTruthy();
    expect(bodies).toEqual([]);
    await user.click(screen.getByRole("switch", { name: "张三 的状态" }));
    await screen.findByText(/确认停用「张三」吗？/);
    await user.click(screen.getByRole("button", { name: "停用" }));
    await screen.findByText("已停用 张三");
    expect(bodies).toEqual([{ id: 12, status: 1 }]);
    await waitFor(() => expect(queries.length).toBeGreaterThan(1));
  });

  test("roles are replaced as chosen", async () => {
    const bodies = record("post", "/system/permission/assign-user-role", () => ok(true));
    server.use(http.get(api("/system/permission/list-user-roles"), () => ok([6])));
    const { user } = await show();
    await user.click(screen.getByRole("button", { name: "分配角色 张三" }));
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByText("财务");
    fireEvent.mouseDown(within(dialog).getByLabelText(/角色/));
    await user.click(await screen.findByText("督导", { selector: `${option}, ${option} *` }));
    await user.click(within(dialog).getByRole("button", { name: "保存角色" }));
    await screen.findByText("已更新 张三 的角色");
    expect(bodies).toEqual([{ userId: 12, roleIds: [6, 5] }]);
  });

  test("a refused reset stays in the dialog with its reason", async () => {
    record("put", "/system/user/update-password", () => failure(1002002902, "该用户的权限高于您，不能修改"));
    const { user } = await show();
    await choose(user, "重置密码");
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "生成随机密码" }));
    await user.click(within(dialog).getByRole("button", { name: "重置密码" }));
    await within(dialog).findByText("该用户的权限高于您，不能修改");
  });

  test("sessions are listed and ended after a question", async () => {
    let list = [
      { ...zhang, id: 40, accessToken: "40", userIp: "10.0.0.9", userAgent: "", lastTime: Date.now() },
    ];
    const ended: (string | null)[] = [];
    server.use(
      http.get(api("/system/oauth2-token/page"), ({ request }) => {
        expect(new URL(request.url).searchParams.get("userId")).toBe("12");
        return ok({ list, total: list.length });
      }),
      http.delete(api("/system/oauth2-token/delete"), ({ request }) => {
        ended.push(new URL(request.url).searchParams.get("accessToken"));
        list = [];
        return ok(true);
      }),
    );
    const { user } = await show();
    await choose(user, "登录设备");
    const drawer = await screen.findByRole("dialog");
    await within(drawer).findByText("未知设备");
    await user.click(within(drawer).getByRole("button", { name: "强制下线" }));
    await screen.findByText(/确认让「张三」在该设备上下线吗？/);
    const [, confirm] = screen.getAllByRole("button", { name: "强制下线" });
    if (confirm) await user.click(confirm);
    await within(drawer).findByText("该用户目前没有登录");
    expect(ended).toEqual(["40"]);
  });
});

test("an import reports every refused row with its column", async () => {
  let sent: URLSearchParams | undefined;
  server.use(
    http.post(api("/system/user/import"), ({ request }) => {
      sent = new URL(request.url).searchParams;
      return ok({
        createUsernames: ["a1", "a2"],
        updateUsernames: [],
        failureUsernames: { b: "" },
        failures: [
          { row: 4, msg: "参数不正确", fields: [{ name: "mobile", message: "手机号码格式不正确" }] },
        ],
      });
    }),
  );
  const { user } = await show();
  await user.click(screen.getByRole("button", { name: "导入" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "开始导入" }));
  await within(dialog).findByText(/请先选择要导入的 Excel 文件/);
  await user.upload(
    within(dialog).getByLabelText("选择 Excel 文件", { selector: "input" }),
    new File(["x"], "u.xlsx"),
  );
  await user.click(within(dialog).getByRole("checkbox", { name: "账号已存在时，用文件中的内容更新" }));
  await user.click(within(dialog).getByRole("button", { name: "开始导入" }));
  await within(dialog).findByText("导入完成：新增 2 条，更新 0 条，失败 1 条");
  within(dialog).getByText("手机号码格式不正确");
  within(dialog).getByText("手机号码", { selector: "td" });
  expect(sent?.get("updateSupport")).toBe("true");
});
