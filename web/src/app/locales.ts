import type { Language } from "@/kernel/i18n";

/** Texts of every folder, each file its own chunk; the namespace is the folder's name. */
const files = import.meta.glob<{ default: object }>([
  "../kernel/i18n/locales/en.json",
  "../layout/locales/*.json",
  "../features/**/locales/*.json",
]);

export async function loadLocale(namespace: string, language: Language): Promise<object | null> {
  const folder = namespace === "kernel" ? "kernel/i18n" : namespace;
  const path = Object.keys(files).find((file) => file.endsWith(`/${folder}/locales/${language}.json`));
  const load = path ? files[path] : undefined;
  return load ? (await load()).default : null;
}
