import { BPMN, BPMNDI, XSI } from "./names";
import { standards } from "./standards";
import { isDeclaration, type XmlAttribute, type XmlNode } from "./xml";

/** One step from an element to a child: its name, and which of that name. */
export interface Step {
  uri: string;
  local: string;
  id: string;
  index: number;
  /** How many of that name there are; a step by index is void when that changes. */
  total: number;
}

/** Where something stands: an element that has an id, and the way down from it. */
export interface Place {
  /** Empty for the root of the file. */
  owner: string;
  /** Name of the owning element, to see that it is still of that kind. */
  kind: string;
  steps: Step[];
}

/** What one text says and another does not; the place of a missing element is that of its parent. */
export type Difference = { place: Place } & (
  | { what: "element"; node: XmlNode; step: Step }
  | { what: "attribute"; attribute: XmlAttribute; now: string | undefined }
  | { what: "text"; text: string; now: string }
);

/** Lists what stands in the first element and is missing or different in the second. */
export function differences(before: XmlNode, after: XmlNode): Difference[] {
  const found: Difference[] = [];
  compare(before, after, { owner: "", kind: before.local, steps: [] }, found);
  return found;
}

function compare(before: XmlNode, after: XmlNode, place: Place, found: Difference[]): void {
  for (const attribute of before.attributes) {
    if (isDeclaration(attribute)) continue;
    const now = after.attributes.find(
      (one) => one.local === attribute.local && one.uri === attribute.uri,
    )?.value;
    if (!sameAttribute(before, attribute, now, after))
      found.push({ place, what: "attribute", attribute, now });
  }
  if (words(before.text) !== words(after.text) && before.text) {
    found.push({ place, what: "text", text: before.text, now: after.text });
  }
  const groups = groupsOf(after);
  for (const [name, children] of groupsOf(before)) {
    const others = groups.get(name) ?? [];
    children.forEach((child, index) => {
      const step = { uri: child.uri, local: child.local, id: idOf(child), index, total: children.length };
      const match = sameReference(others, child) ?? matching(others, step);
      if (match) compare(child, match, placeOf(child, place, step), found);
      else found.push({ place, what: "element", node: child, step });
    });
  }
}

/** References are lists without an order, written as elements with nothing but a text. */
function sameReference(others: readonly XmlNode[], child: XmlNode): XmlNode | undefined {
  if (child.attributes.length > 0 || child.children.length > 0 || !child.text) return undefined;
  return others.find((one) => words(one.text) === words(child.text) && one.attributes.length === 0);
}

/** An owner of its own, when it has an id that holds for the whole file. */
function placeOf(node: XmlNode, parent: Place, step: Step): Place {
  const owner = isOwner(node) ? idOf(node) : "";
  if (owner) return { owner, kind: node.local, steps: [] };
  return { ...parent, steps: [...parent.steps, step] };
}

/** Ids of BPMN elements are unique in a file; those of extensions need not be. */
export function isOwner(node: XmlNode): boolean {
  return node.uri === BPMN || node.uri === BPMNDI;
}

export function idOf(node: XmlNode): string {
  return node.attributes.find((one) => one.name === "id")?.value ?? "";
}

/** The child a step leads to, among those of its name. */
export function matching(children: readonly XmlNode[], step: Step): XmlNode | undefined {
  if (step.id) return children.find((child) => idOf(child) === step.id);
  const nameless = children.filter((child) => !idOf(child) || !isOwner(child));
  if (children.length === step.total) return children[step.index];
  return step.total === 1 && nameless.length === 1 ? nameless[0] : undefined;
}

/** Children by their names. */
export function groupsOf(node: XmlNode): Map<string, XmlNode[]> {
  const groups = new Map<string, XmlNode[]>();
  for (const child of node.children) {
    const name = `${child.uri} ${child.local}`;
    const group = groups.get(name);
    if (group) group.push(child);
    else groups.set(name, [child]);
  }
  return groups;
}

const words = (text: string) => text.replace(/\s+/g, " ").trim();

function sameAttribute(
  node: XmlNode,
  attribute: XmlAttribute,
  now: string | undefined,
  after: XmlNode,
): boolean {
  if (now === undefined) {
    // The expression of an injected field is read as a child of that name.
    const child = after.children.find((one) => one.local === attribute.local && node.local === "field");
    return child !== undefined && words(child.text) === words(attribute.value);
  }
  if (attribute.uri === XSI && attribute.local === "type")
    return localPart(attribute.value) === localPart(now);
  return words(attribute.value) === words(now);
}

const localPart = (name: string) => name.replace(/^.*:/, "");

/** Rewrites that change nothing for an engine: standard values spelled out, numbers in another form. */
export function isNeutral(difference: Difference): boolean {
  if (difference.what === "element") return isEmpty(difference.node);
  if (difference.what === "text") return false;
  const { attribute, now } = difference;
  // A plane that shows nothing is bound to the first process by the drawing kit.
  if (attribute.local === "bpmnElement" && difference.place.kind === "BPMNPlane") return true;
  // Points are written with and without their type.
  if (attribute.uri === XSI && difference.place.steps.at(-1)?.local === "waypoint") return true;
  if (now === undefined) return standards[attribute.local]?.includes(attribute.value) ?? false;
  return attribute.value !== "" && Number(attribute.value) === Number(now);
}

/** A container with nothing in it says nothing. */
function isEmpty(node: XmlNode): boolean {
  return !node.text && node.children.length === 0 && emptied.has(node.local);
}

const emptied = new Set(["extensionElements", "documentation"]);
