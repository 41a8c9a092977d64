import { Typography } from "antd";
import { type BaseRow, crudPage } from "@/kernel/crud";

interface ProcessExpression extends BaseRow {
  name: string;
  status: number;
  expression: string;
  createTime: number;
}

export default crudPage<ProcessExpression>("bpm/process-expression", {
  ns: "workflow",
  description: "workflow:expression.about",
  columns: [
    { name: "name", search: true },
    {
      name: "expression",
      width: 320,
      help: "workflow:expression.help",
      render: (value) => <Typography.Text code>{String(value)}</Typography.Text>,
    },
    { name: "status", search: true, initial: 0 },
    { name: "createTime", search: "range" },
  ],
});
