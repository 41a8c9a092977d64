import type { BaseRow, Entity } from "@/kernel/crud";

export interface Job extends BaseRow {
  name: string;
  status: number;
  handlerName: string;
  handlerParam: string;
  cronExpression: string;
  retryCount: number;
  retryInterval: number;
  monitorTimeout: number;
  nextTime: number;
  lastTime: number;
  createTime: number;
}

/** Values of the dictionary infra_job_status. */
export const NORMAL = 1;
export const PAUSED = 2;

/** The calls are written by hand on the server, so the descriptions are too. */
export const jobEntity: Entity = {
  title: "定时任务",
  titleEn: "Schedule",
  path: "/infra/job",
  permission: "infra:job",
  calls: ["page", "get", "create", "update", "delete", "export"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    {
      name: "name",
      label: "任务名称",
      labelEn: "Name",
      kind: "text",
      required: true,
      max: 32,
      filter: "like",
      input: true,
      output: true,
    },
    {
      name: "status",
      label: "状态",
      labelEn: "Status",
      kind: "dict",
      dict: "infra_job_status",
      filter: "eq",
      output: true,
    },
    {
      name: "handlerName",
      label: "处理器",
      labelEn: "Handler",
      kind: "text",
      required: true,
      max: 64,
      filter: "like",
      input: true,
      output: true,
    },
    {
      name: "handlerParam",
      label: "参数",
      labelEn: "Parameter",
      kind: "text",
      max: 255,
      input: true,
      output: true,
    },
    {
      name: "cronExpression",
      label: "CRON 表达式",
      labelEn: "Cron expression",
      kind: "text",
      required: true,
      max: 100,
      input: true,
      output: true,
    },
    {
      name: "retryCount",
      label: "重试次数",
      labelEn: "Retries",
      kind: "int",
      required: true,
      min: 0,
      max: 100,
      input: true,
      output: true,
    },
    {
      name: "retryInterval",
      label: "重试间隔（毫秒）",
      labelEn: "Retry interval (ms)",
      kind: "int",
      required: true,
      min: 0,
      max: 86_400_000,
      input: true,
      output: true,
    },
    {
      name: "monitorTimeout",
      label: "监控超时（毫秒）",
      labelEn: "Time-out warning (ms)",
      kind: "int",
      min: 0,
      max: 86_400_000,
      input: true,
      output: true,
    },
    { name: "lastTime", label: "上次执行", labelEn: "Last run", kind: "time", output: true },
    { name: "nextTime", label: "下次执行", labelEn: "Next run", kind: "time", output: true },
    { name: "createTime", label: "创建时间", labelEn: "Created", kind: "time", output: true },
  ],
};

export interface JobLog extends BaseRow {
  jobId: number;
  handlerName: string;
  handlerParam: string;
  executeIndex: number;
  beginTime: number;
  endTime: number;
  duration: number;
  status: number;
  result: string;
  createTime: number;
}

export const logEntity: Entity = {
  title: "执行记录",
  titleEn: "Run",
  path: "/infra/job-log",
  permission: "infra:job",
  calls: ["page", "get", "export"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    { name: "jobId", label: "任务编号", labelEn: "Schedule id", kind: "int", filter: "eq", output: true },
    {
      name: "handlerName",
      label: "处理器",
      labelEn: "Handler",
      kind: "text",
      filter: "like",
      output: true,
    },
    { name: "handlerParam", label: "参数", labelEn: "Parameter", kind: "text", output: true },
    { name: "executeIndex", label: "第几次", labelEn: "Try", kind: "int", output: true },
    { name: "beginTime", label: "开始时间", labelEn: "Begin", kind: "time", output: true },
    { name: "endTime", label: "结束时间", labelEn: "End", kind: "time", output: true },
    { name: "duration", label: "时长（毫秒）", labelEn: "Duration (ms)", kind: "int", output: true },
    {
      name: "status",
      label: "状态",
      labelEn: "Status",
      kind: "dict",
      dict: "infra_job_log_status",
      filter: "eq",
      output: true,
    },
    { name: "result", label: "结果", labelEn: "Result", kind: "longtext", output: true },
  ],
};

export interface JobRun extends BaseRow {
  name: string;
  payload: string;
  state: number;
  runAt: number;
  tries: number;
  maxTries: number;
  result: string;
  lastError: string;
  createTime: number;
  startTime: number;
  endTime: number;
}

/** The state of background work that failed for good. */
export const DEAD = 3;

export const runEntity: Entity = {
  title: "后台任务",
  titleEn: "Background work",
  path: "/infra/job-run",
  permission: "infra:job-run",
  calls: ["page"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    { name: "name", label: "任务", labelEn: "Work", kind: "text", filter: "like", output: true },
    { name: "state", label: "状态", labelEn: "State", kind: "int", filter: "eq", output: true },
    { name: "tries", label: "已执行次数", labelEn: "Tries", kind: "int", output: true },
    { name: "runAt", label: "计划时间", labelEn: "Due", kind: "time", output: true },
    { name: "endTime", label: "结束时间", labelEn: "End", kind: "time", output: true },
    { name: "lastError", label: "失败原因", labelEn: "Error", kind: "longtext", output: true },
    { name: "result", label: "结果", labelEn: "Result", kind: "longtext", output: true },
    { name: "payload", label: "内容", labelEn: "Payload", kind: "longtext", output: true },
    { name: "createTime", label: "创建时间", labelEn: "Created", kind: "time", output: true },
  ],
};
