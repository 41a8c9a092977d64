import { matching } from "./compare";
import { encode, type Splice, type XmlAttribute, type XmlNode } from "./xml";

/** Collects what is put back into a written file. */
export class Restorer {
  private readonly root: XmlNode;
  /** The text that the elements come from. */
  private readonly source: string;
  private readonly splices: Splice[] = [];
  private readonly inside = new Map<XmlNode, { at: number; text: string }[]>();
  private readonly declared = new Map<string, string>();

  constructor(root: XmlNode, source: string) {
    this.root = root;
    this.source = source;
  }

  /** Puts the element behind those that stood before it. */
  element(parent: XmlNode, element: XmlNode): void {
    const pieces = this.inside.get(parent) ?? [];
    pieces.push({ at: behind(parent, element), text: this.fragment(element, parent.scope) });
    this.inside.set(parent, pieces);
  }

  /** Writes the value as the file had it. */
  attribute(node: XmlNode, attribute: XmlAttribute): void {
    const value = `${this.nameOf(attribute, node)}="${encode(attribute.value)}"`;
    const present = node.attributes.find((one) => one.local === attribute.local && one.uri === attribute.uri);
    const end = node.start + 1 + node.name.length;
    if (present) this.splices.push({ start: present.start, end: present.end, text: value });
    else this.splices.push({ start: end, end, text: ` ${value}` });
  }

  text(node: XmlNode, text: string): void {
    if (node.selfClosing) this.inside.set(node, [{ at: node.open, text: encode(text) }]);
    else this.splices.push({ start: node.open, end: node.close, text: encode(text) });
  }

  /** Everything that is put back, one change for each place. */
  changes(): Splice[] {
    const all = [...this.splices];
    for (const [parent, pieces] of this.inside) all.push(...contentOf(parent, pieces));
    const end = this.root.start + 1 + this.root.name.length;
    for (const [prefix, uri] of this.declared) {
      all.push({ start: end, end, text: ` xmlns:${prefix}="${encode(uri)}"` });
    }
    return joined(all);
  }

  /** The name under a prefix that is bound to its namespace there; declared at the root where there is none. */
  private nameOf(attribute: XmlAttribute, node: XmlNode): string {
    if (!attribute.prefix) return attribute.local;
    const bound = Object.entries({ ...node.scope, ...Object.fromEntries(this.declared) });
    const usual = bound.find(([prefix, uri]) => prefix && uri === attribute.uri)?.[0];
    if (usual) return `${usual}:${attribute.local}`;
    let prefix = attribute.prefix;
    while (bound.some(([taken]) => taken === prefix)) prefix += "x";
    this.declared.set(prefix, attribute.uri);
    return `${prefix}:${attribute.local}`;
  }

  /** The element as it stood, with the namespaces that it needs and its new place does not know. */
  private fragment(element: XmlNode, scope: Record<string, string>): string {
    const raw = this.source.slice(element.start, element.end);
    const needed = [...prefixesIn(element)].filter(
      (prefix) =>
        (element.scope[prefix] ?? "") !== (scope[prefix] ?? "") &&
        !element.attributes.some((one) => one.name === (prefix ? `xmlns:${prefix}` : "xmlns")),
    );
    const end = element.name.length + 1;
    const declarations = needed.map(
      (prefix) => ` ${prefix ? `xmlns:${prefix}` : "xmlns"}="${encode(element.scope[prefix] ?? "")}"`,
    );
    return raw.slice(0, end) + declarations.join("") + raw.slice(end);
  }
}

/** Prefixes the element and its content use; one inside may hide an outer one, which does no harm. */
function prefixesIn(node: XmlNode, found = new Set<string>()): Set<string> {
  found.add(node.prefix);
  for (const { prefix, name, value } of node.attributes) {
    if (prefix && prefix !== "xmlns" && prefix !== "xml") found.add(prefix);
    if (name.endsWith(":type") && value.includes(":")) found.add(value.replace(/:.*$/, ""));
  }
  for (const child of node.children) prefixesIn(child, found);
  return found;
}

/** Where the element belongs: behind the nearest of its former elder siblings that is still there. */
function behind(parent: XmlNode, element: XmlNode): number {
  const siblings = element.parent?.children ?? [];
  const groups = (name: XmlNode, list: readonly XmlNode[]) =>
    list.filter((one) => one.local === name.local && one.uri === name.uri);
  for (let i = siblings.indexOf(element) - 1; i >= 0; i--) {
    const elder = siblings[i] as XmlNode;
    const before = groups(elder, siblings);
    const step = {
      uri: elder.uri,
      local: elder.local,
      id: elder.attributes.find((one) => one.name === "id")?.value ?? "",
      index: before.indexOf(elder),
      total: before.length,
    };
    const still = matching(groups(elder, parent.children), step);
    if (still) return still.end;
  }
  return parent.open;
}

function contentOf(parent: XmlNode, pieces: readonly { at: number; text: string }[]): Splice[] {
  if (!parent.selfClosing) return pieces.map(({ at, text }) => ({ start: at, end: at, text }));
  const content = pieces.map((piece) => piece.text).join("");
  const slash = parent.open - 2;
  return [{ start: slash, end: parent.open, text: `>${content}</${parent.name}>` }];
}

function joined(splices: readonly Splice[]): Splice[] {
  const byPlace = new Map<string, Splice>();
  for (const one of splices) {
    const key = `${one.start} ${one.end}`;
    const other = byPlace.get(key);
    byPlace.set(key, other ? { ...other, text: other.text + one.text } : one);
  }
  return [...byPlace.values()];
}
