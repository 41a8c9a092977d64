import { type Dialect, dialectOfUri, uriOf } from "../dialect";
import { restoreIds } from "./ids";
import { BPMN, KEPT } from "./names";
import { parseXml, renameTag, type Splice, splice, walk, type XmlNode } from "./xml";

/** Undoes in a written file what opening it did to names, and writes what engines insist on. */
export function tidy(xml: string, dialect: Dialect): string {
  const root = parseXml(xml);
  const splices: Splice[] = restoreIds(root);
  const prefix = prefixOf(root, dialect);
  let declare = false;
  for (const node of walk(root)) {
    if (node.uri === KEPT) {
      splices.push(...renameTag(node, `${prefix}:${node.local}`));
      declare ||= dialectOfUri(node.scope[prefix]) !== dialect;
    }
    for (const one of node.attributes) {
      if (one.prefix === "xmlns" && one.value === KEPT) {
        splices.push({ start: one.start - 1, end: one.end, text: "" });
      }
    }
    if (isFormalExpression(node)) splices.push(...formalExpression(node));
  }
  if (declare) {
    const end = root.start + 1 + root.name.length;
    splices.push({ start: end, end, text: ` xmlns:${prefix}="${uriOf(dialect)}"` });
  }
  return splices.length === 0 ? xml : splice(xml, splices);
}

function prefixOf(root: XmlNode, dialect: Dialect): string {
  const uri = uriOf(dialect);
  return Object.entries(root.scope).find(([prefix, bound]) => prefix && bound === uri)?.[0] ?? dialect;
}

/** Engines read who a resource is from an element of this name alone. */
function isFormalExpression(node: XmlNode): boolean {
  return (
    node.uri === BPMN && node.local === "expression" && node.parent?.local === "resourceAssignmentExpression"
  );
}

function formalExpression(node: XmlNode): Splice[] {
  const name = node.prefix ? `${node.prefix}:formalExpression` : "formalExpression";
  const type = node.attributes.find((one) => one.local === "type" && one.prefix);
  const dropped = type ? [{ start: type.start - 1, end: type.end, text: "" }] : [];
  return [...renameTag(node, name), ...dropped];
}
