import { beforeEach } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import { incident, instance, migration, task } from "./fixtures";
import IncidentPage from "./IncidentPage";
import InstancePage from "./InstancePage";
import MigrationPage from "./migration/MigrationPage";
import TaskPage from "./TaskPage";

const look = "bpm:process-instance:manager-query";

const cases: ListPageCase[] = [
  {
    name: "instances",
    Page: InstancePage,
    path: "/bpm/process-instance/manager-page",
    row: instance,
    shows: "请假：李明",
    query: look,
    buttons: [/更多.*请假：李明/],
    forbidden: "您没有查看流程实例的权限",
    empty: "还没有流程实例",
  },
  {
    name: "incidents",
    Page: IncidentPage,
    path: "/bpm/incident/page",
    row: incident,
    shows: "计算天数",
    query: look,
    buttons: [/重试 请假：李明/],
    forbidden: "您没有查看流程异常的权限",
    empty: "还没有流程异常",
  },
  {
    name: "migrations",
    Page: MigrationPage,
    path: "/bpm/migration/page",
    row: migration,
    shows: "新制度",
    query: look,
    buttons: ["新建迁移"],
    forbidden: "您没有查看流程迁移的权限",
    empty: "还没有流程迁移",
  },
  {
    name: "tasks",
    Page: TaskPage,
    path: "/bpm/task/manager-page",
    row: task,
    shows: "导师审批",
    query: "bpm:task:manager-query",
    buttons: ["指定审批人 导师审批"],
    forbidden: "您没有查看流程任务的权限",
    empty: "还没有流程任务",
  },
];

beforeEach(() => {
  signInAs();
  server.use(http.get(api("/system/user/list-all-simple"), () => ok([{ id: 3, nickname: "陈远" }])));
  fillDicts({
    bpm_process_instance_status: { 1: "审批中", 2: "审批通过" },
    bpm_task_status: { 1: "审批中", 2: "审批通过" },
  });
});

describeListPages(cases);
