import { Checkbox, Form, Input, InputNumber, Select } from "antd";
import { useState } from "react";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply, makeVendor } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { RowTable } from "../kit/RowTable";
import { differing } from "../kit/rows";
import { is, text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

type Type = "Button" | "Assignee" | "Condition";

interface Column {
  name: string;
  kind?: "check" | "number" | "choice";
  choices?: readonly string[];
  needed?: boolean;
}

const acts = ["approve", "reject", "transfer", "delegate", "addSign", "return", "copy"];
const compares = ["==", "!=", ">", ">=", "<", "<=", "contains"];

const columns: Record<Type, readonly Column[]> = {
  Button: [
    { name: "id", needed: true },
    { name: "name", needed: true },
    { name: "code", kind: "choice", choices: acts, needed: true },
    { name: "isHide", kind: "check" },
    { name: "next" },
    { name: "sort", kind: "number" },
  ],
  Assignee: [
    { name: "id", needed: true },
    { name: "type", needed: true },
    { name: "value" },
    { name: "condition" },
    { name: "operationType" },
    { name: "sort", kind: "number" },
  ],
  Condition: [
    { name: "id", needed: true },
    { name: "field", needed: true },
    { name: "compare", kind: "choice", choices: compares, needed: true },
    { name: "value" },
    { name: "logic", kind: "choice", choices: ["and", "or"] },
    { name: "sort", kind: "number" },
  ],
};

/** Columns of the tables; the dialogs show all. */
const shown: Record<Type, readonly string[]> = {
  Button: ["name", "code", "sort"],
  Assignee: ["type", "value", "sort"],
  Condition: ["field", "compare", "value"],
};

/** Buttons and assignees of a user task, conditions of a flow, as workflow models keep them. */
export function ModelExtensionProps() {
  const { bo } = useScope();
  const types: Type[] = is(bo, "bpmn:SequenceFlow") ? ["Condition"] : ["Button", "Assignee"];
  return types.map((type) => <Rows key={type} type={type} />);
}

function Rows({ type }: { type: Type }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const present = edited === "new" || edited === null ? undefined : edited;
  const rows = extensions(scope, scope.bo, type);
  const save = async (values: Record<string, unknown>) => {
    const props = Object.fromEntries(columns[type].map(({ name }) => [name, written(values[name])]));
    if (present) apply(scope, differing(present, props));
    else apply(scope, addExtension(scope, scope.bo, makeVendor(scope, type, props)));
  };
  return (
    <>
      <h3 className="panel-sub">{t(`model.${type}`)}</h3>
      <RowTable
        label={t(`model.${type}`)}
        rows={rows}
        columns={shown[type].map((name) => ({
          title: t(`model.column.${name}`),
          cell: (row: ModdleElement) => text(row, name),
        }))}
        nameOf={(row) => text(row, "name") || text(row, "field") || text(row, "id")}
        addText={t(`model.add${type}`)}
        ask={t("property.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={(row) => apply(scope, removeExtension(scope, scope.bo, row))}
      />
      {edited ? (
        <ActDialog<Record<string, unknown>>
          open
          title={t(present ? `model.edit${type}` : `model.add${type}`)}
          okText={t("table.save")}
          width={600}
          initial={present ? readRow(type, present) : { id: nextId(rows), sort: rows.length + 1 }}
          onSubmit={save}
          onClose={() => setEdited(null)}
        >
          {columns[type].map((column) => (
            <Cell key={column.name} column={column} />
          ))}
        </ActDialog>
      ) : null}
    </>
  );
}

function Cell({ column: { name, kind, choices, needed } }: { column: Column }) {
  const { t } = useTranslation("panel");
  const label = t(`model.column.${name}`);
  if (kind === "check") {
    return (
      <Form.Item name={name} valuePropName="checked">
        <Checkbox>{label}</Checkbox>
      </Form.Item>
    );
  }
  const rules = needed ? [{ required: true, message: t("model.needed", { label }) }] : [];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      {kind === "number" ? (
        <InputNumber min={0} precision={0} style={{ width: "100%" }} />
      ) : kind === "choice" ? (
        <Select
          allowClear={!needed}
          options={(choices ?? []).map((value) => ({
            value,
            label: t(`model.choice.${name}.${value}`, { defaultValue: value }),
          }))}
        />
      ) : (
        <Input />
      )}
    </Form.Item>
  );
}

function readRow(type: Type, row: ModdleElement): Record<string, unknown> {
  const read = ({ name, kind }: Column) => {
    const value = text(row, name);
    if (kind === "check") return value === "true" || value === "1";
    return kind === "number" && value !== "" ? Number(value) : value || undefined;
  };
  return Object.fromEntries(columns[type].map((column) => [column.name, read(column)]));
}

function written(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "" || value === false) return undefined;
  return String(value);
}

function nextId(rows: readonly ModdleElement[]): string {
  return String(Math.max(0, ...rows.map((row) => Number(text(row, "id")) || 0)) + 1);
}
