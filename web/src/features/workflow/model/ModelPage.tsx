import { Button } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { type CrudOptions, CrudPage, type CrudPageHandle, type RowAction, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { CategorySelect } from "./CategorySelect";
import { clean, modelXml } from "./calls";
import { modelColumns, StateSwitch } from "./columns";
import { type Model, modelEntity } from "./entity";

// Fetched when they are asked for.
const DeployDialog = lazy(() => import("./DeployDialog").then((part) => ({ default: part.DeployDialog })));
const ModelImport = lazy(() => import("./ModelImport").then((part) => ({ default: part.ModelImport })));
const RuleDrawer = lazy(() => import("./RuleDrawer").then((part) => ({ default: part.RuleDrawer })));
const SettingsDrawer = lazy(() =>
  import("./settings/SettingsDrawer").then((part) => ({ default: part.SettingsDrawer })),
);
const DiagramDialog = lazy(() =>
  import("../viewer/DiagramDialog").then((part) => ({ default: part.DiagramDialog })),
);
const XmlDialog = lazy(() => import("./XmlDialog").then((part) => ({ default: part.XmlDialog })));

type Act = "deploy" | "settings" | "replace" | "rules" | "diagram" | "xml";
type Dialog = { act: Act; model: Model } | { act: "import" };

const order = [
  "design",
  "deploy",
  "rules",
  "settings",
  "edit",
  "replace",
  "diagram",
  "xml",
  "versions",
  "clean",
  "remove",
];

const noDiagram = (row: Model) => (row.hasDiagram ? "" : t("workflow:model.noDiagram"));

function actionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): RowAction<Model>[] {
  const opens = (act: Act) => (model: Model) => open({ act, model });
  return [
    {
      key: "design",
      label: "workflow:model.design",
      permission: "bpm:model:update",
      run: ({ id }) => go(`/bpm/manager/model/design?id=${encodeURIComponent(id)}`),
    },
    { key: "deploy", label: "workflow:deploy.act", permission: "bpm:model:deploy", run: opens("deploy") },
    {
      key: "rules",
      label: "workflow:rule.act",
      permission: "bpm:task-assign-rule:query",
      locked: noDiagram,
      run: opens("rules"),
    },
    {
      key: "settings",
      label: "workflow:settings.act",
      permission: "bpm:model:update",
      run: opens("settings"),
    },
    {
      key: "replace",
      label: "workflow:diagram.replace",
      permission: "bpm:model:update",
      run: opens("replace"),
    },
    { key: "diagram", label: "workflow:viewer.act", locked: noDiagram, run: opens("diagram") },
    { key: "xml", label: "workflow:xml.act", locked: noDiagram, run: opens("xml") },
    {
      key: "versions",
      label: "workflow:model.versions",
      permission: "bpm:process-definition:query",
      locked: (row) => (row.processDefinition ? "" : t("workflow:model.noVersion")),
      run: (row) => go(`/bpm/manager/definition?key=${encodeURIComponent(row.key)}`),
    },
    {
      key: "clean",
      label: "workflow:model.clean",
      permission: "bpm:model:clean",
      danger: true,
      locked: (row) => (row.processDefinition ? "" : t("workflow:model.noVersion")),
      run: cleanAfterAsking,
    },
  ];
}

async function cleanAfterAsking({ id, name }: Model): Promise<void> {
  const content = t("workflow:model.cleanAsk", { name });
  if (!(await confirmBox({ content, okText: t("workflow:model.clean"), danger: true }))) return;
  await clean(id);
  toast.success(t("workflow:model.cleaning", { name }));
}

function optionsOf(open: (dialog: Dialog) => void, go: (path: string) => void): CrudOptions<Model> {
  return {
    ns: "workflow",
    description: "workflow:model.about",
    columns: modelColumns((row) => <StateSwitch row={row} />),
    actions: actionsOf(open, go),
    toolbar: (page) => (
      <>
        <CategoryFilter page={page} />
        {page.access.hasPermission(["bpm:model:import"]) ? (
          <Button onClick={() => open({ act: "import" })}>{t("workflow:diagram.import")}</Button>
        ) : null}
      </>
    ),
  };
}

/** Processes as they are designed: import, assign, deploy, suspend. */
export default function ModelPage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog, (path) => void navigate(path)), [navigate]);
  const page = useCrudPage<Model>(modelEntity, options);
  const { refresh } = page;
  const maySwitch = page.allowed("update");
  const columns = page.columns.map((column) =>
    column.name === "hasDiagram" && maySwitch
      ? { ...column, render: (_: unknown, row: Model) => <StateSwitch row={row} onChanged={refresh} /> }
      : column,
  );
  // What is done most stands beside the row, the rest in its menu.
  const actions = page.actions.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  return (
    <>
      <CrudPage page={{ ...page, columns, actions }} options={options} name="bpm/model" />
      <Suspense fallback={null}>
        {dialog ? <Opened dialog={dialog} onDone={refresh} onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  );
}

interface OpenedProps {
  dialog: Dialog;
  onDone: () => Promise<void>;
  onClose: () => void;
}

function Opened({ dialog, ...ends }: OpenedProps) {
  switch (dialog.act) {
    case "import":
      return <ModelImport target={null} {...ends} />;
    case "replace":
      return <ModelImport target={dialog.model} {...ends} />;
    case "deploy":
      return <DeployDialog model={dialog.model} {...ends} />;
    case "rules":
      return <RuleDrawer owner={{ modelId: dialog.model.id, name: dialog.model.name }} {...ends} />;
    case "settings":
      return <SettingsDrawer model={dialog.model} {...ends} />;
    case "diagram":
      return (
        <DiagramDialog
          name={dialog.model.name}
          load={() => modelXml(dialog.model.id)}
          onClose={ends.onClose}
        />
      );
    case "xml":
      return (
        <XmlDialog
          title={t("workflow:xml.title", { name: dialog.model.name })}
          name={dialog.model.name}
          load={() => modelXml(dialog.model.id)}
          onClose={ends.onClose}
        />
      );
  }
}

function CategoryFilter({ page }: { page: CrudPageHandle<Model> }) {
  const { t: text } = useTranslation("workflow");
  const { category = "", ...rest } = page.list.state.filters;
  return (
    <CategorySelect
      aria-label={text("model.categoryFilter")}
      placeholder={text("model.allCategories")}
      value={String(category)}
      onChange={(next) => page.list.setFilters(next ? { ...rest, category: next } : rest)}
      style={{ width: 160 }}
    />
  );
}
