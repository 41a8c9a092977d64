import { Button, Flex, Skeleton } from "antd";
import { useState } from "react";
import { ApiError } from "@/kernel/api/errors";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader } from "@/kernel/ui";
import { useProgress } from "../shared/calls";
import { Guards } from "../shared/Guards";
import { StepBar } from "../shared/StepBar";
import type { MySubject } from "../shared/subjectWire";
import { Timeline } from "../shared/Timeline";
import { useServerNow } from "../shared/useServerNow";
import { STEP_SUBJECT } from "../shared/wire";
import { Acts } from "./Acts";
import { Attempts } from "./Attempts";
import { useMySubject } from "./calls";
import { NowCard } from "./NowCard";
import { Receipt } from "./Receipt";
import { Returned } from "./Returned";
import { SubjectForm } from "./SubjectForm";
import { SubjectView } from "./SubjectView";
import "../thesis.css";

const here = "/myThesis/students-subject";
const NO_RECORD = 1070000001;

/** The student's topic declaration: where it stands, what to do now, the form, and who did what. */
export default function SubjectPage() {
  const { t } = useTranslation("thesis");
  const my = useMySubject();
  const progress = useProgress();
  return (
    <div className="th-page">
      <PageHeader
        title={t("subject.page")}
        extra={
          my.data?.form ? (
            <DictTag type="student_subject_audit_state" value={my.data.form.auditState} />
          ) : undefined
        }
      />
      <div className="th-stack">
        {progress.data ? <StepBar steps={progress.data.steps} current={STEP_SUBJECT} /> : null}
        {my.isPending ? <Skeleton active paragraph={{ rows: 8 }} /> : null}
        {my.error && !my.data ? <Failed error={my.error} onRetry={() => void my.refetch()} /> : null}
        {my.data ? <Body my={my.data} answeredAt={my.dataUpdatedAt} /> : null}
      </div>
    </div>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation("thesis");
  if (error instanceof ApiError && error.code === NO_RECORD) {
    return <EmptyState title={t("subject.noRecord")} hint={t("subject.noRecordHint")} />;
  }
  return <ErrorState error={error} onRetry={onRetry} />;
}

function Body({ my, answeredAt }: { my: MySubject; answeredAt: number }) {
  const { t } = useTranslation("thesis");
  const now = useServerNow(my.serverTime, answeredAt);
  // What is being typed stays on the page even when the step closes meanwhile.
  const [dirty, setDirty] = useState(false);
  const [edition, setEdition] = useState(0);
  const editing = my.editable || dirty;
  return (
    <>
      <NowCard my={my} now={now}>
        <Returned my={my} />
        <Acts my={my} />
      </NowCard>
      <div className="th-columns">
        <section className="th-card" aria-label={t(editing ? "subject.form" : "subject.content")}>
          {editing ? (
            <SubjectForm
              key={`${my.step.attemptNo}-${edition}`}
              my={my}
              onDirty={setDirty}
              onReset={() => setEdition((n) => n + 1)}
            />
          ) : null}
          {!editing && my.form ? <SubjectView form={my.form} topic={my.topic} files={my.files} /> : null}
          {!editing && !my.form ? (
            <EmptyState title={t("subject.lockedTitle")} hint={my.lockReason} action={<Retry />} />
          ) : null}
        </section>
        <aside className="th-stack">
          {my.guards.length > 0 ? (
            <div className="th-card">
              <Guards guards={my.guards} here={here} />
            </div>
          ) : null}
          {my.form?.receiptNo ? <Receipt form={my.form} files={my.files} /> : null}
          <section className="th-card">
            <h2>{t("history.title")}</h2>
            <Timeline entries={my.history} />
          </section>
          <Attempts attempts={my.attempts} />
        </aside>
      </div>
    </>
  );
}

/** Asks the server again: what was locked a minute ago may be open now. */
function Retry() {
  const { t } = useTranslation("thesis");
  const { refetch, isFetching } = useMySubject();
  return (
    <Flex justify="center">
      <Button loading={isFetching} onClick={() => void refetch()}>
        {t("subject.lookAgain")}
      </Button>
    </Flex>
  );
}
