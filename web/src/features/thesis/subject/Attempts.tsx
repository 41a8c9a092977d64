import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import type { Subject } from "../shared/subjectWire";

/** Declarations of earlier attempts, folded. */
export function Attempts({ attempts }: { attempts: Subject[] }) {
  const { t } = useTranslation("thesis");
  if (attempts.length === 0) return null;
  return (
    <details className="th-card">
      <summary>{t("subject.attempts", { n: attempts.length })}</summary>
      <ul className="th-list" style={{ marginTop: 8 }}>
        {attempts.map((attempt) => (
          <li key={attempt.id} className="th-item">
            <span className="th-item-title">{attempt.titleZh}</span>
            <span className="th-item-meta">
              <DictTag type="student_subject_audit_state" value={attempt.auditState} />
              <TimeText value={attempt.submittedAt || attempt.createTime} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
