import type { Rule } from "antd/es/form";
import dayjs, { type Dayjs } from "dayjs";
import { t } from "@/kernel/i18n";
import { toMillis } from "@/kernel/rules";
import { type Field, isChoice, labelOf } from "./entity";

export type Values = Record<string, unknown>;

/** Turns what the server sent into what the widget edits. */
export function toForm(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  // References and files say "none" with 0.
  if ((field.kind === "ref" || field.kind === "file") && Number(value) === 0) return undefined;
  if (field.kind === "money") return Number(value) / 100;
  if (field.kind === "date" || field.kind === "time") return dayjs(toMillis(value as number | string));
  return value;
}

/** Turns what the widget holds into what the server reads; cleared widgets send null. */
export function fromForm(field: Field, value: unknown): unknown {
  if (value === undefined || value === null || value === "") {
    return isText(field) ? "" : null;
  }
  if (field.kind === "money") return Math.round(Number(value) * 100);
  if (field.kind === "date") return (value as Dayjs).format("YYYY-MM-DD");
  if (field.kind === "time") return (value as Dayjs).valueOf();
  if (isText(field) && field.kind !== "richtext") return String(value).trim();
  return value;
}

function isText(field: Field): boolean {
  return ["text", "longtext", "richtext", "email", "mobile", "url"].includes(field.kind);
}

export function formValues(fields: readonly Field[], row: object): Values {
  return Object.fromEntries(fields.map((field) => [field.name, toForm(field, (row as Values)[field.name])]));
}

export function bodyValues(fields: readonly Field[], values: Values): Values {
  return Object.fromEntries(fields.map((field) => [field.name, fromForm(field, values[field.name])]));
}

/** The rules of a field's description; the server checks them again. */
export function rulesOf(field: Field): Rule[] {
  const label = labelOf(field);
  const rules: Rule[] = [];
  const choice = isChoice(field.kind);
  if (field.required) {
    const message = t(choice ? "kernel:form.requiredChoice" : "kernel:form.required", { label });
    rules.push({ required: true, message, ...(isText(field) ? { whitespace: true } : {}) });
  }
  if (isText(field) && field.kind !== "richtext") {
    if (field.max) rules.push({ max: field.max, message: t("kernel:form.max", { label, max: field.max }) });
    if (field.min)
      rules.push({ min: field.min, message: t("kernel:form.minText", { label, min: field.min }) });
  }
  if (field.kind === "email") rules.push({ type: "email", message: t("kernel:form.email", { label }) });
  if (field.kind === "int" || field.kind === "money") rules.push(...numberRules(field, label));
  return rules;
}

function numberRules(field: Field, label: string): Rule[] {
  const scale = field.kind === "money" ? 100 : 1;
  const rules: Rule[] = [];
  if (field.min !== undefined) {
    const min = field.min / scale;
    rules.push({ type: "number", min, message: t("kernel:form.minNumber", { label, min }) });
  }
  if (field.max !== undefined) {
    const max = field.max / scale;
    rules.push({ type: "number", max, message: t("kernel:form.maxNumber", { label, max }) });
  }
  return rules;
}
