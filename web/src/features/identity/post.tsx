import { type BaseRow, crudPage } from "@/kernel/crud";

interface Post extends BaseRow {
  name: string;
  code: string;
  sort: number;
  status: number;
  remark: string;
  createTime: number;
}

export default crudPage<Post>("system/post", {
  ns: "identity",
  description: "identity:post.about",
  columns: [
    { name: "name", search: true },
    { name: "code", search: true, half: true },
    { name: "sort", half: true, initial: 0, help: "identity:tree.sortHelp" },
    { name: "status", search: true, initial: 0 },
    { name: "remark", optional: true },
    { name: "createTime", search: "range" },
  ],
});
