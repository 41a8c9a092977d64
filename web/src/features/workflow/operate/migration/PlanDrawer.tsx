import { Alert, Button, Drawer, Flex, Switch } from "antd";
import { useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { LockedButton, toast, useMobile } from "@/kernel/ui";
import { ReasonDialog } from "../ReasonDialog";
import { startMigration } from "./calls";
import { ElementMap } from "./ElementMap";
import { ReportView } from "./ReportView";
import { usePlan } from "./usePlan";
import { VersionChoice } from "./VersionChoice";
import "../operate.css";

interface Props {
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Makes a migration: choose two versions, try, say where elements go, try again, start. */
export function PlanDrawer({ onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const state = usePlan();
  const [starting, setStarting] = useState(false);
  const [version, setVersion] = useState(0);
  const { plan, report } = state;
  const locked = () => {
    if (!state.fresh || !report) return t("migration.stale");
    if (report.total === 0) return t("migration.none");
    return report.fit === 0 && report.checked === report.total ? t("migration.noneFits") : "";
  };
  return (
    <Drawer
      open
      title={t("migration.new")}
      size={mobile ? "100%" : 760}
      mask={{ closable: false }}
      onClose={onClose}
      footer={
        <Flex gap={8} justify="end">
          <Button disabled={!state.ready} loading={state.trying} onClick={state.run}>
            {t("migration.check")}
          </Button>
          <LockedButton type="primary" reason={locked()} onClick={() => setStarting(true)}>
            {t("migration.start")}
          </LockedButton>
        </Flex>
      }
    >
      <VersionChoice plan={plan} onChange={state.change} onVersion={setVersion} />
      <div style={{ margin: "16px 0" }}>
        <Switch
          id="migration-recompute"
          size="small"
          checked={plan.recompute}
          onChange={(recompute) => state.change({ recompute })}
        />{" "}
        <label htmlFor="migration-recompute">{t("migration.recompute")}</label>
      </div>
      {state.error ? <Alert type="error" role="alert" title={errorText(state.error)} /> : null}
      {report && state.sameVersions && !state.error ? (
        <>
          <ElementMap report={report} plan={plan} onMap={state.map} />
          <ReportView report={report} />
        </>
      ) : null}
      {starting && report ? (
        <ReasonDialog
          title={t("migration.startTitle")}
          about={t("migration.startAbout", { fit: report.fit, rest: report.checked - report.fit, version })}
          okText={t("migration.start")}
          onClose={() => setStarting(false)}
          onSubmit={async (reason, key) => {
            await startMigration(plan, reason, key);
            toast.success(t("migration.started"));
            await onDone();
            onClose();
          }}
        />
      ) : null}
    </Drawer>
  );
}
