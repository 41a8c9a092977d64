import { useTranslation } from "@/kernel/i18n";
import type { History, Mark } from "./marks";
import { stepName, typeName } from "./names";
import { StepFacts } from "./StepFacts";
import type { Step } from "./steps";

/** Where the pointer rests: the step and the lower, else the upper, left corner of its picture. */
export interface Hovered {
  step: Step;
  left: number;
  top: number;
  above: boolean;
}

interface Props {
  hovered: Hovered;
  mark: Mark | undefined;
  instance: History["instance"] | undefined;
  onEnter: () => void;
  onLeave: () => void;
}

/** The facts of the step under the pointer, below it, or above where there is no room. */
export function HoverCard({ hovered, mark, instance, onEnter, onLeave }: Props) {
  useTranslation("workflow");
  const { step } = hovered;
  return (
    <div
      className={hovered.above ? "diagram-card is-above" : "diagram-card"}
      role="tooltip"
      style={{ left: hovered.left, top: hovered.top }}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <strong>{stepName(step)}</strong>
      <p className="diagram-note">{typeName(step.type)}</p>
      {step.documentation ? <p>{step.documentation}</p> : null}
      <StepFacts step={step} mark={mark} instance={instance} />
    </div>
  );
}
