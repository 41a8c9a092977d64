import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import ProfilePage from "./ProfilePage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

const profile = {
  id: 1,
  username: "zhangsan",
  nickname: "张三",
  type: 2,
  email: "a@b.edu",
  mobile: "",
  sex: 0,
  avatar: "",
  introduction: "",
  loginIp: "10.0.0.9",
  loginDate: 1795240920000,
  createTime: 1795240920000,
  roles: [{ id: 5, name: "教师" }],
  dept: { id: 3, name: "信息学院" },
  posts: [],
};

const sessions = [
  {
    id: 1,
    userIp: "10.0.0.1",
    userAgent: "",
    createTime: 1,
    lastTime: Date.now(),
    expiresTime: 2,
    current: true,
  },
  { id: 2, userIp: "10.0.0.2", userAgent: "", createTime: 1, lastTime: 2, expiresTime: 2, current: false },
  { id: 3, userIp: "10.0.0.3", userAgent: "", createTime: 1, lastTime: 2, expiresTime: 2, current: false },
];

let updates: unknown[];

beforeEach(() => {
  signInAs();
  fillDicts({ system_user_sex: { 1: "男", 2: "女" }, user_type: { 2: "教师" } });
  updates = [];
  server.use(
    http.get(api("/system/user/profile/get"), () => ok(profile)),
    http.put(api("/system/user/profile/update"), async ({ request }) => {
      updates.push(await request.json());
      return ok(true);
    }),
    http.get(api("/system/auth/get-permission-info"), () =>
      ok({ user: { id: 1, nickname: "张三丰", type: 2 }, roles: ["a"], permissions: [], menus: [] }),
    ),
    http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
  );
});

async function show(address = "/") {
  const user = userEvent.setup({ delay: null });
  const view = renderPage(<ProfilePage />, address);
  await screen.findByRole("heading", { name: "张三" });
  return { user, ...view };
}

test("shows who one is, and is accessible", async () => {
  const { container } = await show();
  const card = screen.getByRole("region", { name: "我的名片" });
  for (const text of ["zhangsan", "信息学院", "教师", "10.0.0.9"]) within(card).getAllByText(text);
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
});

test("a failed load says so and tries again", async () => {
  server.use(http.get(api("/system/user/profile/get"), () => failure(500, "系统异常，编号 7")));
  renderPage(<ProfilePage />);
  await screen.findByText("系统异常，编号 7");
  server.use(http.get(api("/system/user/profile/get"), () => ok(profile)));
  fireEvent.click(screen.getByRole("button", { name: "重试" }));
  await screen.findByRole("heading", { name: "张三" });
});

describe("own data", () => {
  test("is checked, saved, and renews the frame", async () => {
    const { user } = await show();
    const mobile = screen.getByLabelText(/手机号码/);
    fireEvent.change(mobile, { target: { value: "123" } });
    fireEvent.blur(mobile);
    await screen.findByText(/手机号码应为 11 位数字/);
    fireEvent.change(mobile, { target: { value: "13800000000" } });
    fireEvent.change(screen.getByLabelText(/姓名/), { target: { value: "张三丰" } });
    await user.click(screen.getByRole("button", { name: "保存资料" }));
    await screen.findByText("资料已保存");
    expect(updates).toEqual([
      { nickname: "张三丰", mobile: "13800000000", email: "a@b.edu", sex: 0, introduction: "" },
    ]);
  });

  test("a refusal lands on its field", async () => {
    server.use(
      http.put(api("/system/user/profile/update"), () =>
        failure(1002003001, "手机号已经存在", { fields: [{ name: "mobile", message: "手机号已经存在" }] }),
      ),
    );
    const { user } = await show();
    await user.click(screen.getByRole("button", { name: "保存资料" }));
    const item = (await screen.findByText("手机号已经存在")).closest(".ant-form-item");
    expect(item?.querySelector("input")).toBe(screen.getByLabelText(/手机号码/));
  });
});

