import { Button, Progress, Tag } from "antd";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { personText } from "../../instance/duration";
import { ReasonDialog } from "../ReasonDialog";
import { stopMigration } from "./calls";
import { type Migration, migrationEntity, RUNNING } from "./wire";

const PlanDrawer = lazy(() => import("./PlanDrawer").then((part) => ({ default: part.PlanDrawer })));
const ResultDrawer = lazy(() => import("./ResultDrawer").then((part) => ({ default: part.ResultDrawer })));

type Dialog = { act: "plan" } | { act: "result" | "stop"; row: Migration };

const operate = "bpm:process-instance:manager-update";
const colours = ["default", "processing", "success", "warning"];

/** How often a running migration is asked for its progress. */
const POLL = 2000;

function Counts({ row }: { row: Migration }) {
  const seen = row.done + row.failed;
  return (
    <>
      <Progress
        percent={row.total === 0 ? 100 : Math.round((seen / row.total) * 100)}
        size="small"
        status={row.status === RUNNING ? "active" : row.failed > 0 ? "exception" : undefined}
        aria-label={t("workflow:migration.progress")}
        style={{ marginBottom: 0 }}
      />
      {t("workflow:migration.counts", { done: row.done, failed: row.failed, total: row.total })}
    </>
  );
}

function optionsOf(open: (dialog: Dialog) => void): CrudOptions<Migration> {
  return {
    ns: "workflow",
    description: "workflow:migration.about",
    columns: [
      {
        name: "name",
        render: (_, row) => (
          <>
            {row.name}{" "}
            {t("workflow:migration.versions", { source: row.sourceVersion, target: row.targetVersion })}
          </>
        ),
      },
      {
        name: "status",
        width: 100,
        render: (_, row) => (
          <Tag color={colours[row.status]}>{t(`workflow:migration.status.${row.status}`)}</Tag>
        ),
      },
      { name: "done", width: 260, render: (_, row) => <Counts row={row} /> },
      { name: "user", width: 140, render: (_, row) => personText(row.user) },
      { name: "createTime" },
      { name: "endTime", optional: true },
      { name: "reason" },
      { name: "processDefinitionKey", search: true, optional: true },
    ],
    toolbar: (page) =>
      page.access.hasPermission([operate]) ? (
        <Button type="primary" onClick={() => open({ act: "plan" })}>
          {t("workflow:migration.new")}
        </Button>
      ) : null,
    actions: [
      { key: "result", label: "workflow:migration.result", run: (row) => open({ act: "result", row }) },
      {
        key: "stop",
        label: "workflow:migration.stop",
        permission: operate,
        danger: true,
        hidden: (row) => row.status !== RUNNING,
        run: (row) => open({ act: "stop", row }),
      },
    ],
  };
}

/** Migrations of running instances: a new one is tried first, then followed to its end. */
export default function MigrationPage() {
  const { t: text } = useTranslation("workflow");
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog), []);
  const page = useCrudPage<Migration>(migrationEntity, options);
  const { refresh } = page;
  const running = page.list.rows.some((row) => row.status === RUNNING);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void refresh(), POLL);
    return () => clearInterval(timer);
  }, [running, refresh]);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={page} options={options} name="bpm/migration" />
      <Suspense fallback={null}>
        {dialog?.act === "plan" ? <PlanDrawer onDone={refresh} onClose={close} /> : null}
        {dialog?.act === "result" ? <ResultDrawer migration={dialog.row} onClose={close} /> : null}
      </Suspense>
      {dialog?.act === "stop" ? (
        <ReasonDialog
          title={text("migration.stopTitle", { name: dialog.row.name })}
          about={text("migration.stopAbout")}
          okText={text("migration.stop")}
          danger
          onClose={close}
          onSubmit={async (reason, key) => {
            await stopMigration(dialog.row.id, reason, key);
            toast.success(text("migration.stopped"));
            await refresh();
          }}
        />
      ) : null}
    </>
  );
}
