import { theme as antdTheme, type ConfigProviderProps, type ThemeConfig } from "antd";
import { readable } from "./contrast";
import type { Size } from "./settings";

const fontFamily =
  'system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC", sans-serif';

type Algorithm = Extract<NonNullable<ThemeConfig["algorithm"]>, (...args: never[]) => unknown>;
type MapToken = NonNullable<Parameters<Algorithm>[1]>;

const white = "#ffffff";
/** The lightest surface text stands on in the dark theme. */
const darkSurface = "#1f1f1f";

/**
 * The antd theme of a brand colour. The tints come from the brand itself; surfaces that carry white
 * text use a derived shade (contrast at least 4.5), and so does coloured text on light surfaces.
 * In the dark theme coloured text is lightened instead.
 */
export function buildTheme(brand: string, dark: boolean, size: Size): ThemeConfig {
  const algorithms: Algorithm[] = [dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm];
  if (size === "mini") algorithms.push(antdTheme.compactAlgorithm);
  algorithms.push((seed, map) => readableMap(map ?? antdTheme.defaultAlgorithm(seed), brand, dark));
  return {
    algorithm: algorithms,
    token: {
      colorPrimary: brand,
      fontFamily,
      borderRadius: 6,
      colorTextPlaceholder: dark ? "rgba(255,255,255,0.55)" : "rgba(0,0,0,0.58)",
      colorTextDescription: dark ? "rgba(255,255,255,0.65)" : "rgba(0,0,0,0.62)",
      colorTextTertiary: dark ? "rgba(255,255,255,0.6)" : "rgba(0,0,0,0.6)",
    },
    components: dark ? darkComponents(brand) : {},
  };
}

/** Replaces the colours that carry or are text; the tints around them stay as antd derived them. */
function readableMap(map: MapToken, brand: string, dark: boolean): MapToken {
  const state = (color: string) => (dark ? readable(color, "#3a2a2a", 4.7) : readable(color, white, 5.2));
  const fill = readable(brand, white, 4.6);
  const text = dark ? readable(brand, darkSurface, 5) : readable(brand, white, 5);
  return {
    ...map,
    colorPrimary: fill,
    colorPrimaryHover: dark ? readable(brand, white, 5.4) : readable(map.colorPrimaryHover, white, 4.5),
    colorPrimaryActive: readable(fill, white, 6),
    colorPrimaryText: text,
    colorPrimaryTextHover: text,
    colorPrimaryTextActive: text,
    colorLink: text,
    colorLinkHover: text,
    colorLinkActive: text,
    colorSuccess: state(map.colorSuccess),
    colorWarning: state(map.colorWarning),
    colorError: state(map.colorError),
    colorErrorHover: state(map.colorErrorHover),
    colorInfo: state(map.colorInfo),
    colorSuccessText: state(map.colorSuccess),
    colorWarningText: state(map.colorWarning),
    colorErrorText: state(map.colorError),
    colorInfoText: state(map.colorInfo),
  };
}

/** Where the dark theme uses one colour both as text and under white text. */
function darkComponents(brand: string): ThemeConfig["components"] {
  const text = readable(brand, darkSurface, 5);
  return {
    Menu: { itemSelectedColor: text, horizontalItemSelectedColor: text },
    Tabs: { itemSelectedColor: text, itemHoverColor: text },
    Pagination: { itemActiveColor: text, itemActiveColorHover: text },
    Segmented: { itemSelectedColor: text },
    Button: { dangerColor: "#1f1f1f" },
    Badge: { colorError: readable("#dc4446", white, 4.6) },
  };
}

/** The specification's four sizes on antd's three; mini adds the compact algorithm. */
export function componentSize(size: Size): NonNullable<ConfigProviderProps["componentSize"]> {
  if (size === "default") return "large";
  return size === "medium" ? "medium" : "small";
}
