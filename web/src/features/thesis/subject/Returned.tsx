import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import type { MySubject } from "../shared/subjectWire";
import { Status } from "../shared/wire";

const verdicts = ["returnTask", "rejectTask", "refuseChange"];

/** The opinion that asks for something, in front of everything else. */
export function Returned({ my }: { my: MySubject }) {
  const { t } = useTranslation("thesis");
  const last = [...my.history].reverse().find((entry) => verdicts.includes(entry.event));
  const after = my.history.some(
    (entry) => last && entry.time > last.time && ["submit", "changeTitle"].includes(entry.event),
  );
  if (!last || after || my.step.status === Status.InApproval) return null;
  return (
    <blockquote className="th-quote" style={{ marginInline: 0 }}>
      <div className="th-history-head">
        <strong>{last.text}</strong>
        <span>
          {last.actorName} · {t(`level.${last.level}`)}
        </span>
        <TimeText value={last.time} />
      </div>
      {last.reason}
    </blockquote>
  );
}
