import { Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import type { Subject } from "../shared/subjectWire";
import "../thesis.css";
import { useViewAction } from "../shared/useViewAction";

const hidden = { detail: false } as const;

// Fetched when the first row is opened.
const DecisionView = lazy(() =>
  import("../decide/DecisionView").then((module) => ({ default: module.DecisionView })),
);

const name = "thesis/students-subject";
const entity = entityOf(name);

const base: CrudOptions<Subject> = {
  ns: "thesis",
  title: "thesis:subjects.page",
  description: "thesis:subjects.about",
  nameOf: (row) => `${row.studentName} ${row.titleZh}`,
  columns: [
    { name: "titleZh", search: true, width: 280, ...hidden },
    { name: "auditState", search: true, width: 130, ...hidden },
    { name: "studentName", search: true, width: 110, ...hidden },
    { name: "studentNo", search: true, width: 130, ...hidden },
    { name: "deptId", search: true, width: 160, ...hidden, render: (_, row) => row.deptName },
    { name: "majorName", optional: true, ...hidden },
    { name: "advisorName", width: 110, ...hidden },
    { name: "degreeLevel", search: true, width: 90, ...hidden },
    { name: "entryYear", search: true, optional: true, ...hidden, render: (value) => String(value ?? "") },
    { name: "thesisType", search: true, optional: true, ...hidden },
    { name: "thesisSource", search: true, optional: true, ...hidden },
    { name: "selfProposed", search: true, optional: true, ...hidden },
    { name: "submittedAt", search: "range", width: 160, ...hidden },
    { name: "submitNo", optional: true, ...hidden },
    {
      name: "lateFlag",
      search: true,
      optional: true,
      ...hidden,
      render: (value, row) =>
        row.submittedAt > 0 ? <DictTag type="thesis_late_flag" value={value} /> : null,
    },
    { name: "receiptNo", optional: true, ...hidden },
  ],
  detailExtra: (row, page) => (
    <Suspense fallback={<Skeleton active />}>
      <DecisionView key={row.id} id={row.id} onDecided={() => void page.refresh()} />
    </Suspense>
  ),
};

/** Every declaration in the reader's scope; the detail is the whole file, with the decision when it is his. */
export default function SubjectsPage() {
  useTranslation("thesis");
  const { options, shown } = useViewAction(base);
  const page = useCrudPage<Subject>(entity, options);
  shown.id = page.detail?.id ?? 0;
  return <CrudPage page={page} options={options} name={name} />;
}
