import { Tag } from "antd";
import type { ReactNode } from "react";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { PageHeader, TimeText } from "@/kernel/ui";
import { durationText, personText } from "./duration";
import { type Instance, RUNNING } from "./wire";

interface Props {
  instance: Instance;
  processName: string;
  actions: ReactNode;
}

/** What it is, whose it is, how it stands, and the one thing to do next. */
export function Head({ instance, processName, actions }: Props) {
  const { t } = useTranslation("workflow");
  const took = instance.durationInMillis ?? Date.now() - instance.startTime;
  const running = instance.result === RUNNING;
  const facts: [string, ReactNode][] = [
    [t("instance.processNumber"), instance.number],
    [t("viewer.starter"), personText(instance.startUser)],
    [t("instance.process"), processName],
    [t("instance.category"), instance.categoryName],
    [t("instance.startedAt"), <TimeText key="start" value={instance.startTime} />],
    [t("instance.endedAt"), instance.endTime ? <TimeText key="end" value={instance.endTime} /> : null],
    [t(running ? "instance.runs" : "viewer.duration"), durationText(took)],
    [t("instance.businessKey"), instance.businessKey],
  ];
  return (
    <header className="instance-head">
      <PageHeader
        title={instance.name}
        extra={
          <>
            <DictTag type="bpm_process_instance_result" value={instance.result} />
            {running && instance.suspended ? <Tag color="warning">{t("instance.suspended")}</Tag> : null}
          </>
        }
        actions={actions}
      />
      <dl className="instance-facts">
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </header>
  );
}
