import type { BaseRow } from "@/kernel/crud";

/** Value of the dictionary common_status. */
export const DISABLED = 1;

export interface NotifyTemplate extends BaseRow {
  name: string;
  code: string;
  type: number;
  nickname: string;
  content: string;
  params: string[] | null;
  status: number;
  remark: string;
  createTime: number;
}

export interface NotifyMessage extends BaseRow {
  userId: number;
  userType: number;
  userName: string;
  templateId: number;
  templateCode: string;
  templateNickname: string;
  templateContent: string;
  templateType: number;
  templateParams: Record<string, unknown> | null;
  readStatus: boolean;
  readTime: number | null;
  createTime: number;
}

/** The text with its parameters filled in; those not typed yet stay as they are. */
export function fill(content: string, params: Record<string, string | undefined>): string {
  return content.replace(/\{([A-Za-z_]\w*)\}/g, (hole, name: string) => params[name] || hole);
}
