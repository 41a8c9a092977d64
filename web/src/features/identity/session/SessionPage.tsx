import { Button } from "antd";
import { useMemo } from "react";
import { useAccess } from "@/kernel/access";
import { type CrudOptions, CrudPage, type Entity, useCrudPage, useList } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { ForbiddenState } from "@/kernel/ui";
import { DeviceText } from "./DeviceText";
import { forceOut } from "./forceOut";
import type { Session } from "./types";

const MAY_SEE = "system:oauth2-token:page";
const MAY_END = "system:oauth2-token:delete";

const entity: Entity = {
  title: "在线会话",
  titleEn: "Session",
  path: "/system/oauth2-token",
  permission: "system:oauth2-token",
  calls: ["page"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    { name: "username", label: "账号", labelEn: "User name", kind: "text", filter: "like", output: true },
    { name: "nickname", label: "姓名", labelEn: "Name", kind: "text", output: true },
    {
      name: "userType",
      label: "用户类型",
      labelEn: "User type",
      kind: "dict",
      dict: "user_type",
      filter: "eq",
      output: true,
    },
    { name: "userIp", label: "IP 地址", labelEn: "Address", kind: "text", output: true },
    { name: "userAgent", label: "设备", labelEn: "Device", kind: "text", output: true },
    { name: "clientId", label: "客户端", labelEn: "Client", kind: "text", filter: "like", output: true },
    { name: "createTime", label: "登录时间", labelEn: "Signed in", kind: "time", output: true },
    { name: "lastTime", label: "最近活动", labelEn: "Last seen", kind: "time", output: true },
    { name: "expiresTime", label: "令牌到期", labelEn: "Token ends", kind: "time", output: true },
  ],
};

function optionsOf(end: (sessions: Session[]) => Promise<void>, endText: string): CrudOptions<Session> {
  return {
    ns: "identity",
    description: "identity:session.about",
    nameOf: (row) => row.nickname || row.username,
    columns: [
      { name: "username", search: true },
      { name: "nickname" },
      { name: "userType", search: true },
      { name: "userIp", width: 140 },
      { name: "userAgent", render: (_, row) => <DeviceText userAgent={row.userAgent} /> },
      { name: "clientId", search: true, optional: true },
      { name: "createTime" },
      { name: "lastTime" },
      { name: "expiresTime", optional: true },
    ],
    actions: [
      {
        key: "end",
        label: "identity:session.end",
        permission: MAY_END,
        danger: true,
        run: (row) => end([row]),
      },
    ],
    batch: (page) =>
      page.access.hasPermission([MAY_END]) ? (
        <Button danger onClick={() => void end(page.selected)}>
          {endText}
        </Button>
      ) : null,
  };
}

/** Who is signed in now, with forced sign-out. */
export default function SessionPage() {
  const { t } = useTranslation("identity");
  const permitted = useAccess().hasPermission([MAY_SEE]);
  // The family's list permission is …:page, not …:query.
  const list = useList<Session>(entity, { enabled: permitted });
  const { refresh } = list;
  const options = useMemo(
    () =>
      optionsOf(async (sessions) => {
        if (await forceOut(sessions)) await refresh();
      }, t("session.endSelected")),
    [t, refresh],
  );
  const base = useCrudPage<Session>(entity, options);
  if (!permitted) return <ForbiddenState title={t("session.title")} permission={MAY_SEE} />;
  // Sessions that ended are no longer selected.
  const selected = base.selected.filter((one) => list.rows.some((row) => row.id === one.id));
  const page = { ...base, list, selected, mayQuery: true };
  return <CrudPage page={page} options={options} name="system/oauth2-token" />;
}
