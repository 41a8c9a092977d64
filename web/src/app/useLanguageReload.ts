import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "@/kernel/i18n";
import { loadSession, useSession } from "@/kernel/session";

/** Menus, dictionary labels and answers come in the language of the request: a change fetches them anew. */
export function useLanguageReload(client: QueryClient): void {
  const { i18n } = useTranslation("kernel");
  const shown = useRef(i18n.language);
  useEffect(() => {
    if (shown.current === i18n.language) return;
    shown.current = i18n.language;
    const session = useSession.getState().ready ? loadSession() : Promise.resolve();
    // Without an answer the old labels stay; the next page asks again.
    void session.catch(() => undefined).then(() => client.invalidateQueries());
  }, [i18n.language, client]);
}
