import { type Change, make, makeVendor } from "./change";
import { type FieldRow, fieldElements, fieldRow } from "./fieldRows";
import { differing, isOther } from "./rows";
import { child, children, type Scope, text } from "./scope";
import { type TimerKind, timerChange, timerKind, timerValue } from "./timer";
import type { ModdleElement } from "./wire";

export const listenerKinds = [
  "classListener",
  "expressionListener",
  "delegateExpressionListener",
  "scriptListener",
] as const;

export type ListenerKind = (typeof listenerKinds)[number];

/** The values of the form of a listener. */
export interface ListenerValues {
  event?: string;
  id?: string;
  listenerType?: ListenerKind;
  class?: string;
  expression?: string;
  delegateExpression?: string;
  scriptType?: "inlineScript" | "externalScript";
  scriptFormat?: string;
  script?: string;
  resource?: string;
  fields?: FieldRow[];
  /** When a listener for timeout is told; none when something else starts its clock. */
  eventDefinitionType?: TimerKind | "none";
  eventTimeDefinitions?: string;
}

export function listenerKind(listener: ModdleElement): ListenerKind {
  if (child(listener, "script") || text(listener, "type") === "script") return "scriptListener";
  if (text(listener, "delegateExpression") !== "") return "delegateExpressionListener";
  return text(listener, "expression") !== "" ? "expressionListener" : "classListener";
}

/** What a listener runs, in one line. */
export function listenerWork(listener: ModdleElement): string {
  const script = child(listener, "script");
  const own = text(listener, "class") || text(listener, "expression") || text(listener, "delegateExpression");
  return own || text(script, "resource") || text(script, "value");
}

/** The languages of scripts have two names: Flowable's script elements say language. */
const languageOf = (script: ModdleElement | undefined) =>
  text(script, "scriptFormat") || text(script, "language");

const timerOf = (listener: ModdleElement) => children(listener, "eventDefinitions")[0];

/** Reads a listener into its form. */
export function listenerValues(listener: ModdleElement): ListenerValues {
  const script = child(listener, "script");
  const resource = script?.get("resource");
  const timer = timerOf(listener);
  return {
    event: text(listener, "event"),
    id: text(listener, "id"),
    listenerType: listenerKind(listener),
    class: text(listener, "class"),
    expression: text(listener, "expression"),
    delegateExpression: text(listener, "delegateExpression"),
    scriptType: resource === undefined ? "inlineScript" : "externalScript",
    scriptFormat: languageOf(script),
    script: text(script, "value"),
    resource: text(script, "resource"),
    fields: children(listener, "fields").map(fieldRow),
    eventDefinitionType: timerKind(timer) ?? "none",
    eventTimeDefinitions: timerValue(timer),
  };
}

interface Written {
  listener: ModdleElement;
  changes: Change[];
}

/** A listener with these values: the given one with what has to change, or a new one. */
export function writeListener(
  scope: Scope,
  type: "ExecutionListener" | "TaskListener",
  values: ListenerValues,
  present?: ModdleElement,
): Written {
  const listener = present ?? makeVendor(scope, type, {});
  const kind = values.listenerType;
  const props: Record<string, unknown> = {
    event: values.event,
    class: kind === "classListener" ? values.class : undefined,
    expression: kind === "expressionListener" ? values.expression : undefined,
    delegateExpression: kind === "delegateExpressionListener" ? values.delegateExpression : undefined,
  };
  if (type === "TaskListener") props.id = values.id;
  if (scope.dialect === "flowable") props.type = kind === "scriptListener" ? "script" : undefined;
  const script = writeScript(scope, listener, values);
  const fields = fieldElements(scope, children(listener, "fields"), values.fields ?? []);
  const timer = writeTimer(scope, listener, values);
  if (script.element !== child(listener, "script")) props.script = script.element;
  if (isOther(fields.list, children(listener, "fields"))) props.fields = fields.list;
  if (isOther(timer.list, children(listener, "eventDefinitions"))) props.eventDefinitions = timer.list;
  const changes = [...differing(listener, props), ...script.changes, ...fields.changes, ...timer.changes];
  if (present) return { listener, changes };
  // Nobody sees a new element before it is put in: it needs no steps of its own.
  for (const { target, props: own } of changes)
    for (const [name, value] of Object.entries(own)) {
      target.set(name, value);
      for (const item of [value].flat())
        if (item && typeof item === "object") (item as ModdleElement).$parent = target;
    }
  return { listener, changes: [] };
}

function writeScript(scope: Scope, listener: ModdleElement, values: ListenerValues) {
  const present = child(listener, "script");
  if (values.listenerType !== "scriptListener") return { element: undefined, changes: [] };
  const inline = values.scriptType !== "externalScript";
  // A listener of Flowable keeps the name it already has for the language.
  const language = present ? text(present, "language") !== "" : scope.dialect === "flowable";
  const props = {
    [language ? "language" : "scriptFormat"]: values.scriptFormat,
    value: inline ? values.script : undefined,
    resource: inline ? undefined : values.resource,
  };
  if (!present) return { element: makeVendor(scope, "Script", props, listener), changes: [] };
  return { element: present, changes: differing(present, props) };
}

function writeTimer(scope: Scope, listener: ModdleElement, values: ListenerValues) {
  const present = timerOf(listener);
  const kind = values.eventDefinitionType;
  if (values.event !== "timeout" || !kind || kind === "none")
    return { list: [] as ModdleElement[], changes: [] as Change[] };
  const value = values.eventTimeDefinitions ?? "";
  if (present)
    return {
      list: children(listener, "eventDefinitions"),
      changes: timerChange(scope, present, kind, value),
    };
  const id = scope.modeler.get("moddle").ids.nextPrefixed("TimerEventDefinition_");
  const timer = make(scope, "bpmn:TimerEventDefinition", { id }, listener);
  for (const { target, props } of timerChange(scope, timer, kind, value))
    for (const [name, made] of Object.entries(props)) target.set(name, made);
  return { list: [timer], changes: [] as Change[] };
}
