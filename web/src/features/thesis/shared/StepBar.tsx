import { useTranslation } from "@/kernel/i18n";
import { Status, type StepView, stepCodes } from "./wire";

type Mood = "done" | "now" | "wait" | "bad" | "locked";

function moodOf(status: number): Mood {
  if (status === Status.Passed || status === Status.Waived) return "done";
  if (status === Status.InApproval || status === Status.Running || status === Status.ResultPending)
    return "wait";
  if (status === Status.Failed || status === Status.Expired || status === Status.Returned) return "bad";
  return status === Status.Locked ? "locked" : "now";
}

const marks: Record<Mood, string> = { done: "✓", now: "●", wait: "…", bad: "!", locked: "" };

interface Props {
  steps: StepView[];
  /** The step that counts now. */
  current: number;
  now?: number;
}

/** The eleven steps in a row: what is done, where one stands, what is to come. */
export function StepBar({ steps, current }: Props) {
  const { t } = useTranslation("thesis");
  const place = stepCodes.indexOf(current) + 1;
  return (
    <nav className="th-steps" aria-label={t("steps.label")}>
      <p className="th-steps-phone">
        {t("steps.place", { n: place, total: stepCodes.length, name: t(`step.${current}`) })}
      </p>
      <ol>
        {stepCodes.map((code, index) => {
          const step = steps.find((item) => item.stepCode === code);
          const mood = moodOf(step?.status ?? Status.Locked);
          const here = code === current;
          return (
            <li
              key={code}
              className={`is-${mood}${here ? " is-here" : ""}`}
              aria-current={here ? "step" : undefined}
            >
              <span className="th-step-mark" aria-hidden="true">
                {marks[mood] || index + 1}
              </span>
              <span className="th-step-name">{t(`step.${code}`)}</span>
              <span className="th-step-state">{t(`status.${step?.status ?? Status.Locked}`)}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
