import { Form } from "antd";
import { useId, useState } from "react";
import { RefSelect } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { apply, set } from "../kit/change";
import { extensions } from "../kit/extensions";
import { SelectField } from "../kit/fields";
import { fieldRemoval, fieldsOf, kindOf, labelOf } from "../kit/formField";
import { RowTable } from "../kit/RowTable";
import { is, text, useScope, vendor } from "../kit/scope";
import { TextField } from "../kit/TextField";
import type { ModdleElement } from "../kit/wire";
import { FieldDialog } from "./FieldDialog";

const NONE = "";

const attributes: readonly Attribute[] = [
  { name: "formRef", for: ["camunda"] },
  {
    name: "formRefBinding",
    kind: "choice",
    label: "binding",
    standard: "",
    choices: ["", "latest", "deployment", "version"],
    for: [],
  },
  { name: "formRefVersion", for: [] },
  { name: "formFieldValidation", for: ["flowable"] },
];

/** The form of a task or of the start: a record, and fields the file describes itself. */
export function FormProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const id = useId();
  const formKey = text(bo, vendor(scope, "formKey"));
  const record = /^[1-9]\d*$/.test(formKey) ? Number(formKey) : undefined;
  const write = (next: string) => set(scope, bo, { [vendor(scope, "formKey")]: next || undefined });
  const hasRef = text(bo, vendor(scope, "formRef")) !== "";
  return (
    <>
      <Form.Item label={t("form.record")} htmlFor={id} help={t("form.recordHelp")}>
        <RefSelect
          id={id}
          path="/bpm/form/list-all-simple"
          value={record}
          onChange={(next) => write(typeof next === "number" ? String(next) : "")}
        />
      </Form.Item>
      <TextField
        label={t("attr.formKey")}
        value={formKey}
        expression="may"
        onCommit={(next) => write(next.trim())}
      />
      <Attributes
        of={bo}
        list={attributes.map((one) => (hasRef && one.for?.length === 0 ? { ...one, for: undefined } : one))}
      />
      {is(bo, "bpmn:StartEvent") ? (
        <Attributes of={bo} list={[{ name: "initiator", help: "initiator" }]} />
      ) : null}
      <BusinessKey />
      <Fields />
    </>
  );
}

/** Which field identifies the business of an instance; an attribute of Camunda's form data. */
function BusinessKey() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [data] = extensions(scope, scope.bo, "FormData");
  if (!data) return null;
  const ids = fieldsOf(scope, scope.bo).map((field) => text(field, "id"));
  return (
    <SelectField
      label={t("form.businessKey")}
      value={text(data, "businessKey")}
      options={[{ value: NONE, label: t("form.noKey") }, ...ids.map((value) => ({ value, label: value }))]}
      onChange={(next) => set(scope, data, { businessKey: next === NONE ? undefined : next })}
    />
  );
}

function Fields() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const rows = fieldsOf(scope, scope.bo);
  const typeName = (row: ModdleElement) => {
    const type = text(row, "type");
    return type === "" ? "" : t(`formField.types.${type}`, { defaultValue: type });
  };
  const mixed = new Set(rows.map(kindOf)).size > 1;
  return (
    <>
      <h3 className="panel-sub">{t("form.fields")}</h3>
      {mixed ? <p>{t("form.mixed")}</p> : null}
      <RowTable
        label={t("form.fields")}
        rows={rows}
        columns={[
          { title: t("formField.id"), cell: (row) => text(row, "id") },
          { title: t("formField.label"), cell: labelOf },
          { title: t("formField.type"), cell: typeName },
          {
            title: t("formField.defaultValue"),
            cell: (row) => text(row, "defaultValue") || text(row, "default"),
          },
        ]}
        nameOf={(row) => labelOf(row) || text(row, "id")}
        addText={t("formField.add")}
        ask={t("formField.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(row) => apply(scope, fieldRemoval(scope, scope.bo, row))}
      />
      {edited ? (
        <FieldDialog field={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  );
}
