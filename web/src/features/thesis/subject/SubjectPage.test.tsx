import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SESSION_LOST } from "@/kernel/api/relogin";
import { writeDraft } from "@/kernel/crud/useDraft";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import {
  DAY,
  dicts,
  guard,
  history,
  labelled,
  mySubject,
  NOW,
  openTopic,
  progress,
  subject,
} from "../shared/fixture";
import type { MySubject } from "../shared/subjectWire";
import { Audit, Status } from "../shared/wire";
import { valuesOf } from "./form";
import SubjectPage from "./SubjectPage";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

interface Sent {
  drafts: Record<string, unknown>[];
  submits: { body: Record<string, unknown>; key: string | null }[];
  withdrawn: string[];
  changes: Record<string, unknown>[];
}

let sent: Sent;
let my: MySubject;

function serve(present: MySubject): void {
  my = present;
  server.use(
    http.get(api("/thesis/students-subject/my"), () => ok(my)),
    http.get(api("/thesis/record/my-progress"), () => ok(progress())),
    http.get(api("/thesis/topic/open-page"), ({ request }) => {
      const keyword = new URL(request.url).searchParams.get("keyword");
      const list = [openTopic(1), openTopic(2)].filter((topic) => !keyword || topic.title.includes(keyword));
      return ok({ list, total: list.length });
    }),
    http.get(api("/thesis/students-subject/similar-titles"), () =>
      ok([{ titleZh: "面向培养的流程引擎", entryYear: 2024, score: 0.82 }]),
    ),
    http.post(api("/thesis/students-subject/save-draft"), async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.drafts.push(body);
      return ok({ id: 812, auditState: 0, version: sent.drafts.length });
    }),
    http.post(api("/thesis/students-subject/submit"), async ({ request }) => {
      sent.submits.push({
        body: (await request.json()) as Record<string, unknown>,
        key: request.headers.get("Idempotency-Key"),
      });
      my = waiting();
      return ok({ id: 812, auditState: 1, version: 9, submitNo: 1, receiptNo: "XT2026041500081201" });
    }),
    http.put(api("/thesis/students-subject/withdraw"), ({ request }) => {
      sent.withdrawn.push(new URL(request.url).search);
      my = mySubject({ form: subject({ auditState: Audit.Withdrawn }) }, { status: Status.Draft });
      return ok(true);
    }),
    http.post(api("/thesis/students-subject/change-title"), async ({ request }) => {
      sent.changes.push((await request.json()) as Record<string, unknown>);
      return ok({ id: 812, auditState: 8, version: 4 });
    }),
  );
}

function waiting(part: Partial<MySubject> = {}): MySubject {
  return mySubject(
    {
      form: subject({
        auditState: Audit.Advisor,
        level: 1,
        submitNo: 1,
        submittedAt: NOW - DAY,
        waitingSince: NOW - DAY,
        receiptNo: "XT2026041500081201",
        digest: "ab12cd34",
      }),
      history: [history("submit", "提交", { actorName: "林小满", level: 0 })],
      ...part,
    },
    {
      status: Status.InApproval,
      editable: false,
      guards: [],
      actions: ["withdraw"],
      lockReason: "正在等待导师审批",
    },
  );
}

beforeEach(() => {
  sent = { drafts: [], submits: [], withdrawn: [], changes: [] };
  signInAs({
    user: { id: 3, username: "student01", nickname: "林小满", type: 1 },
    permissions: [],
    studentDto: { id: 9, name: "林小满", studentNo: "202501001", advisorName: "陈远" },
  });
  fillDicts(dicts);
});

/** The form item's label also names its wrapper. */
const field = { selector: "input, textarea" };

const draft = () =>
  mySubject({ form: subject() }, { status: Status.Draft, editable: true, actions: ["save-draft", "submit"] });

