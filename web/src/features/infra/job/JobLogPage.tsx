import { Input } from "antd";
import { lazy, Suspense, useMemo } from "react";
import { useSearchParams } from "react-router";
import { type ColumnSpec, type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { dateRange } from "@/kernel/rules";
import { TimeText } from "@/kernel/ui";
import { type JobLog, logEntity } from "./entity";

const DateRange = lazy(() => import("@/kernel/crud/DateRange").then((part) => ({ default: part.DateRange })));

const precise = "YYYY-MM-DD HH:mm:ss";
const time = (value: unknown) => (value ? <TimeText value={Number(value)} pattern={precise} /> : null);

const columns: ColumnSpec<JobLog>[] = [
  { name: "handlerName", search: true },
  { name: "status", search: true },
  { name: "beginTime", width: 180, render: time },
  { name: "duration" },
  { name: "executeIndex", width: 90 },
  { name: "result", width: 320 },
  { name: "jobId", search: true, width: 100 },
  { name: "handlerParam", optional: true },
  { name: "endTime", optional: true, render: time },
];

/** The runs of the schedules, newest first. */
export default function JobLogPage() {
  useTranslation("infra");
  const [search] = useSearchParams();
  const from = search.get("from") ?? "";
  const to = search.get("to") ?? "";
  const options = useMemo<CrudOptions<JobLog>>(
    () => ({
      ns: "infra",
      description: "infra:job.logsAbout",
      nameOf: (row) => `${row.handlerName} #${row.id}`,
      columns,
      actions: [{ key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) }],
      // The list takes two points in time, not a range.
      fixed: {
        beginTime: from ? dateRange(from, from)[0] : undefined,
        endTime: to ? dateRange(to, to)[1] : undefined,
      },
      toolbar: () => <Period />,
    }),
    [from, to],
  );
  const page = useCrudPage<JobLog>(logEntity, options);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view" ? { ...action, hidden: (row: JobLog) => row.id === page.detail?.id } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="infra/job-log" />;
}

/** From when to when the runs began; kept in the address beside the other filters. */
function Period() {
  const { t } = useTranslation("infra");
  const [search, setSearch] = useSearchParams();
  const change = (from: string, to: string) =>
    setSearch(
      (present) => {
        const next = new URLSearchParams(present);
        next.delete("pageNo");
        for (const [name, day] of [
          ["from", from],
          ["to", to],
        ] as const) {
          if (day) next.set(name, day);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return (
    <Suspense fallback={<Input disabled aria-label={t("job.period")} style={{ width: 240 }} />}>
      <DateRange
        id="job-log-period"
        label={t("job.period")}
        from={search.get("from") ?? ""}
        to={search.get("to") ?? ""}
        onChange={change}
      />
    </Suspense>
  );
}
