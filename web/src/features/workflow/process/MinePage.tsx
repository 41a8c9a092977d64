import { Button } from "antd";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { type ColumnSpec, type CrudOptions, CrudPage, type RowAction, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { personText } from "../instance/duration";
import { CategoryFilter } from "../model/CategoryFilter";
import { cancelProcess, urgeProcess } from "./calls";
import { ProcessName, Summary } from "./cells";
import { mineEntity } from "./entities";
import { instancePath, startPath } from "./paths";
import { ReasonDialog } from "./ReasonDialog";
import { useFreshOnReturn } from "./useFreshOnReturn";
import { type ProcessRow, RUNNING } from "./wire";

interface Dialog {
  act: "cancel" | "urge";
  row: ProcessRow;
}

const ended = (row: ProcessRow) => row.status !== RUNNING;

const standsStill = (row: ProcessRow) => (row.suspended ? t("workflow:process.suspendedWhy") : "");

const columns: ColumnSpec<ProcessRow>[] = [
  { name: "name", search: true, render: (_, row) => <ProcessName {...row} /> },
  { name: "status", search: true },
  { name: "tasks", width: 220, render: (_, row) => <Steps row={row} /> },
  { name: "summary", width: 220, render: (_, row) => <Summary items={row.summary} /> },
  { name: "category", width: 120, render: (_, row) => row.categoryName || row.category },
  { name: "createTime", search: "range" },
  { name: "endTime" },
];

/** Where it stands and who holds it; of what ended, why. */
function Steps({ row }: { row: ProcessRow }) {
  if (ended(row)) return <span className="pr-quiet">{row.reason}</span>;
  return (
    <ul className="pr-summary">
      {row.tasks.map((task) => (
        <li key={task.id}>
          {task.name} <span className="pr-quiet">{personText(task.assigneeUser)}</span>
        </li>
      ))}
    </ul>
  );
}

function actionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): RowAction<ProcessRow>[] {
  return [
    { key: "look", label: "workflow:process.look", run: (row) => go(instancePath(row.id)) },
    {
      key: "urge",
      label: "workflow:process.urge",
      hidden: ended,
      locked: standsStill,
      run: (row) => open({ act: "urge", row }),
    },
    {
      key: "cancel",
      label: "workflow:process.cancel",
      permission: "bpm:process-instance:cancel",
      danger: true,
      hidden: ended,
      locked: (row) => standsStill(row) || (row.mayCancel ? "" : t("workflow:process.cancelWhy")),
      run: (row) => open({ act: "cancel", row }),
    },
    {
      key: "again",
      label: "workflow:process.again",
      permission: "bpm:process-instance:create",
      run: (row) => go(startPath(row.processDefinitionKey, row.id)),
    },
  ];
}

/** The processes I started: where each stands, and what I can do about it. */
export default function MinePage() {
  const { t: text } = useTranslation("workflow");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo<CrudOptions<ProcessRow>>(() => {
    const go = (path: string) => void navigate(path);
    return {
      ns: "workflow",
      columns,
      actions: actionsOf(setDialog, go),
      empty: { title: "workflow:process.mineNone", hint: "workflow:process.mineNoneHint" },
      toolbar: (page) => (
        <>
          <CategoryFilter page={page} />
          {page.access.hasPermission(["bpm:process-instance:create"]) ? (
            <Button type="primary" onClick={() => go("/bpm/task/create")}>
              {t("workflow:process.start")}
            </Button>
          ) : null}
        </>
      ),
    };
  }, [navigate]);
  const page = useCrudPage<ProcessRow>(mineEntity, options);
  const { refresh } = page;
  useFreshOnReturn(refresh);
  const close = () => setDialog(null);
  const openDetail = (row: ProcessRow) => void navigate(instancePath(row.id));
  return (
    <>
      <CrudPage page={{ ...page, openDetail }} options={options} name="bpm/process-instance/my" />
      {dialog?.act === "urge" ? (
        <ReasonDialog
          title={text("process.urgeTitle", { name: dialog.row.name })}
          okText={text("process.urge")}
          about={text("process.urgeAbout")}
          label={text("process.urgeLabel")}
          max={200}
          onSubmit={async (reason, key) => {
            await urgeProcess(dialog.row.id, reason, key);
            toast.success(text("process.urged"));
          }}
          onClose={close}
        />
      ) : null}
      {dialog?.act === "cancel" ? (
        <ReasonDialog
          title={text("process.cancelTitle", { name: dialog.row.name })}
          okText={text("process.cancel")}
          about={text("process.cancelAbout")}
          label={text("process.cancelLabel")}
          max={500}
          required
          danger
          onSubmit={async (reason, key) => {
            await cancelProcess(dialog.row.id, reason, key);
            toast.success(text("process.cancelled", { name: dialog.row.name }));
            await refresh();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}
