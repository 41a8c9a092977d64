import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { get } from "@/kernel/api/client";
import type { Entity, Filters } from "@/kernel/crud";
import { filterQuery, readListState, writeListState } from "@/kernel/crud/listState";
import type { TreeItem } from "./marks";

export interface TreeListHandle<Row> {
  rows: Row[];
  loading: boolean;
  error: unknown;
  permitted: boolean;
  filters: Filters;
  filtered: boolean;
  setFilters: (filters: Filters) => void;
  refresh: () => Promise<void>;
}

const none: never[] = [];

/** The whole of a tree entity from its list call; the filters live in the address. */
export function useTreeList<Row extends TreeItem>(entity: Entity): TreeListHandle<Row> {
  const access = useAccess();
  const permitted = access.hasPermission([`${entity.permission}:query`]);
  const [search, setSearch] = useSearchParams();
  const client = useQueryClient();
  const address = search.toString();
  const state = useMemo(() => readListState(new URLSearchParams(address), entity.fields), [address, entity]);
  const query = filterQuery(state.filters, entity.fields);
  const result = useQuery({
    queryKey: [entity.path, "list", query],
    queryFn: ({ signal }) => get<Row[]>(`${entity.path}/list`, query, { silent: true, signal }),
    enabled: permitted,
    retry: false,
  });
  return {
    rows: result.data ?? none,
    loading: result.isPending && permitted,
    error: result.error,
    permitted,
    filters: state.filters,
    filtered: Object.keys(state.filters).length > 0,
    setFilters: (filters) =>
      setSearch((present) => writeListState(present, { ...state, filters }, entity.fields), {
        replace: true,
      }),
    refresh: () => client.invalidateQueries({ queryKey: [entity.path] }),
  };
}
