import { Select, Skeleton } from "antd";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader, Pagination, pageSizeOf } from "@/kernel/ui";
import { STEP_SUBJECT, stepCodes } from "../shared/wire";
import { type Ineligible, useIneligible } from "./calls";

/** Who cannot hand a step in yet, with every reason of the evaluator that guards the submission. */
export function WhyNot() {
  const { t } = useTranslation("thesis");
  const [search, setSearch] = useSearchParams();
  const step = Number(search.get("step")) || STEP_SUBJECT;
  const pageNo = Number(search.get("whyPage")) || 1;
  const pageSize = pageSizeOf(search.get("whySize"));
  const change = (part: Record<string, number>) =>
    setSearch(
      (present) => {
        for (const [name, value] of Object.entries(part)) present.set(name, String(value));
        return present;
      },
      { replace: true },
    );
  const { data, error, isPending, refetch } = useIneligible(step, pageNo, pageSize);
  return (
    <>
      <PageHeader
        title={t("why.title")}
        extra={data ? t("why.count", { n: data.total }) : undefined}
        description={t("why.about")}
        actions={
          <Select<number>
            aria-label={t("chart.step")}
            value={step}
            style={{ width: 160 }}
            onChange={(next) => change({ step: next, whyPage: 1 })}
            options={stepCodes.map((code) => ({ value: code, label: t(`step.${code}`) }))}
          />
        }
      />
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      {data?.list.length === 0 ? <EmptyState title={t("why.none")} hint={t("why.noneHint")} /> : null}
      <ul className="th-list" aria-label={t("why.title")}>
        {(data?.list ?? []).map((row) => (
          <Row key={row.recordId} row={row} />
        ))}
      </ul>
      {data && data.total > 0 ? (
        <div style={{ marginTop: 16 }}>
          <Pagination
            pageNo={pageNo}
            pageSize={pageSize}
            total={data.total}
            onChange={(whyPage, whySize) => change({ whyPage, whySize })}
          />
        </div>
      ) : null}
    </>
  );
}

function Row({ row }: { row: Ineligible }) {
  const { t } = useTranslation("thesis");
  return (
    <li className="th-item">
      <span className="th-item-title">
        {row.studentName} <span className="th-quiet">{row.studentNo}</span>
      </span>
      <span className="th-item-meta">
        <span>{t(`status.${row.stepStatus}`)}</span>
        <span>{row.advisorName ? t("decide.advisor", { name: row.advisorName }) : t("why.noAdvisor")}</span>
      </span>
      <ul className="th-plain" style={{ marginTop: 4, gap: 2 }}>
        {row.guards.map((guard) => (
          <li key={guard.code}>○ {guard.text}</li>
        ))}
      </ul>
    </li>
  );
}
