import { lazy, Suspense, useMemo, useState } from "react";
import {
  type BaseRow,
  type ColumnSpec,
  type CrudOptions,
  CrudPage,
  entityOf,
  useCrudPage,
} from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { StudentSelect } from "./StudentSelect";

interface Supervision extends BaseRow {
  studentId: number;
  studentNo: string;
  studentName: string;
  deptId: number;
  advisorId: number;
  advisorName: string;
  role: number;
  startDate: string;
  endDate: string;
  reason: string;
}

// Fetched when it is asked for.
const EndSupervision = lazy(() =>
  import("./EndSupervision").then((module) => ({ default: module.EndSupervision })),
);

const name = "thesis/supervision";
const entity = entityOf(name);

const columns: ColumnSpec<Supervision>[] = [
  {
    name: "studentId",
    table: false,
    detail: false,
    help: "academic:supervision.studentHelp",
    input: ({ id, value, onChange }) => <StudentSelect id={id} value={value} onChange={onChange} />,
  },
  { name: "studentName", search: true },
  { name: "studentNo", search: true },
  { name: "advisorId", search: true, half: true, render: (_, row) => row.advisorName },
  { name: "role", search: true, half: true, initial: 1 },
  { name: "deptId", search: true },
  { name: "startDate", half: true, help: "academic:supervision.startHelp" },
  { name: "endDate" },
  { name: "reason", optional: true },
];

const nameOf = (row: Supervision) => `${row.studentName} – ${row.advisorName}`;

function optionsOf(end: (row: Supervision) => void): CrudOptions<Supervision> {
  return {
    ns: "academic",
    description: "academic:supervision.about",
    columns,
    nameOf,
    actions: [
      {
        key: "end",
        label: "academic:supervision.end",
        permission: "thesis:supervision:update",
        danger: true,
        hidden: (row) => row.endDate !== "",
        run: end,
      },
    ],
  };
}

/** Who supervises whom, now and before; relations end, they are never deleted. */
export default function SupervisionPage() {
  useTranslation("academic");
  const [ending, setEnding] = useState<Supervision | null>(null);
  const options = useMemo(() => optionsOf(setEnding), []);
  const page = useCrudPage<Supervision>(entity, options);
  return (
    <>
      <CrudPage page={page} options={options} name={name} />
      <Suspense fallback={null}>
        {ending ? (
          <EndSupervision
            id={ending.id}
            student={ending.studentName}
            advisor={ending.advisorName}
            onDone={page.refresh}
            onClose={() => setEnding(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
