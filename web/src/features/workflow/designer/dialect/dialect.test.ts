import { BpmnModdle } from "bpmn-moddle";
import { describe, expect, test } from "vitest";
import { type Dialect, descriptorOf, dialectOfUri, dialects, typeOf, uriOf } from ".";
import type { PropertyDescriptor, TypeDescriptor } from "./descriptor";

const kit = (dialect: Dialect) => new BpmnModdle({ [dialect]: descriptorOf(dialect) });
const simple = new Set(["String", "Boolean", "Integer"]);

function other(property: PropertyDescriptor): string {
  if (property.type === "Boolean") return String(property.default !== true);
  return property.type === "Integer" ? "7" : `the ${property.name.replace(/^.*:/, "")}`;
}

const file = (dialect: Dialect, content: string) =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${dialect}="${uriOf(dialect)}" targetNamespace="t">${content}</definitions>`;

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** The element with every simple property set to something that is not its default. */
function written(dialect: Dialect, type: TypeDescriptor): string {
  const own = (type.properties ?? []).filter((property) => simple.has(property.type));
  const attributes = own.filter((p) => p.isAttr).map((p) => ` ${p.name}="${other(p)}"`);
  const children = own
    .filter((p) => !p.isAttr && !p.isBody)
    .map((p) => `<${dialect}:${p.name}>${other(p)}</${dialect}:${p.name}>`);
  const body = own.filter((p) => p.isBody).map(other);
  const tag = `${dialect}:${lower(type.name)}`;
  return `<${tag}${attributes.join("")}>${body.join("")}${children.join("")}</${tag}>`;
}

async function roundTrip(dialect: Dialect, xml: string) {
  const moddle = kit(dialect);
  const { rootElement, warnings } = await moddle.fromXML(xml);
  return { warnings, xml: (await moddle.toXML(rootElement)).xml };
}

const elementsOf = (dialect: Dialect) =>
  descriptorOf(dialect).types.filter((type) => !type.extends && !type.isAbstract);
const extensionsOf = (dialect: Dialect) =>
  descriptorOf(dialect)
    .types.flatMap((type) => (type.extends ?? []).map((target) => ({ type, target })))
    .filter(({ target }) => target.startsWith("bpmn:"));

describe.each(dialects)("%s", (dialect) => {
  test("is known by its namespace", () => {
    expect(dialectOfUri(uriOf(dialect))).toBe(dialect);
    expect(typeOf(dialect, "TaskListener")).toBe(`${dialect}:TaskListener`);
  });

  test("every type can be made", () => {
    const moddle = kit(dialect);
    for (const type of elementsOf(dialect)) {
      expect(moddle.create(typeOf(dialect, type.name)).$type).toBe(`${dialect}:${type.name}`);
    }
  });

  test.each(elementsOf(dialect).map((type) => [type.name, type] as const))(
    "the element %s survives",
    async (_name, type) => {
      // What is no element of its own stands in another one.
      const element = type.superClass?.includes("Element") ? written(dialect, type) : "";
      const { xml, warnings } = await roundTrip(
        dialect,
        file(
          dialect,
          `<process id="p"><userTask id="u"><extensionElements>${element}</extensionElements></userTask></process>`,
        ),
      );
      expect(warnings.filter(({ message }) => message.includes("unparsable"))).toEqual([]);
      for (const property of type.properties ?? []) {
        if (element && simple.has(property.type)) expect(xml).toContain(other(property));
      }
    },
  );

  test("every attribute of a BPMN element survives", async () => {
    for (const { type, target } of extensionsOf(dialect)) {
      const own = (type.properties ?? []).filter((property) => simple.has(property.type));
      const moddle = kit(dialect);
      const made = moddle.create(instanceOf(target));
      for (const property of own) {
        const name = `${dialect}:${property.name.replace(/^.*:/, "")}`;
        made.set(name, property.type === "Boolean" ? property.default !== true : other(property));
      }
      const { xml } = await moddle.toXML(made);
      for (const property of own) {
        expect(xml).toContain(`${dialect}:${property.name.replace(/^.*:/, "")}="${other(property)}"`);
      }
    }
  });

  test("lists, maps and scripts stand inside parameters", async () => {
    const p = dialect;
    const { xml, warnings } = await roundTrip(
      dialect,
      file(
        dialect,
        `<process id="p"><serviceTask id="s"><extensionElements><${p}:inputOutput><${p}:inputParameter name="a"><${p}:list><${p}:value>1</${p}:value><${p}:script scriptFormat="js">two</${p}:script></${p}:list></${p}:inputParameter><${p}:outputParameter name="b"><${p}:map><${p}:entry key="k">three</${p}:entry></${p}:map></${p}:outputParameter></${p}:inputOutput></extensionElements></serviceTask></process>`,
      ),
    );
    expect(warnings).toEqual([]);
    for (const part of ["<PFX:value>1<", 'scriptFormat="js">two<', 'key="k">three<']) {
      expect(xml).toContain(part.replace("PFX", p));
    }
  });
});

/** A BPMN type that can be made, for those that are only kinds of others. */
function instanceOf(type: string): string {
  const kinds: Record<string, string> = {
    "bpmn:Activity": "bpmn:UserTask",
    "bpmn:Gateway": "bpmn:ExclusiveGateway",
    "bpmn:Event": "bpmn:EndEvent",
    "bpmn:FlowNode": "bpmn:ManualTask",
    "bpmn:FlowElement": "bpmn:SequenceFlow",
  };
  return kinds[type] ?? type;
}
