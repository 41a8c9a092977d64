import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";
import zhCN from "./locales/zh-CN.json";

export { useTranslation } from "react-i18next";

export type Language = "zh-CN" | "en";

/** Loads the texts of one namespace (= folder name) in one language. */
export type LocaleLoader = (namespace: string, language: Language) => Promise<object | null>;

const LANGUAGE_KEY = "language";

let loader: LocaleLoader = async () => null;

const backend: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, namespace, done) => {
    loader(namespace, language as Language).then(
      (texts) => done(null, texts ?? {}),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

export const i18n = i18next.createInstance();

export function storedLanguage(): Language {
  return localStorage.getItem(LANGUAGE_KEY) === "en" ? "en" : "zh-CN";
}

/** Starts the texts; the kernel's Chinese ones are built in, everything else comes through the loader. */
export async function startI18n(load: LocaleLoader, language: Language = storedLanguage()): Promise<void> {
  loader = load;
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: "zh-CN",
      supportedLngs: ["zh-CN", "en"],
      ns: ["kernel"],
      defaultNS: "kernel",
      partialBundledLanguages: true,
      resources: { "zh-CN": { kernel: zhCN } },
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  document.documentElement.lang = language;
}

export function currentLanguage(): Language {
  return i18n.language === "en" ? "en" : "zh-CN";
}

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Text outside components: `t("kernel:error.404")`. */
export function t(key: string, values?: Record<string, unknown>): string {
  return i18n.t(key, values ?? {});
}
