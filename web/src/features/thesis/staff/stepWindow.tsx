import { Button, Tag } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { useAccess } from "@/kernel/access";
import {
  type BaseRow,
  type ColumnSpec,
  type CrudOptions,
  CrudPage,
  entityOf,
  RefText,
  useCrudPage,
} from "@/kernel/crud";
import { dictLabel } from "@/kernel/dict";
import { t as translate, useTranslation } from "@/kernel/i18n";
import { LevelSelect, LevelText } from "../teacher/topicColumns";
import "../thesis.css";

interface StepWindow extends BaseRow {
  semester: string;
  stepCode: number;
  deptId: number;
  degreeLevel: number;
  openAt: number;
  closeAt: number;
  lateMode: number;
  graceMinutes: number;
}

// Fetched when it is asked for.
const CopySemester = lazy(() =>
  import("./CopySemester").then((module) => ({ default: module.CopySemester })),
);

const name = "thesis/step-window";
const entity = entityOf(name);

/** Where a window stands at a time; the grace minutes still count as open. */
export function windowState(row: StepWindow, now: number): "early" | "open" | "late" | "closed" {
  if (now < row.openAt) return "early";
  if (now <= row.closeAt + row.graceMinutes * 60_000) return "open";
  return row.lateMode === 2 ? "late" : "closed";
}

const colours = { early: "processing", open: "success", late: "warning", closed: "default" } as const;

const columns: ColumnSpec<StepWindow>[] = [
  { name: "stepCode", search: true, half: true },
  { name: "semester", search: true, half: true, width: 200 },
  {
    name: "deptId",
    search: true,
    half: true,
    help: "thesis:window.deptHelp",
    render: (_, row) =>
      row.deptId > 0 ? (
        <RefText path="/system/dept/list-all-simple" value={row.deptId} />
      ) : (
        translate("thesis:window.everybody")
      ),
  },
  {
    name: "degreeLevel",
    label: "thesis:topic.level",
    half: true,
    initial: 0,
    render: (value) => <LevelText value={value} />,
    input: LevelSelect,
  },
  { name: "openAt", half: true },
  { name: "closeAt", half: true },
  {
    name: "id",
    label: "thesis:window.state",
    form: false,
    width: 110,
    render: (_, row) => {
      const state = windowState(row, Date.now());
      return <Tag color={colours[state]}>{translate(`thesis:window.${state}`)}</Tag>;
    },
  },
  { name: "graceMinutes", half: true, optional: true, initial: 10, help: "thesis:window.graceHelp" },
  { name: "lateMode", half: true, optional: true, initial: 1, help: "thesis:window.lateHelp" },
];

function optionsOf(copy: () => void): CrudOptions<StepWindow> {
  return {
    ns: "thesis",
    description: "thesis:window.about",
    columns,
    nameOf: (row) => `${dictLabel("thesis_step", row.stepCode)} ${row.semester}`,
    toolbar: () => <CopyButton onClick={copy} />,
  };
}

/** When each step may be handed in, by semester, college and level. */
export default function StepWindowPage() {
  useTranslation("thesis");
  const [copying, setCopying] = useState(false);
  const options = useMemo(() => optionsOf(() => setCopying(true)), []);
  const page = useCrudPage<StepWindow>(entity, options);
  return (
    <>
      <CrudPage page={page} options={options} name={name} />
      <Suspense fallback={null}>
        {copying ? <CopySemester open onDone={page.refresh} onClose={() => setCopying(false)} /> : null}
      </Suspense>
    </>
  );
}

function CopyButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation("thesis");
  if (!useAccess().hasPermission(["thesis:step-window:create"])) return null;
  return <Button onClick={onClick}>{t("window.copy")}</Button>;
}
