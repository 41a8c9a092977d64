import { Form } from "antd";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { put } from "@/kernel/api/client";
import { useOnce } from "@/kernel/api/useOnce";
import {
  type BaseRow,
  type CrudOptions,
  CrudPage,
  RefSelect,
  type RowAction,
  useCrudPage,
} from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { ActDialog } from "@/kernel/form";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { durationText, personText } from "../instance/duration";
import type { Person } from "../instance/wire";
import { managerTaskEntity } from "./entity";
import { ReasonField } from "./ReasonDialog";

/** The statuses of a task that somebody can decide. */
const OPEN = 1;
const WAITS = 0;

interface ManagerTask extends BaseRow {
  name: string;
  status: number;
  reason: string;
  createTime: number;
  endTime: number | null;
  durationInMillis: number | null;
  assigneeUser: Person | null;
  processInstanceId: string;
  processInstance: { name: string; startUserNickname: string };
  /** A filter. */
  processDefinitionKey?: string;
}

type Act = "assign" | "approve" | "reject";

interface Dialog {
  act: Act;
  row: ManagerTask;
}

const decide = "bpm:task:manager-update";

function locked(row: ManagerTask): string {
  if (row.endTime !== null) return t("workflow:taskManager.closed");
  if (row.status === WAITS) return t("workflow:taskManager.waitsSigners");
  return row.status === OPEN ? "" : t("workflow:taskManager.closed");
}

function actionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): RowAction<ManagerTask>[] {
  const act = (name: Act): RowAction<ManagerTask> => ({
    key: name,
    label: `workflow:taskManager.${name}`,
    permission: decide,
    danger: name === "reject",
    hidden: (row) => row.endTime !== null,
    locked,
    run: (row) => open({ act: name, row }),
  });
  return [
    {
      key: "detail",
      label: "workflow:operate.detail",
      run: (row) => go(`/bpm/process-instance/detail?id=${row.processInstanceId}`),
    },
    act("assign"),
    act("approve"),
    act("reject"),
  ];
}

function optionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): CrudOptions<ManagerTask> {
  return {
    ns: "workflow",
    description: "workflow:taskManager.about",
    columns: [
      { name: "name", search: true },
      {
        name: "processInstance",
        render: (_, row) => (
          <>
            {row.processInstance.name}
            <div style={{ color: "var(--viva-text-secondary)" }}>
              {t("workflow:taskManager.starter", { name: row.processInstance.startUserNickname })}
            </div>
          </>
        ),
      },
      {
        name: "assigneeUser",
        width: 160,
        render: (_, row) => personText(row.assigneeUser) || t("workflow:taskManager.nobody"),
      },
      {
        name: "status",
        search: true,
        width: 120,
        render: (_, row) => <DictTag type="bpm_task_status" value={row.status} />,
      },
      { name: "createTime", search: "range" },
      { name: "endTime" },
      {
        name: "durationInMillis",
        width: 120,
        render: (_, row) => (row.durationInMillis === null ? null : durationText(row.durationInMillis)),
      },
      { name: "reason", optional: true },
      { name: "processDefinitionKey", search: true, table: false, detail: false },
    ],
    actions: actionsOf(open, go),
  };
}

/** All tasks of the tenant; one that nobody decides is given to somebody or decided here. */
export default function TaskPage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog, (path) => void navigate(path)), [navigate]);
  const page = useCrudPage<ManagerTask>(managerTaskEntity, options);
  return (
    <>
      <CrudPage page={page} options={options} name="bpm/manager-task" />
      {dialog ? <DecideDialog {...dialog} onDone={page.refresh} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

interface Values {
  assigneeUserId?: number;
  reason: string;
}

interface DecideProps extends Dialog {
  onDone: () => Promise<void>;
  onClose: () => void;
}

function DecideDialog({ act, row, onDone, onClose }: DecideProps) {
  const { t: text } = useTranslation("workflow");
  const once = useOnce();
  const submit = async (values: Values) => {
    const body = { id: row.id, ...values };
    const idempotencyKey = once.keyOf([act, body]);
    await put<boolean>(`/bpm/task/${act}-by-admin`, body, { silent: true, idempotencyKey });
    toast.success(text(`taskManager.${act}Done`));
    await onDone();
  };
  return (
    <ActDialog<Values>
      open
      title={text(`taskManager.${act}Title`, { name: row.name })}
      about={text(`taskManager.${act}About`)}
      okText={text(`taskManager.${act}`)}
      danger={act === "reject"}
      onSubmit={submit}
      onClose={onClose}
    >
      {act === "assign" ? (
        <Form.Item
          name="assigneeUserId"
          label={text("taskManager.assignTo")}
          rules={[{ required: true, message: text("taskManager.assignMissing") }]}
        >
          <RefSelect path="/system/user/list-all-simple" />
        </Form.Item>
      ) : null}
      <ReasonField />
    </ActDialog>
  );
}
