import { Tag } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { type CrudOptions, CrudPage, type RowAction, useCrudPage } from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { durationText, personText } from "../instance/duration";
import { ProcessNumber } from "../process/cells";
import { setInstanceState, terminate } from "./calls";
import { instanceEntity } from "./entity";
import { ReasonDialog } from "./ReasonDialog";
import { ACTIVATE, type Instance, SUSPEND } from "./wire";

const ManageDrawer = lazy(() => import("./ManageDrawer").then((part) => ({ default: part.ManageDrawer })));

type Act = "manage" | "suspend" | "activate" | "terminate";
interface Dialog {
  act: Act;
  row: Instance;
}

const operate = "bpm:process-instance:manager-update";
const over = (row: Instance) => row.endTime !== null;

function actionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): RowAction<Instance>[] {
  const opens = (act: Act) => (row: Instance) => open({ act, row });
  return [
    {
      key: "detail",
      label: "workflow:operate.detail",
      run: (row) => go(`/bpm/process-instance/detail?id=${row.id}`),
    },
    { key: "manage", label: "workflow:operate.manage", run: opens("manage") },
    {
      key: "suspend",
      label: "workflow:operate.suspend",
      permission: operate,
      hidden: (row) => over(row) || row.suspended,
      run: opens("suspend"),
    },
    {
      key: "activate",
      label: "workflow:operate.activate",
      permission: operate,
      hidden: (row) => over(row) || !row.suspended,
      run: opens("activate"),
    },
    {
      key: "terminate",
      label: "workflow:operate.terminate",
      permission: "bpm:process-instance:cancel-by-admin",
      danger: true,
      hidden: over,
      run: opens("terminate"),
    },
  ];
}

/** Who is to decide; a process that runs without tasks waits for something else. */
function OpenTasks({ row }: { row: Instance }) {
  if (!over(row) && row.tasks.length === 0) return <Tag>{t("workflow:operate.noTasks")}</Tag>;
  return row.tasks.map((task) => (
    <div key={task.id}>
      {task.name} {task.assigneeUser?.nickname ?? t("workflow:operate.nobody")}
    </div>
  ));
}

function optionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): CrudOptions<Instance> {
  return {
    ns: "workflow",
    description: "workflow:operate.about",
    columns: [
      {
        name: "name",
        search: true,
        render: (_, row) => (
          <>
            {row.name}
            <ProcessNumber number={row.number} />
          </>
        ),
      },
      {
        name: "status",
        search: true,
        width: 150,
        render: (_, row) => (
          <>
            <DictTag type="bpm_process_instance_status" value={row.status} />
            {row.suspended ? <Tag color="warning">{t("workflow:operate.suspended")}</Tag> : null}
          </>
        ),
      },
      {
        name: "tasks",
        width: 220,
        render: (_, row) => <OpenTasks row={row} />,
      },
      { name: "startUserId", search: true, width: 150, render: (_, row) => personText(row.startUser) },
      { name: "createTime", search: "range" },
      {
        name: "durationInMillis",
        width: 120,
        render: (_, row) => (row.durationInMillis === null ? null : durationText(row.durationInMillis)),
      },
      { name: "endTime", optional: true },
      { name: "processDefinitionKey", search: true, optional: true, width: 140 },
      { name: "categoryName", optional: true },
      { name: "reason", optional: true },
      { name: "id", optional: true, width: 300 },
    ],
    actions: actionsOf(open, go),
  };
}

/** All instances of the tenant: look into one, stop it for a while, or end it. */
export default function InstancePage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog, (path) => void navigate(path)), [navigate]);
  const page = useCrudPage<Instance>(instanceEntity, options);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={page} options={options} name="bpm/process-instance" />
      <Suspense fallback={null}>
        {dialog?.act === "manage" ? <ManageDrawer instance={dialog.row} onClose={close} /> : null}
        {dialog && dialog.act !== "manage" ? (
          <StateDialog act={dialog.act} row={dialog.row} onDone={page.refresh} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}

interface StateProps {
  act: Exclude<Act, "manage">;
  row: Instance;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Suspends, activates or terminates one instance. */
function StateDialog({ act, row, onDone, onClose }: StateProps) {
  const { t: text } = useTranslation("workflow");
  const run = (reason: string, key: string) =>
    act === "terminate"
      ? terminate(row.id, reason, key)
      : setInstanceState(row.id, act === "suspend" ? SUSPEND : ACTIVATE, reason, key);
  return (
    <ReasonDialog
      title={text(`operate.${act}Title`, { name: row.name })}
      about={text(`operate.${act}About`)}
      okText={text(`operate.${act}`)}
      danger={act !== "activate"}
      onClose={onClose}
      onSubmit={async (reason, key) => {
        await run(reason, key);
        toast.success(text(`operate.${act}Done`, { name: row.name }));
        await onDone();
      }}
    />
  );
}
