import { useTranslation } from "@/kernel/i18n";
import type { Dialect } from "../../dialect";
import { set } from "./change";
import { CheckField, SelectField } from "./fields";
import { text, useScope, vendor } from "./scope";
import { TextField } from "./TextField";
import type { ModdleElement } from "./wire";

/** An attribute that is one field of the panel; its label is the text attr.<name>. */
export interface Attribute {
  name: string;
  kind?: "text" | "expression" | "check" | "choice" | "lines";
  /** Belongs to BPMN itself and carries no prefix. */
  plain?: boolean;
  /** The engines that know it; in files of others it is shown when it is there. */
  for?: readonly Dialect[];
  /** What counts when it is absent; it is then not written. */
  standard?: string | boolean;
  choices?: readonly string[];
  /** The label when it is not the name's. */
  label?: string;
  help?: string;
  /** Read when the attribute itself is absent; writing moves the value here. */
  alias?: string;
}

interface Props {
  /** The selected element or something in it. */
  of: ModdleElement;
  list: readonly Attribute[];
}

/** Fields for attributes, in the order given. */
export function Attributes({ of, list }: Props) {
  return list.map((spec) => <AttributeField key={spec.name} of={of} spec={spec} />);
}

function AttributeField({ of, spec }: { of: ModdleElement; spec: Attribute }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const nameOf = (name: string) => (spec.plain ? name : vendor(scope, name));
  const alias = spec.alias ? nameOf(spec.alias) : undefined;
  const own = text(of, nameOf(spec.name));
  const value = own === "" && alias ? text(of, alias) : own;
  if (spec.for && !spec.for.includes(scope.dialect) && value === "") return null;
  const label = t(`attr.${spec.label ?? spec.name}`);
  const help = spec.help ? t(`help.${spec.help}`) : undefined;
  const write = (next: string | boolean | undefined) =>
    set(scope, of, {
      [nameOf(spec.name)]: next === spec.standard || next === "" ? undefined : next,
      ...(alias && text(of, alias) !== "" ? { [alias]: undefined } : {}),
    });
  if (spec.kind === "check") {
    const checked = value === "" ? spec.standard === true : value === "true";
    return <CheckField label={label} help={help} value={checked} onChange={write} />;
  }
  if (spec.kind === "choice") {
    const options = (spec.choices ?? []).map((choice) => ({
      value: choice,
      label: t(`choice.${spec.label ?? spec.name}.${choice || "none"}`),
    }));
    return (
      <SelectField
        label={label}
        help={help}
        value={value || String(spec.standard ?? "")}
        options={options}
        onChange={write}
      />
    );
  }
  return (
    <TextField
      label={label}
      help={help}
      value={value}
      expression={spec.kind === "expression" ? "may" : undefined}
      lines={spec.kind === "lines" ? 2 : undefined}
      onCommit={(next) => write(next.trim() === "" ? "" : next)}
    />
  );
}
