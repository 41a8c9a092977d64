import { Form, Input, Radio } from "antd";
import { useState } from "react";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { type FieldRow, fieldElements, fieldRow } from "../kit/fieldRows";
import { RowTable } from "../kit/RowTable";
import { useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

/** The values injected into the handler of an element. */
export function FieldInjection({ of }: { of: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<FieldRow | null>(null);
  const present = extensions(scope, of, "Field");
  const save = async (values: FieldRow) => {
    if (edited?.at === undefined) {
      apply(scope, addExtension(scope, of, ...fieldElements(scope, [], [values]).list));
      return;
    }
    apply(scope, fieldElements(scope, present, [{ ...values, at: edited.at }]).changes);
  };
  return (
    <>
      <h3 className="panel-sub">{t("field.title")}</h3>
      <RowTable
        label={t("field.title")}
        rows={present.map(fieldRow)}
        columns={[
          { title: t("field.name"), cell: (row) => row.name },
          { title: t("field.type"), cell: (row) => t(`field.types.${row.fieldType}`) },
          { title: t("field.value"), cell: (row) => row.value },
        ]}
        nameOf={(row) => row.name}
        addText={t("field.add")}
        ask={t("field.ask")}
        onAdd={() => setEdited({ name: "", fieldType: "string", value: "" })}
        onEdit={setEdited}
        onRemove={(_, at) => apply(scope, removeExtension(scope, of, present[at] as ModdleElement))}
      />
      {edited ? (
        <ActDialog<FieldRow>
          open
          title={t(edited.at === undefined ? "field.add" : "field.edit")}
          okText={t("table.save")}
          width={600}
          initial={edited}
          onSubmit={save}
          onClose={() => setEdited(null)}
        >
          <FieldItems />
        </ActDialog>
      ) : null}
    </>
  );
}

/** Name, type and value of one injected field. */
function FieldItems() {
  const { t } = useTranslation("panel");
  return (
    <>
      <Form.Item
        name="name"
        label={t("field.name")}
        rules={[{ required: true, whitespace: true, message: t("field.nameEmpty") }]}
      >
        <Input />
      </Form.Item>
      <Form.Item name="fieldType" label={t("field.type")} rules={[{ required: true }]}>
        <Radio.Group
          options={["string", "expression"].map((value) => ({ value, label: t(`field.types.${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        name="value"
        label={t("field.value")}
        rules={[{ required: true, message: t("field.valueEmpty") }]}
      >
        <Input />
      </Form.Item>
    </>
  );
}
