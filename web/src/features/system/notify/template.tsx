import { lazy, useMemo, useState } from "react";
import { type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { OnDemand } from "@/kernel/crud/parts";
import { t as text, useTranslation } from "@/kernel/i18n";
import { DISABLED, type NotifyTemplate } from "./types";

const SendDialog = lazy(() => import("./dialogs").then((part) => ({ default: part.SendDialog })));

const entity = entityOf("system/notify-template");

function optionsOf(send: (template: NotifyTemplate) => void): CrudOptions<NotifyTemplate> {
  return {
    ns: "system",
    description: "system:template.about",
    columns: [
      { name: "name", search: true, half: true },
      { name: "code", search: true, half: true, help: "system:template.codeHelp" },
      { name: "type", search: true, half: true },
      { name: "nickname", half: true, help: "system:template.nicknameHelp" },
      { name: "content", help: "system:template.contentHelp", width: 320 },
      { name: "params", optional: true, form: false },
      { name: "status", search: true, initial: 0 },
      { name: "remark", optional: true },
      { name: "createTime", search: "range", optional: true },
    ],
    actions: [
      {
        key: "send",
        label: "system:template.send",
        permission: "system:notify-template:send-notify",
        locked: (row) => (row.status === DISABLED ? text("system:template.disabled") : ""),
        run: send,
      },
    ],
  };
}

/** The texts of internal messages; {name} stands for a parameter. */
export default function NotifyTemplatePage() {
  useTranslation("system");
  const [sending, setSending] = useState<NotifyTemplate | null>(null);
  const options = useMemo(() => optionsOf(setSending), []);
  const page = useCrudPage<NotifyTemplate>(entity, options);
  return (
    <>
      <CrudPage page={page} options={options} name="system/notify-template" />
      <OnDemand open={sending !== null}>
        <SendDialog template={sending} onClose={() => setSending(null)} />
      </OnDemand>
    </>
  );
}
