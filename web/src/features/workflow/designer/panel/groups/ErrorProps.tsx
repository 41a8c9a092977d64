import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { RootSelect } from "../kit/RootSelect";
import { children, is, type Scope, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

const attributes: readonly Attribute[] = [
  { name: "errorCodeVariable", for: ["camunda"] },
  { name: "errorMessageVariable", for: ["camunda"] },
  { name: "errorVariableName", for: ["flowable"] },
  { name: "errorVariableTransient", kind: "check", standard: false, for: ["flowable"] },
  { name: "errorVariableLocalScope", kind: "check", standard: false, for: ["flowable"] },
];

/** The error an event catches or throws, if it is about one. */
export function errorOf({ bo }: Pick<Scope, "bo">): ModdleElement | undefined {
  return children(bo, "eventDefinitions").find((definition) => is(definition, "bpmn:ErrorEventDefinition"));
}

/** Which error an event is about, and where a caught one is kept. */
export function ErrorProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const definition = errorOf(scope);
  if (!definition) return null;
  const catches = is(scope.bo, "bpmn:CatchEvent");
  return (
    <>
      <p>{t(catches ? "error.catch" : "error.throw")}</p>
      <RootSelect kind="Error" of={definition} />
      {catches ? <Attributes of={definition} list={attributes} /> : null}
    </>
  );
}
