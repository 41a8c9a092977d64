import { Modal } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { Mark } from "./marks";
import { stepName } from "./names";
import { TaskFacts } from "./StepFacts";
import type { Step } from "./steps";

interface Props {
  step: Step;
  mark: Mark;
  /** Where the dialog is drawn: in full screen nothing else is seen. */
  container: HTMLElement | null;
  onClose: () => void;
}

/** Every decision that was asked for at a step, newest first. */
export function TaskRecords({ step, mark, container, onClose }: Props) {
  const { t } = useTranslation("workflow");
  return (
    <Modal
      open
      title={t("viewer.recordsTitle", { name: stepName(step) })}
      footer={null}
      onCancel={onClose}
      getContainer={container ?? undefined}
    >
      <ol className="diagram-records">
        {mark.tasks.map((task) => (
          <li key={task.id}>
            <TaskFacts task={task} />
          </li>
        ))}
      </ol>
    </Modal>
  );
}
