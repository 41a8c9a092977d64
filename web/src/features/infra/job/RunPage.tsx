import { Segmented, Tag } from "antd";
import { put } from "@/kernel/api/client";
import { type CrudOptions, CrudPage, type CrudPageHandle, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { TimeText, toast } from "@/kernel/ui";
import { DEAD, type JobRun, runEntity } from "./entity";

const colours = ["default", "processing", "success", "error"];
const time = (value: unknown) => (value ? <TimeText value={Number(value)} /> : null);
const code = (value: unknown) =>
  value ? <code style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{String(value)}</code> : null;

async function retry(row: JobRun, page: CrudPageHandle<JobRun>): Promise<void> {
  try {
    await put("/infra/job-run/retry", undefined, { query: { id: row.id } });
    toast.success(t("infra:job.retried"));
    await page.refresh();
  } catch {
    // The client has shown why.
  }
}

const options: CrudOptions<JobRun> = {
  ns: "infra",
  description: "infra:job.runsAbout",
  toolbar: (page) => <StateFilter page={page} />,
  columns: [
    { name: "name", search: true },
    {
      name: "state",
      render: (_, row) => <Tag color={colours[row.state]}>{t(`infra:job.state.${row.state}`)}</Tag>,
    },
    { name: "tries", render: (_, row) => `${row.tries} / ${row.maxTries}` },
    { name: "runAt", render: time },
    { name: "endTime", render: time },
    { name: "lastError", width: 320 },
    { name: "result", table: false, detail: true },
    { name: "payload", table: false, detail: true, render: code },
    { name: "createTime", optional: true, render: time },
  ],
  actions: [
    { key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) },
    {
      key: "retry",
      label: "infra:job.retry",
      permission: "infra:job-run:retry",
      hidden: (row) => row.state !== DEAD,
      run: retry,
    },
  ],
};

/** Background work of the tenant; what failed for good can be started again. */
export default function RunPage() {
  useTranslation("infra");
  const page = useCrudPage<JobRun>(runEntity, options);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view" ? { ...action, hidden: (row: JobRun) => row.id === page.detail?.id } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="infra/job-run" />;
}

function StateFilter({ page }: { page: CrudPageHandle<JobRun> }) {
  const { t: text } = useTranslation("infra");
  const { filters } = page.list.state;
  const { state = "", ...rest } = filters;
  return (
    <Segmented<string>
      aria-label={text("job.stateFilter")}
      value={String(state)}
      options={[
        { value: "", label: text("job.allStates") },
        { value: String(DEAD), label: text("job.state.3") },
      ]}
      onChange={(next) => page.list.setFilters(next ? { ...rest, state: next } : rest)}
    />
  );
}
