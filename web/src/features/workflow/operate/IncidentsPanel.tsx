import { Flex } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, TimeText } from "@/kernel/ui";
import { RetryDialog, SkipDialog } from "./IncidentDialogs";
import { ListButton } from "./PlacesPanel";
import { elementText, type Incident, type ManageDetail } from "./wire";
import "./operate.css";

interface Props {
  detail: ManageDetail;
  onDone: () => Promise<void>;
}

/** What stops the instance, to retry or to skip. */
export function IncidentsPanel({ detail, onDone }: Props) {
  const { t } = useTranslation("workflow");
  const [open, setOpen] = useState<{ act: "retry" | "skip"; incident: Incident } | null>(null);
  const may = useAccess().hasPermission(["bpm:process-instance:manager-update"]);
  if (detail.incidents.length === 0) return <EmptyState title={t("incident.noneHere")} />;
  const ends = { onDone, onClose: () => setOpen(null) };
  return (
    <>
      <ul className="op-list">
        {detail.incidents.map((incident) => (
          <li key={incident.id}>
            <div>
              <strong>{elementText(incident)}</strong> <TimeText value={incident.createTime} />
              <p className="op-cause">{incident.message}</p>
            </div>
            {may ? (
              <Flex gap={8}>
                <ListButton
                  label={t("incident.retry")}
                  name={elementText(incident)}
                  onClick={() => setOpen({ act: "retry", incident })}
                />
                <ListButton
                  label={t("incident.skip")}
                  name={elementText(incident)}
                  onClick={() => setOpen({ act: "skip", incident })}
                />
              </Flex>
            ) : null}
          </li>
        ))}
      </ul>
      {open?.act === "retry" ? <RetryDialog incident={open.incident} {...ends} /> : null}
      {open?.act === "skip" ? <SkipDialog incident={open.incident} {...ends} /> : null}
    </>
  );
}
