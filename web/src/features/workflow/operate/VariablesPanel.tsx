import { Button, Tag } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState } from "@/kernel/ui";
import { ListButton } from "./PlacesPanel";
import { VariableDialog } from "./VariableDialog";
import { elementText, type ManageDetail, type Variable } from "./wire";
import "./operate.css";

interface Props {
  detail: ManageDetail;
  onDone: () => Promise<void>;
}

/** What the instance knows; those of people can be changed while it runs. */
export function VariablesPanel({ detail, onDone }: Props) {
  const { t } = useTranslation("workflow");
  const [open, setOpen] = useState<{ variable: Variable | null } | null>(null);
  const mayChange =
    useAccess().hasPermission(["bpm:process-instance:manager-update"]) && detail.endTime === null;
  return (
    <>
      {mayChange ? (
        <Button style={{ marginBottom: 12 }} onClick={() => setOpen({ variable: null })}>
          {t("variable.add")}
        </Button>
      ) : null}
      {detail.variables.length === 0 ? <EmptyState title={t("variable.none")} /> : null}
      <ul className="op-list">
        {detail.variables.map((variable) => (
          <li key={`${variable.scope} ${variable.name}`}>
            <div>
              <strong>{variable.name}</strong> <Tag>{t(`variable.type.${variable.type}`)}</Tag>
              {variable.scope ? <Tag color="blue">{elementText(variable)}</Tag> : null}
              <code className="op-value">{variable.value}</code>
            </div>
            {variable.locked ? <span className="op-quiet">{t("variable.locked")}</span> : null}
            {mayChange && !variable.locked ? (
              <ListButton
                label={t("variable.edit")}
                name={variable.name}
                onClick={() => setOpen({ variable })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {open ? (
        <VariableDialog
          instance={detail.id}
          variable={open.variable}
          onDone={onDone}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}
