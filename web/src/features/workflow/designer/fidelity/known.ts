import { type Dialect, descriptorOf, uriOf } from "../dialect";
import type { PropertyDescriptor, TypeDescriptor } from "../dialect/descriptor";
import { BPMN } from "./names";
import type { XmlNode } from "./xml";

interface Known {
  name: string;
  ancestors: Set<string>;
  properties: PropertyDescriptor[];
}

/** Says which extension elements the drawing kit can read without losing a part. */
export class KnownTypes {
  private readonly uri: string;
  private readonly types = new Map<string, Known>();

  constructor(dialect: Dialect) {
    this.uri = uriOf(dialect);
    const described = new Map(descriptorOf(dialect).types.map((type) => [type.name, type]));
    for (const type of described.values()) {
      if (!type.extends) this.types.set(type.name, known(type, described));
    }
  }

  /** Whether everything the element says has a place in its type. */
  fits(node: XmlNode): boolean {
    const type = this.types.get(capital(node.local));
    return (
      type !== undefined && node.uri === this.uri && type.ancestors.has("Element") && this.fill(node, type)
    );
  }

  private fill(node: XmlNode, type: Known): boolean {
    if (node.text && !type.properties.some((one) => one.isBody)) return false;
    const used = new Set<string>();
    return node.children.every((child) => {
      const property = this.place(child, type);
      if (!property) return false;
      const again = used.has(property.name) && !property.isMany;
      used.add(property.name);
      return !again && this.fillProperty(child, property);
    });
  }

  private place(child: XmlNode, type: Known): PropertyDescriptor | undefined {
    const parts = type.properties.filter((one) => !one.isAttr && !one.isBody);
    const name = capital(child.local);
    if (child.uri === BPMN) return parts.find((one) => one.type === `bpmn:${name}`);
    if (child.uri !== this.uri) return undefined;
    const own = this.types.get(name);
    return (
      parts.find((one) => one.name === child.local) ??
      parts.find((one) => own?.name === one.type || own?.ancestors.has(one.type))
    );
  }

  private fillProperty(child: XmlNode, property: PropertyDescriptor): boolean {
    if (child.uri === BPMN) return true;
    if (property.type === "String") return child.attributes.length === 0 && child.children.length === 0;
    if (property.type.startsWith("bpmn:")) return false;
    // A child named like the property is read as the property's own type.
    const named = property.name === child.local ? this.types.get(property.type) : undefined;
    const type = named ?? this.types.get(capital(child.local));
    return type !== undefined && this.fill(child, type);
  }
}

function known(type: TypeDescriptor, all: Map<string, TypeDescriptor>): Known {
  const ancestors = new Set<string>();
  const properties = [...(type.properties ?? [])];
  const add = (names: readonly string[] = []) => {
    for (const name of names) {
      ancestors.add(name);
      const parent = all.get(name);
      properties.push(...(parent?.properties ?? []));
      add(parent?.superClass);
    }
  };
  add(type.superClass);
  return { name: type.name, ancestors, properties };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
