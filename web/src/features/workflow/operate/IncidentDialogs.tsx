import { useQuery } from "@tanstack/react-query";
import { Alert, Form, Select } from "antd";
import { errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { incidentDetail, retryIncident, retryIncidents, skipIncident } from "./calls";
import { ReasonDialog, ReasonField } from "./ReasonDialog";
import { elementText, type Incident, type RetryOutcome } from "./wire";

interface Props {
  incident: Incident;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Tries an incident again and says what came of it. */
export function RetryDialog({ incident, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const tell = (outcome: RetryOutcome) => {
    if (outcome.again) toast.warning(t("incident.failedAgain", { message: outcome.message }));
    else if (outcome.pending) toast.info(t("incident.pending"));
    else toast.success(t("incident.retried"));
  };
  return (
    <ReasonDialog
      title={t("incident.retryTitle", { name: elementText(incident) })}
      about={t("incident.retryAbout")}
      okText={t("incident.retry")}
      onClose={onClose}
      onSubmit={async (reason, key) => {
        tell(await retryIncident(incident.id, reason, key));
        await onDone();
      }}
    />
  );
}

interface BatchProps extends Omit<Props, "incident"> {
  incidents: Incident[];
}

/** Tries several incidents again, each for itself. */
export function BatchRetryDialog({ incidents, onDone, onClose }: BatchProps) {
  const { t } = useTranslation("workflow");
  return (
    <ReasonDialog
      title={t("incident.batchTitle", { n: incidents.length })}
      about={t("incident.batchAbout")}
      okText={t("incident.retry")}
      onClose={onClose}
      onSubmit={async (reason) => {
        const ids = incidents.map((incident) => incident.id);
        const results = await retryIncidents(ids, reason);
        const failed = results.filter((result) => result.again || result.refused);
        const first = failed[0]?.message || failed[0]?.refused || "";
        const counts = { ok: results.length - failed.length, failed: failed.length, first };
        if (failed.length > 0) toast.warning(t("incident.batchSome", counts));
        else toast.success(t("incident.batchAll", counts));
        await onDone();
      }}
    />
  );
}

/** Goes on behind the element; where the choice of a way failed it asks for the way. */
export function SkipDialog({ incident, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const once = useOnce();
  const { data, error, isPending } = useQuery({
    queryKey: ["/bpm/incident", "get", incident.id],
    queryFn: ({ signal }) => incidentDetail(incident.id, signal),
    retry: false,
  });
  const flows = data?.flows ?? [];
  return (
    <ActDialog<{ flow?: string; reason: string }>
      open
      title={t("incident.skipTitle", { name: elementText(incident) })}
      about={t("incident.skipAbout")}
      okText={t("incident.skip")}
      danger
      waiting={isPending}
      onClose={onClose}
      onSubmit={async (values) => {
        await skipIncident(incident.id, values, once.keyOf(values));
        toast.success(t("incident.skipped"));
        await onDone();
      }}
    >
      {error ? <Alert type="error" role="alert" title={errorText(error)} /> : null}
      {flows.length > 0 ? (
        <Form.Item
          name="flow"
          label={t("incident.flow")}
          rules={[{ required: true, message: t("incident.flowMissing") }]}
        >
          <Select<string>
            options={flows.map((flow) => ({
              value: flow.id,
              label: `${flow.name || flow.id} → ${flow.targetName}`,
            }))}
          />
        </Form.Item>
      ) : null}
      <ReasonField />
    </ActDialog>
  );
}
