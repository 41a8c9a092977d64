import type { ConfigProviderProps } from "antd";
import { readable, type SideTheme } from "@/kernel/theme";

interface SideLook {
  menu: "dark" | "light";
  background: string;
  text: string;
  /** Whether a line separates the sidebar from the page. */
  edge: boolean;
}

const backgrounds = { "theme-dark": "#1c2532", "theme-blue": "#123f78" } as const;

/** Colours of the sidebar; in the dark theme a light sidebar takes the dark surface. */
export function sideLook(side: SideTheme): SideLook {
  if (side === "theme-light") {
    return { menu: "light", background: "var(--viva-surface)", text: "var(--viva-text)", edge: true };
  }
  return { menu: "dark", background: backgrounds[side], text: "#ffffff", edge: false };
}

/** antd's menu in the colours of the sidebar; the chosen entry carries white text on a readable fill. */
export function sideMenuTheme(side: SideTheme, brand: string, link: string): ConfigProviderProps["theme"] {
  const fill = readable(brand, "#ffffff", 4.6);
  if (side === "theme-light") {
    const chosen = { itemSelectedBg: fill, itemSelectedColor: "#ffffff", subMenuItemSelectedColor: link };
    return { components: { Menu: { itemBg: "transparent", subMenuItemBg: "transparent", ...chosen } } };
  }
  const background = backgrounds[side];
  return {
    components: {
      Menu: {
        darkItemBg: background,
        darkPopupBg: background,
        darkSubMenuItemBg: "rgba(0, 0, 0, 0.22)",
        darkItemColor: "rgba(255, 255, 255, 0.82)",
        darkItemHoverColor: "#ffffff",
        darkItemHoverBg: "rgba(255, 255, 255, 0.1)",
        darkItemSelectedBg: fill,
        darkItemSelectedColor: "#ffffff",
      },
    },
  };
}
