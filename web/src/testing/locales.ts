/** Every text file of the source, by namespace and language. */
const files = import.meta.glob<{ default: object }>(
  ["../kernel/i18n/locales/*.json", "../layout/locales/*.json", "../features/**/locales/*.json"],
  { eager: true },
);

export interface LocaleFile {
  namespace: string;
  language: string;
  texts: object;
}

export const localeFiles: LocaleFile[] = Object.entries(files).map(([path, file]) => {
  const parts = path.split("/");
  const language = (parts.at(-1) ?? "").replace(".json", "");
  const folder = parts[1] === "features" ? (parts.at(-3) ?? "") : (parts[1] ?? "");
  return { namespace: folder, language, texts: file.default };
});

export async function loadTestLocale(namespace: string, language: string): Promise<object | null> {
  const file = localeFiles.find((item) => item.namespace === namespace && item.language === language);
  return file?.texts ?? null;
}
