// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { writeDraft } from "@/kernel/crud/useDraft";
import { STALE_VERSION } from "@/kernel/crud/useSave";
import { hasUnsaved } from "@/kernel/ui";
import { renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { fakeSvgGeometry } from "@/testing/svg";
import DesignerPage from "./DesignerPage";
import { processFile } from "./fidelity/fixtures";

fakeSvgGeometry();

const xml = processFile("flowable", "", 'flowable:assignee="ann"');
const model = { id: "m1", key: "p", name: "请假", version: 3, bpmnXml: xml, processDefinition: null };
let sent: { id?: string; version?: number; bpmnXml?: string }[] = [];

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  sessionStorage.clear();
  localStorage.clear();
  signInAs();
  sent = [];
  server.use(
    http.get(api("/bpm/model/get"), () =>
      ok({ ...model, bpmnXml: sent.at(-1)?.bpmnXml ?? xml, version: 3 + sent.length }),
    ),
    http.put(api("/bpm/model/update-bpmn"), async ({ request }) => {
      sent.push((await request.json()) as (typeof sent)[number]);
      return ok(true);
    }),
  );
});

const drawn = (id: string) => document.querySelector(`.designer-sheet [data-element-id="${id}"]`);
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });

async function show(address = "/bpm/manager/model/design?id=m1") {
  const view = renderPage(<DesignerPage />, address);
  await waitFor(() => expect(document.querySelector(".designer-sheet svg .viewport")).toBeTruthy(), {
    timeout: 20_000,
  });
  return view;
}

test("a stored model is drawn, unchanged it is stored as it came", async () => {
  await show();
  await waitFor(() => expect(drawn("check")).toBeTruthy());
  expect(screen.getByRole("heading", { name: "流程设计：请假" })).toBeTruthy();
  expect((await screen.findAllByText("Flowable"))[0]).toBeTruthy();
  expect((await button("撤销")).disabled).toBe(true);
  fireEvent.click(await button("保存模型"));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ id: "m1", version: 3, bpmnXml: xml });
  fireEvent.click(await button("保存模型"));
  await waitFor(() => expect(sent[1]?.version).toBe(4));
});

test("a model that somebody else saved is not written over", async () => {
  server.use(http.put(api("/bpm/model/update-bpmn"), () => failure(STALE_VERSION, "已被他人修改")));
  await show();
  fireEvent.click(await button("保存模型"));
  fireEvent.click(await button("载入最新内容"));
  expect(sent).toEqual([]);
});

test("who may not change it looks at it", async () => {
  signInAs({ permissions: ["bpm:model:query"] });
  renderPage(<DesignerPage />, "/bpm/manager/model/design?id=m1");
  await screen.findByText(/您可以查看此流程图/);
  expect(screen.queryByRole("button", { name: "保存模型" })).toBeNull();
});

test("who may not look is told so", async () => {
  signInAs({ permissions: [] });
  renderPage(<DesignerPage />, "/bpm/manager/model/design?id=m1");
  await screen.findByText(/没有查看.*的权限/);
});

test("a draft that was left behind is offered and counts as unsaved", async () => {
  writeDraft("bpm/model/diagram:m1", { text: xml.replace('name="审核"', 'name="草稿"') });
  await show();
  expect(hasUnsaved("/bpm/manager/model/design")).toBe(false);
  const offer = (await screen.findByText(/未保存的草稿/)).closest("[role=alert]") as HTMLElement;
  fireEvent.click(within(offer).getByRole("button", { name: /恢\s*复/ }));
  await waitFor(() => expect(drawn("check")?.textContent).toContain("草稿"));
  await waitFor(() => expect(hasUnsaved("/bpm/manager/model/design")).toBe(true));
});

test("without a model there is nothing to save into", async () => {
  await show("/bpm/manager/model/design");
  expect(screen.getByRole("heading", { name: "流程设计器" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "保存模型" })).toBeNull();
  for (const name of [
    "打开文件",
    "下载文件",
    "预览",
    "模拟",
    "对齐",
    "放大",
    "缩小",
    "重置",
    "撤销",
    "重做",
    "重绘",
  ]) {
    await button(name);
  }
});
