import { useTranslation } from "@/kernel/i18n";
import { EmptyState } from "@/kernel/ui";
import { durationText } from "../../instance/duration";
import { Bars, Figure, Legend } from "./Figure";
import type { StepFigures } from "./wire";

/** A chart of more would not be read; the table holds all. */
const SHOWN = 15;

/** How long decisions took at each step, the slowest first. */
export function Steps({ steps }: { steps: StepFigures[] }) {
  const { t } = useTranslation("workflow");
  if (steps.length === 0) return <EmptyState title={t("statistics.none")} />;
  const several = new Set(steps.map((step) => step.processDefinitionKey)).size > 1;
  const name = (step: StepFigures) => (several ? `${step.processName} · ${step.name}` : step.name);
  const key = (step: StepFigures) => `${step.processDefinitionKey} ${step.elementId}`;
  const caption = t("statistics.stepsCaption");
  const chart = (
    <>
      <Legend names={[t("statistics.median"), t("statistics.p90")]} />
      <Bars
        bars={steps.slice(0, SHOWN).map((step) => ({
          key: key(step),
          name: name(step),
          parts: [step.median, step.p90 - step.median],
          text: `${durationText(step.median)} / ${durationText(step.p90)}`,
        }))}
      />
    </>
  );
  const table = {
    caption,
    columns: [
      t("statistics.step"),
      t("statistics.tasks"),
      t("statistics.late"),
      t("statistics.median"),
      t("statistics.p90"),
      t("statistics.mean"),
    ],
    rows: steps.map((step) => ({
      key: key(step),
      cells: [
        name(step),
        step.tasks.toLocaleString(),
        step.late.toLocaleString(),
        durationText(step.median),
        durationText(step.p90),
        durationText(step.mean),
      ],
    })),
  };
  return <Figure title={t("statistics.steps")} chart={chart} table={table} />;
}
