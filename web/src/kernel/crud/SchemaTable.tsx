import { Table, type TableProps } from "antd";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { t } from "@/kernel/i18n";
import { useMobile } from "@/kernel/ui/useMobile";
import { CardList } from "./CardList";
import type { BaseRow } from "./entity";
import type { Sort } from "./listState";
import { type FieldColumn, rowName } from "./options";
import { ResizableHeader } from "./ResizableHeader";
import { SelectAll } from "./SelectAll";
import { tableColumns } from "./tableColumns";
import type { ColumnMemory } from "./useColumns";
import "./crud.css";

const VIRTUAL_FROM = 200;
const SMALL_FROM = 12;

interface Props<Row extends BaseRow> {
  title: string;
  columns: FieldColumn<Row>[];
  rows: Row[];
  memory: ColumnMemory;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  fetching?: boolean;
  selected?: Row[];
  /** Without it rows cannot be selected. */
  onSelect?: (rows: Row[]) => void;
  onOpen?: (row: Row) => void;
  actions?: (row: Row) => ReactNode;
}

/** Rows as a table, or as cards on a phone; sort by header, keyboard, selection, chosen columns. */
export function SchemaTable<Row extends BaseRow>(props: Props<Row>) {
  const { title, columns, rows, memory, sort, onSort, onOpen, onSelect, actions } = props;
  useTranslation("kernel");
  const mobile = useMobile();
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLElement>(null);

  // A wide table scrolls sideways inside; without a focus there the keyboard cannot follow.
  useEffect(() => {
    for (const body of box.current?.querySelectorAll(".ant-table-body, .ant-table-content") ?? [])
      body.setAttribute("tabindex", "0");
  });

  if (mobile) return <CardList {...props} />;

  const shown = tableColumns({ columns, memory, sort, actions });
  const press = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, active + step));
      setActive(next);
      box.current.querySelectorAll("tr.viva-row")[next]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      const row = rows[active];
      if (row) onOpen?.(row);
    }
  };
  const sortBy: TableProps<Row>["onChange"] = (_pages, _filters, sorter, extra) => {
    if (extra.action !== "sort" || Array.isArray(sorter)) return;
    const field = String(sorter.columnKey ?? "");
    onSort(sorter.order ? { field, order: sorter.order === "ascend" ? "asc" : "desc" } : null);
  };

  return (
    <section
      ref={box}
      className="viva-table"
      aria-label={t("kernel:list.table", { title })}
      aria-description={t("kernel:list.keyboard")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the region itself takes arrow keys and Enter
      tabIndex={0}
      onKeyDown={press}
    >
      <Table<Row>
        rowKey="id"
        columns={shown}
        dataSource={rows}
        pagination={false}
        loading={props.fetching ? { delay: 300 } : false}
        sticky
        virtual={rows.length > VIRTUAL_FROM}
        scroll={rows.length > VIRTUAL_FROM ? { x: 1200, y: 600 } : { x: "max-content" }}
        size={shown.length > SMALL_FROM ? "small" : "medium"}
        components={{ header: { cell: ResizableHeader } }}
        onChange={sortBy}
        rowSelection={onSelect ? selection(rows, props.selected ?? [], onSelect) : undefined}
        onRow={(row, index) => ({
          className: `viva-row${index === active ? " viva-row-active" : ""}`,
          onClick: (event) => {
            setActive(index ?? -1);
            if (!isControl(event)) onOpen?.(row);
          },
        })}
      />
    </section>
  );
}

function selection<Row extends BaseRow>(
  rows: Row[],
  selected: Row[],
  onSelect: (rows: Row[]) => void,
): TableProps<Row>["rowSelection"] {
  return {
    selectedRowKeys: selected.map((row) => row.id),
    onChange: (_keys, chosen) => onSelect(chosen),
    columnTitle: (
      <SelectAll
        count={rows.filter((row) => selected.some((other) => other.id === row.id)).length}
        total={rows.length}
        onChange={(all) => onSelect(all ? rows : [])}
      />
    ),
    getCheckboxProps: (row) => ({ "aria-label": t("kernel:list.selectRow", { name: rowName(row) }) }),
    fixed: true,
  };
}

/** Clicks on buttons, links and boxes inside a row are theirs. */
function isControl(event: MouseEvent): boolean {
  const target = event.target as Element;
  return !!target.closest(
    "button, a, input, label, .ant-checkbox-wrapper, .ant-table-selection-column, .ant-dropdown",
  );
}
