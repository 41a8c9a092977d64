import { Table } from "antd";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { buildTree, type TreeNode } from "@/kernel/rules";
import { useMobile } from "@/kernel/ui";
import { indexTree, type TreeItem } from "./marks";
import { TreeCards } from "./TreeCards";
import "@/kernel/crud/crud.css";
import "./tree.css";

export interface TreeColumn<Row> {
  key: string;
  title: string;
  width?: number;
  align?: "right";
  render: (row: Row) => ReactNode;
}

interface Props<Row extends TreeItem> {
  title: string;
  rows: readonly Row[];
  /** The first one is the name; phones show the next three. */
  columns: TreeColumn<Row>[];
  expanded: ReadonlySet<number>;
  onExpand: (ids: ReadonlySet<number>) => void;
  onOpen: (row: Row) => void;
  actions?: (row: Row) => ReactNode;
}

/** A tree as a table, or as indented cards on a phone; arrow keys walk, fold and unfold. */
export function TreeTable<Row extends TreeItem>(props: Props<Row>) {
  const { title, rows, columns, expanded, onExpand, onOpen, actions } = props;
  const { t } = useTranslation("identity");
  const mobile = useMobile();
  const box = useRef<HTMLElement>(null);
  const [active, setActive] = useState(0);
  const tree = useMemo(() => buildTree(rows), [rows]);
  const index = useMemo(() => indexTree(rows), [rows]);
  const visible = useMemo(() => flatten(tree, expanded), [tree, expanded]);
  const toggle = (id: number, on: boolean) => {
    const next = new Set(expanded);
    if (on) next.add(id);
    else next.delete(id);
    onExpand(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const at = visible.findIndex(({ row }) => row.id === active);
    const row = visible[at]?.row;
    const go = (next: number | undefined) => {
      event.preventDefault();
      if (next !== undefined) setActive(next);
    };
    if (event.key === "ArrowDown") go(visible[Math.min(at + 1, visible.length - 1)]?.row.id);
    else if (event.key === "ArrowUp") go(visible[Math.max(at - 1, 0)]?.row.id);
    else if (event.key === "ArrowRight" && row) toggle(row.id, true);
    else if (event.key === "ArrowLeft" && row) {
      if (expanded.has(row.id)) toggle(row.id, false);
      else go(index.parent.get(row.id) || undefined);
    } else if (event.key === "Enter" && row) onOpen(row);
  };
  if (mobile) return <TreeCards {...props} visible={visible} onToggle={toggle} />;
  return (
    <section
      ref={box}
      className="tree-table"
      aria-label={t("tree.table", { title })}
      aria-description={t("tree.keyboard")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the region itself takes arrow keys and Enter
      tabIndex={0}
      onKeyDown={press}
    >
      <Table<TreeNode<Row>>
        rowKey="id"
        dataSource={tree}
        pagination={false}
        sticky
        size="medium"
        scroll={{ x: "max-content" }}
        expandable={{
          expandedRowKeys: [...expanded],
          onExpand: (on, row) => toggle(row.id, on),
          expandIcon: ({ expanded: on, onExpand: fold, record }) => (
            <Fold row={record} on={on} onFold={(event) => fold(record, event)} />
          ),
        }}
        rowClassName={(row) => (row.id === active ? "tree-row-active" : "")}
        columns={[
          ...columns.map((column, position) => ({
            key: column.key,
            title: column.title,
            width: column.width,
            align: column.align,
            fixed: position === 0 ? ("start" as const) : undefined,
            render: (_: unknown, row: TreeNode<Row>) => column.render(row),
          })),
          ...(actions
            ? [
                {
                  key: "actions",
                  title: t("tree.actions"),
                  fixed: "end" as const,
                  render: (_: unknown, row: TreeNode<Row>) => actions(row),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

interface FoldProps {
  row: { name: string; children?: unknown[] };
  on: boolean;
  onFold: (event: React.MouseEvent<HTMLElement>) => void;
}

function Fold({ row, on, onFold }: FoldProps) {
  const { t } = useTranslation("identity");
  if (!row.children) return <span className="tree-fold" />;
  return (
    <button
      type="button"
      className="tree-fold"
      aria-expanded={on}
      aria-label={t(on ? "tree.fold" : "tree.unfold", { name: row.name })}
      onClick={onFold}
    >
      <span aria-hidden="true">{on ? "▾" : "▸"}</span>
    </button>
  );
}

export interface VisibleRow<Row> {
  row: TreeNode<Row>;
  depth: number;
}

function flatten<Row extends TreeItem>(
  nodes: TreeNode<Row>[],
  expanded: ReadonlySet<number>,
  depth = 0,
): VisibleRow<Row>[] {
  return nodes.flatMap((row) => [
    { row, depth },
    ...(row.children && expanded.has(row.id) ? flatten(row.children, expanded, depth + 1) : []),
  ]);
}
