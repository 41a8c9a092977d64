import { Tag } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { definitionXml, saveXml } from "./calls";
import { formText } from "./columns";
import { ACTIVE, type Definition, definitionEntity } from "./entity";

const RuleDrawer = lazy(() => import("./RuleDrawer").then((part) => ({ default: part.RuleDrawer })));
const DiagramDialog = lazy(() =>
  import("../viewer/DiagramDialog").then((part) => ({ default: part.DiagramDialog })),
);
const XmlDialog = lazy(() => import("./XmlDialog").then((part) => ({ default: part.XmlDialog })));

interface Dialog {
  act: "diagram" | "rules" | "xml";
  row: Definition;
}

const versionName = (row: Definition) => `${row.name} v${row.version}`;

function optionsOf(open: (dialog: Dialog) => void): CrudOptions<Definition> {
  return {
    ns: "workflow",
    description: "workflow:definition.about",
    nameOf: versionName,
    columns: [
      { name: "name" },
      { name: "key", search: true, width: 160 },
      { name: "version", width: 80, render: (value) => `v${value}` },
      {
        name: "suspensionState",
        width: 100,
        render: (value) => (
          <Tag color={value === ACTIVE ? "success" : "default"}>
            {t(value === ACTIVE ? "workflow:model.active" : "workflow:model.suspended")}
          </Tag>
        ),
      },
      { name: "deploymentTime" },
      { name: "categoryName", width: 130 },
      { name: "formName", render: (_, row) => formText(row) },
      { name: "description", optional: true },
      { name: "id", optional: true, width: 260 },
    ],
    actions: [
      { key: "diagram", label: "workflow:viewer.act", run: (row) => open({ act: "diagram", row }) },
      {
        key: "rules",
        label: "workflow:rule.act",
        permission: "bpm:task-assign-rule:query",
        run: (row) => open({ act: "rules", row }),
      },
      { key: "xml", label: "workflow:xml.act", run: (row) => open({ act: "xml", row }) },
      {
        key: "download",
        label: "workflow:xml.download",
        run: async (row) => {
          await definitionXml(row.id).then((xml) => saveXml(xml, versionName(row)), console.error);
        },
      },
    ],
  };
}

/** The deployed versions of processes: what each was, and whether it can be started. */
export default function DefinitionPage() {
  useTranslation("workflow");
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const options = useMemo(() => optionsOf(setDialog), []);
  const page = useCrudPage<Definition>(definitionEntity, options);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={page} options={options} name="bpm/process-definition" />
      <Suspense fallback={null}>
        {dialog?.act === "diagram" ? (
          <DiagramDialog
            name={versionName(dialog.row)}
            load={() => definitionXml(dialog.row.id)}
            onClose={close}
          />
        ) : null}
        {dialog?.act === "xml" ? (
          <XmlDialog
            title={t("workflow:xml.title", { name: versionName(dialog.row) })}
            name={versionName(dialog.row)}
            load={() => definitionXml(dialog.row.id)}
            onClose={close}
          />
        ) : null}
        {dialog?.act === "rules" ? (
          <RuleDrawer
            owner={{ processDefinitionId: dialog.row.id, name: versionName(dialog.row) }}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  );
}
