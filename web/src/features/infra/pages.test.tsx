import { configure, fireEvent, screen, waitFor } from "@testing-library/react";
import axe from "axe-core";
import type { ComponentType } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import ConfigPage from "./config";
import FilePage from "./file";
import JobLogPage from "./job/JobLogPage";
import JobPage from "./job/JobPage";
import { Runs } from "./job/Runs";

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

const base = { id: 7, version: 1, createTime: 1795240920000 };

const cases: Case[] = [
  {
    name: "parameters",
    Page: ConfigPage,
    path: "/infra/config/page",
    row: {
      ...base,
      name: "空间",
      key: "file.quota",
      value: "1024",
      category: "file",
      type: 2,
      visible: true,
    },
    shows: "file.quota",
    query: "infra:config:query",
    buttons: ["新建参数配置", "导出", "编辑 空间", "删除 空间"],
    forbidden: "您没有查看参数配置的权限",
    empty: "还没有参数配置",
  },
  {
    name: "files",
    Page: FilePage,
    path: "/infra/file/page",
    row: {
      ...base,
      name: "论文.pdf",
      type: "application/pdf",
      size: 2048,
      slot: "document",
      owner: "",
      userId: 1,
    },
    shows: "2.0 KB",
    query: "infra:file:query",
    buttons: ["删除 论文.pdf"],
    forbidden: "您没有查看文件的权限",
    empty: "还没有文件",
  },
  {
    name: "schedules",
    Page: JobPage,
    path: "/infra/job/page",
    row: { ...base, name: "封存日志", handlerName: "audit.seal", cronExpression: "0 0 3 * * ?", status: 1 },
    shows: "audit.seal",
    query: "infra:job:query",
    buttons: ["新建定时任务", "导出", "执行一次 封存日志", "暂停 封存日志"],
    forbidden: "您没有查看定时任务的权限",
    empty: "还没有定时任务",
  },
  {
    name: "runs of schedules",
    Page: JobLogPage,
    path: "/infra/job-log/page",
    row: { ...base, jobId: 1, handlerName: "audit.seal", status: 1, beginTime: 1795240920000, duration: 12 },
    shows: "audit.seal",
    query: "infra:job:query",
    buttons: ["导出"],
    forbidden: "您没有查看执行记录的权限",
    empty: "还没有执行记录",
  },
  {
    name: "background work",
    Page: Runs,
    path: "/infra/job-run/page",
    row: { ...base, name: "notice.push", state: 3, tries: 5, maxTries: 5, lastError: "断开" },
    shows: "notice.push",
    query: "infra:job:query",
    buttons: ["重新执行 notice.push"],
    forbidden: "您没有查看后台任务的权限",
    empty: "还没有后台任务",
  },
];

/** Answers the list of the case and the choices beside it. */
function serve(one: Case, rows: object[]): void {
  server.use(
    http.get(api(one.path), () => ok({ list: rows, total: rows.length })),
    http.get(api("/system/user/simple-list"), () => ok([{ id: 1, nickname: "管理员" }])),
  );
}

beforeEach(() => {
  signInAs();
  fillDicts({
    infra_job_status: { 1: "正常", 2: "暂停" },
    infra_job_log_status: { 0: "运行中", 1: "成功", 2: "失败" },
    infra_config_type: { 1: "系统内置", 2: "自定义" },
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
