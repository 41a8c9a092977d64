import { useMemo } from "react";
import type { BaseRow, CrudOptions, RowAction } from "@/kernel/crud";

/** Which row the detail shows now; 0 while it is closed. */
export interface Shown {
  id: number;
}

/** Adds "view" to the acts of a row; in the detail itself it would lead nowhere and is left out. */
export function useViewAction<Row extends BaseRow>(
  options: CrudOptions<Row>,
): { options: CrudOptions<Row>; shown: Shown } {
  return useMemo(() => {
    const shown: Shown = { id: 0 };
    const view: RowAction<Row> = {
      key: "view",
      label: "kernel:action.view",
      hidden: (row) => row.id === shown.id,
      run: (row, page) => page.openDetail(row),
    };
    return { shown, options: { ...options, actions: [view, ...(options.actions ?? [])] } };
  }, [options]);
}
