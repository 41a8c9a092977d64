import { Skeleton } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { type ColumnSpec, type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { Status } from "../shared/wire";
import type { ThesisRecord } from "./calls";

// Fetched when they are asked for.
const ExtendDialog = lazy(() =>
  import("./ExtendDialog").then((module) => ({ default: module.ExtendDialog })),
);
const WaiveDialog = lazy(() => import("./WaiveDialog").then((module) => ({ default: module.WaiveDialog })));
const RecordHistory = lazy(() =>
  import("./RecordHistory").then((module) => ({ default: module.RecordHistory })),
);

const name = "thesis/record";
const entity = entityOf(name);

const columns: ColumnSpec<ThesisRecord>[] = [
  { name: "studentName", search: true, width: 110 },
  { name: "studentNo", search: true, width: 130 },
  { name: "titleZh", search: true, width: 260 },
  { name: "currentStep", search: true, width: 110 },
  { name: "stepStatus", search: true, width: 110 },
  {
    name: "advisorId",
    search: true,
    width: 110,
    label: "thesis:record.advisor",
    render: (_, row) => row.advisorName,
  },
  { name: "deptId", search: true, width: 160, render: (_, row) => row.deptName },
  { name: "majorName", optional: true },
  { name: "degreeLevel", search: true, optional: true },
  { name: "entryYear", search: true, optional: true, render: (value) => String(value ?? "") },
  { name: "lifeState", search: true, width: 100 },
  { name: "latestEndDate", optional: true },
  { name: "recordNo", search: true, optional: true },
  { name: "titleEn", table: false, detail: true },
  { name: "thesisType", optional: true },
  { name: "thesisSource", optional: true },
];

type Dialog = { kind: "extend" | "waive"; record: ThesisRecord } | null;

const waivable: number[] = [Status.Locked, Status.Open];

function optionsOf(show: (dialog: Dialog) => void): CrudOptions<ThesisRecord> {
  return {
    ns: "thesis",
    title: "thesis:record.page",
    description: "thesis:record.about",
    columns,
    nameOf: (row) => `${row.studentName} ${row.studentNo}`,
    actions: [
      {
        key: "extend",
        label: "thesis:record.extend",
        permission: "thesis:record:override",
        run: (record) => show({ kind: "extend", record }),
      },
      {
        key: "waive",
        label: "thesis:record.waive",
        permission: "thesis:record:waive",
        hidden: (record) => !waivable.includes(record.stepStatus),
        run: (record) => show({ kind: "waive", record }),
      },
    ],
    detailExtra: (row) => (
      <Suspense fallback={<Skeleton active />}>
        <RecordHistory recordId={row.id} />
      </Suspense>
    ),
  };
}

/** The list of theses with the acts of the office. */
export function RecordList() {
  const [dialog, setDialog] = useState<Dialog>(null);
  const options = useMemo(() => optionsOf(setDialog), []);
  const page = useCrudPage<ThesisRecord>(entity, options);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={page} options={options} name={name} />
      <Suspense fallback={null}>
        {dialog?.kind === "extend" ? (
          <ExtendDialog record={dialog.record} onDone={page.refresh} onClose={close} />
        ) : null}
        {dialog?.kind === "waive" ? (
          <WaiveDialog record={dialog.record} onDone={page.refresh} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}
