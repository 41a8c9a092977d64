import { theme as antdTheme, ConfigProvider, type ConfigProviderProps } from "antd";
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import { useSettings } from "./settings";
import { buildTheme, componentSize } from "./theme";

const darkQuery = "(prefers-color-scheme: dark)";
const stillQuery = "(prefers-reduced-motion: reduce)";

const watchDark = watch(darkQuery);
const watchStill = watch(stillQuery);

function watch(query: string): (changed: () => void) => () => void {
  return (changed) => {
    const media = window.matchMedia(query);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  };
}

/** Whether the dark theme is on: chosen, or by the system when nothing was chosen. */
export function useDark(): boolean {
  const mode = useSettings((state) => state.mode);
  const system = useSyncExternalStore(watchDark, () => window.matchMedia(darkQuery).matches);
  return mode === "system" ? system : mode === "dark";
}

interface Props {
  locale: ConfigProviderProps["locale"];
  children: ReactNode;
}

/** antd configured for the chosen colour, darkness and size; dialogs never close by an outside click. */
export function ThemeProvider({ locale, children }: Props) {
  const brand = useSettings((state) => state.theme);
  const size = useSettings((state) => state.size);
  const dark = useDark();
  const still = useSyncExternalStore(watchStill, () => window.matchMedia(stillQuery).matches);
  const config = useMemo(() => {
    const built = buildTheme(brand, dark, size);
    // Without motion antd waits for no animation, so that the style sheet may switch them off.
    return { ...built, token: { ...built.token, motion: !still } };
  }, [brand, dark, size, still]);
  return (
    <ConfigProvider
      locale={locale}
      theme={config}
      componentSize={componentSize(size)}
      button={{ autoInsertSpace: false }}
      modal={{ mask: { closable: false } }}
      drawer={{ mask: { closable: false } }}
    >
      <RootVariables brand={brand} dark={dark} />
      {children}
    </ConfigProvider>
  );
}

/** Publishes the few colours plain CSS needs as custom properties of the root element. */
function RootVariables({ brand, dark }: { brand: string; dark: boolean }) {
  const { token } = antdTheme.useToken();
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = dark ? "dark" : "light";
    root.style.colorScheme = dark ? "dark" : "light";
    const values: Record<string, string> = {
      "--viva-brand": brand,
      "--viva-primary": token.colorPrimary,
      "--viva-link": token.colorLink,
      "--viva-bg": token.colorBgLayout,
      "--viva-surface": token.colorBgContainer,
      "--viva-text": token.colorText,
      "--viva-text-secondary": token.colorTextSecondary,
      "--viva-border": token.colorBorderSecondary,
    };
    for (const [name, value] of Object.entries(values)) root.style.setProperty(name, value);
  }, [brand, dark, token]);
  return null;
}
