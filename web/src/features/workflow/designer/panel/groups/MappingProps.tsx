import { Checkbox, Form, Input, Select } from "antd";
import { useState } from "react";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply, makeVendor } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { RowTable } from "../kit/RowTable";
import { differing } from "../kit/rows";
import { text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

type Kind = "variable" | "expression" | "all" | "businessKey";

interface Values {
  kind: Kind;
  source?: string;
  target?: string;
  local?: boolean;
}

const kindOf = (mapping: ModdleElement): Kind => {
  if (text(mapping, "variables") === "all") return "all";
  if (text(mapping, "businessKey") !== "") return "businessKey";
  return text(mapping, "sourceExpression") === "" ? "variable" : "expression";
};

const sourceOf = (mapping: ModdleElement) =>
  text(mapping, "source") || text(mapping, "sourceExpression") || text(mapping, "businessKey");

/** Variables handed to what is called and back. */
export function MappingProps() {
  return ["In", "Out"].map((type) => <Mappings key={type} type={type as "In" | "Out"} />);
}

function Mappings({ type }: { type: "In" | "Out" }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const [edited, setEdited] = useState<ModdleElement | "new" | null>(null);
  const remove = (row: ModdleElement) => apply(scope, removeExtension(scope, scope.bo, row));
  return (
    <>
      <h3 className="panel-sub">{t(`mapping.${type}`)}</h3>
      <RowTable
        label={t(`mapping.${type}`)}
        rows={extensions(scope, scope.bo, type)}
        columns={[
          { title: t("mapping.kind"), cell: (row) => t(`mapping.kinds.${kindOf(row)}`) },
          { title: t("mapping.source"), cell: sourceOf },
          { title: t("mapping.target"), cell: (row) => text(row, "target") || text(row, "targetExpression") },
        ]}
        nameOf={(row) => text(row, "target") || sourceOf(row)}
        addText={t(`mapping.add${type}`)}
        ask={t("mapping.ask")}
        onAdd={() => setEdited("new")}
        onEdit={setEdited}
        onRemove={remove}
      />
      {edited ? (
        <MappingDialog
          type={type}
          mapping={edited === "new" ? undefined : edited}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </>
  );
}

interface DialogProps {
  type: "In" | "Out";
  mapping?: ModdleElement;
  onClose: () => void;
}

function MappingDialog({ type, mapping, onClose }: DialogProps) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const kinds: Kind[] = ["variable", "expression"];
  if (scope.dialect === "camunda" || (mapping && kindOf(mapping) === "all")) kinds.push("all");
  if (type === "In" && scope.dialect === "camunda") kinds.push("businessKey");
  const save = async (values: Values) => {
    const props = propsOf(values);
    if (mapping) apply(scope, differing(mapping, props));
    else apply(scope, addExtension(scope, scope.bo, makeVendor(scope, type, props)));
  };
  const initial: Values = mapping
    ? {
        kind: kindOf(mapping),
        source: sourceOf(mapping),
        target: text(mapping, "target"),
        local: mapping.get("local") === true,
      }
    : { kind: "variable" };
  return (
    <ActDialog<Values>
      open
      title={t(mapping ? "mapping.edit" : `mapping.add${type}`)}
      okText={t("table.save")}
      width={600}
      initial={initial}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item name="kind" label={t("mapping.kind")}>
        <Select options={kinds.map((value) => ({ value, label: t(`mapping.kinds.${value}`) }))} />
      </Form.Item>
      <Form.Item noStyle dependencies={["kind"]}>
        {({ getFieldValue }) => <Ends kind={getFieldValue("kind") as Kind} />}
      </Form.Item>
      {scope.dialect === "camunda" ? (
        <Form.Item name="local" valuePropName="checked">
          <Checkbox>{t("mapping.local")}</Checkbox>
        </Form.Item>
      ) : null}
    </ActDialog>
  );
}

function Ends({ kind }: { kind: Kind }) {
  const { t } = useTranslation("panel");
  const needed = [{ required: true, whitespace: true, message: t("mapping.needed") }];
  return (
    <>
      {kind === "all" ? null : (
        <Form.Item name="source" label={t("mapping.source")} rules={needed}>
          <Input />
        </Form.Item>
      )}
      {kind === "variable" || kind === "expression" ? (
        <Form.Item name="target" label={t("mapping.target")} rules={needed}>
          <Input />
        </Form.Item>
      ) : null}
    </>
  );
}

function propsOf({ kind, source, target, local }: Values): Record<string, unknown> {
  return {
    source: kind === "variable" ? source : undefined,
    sourceExpression: kind === "expression" ? source : undefined,
    businessKey: kind === "businessKey" ? source : undefined,
    variables: kind === "all" ? "all" : undefined,
    target: kind === "variable" || kind === "expression" ? target : undefined,
    local: local ? true : undefined,
  };
}
