import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { get, type PageOf, put } from "@/kernel/api/client";
import { DEFAULT_PAGE_SIZE, pageSizeOf } from "@/kernel/ui";
import type { NotifyMessage } from "./types";

export type ReadFilter = "all" | "unread" | "read";

const wire: Record<ReadFilter, string | undefined> = { all: undefined, unread: "false", read: "true" };

/** The messages of the user; filter and page live in the address. */
export function useInbox() {
  const [search, setSearch] = useSearchParams();
  const client = useQueryClient();
  const asked = search.get("show");
  const filter: ReadFilter = asked === "unread" || asked === "read" ? asked : "all";
  const pageNo = Math.max(1, Number(search.get("pageNo")) || 1);
  const pageSize = pageSizeOf(search.get("pageSize"));
  const query = { pageNo, pageSize, readStatus: wire[filter] };
  const result = useQuery({
    queryKey: ["/system/notify-message", "my-page", query],
    queryFn: ({ signal }) =>
      get<PageOf<NotifyMessage>>("/system/notify-message/my-page", query, { silent: true, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const go = (next: { filter?: ReadFilter; pageNo?: number; pageSize?: number }) => {
    const params = new URLSearchParams();
    const show = next.filter ?? filter;
    if (show !== "all") params.set("show", show);
    if ((next.pageNo ?? 1) > 1) params.set("pageNo", String(next.pageNo));
    if ((next.pageSize ?? pageSize) !== DEFAULT_PAGE_SIZE) {
      params.set("pageSize", String(next.pageSize ?? pageSize));
    }
    setSearch(params, { replace: true });
  };
  /** The list here and the dot in the frame both tell what is unread. */
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["/system/notify-message"] }),
      client.invalidateQueries({ queryKey: ["system", "notify-message"] }),
    ]);
  };
  const read = async (ids: number[]) => {
    if (ids.length === 0) return;
    await put("/system/notify-message/update-read", undefined, { query: { ids } });
    await refresh();
  };
  const readAll = async () => {
    await put("/system/notify-message/update-all-read");
    await refresh();
  };
  return { filter, pageNo, pageSize, result, go, read, readAll, refresh };
}
