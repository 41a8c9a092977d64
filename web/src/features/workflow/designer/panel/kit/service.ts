import type { Change } from "./change";
import { is, type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

/** How an element does its work. */
export type ServiceKind =
  | "none"
  | "class"
  | "expression"
  | "delegateExpression"
  | "external"
  | "typed"
  | "dmn"
  | "connector";

const members = ["class", "expression", "delegateExpression", "type", "topic", "decisionRef"];

const externalType = (scope: Scope) => (scope.dialect === "flowable" ? "external-worker" : "external");

/** The ways this dialect offers for the element. */
export function kindsOf(scope: Scope, of: ModdleElement): ServiceKind[] {
  const kinds: ServiceKind[] = ["none", "class", "expression", "delegateExpression"];
  if (scope.dialect !== "activiti") kinds.push("external");
  if (scope.dialect !== "camunda" && is(of, "bpmn:ServiceTask", "bpmn:SendTask")) kinds.push("typed");
  if (is(of, "bpmn:BusinessRuleTask")) kinds.push("dmn");
  if (scope.dialect === "camunda") kinds.push("connector");
  return kinds;
}

/** Which way the file takes; an attribute without a text counts, it was chosen. */
export function kindOf(scope: Scope, of: ModdleElement, hasConnector: boolean): ServiceKind {
  const has = (name: string) => of.get(vendor(scope, name)) !== undefined;
  const type = text(of, vendor(scope, "type"));
  if (type === externalType(scope)) return "external";
  if (has("type")) return "typed";
  for (const kind of ["class", "expression", "delegateExpression"] as const) if (has(kind)) return kind;
  if (has("decisionRef")) return "dmn";
  return hasConnector ? "connector" : "none";
}

/** Takes one way and leaves the others; a result variable only belongs to expressions and decisions. */
export function kindChange(scope: Scope, of: ModdleElement, kind: ServiceKind): Change {
  const props: Record<string, unknown> = Object.fromEntries(members.map((name) => [name, undefined]));
  if (kind === "external") Object.assign(props, { type: externalType(scope), topic: "" });
  else if (kind === "typed") props.type = "mail";
  else if (kind === "dmn") props.decisionRef = "";
  else if (kind !== "none" && kind !== "connector") props[kind] = "";
  if (kind !== "expression" && kind !== "dmn") {
    props.resultVariable = undefined;
    if (scope.dialect !== "camunda") props.resultVariableName = undefined;
  }
  if (kind !== "dmn")
    for (const name of ["decisionRefVersion", "decisionRefVersionTag", "decisionRefTenantId"])
      props[name] = undefined;
  if (kind !== "external" && text(of, vendor(scope, "taskPriority")) !== "") props.taskPriority = undefined;
  const present = Object.entries(props).filter(
    ([name, value]) => value !== undefined || of.get(vendor(scope, name)) !== undefined,
  );
  return {
    target: of,
    props: Object.fromEntries(present.map(([name, value]) => [vendor(scope, name), value])),
  };
}
