import type { TableProps } from "antd";
import type { ReactNode } from "react";
import { i18n, t } from "@/kernel/i18n";
import { type BaseRow, labelOf } from "./entity";
import { FieldText } from "./FieldText";
import type { Sort } from "./listState";
import type { FieldColumn } from "./options";
import type { ResizeProps } from "./ResizableHeader";
import type { ColumnMemory } from "./useColumns";

export type TableColumns<Row> = NonNullable<TableProps<Row>["columns"]>;

export function columnLabel<Row extends BaseRow>(column: FieldColumn<Row>): string {
  return column.label ? i18n.t(column.label) : labelOf(column.field);
}

export function cellContent<Row extends BaseRow>(
  column: FieldColumn<Row>,
  row: Row,
  brief = true,
): ReactNode {
  const value = row[column.name];
  if (column.render) return column.render(value, row);
  return <FieldText field={column.field} value={value} brief={brief} />;
}

export function inTable<Row extends BaseRow>(column: FieldColumn<Row>): boolean {
  return column.table ?? column.field.output === true;
}

const defaultWidths: Record<string, number> = {
  time: 160,
  date: 120,
  dict: 110,
  bool: 90,
  int: 110,
  money: 120,
};

interface Input<Row extends BaseRow> {
  columns: FieldColumn<Row>[];
  memory: ColumnMemory;
  sort: Sort | null;
  actions?: (row: Row) => ReactNode;
}

/** The antd columns of a list: first one fixed, the rest as chosen, actions fixed at the end. */
export function tableColumns<Row extends BaseRow>({
  columns,
  memory,
  sort,
  actions,
}: Input<Row>): TableColumns<Row> {
  const shown = columns.filter((column) => inTable(column) && memory.isShown(column.name, !column.optional));
  const result: TableColumns<Row> = shown.map((column, index) => {
    const label = columnLabel(column);
    const { kind } = column.field;
    const head: ResizeProps = {
      resizeLabel: `${label} ↔`,
      onResized: (width) => memory.setWidth(column.name, width),
    };
    return {
      key: column.name,
      title: label,
      width: memory.width(column.name, column.width ?? defaultWidths[kind] ?? 180),
      fixed: index === 0 ? "start" : column.fixed,
      align: kind === "int" || kind === "money" ? "right" : undefined,
      ellipsis: kind === "text" || kind === "longtext" || kind === "richtext",
      sorter: column.field.sortable === true,
      sortOrder: sort?.field === column.name ? (sort.order === "asc" ? "ascend" : "descend") : null,
      onHeaderCell: () => head as object,
      render: (_: unknown, row: Row) => cellContent(column, row),
    };
  });
  if (actions) {
    result.push({
      key: "actions",
      title: t("kernel:list.actions"),
      fixed: "end",
      width: 180,
      render: (_: unknown, row: Row) => actions(row),
    });
  }
  return result;
}
