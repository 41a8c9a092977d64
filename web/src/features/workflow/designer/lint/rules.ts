import type { ModdleElement } from "bpmn-moddle";
import { timerProblem } from "./timers";

/** What is wrong with an element, or may be. */
export interface Problem {
  /** The element, empty for the whole file. */
  id: string;
  name: string;
  code: Code;
  severity: "error" | "warning";
}

export type Code =
  | "noStart"
  | "noEnd"
  | "taskName"
  | "taskAssignment"
  | "standardLoop"
  | "gatewayDefault"
  | "flowCondition"
  | "unreachable"
  | "timerMissing"
  | "timerSyntax"
  | "duplicateId";

const severe = new Set<Code>(["noStart", "taskName", "timerMissing", "timerSyntax", "duplicateId"]);

type List = ModdleElement[];

const list = (element: ModdleElement, name: string) => (element.get(name) as List | undefined) ?? [];
const is = (element: ModdleElement, type: string) => element.$instanceOf(type);

/** Lists what a reviewer would ask about before the process is deployed. */
export function problemsOf(definitions: ModdleElement): Problem[] {
  const found: Problem[] = [];
  const add = (element: ModdleElement, code: Code) => {
    const severity = severe.has(code) ? "error" : "warning";
    found.push({ id: element.id ?? "", name: String(element.get("name") ?? ""), code, severity });
  };
  const roots = list(definitions, "rootElements");
  for (const process of roots.filter((one) => is(one, "bpmn:Process"))) scope(process, add);
  duplicates(definitions, add);
  return found.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
}

type Add = (element: ModdleElement, code: Code) => void;

/** A process or what lies within a sub-process. */
function scope(container: ModdleElement, add: Add): void {
  const elements = list(container, "flowElements");
  const nodes = elements.filter((one) => is(one, "bpmn:FlowNode"));
  if (nodes.length === 0 && is(container, "bpmn:SubProcess")) return;
  const adHoc = is(container, "bpmn:AdHocSubProcess");
  if (!adHoc && !nodes.some((one) => is(one, "bpmn:StartEvent"))) add(container, "noStart");
  if (!adHoc && !nodes.some((one) => is(one, "bpmn:EndEvent"))) add(container, "noEnd");
  for (const node of nodes) {
    task(node, add);
    gateway(node, add);
    timers(node, add);
    if (is(node, "bpmn:SubProcess")) scope(node, add);
  }
  if (!adHoc) unreachable(nodes, add);
}

function task(node: ModdleElement, add: Add): void {
  const loop = is(node, "bpmn:Activity") && (node.get("loopCharacteristics") as ModdleElement | undefined);
  if (loop && is(loop, "bpmn:StandardLoopCharacteristics")) add(node, "standardLoop");
  if (!is(node, "bpmn:UserTask")) return;
  if (!String(node.get("name") ?? "").trim()) add(node, "taskName");
  else if (!isAssigned(node)) add(node, "taskAssignment");
}

const assigning = /(^|:)(assignee|candidateUsers|candidateGroups|candidateStrategy)$/i;

function isAssigned(node: ModdleElement): boolean {
  const named = node.$instanceOf("bpmn:UserTask") && list(node, "resources").length > 0;
  const own = [...Object.keys(node), ...Object.keys(node.$attrs)];
  const prefixes = ["camunda", "activiti", "flowable"];
  const attributes = ["assignee", "candidateUsers", "candidateGroups", "candidateStrategy"];
  const said = prefixes.some((prefix) => attributes.some((name) => node.get(`${prefix}:${name}`)));
  const extensions = node.get("extensionElements") as ModdleElement | undefined;
  const elements = extensions ? list(extensions, "values") : [];
  return (
    named ||
    said ||
    own.some((name) => assigning.test(name)) ||
    elements.some((one) => assigning.test(one.$type))
  );
}

function gateway(node: ModdleElement, add: Add): void {
  if (!is(node, "bpmn:ExclusiveGateway") && !is(node, "bpmn:InclusiveGateway")) return;
  const outgoing = list(node, "outgoing");
  if (outgoing.length < 2) return;
  const standard = node.get("default");
  if (!standard) add(node, "gatewayDefault");
  for (const flow of outgoing) {
    if (flow !== standard && !flow.get("conditionExpression")) add(flow, "flowCondition");
  }
}

function timers(node: ModdleElement, add: Add): void {
  if (!is(node, "bpmn:Event")) return;
  for (const definition of list(node, "eventDefinitions")) {
    if (!is(definition, "bpmn:TimerEventDefinition")) continue;
    const problem = timerProblem(definition);
    if (problem) add(node, problem);
  }
}

function unreachable(nodes: List, add: Add): void {
  const begins = nodes.filter(
    (node) =>
      is(node, "bpmn:StartEvent") ||
      node.get("triggeredByEvent") === true ||
      node.get("isForCompensation") === true ||
      (is(node, "bpmn:IntermediateCatchEvent") && isLink(node)),
  );
  const reached = new Set<ModdleElement>(begins);
  for (const node of reached) {
    for (const flow of list(node, "outgoing")) {
      const target = flow.get("targetRef") as ModdleElement | undefined;
      if (target) reached.add(target);
    }
    for (const other of nodes) {
      if (is(other, "bpmn:BoundaryEvent") && other.get("attachedToRef") === node) reached.add(other);
    }
  }
  // Without any beginning everything would be listed, which says nothing more.
  if (begins.length > 0) for (const node of nodes) if (!reached.has(node)) add(node, "unreachable");
}

function isLink(node: ModdleElement): boolean {
  return list(node, "eventDefinitions").some((one) => is(one, "bpmn:LinkEventDefinition"));
}

function duplicates(definitions: ModdleElement, add: Add): void {
  const seen = new Set<string>();
  const visit = (element: ModdleElement) => {
    if (element.id && seen.has(element.id)) add(element, "duplicateId");
    if (element.id) seen.add(element.id);
    for (const child of [...list(element, "rootElements"), ...list(element, "flowElements")]) visit(child);
  };
  visit(definitions);
}
