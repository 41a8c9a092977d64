import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { MenuItem } from "@/kernel/session";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import HomePage from "../home";
import { DAY, dicts, guard, NOW, progress, stepView, todo } from "../shared/fixture";
import { Status, stepCodes } from "../shared/wire";
import type { MyStudent } from "../teacher/calls";
import { warningOf } from "../teacher/StudentsBoard";
import type { StepWindow } from "./calls";
import { soonest } from "./WindowsCard";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const menu = (path: string, component: string | null, children: MenuItem[] | null = null): MenuItem => ({
  id: path.length,
  parentId: 0,
  name: path,
  path,
  component,
  visible: true,
  keepAlive: true,
  alwaysShow: false,
  children,
});

const menus = [
  menu("/teacher", null, [
    menu("todo", "teacher/todo"),
    menu("topic", "teacher/topic"),
    menu("students", "teacher/students"),
  ]),
  menu("/thesis", null, [
    menu("record", "thesis/record/index"),
    menu("step-window", "thesis/step-window/index"),
  ]),
];

const student = (id: number, part: Partial<MyStudent> = {}): MyStudent => ({
  studentId: id,
  studentNo: `2025${id}`,
  studentName: `学生${id}`,
  deptName: "信息学院",
  majorName: "软件工程",
  degreeLevel: 3,
  entryYear: 2025,
  lifeState: 1,
  role: 1,
  recordId: id,
  titleZh: "",
  currentStep: 20,
  stepStatus: 1,
  subjectId: 0,
  auditState: -1,
  waitingForMe: false,
  lastActivity: NOW,
  idleDays: 0,
  dueAt: 0,
  ...part,
});

beforeEach(() => {
  fillDicts(dicts);
  server.use(
    http.get(api("/system/notify-message/my-page"), () =>
      ok({
        list: [{ id: 1, templateNickname: "论文系统", templateContent: "选题被退回", createTime: NOW }],
        total: 1,
      }),
    ),
    http.get(api("/system/notice/my-page"), () =>
      ok({ list: [{ id: 2, title: "选题通知", type: 1, createTime: NOW }], total: 1 }),
    ),
    http.get(api("/thesis/students-subject/todo-page"), () => ok({ list: [todo(3), todo(1)], total: 2 })),
    http.get(api("/thesis/advisor/my-students"), () =>
      ok({ list: [student(1, { waitingForMe: true }), student(2, { currentStep: 30 })], total: 2 }),
    ),
    http.get(api("/system/dept/list-all-simple"), () => ok([{ id: 11, name: "信息学院" }])),
    http.get(api("/thesis/topic/page"), () => ok({ list: [], total: 0 })),
    http.get(api("/thesis/step-window/page"), () => ok({ list: [], total: 0 })),
    http.get(api("/thesis/record/overview"), () =>
      ok({
        total: 9,
        steps: [
          { stepCode: 20, status: Status.Open, n: 4 },
          { stepCode: 20, status: Status.InApproval, n: 3 },
          { stepCode: 20, status: Status.Returned, n: 2 },
        ],
        audit: [],
        depts: [],
      }),
    ),
  );
});

describe("a student's home", () => {
  const asStudent = () =>
    signInAs({ user: { id: 3, username: "student01", nickname: "林小满", type: 1 }, permissions: [] });

  test("shows the step, the next act with its deadline, messages, advisor and notices", async () => {
    asStudent();
    server.use(
      http.get(api("/thesis/record/my-progress"), () => ok(progress())),
      http.get(api("/thesis/supervision/my-mentor"), () =>
        ok({
          current: [
            {
              role: 1,
              advisorId: 5,
              name: "陈远",
              titleRank: 1,
              deptName: "信息学院",
              email: "c@example.edu",
              researchKeywords: ["知识图谱"],
              officeHours: "周三",
              startDate: "2025-09-01",
              endDate: "",
            },
          ],
          history: [],
          hint: "",
        }),
      ),
    );
    const { router, container } = renderPage(<HomePage />);
    await screen.findByText("请办理“选题”环节");
    screen.getByText("还有 4 天");
    await screen.findByText("选题被退回");
    await screen.findByRole("link", { name: "c@example.edu" });
    await screen.findByRole("link", { name: "选题通知" });
    const { violations } = await axe.run(container, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(violations.filter((item) => ["serious", "critical"].includes(item.impact ?? ""))).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "去办理" }));
    expect(router.state.location.pathname).toBe("/myThesis/students-subject");
  });

  test("lists what is still needed, and says when there is no advisor or record", async () => {
    asStudent();
    const blocked = guard("G_REAL_NAME", false, "尚未完成实名认证", "/user/profile");
    server.use(
      http.get(api("/thesis/record/my-progress"), () =>
        ok(
          progress({
            steps: stepCodes.map((code) => stepView(code, code === 20 ? { guards: [blocked] } : {})),
            nextAction: {
              stepCode: 20,
              text: "尚未完成实名认证",
              dueAt: 0,
              link: "/myThesis/students-subject",
            },
          }),
        ),
      ),
      http.get(api("/thesis/supervision/my-mentor"), () =>
        ok({ current: [], history: [], hint: "由学院分配" }),
      ),
    );
    renderPage(<HomePage />);
    await screen.findByText("还需要满足的条件");
    screen.getByRole("link", { name: "去办理" });
    await screen.findByText("由学院分配");
  });

  test("without a record says what happens next", async () => {
    asStudent();
    server.use(
      http.get(api("/thesis/record/my-progress"), () => failure(1070000001, "记录不存在或无权查看")),
      http.get(api("/thesis/supervision/my-mentor"), () => failure(1070000001, "记录不存在或无权查看")),
    );
    renderPage(<HomePage />);
    await screen.findByText("还没有您的论文记录");
  });
});

