import type { Entity, Field } from "@/kernel/crud";

// The calls are written by hand on the server, so the descriptions are too.

function column(name: string, label: string, labelEn: string, more: Partial<Field>): Field {
  return { name, label, labelEn, kind: "text", output: true, ...more };
}

const category = column("category", "流程分类", "Category", { filter: "eq" });
const summary = column("summary", "摘要", "Summary", {});
const starter = column("starter", "发起人", "Started by", {});
const reason = column("reason", "审批意见", "Opinion", { kind: "longtext" });

export const mineEntity: Entity = {
  title: "我的流程",
  titleEn: "My processes",
  path: "/bpm/process-instance",
  page: "/bpm/process-instance/my-page",
  permission: "bpm:process-instance",
  calls: ["page"],
  versioned: false,
  fields: [
    column("name", "流程名称", "Process", { filter: "like" }),
    column("status", "状态", "State", { kind: "dict", dict: "bpm_process_instance_status", filter: "eq" }),
    column("createTime", "发起时间", "Started", { kind: "time", filter: "range" }),
    column("endTime", "结束时间", "Ended", { kind: "time", filter: "range" }),
    column("tasks", "当前步骤", "Current step", {}),
    category,
    summary,
  ],
};

const task = {
  path: "/bpm/task",
  permission: "bpm:task",
  calls: ["page"],
  versioned: false,
} as const;

const taskFields: Field[] = [
  column("processInstance", "流程名称", "Process", {}),
  column("name", "任务名称", "Task", { filter: "like" }),
  column("createTime", "到达时间", "Arrived", { kind: "time", filter: "range" }),
  category,
  starter,
  summary,
];

export const todoEntity: Entity = {
  ...task,
  title: "待办任务",
  titleEn: "Tasks to do",
  page: "/bpm/task/todo-page",
  calls: ["page"],
  fields: taskFields,
};

export const claimableEntity: Entity = {
  ...task,
  title: "待领取任务",
  titleEn: "Tasks to claim",
  page: "/bpm/task/claimable-page",
  calls: ["page"],
  fields: taskFields,
};

export const doneEntity: Entity = {
  ...task,
  title: "已办任务",
  titleEn: "Tasks done",
  page: "/bpm/task/done-page",
  calls: ["page"],
  fields: [
    ...taskFields,
    column("status", "结果", "Result", { kind: "dict", dict: "bpm_task_status", filter: "eq" }),
    column("endTime", "办理时间", "Decided", { kind: "time" }),
    reason,
  ],
};

export const copyEntity: Entity = {
  title: "抄送我的流程",
  titleEn: "Processes copied to me",
  path: "/bpm/process-instance/copy",
  permission: "bpm:process-instance-cc",
  calls: ["page"],
  versioned: false,
  fields: [
    column("processInstanceName", "流程名称", "Process", { filter: "like" }),
    column("activityName", "抄送步骤", "Step", {}),
    column("startUser", "发起人", "Started by", {}),
    column("createUser", "抄送人", "Copied by", {}),
    column("createTime", "抄送时间", "Copied", { kind: "time", filter: "range" }),
    column("reason", "抄送意见", "Remark", { kind: "longtext" }),
    summary,
  ],
};