describe("an open declaration", () => {
  test("says what to do, until when, who decides, and offers topics with their places", async () => {
    serve(mySubject());
    renderPage(<SubjectPage />);
    await screen.findByText("选择一个课题或提出自己的题目，然后提交");
    screen.getByText("还有 4 天");
    screen.getByText("导师 陈远 → 学院秘书");
    const steps = screen.getByRole("navigation", { name: "论文进度" });
    expect(within(steps).getAllByRole("listitem")).toHaveLength(11);
    expect(steps.querySelector("[aria-current=step]")?.textContent).toContain("选题");
    await screen.findByText("课题1：知识图谱构建");
    expect(screen.getAllByText("剩余 1 / 2")).toHaveLength(2);
  });

  test("topics are searched on the server after a pause", async () => {
    serve(mySubject());
    renderPage(<SubjectPage />);
    await screen.findByText("课题1：知识图谱构建");
    await userEvent.type(screen.getByLabelText("查找课题"), "课题2");
    await waitFor(() => expect(screen.queryByText("课题1：知识图谱构建")).toBeNull());
    screen.getByText("课题2：知识图谱构建");
  });

  test("pressing submit tells what is missing and sends nothing", async () => {
    serve(mySubject());
    renderPage(<SubjectPage />);
    await screen.findByText("课题1：知识图谱构建");
    fireEvent.click(screen.getByRole("button", { name: "提交选题" }));
    await screen.findByText("请选择一个课题，或改为自拟题目");
    screen.getByText("选题理由至少 100 个字，现在有 0 个");
    expect(sent.submits).toHaveLength(0);
  });

  test("a chosen topic is submitted after a confirmation and gives a receipt", async () => {
    serve(mySubject());
    renderPage(<SubjectPage />);
    fireEvent.click(await screen.findByRole("button", { name: /选择课题 课题1/ }));
    await screen.findByRole("button", { name: "换一个课题" });
    fireEvent.change(screen.getByLabelText(labelled("选题理由"), field), {
      target: { value: "因".repeat(120) },
    });
    fireEvent.click(screen.getByRole("button", { name: "提交选题" }));
    const dialog = await screen.findByRole("dialog");
    within(dialog).getByText("陈远 发布，提交时占用一个名额");
    expect(sent.submits).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole("button", { name: "提交选题" }));
    await waitFor(() => expect(sent.submits).toHaveLength(1));
    expect(sent.submits[0]?.body).toMatchObject({
      topicId: 1,
      selfProposed: false,
      reason: "因".repeat(120),
    });
    expect(sent.submits[0]?.key).toMatch(/^\w{32}$/);
    await screen.findByText("XT2026041500081201");
    screen.getByText("ab12cd34");
    screen.getByText("选题已提交，正在审批");
  });

  test("a long title warns, one too long is refused, similar ones are shown", async () => {
    serve(draft());
    renderPage(<SubjectPage />);
    const title = await screen.findByLabelText(labelled("论文题目"), field);
    fireEvent.change(title, { target: { value: "题".repeat(30) } });
    await screen.findByText("题目有 30 个字，建议不超过 25 个字");
    await screen.findByText("有 1 个相近的题目，请确认没有重复");
    screen.getByText("相似 82%，2024 级");
    fireEvent.change(title, { target: { value: "题".repeat(61) } });
    fireEvent.click(screen.getByRole("button", { name: "提交选题" }));
    await screen.findByText("题目应为 5-60 个字，现在有 61 个");
    expect(sent.submits).toHaveLength(0);
  });

  test("a funded source asks for its project number", async () => {
    serve(mySubject({ form: subject({ thesisSource: 1 }) }, { status: Status.Draft }));
    renderPage(<SubjectPage />);
    await screen.findByLabelText(labelled("项目编号"), field);
    fireEvent.click(screen.getByRole("button", { name: "提交选题" }));
    await screen.findByText("该来源需要填写项目编号");
  });

  test("keeps the draft every 15 seconds and says when", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    serve(draft());
    renderPage(<SubjectPage />);
    const reason = await screen.findByLabelText(labelled("选题理由"), field);
    screen.getByText("内容会自动保存");
    fireEvent.change(reason, { target: { value: "改过的理由" } });
    await act(() => vi.advanceTimersByTimeAsync(15_100));
    await screen.findByText(/^已自动保存 \d\d:\d\d$/);
    expect(sent.drafts).toHaveLength(1);
    expect(sent.drafts[0]).toMatchObject({ id: 812, version: 3, reason: "改过的理由" });
    // Nothing new was typed: nothing is sent again.
    await act(() => vi.advanceTimersByTimeAsync(31_000));
    expect(sent.drafts).toHaveLength(1);
    fireEvent.change(reason, { target: { value: "再改" } });
    await act(() => vi.advanceTimersByTimeAsync(15_100));
    await waitFor(() => expect(sent.drafts).toHaveLength(2));
    expect(sent.drafts[1]).toMatchObject({ version: 1 });
  });

  test("a draft changed elsewhere says so and offers the newest", async () => {
    serve(draft());
    server.use(
      http.post(api("/thesis/students-subject/save-draft"), () => failure(1070000002, "数据已被他人修改")),
    );
    renderPage(<SubjectPage />);
    fireEvent.change(await screen.findByLabelText(labelled("选题理由"), field), {
      target: { value: "新内容" },
    });
    fireEvent.click(screen.getByRole("button", { name: "保存草稿" }));
    await screen.findByText(/这份草稿已在另一个窗口修改/);
    fireEvent.click(screen.getByRole("button", { name: "载入最新内容" }));
    await waitFor(() =>
      expect(screen.getByLabelText(labelled("选题理由"), field)).toHaveProperty("value", subject().reason),
    );
  });

  test("a refusal of the server lands on its field", async () => {
    serve(draft());
    server.use(
      http.post(api("/thesis/students-subject/submit"), () =>
        failure(400, "请求参数不正确", { fields: [{ name: "titleZh", message: "题目与他人重复" }] }),
      ),
    );
    renderPage(<SubjectPage />);
    fireEvent.click(await screen.findByRole("button", { name: "提交选题" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "提交选题" }));
    await screen.findByText("题目与他人重复");
  });

  test("a lost answer is repeated with the same key", async () => {
    serve(draft());
    const seen: (string | null)[] = [];
    server.use(
      http.post(api("/thesis/students-subject/submit"), ({ request }) => {
        seen.push(request.headers.get("Idempotency-Key"));
        return failure(1070002001, "课题名额已满，请选择其他课题");
      }),
    );
    renderPage(<SubjectPage />);
    for (let round = 0; round < 2; round++) {
      fireEvent.click(await screen.findByRole("button", { name: "提交选题" }));
      const dialog = await screen.findByRole("dialog");
      fireEvent.click(within(dialog).getByRole("button", { name: "提交选题" }));
      await screen.findByText("课题名额已满，请选择其他课题");
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });
});

