import type { ReactElement, ReactNode } from "react";
import type { Access } from "@/kernel/access/access";
import type { BaseRow, Entity, Field } from "./entity";
import type { ControlProps } from "./FieldInput";
import type { ListHandle } from "./useList";
import type { Values } from "./values";

/** One field on the page; everything not said here comes from the entity's description. */
export interface ColumnSpec<Row extends BaseRow> {
  name: keyof Row & string;
  /** Text or i18n key ("system:user.roles"); default the label of the field. */
  label?: string;
  /** In the filter bar; without any `search` every filterable field is there. */
  search?: boolean | "range";
  /** In the table; default whether the field is output. */
  table?: boolean;
  /** In the form; default whether the field is input. */
  form?: boolean;
  /** In the detail; default as the table, plus fields the table leaves out. */
  detail?: boolean;
  /** In the table only after the user chose it. */
  optional?: boolean;
  width?: number;
  fixed?: "start";
  render?: (value: unknown, row: Row) => ReactNode;
  /** Own control of the form; it gets value and onChange. */
  input?: (props: ControlProps & { field: Field; row: Row | null }) => ReactElement;
  /** Help under the label. */
  help?: string;
  initial?: unknown;
  hidden?: (access: Access) => boolean;
  /** Two of them share a line of the form. */
  half?: boolean;
}

export interface RowAction<Row extends BaseRow> {
  key: string;
  /** Text or i18n key. */
  label: string;
  permission?: string;
  danger?: boolean;
  hidden?: (row: Row) => boolean;
  /** The reason why the action is locked for this row; "" when it is not. */
  locked?: (row: Row) => string;
  run: (row: Row, page: CrudPageHandle<Row>) => void | Promise<void>;
}

export interface CrudPageHandle<Row extends BaseRow> {
  entity: Entity;
  list: ListHandle<Row>;
  access: Access;
  selected: Row[];
  openForm: (row: Row | null) => void;
  openDetail: (row: Row) => void;
  refresh: () => Promise<void>;
}

export interface CrudOptions<Row extends BaseRow> {
  columns: ColumnSpec<Row>[];
  /** Further acts of a row, before edit and delete. */
  actions?: RowAction<Row>[];
  /** Right of the title, before the primary act. */
  toolbar?: (page: CrudPageHandle<Row>) => ReactNode;
  /** In the bar that shows while rows are selected. */
  batch?: (page: CrudPageHandle<Row>) => ReactNode;
  /** Below the described fields of the detail. */
  detailExtra?: (row: Row, page: CrudPageHandle<Row>) => ReactNode;
  /** Parameters every call of the list carries. */
  fixed?: Record<string, unknown>;
  /** Members added to what the form sends. */
  extraBody?: (values: Values, row: Row | null) => Values;
  /** Why a row can be neither edited nor deleted; "" when it can. */
  locked?: (row: Row) => string;
  /** Name of a row in questions and titles; default its name, title or code. */
  nameOf?: (row: Row) => string;
  /** Calls of the description this page does not offer. */
  without?: ("create" | "update" | "delete" | "export" | "import")[];
  /** Namespace with the page's own texts; loaded before the page shows. */
  ns?: string;
  title?: string;
  description?: string;
  /** What a list without rows says, as i18n keys, where the usual words do not fit. */
  empty?: { title: string; hint: string };
}

export interface FieldColumn<Row extends BaseRow> extends ColumnSpec<Row> {
  field: Field;
}

/** Joins the columns of a page with the entity's fields; a field the entity lacks stops the page. */
export function joinColumns<Row extends BaseRow>(
  entity: Entity,
  columns: ColumnSpec<Row>[],
): FieldColumn<Row>[] {
  return columns.map((column) => {
    const known = entity.fields.find((field) => field.name === column.name);
    if (known) return { ...column, field: known };
    if (!column.render && !column.input) throw new Error(`${entity.path} has no field ${column.name}`);
    const own: Field = {
      name: column.name,
      label: column.label ?? column.name,
      labelEn: column.label ?? column.name,
      kind: "text",
      input: !!column.input,
      output: !!column.render,
    };
    return { ...column, field: own };
  });
}

/** The fields of the filter bar in the order of the columns. */
export function filterFields<Row extends BaseRow>(columns: FieldColumn<Row>[]): Field[] {
  const chosen = columns.filter((column) => column.search);
  const source = chosen.length > 0 ? chosen : columns;
  return source
    .filter((column) => column.field.filter)
    .map((column) =>
      column.search === "range" ? { ...column.field, filter: "range" as const } : column.field,
    );
}

export function rowName<Row extends BaseRow>(row: Row, nameOf?: (row: Row) => string): string {
  if (nameOf) return nameOf(row);
  const values = row as unknown as Record<string, unknown>;
  const name = values.name ?? values.title ?? values.nickname ?? values.label ?? values.code ?? values.key;
  return name === undefined || name === null ? `#${row.id}` : String(name);
}
