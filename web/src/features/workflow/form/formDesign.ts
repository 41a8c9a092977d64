import { t } from "@/kernel/i18n";

/** A form as the server keeps it: texts of JSON objects. */
export interface FormDesign {
  name: string;
  conf: string;
  fields: string[];
}

type JsonObject = Record<string, unknown>;

/** The server refuses larger forms. */
export const MAX_FILE = 1 << 20;

/** The file of a form: readable JSON with the name, the configuration and the items. */
export function writeDesign({ name, conf, fields }: FormDesign): string {
  const content = { name, conf: JSON.parse(conf), fields: fields.map((text) => JSON.parse(text)) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

export function designFileName(name: string): string {
  return `${name.replace(/[\\/:*?"<>|\s]+/g, "-").slice(0, 80)}.form.json`;
}

/**
 * Reads the file of a form. The configuration and the items may be objects or, as other
 * systems of the family write them, texts of objects. Throws an Error that says what is wrong.
 */
export function readDesign(text: string): FormDesign {
  const content = objectOf(text);
  if (!content) throw new Error(t("workflow:form.notJson"));
  const conf = objectOf(content.conf);
  if (!conf) throw new Error(t("workflow:form.noConf"));
  if (!Array.isArray(content.fields)) throw new Error(t("workflow:form.noFields"));
  const fields = content.fields.map((item: unknown, index) => {
    const field = objectOf(item);
    if (!field) throw new Error(t("workflow:form.badField", { row: index + 1 }));
    return JSON.stringify(field);
  });
  const name = typeof content.name === "string" ? content.name.trim() : "";
  return { name, conf: JSON.stringify(conf), fields };
}

function objectOf(value: unknown): JsonObject | null {
  let parsed = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(value.replace(/^\uFEFF/, ""));
    } catch {
      return null;
    }
  }
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? (parsed as JsonObject)
    : null;
}
