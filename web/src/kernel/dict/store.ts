import { create } from "zustand";
import { get } from "@/kernel/api/client";

export interface DictEntry {
  dictType: string;
  value: string;
  label: string;
  colorType?: string | null;
  cssClass?: string | null;
}

interface DictState {
  loaded: boolean;
  byType: Record<string, DictEntry[]>;
}

export const useDictStore = create<DictState>()(() => ({ loaded: false, byType: {} }));

/** Loads every dictionary of the tenant; called after the session info and after edits. */
export async function loadDicts(): Promise<void> {
  const entries = await get<DictEntry[]>("/system/dict-data/list-all-simple", undefined, {
    silent: true,
    relogin: false,
  });
  const byType: Record<string, DictEntry[]> = {};
  for (const entry of entries ?? []) {
    const list = byType[entry.dictType] ?? [];
    list.push({ ...entry, value: String(entry.value) });
    byType[entry.dictType] = list;
  }
  useDictStore.setState({ loaded: true, byType });
}

export function clearDicts(): void {
  useDictStore.setState({ loaded: false, byType: {} });
}

const none: DictEntry[] = [];

export function dictEntries(type: string): DictEntry[] {
  return useDictStore.getState().byType[type] ?? none;
}

export function useDict(type: string): DictEntry[] {
  return useDictStore((state) => state.byType[type] ?? none);
}

/** The entry of a value; values are compared as strings. */
export function findDict(entries: readonly DictEntry[], value: unknown): DictEntry | undefined {
  if (value === null || value === undefined) return undefined;
  return entries.find((entry) => entry.value === String(value));
}

export function dictLabel(type: string, value: unknown): string {
  return findDict(dictEntries(type), value)?.label ?? "";
}
