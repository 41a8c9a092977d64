import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import { DAY, detail, dicts, guard, history, labelled, NOW, subject } from "../shared/fixture";
import { Status } from "../shared/wire";
import RecordPage from "./record";
import { groupOf, sums } from "./StepChart";
import StepWindowPage, { windowState } from "./stepWindow";
import SubjectsPage from "./subjects";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const record = {
  id: 40,
  version: 1,
  studentId: 9,
  studentNo: "202501001",
  studentName: "林小满",
  deptId: 11,
  deptName: "信息学院",
  advisorId: 5,
  advisorName: "陈远",
  titleZh: "题目",
  currentStep: 20,
  stepStatus: Status.Open,
  lifeState: 1,
};

let sent: { call: string; body: Record<string, unknown> }[];

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts(dicts);
  const keep =
    (call: string) =>
    async ({ request }: { request: Request }) => {
      sent.push({ call, body: (await request.json()) as Record<string, unknown> });
      return ok(call === "copy" ? 3 : true);
    };
  server.use(
    http.get(api("/system/dept/list-all-simple"), () => ok([{ id: 11, name: "信息学院" }])),
    http.get(api("/thesis/advisor/list-all-simple"), () => ok([{ id: 5, name: "陈远" }])),
    http.get(api("/thesis/record/page"), () => ok({ list: [record], total: 1 })),
    http.get(api("/thesis/record/get"), () => ok(record)),
    http.get(api("/thesis/record/history"), () => ok({ intact: true, list: [history("submit", "提交")] })),
    http.get(api("/thesis/record/overview"), () =>
      ok({
        total: 3,
        steps: [{ stepCode: 20, status: 1, n: 3 }],
        audit: [],
        depts: [{ deptId: 11, deptName: "信息学院", stepCode: 20, n: 3 }],
      }),
    ),
    http.get(api("/thesis/record/ineligible"), ({ request }) => {
      const step = Number(new URL(request.url).searchParams.get("step"));
      const row = {
        ...record,
        recordId: 40,
        guards: [guard("G_PREV_PASSED", false, `请先完成 ${step} 之前的环节`)],
      };
      return ok({ list: [row], total: 1 });
    }),
    http.put(api("/thesis/record/override"), keep("override")),
    http.put(api("/thesis/record/waive"), keep("waive")),
    http.post(api("/thesis/step-window/copy-semester"), keep("copy")),
    http.get(api("/thesis/step-window/page"), () => ok({ list: [], total: 0 })),
  );
});

const box = { selector: "input, textarea" };

describe("the overview of theses", () => {
  test("figures by step and college, then who cannot go on and why", async () => {
    const { router } = renderPage(<RecordPage />);
    await screen.findByText("待学生办理 3");
    screen.getByRole("rowheader", { name: "信息学院" });
    fireEvent.click(screen.getByText("暂不能办理"));
    await screen.findByText(/请先完成 20 之前的环节/);
    expect(router.state.location.search).toBe("?view=why");
  });

  test("the list gives more time, with a reason, and waives", async () => {
    renderPage(<RecordPage />, "/?view=list");
    fireEvent.click(await screen.findByRole("button", { name: "延长时间 林小满 202501001" }));
    let dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "延长" }));
    await within(dialog).findByText("请填写理由，至少 5 个字");
    expect(sent).toHaveLength(0);
    fireEvent.change(within(dialog).getByLabelText(labelled("理由"), box), {
      target: { value: "外出调研三天" },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "延长" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ recordId: 40, stepCode: 20, reason: "外出调研三天" });
    expect(Number(sent[0]?.body.until)).toBeGreaterThan(Date.now());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    fireEvent.click(screen.getByRole("button", { name: "免做 林小满 202501001" }));
    dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText(labelled("理由"), box), {
      target: { value: "同等学力免做" },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "免做该环节" }));
    await waitFor(() =>
      expect(sent[1]?.body).toEqual({ recordId: 40, stepCode: 20, reason: "同等学力免做" }),
    );
  });

  test("the detail shows the history and whether it is unbroken", async () => {
    renderPage(<RecordPage />, "/?view=list");
    fireEvent.click(await screen.findByText("林小满"));
    await screen.findByText("记录完整");
  });
});

test("a declaration opens with its file, and the decision when it is mine", async () => {
  server.use(
    http.get(api("/thesis/students-subject/page"), () =>
      ok({ list: [subject({ auditState: 1, level: 1, submittedAt: NOW })], total: 1 }),
    ),
    http.get(api("/thesis/students-subject/get"), () =>
      ok(
        detail({
          actions: [],
          lockReason: "正在等待导师审批",
          similarTitles: [{ titleZh: "相近题目", entryYear: 2024, score: 0.7 }],
        }),
      ),
    ),
  );
  renderPage(<SubjectsPage />);
  fireEvent.click(await screen.findByText("面向研究生培养的流程引擎研究"));
  await screen.findByText("正在等待导师审批");
  screen.getByText(/相近题目/);
  expect(screen.queryByRole("button", { name: "同意" })).toBeNull();
});

describe("step windows", () => {
  const row = (part: object) => ({
    id: 1,
    semester: "2025-2026-2",
    stepCode: 20,
    deptId: 0,
    degreeLevel: 0,
    openAt: NOW - DAY,
    closeAt: NOW + DAY,
    lateMode: 1,
    graceMinutes: 10,
    ...part,
  });

  test.each([
    ["early", { openAt: NOW + 1 }],
    ["open", {}],
    ["open", { closeAt: NOW - 9 * 60_000 }],
    ["closed", { closeAt: NOW - 11 * 60_000 }],
    ["late", { closeAt: NOW - DAY, lateMode: 2 }],
  ])("%s", (state, part) => expect(windowState(row(part), NOW)).toBe(state));

  test("copying asks for both semesters", async () => {
    renderPage(<StepWindowPage />);
    fireEvent.click(await screen.findByRole("button", { name: "复制学期" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "复制" }));
    await within(dialog).findByText("请选择来源学期");
    expect(sent).toHaveLength(0);
  });
});

test("counts are grouped by who has to act", () => {
  expect([0, 1, 2].map(groupOf)).toEqual(["student", "student", "student"]);
  expect([3, 5, 6].map(groupOf)).toEqual(["office", "office", "office"]);
  expect([4, 9, 10].map(groupOf)).toEqual(["attention", "attention", "attention"]);
  expect([7, 8, 11, 12].map(groupOf)).toEqual(["done", "done", "done", "done"]);
  const counts = [
    { stepCode: 20, status: 1, n: 4 },
    { stepCode: 20, status: 3, n: 2 },
    { stepCode: 30, status: 3, n: 9 },
  ];
  expect(sums(counts, 20)).toEqual({ student: 4, office: 2, attention: 0, done: 0 });
});
