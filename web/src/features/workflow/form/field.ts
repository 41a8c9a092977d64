import { read, rulesOf } from "./dialect";
import { at, isObject, type JsonObject, numberOf, textOf } from "./json";
import { hasOptions, isNumber, isText, type Kind, kindOf, rawType } from "./kinds";
import type { Item } from "./model";

export type Choice = string | number | boolean;

export interface Option {
  value: Choice;
  label: string;
}

/** An item as this builder understands it, whichever designer wrote it. */
export interface FormField {
  kind: Kind;
  /** What the item's own designer calls its type. */
  type: string;
  /** The variable of the process that the value becomes. */
  name: string;
  label: string;
  help?: string;
  placeholder?: string;
  required: boolean;
  /** Own words for a missing value. */
  requiredText?: string;
  initial?: unknown;
  options: Option[];
  /** A dictionary type in place of own options. */
  dict?: string;
  /** Dictionary values stay texts. */
  dictTexts: boolean;
  multiple: boolean;
  /** Smallest and greatest number; of a table, of its rows. */
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  precision?: number;
  pattern?: string;
  patternText?: string;
  /** Number of files. */
  limit?: number;
  /** How a date or time is written into the variable, in the letters of dayjs. */
  format?: string;
  /** A range of days has times, too. */
  withTime: boolean;
  /** What an on and an off switch stand for. */
  on: unknown;
  off: unknown;
  /** The text of a description: HTML, or plain. */
  content?: string;
}

/** The properties that can be changed one by one. */
export type FieldChange = Partial<Omit<FormField, "kind" | "type" | "dictTexts" | "withTime" | "on" | "off">>;

/** Older designs write an expression as its source between slashes. */
function patternOf(value: unknown): string | undefined {
  const text = textOf(value);
  return /^\/.*\/[a-z]*$/s.test(text) ? text.slice(1, text.lastIndexOf("/")) : text || undefined;
}

function optionsOf(value: unknown): Option[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap(({ value: choice, label }) => {
    const known = typeof choice === "string" || typeof choice === "number" || typeof choice === "boolean";
    return known ? [{ value: choice, label: textOf(label) || String(choice) }] : [];
  });
}

function contentOf(raw: JsonObject): string | undefined {
  const [first] = Array.isArray(raw.children) ? raw.children : [];
  const candidates = [first, at(raw, ["attrs", "innerHTML"]), at(raw, ["domProps", "innerHTML"])];
  const alert = [at(raw, ["props", "title"]), at(raw, ["props", "description"])];
  return [...candidates, ...alert, at(raw, ["__slot__", "default"])].map(textOf).find((text) => text !== "");
}

const known = new WeakMap<Item, FormField>();

/** What an item means; items are never changed in place, so the answer is kept with them. */
export function fieldOf(item: Item): FormField {
  let field = known.get(item);
  if (!field) {
    field = understand(item);
    known.set(item, field);
  }
  return field;
}

function understand({ raw, column, literal }: Item): FormField {
  const kind = literal === undefined ? kindOf(raw) : "unsupported";
  const rules = rulesOf(raw);
  const content = kind === "description" || kind === "divider" ? contentOf(raw) : undefined;
  const text = (member: string) => textOf(read(raw, member)) || undefined;
  const requiring = rules.find((rule) => rule.required === true);
  const demanded = raw.$required ?? at(raw, ["__config__", "required"]) ?? at(raw, ["effect", "required"]);
  const matching = rules.find((rule) => rule.pattern !== undefined);
  const limit = (member: string, place: "min" | "max", fits: boolean) =>
    numberOf(read(raw, member)) ??
    (fits ? numberOf(rules.find((rule) => rule[place] !== undefined)?.[place]) : undefined);
  return {
    kind,
    type: rawType(raw),
    name: text("name") ?? "",
    label: text("label") ?? (textOf(column?.label) || (kind === "divider" ? (content ?? "") : "")),
    help: text("help"),
    placeholder: text("placeholder"),
    required: Boolean(demanded) || requiring !== undefined || column?.required === true,
    requiredText: textOf(raw.$required) || textOf(requiring?.message) || undefined,
    initial: read(raw, "initial"),
    options: hasOptions(kind) ? optionsOf(read(raw, "options")) : [],
    dict: hasOptions(kind) ? text("dict") : undefined,
    dictTexts: at(raw, ["props", "valueType"]) === "str",
    multiple: manyOf(raw, kind),
    min: limit("min", "min", isNumber(kind)),
    max: limit("max", "max", isNumber(kind)),
    minLength: limit("minLength", "min", isText(kind)),
    maxLength: limit("maxLength", "max", isText(kind)),
    precision: numberOf(read(raw, "precision")) ?? (kind === "money" ? 2 : undefined),
    pattern: patternOf(matching?.pattern),
    patternText: textOf(matching?.message) || undefined,
    limit: numberOf(read(raw, "limit")) ?? (/s$/i.test(rawType(raw)) ? 9 : undefined),
    format: text("format"),
    withTime: /^datetimerange$/i.test(textOf(at(raw, ["props", "type"]) ?? raw.type)),
    on: at(raw, ["props", "activeValue"]) ?? raw["active-value"] ?? true,
    off: at(raw, ["props", "inactiveValue"]) ?? raw["inactive-value"] ?? false,
    content: kind === "description" ? content : undefined,
  };
}

function manyOf(raw: JsonObject, kind: Kind): boolean {
  return kind === "checkbox" || read(raw, "multiple") === true;
}
