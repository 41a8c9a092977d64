import { Button } from "antd";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { get, saveBlob } from "@/kernel/api/client";
import { type ColumnSpec, type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { FormCreate } from "./FormCreate";
import { designFileName, writeDesign } from "./formDesign";
import { formEntity, type ProcessForm } from "./useFormRecord";

// Fetched when it is asked for.
const FormImport = lazy(() => import("./FormImport").then((module) => ({ default: module.FormImport })));

const name = "bpm/form";

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

const order = ["design", "edit", "export", "import", "remove"];

async function exportDesign(row: ProcessForm): Promise<void> {
  const form = await get<ProcessForm>("/bpm/form/get", { id: row.id });
  const file = designFileName(form.name);
  saveBlob(new Blob([writeDesign(form)], { type: "application/json" }), file);
  toast.success(t("workflow:form.exported", { file }));
}

function optionsOf(
  startImport: (row: ProcessForm | null) => void,
  design: (id: number) => void,
): CrudOptions<ProcessForm> {
  return {
    ns: "workflow",
    description: "workflow:form.about",
    columns,
    actions: [
      {
        key: "design",
        label: "workflow:form.design",
        permission: "bpm:form:update",
        run: (row) => design(row.id),
      },
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
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  const design = useCallback((id: number) => void navigate(`/bpm/manager/form/edit?id=${id}`), [navigate]);
  const options = useMemo(() => optionsOf((target) => setImporting({ target }), design), [design]);
  const page = useCrudPage<ProcessForm>(formEntity, options);
  const openForm = (row: ProcessForm | null) => (row ? page.openForm(row) : setCreating(true));
  // What is done most stands beside the row, the rest in its menu.
  const actions = page.actions.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  return (
    <>
      <CrudPage page={{ ...page, actions, openForm }} options={options} name={name} />
      <FormCreate open={creating} onCreated={design} onClose={() => setCreating(false)} />
      <Suspense fallback={null}>
        {importing ? (
          <FormImport target={importing.target} onDone={page.refresh} onClose={() => setImporting(null)} />
        ) : null}
      </Suspense>
    </>
  );
}
