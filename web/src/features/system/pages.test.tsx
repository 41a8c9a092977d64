import { beforeEach } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import DictTypePage from "./dict/DictTypePage";
import OperateLogPage from "./log/OperateLogPage";
import NoticePage from "./notice/NoticePage";
import NotifyMessagePage from "./notify/message";
import NotifyTemplatePage from "./notify/template";

const base = { id: 7, status: 0, version: 1, createTime: 1795240920000 };

const cases: ListPageCase[] = [
  {
    name: "dictionary types",
    Page: DictTypePage,
    path: "/system/dict-type/page",
    row: { ...base, name: "用户性别", type: "system_user_sex", remark: "" },
    shows: "system_user_sex",
    query: "system:dict:query",
    buttons: ["新建字典类型", "导出", "编辑 用户性别", "删除 用户性别"],
    forbidden: "您没有查看字典类型的权限",
    empty: "还没有字典类型",
  },
  {
    name: "message templates",
    Page: NotifyTemplatePage,
    path: "/system/notify-template/page",
    row: { ...base, name: "选题通过", code: "passed", type: 2, nickname: "研究生院", content: "{title}" },
    shows: "passed",
    query: "system:notify-template:query",
    buttons: ["新建站内信模板", "发送 选题通过", "编辑 选题通过", "删除 选题通过"],
    forbidden: "您没有查看站内信模板的权限",
    empty: "还没有站内信模板",
  },
  {
    name: "sent messages",
    Page: NotifyMessagePage,
    path: "/system/notify-message/page",
    row: { ...base, userId: 3, userName: "张三", templateNickname: "研究生院", readStatus: false },
    shows: "未读",
    query: "system:notify-message:query",
    buttons: [],
    forbidden: "您没有查看站内信记录的权限",
    empty: "还没有站内信记录",
  },
  {
    name: "notices",
    Page: NoticePage,
    path: "/system/notice/page",
    row: { ...base, title: "开学通知", type: 1, content: "<p>九月</p>" },
    shows: "开学通知",
    query: "system:notice:query",
    buttons: ["新建通知公告", "推送 开学通知", "编辑 开学通知", "删除 开学通知"],
    forbidden: "您没有查看通知公告的权限",
    empty: "还没有通知公告",
  },
  {
    name: "the operation log",
    Page: OperateLogPage,
    path: "/system/operate-log/page",
    row: {
      ...base,
      userNickname: "管理员",
      type: "岗位",
      subType: "修改",
      bizId: 9,
      action: "修改岗位「讲师」",
    },
    shows: "修改岗位「讲师」",
    query: "system:operate-log:query",
    buttons: ["导出"],
    forbidden: "您没有查看操作日志的权限",
    empty: "还没有操作日志",
  },
];

beforeEach(() => {
  signInAs();
  server.use(
    http.get(api("/system/user/simple-list"), () => ok([])),
    http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
  );
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    system_notice_type: { 1: "通知", 2: "公告" },
    system_notify_template_type: { 1: "通知公告", 2: "系统消息" },
  });
});

describeListPages(cases);
