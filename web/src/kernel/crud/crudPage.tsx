import { Button } from "antd";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { i18n } from "@/kernel/i18n";
import { DebouncedButton } from "@/kernel/ui/DebouncedButton";
import { PageHeader } from "@/kernel/ui/PageHeader";
import { BatchBar } from "./BatchBar";
import { ColumnChooser } from "./ColumnChooser";
import { CrudBody } from "./CrudBody";
import { type BaseRow, entityOf } from "./entity";
import { exportRows } from "./exportRows";
import { type CrudOptions, filterFields } from "./options";
import { DetailDrawer, FormDrawer, ImportDialog, OnDemand, usePrefetchedParts } from "./parts";
import { RowActions } from "./RowActions";
import { SearchForm } from "./SearchForm";
import { columnLabel, inTable } from "./tableColumns";
import { type ColumnMemory, useColumns } from "./useColumns";
import { type CrudState, useCrudPage } from "./useCrudPage";

/** The page of a plain entity from its generated description and a list of columns. */
export function crudPage<Row extends BaseRow>(name: string, options: CrudOptions<Row>): ComponentType {
  const entity = entityOf(name);
  function EntityPage() {
    useTranslation(["kernel", ...(options.ns ? [options.ns] : [])]);
    const page = useCrudPage(entity, options);
    return <CrudPage page={page} options={options} name={name} />;
  }
  EntityPage.displayName = `CrudPage(${name})`;
  return EntityPage;
}

interface Props<Row extends BaseRow> {
  page: CrudState<Row>;
  options: CrudOptions<Row>;
  name: string;
}

/** Draws a page whose state comes from `useCrudPage`; pages with own state may use it directly. */
export function CrudPage<Row extends BaseRow>({ page, options, name }: Props<Row>) {
  const { t } = useTranslation("kernel");
  const memory = useColumns(name);
  const box = useRef<HTMLDivElement>(null);
  useSearchKey(box);
  usePrefetchedParts();
  const { list, title, selected } = page;
  const canRemove = page.allowed("delete");
  const selectable = canRemove || options.batch !== undefined;
  const removable = selected.filter((row) => !options.locked?.(row));
  const total = list.total.toLocaleString();
  return (
    <div ref={box}>
      <PageHeader
        title={title}
        description={options.description ? i18n.t(options.description) : undefined}
        extra={
          list.loading || list.error ? null : t(list.capped ? "list.countCapped" : "list.count", { total })
        }
        actions={<Toolbar page={page} options={options} memory={memory} />}
      />
      {page.mayQuery ? (
        <SearchForm
          fields={filterFields(page.columns)}
          value={list.state.filters}
          onChange={list.setFilters}
        />
      ) : null}
      <BatchBar count={selected.length} onClear={() => page.select([])}>
        {options.batch?.(page)}
        {canRemove ? (
          <Button danger disabled={removable.length === 0} onClick={() => void page.remove(removable)}>
            {t("list.removeSelected")}
          </Button>
        ) : null}
      </BatchBar>
      <CrudBody page={page} memory={memory} selectable={selectable} />
      <OnDemand open={page.detail !== null}>
        <DetailDrawer
          entity={page.entity}
          title={title}
          columns={page.columns}
          row={page.detail}
          rows={list.rows}
          nameOf={options.nameOf}
          onMove={page.openDetail}
          onClose={page.closeDetail}
          acts={(row) => <RowActions row={row} name={page.nameOf(row)} actions={page.actions} page={page} />}
          extra={options.detailExtra ? (row) => options.detailExtra?.(row, page) : undefined}
        />
      </OnDemand>
      <OnDemand open={page.form.open}>
        <FormDrawer
          entity={page.entity}
          title={title}
          columns={page.columns}
          open={page.form.open}
          row={page.form.row}
          extraBody={options.extraBody}
          onClose={page.closeForm}
        />
      </OnDemand>
    </div>
  );
}

interface ToolbarProps<Row extends BaseRow> {
  page: CrudState<Row>;
  options: CrudOptions<Row>;
  memory: ColumnMemory;
}

function Toolbar<Row extends BaseRow>({ page, options, memory }: ToolbarProps<Row>) {
  const { t } = useTranslation("kernel");
  const [importing, setImporting] = useState(false);
  const { list, title, entity } = page;
  const columns = page.columns
    .filter(inTable)
    .map((column) => ({ name: column.name, label: columnLabel(column), byDefault: !column.optional }));
  return (
    <>
      {page.mayQuery ? <ColumnChooser memory={memory} columns={columns} /> : null}
      {options.toolbar?.(page)}
      {page.allowed("import") ? (
        <Button onClick={() => setImporting(true)}>{t("action.import")}</Button>
      ) : null}
      {page.allowed("export") ? (
        <DebouncedButton onClick={() => void exportRows(entity, title, list.state.filters, list.query)}>
          {t("action.export")}
        </DebouncedButton>
      ) : null}
      {page.allowed("create") ? (
        <Button type="primary" onClick={() => page.openForm(null)}>
          {t("action.create", { title })}
        </Button>
      ) : null}
      <OnDemand open={importing}>
        <ImportDialog entity={entity} title={title} open={importing} onClose={() => setImporting(false)} />
      </OnDemand>
    </>
  );
}

/** The key / goes to the first filter, unless something is being typed or the page is a hidden tab. */
function useSearchKey(box: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const page = box.current;
      const target = event.target as HTMLElement;
      if (event.key !== "/" || !page || page.closest("[hidden]")) return;
      if (target.closest?.("input, textarea, select, [contenteditable=true], [role=dialog]")) return;
      const first = page.querySelector<HTMLElement>(".viva-search input");
      if (!first) return;
      event.preventDefault();
      first.focus();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [box]);
}
