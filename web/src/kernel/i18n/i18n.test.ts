import { describe, expect, test } from "vitest";
import { localeFiles } from "@/testing/locales";

const sources = import.meta.glob<string>(["../../**/*.{ts,tsx}", "!../../**/*.test.{ts,tsx}"], {
  query: "?raw",
  import: "default",
  eager: true,
});

function flatten(texts: object, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (value && typeof value === "object") {
      for (const [sub, text] of flatten(value, `${prefix}${key}.`)) flat.set(sub, text);
    } else flat.set(prefix + key, String(value));
  }
  return flat;
}

const namespaces = [...new Set(localeFiles.map((file) => file.namespace))];

function keysOf(namespace: string, language: string): Map<string, string> {
  const file = localeFiles.find((item) => item.namespace === namespace && item.language === language);
  return flatten(file?.texts ?? {});
}

function base(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, "");
}

describe.each(namespaces)("texts of %s", (namespace) => {
  const zh = keysOf(namespace, "zh-CN");
  const en = keysOf(namespace, "en");

  test("exist in both languages under the same keys", () => {
    expect(new Set([...en.keys()].map(base))).toEqual(new Set([...zh.keys()].map(base)));
  });

  test("carry the same placeholders and are never empty", () => {
    const holes = (text: string) => new Set(text.match(/\{\{\s*\w+/g) ?? []);
    for (const [key, text] of zh) {
      expect(text, key).not.toBe("");
      const english = en.get(key);
      if (english !== undefined) expect(holes(english), key).toEqual(holes(text));
    }
  });
});

/** Calls t("ns:key") anywhere, and t("key") in files that use one namespace. */
test("every text the source asks for exists", () => {
  const missing: string[] = [];
  for (const [path, text] of Object.entries(sources)) {
    const used = [...text.matchAll(/useTranslation\(\s*\[?\s*["']([\w-]+)["']/g)].map((match) => match[1]);
    const [own] = [...new Set(used)];
    for (const match of text.matchAll(/\bt\(\s*["']([\w.:-]+)["']/g)) {
      const key = match[1] ?? "";
      const [namespace, name] = key.includes(":") ? key.split(":") : [own, key];
      if (!namespace || !name || (used.length > 1 && !key.includes(":") && new Set(used).size > 1)) continue;
      const known = keysOf(namespace, "zh-CN");
      if (![...known.keys()].some((candidate) => base(candidate) === name))
        missing.push(`${path}: ${namespace}:${name}`);
    }
  }
  expect(missing).toEqual([]);
});
