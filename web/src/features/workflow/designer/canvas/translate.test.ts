// @vitest-environment jsdom
import { PopupEntries } from "bpmn-js/lib/features/popup-menu/PopupEntries";
import { beforeEach, expect, test, vi } from "vitest";
import { i18n } from "@/kernel/i18n";
import { fakeSvgGeometry } from "@/testing/svg";
import { processFile } from "../fidelity/fixtures";
import { type Drawing, draw } from "./drawing";
import type { Entries, Shape } from "./services";
import * as words from "./translate";
import { zh } from "./zh";

fakeSvgGeometry();

const asked = new Set<string>();

/** Hears what the drawing kit asks for. */
async function recorded(text: string): Promise<Drawing> {
  const real = words.translateModule.translate[1] as typeof words.translate;
  words.translateModule.translate[1] = (template: string, values?: Record<string, string>) => {
    asked.add(template);
    return real(template, values);
  };
  const drawing = await draw(document.body.appendChild(document.createElement("div")), text, "camunda");
  words.translateModule.translate[1] = real;
  return drawing;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const inner = `<subProcess id="sub"><startEvent id="s2"/></subProcess><exclusiveGateway id="g"/><parallelGateway id="g2"/><eventBasedGateway id="g3"/><serviceTask id="sv"/><callActivity id="ca"/><boundaryEvent id="be" attachedToRef="check"><timerEventDefinition/></boundaryEvent><intermediateCatchEvent id="ic"><messageEventDefinition/></intermediateCatchEvent><intermediateThrowEvent id="it"/><endEvent id="ee"/><dataObjectReference id="dor" dataObjectRef="dob"/><dataObject id="dob"/><dataStoreReference id="dsr"/>`;
const shapes = ["sub", "g", "g2", "g3", "sv", "ca", "be", "ic", "it", "ee", "dor", "dsr"]
  .map(
    (id, i) =>
      `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}" isExpanded="true"><dc:Bounds x="${i * 150}" y="400" width="100" height="80"/></bpmndi:BPMNShape>`,
  )
  .join("");

interface Pads {
  contextPad: { getEntries: (element: Shape | Shape[]) => Entries };
  popupMenu: { open: (element: Shape | Shape[], id: string, at: object) => void; close: () => void };
}

test("every word of the canvas has a translation", async () => {
  const text = processFile("camunda", "")
    .replace("<sequenceFlow", `${inner}<sequenceFlow`)
    .replace("</bpmndi:BPMNPlane>", `${shapes}</bpmndi:BPMNPlane>`);
  const { modeler } = await recorded(text);
  const services = modeler as unknown as { get: <K extends keyof Pads>(name: K) => Pads[K] };
  const all = modeler.get("elementRegistry").getAll();
  const two = all.filter((element) => !element.waypoints && element.parent).slice(0, 4);
  for (const element of [...all, two]) {
    services.get("contextPad").getEntries(element);
    for (const menu of ["bpmn-replace", "bpmn-append", "bpmn-create", "color-picker", "align-elements"]) {
      try {
        services.get("popupMenu").open(element, menu, { x: 0, y: 0 });
      } catch {
        // Not every menu is for every element.
      }
      services.get("popupMenu").close();
    }
  }
  modeler.get("searchPad").toggle();
  modeler.get("minimap").toggle();
  modeler.get("minimap").toggle();
  expect(asked.size).toBeGreaterThan(60);
  expect([...asked].filter((word) => !(word in zh)).toSorted()).toEqual([]);
});

test("every entry of the drawing kit's own catalogue has a translation", () => {
  const labels = Object.values(PopupEntries as Record<string, { label?: unknown }>).map(({ label }) => label);
  const texts = labels.filter((label): label is string => typeof label === "string");
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((label) => !(label in zh))).toEqual([]);
});

test("values stand in for their names, English stays English", async () => {
  await i18n.changeLanguage("zh-CN");
  expect(words.translate("Open {element}", { element: "<b>" })).toBe("打开 <b>");
  await i18n.changeLanguage("en");
  expect(words.translate("Create task")).toBe("Create task");
  await i18n.changeLanguage("zh-CN");
});
