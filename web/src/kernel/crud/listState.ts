import { dateRange } from "@/kernel/rules";
import { DEFAULT_PAGE_SIZE, pageSizeOf } from "@/kernel/ui/Pagination";
import type { Field, FieldKind } from "./entity";

/** One value for like and eq filters, two for ranges ("" is an open end). */
export type FilterValue = string | [string, string];
export type Filters = Record<string, FilterValue>;

export interface Sort {
  field: string;
  order: "asc" | "desc";
}

export interface ListState {
  filters: Filters;
  pageNo: number;
  pageSize: number;
  sort: Sort | null;
}

const RANGE_MARK = "~";

/** Reads the state of a list from the address; anything unknown or malformed is left out. */
export function readListState(search: URLSearchParams, fields: readonly Field[]): ListState {
  const filters: Filters = {};
  for (const field of fields) {
    const text = search.get(field.name);
    if (!text || !field.filter) continue;
    if (field.filter !== "range") filters[field.name] = text;
    else if (text.includes(RANGE_MARK)) {
      const [from = "", to = ""] = text.split(RANGE_MARK);
      filters[field.name] = [from, to];
    }
  }
  const pageNo = Number(search.get("pageNo"));
  return {
    filters,
    pageNo: Number.isInteger(pageNo) && pageNo > 0 ? pageNo : 1,
    pageSize: pageSizeOf(search.get("pageSize")),
    sort: readSort(search.get("sort"), fields),
  };
}

function readSort(text: string | null, fields: readonly Field[]): Sort | null {
  const [field = "", order] = (text ?? "").split(".");
  if (order !== "asc" && order !== "desc") return null;
  return fields.some((f) => f.name === field && f.sortable) ? { field, order } : null;
}

/** Writes the state into the address, keeping parameters that are not the list's. */
export function writeListState(
  search: URLSearchParams,
  state: ListState,
  fields: readonly Field[],
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const field of fields) if (field.filter) next.delete(field.name);
  for (const [name, value] of Object.entries(state.filters)) {
    const text = Array.isArray(value) ? value.join(RANGE_MARK) : value;
    if (text && text !== RANGE_MARK) next.set(name, text);
  }
  put(next, "pageNo", state.pageNo === 1 ? "" : String(state.pageNo));
  put(next, "pageSize", state.pageSize === DEFAULT_PAGE_SIZE ? "" : String(state.pageSize));
  put(next, "sort", state.sort ? `${state.sort.field}.${state.sort.order}` : "");
  return next;
}

function put(search: URLSearchParams, name: string, value: string): void {
  if (value) search.set(name, value);
  else search.delete(name);
}

/** The filters as the server reads them; used by the page call and by the export. */
export function filterQuery(filters: Filters, fields: readonly Field[]): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const field of fields) {
    const value = filters[field.name];
    if (value === undefined || value === "" || isHalfNumber(field, value)) continue;
    if (!Array.isArray(value)) query[field.name] = field.filter === "like" ? value.trim() : value;
    else addRange(query, field, value);
  }
  return query;
}

/** "-" and "." are on the way to a number, but none yet. */
function isHalfNumber(field: Field, value: FilterValue): boolean {
  return field.kind === "int" && typeof value === "string" && Number.isNaN(Number(value));
}

/** Starts of ranges without one: the server reads a lone value as the start, so an end needs both. */
const openStarts: Partial<Record<FieldKind, string>> = {
  time: "1970-01-01 00:00:00",
  date: "1000-01-01",
};
const openNumber = "-9007199254740991";

function addRange(query: Record<string, unknown>, field: Field, [from, to]: [string, string]): void {
  if (!from && !to) return;
  const times = field.kind === "time" || field.kind === "date";
  if (!times && (Number.isNaN(Number(from)) || Number.isNaN(Number(to)))) return;
  query[`${field.name}[0]`] = from ? rangeEnd(field, from, 0) : (openStarts[field.kind] ?? openNumber);
  if (to) query[`${field.name}[1]`] = rangeEnd(field, to, 1);
}

function rangeEnd(field: Field, text: string, end: 0 | 1): string {
  if (field.kind === "time") return dateRange(text, text)[end];
  return field.kind === "money" ? String(Math.round(Number(text) * 100)) : text;
}

export function pageQuery(state: ListState, fields: readonly Field[]): Record<string, unknown> {
  const query = { pageNo: state.pageNo, pageSize: state.pageSize, ...filterQuery(state.filters, fields) };
  if (!state.sort) return query;
  return {
    ...query,
    "sortingFields[0].field": state.sort.field,
    "sortingFields[0].order": state.sort.order,
  };
}
