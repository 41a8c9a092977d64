import { Drawer, Skeleton } from "antd";
import { lazy, Suspense, useState } from "react";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, useMobile } from "@/kernel/ui";
import { dueOf } from "../shared/due";
import { stepCodes } from "../shared/wire";
import { type MyStudent, useMyStudents } from "./calls";

// Read when a card is opened: the board itself is part of the first page.
const Decision = lazy(() =>
  import("../decide/DecisionView").then((module) => ({ default: module.DecisionView })),
);

const IDLE = 30;

/** What a student's card warns of, the gravest first; "" when all is well. */
export function warningOf(student: MyStudent, now: number): "" | "mine" | "over" | "near" | "idle" {
  if (student.waitingForMe) return "mine";
  const due = dueOf(student.dueAt, now).state;
  if (due === "over" || due === "near") return due;
  return student.idleDays >= IDLE ? "idle" : "";
}

/** My students by step, with whatever needs attention said on the card. */
export function StudentsBoard({ keyword = "" }: { keyword?: string }) {
  const { t } = useTranslation("thesis");
  const mobile = useMobile();
  const [shown, setShown] = useState<MyStudent | null>(null);
  const { data, error, isPending, refetch } = useMyStudents(keyword);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton active paragraph={{ rows: 4 }} />;
  const students = data?.list ?? [];
  if (students.length === 0) {
    return (
      <EmptyState
        title={t(keyword ? "students.noneFound" : "students.none")}
        hint={t(keyword ? "students.noneFoundHint" : "students.noneHint")}
      />
    );
  }
  const steps = stepCodes.filter((code) => students.some((student) => student.currentStep === code));
  return (
    <>
      <div className="th-board">
        {steps.map((code) => {
          const here = students.filter((student) => student.currentStep === code);
          return (
            <section key={code} aria-label={t(`step.${code}`)}>
              <h3>
                {t(`step.${code}`)} <small>{here.length}</small>
              </h3>
              <ul className="th-list">
                {here.map((student) => (
                  <li key={`${student.studentId}-${student.role}`}>
                    <Card student={student} onOpen={() => setShown(student)} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <Drawer
        open={shown !== null}
        title={shown ? `${shown.studentName} ${shown.studentNo}` : ""}
        size={mobile ? "100%" : 720}
        destroyOnHidden
        onClose={() => setShown(null)}
      >
        <Suspense fallback={<Skeleton active />}>
          {shown ? <Decision id={shown.subjectId} onDecided={() => setShown(null)} /> : null}
        </Suspense>
      </Drawer>
    </>
  );
}

function Card({ student, onOpen }: { student: MyStudent; onOpen: () => void }) {
  const { t } = useTranslation("thesis");
  const warning = warningOf(student, Date.now());
  const content = (
    <>
      <span className="th-item-title">
        {student.studentName} <span className="th-quiet">{student.studentNo}</span>
      </span>
      <span className="th-item-meta">
        <DictTag type="thesis_step_status" value={student.stepStatus} />
        {student.role > 1 ? <DictTag type="thesis_supervision_role" value={student.role} /> : null}
        {warning ? (
          <span className={warning === "over" ? "th-due is-over" : "th-warn"}>
            {t(`students.warn_${warning}`, { n: student.idleDays })}
          </span>
        ) : null}
      </span>
      {student.titleZh ? <span className="th-board-title">{student.titleZh}</span> : null}
    </>
  );
  if (student.subjectId === 0) return <div className="th-item">{content}</div>;
  return (
    <button type="button" className="th-item" onClick={onOpen}>
      {content}
    </button>
  );
}
