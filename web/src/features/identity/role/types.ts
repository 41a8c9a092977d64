import { type BaseRow, entityOf } from "@/kernel/crud";

export interface Role extends BaseRow {
  name: string;
  code: string;
  sort: number;
  status: number;
  type: number;
  remark: string;
  dataScope: number;
  dataScopeDeptIds: number[];
  createTime: number;
}

/** Values of the dictionary system_role_type. */
export const BUILT_IN = 1;

/** Values of the dictionary system_data_scope. */
export const ALL_DATA = 1;
export const CHOSEN_DEPTS = 2;

/** Roles whose rights follow from the program. */
export const fixedRoles: readonly string[] = ["super_admin", "student"];

export const entity = entityOf("system/role");
export const ASSIGN_MENU = "system:permission:assign-role-menu";
export const ASSIGN_SCOPE = "system:permission:assign-role-data-scope";
