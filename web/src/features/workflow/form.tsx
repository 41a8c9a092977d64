import { Button } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { get, saveBlob } from "@/kernel/api/client";
import {
  type BaseRow,
  type ColumnSpec,
  type CrudOptions,
  CrudPage,
  entityOf,
  useCrudPage,
} from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { designFileName, type FormDesign, writeDesign } from "./formDesign";

interface ProcessForm extends BaseRow, FormDesign {
  status: number;
  remark: string;
  createTime: number;
}

// Fetched when it is asked for.
const FormImport = lazy(() => import("./FormImport").then((module) => ({ default: module.FormImport })));

const name = "bpm/form";
const entity = entityOf(name);

const columns: ColumnSpec<ProcessForm>[] = [
  { name: "name", search: true },
  {
    name: "fields",
    label: "workflow:form.items",
    form: false,
    width: 100,
    render: (value) => ((value as string[] | null) ?? []).length,
  },
  { name: "status", search: true, initial: 0 },
  { name: "remark" },
  { name: "createTime", search: "range" },
];

const order = ["edit", "export", "import", "remove"];

/** A new form has no items yet; they come with the form designer or from a file. */
const blank = { conf: "{}", fields: [] };

async function exportDesign(row: ProcessForm): Promise<void> {
  const form = await get<ProcessForm>("/bpm/form/get", { id: row.id });
  const file = designFileName(form.name);
  saveBlob(new Blob([writeDesign(form)], { type: "application/json" }), file);
  toast.success(t("workflow:form.exported", { file }));
}

function optionsOf(startImport: (row: ProcessForm | null) => void): CrudOptions<ProcessForm> {
  return {
    ns: "workflow",
    description: "workflow:form.about",
    columns,
    extraBody: (_, row) => (row ? {} : blank),
    actions: [
      {
        key: "export",
        label: "workflow:form.exportOne",
        permission: "bpm:form:export",
        run: (row) => exportDesign(row).catch(console.error),
      },
      { key: "import", label: "workflow:form.replace", permission: "bpm:form:update", run: startImport },
    ],
    toolbar: (page) =>
      page.access.hasPermission(["bpm:form:create"]) ? (
        <Button onClick={() => startImport(null)}>{t("workflow:form.import")}</Button>
      ) : null,
  };
}

/** The forms that processes are started and decided with. */
export default function FormPage() {
  useTranslation("workflow");
  const [importing, setImporting] = useState<{ target: ProcessForm | null } | null>(null);
  const options = useMemo(() => optionsOf((target) => setImporting({ target })), []);
  const page = useCrudPage<ProcessForm>(entity, options);
  // What is done most stands beside the row, the rest in its menu.
  const actions = page.actions.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  return (
    <>
      <CrudPage page={{ ...page, actions }} options={options} name={name} />
      <Suspense fallback={null}>
        {importing ? (
          <FormImport target={importing.target} onDone={page.refresh} onClose={() => setImporting(null)} />
        ) : null}
      </Suspense>
    </>
  );
}
