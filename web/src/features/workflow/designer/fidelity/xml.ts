/** An attribute as it stands in the text. */
export interface XmlAttribute {
  name: string;
  prefix: string;
  local: string;
  /** Empty for attributes without a prefix. */
  uri: string;
  value: string;
  /** Where the name begins and where the value's closing quote ends. */
  start: number;
  end: number;
}

/** An element with its places in the text, so that the text can be changed and the rest left alone. */
export interface XmlNode {
  name: string;
  prefix: string;
  local: string;
  uri: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
  parent: XmlNode | null;
  /** Text of the element itself, without what only indents. */
  text: string;
  /** The whole element, and where its content begins and ends. */
  start: number;
  end: number;
  open: number;
  close: number;
  selfClosing: boolean;
  /** Namespaces by prefix, as they hold inside. */
  scope: Record<string, string>;
}

/** A text that is no XML; the message says where. */
export class XmlError extends Error {
  readonly line: number;
  constructor(message: string, text: string, at: number) {
    super(message);
    this.line = text.slice(0, at).split("\n").length;
  }
}

const XML = "http://www.w3.org/XML/1998/namespace";
const tagName = /[^\s/>=<"']+/y;
const attribute = /\s*([^\s/>=<"']+)\s*=\s*("([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;

/** Reads well-formed XML; comments, instructions and a document type are skipped. */
export function parseXml(text: string): XmlNode {
  let root: XmlNode | null = null;
  let current: XmlNode | null = null;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const upTo = next < 0 ? text.length : next;
    if (current && upTo > at) addText(current, decode(text.slice(at, upTo)));
    if (next < 0) break;
    const skipped = skip(text, next, current);
    if (skipped > 0) {
      at = skipped;
    } else if (text[next + 1] === "/") {
      const end = text.indexOf(">", next);
      const name = text.slice(next + 2, end).trim();
      if (!current || end < 0 || name !== current.name) throw new XmlError(`</${name}>`, text, next);
      current.close = next;
      current.end = end + 1;
      current = current.parent;
      at = end + 1;
    } else {
      const node: XmlNode = readTag(text, next, current);
      if (current) current.children.push(node);
      else if (root) throw new XmlError(node.name, text, next);
      else root = node;
      if (!node.selfClosing) current = node;
      at = node.open;
    }
  }
  if (!root || current) throw new XmlError(current?.name ?? "", text, current?.start ?? text.length);
  return root;
}

/** The end of what is no tag, 0 when a tag begins here. */
function skip(text: string, at: number, current: XmlNode | null): number {
  if (text.startsWith("<!--", at)) return after(text, "-->", at);
  if (text.startsWith("<?", at)) return after(text, "?>", at);
  if (text.startsWith("<![CDATA[", at)) {
    const end = after(text, "]]>", at);
    if (current) addText(current, text.slice(at + 9, end - 3));
    return end;
  }
  if (!text.startsWith("<!", at)) return 0;
  const subset = text.indexOf("[", at);
  const end = after(text, ">", at);
  return subset > 0 && subset < end ? after(text, ">", after(text, "]", subset)) : end;
}

function after(text: string, mark: string, at: number): number {
  const found = text.indexOf(mark, at);
  if (found < 0) throw new XmlError(mark, text, at);
  return found + mark.length;
}

function addText(node: XmlNode, text: string): void {
  if (text.trim()) node.text += text;
}

function readTag(text: string, start: number, parent: XmlNode | null): XmlNode {
  tagName.lastIndex = start + 1;
  const name = tagName.exec(text)?.[0];
  if (!name) throw new XmlError("<", text, start);
  const attributes: XmlAttribute[] = [];
  let at = tagName.lastIndex;
  for (;;) {
    attribute.lastIndex = at;
    const match = attribute.exec(text);
    if (!match?.[1]) break;
    const value = match[3] ?? match[4] ?? "";
    const begin = attribute.lastIndex - match[0].trimStart().length;
    attributes.push({
      name: match[1],
      ...split(match[1]),
      uri: "",
      value: decode(value),
      start: begin,
      end: attribute.lastIndex,
    });
    at = attribute.lastIndex;
  }
  tagEnd.lastIndex = at;
  const closing = tagEnd.exec(text);
  if (!closing) throw new XmlError(`<${name}`, text, at);
  const open = tagEnd.lastIndex;
  const node: XmlNode = {
    name,
    ...split(name),
    uri: "",
    attributes,
    children: [],
    parent,
    text: "",
    start,
    end: open,
    open,
    close: open,
    selfClosing: closing[1] === "/",
    scope: scopeOf(parent, attributes),
  };
  node.uri = node.scope[node.prefix] ?? "";
  for (const one of attributes) if (one.prefix) one.uri = node.scope[one.prefix] ?? "";
  return node;
}

function split(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(":");
  return colon < 0
    ? { prefix: "", local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

function scopeOf(parent: XmlNode | null, attributes: readonly XmlAttribute[]): Record<string, string> {
  const outer = parent?.scope ?? { xml: XML };
  const declared = attributes.filter(isDeclaration);
  if (declared.length === 0) return outer;
  const own = declared.map(({ prefix, local, value }) => [prefix ? local : "", value]);
  return { ...outer, ...Object.fromEntries(own) };
}

/** Whether the attribute binds a prefix, or the lack of one, to a namespace. */
export function isDeclaration({ name, prefix }: XmlAttribute): boolean {
  return prefix === "xmlns" || name === "xmlns";
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : -1;
    if (code < 0) return entities[name] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Writes text so that it can stand in an attribute. */
export function encode(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return escaped.replace(/[\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The value of an attribute without a prefix. */
export function attributeOf(node: XmlNode, name: string): string | undefined {
  return node.attributes.find((one) => one.name === name)?.value;
}

/** The element and all inside, in the order of the text. */
export function* walk(node: XmlNode): Generator<XmlNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}

/** A piece of the text that gives way to another. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Carries out changes that do not overlap; those at one place stand in the order given. */
export function splice(text: string, splices: readonly Splice[]): string {
  const sorted = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const one of sorted) {
    if (one.start < at) continue;
    parts.push(text.slice(at, one.start), one.text);
    at = one.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Changes the prefix of an element where it opens and closes. */
export function renameTag(node: XmlNode, name: string): Splice[] {
  const begin = { start: node.start + 1, end: node.start + 1 + node.name.length, text: name };
  if (node.selfClosing) return [begin];
  return [begin, { start: node.close + 2, end: node.close + 2 + node.name.length, text: name }];
}
