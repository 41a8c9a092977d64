import { Button } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { useAccess } from "@/kernel/access";
import { type ColumnSpec, type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import type { Student } from "./calls";

// Fetched when they are asked for.
const AssignAdvisor = lazy(() =>
  import("./AssignAdvisor").then((module) => ({ default: module.AssignAdvisor })),
);
const RealName = lazy(() => import("./RealName").then((module) => ({ default: module.RealName })));
const StudentImportDialog = lazy(() =>
  import("./StudentImport").then((module) => ({ default: module.StudentImportDialog })),
);

const name = "thesis/students";
const entity = entityOf(name);

const columns: ColumnSpec<Student>[] = [
  { name: "studentNo", search: true, half: true, width: 130, help: "academic:student.noHelp" },
  { name: "name", search: true, half: true, width: 110 },
  { name: "pinyin", table: false, half: true },
  { name: "sex", optional: true, half: true },
  { name: "deptId", search: true, half: true, width: 150, render: (_, row) => row.deptName },
  { name: "majorId", search: true, half: true, width: 170, render: (_, row) => row.majorName },
  { name: "degreeLevel", search: true, half: true },
  { name: "degreeType", optional: true, half: true },
  { name: "studyMode", optional: true, half: true, initial: 1 },
  { name: "entryYear", search: true, half: true, render: (value) => String(value ?? "") },
  { name: "entrySemester", table: false, half: true, help: "academic:student.semesterHelp" },
  { name: "advisorId", search: true, width: 110, render: (_, row) => row.advisorName },
  { name: "lifeState", search: true, half: true, initial: 1 },
  { name: "realNameState", search: true },
  { name: "baseMonths", table: false, half: true, initial: 36 },
  { name: "maxMonths", table: false, half: true, initial: 60, help: "academic:student.maxHelp" },
  { name: "suspendedDays", table: false, detail: true },
  { name: "mobile", optional: true, half: true },
  { name: "email", optional: true, half: true },
  { name: "researchField", optional: true, half: true, help: "academic:student.fieldHelp" },
  { name: "feeCleared", optional: true, half: true, initial: false },
];

type Dialog = { kind: "assign"; students: Student[] } | { kind: "realName"; student: Student } | null;

function optionsOf(show: (dialog: Dialog) => void, importing: () => void): CrudOptions<Student> {
  return {
    ns: "academic",
    description: "academic:student.about",
    columns,
    actions: [
      {
        key: "assign",
        label: "academic:student.assign",
        permission: "thesis:supervision:update",
        run: (row) => show({ kind: "assign", students: [row] }),
      },
      {
        key: "realName",
        label: "academic:student.realName",
        permission: "thesis:students:update",
        run: (row) => show({ kind: "realName", student: row }),
      },
    ],
    batch: (page) => (
      <BatchAssign
        allowed={page.access.hasPermission(["thesis:supervision:update"])}
        onClick={() => show({ kind: "assign", students: page.selected })}
      />
    ),
    toolbar: () => <ImportButton onClick={importing} />,
  };
}

/** The roll of students: search, details, advisor, real name, import. */
export default function StudentPage() {
  useTranslation("academic");
  const [dialog, setDialog] = useState<Dialog>(null);
  const [importing, setImporting] = useState(false);
  const options = useMemo(() => optionsOf(setDialog, () => setImporting(true)), []);
  const page = useCrudPage<Student>(entity, options);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={page} options={options} name={name} />
      <Suspense fallback={null}>
        {dialog?.kind === "assign" ? (
          <AssignAdvisor students={dialog.students} onDone={page.refresh} onClose={close} />
        ) : null}
        {dialog?.kind === "realName" ? (
          <RealName student={dialog.student} onDone={page.refresh} onClose={close} />
        ) : null}
        {importing ? <StudentImportDialog onDone={page.refresh} onClose={() => setImporting(false)} /> : null}
      </Suspense>
    </>
  );
}

function BatchAssign({ allowed, onClick }: { allowed: boolean; onClick: () => void }) {
  const { t } = useTranslation("academic");
  return allowed ? <Button onClick={onClick}>{t("student.assignMany")}</Button> : null;
}

function ImportButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation("academic");
  const access = useAccess();
  if (!access.hasPermission(["thesis:students:import"])) return null;
  return <Button onClick={onClick}>{t("student.import")}</Button>;
}
