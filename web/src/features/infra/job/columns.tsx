import { useQuery } from "@tanstack/react-query";
import { Select, Skeleton } from "antd";
import { get } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import type { ColumnSpec } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { type Job, NORMAL } from "./entity";

const time = (value: unknown) => (value ? <TimeText value={Number(value)} /> : null);

export const columns: ColumnSpec<Job>[] = [
  { name: "name", search: true },
  {
    name: "handlerName",
    search: true,
    help: "infra:job.handlerHelp",
    input: ({ id, value, onChange, row }) => (
      <HandlerChoice id={id} value={value} onChange={onChange} fixed={row !== null} />
    ),
  },
  { name: "handlerParam", optional: true },
  { name: "cronExpression", help: "infra:job.cronHelp", initial: "0 0 3 * * ?" },
  { name: "status", search: true },
  { name: "lastTime", render: time },
  { name: "nextTime", render: time },
  { name: "retryCount", optional: true, half: true, initial: 3 },
  { name: "retryInterval", optional: true, half: true, initial: 60_000 },
  { name: "monitorTimeout", optional: true, initial: 0, help: "infra:job.timeoutHelp" },
  { name: "createTime", optional: true },
];

interface HandlerProps {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
  /** The handler of a schedule never changes. */
  fixed: boolean;
}

function HandlerChoice({ id, value, onChange, fixed }: HandlerProps) {
  const { data, isFetching } = useQuery({
    queryKey: ["/infra/job", "handlers"],
    queryFn: ({ signal }) => get<string[]>("/infra/job/handlers", undefined, { silent: true, signal }),
    staleTime: 600_000,
    retry: false,
  });
  return (
    <Select<string>
      id={id}
      value={value as string | undefined}
      onChange={(next) => onChange?.(next)}
      disabled={fixed}
      showSearch
      loading={isFetching}
      options={(data ?? []).map((name) => ({ value: name, label: name }))}
      style={{ width: "100%" }}
    />
  );
}

/** When a schedule runs next, five times ahead. */
export function NextTimes({ job }: { job: Job }) {
  const { t } = useTranslation("infra");
  const running = job.status === NORMAL;
  const { data, error } = useQuery({
    queryKey: ["/infra/job", "next", job.id, job.cronExpression],
    queryFn: ({ signal }) =>
      get<number[]>("/infra/job/get_next_times", { id: job.id, count: 5 }, { silent: true, signal }),
    enabled: running,
    retry: false,
  });
  return (
    <section aria-label={t("job.next")}>
      <h3 style={{ fontSize: 16 }}>{t("job.next")}</h3>
      {running ? null : <p>{t("job.pausedNow")}</p>}
      {error ? <p role="alert">{errorText(error)}</p> : null}
      {running && !data && !error ? <Skeleton active title={false} /> : null}
      <ol>
        {(data ?? []).map((at) => (
          <li key={at}>
            <TimeText value={at} pattern="YYYY-MM-DD HH:mm:ss" />
          </li>
        ))}
      </ol>
    </section>
  );
}
