import type { Language } from "@/kernel/i18n";

/** Texts of every folder, each file its own chunk; the namespace is the folder's name. */
const files = import.meta.glob<{ default: object }>([
  "../kernel/i18n/locales/en.json",
  "../layout/locales/*.json",
  "../features/*/locales/*.json",
]);

export async function loadLocale(namespace: string, language: Language): Promise<object | null> {
  const load = files[`../${folderOf(namespace)}/locales/${language}.json`];
  return load ? (await load()).default : null;
}

function folderOf(namespace: string): string {
  if (namespace === "kernel") return "kernel/i18n";
  return namespace === "layout" ? "layout" : `features/${namespace}`;
}
