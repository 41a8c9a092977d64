// @vitest-environment jsdom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeSvgGeometry } from "@/testing/svg";
import { type Difference, differences, isNeutral } from "../fidelity/compare";
import { hostile, processFile } from "../fidelity/fixtures";
import { nameOf } from "../fidelity/save";
import { parseXml } from "../fidelity/xml";
import { type Drawing, dispose, draw, write } from "./drawing";
import type { Shape } from "./services";

fakeSvgGeometry();

const place = () => document.body.appendChild(document.createElement("div"));

/** Moving an element away and back may lay flows, labels and pools elsewhere; everything else has to stay. */
const isGeometry = ({ place: { kind, steps } }: Difference) =>
  ["BPMNEdge", "BPMNLabel"].includes(kind) ||
  steps.some(({ local }) => ["waypoint", "BPMNLabel", "Bounds"].includes(local));

function lostBetween(before: string, after: string): string[] {
  const found = differences(parseXml(before), parseXml(after));
  return found.filter((one) => !isNeutral(one) && !isGeometry(one)).map(nameOf);
}

function movable({ modeler }: Drawing): Shape | undefined {
  return modeler
    .get("elementRegistry")
    .getAll()
    .find(
      (shape) => !shape.waypoints && !shape.labelTarget && shape.parent && /Task$|Event$/.test(shape.type),
    );
}

function moveAndBack(drawing: Drawing): void {
  const shape = movable(drawing);
  if (!shape) return;
  const modeling = drawing.modeler.get("modeling");
  modeling.moveElements([shape], { x: 30, y: 20 });
  modeling.moveElements([shape], { x: -30, y: -20 });
}

async function moved(text: string) {
  const drawing = await draw(place(), text, "camunda");
  const untouched = await write(drawing);
  moveAndBack(drawing);
  const saved = await write(drawing);
  dispose(drawing);
  return { untouched, saved };
}

describe.each(hostile)("%s", (_name, text) => {
  test("survives a move there and back on the canvas", async () => {
    const { untouched, saved } = await moved(text);
    expect(untouched.text).toBe(text);
    expect(saved.lost).toEqual([]);
    expect(lostBetween(text, saved.text)).toEqual([]);
  });
});

const corpus = process.env.VIVA_BPMN_CORPUS ?? "";
const files = corpus ? readdirSync(corpus).filter((name) => name.endsWith(".bpmn")) : [];

describe.skipIf(files.length === 0)("reference models", () => {
  test.each(files)("%s is the same after a move there and back", async (name) => {
    const text = readFileSync(join(corpus, name), "utf8");
    const { untouched, saved } = await moved(text);
    expect(untouched.text).toBe(text);
    expect(saved.lost).toEqual([]);
    expect(lostBetween(text, saved.text)).toEqual([]);
  });
});

test("an element with a Chinese id is drawn, and keeps its id", async () => {
  const text = processFile("camunda", "").replaceAll('"check"', '"审核"');
  const drawing = await draw(place(), text, "camunda");
  expect(drawing.warnings).toEqual([]);
  moveAndBack(drawing);
  const task = drawing.modeler.get("elementRegistry").filter(({ type }) => type === "bpmn:UserTask")[0];
  drawing.modeler.get("modeling").updateProperties(task as Shape, { name: "复核" });
  expect((await write(drawing)).text).toContain('id="审核" name="复核"');
  dispose(drawing);
});

test("what is copied brings along what nobody here knows, into another designer too", async () => {
  const strange =
    '<extensionElements><other:note xmlns:other="urn:other" a="1"><other:part>x</other:part></other:note><flowable:taskListener event="create" class="a.B"><flowable:field name="f"><flowable:string>v</flowable:string></flowable:field></flowable:taskListener></extensionElements>';
  const from = await draw(place(), processFile("flowable", strange, 'flowable:odd="7"'), "camunda");
  const copied = from.modeler.get("elementRegistry").get("check");
  from.modeler.get("copyPaste").copy([copied as Shape]);
  dispose(from);
  for (const dialect of ["flowable", "camunda"] as const) {
    const to = await draw(place(), processFile(dialect, "").replaceAll('"check"', '"mine"'), "camunda");
    const canvas = to.modeler.get("canvas");
    to.modeler.get("copyPaste").paste({ element: canvas.getRootElement(), point: { x: 500, y: 400 } });
    const { text } = await write(to);
    expect(text).toContain("<other:part>x</other:part>");
    expect(text.match(/<userTask /g)).toHaveLength(2);
    if (dialect === "flowable") {
      expect(text).toContain('flowable:odd="7"');
      expect(text).toContain("<flowable:string>v</flowable:string>");
    }
    dispose(to);
  }
});

test("an element that becomes another kind keeps what nobody here knows", async () => {
  const text = processFile(
    "flowable",
    '<extensionElements><other:note xmlns:other="urn:other" a="1"><other:part>x</other:part></other:note><flowable:work-form b="2"/></extensionElements>',
    'xmlns:other="urn:other" other:mark="m" flowable:assignee="ann"',
  );
  const drawing = await draw(place(), text, "camunda");
  const { modeler } = drawing;
  const task = modeler.get("elementRegistry").get("check");
  modeler.get("bpmnReplace").replaceElement(task as Shape, { type: "bpmn:ServiceTask" });
  const { text: written } = await write(drawing);
  for (const part of [
    'other:mark="m"',
    "<other:part>x</other:part>",
    '<flowable:work-form b="2"',
    "serviceTask",
  ]) {
    expect(written).toContain(part);
  }
  expect(written).not.toContain("userTask");
  dispose(drawing);
});
