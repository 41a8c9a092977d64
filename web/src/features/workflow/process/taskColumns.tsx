import type { ColumnSpec } from "@/kernel/crud";
import { personText } from "../instance/duration";
import { ProcessName, Summary, Waiting } from "./cells";
import { SUSPENDED, type TaskRow } from "./wire";

/** What a task is called in questions and titles: the application rather than the step. */
export const taskName = (row: TaskRow) => `${row.processInstance.name} · ${row.name}`;

const process: ColumnSpec<TaskRow> = {
  name: "processInstance",
  render: (_, row) => (
    <ProcessName
      name={row.processInstance.name}
      number={row.processInstance.number}
      suspended={row.suspensionState === SUSPENDED}
    />
  ),
};
const task: ColumnSpec<TaskRow> = { name: "name", search: true, width: 160 };
const starter: ColumnSpec<TaskRow> = {
  name: "starter",
  width: 180,
  render: (_, row) => personText(row.processInstance.startUser),
};
const summary: ColumnSpec<TaskRow> = {
  name: "summary",
  width: 240,
  render: (_, row) => <Summary items={row.processInstance.summary} />,
};

/** Tasks that wait: the three that matter on a phone come first. */
export const openColumns: ColumnSpec<TaskRow>[] = [
  process,
  task,
  starter,
  { name: "createTime", search: "range", render: (_, row) => <Waiting since={row.createTime} /> },
  summary,
];

/** Tasks I decided. */
export const doneColumns: ColumnSpec<TaskRow>[] = [
  process,
  task,
  { name: "status", search: true },
  { name: "endTime" },
  starter,
  { name: "reason", width: 200 },
  { ...summary, optional: true },
  { name: "createTime", search: "range", optional: true },
];
