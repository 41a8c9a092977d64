import { Skeleton } from "antd";
import { ApiError } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader } from "@/kernel/ui";
import { useMyMentor } from "./shared/calls";
import { MentorCard } from "./shared/MentorCard";
import { Section } from "./shared/Section";
import type { MyMentor } from "./shared/wire";
import "./thesis.css";

const NO_RECORD = 1070000001;

/** Who supervises me, how to reach them, and who did before. */
export default function MentorPage() {
  const { t } = useTranslation("thesis");
  const { data, error, isPending, refetch } = useMyMentor();
  const unknown = error instanceof ApiError && error.code === NO_RECORD;
  return (
    <div className="th-page">
      <PageHeader title={t("mentor.page")} />
      {isPending ? <Skeleton active paragraph={{ rows: 5 }} /> : null}
      {unknown ? <EmptyState title={t("mentor.none")} hint={t("subject.noRecordHint")} /> : null}
      {error && !unknown && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <div className="th-stack">
          <Mentors mentors={data} />
        </div>
      ) : null}
    </div>
  );
}

function Mentors({ mentors }: { mentors: MyMentor }) {
  const { t } = useTranslation("thesis");
  return (
    <>
      {mentors.current.length === 0 ? <EmptyState title={t("mentor.none")} hint={mentors.hint} /> : null}
      <div className="th-two">
        {mentors.current.map((mentor) => (
          <MentorCard key={`${mentor.role}-${mentor.advisorId}`} mentor={mentor} />
        ))}
      </div>
      {mentors.history.length > 0 ? (
        <Section title={t("mentor.history")}>
          <div className="th-two">
            {mentors.history.map((mentor) => (
              <MentorCard key={`${mentor.role}-${mentor.advisorId}-${mentor.startDate}`} mentor={mentor} />
            ))}
          </div>
        </Section>
      ) : null}
    </>
  );
}
