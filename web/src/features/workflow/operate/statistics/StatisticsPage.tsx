import { useQuery } from "@tanstack/react-query";
import { Button, Flex, Input, Select, Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { useAccess } from "@/kernel/access";
import { get } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, ForbiddenState, PageHeader } from "@/kernel/ui";
import { processNames } from "../migration/calls";
import { Days } from "./Days";
import { Decided, PersonalLoad } from "./People";
import { Steps } from "./Steps";
import { useFilters } from "./useFilters";
import { type DayFigures, ended, type PeriodFigures, type PresentFigures } from "./wire";
import "./statistics.css";

const DateRange = lazy(() => import("@/kernel/crud/DateRange").then((part) => ({ default: part.DateRange })));

const permission = "bpm:process-instance:manager-query";

/** How long steps take, what is open with whom, and how many instances begin and end. */
export default function StatisticsPage() {
  const { t } = useTranslation("workflow");
  const may = useAccess().hasPermission([permission]);
  if (!may) return <ForbiddenState title={t("statistics.title")} permission={permission} />;
  return (
    <div className="st-page">
      <PageHeader
        title={t("statistics.title")}
        description={t("statistics.about")}
        actions={
          <Button className="st-screen" onClick={() => window.print()}>
            {t("statistics.print")}
          </Button>
        }
      />
      <Filters />
      <Present />
      <Period />
    </div>
  );
}

function Filters() {
  const { t } = useTranslation("workflow");
  const { filters, change } = useFilters();
  const names = useQuery({
    queryKey: ["/bpm/process-definition", "names"],
    queryFn: ({ signal }) => processNames(signal),
    retry: false,
  });
  return (
    <Flex gap={12} wrap style={{ marginBottom: 16 }}>
      <Select<string>
        aria-label={t("statistics.process")}
        style={{ minWidth: 220 }}
        value={filters.processDefinitionKey ?? ""}
        onChange={(key) => change({ processDefinitionKey: key })}
        loading={names.isFetching}
        showSearch={{ optionFilterProp: "label" }}
        options={[
          { value: "", label: t("statistics.allProcesses") },
          ...(names.data ?? []).map((row) => ({ value: row.key, label: row.name })),
        ]}
      />
      <div className="st-period st-screen">
        <Suspense fallback={<Input disabled aria-label={t("statistics.period")} />}>
          <DateRange
            id="statistics-period"
            label={t("statistics.period")}
            from={filters.from ?? ""}
            to={filters.to ?? ""}
            onChange={(from, to) => change({ from: from.slice(0, 10), to: to.slice(0, 10) })}
          />
        </Suspense>
      </div>
    </Flex>
  );
}

function Present() {
  const { t } = useTranslation("workflow");
  const { processDefinitionKey } = useFilters().filters;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["/bpm/statistics", "present", processDefinitionKey],
    queryFn: ({ signal }) =>
      get<PresentFigures>("/bpm/statistics/present", { processDefinitionKey }, { silent: true, signal }),
    retry: false,
  });
  if (isPending) return <Skeleton active />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <dl className="st-numbers">
        {(["tasks", "longWait", "overdue", "incidents"] as const).map((name) => (
          <div key={name}>
            <dt>{t(name === "tasks" ? "statistics.open" : `statistics.${name}`)}</dt>
            <dd className={name !== "tasks" && data[name] > 0 ? "st-bad" : undefined}>
              {data[name].toLocaleString()}
            </dd>
          </div>
        ))}
      </dl>
      <PersonalLoad people={data.people} />
    </>
  );
}

const total = (days: DayFigures[], of: (day: DayFigures) => number) =>
  days.reduce((sum, day) => sum + of(day), 0).toLocaleString();

function Period() {
  const { t } = useTranslation("workflow");
  const { filters } = useFilters();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["/bpm/statistics", "period", filters],
    queryFn: ({ signal }) => get<PeriodFigures>("/bpm/statistics/period", filters, { silent: true, signal }),
    retry: false,
  });
  if (isPending) return <Skeleton active paragraph={{ rows: 8 }} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <h2 className="st-between">
        <time>{data.from}</time> – <time>{data.to}</time> · {t("statistics.started")}{" "}
        {total(data.days, (day) => day.started)} · {t("statistics.finished")} {total(data.days, ended)}
      </h2>
      <Steps steps={data.steps} />
      <Days days={data.days} />
      <Decided people={data.people} />
    </>
  );
}
