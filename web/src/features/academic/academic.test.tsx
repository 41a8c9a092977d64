import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import SemesterPage from "./semester";
import StudentPage from "./student";
import SupervisionPage from "./supervision";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const student = (id: number) => ({
  id,
  version: 1,
  studentNo: `202501${id}`,
  name: `学生${id}`,
  deptId: 11,
  deptName: "信息学院",
  majorId: 21,
  majorName: "软件工程",
  degreeLevel: 3,
  entryYear: 2025,
  advisorId: id === 1 ? 5 : 0,
  advisorName: id === 1 ? "陈远" : "",
  lifeState: 1,
  realNameState: 0,
});

let sent: { path: string; body: unknown }[];

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts({
    thesis_real_name_state: { 0: "未认证", 1: "已认证", 2: "未通过" },
    semester_items: { 1: "第一学期(秋)" },
  });
  const keep = async ({ request }: { request: Request }) => {
    const url = new URL(request.url);
    const text = await request.text();
    sent.push({
      path: url.pathname.replace("/admin-api", "") + url.search,
      body: text ? JSON.parse(text) : null,
    });
    return ok(true);
  };
  server.use(
    http.get(api("/thesis/students/page"), () => ok({ list: [student(1), student(2)], total: 2 })),
    http.get(api("/thesis/advisor/list-all-simple"), () =>
      ok([
        { id: 5, name: "陈远" },
        { id: 6, name: "周明" },
      ]),
    ),
    http.get(api("/system/dept/list-all-simple"), () => ok([{ id: 11, name: "信息学院" }])),
    http.get(api("/thesis/major/list-all-simple"), () => ok([{ id: 21, name: "软件工程" }])),
    http.put(api("/thesis/students/assign-advisor"), keep),
    http.post(api("/thesis/students/batch-assign"), keep),
    http.put(api("/thesis/students/set-real-name"), keep),
    http.put(api("/thesis/supervision/end"), keep),
    http.put(api("/thesis/semester/set-current"), keep),
  );
});

/** Opens a select and chooses by text. */
async function choose(dialog: HTMLElement, text: string): Promise<void> {
  fireEvent.mouseDown(within(dialog).getByRole("combobox"));
  fireEvent.click(await screen.findByText(text, { selector: ".ant-select-item-option-content" }));
}

describe("students", () => {
  test("an advisor is assigned to one, saying that the former relation ends", async () => {
    renderPage(<StudentPage />);
    fireEvent.click(await screen.findByRole("button", { name: "指定导师 学生1" }));
    const dialog = await screen.findByRole("dialog");
    within(dialog).getByText(/其中 1 名已有导师，原关系将于今天结束/);
    fireEvent.click(within(dialog).getByRole("button", { name: "指定导师" }));
    await within(dialog).findByText("请选择导师");
    await choose(dialog, "周明");
    fireEvent.click(within(dialog).getByRole("button", { name: "指定导师" }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          path: "/thesis/students/assign-advisor",
          body: { studentId: 1, advisorId: 6, role: 1, reason: "" },
        },
      ]),
    );
  });

  test("several selected get one together", async () => {
    renderPage(<StudentPage />);
    fireEvent.click(await screen.findByRole("checkbox", { name: "选择 学生1" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "选择 学生2" }));
    fireEvent.click(await screen.findByRole("button", { name: "为所选学生指定导师" }));
    const dialog = await screen.findByRole("dialog");
    await choose(dialog, "周明");
    fireEvent.click(within(dialog).getByRole("button", { name: "指定导师" }));
    await waitFor(() => expect(sent[0]?.path).toBe("/thesis/students/batch-assign"));
    expect(sent[0]?.body).toMatchObject({ studentIds: [1, 2], advisorId: 6 });
  });

  test("the identity check is recorded; a refusal stays in the dialog", async () => {
    renderPage(<StudentPage />);
    fireEvent.click(await screen.findByRole("button", { name: "实名认证 学生2" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("radio", { name: "已认证" }));
    server.use(
      http.put(api("/thesis/students/set-real-name"), () => failure(1070000001, "记录不存在或无权查看"), {
        once: true,
      }),
    );
    fireEvent.click(within(dialog).getByRole("button", { name: "保存结果" }));
    await within(dialog).findByText("记录不存在或无权查看");
    fireEvent.click(within(dialog).getByRole("button", { name: "保存结果" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ id: 2, state: 1 }));
  });

  test("an import is checked first and only then done", async () => {
    const runs: string[] = [];
    server.use(
      http.post(api("/thesis/students/import"), ({ request }) => {
        const url = new URL(request.url);
        runs.push(url.search);
        const dryRun = url.searchParams.get("dryRun") === "true";
        return ok({ dryRun, created: 2, updated: 0, failures: [{ row: 4, msg: "该专业不属于所选学院" }] });
      }),
    );
    renderPage(<StudentPage />);
    fireEvent.click(await screen.findByRole("button", { name: "导入学生" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "检查文件" }));
    await within(dialog).findByText("请先选择要导入的 Excel 文件（.xlsx）");
    fireEvent.change(within(dialog).getByLabelText("选择 Excel 文件"), {
      target: { files: [new File(["x"], "students.xlsx")] },
    });
    fireEvent.click(within(dialog).getByRole("button", { name: "检查文件" }));
    await within(dialog).findByText("检查完成：可新增 2 名，可更新 0 名，1 行有问题");
    within(dialog).getByText("该专业不属于所选学院");
    fireEvent.click(within(dialog).getByRole("button", { name: "导入可用的 2 行" }));
    await within(dialog).findByText("导入完成：新增 2 名，更新 0 名，1 行未导入");
    expect(runs).toEqual(["?updateSupport=false&dryRun=true", "?updateSupport=false&dryRun=false"]);
  });
});

test("a supervision ends with a reason", async () => {
  const row = {
    id: 3,
    version: 1,
    studentId: 1,
    studentNo: "2025011",
    studentName: "学生1",
    advisorId: 5,
    advisorName: "陈远",
    role: 1,
    startDate: "2025-09-01",
    endDate: "",
  };
  server.use(http.get(api("/thesis/supervision/page"), () => ok({ list: [row], total: 1 })));
  renderPage(<SupervisionPage />);
  fireEvent.click(await screen.findByRole("button", { name: "结束关系 学生1 – 陈远" }));
  const dialog = await screen.findByRole("dialog");
  fireEvent.click(within(dialog).getByRole("button", { name: "结束关系" }));
  await within(dialog).findByText("请填写原因，至少 2 个字");
  fireEvent.change(within(dialog).getByLabelText(/^原因/, { selector: "textarea" }), {
    target: { value: "调换导师" },
  });
  fireEvent.click(within(dialog).getByRole("button", { name: "结束关系" }));
  await waitFor(() =>
    expect(sent).toEqual([{ path: "/thesis/supervision/end", body: { id: 3, reason: "调换导师" } }]),
  );
});

test("another semester becomes the current one after a question", async () => {
  const row = {
    id: 8,
    version: 1,
    academicYear: "2025-2026",
    item: 1,
    startDate: "2025-09-01",
    endDate: "2026-01-20",
    weekCount: 20,
    isCurrent: false,
  };
  server.use(http.get(api("/thesis/semester/page"), () => ok({ list: [row], total: 1 })));
  renderPage(<SemesterPage />);
  fireEvent.click(await screen.findByRole("button", { name: /^设为当前学期/ }));
  fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "确定" }));
  await waitFor(() => expect(sent[0]?.path).toBe("/thesis/semester/set-current?id=8"));
});
