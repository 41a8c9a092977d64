import { Input, Skeleton, Tree, type TreeDataNode } from "antd";
import { useMemo, useState } from "react";
import { type RefRow, useRefRows } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { buildTree } from "@/kernel/rules";
import { EmptyState } from "@/kernel/ui";
import { indexTree, matching } from "../tree/marks";

interface Props {
  value: number;
  onChange: (deptId: number) => void;
}

const named = (row: RefRow) => ({ id: row.id, parentId: row.parentId, name: row.name ?? "" });

/** The departments beside the list; choosing one shows its people and those of the units below. */
export function DeptFilter({ value, onChange }: Props) {
  const { t } = useTranslation("identity");
  const { rows, loading } = useRefRows("/system/dept/simple-list");
  const [text, setText] = useState("");
  const [expanded, setExpanded] = useState<number[] | null>(null);
  const items = useMemo(() => rows.map(named), [rows]);
  const index = useMemo(() => indexTree(items), [items]);
  const shown = useMemo(
    () => (text.trim() ? items.filter((item) => matching(items, index, text).has(item.id)) : items),
    [items, index, text],
  );
  const nodes = useMemo(() => toNodes(buildTree(shown)), [shown]);
  const open = text.trim() ? shown.map((item) => item.id) : (expanded ?? index.children.get(0) ?? []);
  return (
    <aside className="user-depts" aria-label={t("user.depts")}>
      <Input.Search
        allowClear
        aria-label={t("user.deptSearch")}
        placeholder={t("user.deptSearch")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {loading && rows.length === 0 ? <Skeleton active title={false} paragraph={{ rows: 6 }} /> : null}
      {!loading && nodes.length === 0 ? <EmptyState title={t("user.noDepts")} /> : null}
      {nodes.length > 0 ? (
        <Tree
          aria-label={t("user.depts")}
          blockNode
          treeData={nodes}
          expandedKeys={open}
          onExpand={(keys) => setExpanded(keys.map(Number))}
          selectedKeys={value ? [value] : []}
          onSelect={(keys) => onChange(Number(keys[0] ?? 0))}
        />
      ) : null}
    </aside>
  );
}

function toNodes(tree: ReturnType<typeof buildTree<ReturnType<typeof named>>>): TreeDataNode[] {
  return tree.map((node) => ({
    key: node.id,
    title: node.name,
    children: node.children ? toNodes(node.children) : undefined,
  }));
}
