import { putRules, rulesOf, write } from "./dialect";
import type { FieldChange } from "./field";
import { isObject, type JsonObject, textOf, withAt } from "./json";
import { isGenerator, kindOf } from "./kinds";
import type { Item } from "./model";

/** An item with some properties changed, in the words of the designer that wrote it. */
export function changed(item: Item, change: FieldChange): Item {
  let { raw, column } = item;
  for (const [member, value] of Object.entries(change))
    raw = put(raw, member, value === "" ? undefined : value);
  if (change.required === false && column?.required) column = { ...column, required: false };
  if (change.label !== undefined && column) column = { ...column, label: change.label };
  const { text: _, ...rest } = item;
  return { ...rest, raw, ...(column ? { column } : {}) };
}

function put(raw: JsonObject, member: string, value: unknown): JsonObject {
  switch (member) {
    case "required":
      return putRequired(raw, value === true);
    case "requiredText":
      return raw;
    case "pattern":
    case "patternText":
      return putPattern(raw, member, textOf(value));
    case "dict":
      return isGenerator(raw) ? write(raw, "dict", value) : putDict(raw, value);
    case "content":
      return { ...raw, children: [textOf(value)] };
    case "label":
      return kindOf(raw) === "divider" && !isGenerator(raw)
        ? { ...raw, children: [textOf(value)] }
        : write(raw, "label", value ?? "");
    case "min":
    case "max":
    case "minLength":
    case "maxLength":
      return write(withoutRule(raw, member.startsWith("min") ? "min" : "max"), member, value);
    default:
      return write(raw, member, value);
  }
}

/** The family has a type of its own for choices from a dictionary. */
function putDict(raw: JsonObject, dict: unknown): JsonObject {
  const look = kindOf(raw);
  const typed = { ...raw, type: dict === undefined ? look : "DictSelect" };
  const known = withAt(typed, ["props", "dictType"], dict);
  return withAt(known, ["props", "selectType"], dict === undefined ? undefined : look);
}

function putRequired(raw: JsonObject, required: boolean): JsonObject {
  if (isGenerator(raw)) return withAt(raw, ["__config__", "required"], required);
  if (required) return rulesOf(raw).some((rule) => rule.required) ? raw : { ...raw, $required: true };
  const rules = rulesOf(raw).filter((rule) => rule.required !== true);
  const rest = isObject(raw.effect) ? withAt(raw, ["effect", "required"], undefined) : raw;
  return putRules({ ...rest, $required: false }, rules);
}

function putPattern(raw: JsonObject, member: string, value: string): JsonObject {
  const rules = rulesOf(raw);
  const present = rules.find((rule) => rule.pattern !== undefined);
  const rest = rules.filter((rule) => rule !== present);
  if (member === "pattern") {
    return putRules(raw, value ? [...rest, { ...present, pattern: value }] : rest);
  }
  return present ? putRules(raw, [...rest, { ...present, message: value }]) : raw;
}

/** A limit among the rules gives way to the one that is being set; a rule that said nothing else goes. */
function withoutRule(raw: JsonObject, member: "min" | "max"): JsonObject {
  const rules = rulesOf(raw);
  if (!rules.some((rule) => rule[member] !== undefined)) return raw;
  const rest = rules.flatMap(({ [member]: limit, ...rule }) => {
    if (limit === undefined) return [rule];
    const other = member === "min" ? rule.max : rule.min;
    return other !== undefined || rule.pattern !== undefined || rule.required ? [rule] : [];
  });
  return putRules(raw, rest);
}
