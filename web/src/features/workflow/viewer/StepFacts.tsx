import type { ReactNode } from "react";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { durationText } from "../instance/duration";
import type { InstanceTask } from "../instance/wire";
import type { History, Mark } from "./marks";
import type { Step } from "./steps";

interface Line {
  label: string;
  value: ReactNode;
}

function Facts({ lines }: { lines: Line[] }) {
  return (
    <dl>
      {lines.map(({ label, value }) =>
        value ? (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** One decision: who was asked, what was decided, when and why. */
export function TaskFacts({ task }: { task: InstanceTask }) {
  const { t } = useTranslation("workflow");
  // A signer who waits, and a decider who waits for signers, is known as the owner.
  const who = task.assigneeUser ?? task.ownerUser;
  const lines = [
    { label: t("viewer.assignee"), value: who?.nickname ?? t("viewer.unassigned") },
    { label: t("viewer.dept"), value: who?.deptName },
    { label: t("viewer.result"), value: <DictTag type="bpm_task_status" value={task.status} /> },
    { label: t("viewer.created"), value: <TimeText value={task.createTime} /> },
    { label: t("viewer.ended"), value: task.endTime ? <TimeText value={task.endTime} /> : null },
    {
      label: t("viewer.duration"),
      value: task.durationInMillis === null ? null : durationText(task.durationInMillis),
    },
    { label: t("viewer.opinion"), value: task.reason },
  ];
  return <Facts lines={lines} />;
}

/** What a hover card has room for; the rest stands in the records. */
const SHOWN = 3;

interface Props {
  step: Step;
  mark: Mark | undefined;
  instance: History["instance"] | undefined;
}

/** What happened at a step, by its kind. */
export function StepFacts({ step, mark, instance }: Props) {
  const { t } = useTranslation("workflow");
  if (!mark || !instance) return null;
  if (mark.tasks.length > 0) {
    const more = mark.tasks.length - SHOWN;
    return (
      <>
        {mark.tasks.slice(0, SHOWN).map((task) => (
          <TaskFacts key={task.id} task={task} />
        ))}
        {more > 0 ? <p className="diagram-note">{t("viewer.more", { n: more })}</p> : null}
      </>
    );
  }
  const last = mark.visits.at(-1);
  const started = { label: t("viewer.started"), value: <TimeText value={last?.startTime} /> };
  const ended = { label: t("viewer.ended"), value: last?.endTime ? <TimeText value={last.endTime} /> : null };
  switch (step.type) {
    case "startEvent":
      return (
        <Facts
          lines={[
            { label: t("viewer.starter"), value: instance.startUser?.nickname },
            { label: t("viewer.dept"), value: instance.startUser?.deptName },
            { label: t("viewer.created"), value: <TimeText value={instance.startTime} /> },
          ]}
        />
      );
    case "endEvent":
      return (
        <Facts
          lines={[
            {
              label: t("viewer.result"),
              value: <DictTag type="bpm_process_instance_result" value={instance.result} />,
            },
            ended,
          ]}
        />
      );
    default:
      return <Facts lines={[started, ended]} />;
  }
}
