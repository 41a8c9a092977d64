import type { ModdleElement } from "bpmn-moddle";
import type { BusEvent, Services } from "./services";

/** Before the drawing kit's own answers, which end the asking. */
const EARLY = 1500;

/**
 * Copying an element and turning it into another kind leave out what no descriptor knows: elements
 * of other vendors and attributes without a meaning. Here they come along.
 */
class KeepForeign {
  static $inject = ["eventBus", "moddle"];
  private readonly moddle: Services["moddle"];

  constructor(eventBus: Services["eventBus"], moddle: Services["moddle"]) {
    this.moddle = moddle;
    eventBus.on("moddleCopy.canCopyProperty", EARLY, (event) => this.copyOf(event));
    eventBus.on("moddleCopy.canCopyProperties", EARLY, ({ sourceElement, targetElement }) => {
      if (sourceElement && targetElement) this.copyAttributes(sourceElement, targetElement);
    });
  }

  private copyOf({ property }: BusEvent): ModdleElement | undefined {
    const element = property as ModdleElement | undefined;
    if (!element?.$type || !this.moddle.getElementDescriptor(element).isGeneric) return undefined;
    return this.clone(element);
  }

  private clone(element: ModdleElement): ModdleElement {
    const { $type, $children, $body } = element;
    const own = Object.entries(element).filter(([name]) => !name.startsWith("$"));
    const uri = this.moddle.getElementDescriptor(element).ns.uri;
    const copy = this.moddle.createAny($type, uri, Object.fromEntries(own));
    if ($body !== undefined) copy.$body = $body;
    if ($children) {
      copy.$children = $children.map((child) => {
        const inner = this.clone(child);
        inner.$parent = copy;
        return inner;
      });
    }
    return copy;
  }

  /** Attributes with a prefix mean the same on any kind of element. */
  private copyAttributes(source: ModdleElement, target: ModdleElement): void {
    for (const [name, value] of Object.entries(source.$attrs ?? {})) {
      if (name.includes(":") && !(name in target.$attrs)) target.$attrs[name] = value;
    }
  }
}

/** Registers the listeners. */
export const keepForeignModule = { __init__: ["keepForeign"], keepForeign: ["type", KeepForeign] };
