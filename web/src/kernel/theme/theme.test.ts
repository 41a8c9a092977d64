import { theme as antdTheme } from "antd";
import { beforeEach, describe, expect, test } from "vitest";
import { contrast, readable } from "./contrast";
import { defaultSettings, themePresets, useSettings } from "./settings";
import { buildTheme, componentSize } from "./theme";

describe("contrast", () => {
  test("follows the WCAG formula", () => {
    expect(contrast("#000", "#ffffff")).toBeCloseTo(21, 1);
    expect(contrast("#409EFF", "#ffffff")).toBeCloseTo(2.78, 1);
  });

  test("a readable colour is left alone, others are moved just enough", () => {
    expect(readable("#304156")).toBe("#304156");
    const derived = readable("#409EFF");
    expect(contrast(derived, "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(derived, "#ffffff")).toBeLessThan(5.2);
    expect(contrast(readable("#304156", "#1f1f1f"), "#1f1f1f")).toBeGreaterThanOrEqual(4.5);
  });

  test("something that is no colour does not break the page", () => {
    expect(contrast(readable("nonsense"), "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });
});

describe.each(themePresets)("theme of %s", (brand) => {
  test.each([false, true])("white text is readable on solid fills (dark: %s)", (dark) => {
    const token = antdTheme.getDesignToken(buildTheme(brand, dark, "medium"));
    expect(contrast(token.colorPrimary, "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token.colorLink, dark ? "#141414" : "#ffffff")).toBeGreaterThanOrEqual(4.5);
    for (const state of ["Success", "Warning", "Error", "Info"] as const) {
      const ratio = contrast(token[`color${state}`], token[`color${state}Bg`]);
      expect(ratio, `${state} text on its tint`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test("the four sizes stand on antd's three, mini is compact", () => {
  expect(["default", "medium", "small", "mini"].map((size) => componentSize(size as "mini"))).toEqual([
    "large",
    "medium",
    "small",
    "small",
  ]);
  const height = (size: "small" | "mini") =>
    antdTheme.getDesignToken(buildTheme("#409EFF", false, size)).controlHeight;
  expect(height("mini")).toBeLessThan(height("small"));
});

describe("layout settings", () => {
  beforeEach(() => useSettings.getState().reset());

  test("have the specified defaults", () => {
    expect(defaultSettings).toEqual({
      theme: "#409EFF",
      sideTheme: "theme-dark",
      showSettings: false,
      topNav: false,
      tagsView: true,
      fixedHeader: false,
      sidebarLogo: true,
      dynamicTitle: false,
      errorLog: "production",
    });
    expect(useSettings.getState().size).toBe("medium");
  });

  test("are stored as plain JSON only when saved, and forgotten by reset", () => {
    useSettings.getState().change({ topNav: true });
    expect(localStorage.getItem("layout-setting")).toBeNull();
    useSettings.getState().save();
    expect(JSON.parse(localStorage.getItem("layout-setting") ?? "")).toEqual({
      ...defaultSettings,
      topNav: true,
    });
    useSettings.getState().reset();
    expect(localStorage.getItem("layout-setting")).toBeNull();
    expect(useSettings.getState().topNav).toBe(false);
  });
});
