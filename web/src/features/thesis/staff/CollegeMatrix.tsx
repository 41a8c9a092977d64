import { useTranslation } from "@/kernel/i18n";
import type { Overview } from "../home/calls";
import { stepCodes } from "../shared/wire";

/** Theses by college and step; steps nobody is in are left out. */
export function CollegeMatrix({ counts }: { counts: Overview["depts"] }) {
  const { t } = useTranslation("thesis");
  const colleges = [...new Map(counts.map((count) => [count.deptId, count.deptName])).entries()];
  const steps = stepCodes.filter((code) => counts.some((count) => count.stepCode === code && count.n > 0));
  const at = (dept: number, step: number) =>
    counts.find((count) => count.deptId === dept && count.stepCode === step)?.n ?? 0;
  if (colleges.length === 0) return <p className="th-quiet">{t("overview.none")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className="th-scroll" aria-label={t("overview.colleges")} tabIndex={0}>
      <table className="th-matrix">
        <caption className="th-hidden">{t("overview.colleges")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("overview.college")}</th>
            {steps.map((step) => (
              <th key={step} scope="col">
                {t(`step.${step}`)}
              </th>
            ))}
            <th scope="col">{t("chart.total")}</th>
          </tr>
        </thead>
        <tbody>
          {colleges.map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {steps.map((step) => (
                <td key={step}>{at(id, step) || "–"}</td>
              ))}
              <td>
                <strong>{steps.reduce((sum, step) => sum + at(id, step), 0)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
