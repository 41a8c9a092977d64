import { Button, Skeleton } from "antd";
import { useTranslation } from "react-i18next";
import { ApiError, isForbidden } from "@/kernel/api/errors";
import { i18n } from "@/kernel/i18n";
import { Pagination } from "@/kernel/ui/Pagination";
import { EmptyState, ErrorState, ForbiddenState } from "@/kernel/ui/states";
import { type BaseRow, queryPermission } from "./entity";
import { RowActions } from "./RowActions";
import { SchemaTable } from "./SchemaTable";
import type { ColumnMemory } from "./useColumns";
import type { CrudState } from "./useCrudPage";
import { useDelayed } from "./useList";

interface Props<Row extends BaseRow> {
  page: CrudState<Row>;
  memory: ColumnMemory;
  selectable: boolean;
}

/** The list itself in whichever state it is: loading, failed, forbidden, empty, or rows and pager. */
export function CrudBody<Row extends BaseRow>({ page, memory, selectable }: Props<Row>) {
  const { t } = useTranslation("kernel");
  const { list, title } = page;
  const skeleton = useDelayed(list.loading);
  if (!page.mayQuery || isForbidden(list.error)) {
    return <ForbiddenState title={title} permission={queryPermission(page.entity)} />;
  }
  if (list.error && list.rows.length === 0) {
    const lost = list.error instanceof ApiError && list.error.code === 401;
    return <ErrorState error={list.error} hint={lost ? "" : undefined} onRetry={() => void list.refresh()} />;
  }
  if (list.loading) {
    return (
      <div className="viva-skeleton-rows" role="status" aria-label={t("list.loadingRows")}>
        {skeleton ? <Skeleton active title={false} paragraph={{ rows: 8, width: "100%" }} /> : null}
      </div>
    );
  }
  if (list.rows.length === 0) return <Nothing page={page} />;
  return (
    <>
      <SchemaTable<Row>
        title={title}
        columns={page.columns}
        rows={list.rows}
        memory={memory}
        sort={list.state.sort}
        onSort={list.setSort}
        fetching={list.fetching}
        selected={page.selected}
        onSelect={selectable ? page.select : undefined}
        onOpen={page.openDetail}
        actions={
          page.actions.length > 0
            ? (row) => <RowActions row={row} name={page.nameOf(row)} actions={page.actions} page={page} />
            : undefined
        }
      />
      <div style={{ marginTop: 16 }}>
        <Pagination
          pageNo={list.state.pageNo}
          pageSize={list.state.pageSize}
          total={list.total}
          capped={list.capped}
          onChange={list.setPage}
        />
      </div>
    </>
  );
}

/** Says why the list is empty and offers the next act. */
function Nothing<Row extends BaseRow>({ page }: { page: CrudState<Row> }) {
  const { t } = useTranslation("kernel");
  const { list, title } = page;
  if (list.filtered || list.state.pageNo > 1) {
    return (
      <EmptyState
        title={t("list.emptyFiltered", { title })}
        hint={t("list.emptyFilteredHint")}
        action={<Button onClick={() => list.setFilters({})}>{t("list.clearFilters")}</Button>}
      />
    );
  }
  return (
    <EmptyState
      title={page.empty ? i18n.t(page.empty.title) : t("list.emptyTitle", { title })}
      hint={page.empty ? i18n.t(page.empty.hint) : t("list.emptyHint")}
      action={
        page.allowed("create") ? (
          <Button type="primary" onClick={() => page.openForm(null)}>
            {t("action.create", { title })}
          </Button>
        ) : null
      }
    />
  );
}
