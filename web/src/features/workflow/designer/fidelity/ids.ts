import { attributeOf, encode, type Splice, walk, type XmlNode } from "./xml";

/** Ids the drawing kit reads; XML allows more, Chinese letters among them. */
const readable = /^([a-z][\w-.]*:)?[a-z_][\w-.]*$/i;
const MARK = "vid_";
const marked = /^vid_([0-9a-f]+(?:_[0-9a-f]+)*)$/;

const aliasOf = (id: string) =>
  MARK + [...id].map((sign) => (sign.codePointAt(0) ?? 0).toString(16)).join("_");

/** The id an element of the file has while it is drawn. */
export function drawnId(id: string): string {
  return readable.test(id) ? id : aliasOf(id);
}

function idOf(alias: string): string | undefined {
  const codes = marked.exec(alias)?.[1]?.split("_");
  const points = codes?.map((code) => Number.parseInt(code, 16));
  return points?.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}

/** Attributes and elements that hold ids: by these names, or named as references. */
const holders = new Set([
  "id",
  "bpmnElement",
  "default",
  "incoming",
  "outgoing",
  "sourceElement",
  "targetElement",
]);
const holdsId = (name: string) => holders.has(name) || name.endsWith("Ref") || name.endsWith("Refs");

/** Gives elements whose ids the drawing kit would refuse other ids, and those who refer to them too. */
export function aliasIds(root: XmlNode): Splice[] {
  const strange = new Set<string>();
  for (const node of walk(root)) {
    const id = attributeOf(node, "id");
    if (id && !readable.test(id) && !/\s/.test(id)) strange.add(id);
  }
  return strange.size === 0 ? [] : replaceIds(root, (id) => (strange.has(id) ? aliasOf(id) : undefined));
}

/** Gives them their own ids back. */
export function restoreIds(root: XmlNode): Splice[] {
  return replaceIds(root, idOf);
}

function replaceIds(root: XmlNode, replace: (id: string) => string | undefined): Splice[] {
  const splices: Splice[] = [];
  for (const node of walk(root)) {
    for (const { local, prefix, name, value, start, end } of node.attributes) {
      const other = prefix === "" && holdsId(local) ? replace(value) : undefined;
      if (other) splices.push({ start, end, text: `${name}="${encode(other)}"` });
    }
    const reference =
      node.children.length === 0 && holdsId(node.local) ? replace(node.text.trim()) : undefined;
    if (reference) splices.push({ start: node.open, end: node.close, text: encode(reference) });
  }
  return splices;
}
