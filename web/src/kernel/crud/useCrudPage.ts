import { useMemo, useState } from "react";
import { useAccess } from "@/kernel/access/access";
import { t } from "@/kernel/i18n";
import { type BaseRow, can, type Entity, queryPermission, titleOf } from "./entity";
import {
  type CrudOptions,
  type CrudPageHandle,
  type FieldColumn,
  joinColumns,
  type RowAction,
  rowName,
} from "./options";
import { removeRows } from "./remove";
import { useList } from "./useList";

type Call = "create" | "update" | "delete" | "export" | "import";

export interface CrudState<Row extends BaseRow> extends CrudPageHandle<Row> {
  title: string;
  columns: FieldColumn<Row>[];
  actions: RowAction<Row>[];
  allowed: (call: Call) => boolean;
  mayQuery: boolean;
  empty: CrudOptions<Row>["empty"];
  nameOf: (row: Row) => string;
  select: (rows: Row[]) => void;
  remove: (rows: Row[]) => Promise<void>;
  form: { open: boolean; row: Row | null };
  closeForm: () => void;
  detail: Row | null;
  closeDetail: () => void;
}

/** Everything a plain entity's page holds; `crudPage` draws it. */
export function useCrudPage<Row extends BaseRow>(entity: Entity, options: CrudOptions<Row>): CrudState<Row> {
  const access = useAccess();
  const permitted = access.hasPermission([queryPermission(entity)]);
  const list = useList<Row>(entity, { fixed: options.fixed, enabled: permitted });
  const [selected, setSelected] = useState<Row[]>([]);
  const [form, setForm] = useState<{ open: boolean; row: Row | null }>({ open: false, row: null });
  const [detail, setDetail] = useState<Row | null>(null);
  const columns = useMemo(() => joinColumns(entity, options.columns), [entity, options.columns]);
  const nameOf = (row: Row) => rowName(row, options.nameOf);
  const openForm = (row: Row | null) => {
    setDetail(null);
    setForm({ open: true, row });
  };

  const allowed = (call: Call) =>
    can(entity, call) &&
    !options.without?.includes(call) &&
    access.hasPermission([`${entity.permission}:${call}`]);
  const remove = async (rows: Row[]) => {
    const gone = (await removeRows(entity, rows, nameOf)).map((row) => row.id);
    if (gone.length === 0) return;
    setSelected((present) => present.filter((row) => !gone.includes(row.id)));
    if (detail && gone.includes(detail.id)) setDetail(null);
    if (gone.length >= list.rows.length && list.state.pageNo > 1) {
      list.setPage(list.state.pageNo - 1, list.state.pageSize);
    }
    await list.refresh();
  };

  return {
    entity,
    list,
    access,
    selected,
    title: options.title ? t(options.title) : titleOf(entity),
    columns: columns.filter((column) => !column.hidden?.(access)),
    actions: [...(options.actions ?? []), ...ownActions<Row>(allowed, openForm, remove, options.locked)],
    allowed,
    mayQuery: permitted,
    empty: options.empty,
    nameOf,
    select: setSelected,
    remove,
    form,
    openForm,
    closeForm: () => setForm((present) => ({ ...present, open: false })),
    detail,
    openDetail: setDetail,
    closeDetail: () => setDetail(null),
    refresh: list.refresh,
  };
}

function ownActions<Row extends BaseRow>(
  allowed: (call: Call) => boolean,
  edit: (row: Row) => void,
  remove: (rows: Row[]) => Promise<void>,
  locked: ((row: Row) => string) | undefined,
): RowAction<Row>[] {
  const actions: RowAction<Row>[] = [];
  if (allowed("update")) actions.push({ key: "edit", label: "kernel:action.edit", locked, run: edit });
  if (allowed("delete")) {
    actions.push({
      key: "remove",
      label: "kernel:action.remove",
      danger: true,
      locked,
      run: (row) => remove([row]),
    });
  }
  return actions;
}