describe("nothing typed is lost", () => {
  test("when the step closes meanwhile the form stays, locked with its reason", async () => {
    serve(draft());
    server.use(
      http.post(api("/thesis/students-subject/save-draft"), () => failure(1070001002, "已超过截止时间")),
    );
    const { client } = renderPage(<SubjectPage />);
    const reason = await screen.findByLabelText(labelled("选题理由"), field);
    fireEvent.change(reason, { target: { value: "写到一半" } });
    const closed = [guard("G_WINDOW", false, "已于 09:00 截止")];
    my = mySubject(
      { form: subject() },
      {
        status: Status.Draft,
        dueAt: NOW - 1,
        editable: false,
        guards: closed,
        lockReason: "已于 09:00 截止",
      },
    );
    await act(() => client.invalidateQueries());
    await screen.findByText("选题申报时间已过");
    expect(screen.getByLabelText(labelled("选题理由"), field)).toHaveProperty("value", "写到一半");
    const submit = screen.getByRole("button", { name: "提交选题" });
    expect(submit.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: "保存草稿" }));
    await screen.findByText("未能保存：已超过截止时间");
  });

  test("what was typed when the session ended is offered again", async () => {
    serve(draft());
    const first = renderPage(<SubjectPage />);
    const reason = await screen.findByLabelText(labelled("选题理由"), field);
    fireEvent.change(reason, { target: { value: "登录失效前的内容" } });
    act(() => {
      window.dispatchEvent(new Event(SESSION_LOST));
    });
    first.unmount();
    renderPage(<SubjectPage />);
    await screen.findByText(/找到登录失效前未保存的内容/);
    fireEvent.click(screen.getByRole("button", { name: "恢复" }));
    await waitFor(() =>
      expect(screen.getByLabelText(labelled("选题理由"), field)).toHaveProperty("value", "登录失效前的内容"),
    );
  });

  test("a kept draft comes back with the topic it names, in the form and in the question", async () => {
    writeDraft("thesis-subject", {
      values: { ...valuesOf(null), way: "topic", topicId: 2 },
      topic: openTopic(2),
    });
    serve(mySubject({}));
    const user = userEvent.setup({ delay: null });
    renderPage(<SubjectPage />);
    await user.click(await screen.findByRole("button", { name: "恢复" }));
    const group = screen.getByRole("group", { name: "课题" });
    expect(group.textContent).toContain(openTopic(2).title);
    expect(within(group).queryByText(openTopic(1).title)).toBeNull();
  });

  test("a draft is stored when the page goes away", async () => {
    serve(mySubject({}));
    const user = userEvent.setup({ delay: null });
    const { unmount } = renderPage(<SubjectPage />);
    await user.click(await screen.findByText("自拟题目"));
    unmount();
    await waitFor(() => expect(sent.drafts).toHaveLength(1));
  });

  test("saving by hand confirms and a refused save stops repeating itself", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    serve(draft());
    let tries = 0;
    server.use(
      http.post(api("/thesis/students-subject/save-draft"), () => {
        tries += 1;
        return failure(400, "请求参数不正确");
      }),
    );
    renderPage(<SubjectPage />);
    fireEvent.change(await screen.findByLabelText(labelled("选题理由"), field), { target: { value: "一" } });
    await act(() => vi.advanceTimersByTimeAsync(15_100));
    await screen.findByText("未能保存：请求参数不正确");
    await act(() => vi.advanceTimersByTimeAsync(45_000));
    expect(tries).toBe(1);
    fireEvent.change(screen.getByLabelText(labelled("选题理由"), field), { target: { value: "二" } });
    await act(() => vi.advanceTimersByTimeAsync(15_100));
    await waitFor(() => expect(tries).toBe(2));
  });
});

