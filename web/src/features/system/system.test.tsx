import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import DictDataPage from "./dict/DictDataPage";
import { changesOf } from "./log/diff";
import OperateLogPage from "./log/OperateLogPage";
import NoticePage from "./notice/NoticePage";
import ReadNoticesPage from "./notice/ReadNoticesPage";
import NotifyTemplatePage from "./notify/template";
import { fill } from "./notify/types";
import SitePage from "./site/SitePage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

/** An offered choice; screen readers get a second copy of it. */
const option = ".ant-select-item-option-content";

const base = { id: 7, status: 0, version: 1, createTime: 1795240920000 };

beforeEach(() => {
  signInAs();
  server.use(http.get(api("/system/dict-data/list-all-simple"), () => ok([])));
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_notice_type: { 1: "通知", 2: "公告" },
    system_notify_template_type: { 2: "系统消息" },
  });
});

function show(Page: ComponentType, address = "/") {
  return { user: userEvent.setup({ delay: null }), ...renderPage(<Page />, address) };
}

describe("dictionary entries", () => {
  const sex = { ...base, id: 4, name: "用户性别", type: "system_user_sex", remark: "" };
  const man = {
    ...base,
    label: "男",
    labelEn: "Male",
    value: "1",
    sort: 1,
    colorType: "primary",
    cssClass: "",
  };
  const At = () => (
    <Routes>
      <Route path="/dict/type/data/:dictId" element={<DictDataPage />} />
    </Routes>
  );
  let queries: URLSearchParams[];

  beforeEach(() => {
    queries = [];
    server.use(
      http.get(api("/system/dict-type/get"), () => ok(sex)),
      http.get(api("/system/dict-type/simple-list"), () => ok([sex])),
      http.get(api("/system/dict-data/page"), ({ request }) => {
        queries.push(new URL(request.url).searchParams);
        return ok({ list: queries.length > 1 ? [man, { ...man, id: 8 }] : [man], total: 1 });
      }),
    );
  });

  test("belong to the type of the address and are shown in their colours", async () => {
    show(At, "/dict/type/data/4");
    const label = await screen.findByText("男");
    expect(label.className).toContain("ant-tag");
    expect(queries[0]?.get("dictType")).toBe("system_user_sex");
  });

  test("new ones carry the type, and every page knows them at once", async () => {
    const bodies: unknown[] = [];
    let reloads = 0;
    server.use(
      http.post(api("/system/dict-data/create"), async ({ request }) => {
        bodies.push(await request.json());
        return ok(8);
      }),
      http.get(api("/system/dict-data/list-all-simple"), () => {
        reloads += 1;
        return ok([]);
      }),
    );
    const { user } = show(At, "/dict/type/data/4");
    await user.click(await screen.findByRole("button", { name: "新建字典数据" }));
    const drawer = await screen.findByRole("dialog");
    fireEvent.change(within(drawer).getByLabelText(/字典标签/), { target: { value: "未说明" } });
    fireEvent.change(within(drawer).getByLabelText(/字典键值/), { target: { value: "9" } });
    fireEvent.mouseDown(within(drawer).getByLabelText(/颜色类型/));
    await user.click(await screen.findByText("警告", { selector: `${option} *` }));
    await user.click(within(drawer).getByRole("button", { name: "新建字典数据" }));
    await screen.findByText("已新建字典数据");
    expect(bodies[0]).toMatchObject({
      dictType: "system_user_sex",
      label: "未说明",
      value: "9",
      colorType: "warning",
    });
    await waitFor(() => expect(reloads).toBe(1));
  });

  test("an unknown type says so", async () => {
    server.use(
      http.get(api("/system/dict-type/get"), () => failure(1002006001, "字典类型不存在，请刷新后重试")),
    );
    show(At, "/dict/type/data/99");
    await screen.findByText("字典类型不存在，请刷新后重试");
  });

  test("without the permission it says which one is missing", async () => {
    signInAs({ permissions: ["system:dict:create"] });
    show(At, "/dict/type/data/4");
    await screen.findByText(/system:dict:query/);
  });
});

