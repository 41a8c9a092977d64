import { type Dialect, dialectOfUri, dialects, uriOf } from "../dialect";
import { aliasIds } from "./ids";
import { KnownTypes } from "./known";
import { BPMN, KEPT, KEPT_PREFIX } from "./names";
import { straightenPrefixes } from "./prefixes";
import { parseXml, renameTag, type Splice, splice, walk, type XmlNode } from "./xml";

/** A file made ready for the drawing kit. */
export interface Opened {
  /** The text as it came. */
  original: string;
  dialect: Dialect;
  /** Whether the file itself speaks that dialect, rather than none. */
  found: boolean;
  /** What the drawing kit is given: the same content under names it does not trip over. */
  xml: string;
}

/** Makes a file ready to be drawn; a file without extensions speaks the given dialect. */
export function open(original: string, standard: Dialect): Opened {
  const named = straightenPrefixes(original.replace(/^\uFEFF/, ""));
  const aliases = aliasIds(parseXml(named));
  const straight = aliases.length === 0 ? named : splice(named, aliases);
  const root = parseXml(straight);
  const spoken = spokenIn(root);
  const dialect = spoken ?? standard;
  return { original, dialect, found: spoken !== undefined, xml: keepUnknown(straight, root, dialect) };
}

/** The engine named most often. */
function spokenIn(root: XmlNode): Dialect | undefined {
  const counts = new Map<Dialect, number>();
  const count = (uri: string) => {
    const dialect = dialectOfUri(uri);
    if (dialect) counts.set(dialect, (counts.get(dialect) ?? 0) + 1);
  };
  for (const node of walk(root)) {
    count(node.uri);
    for (const one of node.attributes) count(one.uri);
  }
  const used = dialects.filter((dialect) => counts.has(dialect));
  const most = used.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
  return most ?? dialects.find((dialect) => Object.values(root.scope).includes(uriOf(dialect)));
}

/**
 * Moves extension elements that the descriptor does not know, or knows with less than they say, into
 * a namespace of their own: without a descriptor the drawing kit keeps elements as they are.
 */
function keepUnknown(text: string, root: XmlNode, dialect: Dialect): string {
  const known = new KnownTypes(dialect);
  const uri = uriOf(dialect);
  const splices: Splice[] = [];
  for (const holder of walk(root)) {
    if (holder.uri !== BPMN || holder.local !== "extensionElements") continue;
    for (const child of holder.children) {
      if (child.uri !== uri || known.fits(child)) continue;
      for (const node of walk(child)) {
        if (node.uri === uri) splices.push(...renameTag(node, `${KEPT_PREFIX}:${node.local}`));
      }
    }
  }
  if (splices.length === 0) return text;
  const end = root.start + 1 + root.name.length;
  splices.push({ start: end, end, text: ` xmlns:${KEPT_PREFIX}="${KEPT}"` });
  return splice(text, splices);
}
