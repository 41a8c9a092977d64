import { AutoComplete, Checkbox, Form, Input, Select } from "antd";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply } from "../kit/change";
import { FormRows } from "../kit/FormRows";
import {
  CUSTOM,
  type FieldValues,
  fieldChanges,
  fieldsOf,
  fieldTypes,
  fieldValues,
  kindForNew,
  kindOf,
} from "../kit/formField";
import { text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

const constraints = ["required", "readonly", "min", "max", "minlength", "maxlength", "validator"];

interface Props {
  /** Absent for a new one. */
  field?: ModdleElement;
  onClose: () => void;
}

/** A field of the form that the file itself describes. */
export function FieldDialog({ field, onClose }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const kind = field ? kindOf(field) : kindForNew(scope, bo);
  const taken = fieldsOf(scope, bo).flatMap((other) => (other === field ? [] : [text(other, "id")]));
  return (
    <ActDialog<FieldValues>
      open
      title={t(field ? "formField.edit" : "formField.add")}
      okText={t("table.save")}
      width={600}
      initial={field ? fieldValues(field) : { type: "string", readable: true, writable: true }}
      onSubmit={async (values) => apply(scope, fieldChanges(scope, bo, values, field))}
      onClose={onClose}
    >
      <Form.Item
        name="id"
        label={t("formField.id")}
        rules={[
          { required: true, whitespace: true, message: t("formField.idEmpty") },
          {
            validator: (_, id: string) =>
              taken.includes(id) ? Promise.reject(new Error(t("formField.idTaken"))) : Promise.resolve(),
          },
        ]}
      >
        <Input />
      </Form.Item>
      <Form.Item name="label" label={t("formField.label")}>
        <Input />
      </Form.Item>
      <Form.Item name="type" label={t("formField.type")} rules={[{ required: true }]}>
        <Select
          options={[...fieldTypes, CUSTOM].map((value) => ({
            value,
            label: t(`formField.types.${value}`),
          }))}
        />
      </Form.Item>
      <ByType />
      <Form.Item name="defaultValue" label={t("formField.defaultValue")}>
        <Input />
      </Form.Item>
      {kind === "FormProperty" ? <PropertyItems /> : <FieldItems />}
    </ActDialog>
  );
}

/** What only fields of one type have. */
function ByType() {
  const { t } = useTranslation("panel");
  return (
    <Form.Item noStyle dependencies={["type"]}>
      {({ getFieldValue }) => {
        const type = getFieldValue("type") as string;
        if (type === CUSTOM)
          return (
            <Form.Item
              name="customType"
              label={t("formField.customType")}
              rules={[{ required: true, whitespace: true, message: t("formField.customTypeEmpty") }]}
            >
              <Input />
            </Form.Item>
          );
        if (type === "date")
          return (
            <Form.Item name="datePattern" label={t("formField.datePattern")}>
              <Input />
            </Form.Item>
          );
        if (type !== "enum") return null;
        return (
          <FormRows
            name="values"
            title={t("formField.values")}
            addText={t("formField.addValue")}
            ask={t("property.ask")}
            cells={[
              { name: "id", label: t("base.id"), needed: t("base.idEmpty"), input: <Input /> },
              { name: "name", label: t("base.name"), input: <Input /> },
            ]}
          />
        );
      }}
    </Form.Item>
  );
}

function FieldItems() {
  const { t } = useTranslation("panel");
  return (
    <>
      <FormRows
        name="constraints"
        title={t("formField.constraints")}
        addText={t("formField.addConstraint")}
        ask={t("property.ask")}
        cells={[
          {
            name: "name",
            label: t("base.name"),
            needed: t("property.nameEmpty"),
            input: (
              <AutoComplete
                options={constraints.map((value) => ({ value, label: t(`formField.constraint.${value}`) }))}
              />
            ),
          },
          { name: "config", label: t("formField.config"), input: <Input /> },
        ]}
      />
      <FormRows
        name="properties"
        title={t("formField.properties")}
        addText={t("property.add")}
        ask={t("property.ask")}
        cells={[
          { name: "id", label: t("base.id"), needed: t("base.idEmpty"), input: <Input /> },
          { name: "value", label: t("property.value"), input: <Input /> },
        ]}
      />
    </>
  );
}

/** What only the fields of Activiti and Flowable have. */
function PropertyItems() {
  const { t } = useTranslation("panel");
  return (
    <>
      <Form.Item name="variable" label={t("formField.variable")}>
        <Input />
      </Form.Item>
      <Form.Item name="expression" label={t("attr.expression")}>
        <Input />
      </Form.Item>
      {["required", "readable", "writable"].map((name) => (
        <Form.Item key={name} name={name} valuePropName="checked" className="panel-check">
          <Checkbox>{t(`formField.${name}`)}</Checkbox>
        </Form.Item>
      ))}
    </>
  );
}