describe("sending a message", () => {
  const template = {
    ...base,
    name: "选题通过",
    code: "passed",
    type: 2,
    nickname: "研究生院",
    content: "{student}的选题《{title}》已通过",
    params: ["student", "title"],
    remark: "",
  };
  const off = { ...template, id: 8, name: "旧模板", code: "old", status: 1 };

  async function open() {
    server.use(
      http.get(api("/system/notify-template/page"), () => ok({ list: [template, off], total: 2 })),
      http.get(api("/system/user/simple-list"), () => ok([{ id: 3, nickname: "张三" }])),
    );
    const { user } = show(NotifyTemplatePage);
    await user.click(await screen.findByRole("button", { name: "发送 选题通过" }));
    const dialog = await screen.findByRole("dialog");
    const send = () => user.click(within(dialog).getByRole("button", { name: "发送站内信" }));
    return { user, dialog, send };
  }

  test("asks for every parameter and previews the text", async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(api("/system/notify-template/send-notify"), async ({ request }) => {
        bodies.push(await request.json());
        return ok(100);
      }),
    );
    const { user, dialog, send } = await open();
    expect(
      screen
        .getByRole("button", { name: "发送 旧模板（模板已停用，启用后才能发送）" })
        .getAttribute("aria-disabled"),
    ).toBe("true");
    await send();
    await within(dialog).findByText("请选择接收人");
    within(dialog).getByText("请填写参数 title");
    fireEvent.mouseDown(within(dialog).getByLabelText(/接收人/));
    await user.click(await screen.findByText("张三", { selector: option }));
    fireEvent.change(within(dialog).getByLabelText(/student/), { target: { value: "李四" } });
    await within(dialog).findByText("李四的选题《{title}》已通过");
    fireEvent.change(within(dialog).getByLabelText(/title/), { target: { value: "图" } });
    await send();
    await screen.findByText("站内信已发送");
    expect(bodies).toEqual([
      { userId: 3, templateCode: "passed", templateParams: { student: "李四", title: "图" } },
    ]);
  });

  test("placeholders without a value stay", () => {
    expect(fill("{a}和{b}和{1}", { a: "甲", b: "" })).toBe("甲和{b}和{1}");
  });
});

test("a notice is pushed after a question; a disabled one cannot be", async () => {
  const pushed: (string | null)[] = [];
  server.use(
    http.get(api("/system/notice/page"), () =>
      ok({
        list: [
          { ...base, title: "开学通知", type: 1, content: "" },
          { ...base, id: 8, status: 1, title: "旧通知", type: 1, content: "" },
        ],
        total: 2,
      }),
    ),
    http.post(api("/system/notice/push"), ({ request }) => {
      pushed.push(new URL(request.url).searchParams.get("id"));
      return ok(true);
    }),
  );
  const { user } = show(NoticePage);
  await user.click(await screen.findByRole("button", { name: "推送 开学通知" }));
  await screen.findByText(/推送后不能撤回/);
  await user.click(screen.getByRole("button", { name: "推送" }));
  await screen.findByText(/正在推送「开学通知」/);
  expect(pushed).toEqual(["7"]);
  const old = screen.getByRole("button", { name: /推送 旧通知/ });
  expect(old.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(old);
  expect(pushed).toEqual(["7"]);
});

describe("notices for reading", () => {
  const brief = { id: 7, title: "开学通知", type: 1, excerpt: "九月一日开学", createTime: base.createTime };

  test("a notice opens for reading; the title is searched by the server", async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get(api("/system/notice/my-page"), ({ request }) => {
        asked.push(new URL(request.url).searchParams);
        return ok({ list: [brief], total: 1 });
      }),
      http.get(api("/system/notice/my-get"), ({ request }) => {
        expect(new URL(request.url).searchParams.get("id")).toBe("7");
        return ok({ ...base, title: "开学通知", type: 1, content: "<p>九月一日<b>开学</b>，请注意</p>" });
      }),
    );
    signInAs({ permissions: [] });
    const { user, router } = show(ReadNoticesPage, "/?pageSize=7");
    await user.click(await screen.findByRole("button", { name: /九月一日开学/ }));
    // A size that lists do not have is not asked for.
    expect(asked[0]?.get("pageSize")).toBe("20");
    const drawer = await screen.findByRole("dialog");
    await waitFor(() =>
      expect(within(drawer).getByRole("article").textContent).toContain("九月一日开学，请注意"),
    );
    expect(router.state.location.search).toContain("id=7");
    const search = screen.getByRole("searchbox", { name: "按标题查找" });
    fireEvent.change(search, { target: { value: "开学" } });
    fireEvent.keyDown(search, { key: "Enter" });
    await waitFor(() => expect(router.state.location.search).toContain("title="));
    await waitFor(() => expect(asked.at(-1)?.get("title")).toBe("开学"));
  });

  test("says when there is none and offers another try after a failure", async () => {
    let tries = 0;
    server.use(
      http.get(api("/system/notice/my-page"), () =>
        tries++ ? ok({ list: [], total: 0 }) : failure(500, "服务器忙"),
      ),
    );
    const { user } = show(ReadNoticesPage);
    await user.click(await screen.findByRole("button", { name: "重试" }));
    await screen.findByText("还没有通知公告");
  });
});

