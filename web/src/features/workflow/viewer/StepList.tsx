import { Button } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { personText } from "../instance/duration";
import type { Mark, Marks } from "./marks";
import { stateName, stepName, typeName } from "./names";
import type { Step } from "./steps";

interface Props {
  steps: readonly Step[];
  marks: Marks | null;
  /** Stands open when there is no drawing beside it. */
  open: boolean;
  onOpen: (step: Step) => void;
}

/** The diagram as text: for screen readers, the keyboard, and files without a drawing. */
export function StepList({ steps, marks, open, onOpen }: Props) {
  const { t } = useTranslation("workflow");
  if (steps.length === 0) return null;
  return (
    <details className="diagram-steps" open={open}>
      <summary>{t("viewer.steps", { n: steps.length })}</summary>
      <ol>
        {steps.map((step) => (
          <StepLine key={step.id} step={step} mark={marks?.steps.get(step.id)} onOpen={onOpen} />
        ))}
      </ol>
    </details>
  );
}

function StepLine({ step, mark, onOpen }: { step: Step; mark?: Mark; onOpen: (step: Step) => void }) {
  const { t } = useTranslation("workflow");
  const next = step.next.map((to) => (to.flow ? `${to.flow} → ` : "") + (to.name || to.id));
  const people = new Set(mark?.tasks.map((task) => personText(task.assigneeUser ?? task.ownerUser)));
  people.delete("");
  return (
    <li>
      <strong>{stepName(step)}</strong>
      {step.name ? <span className="diagram-note"> · {typeName(step.type)}</span> : null}
      {mark?.state ? <> · {stateName(mark.state)}</> : null}
      {people.size > 0 ? <> · {[...people].join("、")}</> : null}
      {next.length > 0 ? (
        <span className="diagram-note">
          {" "}
          · {t("viewer.next")} {next.join("；")}
        </span>
      ) : null}
      {step.documentation ? <div className="diagram-note">{step.documentation}</div> : null}
      {mark && mark.tasks.length > 0 ? (
        <Button
          type="link"
          size="small"
          aria-label={t("viewer.recordsOf", { name: stepName(step) })}
          onClick={() => onOpen(step)}
        >
          {t("viewer.records")}
        </Button>
      ) : null}
    </li>
  );
}
