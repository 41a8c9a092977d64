import { BpmnModdle, type ModdleElement } from "bpmn-moddle";
import { describe, expect, test } from "vitest";
import { descriptorOf, dialects, uriOf } from "../dialect";
import { differences, isNeutral } from "./compare";
import { hostile, processFile } from "./fixtures";
import { open } from "./open";
import { nameOf, repairsOf, save } from "./save";
import { parseXml, XmlError } from "./xml";

/** Opens and writes a file as the drawing kit does; the edit happens in between. */
async function edited(text: string, edit: (root: ModdleElement) => void) {
  const opened = open(text, "camunda");
  const moddle = new BpmnModdle({ [opened.dialect]: descriptorOf(opened.dialect) });
  const { rootElement } = await moddle.fromXML(opened.xml);
  const write = async () => (await moddle.toXML(rootElement, { format: true })).xml;
  const repairs = repairsOf(opened, await write());
  edit(rootElement);
  return { opened, repairs, saved: save(await write(), repairs) };
}

const rename = (root: ModdleElement) => root.set("name", "edited");

/** What the written file no longer says, in words. */
function lostBetween(before: string, after: string): string[] {
  const written = differences(parseXml(before), parseXml(after));
  return written.filter((one) => !isNeutral(one)).map(nameOf);
}

describe.each(hostile)("%s", (_name, text) => {
  test("comes back byte for byte when nothing was edited", async () => {
    expect((await edited(text, () => {})).saved).toEqual({ text, lost: [] });
  });

  test("survives an edit elsewhere", async () => {
    const { saved } = await edited(text, rename);
    expect(saved.lost).toEqual([]);
    expect(saved.text).toContain('name="edited"');
    expect(lostBetween(text, saved.text)).toEqual([]);
    expect(lostBetween(saved.text, text)).toEqual(["definitions @name"]);
    // And a second time, from what was written.
    const again = await edited(saved.text, (root) => root.set("name", "twice"));
    expect(again.saved.lost).toEqual([]);
    expect(lostBetween(saved.text.replace('name="edited"', ""), again.saved.text)).toEqual([]);
  });
});

test("a file without extensions speaks the standard dialect, others their own", () => {
  const plain = processFile("camunda", "").replace(/xmlns:camunda="[^"]*"/, "");
  expect(open(plain, "flowable")).toMatchObject({ dialect: "flowable", found: false });
  for (const dialect of dialects) {
    expect(open(processFile(dialect, ""), "camunda")).toMatchObject({ dialect, found: true });
  }
  const mixed = processFile(
    "activiti",
    "",
    `xmlns:flowable="${uriOf("flowable")}" flowable:assignee="a" flowable:owner="b" activiti:assignee="a"`,
  );
  expect(open(mixed, "camunda").dialect).toBe("flowable");
});

test("what belongs to a deleted element goes with it", async () => {
  const text = processFile("flowable", "<strange/>", 'errorRef="x"');
  const { saved } = await edited(text, (root) => {
    const [process] = root.get("rootElements") as ModdleElement[];
    const elements = process?.get("flowElements") as ModdleElement[];
    elements.splice(1, 1);
  });
  expect(saved.lost).toEqual([]);
  expect(saved.text).not.toContain("strange");
});

test("what can no longer be put in its place is named before the file is written", async () => {
  const text = processFile(
    "camunda",
    "<dataInputAssociation><targetRef>x</targetRef><strange/></dataInputAssociation>",
  );
  const { saved } = await edited(text, (root) => {
    const [process] = root.get("rootElements") as ModdleElement[];
    const [, task] = (process?.get("flowElements") ?? []) as ModdleElement[];
    const associations = task?.get("dataInputAssociations") as ModdleElement[];
    associations.push(new BpmnModdle({}).create("bpmn:DataInputAssociation"));
  });
  expect(saved.lost).toContain("check / dataInputAssociation / strange");
});

test("a value set anew wins over the one that led nowhere", async () => {
  const text = processFile("camunda", "", "", '<message id="m"/>').replace(
    "<sequenceFlow",
    '<receiveTask id="rc" messageRef="none"/><sequenceFlow',
  );
  const { saved } = await edited(text, (root) => {
    const [message, process] = root.get("rootElements") as ModdleElement[];
    const task = ((process?.get("flowElements") ?? []) as ModdleElement[]).find(({ id }) => id === "rc");
    task?.set("messageRef", message);
  });
  expect(saved.text).toContain('messageRef="m"');
  expect(saved.text).not.toContain("none");
});

test("an element that got another id keeps what was put back into it", async () => {
  const opened = open(processFile("camunda", "<strange/>"), "camunda");
  const moddle = new BpmnModdle({ camunda: descriptorOf("camunda") });
  const { rootElement } = await moddle.fromXML(opened.xml);
  const write = async () => (await moddle.toXML(rootElement)).xml;
  const repairs = repairsOf(opened, await write());
  const [process] = rootElement.get("rootElements") as ModdleElement[];
  const [, task] = (process?.get("flowElements") ?? []) as ModdleElement[];
  task?.set("id", "other");
  const saved = save(await write(), repairs, (id) => (id === "check" ? "other" : id));
  expect(saved.text).toMatch(/id="other"[\s\S]*<strange/);
});

test.each([
  ["an open tag", "<a><b></a>", 1],
  ["no end", "<a>\n<b>", 2],
  ["nothing", "", 1],
  ["two roots", "<a/>\n<b/>", 2],
  ["an attribute without a value", "<a>\n\n<b c/></a>", 3],
])("%s is no XML, and it is said where", (_name, text, line) => {
  expect(() => parseXml(text)).toThrow(XmlError);
  try {
    parseXml(text);
  } catch (error) {
    expect((error as XmlError).line).toBe(line);
  }
});

test("what stands between elements is read past", () => {
  const root = parseXml(
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "<y>">]><!-- <b> --><a c='1 > 2'>x<![CDATA[<&]]>&#65;&amp;<b d="e"/></a>`,
  );
  expect(root.text).toBe("x<&A&");
  expect(root.attributes[0]?.value).toBe("1 > 2");
  expect(root.children.map(({ name }) => name)).toEqual(["b"]);
});
