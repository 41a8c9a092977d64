import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { get } from "@/kernel/api/client";
import { getTenantId, watchTenant } from "@/kernel/session/storage";

/** What the school configured as the face of the system. */
export interface SystemConfig {
  id: number;
  name: string | null;
  signDescription: string | null;
  /** Address of the logo. */
  url: string | null;
}

/** Shown when nothing is configured or the server does not answer; web/index.html starts with it. */
export const fallbackTitle = "论文申请系统";

/** Every school has its own; the sign-in page finds out which school it is while it is shown. */
export function useSystemConfig(): SystemConfig | undefined {
  const tenant = useSyncExternalStore(watchTenant, getTenantId);
  const { data } = useQuery({
    queryKey: ["thesis", "system-config", tenant],
    queryFn: () =>
      get<SystemConfig | null>("/thesis/system-config/get", { id: 1 }, { silent: true, relogin: false }),
    staleTime: 600_000,
    retry: false,
  });
  return data ?? undefined;
}

/** Text of a title that may hold markup; nothing in it is ever executed. */
export function stripTags(text: string): string {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  return (parsed.body.textContent ?? "").replace(/\s+/g, " ").trim();
}

export function systemTitleOf(config: SystemConfig | undefined): string {
  return (config?.name && stripTags(config.name)) || fallbackTitle;
}

export function useSystemTitle(): string {
  return systemTitleOf(useSystemConfig());
}

/** The document's title: the page first when dynamic titles are on, else the system alone. */
export function documentTitle(page: string, system: string, dynamic: boolean): string {
  return dynamic && page ? `${page} - ${system}` : system;
}

export function useDocumentTitle(page: string, dynamic: boolean): void {
  const system = useSystemTitle();
  useEffect(() => {
    document.title = documentTitle(page, system, dynamic);
  }, [page, system, dynamic]);
}
