import { useTranslation } from "@/kernel/i18n";
import { stepCodes } from "../shared/wire";
import type { StepCount } from "./StepChart";

/** Every count by step and status; columns nobody is in are left out. */
export function StepMatrix({ counts }: { counts: StepCount[] }) {
  const { t } = useTranslation("thesis");
  const statuses = [...new Set(counts.filter((count) => count.n > 0).map((count) => count.status))].sort(
    (a, b) => a - b,
  );
  const at = (step: number, status: number) =>
    counts.find((count) => count.stepCode === step && count.status === status)?.n ?? 0;
  const total = (step: number) => statuses.reduce((sum, status) => sum + at(step, status), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className="th-scroll" aria-label={t("chart.caption")} tabIndex={0}>
      <table className="th-matrix">
        <caption className="th-hidden">{t("chart.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("chart.step")}</th>
            {statuses.map((status) => (
              <th key={status} scope="col">
                {t(`status.${status}`)}
              </th>
            ))}
            <th scope="col">{t("chart.total")}</th>
          </tr>
        </thead>
        <tbody>
          {stepCodes.map((step) => (
            <tr key={step}>
              <th scope="row">{t(`step.${step}`)}</th>
              {statuses.map((status) => (
                <td key={status}>{at(step, status) || "–"}</td>
              ))}
              <td>
                <strong>{total(step)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
