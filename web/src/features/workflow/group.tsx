import { type BaseRow, crudPage } from "@/kernel/crud";

interface UserGroup extends BaseRow {
  name: string;
  description: string;
  memberUserIds: number[];
  status: number;
  createTime: number;
}

export default crudPage<UserGroup>("bpm/user-group", {
  ns: "workflow",
  description: "workflow:group.about",
  columns: [
    { name: "name", search: true },
    { name: "description" },
    { name: "memberUserIds", width: 280, help: "workflow:group.membersHelp" },
    { name: "status", search: true, initial: 0 },
    { name: "createTime", search: "range" },
  ],
});
