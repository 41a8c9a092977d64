import { useQuery } from "@tanstack/react-query";
import { Alert, Modal, Skeleton } from "antd";
import { useState } from "react";
import { get } from "@/kernel/api/client";
import { ApiError, errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type DeployProblem, deploy } from "./calls";
import type { Model } from "./entity";
import { ProblemList } from "./ProblemList";

interface Props {
  model: Model;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Checks a model, lists what is wrong, and deploys it when nothing is. */
export function DeployDialog({ model, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ reason: string; problems: DeployProblem[] } | null>(null);
  const check = useQuery({
    queryKey: ["/bpm/model", "problems", model.id],
    queryFn: ({ signal }) =>
      get<DeployProblem[]>("/bpm/model/problems", { id: model.id }, { silent: true, signal }),
    gcTime: 0,
    retry: false,
  });
  const problems = refused?.problems ?? check.data ?? [];
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const blocked = errors > 0 || refused !== null || check.error !== null;
  const version = (model.processDefinition?.version ?? 0) + 1;

  const submit = async () => {
    if (blocked) {
      setRefused(null);
      await check.refetch();
      return;
    }
    setBusy(true);
    try {
      await deploy(model.id);
      toast.success(t("deploy.done", { name: model.name, version }));
      await onDone();
      onClose();
    } catch (error) {
      setRefused({ reason: errorText(error), problems: problemsOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={t("deploy.title", { name: model.name })}
      mask={{ closable: false }}
      onCancel={onClose}
      okText={blocked ? t("deploy.again") : t("deploy.ok", { version })}
      cancelText={t("kernel:action.cancel")}
      okButtonProps={{ disabled: check.isPending }}
      confirmLoading={busy || check.isRefetching}
      onOk={() => void submit()}
      width={640}
    >
      {check.isPending ? <Skeleton active title={false} /> : null}
      {refused ? <Alert type="error" role="alert" title={refused.reason} /> : null}
      {check.error ? <Alert type="error" role="alert" title={errorText(check.error)} /> : null}
      {check.isSuccess && !refused ? (
        <Alert
          role="status"
          type={errors > 0 ? "error" : "success"}
          title={errors > 0 ? t("deploy.found", { count: errors }) : t("deploy.fine", { version })}
          description={errors > 0 ? undefined : t("deploy.effect")}
        />
      ) : null}
      {problems.length > 0 ? <ProblemList problems={problems} /> : null}
    </Modal>
  );
}

/** A refusal carries all problems of the model. */
function problemsOf(error: unknown): DeployProblem[] {
  const data = error instanceof ApiError ? (error.data as { problems?: unknown } | null) : null;
  return Array.isArray(data?.problems) ? (data.problems as DeployProblem[]) : [];
}
