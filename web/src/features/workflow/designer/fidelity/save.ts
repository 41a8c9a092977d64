import { type Difference, differences, isNeutral, matching, type Place } from "./compare";
import { BPMN } from "./names";
import type { Opened } from "./open";
import { Restorer } from "./restore";
import { tidy } from "./tidy";
import { attributeOf, parseXml, splice, walk, type XmlNode } from "./xml";

/** What writing the unchanged file would lose, found by writing it once. */
export interface Repairs {
  opened: Opened;
  /** The file as it is written when nothing was edited. */
  first: string;
  /** The file as it was read, which the differences refer to. */
  source: string;
  lost: Difference[];
}

/** A written file. */
export interface Saved {
  text: string;
  /** What could not be kept, in the words of the file. */
  lost: string[];
}

/** Finds what the drawing kit drops from a file it has just opened; xml is what it would write. */
export function repairsOf(opened: Opened, xml: string): Repairs {
  const first = tidy(xml, opened.dialect);
  const source = tidy(opened.xml, opened.dialect);
  return { opened, first, source, lost: differences(parseXml(source), parseXml(first)) };
}

/** Today's id of an element, by the one it had in the file. */
export type Renamed = (id: string) => string;

/** Writes a file: the original when nothing was edited, otherwise with all that was dropped put back. */
export function save(xml: string, repairs: Repairs, renamed: Renamed = (id) => id): Saved {
  const now = tidy(xml, repairs.opened.dialect);
  if (now === repairs.first) return { text: repairs.opened.original, lost: [] };
  const root = parseXml(now);
  const owners = ownersOf(root);
  const restorer = new Restorer(root, repairs.source);
  const lost: string[] = [];
  for (const difference of repairs.lost) {
    const owner = difference.place.owner ? owners.get(renamed(difference.place.owner)) : root;
    // Whoever deleted the owner deleted what belongs to it.
    if (!owner) continue;
    const done = putBack(difference, owner, restorer);
    if (!done && !isNeutral(difference)) lost.push(nameOf(difference));
  }
  return { text: splice(now, restorer.changes()), lost: [...new Set(lost)] };
}

function ownersOf(root: XmlNode): Map<string, XmlNode> {
  const owners = new Map<string, XmlNode>();
  for (const node of walk(root)) {
    const id = attributeOf(node, "id");
    if (id && !owners.has(id)) owners.set(id, node);
  }
  return owners;
}

/** Whether nothing is lost: it was put back, or an edit has overtaken it. */
function putBack(difference: Difference, owner: XmlNode, restorer: Restorer): boolean {
  const { place } = difference;
  const node = follow(owner, place.steps);
  if (!node) return false;
  if (difference.what === "element") return putElement(difference, node, restorer);
  // A task that became another kind of task does not take over what only the old kind has.
  if (place.steps.length === 0 && place.owner && node.local !== place.kind) return true;
  if (difference.what === "text") {
    if (node.text === difference.now && node.children.length === 0) restorer.text(node, difference.text);
    return true;
  }
  const { attribute, now } = difference;
  if (attribute.local === "bpmnElement" && node.local === "BPMNPlane") return true;
  const current = node.attributes.find((one) => one.local === attribute.local && one.uri === attribute.uri);
  if (current?.value === now) restorer.attribute(node, attribute);
  return true;
}

function putElement(
  { node: element, step, place }: Difference & { what: "element" },
  parent: XmlNode,
  restorer: Restorer,
): boolean {
  if (!place.steps.length && place.owner && parent.local !== place.kind && element.uri === BPMN) return true;
  const same = parent.children.filter((child) => child.local === step.local && child.uri === step.uri);
  const [only] = same;
  if (only && step.local === "extensionElements") {
    for (const child of element.children) restorer.element(only, child);
  } else if (step.total > 1 || !only) {
    restorer.element(parent, element);
  }
  return true;
}

function follow(owner: XmlNode, steps: Place["steps"]): XmlNode | undefined {
  return steps.reduce<XmlNode | undefined>((node, step) => {
    const children = node?.children.filter((one) => one.local === step.local && one.uri === step.uri);
    return children && matching(children, step);
  }, owner);
}

/** How a person finds it in the file. */
export function nameOf(difference: Difference): string {
  const { place } = difference;
  const way = [place.owner || place.kind, ...place.steps.map((step) => step.local)];
  if (difference.what === "element") way.push(difference.node.name);
  const at = way.join(" / ");
  return difference.what === "attribute" ? `${at} @${difference.attribute.name}` : at;
}
