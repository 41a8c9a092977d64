import { Form, Input, Select } from "antd";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { apply, type Change } from "./change";
import {
  idProblem,
  membersOf,
  newRoot,
  type RootKind,
  type RootValues,
  rootChanges,
  valuesOf,
} from "./roots";
import { useScope } from "./scope";
import type { ModdleElement } from "./wire";

interface Props {
  kind: RootKind;
  /** Absent for a new one. */
  root?: ModdleElement;
  /** Further changes of the same step, for a new one. */
  then?: (root: ModdleElement) => Change[];
  onClose: () => void;
}

/** Id, name and what else a message, signal, error or escalation says. */
export function RootDialog({ kind, root, then, onClose }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const save = async (values: RootValues) => {
    const problem = idProblem(scope, kind, values.id, root);
    if (problem !== "") throw new Error(t(problem === "exists" ? `root.exists.${kind}` : "base.idTaken"));
    if (root) {
      apply(scope, rootChanges(scope, kind, root, values));
      return;
    }
    const made = newRoot(scope, kind, values);
    apply(scope, [...made.changes, ...(then?.(made.root) ?? [])]);
  };
  const initial = root
    ? valuesOf(scope, kind, root)
    : { id: scope.modeler.get("moddle").ids.nextPrefixed(`${kind}_`) };
  return (
    <ActDialog<RootValues>
      open
      title={t(root ? `root.edit.${kind}` : `root.add.${kind}`)}
      okText={t("table.save")}
      width={600}
      initial={initial}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="id"
        label={t("base.id")}
        rules={[
          { required: true, message: t("base.idEmpty") },
          { pattern: /^[A-Za-z_][\w\-.]*$/, message: t("base.idFormat") },
        ]}
      >
        <Input />
      </Form.Item>
      <Form.Item name="name" label={t("base.name")}>
        <Input />
      </Form.Item>
      {membersOf(kind, scope).map((member) => (
        <Form.Item key={member} name={member} label={t(`attr.${member}`)}>
          {member === "scope" ? (
            <Select
              allowClear
              options={["global", "processInstance"].map((value) => ({
                value,
                label: t(`choice.scope.${value}`),
              }))}
            />
          ) : (
            <Input />
          )}
        </Form.Item>
      ))}
    </ActDialog>
  );
}
