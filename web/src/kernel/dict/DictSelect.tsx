import { Select, type SelectProps } from "antd";
import { useMemo } from "react";
import { useDict } from "./store";

export type DictValue = string | number | boolean;

interface Props
  extends Pick<SelectProps, "id" | "placeholder" | "disabled" | "style" | "allowClear" | "aria-label"> {
  type: string;
  multiple?: boolean;
  value?: DictValue | DictValue[] | null;
  onChange?: (value: DictValue | DictValue[] | undefined) => void;
  /** What the form keeps: numbers or booleans when every dictionary value is one (default), or strings. */
  as?: "auto" | "string";
}

/** Chooses from a dictionary; numeric dictionaries give numbers, as the server sends and expects them. */
export function DictSelect({ type, multiple, value, onChange, as = "auto", ...rest }: Props) {
  const entries = useDict(type);
  const read = as === "string" ? String : valueReader(entries.map((entry) => entry.value));
  const change = (next: string | string[] | undefined) => {
    if (next === undefined) onChange?.(undefined);
    else onChange?.(Array.isArray(next) ? next.map(read) : read(next));
  };
  return (
    <Select<string | string[]>
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      {...rest}
      mode={multiple ? "multiple" : undefined}
      value={shown(value)}
      options={entries.map((entry) => ({ value: entry.value, label: entry.label }))}
      onChange={change}
    />
  );
}

/** The entries of a dictionary as choices, their values typed as forms keep them; see DictSelect. */
export function useDictOptions(
  type: string,
  as: "auto" | "string" = "auto",
): { value: DictValue; label: string }[] {
  const entries = useDict(type);
  return useMemo(() => {
    const read = as === "string" ? String : valueReader(entries.map((entry) => entry.value));
    return entries.map((entry) => ({ value: read(entry.value), label: entry.label }));
  }, [entries, as]);
}

function shown(value: Props["value"]): string | string[] | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String) : String(value);
}

function valueReader(values: string[]): (item: string) => DictValue {
  if (values.length > 0 && values.every((item) => /^-?\d+$/.test(item))) return Number;
  if (values.length > 0 && values.every((item) => item === "true" || item === "false")) {
    return (item) => item === "true";
  }
  return String;
}
