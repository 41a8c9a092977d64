import { Select } from "antd";
import { lazy, Suspense } from "react";
import { isTree, refLabel, useRefRows } from "./refs";

const RefTree = lazy(() => import("./RefTree").then((part) => ({ default: part.RefTree })));

type RefValue = number | number[];

export interface RefProps {
  id?: string;
  /** The list-all-simple call the choices come from. */
  path: string | undefined;
  multiple?: boolean;
  value?: RefValue | null;
  onChange?: (value: RefValue | undefined) => void;
  disabled?: boolean;
  placeholder?: string;
  "aria-label"?: string;
}

/** Chooses one or several rows of another entity; a list with parents is shown as a tree. */
export function RefSelect({ path, multiple, value, ...rest }: RefProps) {
  const { rows, loading } = useRefRows(path);
  const shown = value === null ? undefined : value;
  if (isTree(rows)) {
    return (
      <Suspense
        fallback={
          <Select
            {...rest}
            value={undefined}
            onChange={undefined}
            loading
            disabled
            style={{ width: "100%" }}
          />
        }
      >
        <RefTree {...rest} rows={rows} loading={loading} multiple={multiple} value={shown} />
      </Suspense>
    );
  }
  return (
    <Select<RefValue>
      {...rest}
      value={shown}
      mode={multiple ? "multiple" : undefined}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      loading={loading}
      options={rows.map((row) => ({ value: row.id, label: refLabel(row) }))}
      style={{ width: "100%" }}
    />
  );
}

/** Names of referenced rows for tables and details. */
export function RefText({ path, value }: { path: string | undefined; value: unknown }) {
  const { rows } = useRefRows(path);
  const ids = Array.isArray(value) ? value : [value];
  const names = ids
    .filter((id) => id !== null && id !== undefined)
    .map((id) => {
      const row = rows.find((candidate) => candidate.id === Number(id));
      return row ? refLabel(row) : String(id);
    });
  return <>{names.join("、")}</>;
}