describe("the operation log", () => {
  const row = {
    ...base,
    userNickname: "管理员",
    type: "岗位",
    subType: "修改",
    bizId: 9,
    action: "修改岗位「讲师」",
    entity: "system_post",
    op: 2,
    chainNo: 4,
    hash: "abc",
  };

  test("shows what changed by the labels of the fields", async () => {
    server.use(
      http.get(api("/system/operate-log/page"), () => ok({ list: [row], total: 1 })),
      http.get(api("/system/operate-log/get"), () =>
        ok({
          ...row,
          before: { name: "讲师", status: 0, version: 1 },
          after: { name: "教师", status: 1, version: 2 },
        }),
      ),
    );
    const { user } = show(OperateLogPage);
    await user.click(await screen.findByRole("button", { name: /^查看/ }));
    const changes = await screen.findByRole("region", { name: "修改内容" });
    const cells = within(changes)
      .getAllByRole("row")
      .map((line) => [...line.children].map((cell) => cell.textContent));
    expect(cells).toEqual([
      ["字段", "修改前", "修改后"],
      ["岗位名称", "讲师", "教师"],
      ["状态", "开启", "关闭"],
    ]);
  });

  test.each([
    ["intact", { ok: true, rows: 4043, broken: 0 }, /已校验 4,043 条记录，没有缺失或改动/],
    ["broken", { ok: false, rows: 9, broken: 5 }, /编号 5 的记录与前一条不相连/],
  ])("verifies the chain: %s", async (_name, chain, text) => {
    server.use(
      http.get(api("/system/operate-log/page"), () => ok({ list: [row], total: 1 })),
      http.get(api("/system/operate-log/verify-chain"), () => ok(chain)),
    );
    const { user } = show(OperateLogPage);
    await user.click(await screen.findByRole("button", { name: /校验完整性/ }));
    await screen.findByText(text);
    await user.click(screen.getByRole("button", { name: "确定" }));
  });

  test("a table in the plural finds its entity, an unknown one keeps the names", () => {
    const [user] = changesOf("system_users", { nickname: "a" }, { nickname: "b" });
    expect(user?.field?.name).toBe("nickname");
    const [other] = changesOf("thing", null, { added: [1] });
    expect(other).toEqual({ name: "added", field: undefined, before: undefined, after: [1] });
  });
});

describe("site settings", () => {
  const site = { id: 1, name: "<b>论文</b>系统", signDescription: "我承诺", url: "", version: 3 };
  beforeEach(() => server.use(http.get(api("/thesis/system-config/get"), () => ok(site))));

  test("are saved with the version that was read", async () => {
    const bodies: unknown[] = [];
    server.use(
      http.put(api("/thesis/system-config/update"), async ({ request }) => {
        bodies.push(await request.json());
        return ok(true);
      }),
    );
    const { user } = show(SitePage);
    await screen.findByText(/标题为：论文系统/);
    fireEvent.change(screen.getByLabelText(/系统名称/), { target: { value: "学位系统" } });
    await user.click(screen.getByRole("button", { name: "保存设置" }));
    await screen.findByText("系统设置已保存");
    expect(bodies).toEqual([{ id: 1, name: "学位系统", signDescription: "我承诺", url: "", version: 3 }]);
  });

  test("a stale version stays with its reason; without permission nothing can be changed", async () => {
    server.use(
      http.put(api("/thesis/system-config/update"), () =>
        failure(1070000002, "数据已被他人修改，请刷新后重试"),
      ),
    );
    const first = show(SitePage);
    await first.user.click(await screen.findByRole("button", { name: "保存设置" }));
    await screen.findByText("数据已被他人修改，请刷新后重试");
    first.unmount();
    signInAs({ permissions: ["other:thing:query"] });
    show(SitePage);
    await screen.findByText(/您可以查看但不能修改/);
    expect(screen.queryByRole("button", { name: "保存设置" })).toBeNull();
  });

  test("a failed load says so", async () => {
    server.use(http.get(api("/thesis/system-config/get"), () => failure(500, "系统异常，编号 7")));
    show(SitePage);
    await screen.findByText("系统异常，编号 7");
  });
});
