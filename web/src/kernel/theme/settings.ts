import { create } from "zustand";

export type SideTheme = "theme-dark" | "theme-light" | "theme-blue";
export type ThemeMode = "light" | "dark" | "system";
export type Size = "default" | "medium" | "small" | "mini";

/** What the settings drawer edits, stored under 'layout-setting' as plain JSON. */
export interface LayoutSettings {
  theme: string;
  sideTheme: SideTheme;
  showSettings: boolean;
  topNav: boolean;
  tagsView: boolean;
  fixedHeader: boolean;
  sidebarLogo: boolean;
  dynamicTitle: boolean;
  errorLog: string;
}

export const LAYOUT_SETTING_KEY = "layout-setting";
const SIZE_KEY = "size";
const MODE_KEY = "theme-mode";

export const defaultSettings: LayoutSettings = {
  theme: "#409EFF",
  sideTheme: "theme-dark",
  showSettings: false,
  topNav: false,
  tagsView: true,
  fixedHeader: false,
  sidebarLogo: true,
  dynamicTitle: false,
  errorLog: "production",
};

export const themePresets = [
  "#409EFF",
  "#1890ff",
  "#304156",
  "#212121",
  "#11a983",
  "#13c2c2",
  "#6959CD",
  "#f5222d",
];

interface SettingsState extends LayoutSettings {
  size: Size;
  mode: ThemeMode;
  /** Changes settings for this page only, until `save`. */
  change: (part: Partial<LayoutSettings>) => void;
  save: () => void;
  /** Forgets the stored settings and goes back to the defaults; the drawer reloads afterwards. */
  reset: () => void;
  setSize: (size: Size) => void;
  setMode: (mode: ThemeMode) => void;
}

function readStored(): Partial<LayoutSettings> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(LAYOUT_SETTING_KEY) ?? "{}");
    return value && typeof value === "object" ? (value as Partial<LayoutSettings>) : {};
  } catch {
    return {};
  }
}

function readSize(): Size {
  const stored = localStorage.getItem(SIZE_KEY);
  return stored === "default" || stored === "small" || stored === "mini" ? stored : "medium";
}

function readMode(): ThemeMode {
  const stored = localStorage.getItem(MODE_KEY);
  return stored === "dark" || stored === "light" ? stored : "system";
}

export const useSettings = create<SettingsState>()((set, get) => ({
  ...defaultSettings,
  ...readStored(),
  size: readSize(),
  mode: readMode(),
  change: (part) => set(part),
  save: () => {
    const state = get();
    const plain = Object.fromEntries(
      Object.keys(defaultSettings).map((key) => [key, state[key as keyof LayoutSettings]]),
    );
    localStorage.setItem(LAYOUT_SETTING_KEY, JSON.stringify(plain));
  },
  reset: () => {
    localStorage.removeItem(LAYOUT_SETTING_KEY);
    set({ ...defaultSettings });
  },
  setSize: (size) => {
    localStorage.setItem(SIZE_KEY, size);
    set({ size });
  },
  setMode: (mode) => {
    localStorage.setItem(MODE_KEY, mode);
    set({ mode });
  },
}));
