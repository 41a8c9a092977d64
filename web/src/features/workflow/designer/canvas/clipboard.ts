import type { ModdleElement } from "bpmn-moddle";
import type { Services } from "./services";

const KEY = "bpmn-clipboard";

type Plain = Record<string, unknown> & { $type: string; $uri?: string; $attrs?: Record<string, string> };

/**
 * What was copied, for all designers of this browser. It is kept as text, because the elements of
 * one designer mean nothing to another, and not on the system's clipboard, which asks for leave and
 * does not exist without https.
 */
class SharedClipboard {
  static $inject = ["moddle"];
  private readonly moddle: Services["moddle"];
  /** For browsers without room. */
  private text = "";

  constructor(moddle: Services["moddle"]) {
    this.moddle = moddle;
  }

  get(): unknown {
    const text = localStorage.getItem(KEY) || this.text;
    return text ? this.read(text) : undefined;
  }

  set(tree: unknown): void {
    this.text = JSON.stringify(tree, (_key, value) => this.plain(value));
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      localStorage.removeItem(KEY);
    }
  }

  clear(): unknown {
    const tree = this.get();
    this.text = "";
    localStorage.removeItem(KEY);
    return tree;
  }

  isEmpty(): boolean {
    return !localStorage.getItem(KEY) && !this.text;
  }

  /** Writes down what is not among an element's own properties: its namespace and strange attributes. */
  private plain(value: unknown): unknown {
    const element = value as ModdleElement | null;
    if (!element || typeof element !== "object" || typeof element.$type !== "string") return value;
    if (!("$descriptor" in element)) return value;
    const { isGeneric, ns } = this.moddle.getElementDescriptor(element);
    const { $type, $attrs, $children, $body } = element;
    if (isGeneric) return { ...element, $type, $uri: ns.uri, $children, $body };
    return { ...element, $type, $attrs };
  }

  private read(text: string): unknown {
    const known = new Map<string, ModdleElement>();
    return JSON.parse(text, (_key, value) => {
      // Elements of an engine that this designer does not speak are left out.
      if (Array.isArray(value)) return value.filter((one) => one !== undefined);
      if (!value || typeof value !== "object" || typeof value.$type !== "string") return value;
      return this.element(value as Plain, known);
    });
  }

  private element(plain: Plain, known: Map<string, ModdleElement>): ModdleElement | undefined {
    const { $type, $uri, $attrs, $children, $body, ...own } = plain;
    if ($uri !== undefined) {
      const copy = this.moddle.createAny($type, $uri, own);
      if ($children) copy.$children = $children as ModdleElement[];
      if ($body !== undefined) copy.$body = $body as string;
      return copy;
    }
    const id = typeof own.id === "string" ? own.id : "";
    const before = known.get(id);
    if (before) return before;
    if (!this.moddle.getTypeDescriptor($type)) return undefined;
    const copy = this.moddle.create($type, own);
    Object.assign(copy.$attrs, $attrs);
    if (id) known.set(id, copy);
    return copy;
  }
}

/** Takes the place of the drawing kit's own clipboard. */
export const clipboardModule = { clipboard: ["type", SharedClipboard] };
