import { configure, fireEvent, screen, waitFor } from "@testing-library/react";
import axe from "axe-core";
import type { ComponentType } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import CategoryPage from "./category";
import ExpressionPage from "./expression";
import FormPage from "./form";
import GroupPage from "./group";
import ListenerPage from "./listener";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

interface Case {
  name: string;
  Page: ComponentType;
  /** The calls of the entity. */
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

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a process looks like one
const condition = "${day > 3}";

const cases: Case[] = [
  {
    name: "categories",
    Page: CategoryPage,
    path: "/bpm/category",
    row: { ...base, name: "财务", code: "finance", description: "报销", sort: 1 },
    shows: "finance",
    query: "bpm:category:query",
    buttons: ["新建流程分类", "上移 财务", "下移 财务", "编辑 财务", "删除 财务"],
    forbidden: "您没有查看流程分类的权限",
    empty: "还没有流程分类",
  },
  {
    name: "user groups",
    Page: GroupPage,
    path: "/bpm/user-group",
    row: { ...base, name: "评议组", description: "", memberUserIds: [3, 4], userIds: [3, 4] },
    shows: "陈远、周明",
    query: "bpm:user-group:query",
    buttons: ["新建用户分组", "编辑 评议组", "删除 评议组"],
    forbidden: "您没有查看用户分组的权限",
    empty: "还没有用户分组",
  },
  {
    name: "expressions",
    Page: ExpressionPage,
    path: "/bpm/process-expression",
    row: { ...base, name: "三天以上", expression: condition },
    shows: condition,
    query: "bpm:process-expression:query",
    buttons: ["新建流程表达式", "编辑 三天以上", "删除 三天以上"],
    forbidden: "您没有查看流程表达式的权限",
    empty: "还没有流程表达式",
  },
  {
    name: "listeners",
    Page: ListenerPage,
    path: "/bpm/process-listener",
    row: {
      ...base,
      name: "催办",
      type: "task",
      event: "assignment",
      valueType: "expression",
      value: condition,
    },
    shows: "指派",
    query: "bpm:process-listener:query",
    buttons: ["新建流程监听器", "编辑 催办", "删除 催办"],
    forbidden: "您没有查看流程监听器的权限",
    empty: "还没有流程监听器",
  },
  {
    name: "forms",
    Page: FormPage,
    path: "/bpm/form",
    row: { ...base, name: "请假", conf: "{}", fields: ["{}", "{}"], remark: "通用" },
    shows: "通用",
    query: "bpm:form:query",
    buttons: ["新建流程表单", "导入表单", "导出", "编辑 请假", "导出文件 请假", /更多.*请假/],
    forbidden: "您没有查看流程表单的权限",
    empty: "还没有流程表单",
  },
];

function serve(one: Case, rows: object[]): void {
  server.use(http.get(api(`${one.path}/page`), () => ok({ list: rows, total: rows.length })));
}

beforeEach(() => {
  signInAs();
  server.use(
    http.get(api("/system/user/list-all-simple"), () =>
      ok([
        { id: 3, nickname: "陈远" },
        { id: 4, nickname: "周明" },
      ]),
    ),
  );
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    bpm_process_listener_type: { execution: "执行监听器", task: "任务监听器" },
    bpm_process_listener_value_type: {
      class: "Java 类",
      expression: "表达式",
      delegateExpression: "代理表达式",
    },
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
    server.use(http.get(api(`${one.path}/page`), () => failure(500, "系统异常，编号 7")));
    renderPage(<one.Page />);
    await screen.findByText("系统异常，编号 7");
    serve(one, [one.row]);
    fireEvent.click(screen.getByRole("button", { name: "重试" }));
    await screen.findAllByText(one.shows);
  });
});
