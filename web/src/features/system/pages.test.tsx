import { configure, fireEvent, screen, waitFor } from "@testing-library/react";
import axe from "axe-core";
import type { ComponentType } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import DictTypePage from "./dict/DictTypePage";
import OperateLogPage from "./log/OperateLogPage";
import NoticePage from "./notice/NoticePage";
import NotifyMessagePage from "./notify/message";
import NotifyTemplatePage from "./notify/template";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

interface Case {
  name: string;
  Page: ComponentType;
  /** The list call. */
  path: string;
  row: object;
  /** A text of the row. */
  shows: string;
  /** The permission to look, and the buttons that further ones bring. */
  query: string;
  buttons: (string | RegExp)[];
  forbidden: string;
  empty: string;
}

const base = { id: 7, status: 0, version: 1, createTime: 1795240920000 };

const cases: Case[] = [
  {
    name: "dictionary types",
    Page: DictTypePage,
    path: "/system/dict-type/page",
    row: { ...base, name: "用户性别", type: "system_user_sex", remark: "" },
    shows: "system_user_sex",
    query: "system:dict:query",
    buttons: ["新建字典类型", "导出", "编辑 用户性别", "删除 用户性别"],
    forbidden: "您没有查看字典类型的权限",
    empty: "还没有字典类型",
  },
  {
    name: "message templates",
    Page: NotifyTemplatePage,
    path: "/system/notify-template/page",
    row: { ...base, name: "选题通过", code: "passed", type: 2, nickname: "研究生院", content: "{title}" },
    shows: "passed",
    query: "system:notify-template:query",
    buttons: ["新建站内信模板", "发送 选题通过", "编辑 选题通过", "删除 选题通过"],
    forbidden: "您没有查看站内信模板的权限",
    empty: "还没有站内信模板",
  },
  {
    name: "sent messages",
    Page: NotifyMessagePage,
    path: "/system/notify-message/page",
    row: { ...base, userId: 3, userName: "张三", templateNickname: "研究生院", readStatus: false },
    shows: "未读",
    query: "system:notify-message:query",
    buttons: [],
    forbidden: "您没有查看站内信记录的权限",
    empty: "还没有站内信记录",
  },
  {
    name: "notices",
    Page: NoticePage,
    path: "/system/notice/page",
    row: { ...base, title: "开学通知", type: 1, content: "<p>九月</p>" },
    shows: "开学通知",
    query: "system:notice:query",
    buttons: ["新建通知公告", "推送 开学通知", "编辑 开学通知", "删除 开学通知"],
    forbidden: "您没有查看通知公告的权限",
    empty: "还没有通知公告",
  },
  {
    name: "the operation log",
    Page: OperateLogPage,
    path: "/system/operate-log/page",
    row: {
      ...base,
      userNickname: "管理员",
      type: "岗位",
      subType: "修改",
      bizId: 9,
      action: "修改岗位「讲师」",
    },
    shows: "修改岗位「讲师」",
    query: "system:operate-log:query",
    buttons: ["导出"],
    forbidden: "您没有查看操作日志的权限",
    empty: "还没有操作日志",
  },
];

/** Answers the list of the case and the choices beside it. */
function serve(one: Case, rows: object[]): void {
  server.use(http.get(api(one.path), () => ok({ list: rows, total: rows.length })));
}

beforeEach(() => {
  signInAs();
  server.use(
    http.get(api("/system/user/simple-list"), () => ok([])),
    http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
  );
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_notice_type: { 1: "通知", 2: "公告" },
    system_notify_template_type: { 1: "通知公告", 2: "系统消息" },
  });
});

describe.each(cases)("the page of $name", (one) => {
  test("shows its rows and is accessible", async () => {
    serve(one, [one.row]);
    const { container } = renderPage(<one.Page />);
    await screen.findAllByText(one.shows);
    for (const name of one.buttons) screen.getByRole("button", { name });
    // Widgets of the filters that are still being fetched hold their place.
    await waitFor(() => expect(container.querySelector(".viva-search input:disabled")).toBeNull());
    const { violations } = await axe.run(container, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
  });

  test("a permission removed hides its button", async () => {
    signInAs({ permissions: [one.query] });
    serve(one, [one.row]);
    renderPage(<one.Page />);
    await screen.findAllByText(one.shows);
    for (const name of one.buttons) expect(screen.queryByRole("button", { name }), String(name)).toBeNull();
    expect(screen.queryByRole("switch")).toBeNull();
  });

  test("without the permission to look it says so and asks nothing", async () => {
    signInAs({ permissions: ["other:thing:query"] });
    renderPage(<one.Page />);
    await screen.findByText(one.forbidden);
    screen.getByText(new RegExp(one.query));
  });

  test("empty and failed lists say what to do", async () => {
    serve(one, []);
    const first = renderPage(<one.Page />);
    await screen.findByText(one.empty);
    first.unmount();
    server.use(http.get(api(one.path), () => failure(500, "系统异常，编号 7")));
    renderPage(<one.Page />);
    await screen.findByText("系统异常，编号 7");
    serve(one, [one.row]);
    fireEvent.click(screen.getByRole("button", { name: "重试" }));
    await screen.findAllByText(one.shows);
  });
});
