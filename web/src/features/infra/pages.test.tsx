import { beforeEach } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import ConfigPage from "./config";
import FilePage from "./file";
import JobLogPage from "./job/JobLogPage";
import JobPage from "./job/JobPage";
import RunPage from "./job/RunPage";

const base = { id: 7, version: 1, createTime: 1795240920000 };

const cases: ListPageCase[] = [
  {
    name: "parameters",
    Page: ConfigPage,
    path: "/infra/config/page",
    row: {
      ...base,
      name: "空间",
      key: "file.quota",
      value: "1024",
      category: "file",
      type: 2,
      visible: true,
    },
    shows: "file.quota",
    query: "infra:config:query",
    buttons: ["新建参数配置", "导出", "编辑 空间", "删除 空间"],
    forbidden: "您没有查看参数配置的权限",
    empty: "还没有参数配置",
  },
  {
    name: "files",
    Page: FilePage,
    path: "/infra/file/page",
    row: {
      ...base,
      name: "论文.pdf",
      type: "application/pdf",
      size: 2048,
      slot: "document",
      owner: "",
      userId: 1,
    },
    shows: "2.0 KB",
    query: "infra:file:query",
    buttons: ["删除 论文.pdf"],
    forbidden: "您没有查看文件的权限",
    empty: "还没有文件",
  },
  {
    name: "schedules",
    Page: JobPage,
    path: "/infra/job/page",
    row: { ...base, name: "封存日志", handlerName: "audit.seal", cronExpression: "0 0 3 * * ?", status: 1 },
    shows: "audit.seal",
    query: "infra:job:query",
    buttons: ["新建定时任务", "导出", "执行一次 封存日志", "暂停 封存日志"],
    forbidden: "您没有查看定时任务的权限",
    empty: "还没有定时任务",
  },
  {
    name: "runs of schedules",
    Page: JobLogPage,
    path: "/infra/job-log/page",
    row: { ...base, jobId: 1, handlerName: "audit.seal", status: 1, beginTime: 1795240920000, duration: 12 },
    shows: "audit.seal",
    query: "infra:job:query",
    buttons: ["导出"],
    forbidden: "您没有查看执行记录的权限",
    empty: "还没有执行记录",
  },
  {
    name: "background work",
    Page: RunPage,
    path: "/infra/job-run/page",
    row: { ...base, name: "notice.push", state: 3, tries: 5, maxTries: 5, lastError: "断开" },
    shows: "notice.push",
    query: "infra:job-run:query",
    buttons: ["重新执行 notice.push"],
    forbidden: "您没有查看后台任务的权限",
    empty: "还没有后台任务",
  },
];

beforeEach(() => {
  signInAs();
  server.use(http.get(api("/system/user/simple-list"), () => ok([{ id: 1, nickname: "管理员" }])));
  fillDicts({
    infra_job_status: { 1: "正常", 2: "暂停" },
    infra_job_log_status: { 0: "运行中", 1: "成功", 2: "失败" },
    infra_config_type: { 1: "系统内置", 2: "自定义" },
  });
});

describeListPages(cases);
