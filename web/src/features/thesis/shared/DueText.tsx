import { useTranslation } from "@/kernel/i18n";
import { dueOf, waitingOf } from "./due";

interface DueProps {
  dueAt: number;
  /** The server's time; a clock that is wrong here must not promise time that is not there. */
  now: number;
}

/** A deadline as date and as the time that is left. */
export function DueText({ dueAt, now }: DueProps) {
  const { t } = useTranslation("thesis");
  const due = dueOf(dueAt, now);
  if (due.state === "none") return <span className="th-quiet">{t("due.none")}</span>;
  const key = due.state === "over" ? `due.over_${due.unit}` : `due.left_${due.unit}`;
  return (
    <span className={`th-due is-${due.state}`}>
      <time dateTime={new Date(dueAt).toISOString()}>{due.text}</time>
      <span>{t(key, { n: due.count })}</span>
    </span>
  );
}

interface WaitingProps {
  since: number;
  now: number;
}

/** How long somebody waits for a decision; a week and more is marked. */
export function WaitingText({ since, now }: WaitingProps) {
  const { t } = useTranslation("thesis");
  if (!since) return null;
  const { count, unit } = waitingOf(since, now);
  const late = unit === "day" && count >= 7;
  return <span className={late ? "th-due is-over" : "th-quiet"}>{t(`waiting.${unit}`, { n: count })}</span>;
}
