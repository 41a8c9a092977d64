import { at, isObject, type JsonObject, withAt } from "./json";
import { hasChildren, isGenerator, kindOf } from "./kinds";

/**
 * One item of a design. `raw` is what its designer wrote, with members this form builder
 * knows nothing of; `text` is that, letter by letter, until the item or one inside is changed.
 */
export interface Item {
  /** Tells items apart while they are worked on; not stored. */
  key: string;
  raw: JsonObject;
  text?: string;
  children: Item[];
  /** The column of a table around the item, without the item. */
  column?: JsonObject;
  /** What stood between items and is no object: kept as it is. */
  literal?: unknown;
}

let serial = 0;

/** A key no other item of this window has. */
export function newKey(): string {
  serial += 1;
  return `item-${serial}`;
}

/** Reads the texts of a stored form; a text that is no object becomes an item that is kept. */
export function readItems(fields: readonly string[]): Item[] {
  return fields.map((text) => {
    try {
      return { ...itemOf(JSON.parse(text)), text };
    } catch {
      return { key: newKey(), raw: {}, text, children: [] };
    }
  });
}

/** The texts to store: untouched items are given back letter by letter. */
export function writeItems(items: readonly Item[]): string[] {
  return items.map((item) => item.text ?? JSON.stringify(rawOf(item)));
}

/** An item with those inside it, from an object of a design. */
export function itemOf(value: unknown): Item {
  if (!isObject(value)) return { key: newKey(), raw: {}, children: [], literal: value };
  return { key: newKey(), raw: value, children: hasChildren(kindOf(value)) ? childrenOf(value) : [] };
}

/** Where designers keep what is inside an item. */
function placeOf(raw: JsonObject): readonly string[] {
  if (isGenerator(raw)) return ["__config__", "children"];
  if (kindOf(raw) !== "table") return ["children"];
  return Array.isArray(at(raw, ["props", "rule"])) ? ["props", "rule"] : ["props", "columns"];
}

function childrenOf(raw: JsonObject): Item[] {
  const place = placeOf(raw);
  const inside = at(raw, place);
  if (!Array.isArray(inside)) return [];
  if (place[1] !== "columns") return inside.map(itemOf);
  return inside.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const { rule, ...column } = entry;
    return Array.isArray(rule) ? rule.map((inner) => ({ ...itemOf(inner), column })) : [];
  });
}

/** The object of an item with what is inside it. */
export function rawOf(item: Item): unknown {
  if (item.literal !== undefined) return item.literal;
  if (!hasChildren(kindOf(item.raw))) return item.raw;
  const place = placeOf(item.raw);
  const inside = item.children.map((child) =>
    place[1] === "columns" ? { ...columnOf(child), rule: [rawOf(child)] } : rawOf(child),
  );
  return withAt(item.raw, place, inside);
}

function columnOf(child: Item): JsonObject {
  const label = child.raw.title;
  return { ...child.column, ...(typeof label === "string" && label ? { label } : {}) };
}

/** Every item with those inside, outer ones first. */
export function allItems(items: readonly Item[]): Item[] {
  return items.flatMap((item) => [item, ...allItems(item.children)]);
}
