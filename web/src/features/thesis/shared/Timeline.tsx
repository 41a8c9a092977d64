import { useTranslation } from "@/kernel/i18n";
import { EmptyState, TimeText } from "@/kernel/ui";
import { FileChips } from "./Files";
import type { HistoryEntry } from "./wire";

/** Events that are somebody's verdict: only they carry the level on which it was given. */
const verdicts = new Set([
  "approveTask",
  "pass",
  "returnTask",
  "rejectTask",
  "approveChange",
  "passChange",
  "refuseChange",
]);
const good = new Set([
  "pass",
  "approveTask",
  "autoPass",
  "passChange",
  "approveChange",
  "acceptRevision",
  "confirmResult",
]);
const bad = new Set(["returnTask", "rejectTask", "expire", "refuseChange", "confirmFailure"]);

function moodOf(event: string): string {
  if (good.has(event)) return "is-good";
  return bad.has(event) ? "is-bad" : "";
}

interface Props {
  entries: HistoryEntry[];
  empty?: string;
}

/** Who did what and when, newest first, with opinions and files. */
export function Timeline({ entries, empty }: Props) {
  const { t } = useTranslation("thesis");
  if (entries.length === 0) return <EmptyState title={empty ?? t("history.empty")} />;
  const newest = [...entries].sort((a, b) => b.time - a.time);
  return (
    <ol className="th-history">
      {newest.map((entry) => (
        <li key={`${entry.time}-${entry.event}-${entry.actorName}`} className={moodOf(entry.event)}>
          <div className="th-history-head">
            <strong>{entry.text || entry.event}</strong>
            <span>{entry.actorName}</span>
            {entry.level > 0 && verdicts.has(entry.event) ? (
              <span className="th-quiet">{t(`level.${entry.level}`)}</span>
            ) : null}
            <TimeText value={entry.time} relative />
          </div>
          {entry.reason ? <blockquote>{entry.reason}</blockquote> : null}
          <FileChips files={entry.files ?? []} />
        </li>
      ))}
    </ol>
  );
}
