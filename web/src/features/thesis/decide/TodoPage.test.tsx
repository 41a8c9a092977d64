import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { detail, dicts, NOW, todo } from "../shared/fixture";
import type { SubjectDetail, Todo } from "../shared/subjectWire";
import { QUEUE_SIZE } from "./calls";
import TodoPage from "./TodoPage";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

interface Verdict {
  act: string;
  body: Record<string, unknown>;
  key: string | null;
}

let queue: Todo[];
let verdicts: Verdict[];
let batches: Record<string, unknown>[];

/** A server whose queue loses what was decided. */
function serve(part: (id: number) => Partial<SubjectDetail> = () => ({})): void {
  server.use(
    http.get(api("/thesis/students-subject/todo-page"), ({ request }) => {
      const size = Number(new URL(request.url).searchParams.get("pageSize"));
      return ok({ list: queue.slice(0, size), total: queue.length });
    }),
    http.get(api("/thesis/students-subject/get"), ({ request }) => {
      const id = Number(new URL(request.url).searchParams.get("id"));
      return ok(detail({ id, titleZh: `题目${id}`, studentName: `学生${id}`, ...part(id) }));
    }),
    ...["approve", "return", "reject"].map((act) =>
      http.put(api(`/thesis/students-subject/${act}`), async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        verdicts.push({ act, body, key: request.headers.get("Idempotency-Key") });
        queue = queue.filter((row) => row.id !== body.id);
        return ok({ id: body.id, auditState: 2, version: 4 });
      }),
    ),
    http.put(api("/thesis/students-subject/batch-approve"), async ({ request }) => {
      const body = (await request.json()) as { items: { id: number }[]; dryRun: boolean };
      batches.push(body);
      return ok(
        body.items.map(({ id }) =>
          id === 2
            ? { id, ok: false, code: 1070004001, msg: "存在回避关系", auditState: 1 }
            : { id, ok: true, code: 0, msg: "", auditState: 2 },
        ),
      );
    }),
  );
}

const press = (key: string) => fireEvent.keyDown(document.body, { key });
async function dialogOf(title: string): Promise<HTMLElement> {
  const dialog = await screen.findByRole("dialog");
  within(dialog).getByText(title);
  return dialog;
}
const article = (id: number) => screen.findByRole("article", { name: `题目${id}` });

beforeEach(() => {
  queue = [todo(3), todo(2), todo(1)];
  verdicts = [];
  batches = [];
  signInAs({ user: { id: 7, username: "advisor01", nickname: "陈远", type: 2 } });
  fillDicts(dicts);
});

describe("the queue", () => {
  test("opens the oldest, shows waiting times, and J and K walk", async () => {
    serve();
    const { router } = renderPage(<TodoPage />, "/teacher/todo");
    await article(3);
    screen.getByText("共 3 条");
    press("j");
    await article(2);
    expect(router.state.location.search).toBe("?id=2");
    press("j");
    await article(1);
    press("j");
    await article(1);
    press("k");
    await article(2);
  });

  test("a long queue grows on request and says how much is left", async () => {
    queue = Array.from({ length: QUEUE_SIZE + 2 }, (_, at) => todo(100 - at));
    serve();
    renderPage(<TodoPage />);
    fireEvent.click(await screen.findByRole("button", { name: "加载更多（还有 2 项）" }));
    await waitFor(() =>
      expect(within(screen.getByRole("list", { name: "待审批列表" })).getAllByRole("checkbox").length).toBe(
        QUEUE_SIZE + 2,
      ),
    );
    expect(screen.queryByRole("button", { name: /加载更多/ })).toBeNull();
  });

  test("keys typed into a field are letters", async () => {
    serve();
    renderPage(<TodoPage />);
    await article(3);
    fireEvent.keyDown(screen.getByLabelText("审批意见"), { key: "a" });
    fireEvent.keyDown(screen.getByLabelText("审批意见"), { key: "j" });
    expect(screen.queryByRole("dialog")).toBeNull();
    await article(3);
  });

  test("says kindly when nothing waits", async () => {
    queue = [];
    serve();
    renderPage(<TodoPage />);
    await screen.findByText("现在没有等待您审批的申请");
  });
});

