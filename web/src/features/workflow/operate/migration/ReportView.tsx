import { Alert, Tag } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import type { Problem, Report } from "./wire";
import "../operate.css";

/** What a migration would do, instance by instance; those that do not go come first. */
export function ReportView({ report }: { report: Report }) {
  const { t } = useTranslation("workflow");
  if (report.total === 0) return <Alert type="info" role="status" title={t("migration.none")} />;
  const rest = report.checked - report.fit;
  return (
    <section aria-label={t("migration.report")}>
      <h3 style={{ fontSize: 16 }}>{t("migration.report")}</h3>
      <Alert
        role="status"
        type={rest > 0 ? "warning" : "success"}
        title={[t("migration.fits", { n: report.fit }), rest > 0 ? t("migration.fitsNot", { n: rest }) : ""]
          .filter(Boolean)
          .join(" · ")}
        description={
          report.total > report.checked
            ? t("migration.checkedOf", { total: report.total, checked: report.checked })
            : undefined
        }
      />
      <ul className="op-list">
        {report.list.map((trial) => (
          <li key={trial.processInstanceId}>
            <div>
              {trial.name} <TimeText value={trial.startTime} />
              <Problems list={trial.problems} />
            </div>
            <Tag color={trial.problems.length > 0 ? "error" : "success"}>
              {t(trial.problems.length > 0 ? "migration.goesNot" : "migration.goes")}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why an instance does not go. */
export function Problems({ list }: { list: Problem[] }) {
  return list.map((problem) => (
    <p key={`${problem.elementId} ${problem.text}`} className="op-cause">
      {problem.elementId ? `「${problem.elementName || problem.elementId}」` : ""}
      {problem.text}
    </p>
  ));
}
