import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "@/kernel/i18n";
import type { AppRoute } from "./routes/types";

type Titled = Pick<AppRoute, "title">;

/** Menus carry the titles an administrator typed; English names exist for the ones we ship. */
async function loadEnglishTitles(): Promise<Record<string, string>> {
  return (await import("./routes/menuTitles.en.json")).default;
}

/** Gives the text of a route's title: the layout's own titles are keys, those of menus are texts. */
export function useRouteTitle(): (route: Titled) => string {
  const { t, i18n } = useTranslation("layout");
  const english = i18n.language === "en";
  const { data } = useQuery({
    queryKey: ["layout", "menu-titles", "en"],
    queryFn: loadEnglishTitles,
    enabled: english,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useCallback(
    (route: Titled) => {
      if (route.title.startsWith("page.")) return t(route.title);
      return (english && data?.[route.title]) || route.title;
    },
    [t, english, data],
  );
}
