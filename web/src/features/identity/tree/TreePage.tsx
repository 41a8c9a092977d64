import { Button, Skeleton } from "antd";
import { type ReactNode, useMemo, useState } from "react";
import { isForbidden } from "@/kernel/api/errors";
import { type Entity, SearchForm, titleOf, useDelayed } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, ForbiddenState, PageHeader } from "@/kernel/ui";
import { indexTree, type TreeItem } from "./marks";
import { type TreeColumn, TreeTable } from "./TreeTable";
import type { TreeListHandle } from "./useTreeList";

interface Props<Row extends TreeItem> {
  entity: Entity;
  list: TreeListHandle<Row>;
  columns: TreeColumn<Row>[];
  description: string;
  /** Between the filters and the rows, e.g. a hint. */
  notice?: ReactNode;
  toolbar?: ReactNode;
  /** Opens the form of a new row; missing when the user may not create. */
  onCreate?: () => void;
  onOpen: (row: Row) => void;
  actions?: (row: Row) => ReactNode;
}

/** The page of a tree entity: title, filters, fold and unfold all, and the tree in each of its states. */
export function TreePage<Row extends TreeItem>(props: Props<Row>) {
  const { entity, list, description, notice, toolbar, onCreate } = props;
  const { t } = useTranslation("identity");
  const title = titleOf(entity);
  const [folded, setFolded] = useState<ReadonlySet<number> | null>(null);
  const parents = useMemo(() => {
    const index = indexTree(list.rows);
    return { all: [...index.children.keys()].filter((id) => id !== 0), top: index.children.get(0) ?? [] };
  }, [list.rows]);
  const expanded = useMemo(
    () => folded ?? new Set(list.filtered ? parents.all : parents.top),
    [folded, list.filtered, parents],
  );
  const allOpen = parents.all.every((id) => expanded.has(id));
  return (
    <div>
      <PageHeader
        title={title}
        description={description}
        extra={
          list.loading || list.error || !list.permitted
            ? null
            : t("tree.rows", { total: list.rows.length.toLocaleString() })
        }
        actions={
          <>
            <Button onClick={() => setFolded(new Set(allOpen ? [] : parents.all))}>
              {t(allOpen ? "tree.collapse" : "tree.expand")}
            </Button>
            {toolbar}
            {onCreate ? (
              <Button type="primary" onClick={onCreate}>
                {t("kernel:action.create", { title })}
              </Button>
            ) : null}
          </>
        }
      />
      {list.permitted ? (
        <SearchForm
          fields={entity.fields.filter((field) => field.filter && ["name", "status"].includes(field.name))}
          value={list.filters}
          onChange={(filters) => {
            setFolded(null);
            list.setFilters(filters);
          }}
        />
      ) : null}
      {notice}
      <Body {...props} title={title} expanded={expanded} onExpand={setFolded} />
    </div>
  );
}

interface BodyProps<Row extends TreeItem> extends Props<Row> {
  title: string;
  expanded: ReadonlySet<number>;
  onExpand: (ids: ReadonlySet<number>) => void;
}

function Body<Row extends TreeItem>({ entity, list, title, onCreate, ...rest }: BodyProps<Row>) {
  const { t } = useTranslation("identity");
  const skeleton = useDelayed(list.loading);
  if (!list.permitted || isForbidden(list.error)) {
    return <ForbiddenState title={title} permission={`${entity.permission}:query`} />;
  }
  if (list.error && list.rows.length === 0) {
    return <ErrorState error={list.error} onRetry={() => void list.refresh()} />;
  }
  if (list.loading) {
    return (
      <div role="status" aria-label={t("kernel:list.loadingRows")} style={{ minHeight: 320 }}>
        {skeleton ? <Skeleton active title={false} paragraph={{ rows: 8, width: "100%" }} /> : null}
      </div>
    );
  }
  if (list.rows.length > 0) {
    return (
      <TreeTable<Row>
        title={title}
        rows={list.rows}
        columns={rest.columns}
        expanded={rest.expanded}
        onExpand={rest.onExpand}
        onOpen={rest.onOpen}
        actions={rest.actions}
      />
    );
  }
  if (list.filtered) {
    return (
      <EmptyState
        title={t("kernel:list.emptyFiltered", { title })}
        hint={t("kernel:list.emptyFilteredHint")}
        action={<Button onClick={() => list.setFilters({})}>{t("kernel:list.clearFilters")}</Button>}
      />
    );
  }
  return (
    <EmptyState
      title={t("kernel:list.emptyTitle", { title })}
      hint={t("kernel:list.emptyHint")}
      action={
        onCreate ? (
          <Button type="primary" onClick={onCreate}>
            {t("kernel:action.create", { title })}
          </Button>
        ) : null
      }
    />
  );
}
