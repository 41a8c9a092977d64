import { Flex, Input } from "antd";
import type { ColumnSpec } from "@/kernel/crud";
import { UserAvatar } from "@/layout";
import { StatusSwitch } from "../shared/StatusSwitch";
import { STAFF, type User, userName } from "./types";

interface Circumstances {
  /** On phones the department is a filter; elsewhere the tree beside the list is. */
  mobile: boolean;
  /** The user himself cannot be switched off. */
  selfId: number;
  selfLocked: string;
  disableWarning: string;
}

/** The columns of the list, the detail and the edit form. */
export function userColumns(input: Circumstances): ColumnSpec<User>[] {
  return [
    { name: "username", search: true, half: true, width: 140, help: "identity:user.usernameHelp" },
    {
      name: "nickname",
      width: 150,
      search: true,
      half: true,
      render: (_, row) => (
        <Flex gap={8} align="center" component="span">
          <UserAvatar name={userName(row)} avatar={row.avatar} size={24} />
          {row.nickname}
        </Flex>
      ),
    },
    { name: "deptId", search: input.mobile, width: 150, render: (_, row) => row.deptName },
    { name: "postIds", optional: true },
    { name: "roleId" as keyof User & string, search: true, table: false, detail: false, form: false },
    { name: "type", search: true, width: 90 },
    { name: "mobile", search: true, half: true, width: 130 },
    { name: "email", optional: true, half: true },
    { name: "sex", optional: true, half: true },
    {
      name: "status",
      search: true,
      width: 90,
      render: (_, row) => (
        <StatusSwitch
          entity="/system/user"
          permission="system:user:update"
          row={row}
          name={userName(row)}
          locked={row.id === input.selfId ? input.selfLocked : ""}
          warning={input.disableWarning}
        />
      ),
    },
    { name: "loginDate", optional: true },
    { name: "loginIp", optional: true },
    { name: "introduction", table: false, detail: true, form: false },
    { name: "remark", table: false, detail: true },
    { name: "createTime", search: "range" },
  ];
}

/** The fields of a new account; its password and roles follow below them. */
export const createColumns: ColumnSpec<User>[] = [
  { name: "username", half: true, help: "identity:user.usernameHelp" },
  { name: "nickname", half: true },
  { name: "type", half: true, form: true, initial: STAFF, help: "identity:user.typeHelp" },
  { name: "sex", half: true },
  { name: "deptId" },
  { name: "postIds" },
  { name: "mobile", half: true },
  { name: "email", half: true },
  { name: "remark", input: (props) => <Remark {...props} /> },
];

interface RemarkProps {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
}

function Remark({ id, value, onChange }: RemarkProps) {
  return (
    <Input.TextArea
      id={id}
      value={value as string}
      onChange={(event) => onChange?.(event.target.value)}
      autoSize={{ minRows: 2, maxRows: 6 }}
      maxLength={500}
      showCount
    />
  );
}
