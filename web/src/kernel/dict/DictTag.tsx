import { Tag } from "antd";
import { findDict, useDict } from "./store";

interface Props {
  type: string;
  value: unknown;
}

const tagColors: Record<string, string> = {
  primary: "processing",
  success: "success",
  info: "default",
  default: "default",
  warning: "warning",
  danger: "error",
};

/** The label of a dictionary value in the colour of its entry; an unknown value is shown as it is. */
export function DictTag({ type, value }: Props) {
  const entry = findDict(useDict(type), value);
  if (!entry) return value === null || value === undefined || value === "" ? null : String(value);
  return (
    <Tag color={tagColors[entry.colorType || "default"] ?? "default"} className={entry.cssClass || undefined}>
      {entry.label}
    </Tag>
  );
}
