import { LockOutlined } from "@ant-design/icons";
import { Button, Flex, Input, Switch, Tooltip, Tree, type TreeDataNode } from "antd";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState } from "@/kernel/ui";
import "./tree.css";
import { indexTree, markNode, matching, type TreeIndex, type TreeItem, withAbove } from "./marks";

interface Props<Item extends TreeItem> {
  id?: string;
  items: readonly Item[];
  value?: readonly number[] | null;
  onChange?: (ids: number[]) => void;
  /** What the tree chooses, for its accessible name. */
  label: string;
  needsAbove?: boolean;
  locked?: ReadonlySet<number>;
  lockedReason?: string;
  /** Beside the name of a node, e.g. its kind. */
  extra?: (item: Item) => ReactNode;
}

const nothing: ReadonlySet<number> = new Set();

/** Ticks nodes of a tree: search, expand, all or none, with or without those below. */
export function CheckTree<Item extends TreeItem>(props: Props<Item>) {
  const { id, items, label, needsAbove = false, locked = nothing, onChange } = props;
  const { t } = useTranslation("identity");
  const index = useMemo(() => indexTree(items), [items]);
  const [linked, setLinked] = useState(true);
  const [text, setText] = useState("");
  const [expanded, setExpanded] = useState<number[] | null>(null);
  const marked = useMemo(() => new Set(props.value ?? []), [props.value]);
  const shown = useMemo(() => (text ? matching(items, index, text) : null), [items, index, text]);
  const parents = [...index.children.keys()].filter((node) => node !== 0);
  const open = shown ? [...shown] : (expanded ?? index.children.get(0) ?? []);
  const give = (next: ReadonlySet<number>) => onChange?.([...next].sort((a, b) => a - b));
  const setAll = (on: boolean) => {
    const kept = [...marked].filter((node) => locked.has(node));
    const free = items.map((item) => item.id).filter((node) => !locked.has(node));
    give(
      needsAbove
        ? withAbove(index, new Set(on ? [...kept, ...free] : kept))
        : new Set(on ? [...kept, ...free] : kept),
    );
  };
  const count = items.filter((item) => marked.has(item.id)).length;
  return (
    <div className="check-tree" id={id}>
      <Flex gap={8} wrap align="center" className="check-tree-bar">
        <Input.Search
          allowClear
          size="small"
          aria-label={t("tree.search", { label })}
          placeholder={t("tree.search", { label })}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button size="small" onClick={() => setAll(true)}>
          {t("tree.all")}
        </Button>
        <Button size="small" onClick={() => setAll(false)}>
          {t("tree.none")}
        </Button>
        <Button size="small" onClick={() => setExpanded(open.length >= parents.length ? [] : parents)}>
          {t(open.length >= parents.length ? "tree.collapse" : "tree.expand")}
        </Button>
        <Switch size="small" checked={linked} onChange={setLinked} aria-label={t("tree.linked")} />
        <span aria-hidden="true">{t("tree.linked")}</span>
      </Flex>
      <div className="check-tree-box">
        {shown && shown.size === 0 ? (
          <EmptyState title={t("tree.nothing", { text })} />
        ) : (
          <Tree
            aria-label={label}
            blockNode
            checkable
            checkStrictly
            selectable={false}
            treeData={nodesOf(props, index, 0, shown, t("tree.lockedHint"))}
            expandedKeys={open}
            onExpand={(keys) => setExpanded(keys.map(Number))}
            checkedKeys={{ checked: [...marked], halfChecked: halfMarked(index, marked) }}
            onCheck={(_keys, { node }) =>
              give(markNode(index, marked, Number(node.key), { linked, needsAbove, locked }))
            }
          />
        )}
      </div>
      <div role="status" className="check-tree-count">
        {t("tree.count", { count, total: items.length })}
        {locked.size > 0 ? ` ${t("tree.locked", { total: locked.size })}` : ""}
      </div>
    </div>
  );
}

function nodesOf<Item extends TreeItem>(
  props: Props<Item>,
  index: TreeIndex,
  parent: number,
  shown: ReadonlySet<number> | null,
  hint: string,
): TreeDataNode[] {
  const byId = new Map(props.items.map((item) => [item.id, item]));
  const build = (above: number): TreeDataNode[] =>
    (index.children.get(above) ?? [])
      .filter((id) => !shown || shown.has(id))
      .map((id) => {
        const item = byId.get(id);
        const locked = props.locked?.has(id) ?? false;
        return {
          key: id,
          disableCheckbox: locked,
          title: (
            <>
              {item?.name} {item ? props.extra?.(item) : null}
              {locked ? <Lock reason={props.lockedReason ?? hint} /> : null}
            </>
          ),
          children: build(id),
        };
      });
  return build(parent);
}

function Lock({ reason }: { reason: string }) {
  return (
    <Tooltip title={reason} trigger={["hover", "focus", "click"]}>
      <LockOutlined role="img" tabIndex={0} aria-label={reason} className="check-tree-lock" />
    </Tooltip>
  );
}

/** Unmarked nodes with something marked below. */
function halfMarked(index: TreeIndex, marked: ReadonlySet<number>): number[] {
  const all = withAbove(index, marked);
  return [...all].filter((id) => !marked.has(id));
}