describe("the password", () => {
  async function change() {
    const { user, router } = await show("/?tab=password");
    const put = (label: RegExp, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    put(/原密码/, "old-one");
    put(/新密码/, "correct horse");
    put(/再次输入密码/, "correct horse");
    await user.click(screen.getByRole("button", { name: "修改密码" }));
    return router;
  }

  test("is changed, then the devices are shown", async () => {
    const bodies: unknown[] = [];
    server.use(
      http.put(api("/system/user/profile/update-password"), async ({ request }) => {
        bodies.push(await request.json());
        return ok(true);
      }),
      http.get(api("/system/user/profile/sessions"), () => ok(sessions)),
    );
    const router = await change();
    await screen.findByText("密码已修改，其他设备已退出登录");
    expect(bodies).toEqual([{ oldPassword: "old-one", newPassword: "correct horse" }]);
    await waitFor(() => expect(router.state.location.search).toBe("?tab=sessions"));
  });

  test("a wrong old one is told at its field", async () => {
    server.use(
      http.put(api("/system/user/profile/update-password"), () =>
        failure(1002003005, "原密码不正确", { fields: [{ name: "oldPassword", message: "原密码不正确" }] }),
      ),
    );
    await change();
    const item = (await screen.findByText("原密码不正确")).closest(".ant-form-item");
    expect(item?.querySelector("input")).toBe(screen.getByLabelText(/原密码/));
  });
});

test("other devices are ended one by one or all at once, this one is not", async () => {
  const ended: (string | null)[] = [];
  server.use(
    http.get(api("/system/user/profile/sessions"), () => ok(sessions)),
    http.delete(api("/system/user/profile/sessions"), ({ request }) => {
      ended.push(new URL(request.url).searchParams.get("id"));
      return ok(true);
    }),
  );
  const { user } = await show("/?tab=sessions");
  const list = await screen.findByRole("list", { name: "登录设备" });
  const [here, other] = within(list).getAllByRole("listitem");
  within(here as HTMLElement).getByText("本设备");
  expect(within(here as HTMLElement).queryByRole("button")).toBeNull();
  await user.click(within(other as HTMLElement).getByRole("button", { name: "强制下线" }));
  let question = (await screen.findByText("确认让该设备下线吗？")).closest(".ant-modal") as HTMLElement;
  await user.click(within(question).getByRole("button", { name: "强制下线" }));
  await waitFor(() => expect(ended).toEqual(["2"]));
  await user.click(screen.getByRole("button", { name: "下线其他所有设备" }));
  question = (await screen.findByText("确认让其他所有设备下线吗？")).closest(".ant-modal") as HTMLElement;
  await user.click(within(question).getByRole("button", { name: "强制下线" }));
  await waitFor(() => expect(ended).toEqual(["2", null]));
});

describe("the picture", () => {
  const choose = async (user: ReturnType<typeof userEvent.setup>, file: File) =>
    user.upload(screen.getByLabelText("更换头像", { selector: "input" }), file);

  test("of a wrong kind is refused before anything is sent", async () => {
    const { user } = await show();
    const input = screen.getByLabelText<HTMLInputElement>("更换头像", { selector: "input" });
    input.removeAttribute("accept");
    await choose(user, new File(["x"], "me.bmp", { type: "image/bmp" }));
    await screen.findByText(/您选择的是 .bmp/);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("is previewed as a square, uploaded, and kept by its id", async () => {
    server.use(
      http.post(api("/infra/file/upload-begin"), () => ok({ uploadId: "u1", offset: 0, chunkSize: 10 })),
      http.put(api("/infra/file/upload-chunk"), () => ok({ offset: 3 })),
      http.post(api("/infra/file/upload-finish"), () => ok({ id: 88, name: "me.png", size: 3 })),
    );
    const { user } = await show();
    await choose(user, new File(["abc"], "me.png", { type: "image/png" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getAllByRole("img", { name: /像素的头像预览/ })).toHaveLength(3);
    await user.click(within(dialog).getByRole("button", { name: "使用这张图片" }));
    await screen.findByText("头像已更换");
    expect(updates).toEqual([{ avatar: "88" }]);
  });
});
