import { currentLanguage } from "@/kernel/i18n";
import { zh } from "./zh";

type Values = Record<string, string>;

/** Words of the drawing kit in the language of the page. */
export function translate(template: string, values: Values = {}): string {
  const text = currentLanguage() === "zh-CN" ? (zh[template] ?? template) : template;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Hands the words to the drawing kit. */
export const translateModule = { translate: ["value", translate] };
