import { Button } from "antd";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { put } from "@/kernel/api/client";
import { type CrudOptions, CrudPage, type CrudPageHandle, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { columns, NextTimes } from "./columns";
import { type Job, jobEntity, NORMAL, PAUSED } from "./entity";

async function setStatus(row: Job, page: CrudPageHandle<Job>): Promise<void> {
  const pause = row.status === NORMAL;
  const key = pause ? "pause" : "resume";
  const content = t(`infra:job.${key}Ask`, { name: row.name });
  if (!(await confirmBox({ content, okText: t(`infra:job.${key}`) }))) return;
  const query = { id: row.id, status: pause ? PAUSED : NORMAL };
  await done(
    put("/infra/job/update-status", undefined, { query }),
    t(`infra:job.${key}d`, { name: row.name }),
    page,
  );
}

async function trigger(row: Job, page: CrudPageHandle<Job>): Promise<void> {
  const content = t("infra:job.triggerAsk", { name: row.name });
  if (!(await confirmBox({ content, okText: t("infra:job.trigger") }))) return;
  await done(
    put("/infra/job/trigger", undefined, { query: { id: row.id } }),
    t("infra:job.triggered", { name: row.name }),
    page,
  );
}

async function done(work: Promise<unknown>, message: string, page: CrudPageHandle<Job>): Promise<void> {
  try {
    await work;
    toast.success(message);
    await page.refresh();
  } catch {
    // The client has shown why.
  }
}

function optionsOf(open: (path: string) => void): CrudOptions<Job> {
  return {
    ns: "infra",
    description: "infra:job.about",
    columns,
    detailExtra: (row) => <NextTimes job={row} />,
    toolbar: () => <LogButton onClick={() => open("/job/log")} />,
    actions: [
      { key: "trigger", label: "infra:job.trigger", permission: "infra:job:trigger", run: trigger },
      {
        key: "pause",
        label: "infra:job.pause",
        permission: "infra:job:update",
        hidden: (row) => row.status !== NORMAL,
        run: setStatus,
      },
      {
        key: "resume",
        label: "infra:job.resume",
        permission: "infra:job:update",
        hidden: (row) => row.status !== PAUSED,
        run: setStatus,
      },
      { key: "log", label: "infra:job.log", run: (row) => open(`/job/log?jobId=${row.id}`) },
    ],
  };
}

const pausedReason = (row: Job) => (row.status === PAUSED ? t("infra:job.lockedPaused") : "");

/** The schedules of the installation: what runs by itself, and when. */
export default function JobPage() {
  useTranslation("infra");
  const navigate = useNavigate();
  const options = useMemo(() => optionsOf((path) => void navigate(path)), [navigate]);
  const page = useCrudPage<Job>(jobEntity, options);
  // Only schedules in force can be changed; paused ones may still be deleted.
  const actions = page.actions.map((action) =>
    action.key === "edit" ? { ...action, locked: pausedReason } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="infra/job" />;
}

function LogButton({ onClick }: { onClick: () => void }) {
  const { t: text } = useTranslation("infra");
  return <Button onClick={onClick}>{text("job.allLogs")}</Button>;
}