describe("a decision", () => {
  test("A asks, Enter's button approves with a key, and the next one opens", async () => {
    serve();
    renderPage(<TodoPage />);
    await article(3);
    press("a");
    const dialog = await dialogOf("确认同意");
    within(dialog).getByText(/学生3 · 题目3/);
    expect(verdicts).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole("button", { name: "同意" }));
    await article(2);
    expect(verdicts).toEqual([
      {
        act: "approve",
        body: { id: 3, version: 3, opinion: "", needNewFile: false },
        key: expect.stringMatching(/^\w{32}$/),
      },
    ]);
    await waitFor(() => expect(screen.queryByText("题目3")).toBeNull());
  });

  test("R without a reason says how much is missing and sends nothing", async () => {
    serve();
    renderPage(<TodoPage />);
    await article(3);
    fireEvent.change(screen.getByLabelText("审批意见"), { target: { value: "太大" } });
    press("r");
    await screen.findByText("退回需要说明原因，至少 5 个字，现在有 2 个");
    expect(document.activeElement).toBe(screen.getByLabelText("审批意见"));
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.change(screen.getByLabelText("审批意见"), { target: { value: "题目太大请缩小" } });
    fireEvent.click(screen.getByRole("button", { name: "退回修改" }));
    const dialog = await dialogOf("确认退回修改");
    fireEvent.click(within(dialog).getByRole("button", { name: "退回修改" }));
    await waitFor(() => expect(verdicts).toHaveLength(1));
    expect(verdicts[0]).toMatchObject({ act: "return", body: { opinion: "题目太大请缩小" } });
  });

  test("a rejection needs ten characters", async () => {
    serve();
    renderPage(<TodoPage />);
    await article(3);
    fireEvent.change(screen.getByLabelText("审批意见"), { target: { value: "不合适不合适" } });
    fireEvent.click(screen.getByRole("button", { name: "不通过" }));
    await screen.findByText("不通过需要说明理由，至少 10 个字，现在有 6 个");
    expect(verdicts).toHaveLength(0);
  });

  test("a level that may not reject says so", async () => {
    serve(() => ({ actions: ["approve", "return"], locks: { reject: "本级只能同意或退回" } }));
    renderPage(<TodoPage />);
    await article(3);
    const reject = screen.getByRole("button", { name: "不通过" });
    expect(reject.getAttribute("aria-disabled")).toBe("true");
    screen.getByText("本级只能同意或退回");
  });

  test("somebody else was faster: who and when, and on to the next", async () => {
    serve();
    server.use(
      http.put(api("/thesis/students-subject/approve"), () =>
        failure(1070001003, "该申请已由 王秘书 处理", {
          data: { handledBy: "王秘书", handledAt: NOW, event: "approveTask" },
        }),
      ),
    );
    renderPage(<TodoPage />);
    await article(3);
    press("a");
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "同意" }));
    await screen.findByText("已由 王秘书 处理");
    fireEvent.click(screen.getByRole("button", { name: "打开下一条" }));
    await article(2);
  });

  test("a changed declaration is loaded anew before it is decided", async () => {
    let version = 3;
    serve(() => ({ version }));
    server.use(
      http.put(api("/thesis/students-subject/approve"), () => {
        version = 4;
        return failure(1070000002, "数据已被他人修改");
      }),
    );
    renderPage(<TodoPage />);
    await article(3);
    press("a");
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "同意" }));
    await screen.findByText("内容刚刚有变化，已载入最新内容，请重新查看");
  });

  test("a change of title shows both titles and can be refused, not rejected", async () => {
    serve(() => ({
      auditState: 8,
      newTitleZh: "缩小后的题目",
      changeReason: "对象过大",
      actions: ["approve", "return", "reject"],
    }));
    renderPage(<TodoPage />);
    await article(3);
    screen.getByRole("heading", { name: "缩小后的题目" });
    screen.getByRole("button", { name: "不同意变更" });
    expect(screen.queryByRole("button", { name: "不通过" })).toBeNull();
  });

  test("phrases are inserted, kept and forgotten", async () => {
    serve();
    renderPage(<TodoPage />);
    await article(3);
    fireEvent.click(screen.getByRole("button", { name: "常用语" }));
    fireEvent.click(await screen.findByRole("button", { name: "选题有意义，工作量适当，同意。" }));
    const opinion = screen.getByLabelText("审批意见");
    expect(opinion).toHaveProperty("value", "选题有意义，工作量适当，同意。");
    fireEvent.change(opinion, { target: { value: "我的用语" } });
    fireEvent.click(screen.getByRole("button", { name: "常用语" }));
    fireEvent.click(await screen.findByRole("button", { name: "把当前意见存为常用语" }));
    await screen.findByRole("button", { name: "我的用语" });
    expect(JSON.parse(localStorage.getItem("viva-phrases:7") ?? "[]")[0]).toBe("我的用语");
    fireEvent.click(screen.getByRole("button", { name: "删除常用语：我的用语" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "我的用语" })).toBeNull());
  });
});

