import { Form } from "antd";
import { useId } from "react";
import { RefSelect } from "@/kernel/crud";

interface Props {
  label: string;
  path: string;
  /** Ids with commas between. */
  value: string;
  onChange: (value: string) => void;
}

/** Rows of a list, kept as ids with commas between. */
export function IdsField({ label, path, value, onChange }: Props) {
  const id = useId();
  const ids = value
    .split(",")
    .map((part) => Number(part.trim()))
    .filter((part) => Number.isInteger(part) && part > 0);
  return (
    <Form.Item label={label} htmlFor={id}>
      <RefSelect
        id={id}
        path={path}
        multiple
        value={ids}
        onChange={(next) => onChange(Array.isArray(next) ? next.join(",") : "")}
      />
    </Form.Item>
  );
}
