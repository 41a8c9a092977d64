import { beforeEach } from "vitest";
import { describeListPages, type ListPageCase } from "@/testing/listPages";
import { fillDicts, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import CategoryPage from "./category";
import ExpressionPage from "./expression";
import FormPage from "./form/FormPage";
import GroupPage from "./group";
import ListenerPage from "./listener";

const base = { id: 7, status: 0, version: 1, createTime: 1795240920000 };

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a process looks like one
const condition = "${day > 3}";

const cases: ListPageCase[] = [
  {
    name: "categories",
    Page: CategoryPage,
    path: "/bpm/category/page",
    row: { ...base, name: "财务", code: "finance", description: "报销", sort: 1 },
    shows: "finance",
    query: "bpm:category:query",
    buttons: ["新建流程分类", "上移 财务", "下移 财务", "编辑 财务", "删除 财务"],
    forbidden: "您没有查看流程分类的权限",
    empty: "还没有流程分类",
  },
  {
    name: "user groups",
    Page: GroupPage,
    path: "/bpm/user-group/page",
    row: { ...base, name: "评议组", description: "", memberUserIds: [3, 4], userIds: [3, 4] },
    shows: "陈远、周明",
    query: "bpm:user-group:query",
    buttons: ["新建用户分组", "编辑 评议组", "删除 评议组"],
    forbidden: "您没有查看用户分组的权限",
    empty: "还没有用户分组",
  },
  {
    name: "expressions",
    Page: ExpressionPage,
    path: "/bpm/process-expression/page",
    row: { ...base, name: "三天以上", expression: condition },
    shows: condition,
    query: "bpm:process-expression:query",
    buttons: ["新建流程表达式", "编辑 三天以上", "删除 三天以上"],
    forbidden: "您没有查看流程表达式的权限",
    empty: "还没有流程表达式",
  },
  {
    name: "listeners",
    Page: ListenerPage,
    path: "/bpm/process-listener/page",
    row: {
      ...base,
      name: "催办",
      type: "task",
      event: "assignment",
      valueType: "expression",
      value: condition,
    },
    shows: "指派",
    query: "bpm:process-listener:query",
    buttons: ["新建流程监听器", "编辑 催办", "删除 催办"],
    forbidden: "您没有查看流程监听器的权限",
    empty: "还没有流程监听器",
  },
  {
    name: "forms",
    Page: FormPage,
    path: "/bpm/form/page",
    row: { ...base, name: "请假", conf: "{}", fields: ["{}", "{}"], remark: "通用" },
    shows: "通用",
    query: "bpm:form:query",
    buttons: ["新建流程表单", "导入表单", "导出", "设计 请假", "编辑 请假", /更多.*请假/],
    forbidden: "您没有查看流程表单的权限",
    empty: "还没有流程表单",
  },
];

beforeEach(() => {
  signInAs();
  server.use(
    http.get(api("/system/user/list-all-simple"), () =>
      ok([
        { id: 3, nickname: "陈远" },
        { id: 4, nickname: "周明" },
      ]),
    ),
  );
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    bpm_process_listener_type: { execution: "执行监听器", task: "任务监听器" },
    bpm_process_listener_value_type: {
      class: "Java 类",
      expression: "表达式",
      delegateExpression: "代理表达式",
    },
  });
});

describeListPages(cases);
