import { differences, idOf, isNeutral, isOwner } from "../fidelity/compare";
import { BPMN } from "../fidelity/names";
import { parseXml, walk, type XmlNode } from "../fidelity/xml";

/** An element that differs between two versions. */
export interface Change {
  id: string;
  name: string;
  type: string;
  what: "added" | "removed" | "changed";
}

/** Compares what two files say; how they are drawn does not count. */
export function changesBetween(before: string, after: string): Change[] {
  const [old, now] = [parseXml(before), parseXml(after)];
  const [olds, nows] = [elementsOf(old), elementsOf(now)];
  const different = new Set<string>();
  for (const [one, other] of [[old, now] as const, [now, old] as const]) {
    for (const difference of differences(one, other)) {
      if (!isNeutral(difference) && !isTold(difference)) different.add(difference.place.owner);
    }
  }
  const change = (what: Change["what"]) => (node: XmlNode) => ({
    id: idOf(node),
    name: node.attributes.find((attribute) => attribute.name === "name")?.value ?? "",
    type: node.local,
    what,
  });
  const both = [...nows.values()].filter((node) => olds.has(idOf(node)));
  return [
    ...[...nows.values()].filter((node) => !olds.has(idOf(node))).map(change("added")),
    ...[...olds.values()].filter((node) => !nows.has(idOf(node))).map(change("removed")),
    ...both.filter((node) => different.has(idOf(node))).map(change("changed")),
  ];
}

/** The flows of a step say nothing that the flows do not say themselves; what has an id is listed by itself. */
function isTold(difference: ReturnType<typeof differences>[number]): boolean {
  if (difference.what !== "element") return false;
  const { node } = difference;
  return ["incoming", "outgoing"].includes(node.local) || (isOwner(node) && idOf(node) !== "");
}

const parts =
  /Event$|Task$|Gateway$|Activity$|ubProcess$|^transaction$|^sequenceFlow$|^messageFlow$|^participant$|^lane$|^process$|^(message|signal|error|escalation)$|^data|^textAnnotation$|^association$|^group$/;

function elementsOf(root: XmlNode): Map<string, XmlNode> {
  const found = [...walk(root)].filter(
    (node) => isOwner(node) && node.uri === BPMN && idOf(node) && parts.test(node.local),
  );
  return new Map(found.map((node) => [idOf(node), node]));
}
