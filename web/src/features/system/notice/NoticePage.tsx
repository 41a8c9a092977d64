import { post } from "@/kernel/api/client";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { ENABLED, entity, type Notice } from "./types";

async function push(row: Notice): Promise<void> {
  const content = t("system:notice.pushAsk", { title: row.title });
  if (!(await confirmBox({ content, okText: t("system:notice.push") }))) return;
  try {
    await post("/system/notice/push", undefined, { query: { id: row.id } });
    toast.success(t("system:notice.pushed", { title: row.title }));
  } catch {
    // The client has shown why.
  }
}

const options: CrudOptions<Notice> = {
  ns: "system",
  description: "system:notice.about",
  nameOf: (row) => row.title,
  columns: [
    { name: "title", search: true },
    { name: "type", search: true, half: true, initial: 1 },
    { name: "status", search: true, half: true, initial: ENABLED, help: "system:notice.statusHelp" },
    { name: "content", table: false, detail: true },
    { name: "createTime", search: "range" },
  ],
  actions: [
    {
      key: "push",
      label: "system:notice.push",
      permission: "system:notice:update",
      locked: (row) => (row.status === ENABLED ? "" : t("system:notice.pushDisabled")),
      run: push,
    },
  ],
};

/** Notices and announcements of the university, written here and read by everybody. */
export default function NoticePage() {
  useTranslation("system");
  const page = useCrudPage<Notice>(entity, options);
  return <CrudPage page={page} options={options} name="system/notice" />;
}
