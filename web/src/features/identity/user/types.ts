import { type BaseRow, type Entity, entityOf } from "@/kernel/crud";

export interface User extends BaseRow {
  username: string;
  nickname: string;
  type: number;
  remark: string;
  introduction: string;
  deptId: number;
  deptName: string;
  postIds: number[];
  email: string;
  mobile: string;
  sex: number;
  avatar: string;
  status: number;
  loginIp: string;
  loginDate: number | null;
  createTime: number;
}

export const STUDENT = 1;
export const STAFF = 2;

const described = entityOf("system/user");

/** The described entity with the filters that the hand-written list call knows besides. */
export const entity: Entity = {
  ...described,
  fields: [
    ...described.fields.map((field) => {
      if (field.name === "deptId") return { ...field, filter: "eq" as const };
      if (field.name === "postIds") return { ...field, ref: "/system/post/simple-list" };
      if (field.name === "sex") return { ...field, kind: "dict" as const, dict: "system_user_sex" };
      return field;
    }),
    {
      name: "roleId",
      label: "角色",
      labelEn: "Role",
      kind: "ref",
      ref: "/system/role/simple-list",
      filter: "eq",
    },
  ],
};

export function userName(user: Pick<User, "username" | "nickname">): string {
  return user.nickname || user.username;
}
