import { t } from "@/kernel/i18n";
import type { FormField } from "./field";
import { isChosen, isNumber, isText } from "./kinds";
import { isEmpty } from "./values";

/** Why a value cannot be taken, in words for the person who fills in the form; "" when it can. */
export function refusalOf(field: FormField, value: unknown): string {
  if (field.kind === "table") return rowsRefusal(field, value);
  if (isEmpty(value)) return field.required ? missing(field) : "";
  if (isText(field.kind)) return textRefusal(field, String(value));
  if (isNumber(field.kind)) return numberRefusal(field, value);
  if (field.kind === "dateRange") return rangeRefusal(field, value);
  if (field.kind === "file" || field.kind === "image") return filesRefusal(field, value);
  return "";
}

function missing(field: FormField): string {
  if (field.requiredText) return field.requiredText;
  return t(isChosen(field.kind) ? "kernel:form.requiredChoice" : "kernel:form.required", {
    label: field.label,
  });
}

function textRefusal(
  { label, minLength, maxLength, pattern, patternText, required, ...field }: FormField,
  text: string,
) {
  if (required && text.trim() === "") return missing({ label, minLength, maxLength, required, ...field });
  if (minLength !== undefined && text.length < minLength)
    return t("kernel:form.minText", { label, min: minLength });
  if (maxLength !== undefined && text.length > maxLength)
    return t("kernel:form.max", { label, max: maxLength });
  const wanted = pattern ? compiled(pattern) : null;
  if (!wanted || wanted.test(text)) return "";
  return patternText || t("workflow:fill.pattern", { label });
}

/** An expression that cannot be read refuses nobody: whoever fills in the form cannot mend it. */
function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern);
  } catch {
    return null;
  }
}

/** Whether a pattern can be read. */
export function isPattern(pattern: string): boolean {
  return compiled(pattern) !== null;
}

function numberRefusal({ label, min, max, precision }: FormField, value: unknown): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return t("workflow:fill.number", { label });
  if (min !== undefined && number < min) return t("kernel:form.minNumber", { label, min });
  if (max !== undefined && number > max) return t("kernel:form.maxNumber", { label, max });
  if (precision === undefined || Number(number.toFixed(precision)) === number) return "";
  return precision === 0
    ? t("workflow:fill.integer", { label })
    : t("workflow:fill.precision", { label, precision });
}

function rangeRefusal({ label }: FormField, value: unknown): string {
  const [from, to] = Array.isArray(value) ? value : [];
  if (isEmpty(from) || isEmpty(to)) return t("workflow:fill.bothEnds", { label });
  return from > to ? t("workflow:fill.order", { label }) : "";
}

function filesRefusal({ label, limit = 1 }: FormField, value: unknown): string {
  const total = Array.isArray(value) ? value.length : 1;
  return total > limit ? t("workflow:fill.files", { label, limit }) : "";
}

function rowsRefusal({ label, min = 0, max, required }: FormField, value: unknown): string {
  const total = Array.isArray(value) ? value.length : 0;
  const least = Math.max(min, required ? 1 : 0);
  if (total < least) return t("workflow:fill.minRows", { label, min: least });
  return max !== undefined && total > max ? t("workflow:fill.maxRows", { label, max }) : "";
}
