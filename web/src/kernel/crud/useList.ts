import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { get, type PageOf } from "@/kernel/api/client";
import type { Entity } from "./entity";
import {
  type Filters,
  filterQuery,
  type ListState,
  pageQuery,
  readListState,
  type Sort,
  writeListState,
} from "./listState";

export interface ListHandle<Row> {
  rows: Row[];
  total: number;
  capped: boolean;
  /** True until the first answer or failure. */
  loading: boolean;
  fetching: boolean;
  error: unknown;
  state: ListState;
  filtered: boolean;
  /** The filters as sent, without paging: for the export. */
  query: Record<string, unknown>;
  setFilters: (filters: Filters) => void;
  setPage: (pageNo: number, pageSize: number) => void;
  setSort: (sort: Sort | null) => void;
  refresh: () => Promise<void>;
}

interface Options {
  /** Parameters every call carries, e.g. the dictionary type of a sub page. */
  fixed?: Record<string, unknown>;
  enabled?: boolean;
}

const noFixed: Record<string, unknown> = {};

/** A server list whose filters, page and order live in the address. */
export function useList<Row>(
  entity: Entity,
  { fixed = noFixed, enabled = true }: Options = {},
): ListHandle<Row> {
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const state = useMemo(() => readListState(new URLSearchParams(address), entity.fields), [address, entity]);
  const query = { ...pageQuery(state, entity.fields), ...fixed };
  const client = useQueryClient();
  const call = entity.page ?? `${entity.path}/page`;
  const result = useQuery({
    queryKey: [entity.path, call, query],
    queryFn: ({ signal }) => get<PageOf<Row>>(call, query, { silent: true, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled,
  });

  const change = useCallback(
    (part: Partial<ListState>) => {
      setSearch(
        (present) => {
          const before = readListState(present, entity.fields);
          return writeListState(present, { ...before, ...part }, entity.fields);
        },
        { replace: true },
      );
    },
    [setSearch, entity],
  );

  return {
    rows: result.data?.list ?? [],
    total: result.data?.total ?? 0,
    capped: result.data?.totalCapped ?? false,
    loading: result.isPending && enabled,
    fetching: result.isFetching,
    error: result.error,
    state,
    filtered: Object.keys(state.filters).length > 0,
    query: { ...filterQuery(state.filters, entity.fields), ...fixed },
    setFilters: useCallback((filters) => change({ filters, pageNo: 1 }), [change]),
    setPage: useCallback((pageNo, pageSize) => change({ pageNo, pageSize }), [change]),
    setSort: useCallback((sort) => change({ sort }), [change]),
    refresh: () => client.invalidateQueries({ queryKey: [entity.path] }),
  };
}

/** Turns true only when `on` has lasted for `ms`: short waits show no skeleton. */
export function useDelayed(on: boolean, ms = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return on && late;
}
