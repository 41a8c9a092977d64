import type { BaseRow, Entity } from "@/kernel/crud";

export interface OperateLog extends BaseRow {
  traceId: string;
  userId: number;
  userName: string;
  userNickname: string;
  userType: number;
  type: string;
  subType: string;
  bizId: number;
  action: string;
  extra: string;
  requestMethod: string;
  requestUrl: string;
  userIp: string;
  userAgent: string;
  createTime: number;
  /** Table of the changed row. */
  entity: string;
  op: number;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  chainNo: number | null;
  hash: string;
}

/** The calls are written by hand on the server, so the description is too. */
export const entity: Entity = {
  title: "操作日志",
  titleEn: "Operation log",
  path: "/system/operate-log",
  permission: "system:operate-log",
  calls: ["page", "get", "export"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    {
      name: "userNickname",
      label: "操作人",
      labelEn: "User",
      kind: "text",
      filter: "like",
      output: true,
    },
    { name: "userName", label: "账号", labelEn: "User name", kind: "text", output: true },
    {
      name: "userType",
      label: "用户类型",
      labelEn: "User type",
      kind: "dict",
      dict: "user_type",
      output: true,
    },
    { name: "type", label: "操作模块", labelEn: "Module", kind: "text", filter: "like", output: true },
    { name: "subType", label: "操作名", labelEn: "Operation", kind: "text", filter: "like", output: true },
    { name: "action", label: "操作内容", labelEn: "Content", kind: "longtext", filter: "like", output: true },
    { name: "bizId", label: "业务编号", labelEn: "Row id", kind: "text", filter: "eq", output: true },
    { name: "extra", label: "原因", labelEn: "Reason", kind: "longtext", output: true },
    { name: "requestMethod", label: "请求方法", labelEn: "Method", kind: "text", output: true },
    { name: "requestUrl", label: "请求地址", labelEn: "Address", kind: "text", output: true },
    { name: "userIp", label: "操作 IP", labelEn: "From", kind: "text", output: true },
    { name: "userAgent", label: "浏览器", labelEn: "Browser", kind: "text", output: true },
    { name: "traceId", label: "追踪编号", labelEn: "Trace id", kind: "text", output: true },
    { name: "chainNo", label: "链上序号", labelEn: "Chain number", kind: "text", output: true },
    { name: "hash", label: "校验值", labelEn: "Hash", kind: "text", output: true },
    {
      name: "createTime",
      label: "操作时间",
      labelEn: "Time",
      kind: "time",
      filter: "range",
      output: true,
    },
  ],
};
