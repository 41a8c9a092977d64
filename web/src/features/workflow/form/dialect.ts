import { at, isObject, type JsonObject, type Path, withAt } from "./json";
import { isGenerator, kindOf } from "./kinds";

type Paths = Record<string, readonly Path[]>;

/** Where the members stand: the first place that is there counts, and is written. */
const house: Paths = {
  name: [["field"], ["vModel"]],
  label: [["title"], ["label"]],
  help: [["info"]],
  placeholder: [["props", "placeholder"]],
  initial: [["value"]],
  options: [["options"], ["props", "options"]],
  dict: [["props", "dictType"]],
  multiple: [["props", "multiple"]],
  min: [["props", "min"]],
  max: [["props", "max"]],
  minLength: [
    ["props", "minlength"],
    ["props", "minLength"],
  ],
  maxLength: [
    ["props", "maxlength"],
    ["props", "maxLength"],
  ],
  precision: [["props", "precision"]],
  limit: [["props", "limit"]],
  format: [["props", "valueFormat"]],
};

const generator: Paths = {
  ...house,
  name: [["__vModel__"], ["vModel"]],
  label: [["__config__", "label"]],
  placeholder: [["placeholder"]],
  initial: [["__config__", "defaultValue"]],
  options: [["__slot__", "options"], ["options"]],
  multiple: [["multiple"]],
  min: [["min"]],
  max: [["max"]],
  minLength: [["minlength"]],
  maxLength: [["maxlength"]],
  precision: [["precision"]],
  limit: [["limit"]],
  format: [["value-format"], ["valueFormat"]],
};

function placesOf(raw: JsonObject, member: string): readonly Path[] {
  if (isGenerator(raw)) return generator[member] ?? [];
  const kind = kindOf(raw);
  if (member === "label" && kind === "group") return [["props", "header"], ["title"]];
  return house[member] ?? [];
}

/** A member of an item, whichever of its places it stands in. */
export function read(raw: JsonObject, member: string): unknown {
  for (const path of placesOf(raw, member)) {
    const value = at(raw, path);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** Writes a member where it stands, or where the designer would put it. */
export function write(raw: JsonObject, member: string, value: unknown): JsonObject {
  const places = placesOf(raw, member);
  const place = places.find((path) => at(raw, path) !== undefined) ?? places[0];
  return place ? withAt(raw, place, value) : raw;
}

/** The checks an item carries. */
export function rulesOf(raw: JsonObject): JsonObject[] {
  const list = isGenerator(raw) ? at(raw, ["__config__", "regList"]) : raw.validate;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Other checks in place of the present ones. */
export function putRules(raw: JsonObject, rules: JsonObject[]): JsonObject {
  const path = isGenerator(raw) ? ["__config__", "regList"] : ["validate"];
  if (rules.length === 0 && at(raw, path) === undefined) return raw;
  return withAt(raw, path, rules);
}
