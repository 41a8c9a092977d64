import { Checkbox, Flex } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { BaseRow } from "./entity";
import { type FieldColumn, rowName } from "./options";
import { cellContent, columnLabel, inTable } from "./tableColumns";
import type { ColumnMemory } from "./useColumns";

const MATTER = 3;

interface Props<Row extends BaseRow> {
  title: string;
  columns: FieldColumn<Row>[];
  rows: Row[];
  memory: ColumnMemory;
  selected?: Row[];
  onSelect?: (rows: Row[]) => void;
  onOpen?: (row: Row) => void;
  actions?: (row: Row) => ReactNode;
}

/** The phone's form of a table: a card for each row with its name and three columns. */
export function CardList<Row extends BaseRow>(props: Props<Row>) {
  const { columns, rows, memory, selected = [], onSelect, onOpen, actions } = props;
  const { t } = useTranslation("kernel");
  const shown = columns.filter((column) => inTable(column) && memory.isShown(column.name, !column.optional));
  const [first, ...rest] = shown;
  const toggle = (row: Row, on: boolean) => {
    onSelect?.(on ? [...selected, row] : selected.filter((other) => other.id !== row.id));
  };
  return (
    <ul className="viva-cards" aria-label={t("list.table", { title: props.title })}>
      {rows.map((row) => (
        <li key={row.id} className="viva-card">
          <Flex gap={8} align="start">
            {onSelect ? (
              <Checkbox
                aria-label={t("list.selectRow", { name: rowName(row) })}
                checked={selected.some((other) => other.id === row.id)}
                onChange={(event) => toggle(row, event.target.checked)}
              />
            ) : null}
            <button type="button" className="viva-card-title" onClick={() => onOpen?.(row)}>
              {first ? cellContent(first, row) : rowName(row)}
            </button>
          </Flex>
          <dl>
            {rest.slice(0, MATTER).map((column) => (
              <div key={column.name} style={{ display: "contents" }}>
                <dt>{columnLabel(column)}</dt>
                <dd>{cellContent(column, row)}</dd>
              </div>
            ))}
          </dl>
          {actions ? <Flex justify="end">{actions(row)}</Flex> : null}
        </li>
      ))}
    </ul>
  );
}
