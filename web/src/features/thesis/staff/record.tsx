import { Segmented, Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, PageHeader } from "@/kernel/ui";
import { type Overview, useOverview } from "../home/calls";
import { Section } from "../shared/Section";
import { CollegeMatrix } from "./CollegeMatrix";
import { StepChart } from "./StepChart";
import "../thesis.css";

const RecordList = lazy(() => import("./RecordList").then((module) => ({ default: module.RecordList })));
const WhyNot = lazy(() => import("./WhyNot").then((module) => ({ default: module.WhyNot })));

const views = ["overview", "list", "why"] as const;
type View = (typeof views)[number];

/** All theses of the reader's scope: the figures, the list behind them, and who cannot go on and why. */
export default function RecordPage() {
  const { t } = useTranslation("thesis");
  const [search, setSearch] = useSearchParams();
  const view = views.find((name) => name === search.get("view")) ?? "overview";
  return (
    <div>
      <Segmented<View>
        aria-label={t("record.view")}
        style={{ marginBottom: 12 }}
        value={view}
        onChange={(next) => setSearch({ view: next }, { replace: true })}
        options={views.map((name) => ({ value: name, label: t(`record.${name}`) }))}
      />
      {view === "overview" ? <OverviewView /> : null}
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        {view === "list" ? <RecordList /> : null}
        {view === "why" ? <WhyNot /> : null}
      </Suspense>
    </div>
  );
}

function OverviewView() {
  const { t } = useTranslation("thesis");
  const { data, error, isPending, refetch } = useOverview();
  return (
    <>
      <PageHeader
        title={t("overview.page")}
        extra={data ? t("overview.total", { n: data.total.toLocaleString() }) : undefined}
        description={t("overview.about")}
      />
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton active paragraph={{ rows: 8 }} /> : null}
      {data ? <Figures overview={data} /> : null}
    </>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { t } = useTranslation("thesis");
  return (
    <div className="th-stack">
      <Section title={t("overview.steps")}>
        <StepChart counts={overview.steps} />
      </Section>
      <Section title={t("overview.colleges")}>
        <CollegeMatrix counts={overview.depts} />
      </Section>
    </div>
  );
}
