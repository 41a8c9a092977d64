import type { FormInstance } from "antd";
import { ApiError } from "@/kernel/api/errors";

/**
 * Puts what the server refused under the inputs it names and gives their names in
 * the order of `fields` (default: of the form); none when the refusal names no input
 * of this form.
 */
export function showRefusedFields<Values>(
  form: FormInstance<Values>,
  error: unknown,
  fields: readonly string[] = Object.keys(form.getFieldsValue() ?? {}),
): string[] {
  const refused = error instanceof ApiError ? (error.fields ?? {}) : {};
  const known = fields.filter((name) => refused[name]);
  const marks = known.map((name) => ({ name, errors: [refused[name] ?? ""] }));
  form.setFields(marks as Parameters<FormInstance<Values>["setFields"]>[0]);
  return known;
}