test("on a phone the list and the open one take turns", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query.includes("max-width: 991"),
        addEventListener() {},
        removeEventListener() {},
        addListener() {},
        removeListener() {},
      }) as unknown as MediaQueryList,
  );
  serve();
  renderPage(<TodoPage />);
  await screen.findByText("题目3");
  expect(screen.queryByRole("article")).toBeNull();
  fireEvent.click(screen.getByText("题目2"));
  await article(2);
  expect(screen.queryByRole("list", { name: "待审批列表" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "返回列表" }));
  await screen.findByRole("list", { name: "待审批列表" });
});

test("the queue is searched on the server and narrowed by level", async () => {
  const asked: URLSearchParams[] = [];
  serve();
  server.use(
    http.get(api("/thesis/students-subject/todo-page"), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      const list = search.get("keyword") ? [] : queue;
      return ok({ list, total: list.length });
    }),
  );
  renderPage(<TodoPage />);
  await article(3);
  fireEvent.change(screen.getByLabelText("学生、学号或题目"), { target: { value: " 王 " } });
  await screen.findByText("没有符合条件的申请");
  expect(asked.at(-1)?.get("keyword")).toBe("王");
});

test("files are shown in place, or said to be undisplayable", async () => {
  serve(() => ({
    files: [
      { id: 91, name: "计划.pdf", mime: "application/pdf" },
      { id: 92, name: "附表.docx" },
    ],
  }));
  server.use(
    http.get(
      api("/infra/file/download"),
      () => new HttpResponse("%PDF", { headers: { "Content-Type": "application/pdf" } }),
    ),
  );
  renderPage(<TodoPage />);
  await article(3);
  expect(screen.queryByRole("button", { name: "预览 附表.docx" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "预览 计划.pdf" }));
  const frame = await screen.findByTitle("计划.pdf", {}, { timeout: 10_000 });
  expect(frame.getAttribute("src")).toMatch(/^blob:/);
  fireEvent(document, new Event("securitypolicyviolation"));
  await screen.findByText("浏览器未能在此显示这个文件");
});

test("a batch is checked first and approves only what can be", async () => {
  serve();
  renderPage(<TodoPage />);
  await article(3);
  fireEvent.click(screen.getByRole("checkbox", { name: "选择 学生3 的申请" }));
  fireEvent.click(screen.getByRole("checkbox", { name: "选择 学生2 的申请" }));
  fireEvent.click(screen.getByRole("button", { name: "批量同意" }));
  const dialog = await dialogOf("批量同意 2 条");
  fireEvent.click(within(dialog).getByRole("button", { name: "检查" }));
  await within(dialog).findByText("可同意 1 条，1 条不能处理");
  within(dialog).getByText("存在回避关系");
  fireEvent.click(within(dialog).getByRole("button", { name: "同意可处理的 1 条" }));
  await within(dialog).findByText("已同意 1 条，0 条未处理");
  expect(batches).toMatchObject([
    { dryRun: true, items: [{ id: 3 }, { id: 2 }] },
    { dryRun: false, items: [{ id: 3, version: 3 }] },
  ]);
});

test("the decision has no serious accessibility violation", async () => {
  serve();
  const { container } = renderPage(<TodoPage />);
  await article(3);
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  expect(violations.filter((item) => ["serious", "critical"].includes(item.impact ?? ""))).toEqual([]);
});
