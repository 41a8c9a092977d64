export { contrast, readable } from "./contrast";
export {
  defaultSettings,
  LAYOUT_SETTING_KEY,
  type LayoutSettings,
  type SideTheme,
  type Size,
  type ThemeMode,
  themePresets,
  useSettings,
} from "./settings";
export { ThemeProvider, useDark } from "./ThemeProvider";
