import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { apply, set } from "../kit/change";
import { extensions } from "../kit/extensions";
import { SelectField } from "../kit/fields";
import { NamedField } from "../kit/NamedField";
import { is, text, useScope, vendor } from "../kit/scope";
import { kindChange, kindOf, kindsOf, type ServiceKind } from "../kit/service";
import { useHandlers } from "../kit/useHandlers";
import type { ModdleElement } from "../kit/wire";
import { FieldInjection } from "./FieldInjection";

const heirs = ["activiti", "flowable"] as const;

const byKind: Partial<Record<ServiceKind, readonly Attribute[]>> = {
  expression: [
    { name: "expression", kind: "expression" },
    { name: "resultVariable", alias: "resultVariableName" },
  ],
  delegateExpression: [{ name: "delegateExpression", kind: "expression" }],
  external: [
    { name: "topic" },
    { name: "taskPriority", kind: "expression", for: ["camunda"] },
    { name: "doNotIncludeVariables", kind: "check", standard: false, for: ["flowable"] },
  ],
};

const more: readonly Attribute[] = [
  { name: "skipExpression", kind: "expression", for: heirs },
  { name: "extensionId", for: [] },
  { name: "triggerable", kind: "check", standard: false, for: ["flowable"] },
  { name: "useLocalScopeForResultVariable", kind: "check", standard: false, for: ["flowable"] },
  { name: "storeResultVariableAsTransient", kind: "check", standard: false, for: ["flowable"] },
];

const types = ["mail", "http", "shell", "dmn", "case", "camel", "mule"];

interface Props {
  /** The task, or the event definition that sends a message. */
  of?: ModdleElement;
}

/** How a service, send or business rule task or a sent message does its work. */
export function ServiceProps({ of }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const target = of ?? scope.bo;
  const handlers = useHandlers();
  const kind = kindOf(scope, target, extensions(scope, target, "Connector").length > 0);
  const kinds = kindsOf(scope, target);
  const offered = kinds.includes(kind) ? kinds : [...kinds, kind];
  const aliased = scope.dialect === "camunda" ? [] : undefined;
  return (
    <>
      <SelectField
        label={t("service.kind")}
        value={kind}
        options={offered.map((value) => ({ value, label: t(`service.kinds.${value}`) }))}
        help={t(`service.about.${kind}`)}
        onChange={(next) => apply(scope, [kindChange(scope, target, next as ServiceKind)])}
      />
      {kind === "class" ? (
        <NamedField
          label={t("attr.class")}
          value={text(target, vendor(scope, "class"))}
          choices={handlers.filter(({ kind, uses }) => kind === "handler" && uses.includes("service"))}
          onCommit={(next) => set(scope, target, { [vendor(scope, "class")]: next })}
        />
      ) : null}
      {kind === "typed" ? (
        <SelectField
          label={t("attr.type")}
          value={text(target, vendor(scope, "type"))}
          options={types.map((value) => ({ value, label: t(`service.types.${value}`) }))}
          onChange={(type) => set(scope, target, { [vendor(scope, "type")]: type })}
        />
      ) : null}
      <Attributes
        of={target}
        list={(byKind[kind] ?? []).map((spec) => (aliased ? { ...spec, alias: undefined } : spec))}
      />
      {is(target, "bpmn:ServiceTask", "bpmn:SendTask") ? <Attributes of={target} list={more} /> : null}
      {kind === "none" || kind === "external" || kind === "dmn" ? null : <FieldInjection of={target} />}
    </>
  );
}
