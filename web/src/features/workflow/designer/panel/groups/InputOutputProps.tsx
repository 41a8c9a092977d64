import { Form, Input, Select } from "antd";
import { useState } from "react";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply, type Change, makeVendor } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { FormRows } from "../kit/FormRows";
import {
  type ParameterValues,
  parameterKind,
  parameterText,
  parameterValues,
  writeParameter,
} from "../kit/parameter";
import { RowTable } from "../kit/RowTable";
import { children, type Scope, text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

type Type = "InputParameter" | "OutputParameter";

const memberOf = (type: Type) => (type === "InputParameter" ? "inputParameters" : "outputParameters");

/** Variables made for an element and taken from it. */
export function InputOutputProps() {
  return ["InputParameter", "OutputParameter"].map((type) => <Parameters key={type} type={type as Type} />);
}

function Parameters({ type }: { type: Type }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const present = edited === "new" || edited === null ? undefined : edited;
  const [holder] = extensions(scope, scope.bo, "InputOutput");
  const rows = children(holder, memberOf(type));
  const save = async (values: ParameterValues) => {
    const { parameter, changes } = writeParameter(scope, type, values, present);
    apply(scope, present ? changes : listChanges(scope, type, [...rows, parameter]));
  };
  return (
    <>
      <h3 className="panel-sub">{t(`parameter.${type}`)}</h3>
      <RowTable
        label={t(`parameter.${type}`)}
        rows={rows}
        columns={[
          { title: t("base.name"), cell: (row) => text(row, "name") },
          { title: t("parameter.kind"), cell: (row) => t(`parameter.kinds.${parameterKind(row)}`) },
          { title: t("property.value"), cell: parameterText },
        ]}
        nameOf={(row) => text(row, "name")}
        addText={t(`parameter.add${type}`)}
        ask={t("parameter.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(row) =>
          apply(
            scope,
            listChanges(
              scope,
              type,
              rows.filter((other) => other !== row),
            ),
          )
        }
      />
      {edited ? (
        <ActDialog<ParameterValues>
          open
          title={t(present ? "parameter.edit" : `parameter.add${type}`)}
          okText={t("table.save")}
          width={600}
          initial={present ? parameterValues(present) : { kind: "text" }}
          onSubmit={save}
          onClose={() => setEdited(null)}
        >
          <ParameterItems />
        </ActDialog>
      ) : null}
    </>
  );
}

function ParameterItems() {
  const { t } = useTranslation("panel");
  const kinds = ["text", "script", "list", "map"];
  return (
    <>
      <Form.Item
        name="name"
        label={t("base.name")}
        rules={[{ required: true, whitespace: true, message: t("property.nameEmpty") }]}
      >
        <Input />
      </Form.Item>
      <Form.Item name="kind" label={t("parameter.kind")}>
        <Select options={kinds.map((value) => ({ value, label: t(`parameter.kinds.${value}`) }))} />
      </Form.Item>
      <Form.Item noStyle dependencies={["kind"]}>
        {({ getFieldValue }) => <ByKind kind={getFieldValue("kind") as string} />}
      </Form.Item>
    </>
  );
}

function ByKind({ kind }: { kind: string }) {
  const { t } = useTranslation("panel");
  if (kind === "list" || kind === "map") {
    const value = { name: "value", label: t("property.value"), input: <Input /> };
    const key = {
      name: "key",
      label: t("parameter.key"),
      needed: t("parameter.keyEmpty"),
      input: <Input />,
    };
    return (
      <FormRows
        name="items"
        title={t(`parameter.kinds.${kind}`)}
        addText={t("parameter.addItem")}
        ask={t("property.ask")}
        cells={kind === "map" ? [key, value] : [value]}
      />
    );
  }
  return (
    <>
      {kind === "script" ? (
        <Form.Item
          name="scriptFormat"
          label={t("script.format")}
          rules={[{ required: true, whitespace: true, message: t("script.formatEmpty") }]}
        >
          <Input />
        </Form.Item>
      ) : null}
      <Form.Item name="value" label={t(kind === "script" ? "script.body" : "property.value")}>
        <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} />
      </Form.Item>
    </>
  );
}

/** Puts the parameters into the holder; one without any goes. */
function listChanges(scope: Scope, type: Type, list: ModdleElement[]): Change[] {
  const [holder] = extensions(scope, scope.bo, "InputOutput");
  if (!holder)
    return addExtension(scope, scope.bo, makeVendor(scope, "InputOutput", { [memberOf(type)]: list }));
  const other = children(holder, memberOf(type === "InputParameter" ? "OutputParameter" : "InputParameter"));
  if (list.length === 0 && other.length === 0) return removeExtension(scope, scope.bo, holder);
  return [{ target: holder, props: { [memberOf(type)]: list } }];
}
