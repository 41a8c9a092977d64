import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import Modeler from "bpmn-js/lib/Modeler";
import { HttpResponse, http } from "msw";
import { expect } from "vitest";
import { i18n } from "@/kernel/i18n";
import { renderPage } from "@/testing/render";
import { server } from "@/testing/server";
import { fakeSvgGeometry } from "@/testing/svg";
import { type Dialect, descriptorOf, uriOf } from "../dialect";
import type { PanelModel, Modeler as PanelModeler } from "./kit/wire";
import { PropertiesPanel } from "./PropertiesPanel";

fakeSvgGeometry();
// jsdom lacks it; the ids of tests need no more.
Object.assign(globalThis, { CSS: { escape: (text: string) => text.replace(/[^\w-]/g, "\\$&") } });

const nodes =
  "startEvent|endEvent|userTask|scriptTask|serviceTask|sendTask|receiveTask|manualTask|businessRuleTask|callActivity|task|exclusiveGateway|boundaryEvent|intermediateCatchEvent|intermediateThrowEvent|subProcess";

/** A whole file around the content of a fixture: in the dialect, with something drawn for every element. */
export function fileOf(content: string, dialect: Dialect): string {
  const own = content.replaceAll("camunda:", `${dialect}:`);
  const shapes = [...own.matchAll(new RegExp(`<(?:${nodes}|textAnnotation) id="(\\w+)"`, "g"))].map(
    ([, id], at) =>
      `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${at * 150}" y="100" width="100" height="80"/></bpmndi:BPMNShape>`,
  );
  const edges = [...own.matchAll(/<sequenceFlow id="(\w+)"/g)].map(
    ([, id]) =>
      `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="1" y="1"/><di:waypoint x="90" y="1"/></bpmndi:BPMNEdge>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${dialect}="${uriOf(dialect)}" xmlns:other="http://example.org/other" id="d" targetNamespace="t">
${own}
<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="p">${shapes.join("")}${edges.join("")}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;
}

interface Stack {
  undo: () => void;
  redo: () => void;
  canUndo: () => boolean;
}

/** Answers what the panel asks of the server while it is drawn. */
export function answer(path: string, data: unknown): void {
  server.use(http.get(`*/admin-api${path}`, () => HttpResponse.json({ code: 0, data, msg: "" })));
}

const lists = {
  "/system/user/list-all-simple": [
    { id: 3, nickname: "刘老师" },
    { id: 4, nickname: "陈老师" },
  ],
  "/system/role/list-all-simple": [{ id: 5, name: "评审" }],
  "/system/dept/list-all-simple": [{ id: 6, name: "信息学院" }],
  "/system/post/list-all-simple": [{ id: 8, name: "秘书" }],
  "/bpm/user-group/list-all-simple": [{ id: 9, name: "答辩小组" }],
};

/** A panel beside a drawn file, and what a test does with them. */
export async function openPanel(
  content: string,
  dialect: Dialect,
  selected?: string,
  model?: PanelModel,
): Promise<Panel> {
  const container = document.body.appendChild(document.createElement("div"));
  // The lines to labels ask for paths, which jsdom does not draw.
  const noLinks = { labelLink: ["value", null] };
  const moddleExtensions = { [dialect]: descriptorOf(dialect) };
  const modeler = new Modeler({ container, moddleExtensions, additionalModules: [noLinks] });
  const { warnings } = await modeler.importXML(fileOf(content, dialect));
  expect(warnings).toEqual([]);
  answer("/bpm/model/check-expression", { valid: true, literal: false, column: 0, message: "" });
  answer("/bpm/model/handlers", []);
  answer("/bpm/form/list-all-simple", [{ id: 7, name: "请假单" }]);
  answer("/bpm/process-listener/page", { list: [], total: 0 });
  answer("/bpm/process-expression/page", { list: [], total: 0 });
  for (const [path, rows] of Object.entries(lists)) answer(path, rows);
  renderPage(
    <PropertiesPanel modeler={modeler as unknown as PanelModeler} dialect={dialect} model={model} />,
  );
  const panel = new Panel(modeler as unknown as PanelModeler, dialect);
  if (selected) await panel.select(selected);
  return panel;
}

// Roles and computed names are slow to find in jsdom beside a drawing: these look at the markup.
function findDialog(title: string): HTMLElement | undefined {
  const titles = [...document.querySelectorAll<HTMLElement>('[role="dialog"] .ant-modal-title')];
  const found = titles.find((one) => one.textContent === title);
  return found?.closest<HTMLElement>('[role="dialog"]') ?? undefined;
}

function dialogOf(title: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = findDialog(title);
    expect(found, title).toBeDefined();
    return found as HTMLElement;
  });
}

/** A button by its name, the last one: dialogs stand behind the page. */
function button(name: string | RegExp, place: ParentNode = document): Promise<HTMLElement> {
  const matches = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  return waitFor(() => {
    const all = [...place.querySelectorAll<HTMLElement>('button, [role="button"]')];
    const found = all.findLast((one) => matches((one.ariaLabel ?? one.textContent ?? "").trim()));
    expect(found, String(name)).toBeDefined();
    return found as HTMLElement;
  });
}

/** A label with or without the marks that forms add to it. */
const labelled = (label: string) => (text: string) =>
  text === label || text === `${label} *` || text === label + i18n.t("kernel:form.optional");

export class Panel {
  private readonly modeler: PanelModeler;
  private readonly dialect: Dialect;

  constructor(modeler: PanelModeler, dialect: Dialect) {
    this.modeler = modeler;
    this.dialect = dialect;
  }

  private get saver() {
    return this.modeler as unknown as {
      saveXML: (options: { format: boolean }) => Promise<{ xml: string }>;
      get: (name: "commandStack") => Stack;
    };
  }

  async xml(): Promise<string> {
    return (await this.saver.saveXML({ format: true })).xml;
  }

  async select(id: string): Promise<void> {
    const element = this.modeler.get("elementRegistry").get(id);
    if (!element) throw new Error(`nothing is drawn for ${id}`);
    this.modeler.get("selection").select(element);
    await screen.findByText(id === "" ? "" : /.*/, { selector: ".panel-head h2" });
  }

  /** Opens a section by its title. */
  async open(title: string): Promise<void> {
    const header = await button(title);
    if (header.getAttribute("aria-expanded") !== "true") fireEvent.click(header);
    await waitFor(() => expect(header.getAttribute("aria-expanded")).toBe("true"));
  }

  field(label: string): HTMLInputElement {
    return screen.getByLabelText(label) as HTMLInputElement;
  }

  async type(label: string, text: string): Promise<void> {
    const field = await screen.findByLabelText(label);
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
  }

  async check(label: string): Promise<void> {
    fireEvent.click(await screen.findByLabelText(label));
  }

  /** Chooses from a list by its label. */
  async choose(label: string, option: string): Promise<void> {
    const box = await screen.findByLabelText(label);
    fireEvent.mouseDown(box);
    const list = await waitFor(() => {
      const id = box.getAttribute("aria-controls") ?? "";
      const open = document.getElementById(id)?.closest(".ant-select-dropdown");
      expect(open).toBeTruthy();
      return open as HTMLElement;
    });
    const found = await within(list).findAllByText(option, { selector: ".ant-select-item-option-content" });
    fireEvent.click(found.at(-1) as HTMLElement);
    fireEvent.blur(box);
  }

  /** Chooses from a list inside the open dialog. */
  async chooseIn(title: string, label: string, option: string): Promise<void> {
    const dialog = await dialogOf(title);
    fireEvent.mouseDown(await within(dialog).findByLabelText(labelled(label)));
    const options = await screen.findAllByText(option, { selector: ".ant-select-item-option-content" });
    fireEvent.click(options.at(-1) as HTMLElement);
  }

  /** Fills fields of the open dialog by their labels, saves, and waits until it is closed. */
  async save(title: string, values: Record<string, string> = {}): Promise<void> {
    const dialog = await dialogOf(title);
    for (const [label, value] of Object.entries(values))
      fireEvent.change(await within(dialog).findByLabelText(labelled(label)), { target: { value } });
    fireEvent.click(await button("保存到流程图", dialog));
    await waitFor(() => expect(findDialog(title)).toBeUndefined());
  }

  /** Presses save in the open dialog and expects it to stay with this text. */
  async refused(title: string, text: string, values: Record<string, string> = {}): Promise<void> {
    const dialog = await dialogOf(title);
    for (const [label, value] of Object.entries(values))
      fireEvent.change(await within(dialog).findByLabelText(labelled(label)), { target: { value } });
    fireEvent.click(await button("保存到流程图", dialog));
    expect(await within(dialog).findAllByText(text)).not.toEqual([]);
  }

  async press(name: string | RegExp): Promise<void> {
    fireEvent.click(await button(name));
  }

  /** Confirms the question with this text. */
  async confirm(question: string): Promise<void> {
    const box = (await screen.findByText(question)).closest('[role="dialog"]') as HTMLElement;
    fireEvent.click(await button(/^确\s*[认定]$/, box));
    await waitFor(() => expect(screen.queryByText(question)).toBeNull());
  }

  /**
   * Does something that is to change the file in one step: afterwards it holds `has` and not `lacks`
   * (written with the prefix P:), one undo gives the file as it was, and one redo the change again.
   */
  async changes(act: () => void | Promise<void>, has: string[], lacks: string[] = []): Promise<void> {
    const own = (text: string) => text.replaceAll("P:", `${this.dialect}:`);
    const before = await this.xml();
    await act();
    await waitFor(async () => expect(await this.xml()).not.toBe(before));
    const after = await this.xml();
    const flat = after.replace(/>\s+</g, "><");
    for (const text of has) expect(flat).toContain(own(text));
    for (const text of lacks) expect(flat).not.toContain(own(text));
    const stack = this.saver.get("commandStack");
    stack.undo();
    expect(await this.xml()).toBe(before);
    stack.redo();
    expect(await this.xml()).toBe(after);
  }

  /** Does something that must not change the file. */
  async keeps(act: () => void | Promise<void>): Promise<void> {
    const before = await this.xml();
    await act();
    expect(await this.xml()).toBe(before);
    expect(this.saver.get("commandStack").canUndo()).toBe(false);
  }
}
