// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, expect, test, vi } from "vitest";
import { fillDicts, renderPage } from "@/testing/render";
import { fakeSvgGeometry } from "@/testing/svg";
import { Diagram } from "./Diagram";
import { DiagramDialog } from "./DiagramDialog";
import { diagramXml, history, task } from "./fixtures";

fakeSvgGeometry();

const shape = (id: string) => document.querySelector(`.djs-element[data-element-id="${id}"]`);
const done = { createTime: 1795240920000, endTime: 1795244520000, durationInMillis: 3_600_000 };
const walked = history({
  tasks: [
    task({ id: "t2", assigneeUser: { id: 3, nickname: "陈老师", deptName: "研究生院" } }),
    task({ ...done, createTime: 1795240920000 - 1, status: 2, reason: "<b>同意</b>" }),
  ],
  activities: [
    { key: "start", type: "startEvent", startTime: 1795240920000, endTime: 1795240920000, taskId: "" },
    { key: "f1", type: "sequenceFlow", startTime: 1795240920000, endTime: 1795240920000, taskId: "" },
  ],
});

async function draw(xml: string, happened?: typeof walked) {
  const view = renderPage(<Diagram xml={xml} name="请假" history={happened} />);
  await waitFor(() => expect(screen.getByRole("region", { name: "流程图：请假" }).ariaBusy).toBe("false"));
  return view;
}

beforeEach(() => {
  fillDicts({
    bpm_task_status: { 1: "审批中", 2: "审批通过" },
    bpm_process_instance_result: { 3: "不通过" },
  });
});

test("script in names and documentation is shown as text", async () => {
  const script = '<script>alert(1)</script><img src="x" onerror="alert(2)">';
  await draw(diagramXml(script, `${script} 说明`));
  const list = within(screen.getByText("步骤清单（3 步，文字版）").closest("details") as HTMLElement);
  expect(list.getAllByText(script, { exact: false })[0]).toBeTruthy();
  expect(list.getByText(`${script} 说明`)).toBeTruthy();
  expect(document.querySelector("body script, body img")).toBeNull();
  expect(shape("check")?.textContent).toContain("alert(1)");
});

test("an instance is coloured, with signs, a legend and the steps in words", async () => {
  await draw(diagramXml("经理审批"), walked);
  await waitFor(() => expect(shape("check")?.classList.contains("step-running")).toBe(true));
  expect(shape("start")?.classList.contains("step-approved")).toBe(true);
  expect(shape("f1")?.classList.contains("step-approved")).toBe(true);
  expect(shape("f2")?.classList.contains("step-approved")).toBe(false);
  expect(document.querySelector(".diagram-badge")?.textContent).toBe("…");
  const legend = within(screen.getByRole("list", { name: "图例" }));
  expect(legend.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["进行中", "已通过"]);
  const line = screen.getByText("经理审批", { selector: "strong" }).closest("li");
  expect(line?.textContent).toContain(
    "用户任务 · 进行中 · 陈老师（研究生院）、刘老师（信息学院） · 下一步 同意 → 办结",
  );
  expect(document.querySelector(".bjs-powered-by")).toBeTruthy();
});

test("the pointer brings the facts of a step, a press all its records", async () => {
  await draw(diagramXml("经理审批", "三天以内由经理审批"), walked);
  await waitFor(() => expect(shape("check")?.classList.contains("step-running")).toBe(true));
  const hit = shape("check")?.querySelector(".djs-hit") as Element;
  fireEvent.mouseOver(hit);
  const card = within(await screen.findByRole("tooltip"));
  for (const text of ["三天以内由经理审批", "陈老师", "研究生院", "审批通过", "1 小时", "<b>同意</b>"]) {
    card.getByText(text);
  }
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(screen.queryByRole("tooltip")).toBeNull();
  fireEvent.click(hit);
  const records = within(await screen.findByRole("dialog", { name: "审批记录：经理审批" }));
  expect(records.getAllByRole("listitem")).toHaveLength(2);
});

test("the keyboard reaches the records through the list of steps", async () => {
  await draw(diagramXml("经理审批"), walked);
  fireEvent.click(screen.getByText("步骤清单（3 步，文字版）"));
  fireEvent.click(screen.getByRole("button", { name: "查看「经理审批」的审批记录" }));
  await screen.findByRole("dialog", { name: "审批记录：经理审批" });
});

test.each([
  ["nothing", ""],
  ["a process without a drawing", diagramXml("审批").replace(/<bpmndi:BPMNDiagram[\s\S]*BPMNDiagram>/, "")],
])("%s has no diagram to display", async (_name, xml) => {
  await draw(xml);
  screen.getByText("没有可显示的流程图");
  expect(screen.queryByText("审批", { selector: "strong" })).toBe(
    xml ? screen.getByText("审批", { selector: "strong" }) : null,
  );
});

test("a file that is no XML says what the parser says", async () => {
  await draw("<definitions");
  expect(screen.getByRole("alert").textContent).toMatch(/流程图打不开.+/);
});

test("an element that cannot be drawn is named, the others are drawn", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await draw(diagramXml("审批", "", '<bpmndi:BPMNShape id="s9" bpmnElement="nowhere"/>'));
  expect(screen.getByText("元素导入失败：有 2 处没有显示，其余照常")).toBeTruthy();
  expect(screen.getByText(/unresolved reference <nowhere>/)).toBeTruthy();
  expect(shape("check")).toBeTruthy();
});

test("the canvas takes the keyboard's focus and has a name", async () => {
  const { container } = await draw(diagramXml("审批"), walked);
  const drawing = container.querySelector(".djs-container svg");
  expect(drawing?.getAttribute("tabindex")).toBe("0");
  await waitFor(() => expect(drawing?.getAttribute("aria-label")).toContain("流程图：请假"));
  const viewport = () => container.querySelector(".viewport")?.getAttribute("transform");
  const before = viewport();
  fireEvent.keyDown(drawing as Element, { key: "ArrowRight" });
  expect(viewport()).not.toBe(before);
  for (const name of ["放大", "缩小", "显示全图", "流程图全屏", "打印", "下载 SVG"]) {
    screen.getByRole("button", { name });
  }
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test("the dialog fetches what it draws, and says why when it cannot", async () => {
  const view = renderPage(
    <DiagramDialog name="请假 v2" load={async () => diagramXml("经理审批")} onClose={() => {}} />,
  );
  await waitFor(() => expect(shape("check")?.textContent).toContain("经理审批"));
  view.unmount();
  const refused = () => Promise.reject(new Error("没有该操作权限"));
  renderPage(<DiagramDialog name="请假 v3" load={refused} onClose={() => {}} />);
  expect((await screen.findByRole("alert")).textContent).toBe("没有该操作权限");
});

test("a finger moves the drawing, a mouse over it does not", async () => {
  const { container } = await draw(diagramXml("审批"));
  const viewport = () => container.querySelector(".viewport")?.getAttribute("transform");
  const place = container.querySelector(".diagram-canvas") as Element;
  // jsdom has no pointer events of its own.
  const point = (type: string, clientX: number, pointerType = "touch") =>
    fireEvent(
      place,
      Object.assign(new MouseEvent(type, { clientX, bubbles: true }), { pointerType, isPrimary: true }),
    );
  const before = viewport();
  point("pointerdown", 10, "mouse");
  point("pointermove", 60, "mouse");
  expect(viewport()).toBe(before);
  point("pointerdown", 10);
  point("pointermove", 60);
  const moved = viewport();
  expect(moved).not.toBe(before);
  point("pointerup", 60);
  point("pointermove", 90);
  expect(viewport()).toBe(moved);
});
