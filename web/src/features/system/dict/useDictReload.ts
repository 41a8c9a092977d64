import { useEffect, useRef } from "react";
import type { BaseRow, ListHandle } from "@/kernel/crud";
import { loadDicts } from "@/kernel/dict";

/** Loads the dictionaries anew when the rows shown have changed, so that every page shows it at once. */
export function useDictReload<Row extends BaseRow>(list: ListHandle<Row>): void {
  const view = JSON.stringify(list.state);
  const content = list.rows.map((row) => `${row.id}.${row.version}`).join();
  const settled = !list.loading && !list.fetching;
  const seen = useRef({ view: "", content: "" });
  useEffect(() => {
    if (!settled) return;
    // The same view with other rows: something was saved or deleted.
    if (seen.current.view === view && seen.current.content !== content) {
      loadDicts().catch(() => undefined);
    }
    seen.current = { view, content };
  }, [settled, view, content]);
}
