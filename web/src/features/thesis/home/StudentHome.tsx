import { Button, Skeleton } from "antd";
import { Link, useNavigate } from "react-router";
import { ApiError } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { EmptyState, ErrorState, PageHeader } from "@/kernel/ui";
import { useMyMentor, useProgress } from "../shared/calls";
import { DueText } from "../shared/DueText";
import { firstOpen, Guards } from "../shared/Guards";
import { MentorCard } from "../shared/MentorCard";
import { Section } from "../shared/Section";
import { StepBar } from "../shared/StepBar";
import { useServerNow } from "../shared/useServerNow";
import { type Progress, Status, stepCodes } from "../shared/wire";
import { Messages, Notices } from "./News";

/** Where my thesis stands, the next act with its deadline, what wants my attention, my advisor. */
export default function StudentHome() {
  const { t } = useTranslation("thesis");
  const name = useSession((state) => state.user?.nickname ?? "");
  const progress = useProgress();
  const { data, error } = progress;
  return (
    <div className="th-page">
      <PageHeader
        title={t("home.student", { name })}
        extra={data ? t("home.record", { no: data.record.recordNo }) : undefined}
      />
      <div className="th-stack">
        {progress.isPending ? <Skeleton active paragraph={{ rows: 4 }} /> : null}
        {error && !data ? <NoProgress error={error} onRetry={() => void progress.refetch()} /> : null}
        {data ? <Standing progress={data} answeredAt={progress.dataUpdatedAt} /> : null}
        <div className="th-two">
          <Messages />
          <MyAdvisor />
        </div>
        <Notices />
      </div>
    </div>
  );
}

function NoProgress({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation("thesis");
  if (error instanceof ApiError && error.code === 1070000001) {
    return <EmptyState title={t("subject.noRecord")} hint={t("subject.noRecordHint")} />;
  }
  return <ErrorState error={error} onRetry={onRetry} />;
}

function Standing({ progress, answeredAt }: { progress: Progress; answeredAt: number }) {
  const { t } = useTranslation("thesis");
  const navigate = useNavigate();
  const now = useServerNow(progress.serverTime, answeredAt);
  const { nextAction: next, record } = progress;
  const last = stepCodes[stepCodes.length - 1] ?? 0;
  const current = next?.stepCode ?? last;
  const step = progress.steps.find((item) => item.stepCode === current);
  const waiting = step?.status === Status.InApproval;
  return (
    <>
      <StepBar steps={progress.steps} current={current} />
      <section className={`th-card th-now${waiting ? " is-wait" : ""}`} aria-label={t("home.next")}>
        <p className="th-now-what">{next ? next.text : t("home.finished")}</p>
        <dl className="th-facts">
          {next && next.dueAt > 0 && !waiting ? (
            <>
              <dt>{t("now.until")}</dt>
              <dd>
                <DueText dueAt={next.dueAt} now={now} />
              </dd>
            </>
          ) : null}
          {record.titleZh ? (
            <>
              <dt>{t("home.title")}</dt>
              <dd>{record.titleZh}</dd>
            </>
          ) : null}
          <dt>{t("home.latestEnd")}</dt>
          <dd>
            {record.latestEndDate}{" "}
            <span className="th-quiet">{t("home.daysLeft", { n: record.daysLeft })}</span>
          </dd>
        </dl>
        {next?.link ? (
          <Button type="primary" style={{ marginTop: 12 }} onClick={() => void navigate(next.link)}>
            {t(waiting ? "home.look" : "home.go")}
          </Button>
        ) : null}
      </section>
      {step && firstOpen(step.guards) && step.built ? (
        <div className="th-card">
          <Guards guards={step.guards} here="/index" title={t("home.why")} />
        </div>
      ) : null}
    </>
  );
}

function MyAdvisor() {
  const { t } = useTranslation("thesis");
  const { data, error } = useMyMentor();
  if (error) return null;
  const [main] = data?.current ?? [];
  return (
    <Section
      title={t("mentor.page")}
      more={data && data.current.length > 1 ? <Link to="/studentEnd/myMentor">{t("home.all")}</Link> : null}
    >
      {main ? <MentorCard mentor={main} /> : null}
      {data && !main ? <p className="th-quiet">{data.hint || t("mentor.none")}</p> : null}
    </Section>
  );
}
