import { type Change, make } from "./change";
import { children, type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

/** Definitions of the file that elements refer to. */
export type RootKind = "Message" | "Signal" | "Error" | "Escalation";

interface RootPlan {
  /** The reference of elements and event definitions to it. */
  ref: string;
  /** Further members, `true` for those with the vendor's prefix. */
  more: Record<string, boolean>;
}

const plans: Record<RootKind, RootPlan> = {
  Message: { ref: "messageRef", more: {} },
  Signal: { ref: "signalRef", more: { scope: true } },
  Error: { ref: "errorRef", more: { errorCode: false, errorMessage: true } },
  Escalation: { ref: "escalationRef", more: { escalationCode: false } },
};

/** The members of a kind beside id and name, in this dialect. */
export function membersOf(kind: RootKind, { dialect }: Pick<Scope, "dialect">): string[] {
  const members = Object.keys(plans[kind].more);
  if (kind === "Signal" && dialect === "camunda") return [];
  return kind === "Error" && dialect !== "camunda" ? ["errorCode"] : members;
}

export const refOf = (kind: RootKind) => plans[kind].ref;

/** The values of the form of a definition. */
export type RootValues = Record<string, string | undefined> & { id: string };

/** The definitions of a kind in the file. */
export function rootsOf(scope: Pick<Scope, "modeler">, kind: RootKind): ModdleElement[] {
  return children(scope.modeler.getDefinitions(), "rootElements").filter(
    (root) => root.$type === `bpmn:${kind}`,
  );
}

/** The name a member has in the file. */
function memberName(scope: Scope, kind: RootKind, member: string): string {
  return plans[kind].more[member] ? vendor(scope, member) : member;
}

/** What a definition says, as values of its form. */
export function valuesOf(scope: Scope, kind: RootKind, root: ModdleElement | undefined): RootValues {
  const values: RootValues = { id: text(root, "id"), name: text(root, "name") };
  for (const member of membersOf(kind, scope)) values[member] = text(root, memberName(scope, kind, member));
  return values;
}

/** Why an id cannot be given: another definition of the kind has it, something else has it, or "". */
export function idProblem(
  scope: Scope,
  kind: RootKind,
  id: string,
  root?: ModdleElement,
): "" | "exists" | "taken" {
  if (rootsOf(scope, kind).some((other) => other !== root && other.id === id)) return "exists";
  const holder = scope.modeler.get("moddle").ids.assigned(id);
  return holder && holder !== root ? "taken" : "";
}

function propsOf(scope: Scope, kind: RootKind, values: RootValues): Record<string, unknown> {
  const props: Record<string, unknown> = { id: values.id, name: values.name || undefined };
  for (const member of membersOf(kind, scope))
    props[memberName(scope, kind, member)] = values[member] || undefined;
  return props;
}

/** A new definition and the change that puts it into the file. */
export function newRoot(scope: Scope, kind: RootKind, values: RootValues) {
  const definitions = scope.modeler.getDefinitions();
  const root = make(scope, `bpmn:${kind}`, propsOf(scope, kind, values), definitions);
  const rootElements = [...children(definitions, "rootElements")];
  // Definitions stand before what uses them: readers of one pass want it so.
  const at = rootElements.findIndex((other) => /:(Process|Collaboration)$/.test(other.$type));
  rootElements.splice(at < 0 ? rootElements.length : at, 0, root);
  const changes: Change[] = [
    { target: definitions, props: { rootElements } },
    { target: root, props: {}, claim: values.id },
  ];
  return { root, changes };
}

/** The changes that give a definition other values. */
export function rootChanges(scope: Scope, kind: RootKind, root: ModdleElement, values: RootValues): Change[] {
  const props = propsOf(scope, kind, values);
  if (values.id === root.id) return [{ target: root, props }];
  return [{ target: root, props, unclaim: text(root, "id"), claim: values.id }];
}

/** The changes that take a definition out of the file. */
export function rootRemoval(scope: Scope, root: ModdleElement): Change[] {
  const definitions = scope.modeler.getDefinitions();
  const rootElements = children(definitions, "rootElements").filter((other) => other !== root);
  return [
    { target: root, props: {}, unclaim: text(root, "id") },
    { target: definitions, props: { rootElements } },
  ];
}

/** The names of the elements that refer to a definition. */
export function usersOf(scope: Pick<Scope, "modeler">, kind: RootKind, root: ModdleElement): string[] {
  const ref = plans[kind].ref;
  const names = new Set<string>();
  for (const { businessObject: bo } of scope.modeler.get("elementRegistry").getAll()) {
    if (!bo?.$instanceOf) continue;
    const refers = (holder: ModdleElement) => holder.get(ref) === root;
    if (refers(bo) || children(bo, "eventDefinitions").some(refers))
      names.add(text(bo, "name") || text(bo, "id"));
  }
  return [...names];
}
