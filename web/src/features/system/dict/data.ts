import type { BaseRow } from "@/kernel/crud";

export interface DictData extends BaseRow {
  sort: number;
  label: string;
  labelEn: string;
  value: string;
  dictType: string;
  status: number;
  colorType: string;
  cssClass: string;
  remark: string;
  createTime: number;
}

/** The colours the server takes, and what antd calls them. */
export const colours: Readonly<Record<string, string>> = {
  default: "default",
  primary: "processing",
  success: "success",
  info: "default",
  warning: "warning",
  danger: "error",
};

export function colourOf(value: unknown): string {
  return typeof value === "string" && value ? value : "default";
}
