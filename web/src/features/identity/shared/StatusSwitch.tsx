import { useQueryClient } from "@tanstack/react-query";
import { Switch, Tooltip } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access";
import { put } from "@/kernel/api/client";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";

/** Values of the dictionary common_status. */
export const ENABLED = 0;
export const DISABLED = 1;

interface Props {
  /** Path of the entity; its update-status takes {id, status}. */
  entity: string;
  /** Without the permission the status is only shown. */
  permission: string;
  row: { id: number; status: number };
  name: string;
  /** Why the status cannot be changed; "" when it can. */
  locked?: string;
  /** What switching off means for whom. */
  warning: string;
}

/** Enables or disables a row after a question. */
export function StatusSwitch({ entity, permission, row, name, locked = "", warning }: Props) {
  const { t } = useTranslation("identity");
  const [busy, setBusy] = useState(false);
  const access = useAccess();
  const client = useQueryClient();
  if (!access.hasPermission([permission])) return <DictTag type="common_status" value={row.status} />;
  const on = row.status === ENABLED;
  const change = async () => {
    const content = on ? `${t("status.disableAsk", { name })} ${warning}` : t("status.enableAsk", { name });
    const okText = t(on ? "status.disable" : "status.enable");
    if (!(await confirmBox({ content, okText, danger: on }))) return;
    setBusy(true);
    try {
      await put(`${entity}/update-status`, { id: row.id, status: on ? DISABLED : ENABLED });
      toast.success(t(on ? "status.disabled" : "status.enabled", { name }));
      await client.invalidateQueries({ queryKey: [entity] });
    } catch {
      // The client has shown why.
    } finally {
      setBusy(false);
    }
  };
  // A disabled switch would take neither the focus nor a press, and so could not say why.
  const press = () => (locked ? toast.info(locked) : void change());
  return (
    <Tooltip title={locked} trigger={["hover", "focus"]}>
      <Switch
        checked={on}
        loading={busy}
        aria-disabled={locked !== ""}
        className={locked ? "is-locked" : undefined}
        aria-label={locked ? `${t("status.of", { name })}（${locked}）` : t("status.of", { name })}
        onChange={press}
      />
    </Tooltip>
  );
}
