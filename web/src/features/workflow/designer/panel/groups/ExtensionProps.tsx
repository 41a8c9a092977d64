import { Form, Input } from "antd";
import { useState } from "react";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply, type Change, makeVendor } from "../kit/change";
import { extensionChange, extensions } from "../kit/extensions";
import { RowTable } from "../kit/RowTable";
import { differing } from "../kit/rows";
import { children, type Scope, text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

interface Values {
  name: string;
  value?: string;
}

/** Names with values that other readers of the file look for. */
export function ExtensionProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const present = edited === "new" || edited === null ? undefined : edited;
  const rows = propertiesOf(scope);
  const save = async ({ name, value }: Values) => {
    const props = { name, value: value ?? "" };
    if (present) apply(scope, differing(present, props));
    else apply(scope, listChanges(scope, [...rows, makeVendor(scope, "Property", props)]));
  };
  return (
    <>
      <RowTable
        label={t("group.properties")}
        rows={rows}
        columns={[
          { title: t("property.name"), cell: (row) => text(row, "name") },
          { title: t("property.value"), cell: (row) => text(row, "value") },
        ]}
        nameOf={(row) => text(row, "name")}
        addText={t("property.add")}
        ask={t("property.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(row) =>
          apply(
            scope,
            listChanges(
              scope,
              rows.filter((other) => other !== row),
            ),
          )
        }
      />
      {edited ? (
        <ActDialog<Values>
          open
          title={t(present ? "property.edit" : "property.add")}
          okText={t("table.save")}
          width={600}
          initial={{ name: text(present, "name"), value: text(present, "value") }}
          onSubmit={save}
          onClose={() => setEdited(null)}
        >
          <Form.Item
            name="name"
            label={t("property.name")}
            rules={[{ required: true, whitespace: true, message: t("property.nameEmpty") }]}
          >
            <Input />
          </Form.Item>
          <Form.Item name="value" label={t("property.value")}>
            <Input />
          </Form.Item>
        </ActDialog>
      ) : null}
    </>
  );
}

/** The properties of all holders: files of other tools may have several. */
function propertiesOf(scope: Scope): ModdleElement[] {
  return extensions(scope, scope.bo, "Properties").flatMap((holder) => children(holder, "values"));
}

/** Puts the properties into one holder, without any the holder goes. */
function listChanges(scope: Scope, values: ModdleElement[]): Change[] {
  const holders = extensions(scope, scope.bo, "Properties");
  const [first] = holders;
  if (values.length === 0 || !first) {
    return extensionChange(scope, scope.bo, (present) => [
      ...present.filter((value) => !holders.includes(value)),
      ...(values.length > 0 ? [makeVendor(scope, "Properties", { values })] : []),
    ]);
  }
  const others = holders.slice(1);
  return [
    ...extensionChange(scope, scope.bo, (present) => present.filter((value) => !others.includes(value))),
    { target: first, props: { values } },
  ];
}
