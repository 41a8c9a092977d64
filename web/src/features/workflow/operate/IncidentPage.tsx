import { useQuery } from "@tanstack/react-query";
import { Button, Select, Skeleton, Tag } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { type CrudOptions, CrudPage, type CrudPageHandle, type RowAction, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { incidentDetail } from "./calls";
import { incidentEntity } from "./entity";
import { BatchRetryDialog, RetryDialog, SkipDialog } from "./IncidentDialogs";
import { elementText, type Incident } from "./wire";
import "./operate.css";

const ManageDrawer = lazy(() => import("./ManageDrawer").then((part) => ({ default: part.ManageDrawer })));

type Dialog = { act: "retry" | "skip" | "variables"; row: Incident } | { act: "batch"; rows: Incident[] };

const operate = "bpm:process-instance:manager-update";
const kinds = ["job", "expression", "flow", "handler", "error"] as const;

function actionsOf(open: (dialog: Dialog) => void): RowAction<Incident>[] {
  const opens = (act: "retry" | "skip" | "variables") => (row: Incident) => open({ act, row });
  const standing = (row: Incident) => (row.suspended ? t("workflow:operate.standing") : "");
  return [
    { key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) },
    {
      key: "retry",
      label: "workflow:incident.retry",
      permission: operate,
      locked: standing,
      run: opens("retry"),
    },
    { key: "variables", label: "workflow:operate.manage", run: opens("variables") },
    {
      key: "skip",
      label: "workflow:incident.skip",
      permission: operate,
      danger: true,
      locked: standing,
      run: opens("skip"),
    },
  ];
}

function optionsOf(open: (dialog: Dialog) => void): CrudOptions<Incident> {
  return {
    ns: "workflow",
    description: "workflow:incident.about",
    nameOf: (row) => `${row.processInstanceName} · ${elementText(row)}`,
    columns: [
      { name: "processInstanceName" },
      { name: "elementName", width: 160, render: (_, row) => elementText(row) },
      {
        name: "kind",
        width: 130,
        render: (_, row) => <Tag color="error">{t(`workflow:incident.kind.${row.kind}`)}</Tag>,
      },
      {
        name: "message",
        width: 260,
        render: (_, row) => <span className="op-cause">{row.message}</span>,
      },
      { name: "createTime", search: "range" },
      { name: "processName", width: 160, render: (_, row) => `${row.processName} v${row.version}` },
      // Filters whose values stand in other columns.
      { name: "name", search: true, table: false, detail: false },
      { name: "processDefinitionKey", search: true, table: false, detail: false },
    ],
    toolbar: (page) => <KindFilter page={page} />,
    batch: (page) => (
      <Button onClick={() => open({ act: "batch", rows: page.selected })}>
        {t("workflow:incident.retrySelected")}
      </Button>
    ),
    detailExtra: (row) => <Attempts incident={row} />,
    actions: actionsOf(open),
  };
}

/** Processes that cannot go on by themselves, and what can be done about each. */
export default function IncidentPage() {
  useTranslation("workflow");
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog), []);
  const page = useCrudPage<Incident>(incidentEntity, options);
  const may = page.access.hasPermission([operate]);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view" ? { ...action, hidden: (row: Incident) => row.id === page.detail?.id } : action,
  );
  const ends = {
    onClose: () => setDialog(null),
    onDone: async () => {
      page.select([]);
      page.closeDetail();
      await page.refresh();
    },
  };
  return (
    <>
      <CrudPage
        page={{ ...page, actions }}
        options={may ? options : { ...options, batch: undefined }}
        name="bpm/incident"
      />
      <Suspense fallback={null}>
        {dialog?.act === "retry" ? <RetryDialog incident={dialog.row} {...ends} /> : null}
        {dialog?.act === "skip" ? <SkipDialog incident={dialog.row} {...ends} /> : null}
        {dialog?.act === "batch" ? <BatchRetryDialog incidents={dialog.rows} {...ends} /> : null}
        {dialog?.act === "variables" ? (
          <ManageDrawer
            tab="variables"
            instance={{ id: dialog.row.processInstanceId, name: dialog.row.processInstanceName }}
            onClose={ends.onClose}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function KindFilter({ page }: { page: CrudPageHandle<Incident> }) {
  const { t: text } = useTranslation("workflow");
  const { kind = "", ...rest } = page.list.state.filters;
  return (
    <Select<string>
      aria-label={text("incident.kindFilter")}
      style={{ width: 150 }}
      value={String(kind)}
      onChange={(next) => page.list.setFilters(next ? { ...rest, kind: next } : rest)}
      options={[
        { value: "", label: text("incident.allKinds") },
        ...kinds.map((one) => ({ value: one, label: text(`incident.kind.${one}`) })),
      ]}
    />
  );
}

/** What was tried so far at the place of an incident. */
function Attempts({ incident }: { incident: Incident }) {
  const { t: text } = useTranslation("workflow");
  const { data, error, isPending } = useQuery({
    queryKey: ["/bpm/incident", "get", incident.id],
    queryFn: ({ signal }) => incidentDetail(incident.id, signal),
    retry: false,
  });
  return (
    <section aria-label={text("incident.attempts")}>
      <h3 style={{ fontSize: 16 }}>{text("incident.attempts")}</h3>
      {isPending ? <Skeleton active title={false} /> : null}
      {error ? <p role="alert">{errorText(error)}</p> : null}
      <ol>
        {(data?.attempts ?? []).map((attempt) => (
          <li key={`${attempt.time} ${attempt.message}`}>
            <TimeText value={attempt.time} pattern="YYYY-MM-DD HH:mm:ss" />
            <p className="op-cause">{attempt.message}</p>
            {attempt.detail ? <code className="op-value">{attempt.detail}</code> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
