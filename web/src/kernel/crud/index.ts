export { BatchBar } from "./BatchBar";
export { ColumnChooser } from "./ColumnChooser";
export { CrudPage, crudPage } from "./crudPage";
export { DetailDrawer } from "./DetailDrawer";
export { type BaseRow, can, type Entity, entityOf, type Field, fieldOf, labelOf, titleOf } from "./entity";
export { exportRows } from "./exportRows";
export { FieldInput } from "./FieldInput";
export { FieldText, moneyText } from "./FieldText";
export { FormDrawer } from "./FormDrawer";
export { ImportDialog, type ImportReport } from "./ImportDialog";
export type { Filters, FilterValue, ListState, Sort } from "./listState";
export {
  type ColumnSpec,
  type CrudOptions,
  type CrudPageHandle,
  filterFields,
  joinColumns,
  type RowAction,
} from "./options";
export { RefSelect, RefText } from "./RefSelect";
export { type RefRow, refTree, useRefRows } from "./refs";
export { SchemaTable } from "./SchemaTable";
export { SearchForm } from "./SearchForm";
export { useColumns } from "./useColumns";
export { useCrudPage } from "./useCrudPage";
export { type ListHandle, useDelayed, useList } from "./useList";
export { isConflict, useSave } from "./useSave";
