import { Tag } from "antd";
import { type CrudOptions, CrudPage, type Entity, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import type { NotifyMessage } from "./types";

/** The calls are written by hand on the server, so the description is too. */
const entity: Entity = {
  title: "站内信记录",
  titleEn: "Sent message",
  path: "/system/notify-message",
  permission: "system:notify-message",
  calls: ["page", "get"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    {
      name: "userId",
      label: "接收人",
      labelEn: "Receiver",
      kind: "ref",
      ref: "/system/user/simple-list",
      filter: "eq",
      output: true,
    },
    {
      name: "userType",
      label: "用户类型",
      labelEn: "User type",
      kind: "dict",
      dict: "user_type",
      filter: "eq",
      output: true,
    },
    {
      name: "templateCode",
      label: "模板编码",
      labelEn: "Template code",
      kind: "text",
      filter: "like",
      output: true,
    },
    { name: "templateNickname", label: "发送人", labelEn: "Sender", kind: "text", output: true },
    { name: "templateContent", label: "内容", labelEn: "Content", kind: "longtext", output: true },
    {
      name: "templateType",
      label: "类型",
      labelEn: "Type",
      kind: "dict",
      dict: "system_notify_template_type",
      filter: "eq",
      output: true,
    },
    { name: "readStatus", label: "是否已读", labelEn: "Read", kind: "bool", output: true },
    { name: "readTime", label: "阅读时间", labelEn: "Read at", kind: "time", output: true },
    {
      name: "createTime",
      label: "发送时间",
      labelEn: "Sent at",
      kind: "time",
      filter: "range",
      output: true,
    },
  ],
};

const options: CrudOptions<NotifyMessage> = {
  ns: "system",
  description: "system:message.about",
  nameOf: (row) => `${row.templateNickname} → ${row.userName || row.userId}`,
  actions: [{ key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) }],
  columns: [
    { name: "userId", search: true, width: 140, render: (_, row) => row.userName || String(row.userId) },
    { name: "templateNickname", width: 140 },
    { name: "templateContent", width: 360 },
    { name: "templateType", search: true },
    { name: "templateCode", search: true, optional: true },
    { name: "userType", search: true, optional: true },
    {
      name: "readStatus",
      render: (value) =>
        value ? (
          <Tag color="success">{t("system:message.read")}</Tag>
        ) : (
          <Tag>{t("system:message.unread")}</Tag>
        ),
    },
    { name: "readTime", optional: true },
    { name: "createTime", search: "range" },
  ],
};

/** Every internal message of the tenant: who got what, and whether it was read. */
export default function NotifyMessagePage() {
  useTranslation("system");
  const page = useCrudPage<NotifyMessage>(entity, options);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view"
      ? { ...action, hidden: (row: NotifyMessage) => row.id === page.detail?.id }
      : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="system/notify-message" />;
}
