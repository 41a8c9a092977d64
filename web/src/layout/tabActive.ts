import { createContext, useContext, useEffect } from "react";
import { useTags } from "./stores/tags";

interface TabScope {
  key: string;
  active: boolean;
}

export const TabContext = createContext<TabScope>({ key: "", active: true });

/** False while the page's tab is kept alive but hidden: pause polling, timers and video. */
export function useTabActive(): boolean {
  return useContext(TabContext).active;
}

/** Gives the page's tab a title of its own, e.g. the name of the record it shows. */
export function useTabTitle(title: string | null | undefined): void {
  const { key } = useContext(TabContext);
  const setTitle = useTags((state) => state.setTitle);
  useEffect(() => {
    if (key && title) setTitle(key, title);
  }, [key, title, setTitle]);
}