describe("a teacher's home", () => {
  test("to decide oldest first with a link into the queue, students by step", async () => {
    signInAs({
      user: { id: 7, username: "advisor01", nickname: "陈远", type: 2 },
      permissions: ["thesis:topic:query"],
      teacherDto: { id: 5 },
      menus,
    });
    renderPage(<HomePage />);
    const first = await screen.findByRole("link", { name: /题目3/ });
    expect(first.getAttribute("href")).toBe("/teacher/todo?id=3");
    const step = await screen.findByRole("region", { name: "选题" });
    within(step).getByText("等待您审批");
    screen.getByRole("region", { name: "开题" });
    expect(screen.queryByText("系统状态")).toBeNull();
  });

  test("warnings are ordered by gravity", () => {
    expect(warningOf(student(1, { waitingForMe: true, dueAt: NOW - 1 }), NOW)).toBe("mine");
    expect(warningOf(student(1, { dueAt: NOW - 1, idleDays: 90 }), NOW)).toBe("over");
    expect(warningOf(student(1, { dueAt: NOW + DAY }), NOW)).toBe("near");
    expect(warningOf(student(1, { dueAt: NOW + 9 * DAY, idleDays: 31 }), NOW)).toBe("idle");
    expect(warningOf(student(1, { idleDays: 3 }), NOW)).toBe("");
  });
});

describe("tasks of processes", () => {
  const processes = menu("/bpm", null, [menu("task", null, [menu("todo", "bpm/task/todo/index")])]);
  const task = (id: string, process: string) => ({
    id: `${id}.2`,
    name: "负责人审批",
    createTime: NOW - DAY,
    processInstanceId: id,
    processInstance: {
      name: `申请${id}`,
      processDefinitionId: `${process}:1:x`,
      startUser: { nickname: "林小满", deptName: "信息学院" },
    },
  });
  const tasks = [task("i1", "oa_leave"), task("i2", "thesis_subject")];

  beforeEach(() =>
    server.use(http.get(api("/bpm/task/todo-page"), () => ok({ list: tasks, total: tasks.length }))),
  );

  test("stand beside the topics, also a step that the school drew into their process", async () => {
    signInAs({
      user: { id: 7, username: "advisor01", nickname: "陈远", type: 2 },
      permissions: ["thesis:topic:query"],
      teacherDto: { id: 5 },
      menus: [...menus, processes],
    });
    renderPage(<HomePage />);
    const link = await screen.findByRole("link", { name: /申请i1.*林小满/ });
    expect(link.getAttribute("href")).toBe("/bpm/process-instance/detail?id=i1&taskId=i1.2");
    await screen.findByRole("heading", { name: "待我审批（4）" });
    await screen.findByText("申请i2");
    expect(screen.getByRole("link", { name: "全部流程任务" }).getAttribute("href")).toBe("/bpm/task/todo");
    screen.getByRole("link", { name: "全部选题" });
  });

  test("are all there is for who decides no topics", async () => {
    signInAs({ permissions: ["bpm:task:query"], roles: ["archivist"], menus: [processes] });
    renderPage(<HomePage />);
    await screen.findByText("申请i2");
    screen.getByRole("heading", { name: "待我审批（2）" });
    expect(screen.queryByText("现在没有需要您处理的事项")).toBeNull();
  });
});

describe("the office's home", () => {
  test("bars carry their numbers, lead to the list, and a table holds all of them", async () => {
    signInAs({ permissions: ["thesis:record:query"], roles: ["college_secretary"], menus });
    renderPage(<HomePage />);
    await screen.findByText("待学生办理 4 · 审批中 3 · 需要关注 2");
    const bar = screen.getByText("9").closest("a");
    expect(bar?.getAttribute("href")).toBe("/thesis/record?view=list&currentStep=20");
    expect(screen.queryByText("系统状态")).toBeNull();
    fireEvent.click(screen.getByText("表"));
    const table = await screen.findByRole("table");
    within(table).getByRole("columnheader", { name: "退回修改" });
  });

  test("health is for administrators", async () => {
    signInAs({ roles: ["admin"], menus });
    server.use(
      http.get("http://localhost/readyz", () => new Response("ready")),
      http.get(api("/infra/job-log/page"), () => ok({ list: [], total: 4 })),
      http.get(api("/system/login-log/page"), () => failure(403, "没有权限")),
      http.get(api("/thesis/feedback/page"), () => ok({ list: [], total: 2 })),
    );
    renderPage(<HomePage />);
    await screen.findByText("系统状态");
    await screen.findByText("正常");
    await waitFor(() =>
      expect(screen.getByText("一天内失败的任务").nextElementSibling?.textContent).toBe("4"),
    );
    expect(screen.queryByText("一天内失败的登录")).toBeNull();
  });

  test("windows are shown by their next change within a month", () => {
    const window = (id: number, openAt: number, closeAt: number): StepWindow => ({
      id,
      version: 1,
      semester: "",
      stepCode: 20,
      deptId: 0,
      degreeLevel: 0,
      openAt,
      closeAt,
    });
    const list = [
      window(1, NOW - DAY, NOW + 9 * DAY),
      window(2, NOW + 2 * DAY, NOW + 60 * DAY),
      window(3, NOW - 9 * DAY, NOW - DAY),
      window(4, NOW + 40 * DAY, NOW + 60 * DAY),
    ];
    expect(soonest(list, NOW).map((item) => item.id)).toEqual([2, 1]);
  });
});
