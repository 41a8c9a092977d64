import { type BaseRow, entityOf } from "@/kernel/crud";

export interface Notice extends BaseRow {
  title: string;
  type: number;
  content: string;
  status: number;
  createTime: number;
}

/** A notice in the reader's list. */
export interface NoticeBrief {
  id: number;
  title: string;
  type: number;
  excerpt: string;
  createTime: number;
}

/** Values of the dictionary common_status. */
export const ENABLED = 0;

export const entity = entityOf("system/notice");
