import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import type { Guard } from "./wire";

interface Props {
  guards: Guard[];
  /** Path of the page that shows the list: a link to itself would lead nowhere. */
  here?: string;
  title?: string;
}

/** The server's conditions as a checklist: what is met, what is open, and where to settle it. */
export function Guards({ guards, here, title }: Props) {
  const { t } = useTranslation("thesis");
  if (guards.length === 0) return null;
  const met = guards.filter((guard) => guard.passed).length;
  return (
    <section className="th-guards">
      <h3>
        {title ?? t("guards.title")}
        <small>{t("guards.count", { met, total: guards.length })}</small>
      </h3>
      <ul>
        {guards.map((guard) => (
          <li key={guard.code} className={guard.passed ? "is-met" : "is-open"}>
            <span className="th-mark" role="img" aria-label={t(guard.passed ? "guards.met" : "guards.open")}>
              {guard.passed ? "✓" : "○"}
            </span>
            <span>
              {guard.text}
              {!guard.passed && guard.link && guard.link !== here ? (
                <Link to={guard.link} className="th-guard-link">
                  {t("guards.go")}
                </Link>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The text of the first condition that does not hold; "" when all do. */
export function firstOpen(guards: readonly Guard[]): string {
  return guards.find((guard) => !guard.passed)?.text ?? "";
}
