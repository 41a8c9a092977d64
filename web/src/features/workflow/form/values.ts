import dayjs, { type Dayjs } from "dayjs";
import { toMillis } from "@/kernel/rules";
import { type FormField, fieldOf } from "./field";
import { isObject } from "./json";
import { hasOptions, isInput } from "./kinds";
import type { Item } from "./model";

export type FormValues = Record<string, unknown>;

const formats: Partial<Record<FormField["kind"], string>> = {
  date: "YYYY-MM-DD",
  dateTime: "YYYY-MM-DD HH:mm:ss",
  dateRange: "YYYY-MM-DD",
  time: "HH:mm",
};

/** How the field's dates are written; designers of the family use the letters of Java as well. */
export function formatOf(field: FormField): string {
  if (!field.format) return field.withTime ? "YYYY-MM-DD HH:mm:ss" : (formats[field.kind] ?? "YYYY-MM-DD");
  return field.format.replace(/y/g, "Y").replace(/d/g, "D");
}

/** A date or time as the variable holds it; the formats x and timestamp mean milliseconds. */
export function dateToWire(time: Dayjs, field: FormField): string | number {
  if (field.format === "x" || field.format === "timestamp") return time.valueOf();
  return field.format === "X" ? time.unix() : time.format(formatOf(field));
}

/** Reads what a variable holds; null when it is no date. */
export function dateFromWire(value: unknown, field: FormField): Dayjs | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  if (value === "") return null;
  const timeOnly = field.kind === "time" && typeof value === "string";
  const read = timeOnly ? dayjs(`2000-01-01T${value}`) : dayjs(toMillis(value));
  if (read.isValid()) return read;
  const written = dayjs(value, formatOf(field));
  return written.isValid() ? written : null;
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.every((part) => part === undefined || part === null || part === "");
}

/** The option a value stands for: values are compared as texts, as dictionaries do. */
export function optionOf(field: { options: FormField["options"] }, value: unknown) {
  return field.options.find((option) => String(option.value) === String(value));
}

/** The value an untouched field begins with. */
export function initialOf(item: Item): unknown {
  const field = fieldOf(item);
  if (field.kind === "table") {
    const rows = Array.isArray(field.initial) ? field.initial.filter(isObject) : [];
    const missing = Math.max(0, Math.min(field.min ?? 0, 100) - rows.length);
    return [...rows, ...Array.from({ length: missing }, () => initialRow(item))];
  }
  if (field.initial === undefined) {
    return field.kind === "switch" ? field.off : undefined;
  }
  if (hasOptions(field.kind) && !field.multiple)
    return optionOf(field, field.initial)?.value ?? field.initial;
  return field.initial;
}

/** What a new row of a table begins with. */
export function initialRow(table: Item): FormValues {
  const row: FormValues = {};
  for (const column of table.children) {
    const { name } = fieldOf(column);
    const value = initialOf(column);
    if (name && value !== undefined) row[name] = value;
  }
  return row;
}

/** The items that have a value of their own: those of a table are in its rows. */
export function inputsOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    const { kind, name } = fieldOf(item);
    if (kind === "group") return inputsOf(item.children);
    return isInput(kind) && name ? [item] : [];
  });
}

/** The values a form begins with: those given, else the initial ones of the design. */
export function startValues(items: readonly Item[], given: FormValues = {}): FormValues {
  const values: FormValues = {};
  for (const item of inputsOf(items)) {
    const { name } = fieldOf(item);
    const value = Object.hasOwn(given, name) ? given[name] : initialOf(item);
    if (value !== undefined && value !== null) values[name] = value;
  }
  return values;
}
