import type { Scope } from "./scope";
import { vendor } from "./scope";
import type { ModdleElement, Modeler, Shape } from "./wire";

/** New values of members of one element. */
export interface Change {
  target: ModdleElement;
  props: Record<string, unknown>;
  /** What is drawn anew when it is not the selected element. */
  shape?: Shape;
  /** The element gets or loses an id that no other may have. */
  claim?: string;
  unclaim?: string;
}

const COMMAND = "panel.change";

interface Context {
  run: () => void;
  di: ModdleElement | undefined;
  label?: unknown;
}

/**
 * Runs several changes as one step of the history. A change of a name gives the drawing of an element
 * a label, and the drawing kit leaves that there on undo: it is put back here, after everything else.
 */
class ChangeHandler {
  execute(context: Context): never[] {
    context.label = context.di?.get("label");
    return [];
  }
  postExecute(context: Context): void {
    context.run();
  }
  revert({ di, label }: Context): never[] {
    if (di && di.get("label") !== label) di.set("label", label);
    return [];
  }
}

const isElement = (value: unknown): value is ModdleElement =>
  typeof value === "object" && value !== null && "$type" in value;

/** Members that the drawing kit has to follow; it would also measure texts anew, which undo forgets. */
const drawn = new Set(["id", "name", "text", "di", "cancelActivity", "isInterrupting"]);

const prepared = new WeakSet<Modeler>();

/** Writes all changes as one step that can be undone; nothing when there are none. */
export function apply(scope: Scope, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const { modeler, element } = scope;
  const stack = modeler.get("commandStack");
  if (!prepared.has(modeler)) {
    stack.registerHandler(COMMAND, ChangeHandler);
    prepared.add(modeler);
  }
  const modeling = modeler.get("modeling");
  const write = ({ target, props, shape, claim, unclaim }: Change) => {
    for (const value of Object.values(props).flat()) if (isElement(value)) value.$parent ??= target;
    if (unclaim !== undefined) modeling.unclaimId(unclaim, target);
    if (claim !== undefined) modeling.claimId(claim, target);
    const own = target === element.businessObject && Object.keys(props).some((name) => drawn.has(name));
    if (own) modeling.updateProperties(element, props);
    else modeling.updateModdleProperties(shape ?? element, target, props);
  };
  stack.execute(COMMAND, { run: () => changes.forEach(write), di: element.di } satisfies Context);
}

/** Sets members of the selected element or of something in it. */
export function set(scope: Scope, target: ModdleElement, props: Record<string, unknown>): void {
  apply(scope, [{ target, props }]);
}

/** Makes an element that knows its parent, as do the elements given to it. */
export function make(
  scope: Pick<Scope, "modeler">,
  type: string,
  props: Record<string, unknown>,
  parent?: ModdleElement,
): ModdleElement {
  const given = Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
  const made = scope.modeler.get("moddle").create(type, given);
  made.$parent = parent;
  for (const value of Object.values(given).flat()) if (isElement(value)) value.$parent = made;
  return made;
}

/** The same for a type of the vendor: makeVendor(scope, "Field", …). */
export function makeVendor(
  scope: Scope,
  type: string,
  props: Record<string, unknown>,
  parent?: ModdleElement,
): ModdleElement {
  return make(scope, vendor(scope, type), props, parent);
}

/** A formal expression, undefined for an empty text. */
export function makeExpression(
  scope: Scope,
  body: string,
  parent: ModdleElement,
  more: Record<string, unknown> = {},
): ModdleElement | undefined {
  return body === "" ? undefined : make(scope, "bpmn:FormalExpression", { body, ...more }, parent);
}

/**
 * Sets the text of a child expression: an existing one keeps whatever else it says, an empty text
 * takes it away.
 */
export function expressionChange(scope: Scope, owner: ModdleElement, name: string, body: string): Change {
  const present = owner.get(name) as ModdleElement | undefined;
  if (present && body !== "") return { target: present, props: { body } };
  return { target: owner, props: { [name]: makeExpression(scope, body, owner) } };
}
