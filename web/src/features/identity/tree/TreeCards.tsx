import { Flex } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "@/kernel/i18n";
import type { TreeItem } from "./marks";
import type { TreeColumn, VisibleRow } from "./TreeTable";

interface Props<Row extends TreeItem> {
  title: string;
  columns: TreeColumn<Row>[];
  visible: VisibleRow<Row>[];
  expanded: ReadonlySet<number>;
  onToggle: (id: number, on: boolean) => void;
  onOpen: (row: Row) => void;
  actions?: (row: Row) => ReactNode;
}

const MATTER = 3;

/** The phone's form of a tree: cards, indented by depth. */
export function TreeCards<Row extends TreeItem>(props: Props<Row>) {
  const { title, columns, visible, expanded, onToggle, onOpen, actions } = props;
  const { t } = useTranslation("identity");
  const [first, ...rest] = columns;
  return (
    <ul className="viva-cards" aria-label={t("tree.table", { title })}>
      {visible.map(({ row, depth }) => {
        const on = expanded.has(row.id);
        return (
          <li key={row.id} className="viva-card tree-card" style={{ marginInlineStart: depth * 16 }}>
            <Flex gap={8} align="start">
              {row.children ? (
                <button
                  type="button"
                  className="tree-fold"
                  aria-expanded={on}
                  aria-label={t(on ? "tree.fold" : "tree.unfold", { name: row.name })}
                  onClick={() => onToggle(row.id, !on)}
                >
                  <span aria-hidden="true">{on ? "▾" : "▸"}</span>
                </button>
              ) : null}
              <button type="button" className="viva-card-title" onClick={() => onOpen(row)}>
                {first ? first.render(row) : row.name}
              </button>
            </Flex>
            <dl>
              {facts(rest, row).map(({ key, title: label, content }) => (
                <div key={key} style={{ display: "contents" }}>
                  <dt>{label}</dt>
                  <dd>{content}</dd>
                </div>
              ))}
            </dl>
            {actions ? <Flex justify="end">{actions(row)}</Flex> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** The first columns that have something to say of the row. */
function facts<Row extends TreeItem>(columns: TreeColumn<Row>[], row: Row) {
  return columns
    .map((column) => ({ key: column.key, title: column.title, content: column.render(row) }))
    .filter(({ content }) => content !== null && content !== undefined && content !== "")
    .slice(0, MATTER);
}
