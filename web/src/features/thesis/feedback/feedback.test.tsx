import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { dicts, labelled, NOW } from "../shared/fixture";
import type { Feedback, FeedbackDetail } from "./calls";
import FeedbackPage from "./list";
import StaffFeedback from "./staff";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const row = (id: number, part: Partial<Feedback> = {}): Feedback => ({
  id,
  userId: 3,
  userName: "林小满",
  deptId: 11,
  kind: 2,
  title: `问题${id}`,
  content: "选题提交后看不到回执",
  images: [],
  state: 0,
  handlerName: "",
  rating: 0,
  ratingComment: "",
  lastReplyAt: 0,
  closedAt: 0,
  reopenCount: 0,
  createTime: NOW,
  ...part,
});

let shown: FeedbackDetail;
let sent: { call: string; body: Record<string, unknown> }[];
let queries: URLSearchParams[];

function serve(part: Partial<FeedbackDetail> = {}): void {
  shown = { ...row(5), imageFiles: [], replies: [], actions: ["reply", "close"], ...part };
  const record = (call: string) => async (request: Request) => {
    sent.push({ call, body: (await request.json()) as Record<string, unknown> });
  };
  server.use(
    http.get(api("/thesis/feedback/page"), ({ request }) => {
      queries.push(new URL(request.url).searchParams);
      return ok({ list: [row(5), row(6, { state: 2, lastReplyAt: NOW })], total: 2 });
    }),
    http.get(api("/thesis/feedback/get"), () => ok(shown)),
    http.post(api("/thesis/feedback/create"), async ({ request }) => {
      await record("create")(request);
      return ok(5);
    }),
    http.post(api("/thesis/feedback/reply"), async ({ request }) => {
      await record("reply")(request);
      return ok(1);
    }),
    ...["rate", "reopen", "handle", "close"].map((call) =>
      http.put(api(`/thesis/feedback/${call}`), async ({ request }) => {
        await record(call)(request);
        return ok(true);
      }),
    ),
  );
}

beforeEach(() => {
  sent = [];
  queries = [];
  signInAs({ user: { id: 3, username: "student01", nickname: "林小满", type: 1 }, permissions: [] });
  fillDicts(dicts);
});

const box = { selector: "input, textarea" };

describe("my feedback", () => {
  test("lists mine and filters by state in the address", async () => {
    serve();
    const { router, container } = renderPage(<FeedbackPage />);
    await screen.findByText("问题5");
    fireEvent.click(screen.getByText("已回复", { selector: ".ant-segmented-item-label" }));
    await waitFor(() => expect(router.state.location.search).toBe("?state=2"));
    await waitFor(() => expect(queries.at(-1)?.get("state")).toBe("2"));
    const { violations } = await axe.run(container, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(violations.filter((item) => ["serious", "critical"].includes(item.impact ?? ""))).toEqual([]);
  });

  test("a new one says what is missing, then is sent and opened", async () => {
    serve();
    renderPage(<FeedbackPage />, "/?ask=extension");
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByLabelText(labelled("标题"), box)).toHaveProperty(
      "value",
      "申请延长选题办理时间",
    );
    fireEvent.change(within(dialog).getByLabelText(labelled("内容"), box), { target: { value: "太短" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "提交反馈" }));
    await screen.findByText("内容应为 10-2000 个字");
    expect(sent).toHaveLength(0);
    fireEvent.change(within(dialog).getByLabelText(labelled("内容"), box), {
      target: { value: "因外出调研，希望延长三天" },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "提交反馈" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      kind: 2,
      title: "申请延长选题办理时间",
      content: "因外出调研，希望延长三天",
      images: [],
    });
    await screen.findByRole("list", { name: "往来记录" });
  });

  test.each([
    ["real-name", "请登记我的实名认证"],
    ["enrolment", "请核对我的学籍状态"],
  ])("a condition that the college settles asks for it: %s", async (ask, title) => {
    serve();
    renderPage(<FeedbackPage />, `/?ask=${ask}`);
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByLabelText(labelled("标题"), box)).toHaveProperty("value", title);
    fireEvent.click(within(dialog).getByRole("button", { name: "提交反馈" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ kind: 3, title });
  });

  test("a refused field is marked", async () => {
    serve();
    server.use(
      http.post(api("/thesis/feedback/create"), () =>
        failure(400, "请求参数不正确", { fields: [{ name: "title", message: "标题含有无法保存的字符" }] }),
      ),
    );
    renderPage(<FeedbackPage />, "/?ask=extension");
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText(labelled("内容"), box), {
      target: { value: "内容".repeat(8) },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "提交反馈" }));
    await screen.findByText("标题含有无法保存的字符");
  });

  test("answers are read, answered, and the question closed", async () => {
    serve({
      state: 2,
      handlerName: "王秘书",
      replies: [
        {
          id: 1,
          userName: "王秘书",
          fromStaff: true,
          content: "请刷新后再看",
          imageFiles: [],
          createTime: NOW,
        },
      ],
    });
    renderPage(<FeedbackPage />, "/?id=5");
    await screen.findByText("请刷新后再看");
    screen.getByText("处理人 王秘书");
    fireEvent.click(screen.getByRole("button", { name: "发送回复" }));
    await screen.findByText("请填写回复内容");
    fireEvent.change(screen.getByLabelText(labelled("回复"), box), { target: { value: "已经可以了" } });
    fireEvent.click(screen.getByRole("button", { name: "发送回复" }));
    await waitFor(() =>
      expect(sent).toEqual([{ call: "reply", body: { id: 5, content: "已经可以了", images: [] } }]),
    );
  });

  test("a closed one can be rated and reopened with a reason", async () => {
    serve({ state: 3, actions: ["reopen", "rate"] });
    renderPage(<FeedbackPage />, "/?id=5");
    const rating = await screen.findByRole("region", { name: "评价" });
    fireEvent.click(within(rating).getAllByRole("radio")[3] as HTMLElement);
    fireEvent.click(await screen.findByRole("button", { name: "提交评价" }));
    await waitFor(() => expect(sent[0]).toEqual({ call: "rate", body: { id: 5, rating: 4, comment: "" } }));
    fireEvent.click(screen.getByRole("button", { name: "重新打开" }));
    fireEvent.click(await screen.findByRole("button", { name: "重新打开" }));
    await screen.findByText("请说明原因，至少 5 个字");
    fireEvent.change(screen.getByLabelText(labelled("为什么重新打开"), box), {
      target: { value: "还是看不到回执" },
    });
    fireEvent.click(screen.getByRole("button", { name: "重新打开" }));
    await waitFor(() =>
      expect(sent.at(-1)).toEqual({ call: "reopen", body: { id: 5, reason: "还是看不到回执" } }),
    );
  });
});

test("staff take a question on from the list", async () => {
  signInAs();
  serve({ actions: ["reply", "handle", "close"] });
  server.use(http.get(api("/system/dept/list-all-simple"), () => ok([{ id: 11, name: "信息学院" }])));
  renderPage(<StaffFeedback />);
  fireEvent.click(await screen.findByText("问题5"));
  fireEvent.click(await screen.findByRole("button", { name: "受理" }));
  await waitFor(() => expect(sent).toEqual([{ call: "handle", body: { id: 5 } }]));
});