describe("what is locked says why", () => {
  test("before the window the opening time is shown and nothing can be filled in", async () => {
    serve(
      mySubject(
        {},
        {
          status: Status.Open,
          openAt: NOW + 3 * DAY,
          dueAt: NOW + 30 * DAY,
          editable: false,
          actions: [],
          guards: [guard("G_STATUS_ACTIVE"), guard("G_WINDOW", false, "将于 2026-04-18 09:00 开放")],
          lockReason: "将于 2026-04-18 09:00 开放",
        },
      ),
    );
    renderPage(<SubjectPage />);
    await screen.findByText("选题申报尚未开放");
    screen.getByText("已满足 1 / 2");
    expect(screen.getAllByText("将于 2026-04-18 09:00 开放").length).toBeGreaterThan(0);
    expect(screen.queryByLabelText(labelled("选题理由"), field)).toBeNull();
  });

  test("a failed condition locks the submit button, names itself and leads to where it is settled", async () => {
    serve(
      mySubject(
        { form: subject() },
        {
          status: Status.Draft,
          actions: ["save-draft"],
          guards: [guard("G_WINDOW"), guard("G_REAL_NAME", false, "尚未完成实名认证", "/user/profile")],
          lockReason: "尚未完成实名认证",
        },
      ),
    );
    renderPage(<SubjectPage />);
    const button = await screen.findByRole("button", { name: "提交选题" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    const reason = document.getElementById(button.getAttribute("aria-describedby") ?? "");
    expect(reason?.textContent).toBe("尚未完成实名认证");
    expect(screen.getByRole("link", { name: "去办理" }).getAttribute("href")).toBe("/user/profile");
    fireEvent.click(button);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("after the window an extension can be asked for", async () => {
    serve(
      mySubject(
        { form: subject() },
        {
          status: Status.Expired,
          dueAt: NOW - DAY,
          editable: false,
          guards: [guard("G_WINDOW", false, "已截止")],
          lockReason: "已截止",
        },
      ),
    );
    const { router } = renderPage(<SubjectPage />);
    fireEvent.click(await screen.findByRole("button", { name: "申请延期" }));
    expect(router.state.location.pathname).toBe("/feedback/feedback/list");
  });

  test("a student without a record is told what happens", async () => {
    serve(mySubject());
    server.use(
      http.get(api("/thesis/students-subject/my"), () => failure(1070000001, "记录不存在或无权查看")),
      http.get(api("/thesis/record/my-progress"), () => failure(1070000001, "记录不存在或无权查看")),
    );
    renderPage(<SubjectPage />);
    await screen.findByText("还没有您的论文记录");
  });
});

describe("a submitted declaration", () => {
  test("waits, shows who decides and can be withdrawn", async () => {
    serve(waiting());
    renderPage(<SubjectPage />);
    await screen.findByText("选题已提交，正在审批");
    screen.getByText("已等待 1 天");
    expect(screen.queryByRole("button", { name: "提交选题" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "撤回选题" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "撤回选题" }));
    await waitFor(() => expect(sent.withdrawn).toEqual(["?id=812&version=3"]));
    await screen.findByText("草稿尚未提交，请补全后提交");
  });

  test("after the first decision withdrawing is locked with its reason", async () => {
    serve(waiting());
    my = {
      ...my,
      actions: [],
      locks: { withdraw: "导师已经同意，不能再撤回" },
      form: subject({ auditState: Audit.College, level: 2, receiptNo: "X" }),
    };
    renderPage(<SubjectPage />);
    const button = await screen.findByRole("button", { name: "撤回选题" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    screen.getByText("导师已经同意，不能再撤回");
  });

  test("a change of the title is locked with the server's reason", async () => {
    serve(
      mySubject(
        {
          form: subject({ auditState: Audit.Passed, receiptNo: "X1" }),
          locks: { "change-title": "学籍状态为“暂停”，暂不能办理" },
        },
        { status: Status.Passed, editable: false, guards: [], actions: [] },
      ),
    );
    renderPage(<SubjectPage />);
    const button = await screen.findByRole("button", { name: "申请变更题目" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    screen.getByText("学籍状态为“暂停”，暂不能办理");
    fireEvent.click(button);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("a returned one shows the opinion first and can be edited", async () => {
    serve(
      mySubject(
        {
          form: subject({ auditState: Audit.Returned, needNewFile: true }),
          history: [
            history("submit", "提交", { time: NOW - 2 * DAY, actorName: "林小满" }),
            history("returnTask", "退回修改", { reason: "题目过大，请缩小范围" }),
          ],
        },
        { status: Status.Returned, dueAt: NOW + 2 * DAY },
      ),
    );
    renderPage(<SubjectPage />);
    await screen.findByText("选题被退回，请按意见修改后重新提交");
    expect(screen.getAllByText("题目过大，请缩小范围").length).toBe(2);
    screen.getByText("审批人要求重新上传附件，请先上传新的修改稿");
    expect(screen.getByText("还有 1 天").closest(".is-near")).not.toBeNull();
    expect(screen.getByLabelText(labelled("选题理由"), field)).toHaveProperty("value", subject().reason);
  });

  test("a passed one can ask for another title, with a reason", async () => {
    serve(
      mySubject(
        { form: subject({ auditState: Audit.Passed, receiptNo: "X1" }) },
        { status: Status.Passed, editable: false, guards: [], actions: ["change-title"] },
      ),
    );
    renderPage(<SubjectPage />);
    await screen.findByText("选题已通过");
    fireEvent.click(screen.getByRole("button", { name: "申请变更题目" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText(labelled("新题目"), field), {
      target: { value: "新的论文题目" },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "提交变更" }));
    await screen.findByText("请填写变更理由，10-500 个字");
    expect(sent.changes).toHaveLength(0);
    fireEvent.change(within(dialog).getByLabelText(labelled("变更理由"), field), {
      target: { value: "研究对象缩小为一个学院" },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "提交变更" }));
    await waitFor(() => expect(sent.changes).toHaveLength(1));
    expect(sent.changes[0]).toMatchObject({ id: 812, version: 3, titleZh: "新的论文题目", major: false });
  });
});

test("the receipt prints alone", async () => {
  serve(waiting());
  const print = vi.fn(() => expect(document.documentElement.dataset.print).toBe("receipt"));
  vi.stubGlobal("print", print);
  renderPage(<SubjectPage />);
  fireEvent.click(await screen.findByRole("button", { name: /打印/ }));
  expect(print).toHaveBeenCalled();
  window.dispatchEvent(new Event("afterprint"));
  expect(document.documentElement.dataset.print).toBeUndefined();
  vi.unstubAllGlobals();
});

test("the form has no serious accessibility violation", async () => {
  serve(draft());
  const { container } = renderPage(<SubjectPage />);
  await screen.findByLabelText(labelled("选题理由"), field);
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const serious = violations.filter((item) => ["serious", "critical"].includes(item.impact ?? ""));
  expect(serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
});
