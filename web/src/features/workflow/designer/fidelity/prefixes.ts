import { dialectOfUri, dialects, uriOf } from "../dialect";
import { BPMN, BPMNDI, XSI } from "./names";
import { isDeclaration, parseXml, renameTag, type Splice, splice, type XmlNode } from "./xml";

/** Prefixes that the drawing kit takes for these namespaces, whatever the file says. */
const reserved: Record<string, string> = {
  bpmn: BPMN,
  bpmndi: BPMNDI,
  dc: "http://www.omg.org/spec/DD/20100524/DC",
  di: "http://www.omg.org/spec/DD/20100524/DI",
  bioc: "http://bpmn.io/schema/bpmn/biocolor/1.0",
  color: "http://www.omg.org/spec/BPMN/non-normative/color/1.0",
  xsi: XSI,
  ...Object.fromEntries(dialects.map((dialect) => [dialect, uriOf(dialect)])),
};

/**
 * Gives prefixes that are bound to a strange namespace another name: the drawing kit would take
 * `camunda:` bound to Activiti's namespace for Camunda's and drop or garble what stands under it.
 */
export function straightenPrefixes(text: string): string {
  const splices: Splice[] = [];
  rename(parseXml(text), {}, splices);
  return splices.length === 0 ? text : splice(text, splices);
}

type Names = Record<string, string>;

function rename(node: XmlNode, outer: Names, splices: Splice[]): void {
  const names = namesIn(node, outer);
  const other = names[node.prefix];
  if (other) splices.push(...renameTag(node, `${other}:${node.local}`));
  for (const one of node.attributes) {
    const declared = one.prefix === "xmlns";
    const prefix = names[declared ? one.local : one.prefix];
    if (prefix) {
      const name = declared ? `xmlns:${prefix}` : `${prefix}:${one.local}`;
      splices.push({ start: one.start, end: one.start + one.name.length, text: name });
    }
  }
  for (const child of node.children) rename(child, names, splices);
}

function namesIn(node: XmlNode, outer: Names): Names {
  const names = { ...outer };
  for (const one of node.attributes) {
    if (!isDeclaration(one) || one.prefix !== "xmlns") continue;
    const wanted = reserved[one.local];
    delete names[one.local];
    if (wanted && wanted !== one.value) names[one.local] = freeName(node, one.local, one.value);
  }
  return names;
}

function freeName(node: XmlNode, prefix: string, uri: string): string {
  const usual = dialectOfUri(uri);
  const taken = (name: string) =>
    node.attributes.some((one) => one.name === `xmlns:${name}` && one.value !== uri);
  if (usual && !taken(usual) && !node.attributes.some((one) => one.name === `xmlns:${usual}`)) return usual;
  let name = `${prefix}-other`;
  while (taken(name)) name += "-";
  return name;
}
