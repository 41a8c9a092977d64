import { Segmented } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { useMenuPath } from "../shared/menuPath";
import { Status, stepCodes } from "../shared/wire";
import { StepMatrix } from "./StepMatrix";

export interface StepCount {
  stepCode: number;
  status: number;
  n: number;
}

/** Who has to act next at a step: the student, the office, or somebody has to look after it. */
export const groups = ["student", "office", "attention", "done"] as const;
export type Group = (typeof groups)[number];

const colours: Record<Group, string> = {
  student: "var(--th-blue)",
  office: "var(--th-orange)",
  attention: "var(--th-crimson)",
  done: "var(--th-grey)",
};

const ofStatus: Record<number, Group> = {
  [Status.Locked]: "student",
  [Status.Open]: "student",
  [Status.Draft]: "student",
  [Status.InApproval]: "office",
  [Status.Running]: "office",
  [Status.ResultPending]: "office",
  [Status.Returned]: "attention",
  [Status.Failed]: "attention",
  [Status.Expired]: "attention",
};

export function groupOf(status: number): Group {
  return ofStatus[status] ?? "done";
}

/** The counts of one step by group. */
export function sums(counts: readonly StepCount[], step: number): Record<Group, number> {
  const result: Record<Group, number> = { student: 0, office: 0, attention: 0, done: 0 };
  for (const count of counts) if (count.stepCode === step) result[groupOf(count.status)] += count.n;
  return result;
}

/** Theses by step, one bar each from zero, labelled directly; a table holds every number. */
export function StepChart({ counts }: { counts: StepCount[] }) {
  const { t } = useTranslation("thesis");
  const [view, setView] = useState<"chart" | "table">("chart");
  const list = useMenuPath("thesis/record/index");
  const totals = stepCodes.map((code) => {
    const parts = sums(counts, code);
    return { code, parts, total: groups.reduce((sum, group) => sum + parts[group], 0) };
  });
  const most = Math.max(1, ...totals.map((row) => row.total));
  return (
    <>
      <Segmented
        size="small"
        aria-label={t("chart.view")}
        style={{ marginBottom: 12 }}
        value={view}
        onChange={setView}
        options={[
          { value: "chart", label: t("chart.chart") },
          { value: "table", label: t("chart.table") },
        ]}
      />
      {view === "table" ? <StepMatrix counts={counts} /> : null}
      {view === "chart" ? (
        <>
          <ul className="th-legend">
            {groups.map((group) => (
              <li key={group}>
                <i style={{ background: colours[group] }} />
                {t(`chart.${group}`)}
              </li>
            ))}
          </ul>
          <table className="th-bars">
            <caption className="th-hidden">{t("chart.caption")}</caption>
            <tbody>
              {totals.map(({ code, parts, total }) => (
                <tr key={code}>
                  <th scope="row">{t(`step.${code}`)}</th>
                  <td>
                    <Bar
                      parts={parts}
                      total={total}
                      most={most}
                      to={list ? `${list}?view=list&currentStep=${code}` : ""}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : null}
    </>
  );
}

interface BarProps {
  parts: Record<Group, number>;
  total: number;
  most: number;
  /** The list behind the figure. */
  to: string;
}

function Bar({ parts, total, most, to }: BarProps) {
  const { t } = useTranslation("thesis");
  const said = groups
    .filter((group) => parts[group] > 0)
    .map((group) => `${t(`chart.${group}`)} ${parts[group]}`)
    .join(" · ");
  const bar = (
    <>
      {total > 0 ? (
        <span className="th-bar-fill" style={{ width: `${(total / most) * 70}%` }} aria-hidden="true">
          {groups.map((group) =>
            parts[group] > 0 ? (
              <i key={group} style={{ flex: parts[group], background: colours[group] }} />
            ) : null,
          )}
        </span>
      ) : null}
      <span>
        <strong>{total}</strong> <span className="th-bar-parts">{said}</span>
      </span>
    </>
  );
  if (!to || total === 0) return <span className="th-bar-line">{bar}</span>;
  return (
    <Link className="th-bar-line" to={to}>
      {bar}
    </Link>
  );
}
