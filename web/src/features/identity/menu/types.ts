import type { BaseRow } from "@/kernel/crud";

/** Values of the dictionary system_menu_type. */
export const DIRECTORY = 1;
export const PAGE = 2;
export const BUTTON = 3;

export interface Menu extends BaseRow {
  name: string;
  nameEn: string;
  permission: string;
  type: number;
  sort: number;
  parentId: number;
  path: string;
  icon: string;
  component: string;
  componentName: string;
  status: number;
  visible: boolean;
  keepAlive: boolean;
  alwaysShow: boolean;
  createTime: number;
}
