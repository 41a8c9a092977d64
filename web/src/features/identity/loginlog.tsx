import { type BaseRow, type CrudOptions, CrudPage, type Entity, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { DeviceText } from "./session/DeviceText";

interface LoginLog extends BaseRow {
  logType: number;
  userId: number;
  userType: number;
  traceId: string;
  username: string;
  result: number;
  userIp: string;
  userAgent: string;
  createTime: number;
}

/** The calls are written by hand on the server, so the description is too. */
const entity: Entity = {
  title: "登录日志",
  titleEn: "Sign-in log",
  path: "/system/login-log",
  permission: "system:login-log",
  calls: ["page", "get", "export"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    { name: "username", label: "账号", labelEn: "User name", kind: "text", filter: "like", output: true },
    {
      name: "logType",
      label: "类型",
      labelEn: "Type",
      kind: "dict",
      dict: "system_login_type",
      filter: "eq",
      output: true,
    },
    {
      name: "result",
      label: "结果",
      labelEn: "Result",
      kind: "dict",
      dict: "system_login_result",
      output: true,
    },
    { name: "status", label: "是否成功", labelEn: "Succeeded", kind: "bool", filter: "eq" },
    { name: "userIp", label: "IP 地址", labelEn: "Address", kind: "text", filter: "like", output: true },
    { name: "userAgent", label: "设备", labelEn: "Device", kind: "text", output: true },
    {
      name: "userType",
      label: "用户类型",
      labelEn: "User type",
      kind: "dict",
      dict: "user_type",
      output: true,
    },
    { name: "traceId", label: "追踪编号", labelEn: "Trace id", kind: "text", output: true },
    { name: "createTime", label: "时间", labelEn: "Time", kind: "time", filter: "range", output: true },
  ],
};

const options: CrudOptions<LoginLog> = {
  ns: "identity",
  description: "identity:loginLog.about",
  nameOf: (row) => row.username || `#${row.id}`,
  actions: [{ key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) }],
  columns: [
    { name: "username", search: true },
    { name: "logType", search: true },
    { name: "result" },
    { name: "status" as keyof LoginLog & string, search: true, table: false, detail: false },
    { name: "userIp", search: true, width: 140 },
    { name: "userAgent", render: (_, row) => <DeviceText userAgent={row.userAgent} /> },
    { name: "userType", optional: true },
    { name: "traceId", optional: true },
    { name: "createTime", search: "range" },
  ],
};

/** Who signed in or out, from where, and why it failed. */
export default function LoginLogPage() {
  useTranslation("identity");
  const page = useCrudPage<LoginLog>(entity, options);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view" ? { ...action, hidden: (row: LoginLog) => row.id === page.detail?.id } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="system/login-log" />;
}
