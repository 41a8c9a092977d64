import { Link } from "react-router";
import { refLabel, useRefRows } from "@/kernel/crud/refs";
import { useTranslation } from "@/kernel/i18n";
import { DueText } from "../shared/DueText";
import { useMenuPath } from "../shared/menuPath";
import { Section } from "../shared/Section";
import { type StepWindow, useWindows } from "./calls";

const SOON = 30 * 24 * 3_600_000;
const SHOWN = 6;

/** Windows that are open or will be within a month, the next change first. */
export function soonest(windows: StepWindow[], now: number): StepWindow[] {
  const change = (window: StepWindow) => (window.openAt > now ? window.openAt : window.closeAt);
  return windows
    .filter((window) => window.closeAt > now && change(window) < now + SOON)
    .sort((a, b) => change(a) - change(b))
    .slice(0, SHOWN);
}

export function WindowsCard() {
  const { t } = useTranslation("thesis");
  const path = useMenuPath("thesis/step-window/index");
  const { data, error } = useWindows(true);
  const { rows } = useRefRows("/system/dept/list-all-simple");
  if (error) return null;
  const now = Date.now();
  const collegeOf = (id: number) => {
    const college = rows.find((row) => row.id === id);
    return college ? refLabel(college) : "";
  };
  const list = soonest(data?.list ?? [], now);
  return (
    <Section title={t("home.windows")} more={path ? <Link to={path}>{t("home.all")}</Link> : null}>
      {data && list.length === 0 ? <p className="th-quiet">{t("home.noWindows")}</p> : null}
      <ul className="th-plain">
        {list.map((window) => {
          const early = window.openAt > now;
          return (
            <li key={window.id}>
              <strong>{t(`step.${window.stepCode}`)}</strong>{" "}
              <span className="th-quiet">
                {window.deptId > 0 ? collegeOf(window.deptId) : t("window.everybody")}
              </span>
              <div>
                {t(early ? "home.opens" : "home.closes")}{" "}
                <DueText dueAt={early ? window.openAt : window.closeAt} now={now} />
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
