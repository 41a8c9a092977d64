import type { BaseRow, RowAction } from "@/kernel/crud";

/** Puts the edit act before the others where a row has so many that some stand in a menu. */
export function editFirst<Row extends BaseRow>(actions: RowAction<Row>[]): RowAction<Row>[] {
  const rank = (action: RowAction<Row>) => (action.key === "edit" ? 0 : 1);
  return [...actions].sort((a, b) => rank(a) - rank(b));
}
