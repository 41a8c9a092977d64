import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import MyMessagesPage from "./MyMessagesPage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

function message(id: number, read: boolean) {
  return {
    id,
    templateNickname: "研究生院",
    templateContent: `第${id}条消息`,
    templateType: 2,
    readStatus: read,
    readTime: null,
    createTime: 1795240920000,
  };
}

let list: ReturnType<typeof message>[];
let queries: URLSearchParams[];
let read: string[][];

beforeEach(() => {
  // Students have no permissions of the messages: the calls are everybody's own.
  signInAs({ permissions: ["thesis:feedback:query"] });
  fillDicts({ system_notify_template_type: { 2: "系统消息" } });
  list = [message(3, false), message(2, false), message(1, true)];
  queries = [];
  read = [];
  server.use(
    http.get(api("/system/notify-message/my-page"), ({ request }) => {
      queries.push(new URL(request.url).searchParams);
      return ok({ list, total: list.length });
    }),
    http.put(api("/system/notify-message/update-read"), ({ request }) => {
      const ids = new URL(request.url).searchParams.getAll("ids");
      read.push(ids);
      list = list.map((one) => (ids.includes(String(one.id)) ? { ...one, readStatus: true } : one));
      return ok(true);
    }),
    http.put(api("/system/notify-message/update-all-read"), () => {
      read.push(["all"]);
      list = list.map((one) => ({ ...one, readStatus: true }));
      return ok(true);
    }),
  );
});

async function show(address = "/") {
  const view = renderPage(<MyMessagesPage />, address);
  await screen.findByText("第3条消息");
  return { user: userEvent.setup({ delay: null }), ...view };
}

test("an address of a page is a link in the opened message, and its words in the list", async () => {
  list = [
    { ...message(3, true), templateContent: "第3条消息。查看：/bpm/process-instance/detail?id=01a2-b3" },
  ];
  renderPage(<MyMessagesPage />, "/");
  const user = userEvent.setup({ delay: null });
  const row = await screen.findByRole("button", { name: /第3条消息。查看：\s*打开页面/ });
  await user.click(row);
  const link = await screen.findByRole("link", { name: "打开页面" });
  expect(link.getAttribute("href")).toBe("/bpm/process-instance/detail?id=01a2-b3");
  await user.click(link);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("opening one marks it as read; the arrows go on to the next", async () => {
  const { user } = await show();
  expect(screen.getAllByRole("img", { name: "未读" })).toHaveLength(2);
  await user.click(screen.getByText("第3条消息"));
  const drawer = await screen.findByRole("dialog");
  await waitFor(() => expect(read).toEqual([["3"]]));
  await user.click(within(drawer).getByRole("button", { name: "下一条" }));
  await within(drawer).findByText("第2条消息");
  await waitFor(() => expect(read).toEqual([["3"], ["2"]]));
  await waitFor(() => expect(screen.queryByRole("img", { name: "未读" })).toBeNull());
});

test("selected ones are marked together", async () => {
  const { user } = await show();
  expect(screen.getByRole("checkbox", { name: "选择 第1条消息" })).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("checkbox", { name: "选择本页未读" }));
  screen.getByText("已选 2 条");
  await user.click(screen.getByRole("button", { name: "标为已读" }));
  await screen.findByText("已将 2 条标为已读");
  expect(read).toEqual([["3", "2"]]);
});

test("all are marked at once", async () => {
  const { user } = await show();
  await user.click(screen.getByRole("button", { name: "全部标为已读" }));
  await screen.findByText("全部站内信已标为已读");
  expect(read).toEqual([["all"]]);
});

test("the filter stands in the address", async () => {
  const { router } = await show("/?pageNo=2");
  expect(queries[0]?.get("pageNo")).toBe("2");
  expect(queries[0]?.has("readStatus")).toBe(false);
  fireEvent.click(screen.getByText("未读", { selector: ".ant-segmented-item-label" }));
  await waitFor(() => expect(router.state.location.search).toBe("?show=unread"));
  await waitFor(() => expect(queries.at(-1)?.get("readStatus")).toBe("false"));
  expect(queries.at(-1)?.get("pageNo")).toBe("1");
});

test("empty and failed lists say what to do", async () => {
  list = [];
  const first = renderPage(<MyMessagesPage />, "/?show=unread");
  await screen.findByText("没有未读的站内信");
  fireEvent.click(screen.getByRole("button", { name: "查看全部" }));
  await screen.findByText("还没有站内信");
  first.unmount();
  server.use(http.get(api("/system/notify-message/my-page"), () => failure(500, "系统异常，编号 7")));
  renderPage(<MyMessagesPage />);
  await screen.findByText("系统异常，编号 7");
});

test("has no serious accessibility violation", async () => {
  const { container } = await show();
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
});
