import type { ComponentType } from "react";
import { child, children, is, processOf, type Scope } from "../kit/scope";
import { ApprovalProps } from "./ApprovalProps";
import { AsyncProps } from "./AsyncProps";
import { BaseProps } from "./BaseProps";
import { BusinessRuleProps } from "./BusinessRuleProps";
import { CallActivityProps } from "./CallActivityProps";
import { ConditionProps } from "./ConditionProps";
import { ErrorProps, errorOf } from "./ErrorProps";
import { definitionsOf, EventProps, mayGoOn } from "./EventProps";
import { ExecutionListenerProps } from "./ExecutionListenerProps";
import { ExtensionProps } from "./ExtensionProps";
import { FormProps } from "./FormProps";
import { InputOutputProps } from "./InputOutputProps";
import { LoopProps } from "./LoopProps";
import { MappingProps } from "./MappingProps";
import { ModelExtensionProps } from "./ModelExtensionProps";
import { OtherProps } from "./OtherProps";
import { ProcessProps } from "./ProcessProps";
import { ReceiveTaskProps } from "./ReceiveTaskProps";
import { RootProps } from "./RootProps";
import { ScriptTaskProps } from "./ScriptTaskProps";
import { ServiceProps } from "./ServiceProps";
import { TaskListenerProps } from "./TaskListenerProps";
import { TimeoutProps } from "./TimeoutProps";
import { TimerProps, timerOf } from "./TimerProps";
import { UserTaskProps } from "./UserTaskProps";

/** A section of the panel; its title is the text group.<key>. */
export interface Group {
  key: string;
  shows: (scope: Scope) => boolean;
  Body: ComponentType;
}

const of =
  (...types: string[]) =>
  ({ bo }: Scope) =>
    is(bo, ...types);

const isWhole = of("bpmn:Process", "bpmn:Collaboration");

const isConditional = ({ bo }: Scope) =>
  is(bo, "bpmn:SequenceFlow") && !is(child(bo, "sourceRef"), "bpmn:StartEvent");

const onUserTask = ({ bo }: Scope) =>
  is(bo, "bpmn:BoundaryEvent") && is(child(bo, "attachedToRef"), "bpmn:UserTask");

/** Tasks that hand variables over: calls, and in Camunda signals that are thrown. */
const maps = ({ bo, dialect }: Scope) =>
  is(bo, "bpmn:CallActivity") || (dialect === "flowable" && is(bo, "bpmn:ServiceTask", "bpmn:ScriptTask"));

const listens = ({ bo }: Scope) =>
  is(bo, "bpmn:FlowNode", "bpmn:SequenceFlow", "bpmn:Process") ||
  (is(bo, "bpmn:Participant") && processOf(bo) !== undefined);

/** The sections from top to bottom. */
export const groups: readonly Group[] = [
  { key: "base", shows: () => true, Body: BaseProps },
  {
    key: "process",
    shows: ({ bo }) => is(bo, "bpmn:Process", "bpmn:Participant") && processOf(bo) !== undefined,
    Body: ProcessProps,
  },
  { key: "roots", shows: isWhole, Body: RootProps },
  { key: "condition", shows: isConditional, Body: ConditionProps },
  { key: "approval", shows: of("bpmn:UserTask"), Body: ApprovalProps },
  { key: "form", shows: of("bpmn:UserTask", "bpmn:StartEvent"), Body: FormProps },
  { key: "userTask", shows: of("bpmn:UserTask"), Body: UserTaskProps },
  { key: "scriptTask", shows: of("bpmn:ScriptTask"), Body: ScriptTaskProps },
  { key: "service", shows: of("bpmn:ServiceTask", "bpmn:SendTask"), Body: ServiceProps },
  { key: "receiveTask", shows: of("bpmn:ReceiveTask"), Body: ReceiveTaskProps },
  { key: "businessRule", shows: of("bpmn:BusinessRuleTask"), Body: BusinessRuleProps },
  { key: "callActivity", shows: of("bpmn:CallActivity"), Body: CallActivityProps },
  { key: "mappings", shows: maps, Body: MappingProps },
  { key: "timer", shows: (scope) => timerOf(scope) !== undefined, Body: TimerProps },
  {
    key: "timeout",
    shows: (scope) => onUserTask(scope) && timerOf(scope) !== undefined,
    Body: TimeoutProps,
  },
  { key: "error", shows: (scope) => errorOf(scope) !== undefined, Body: ErrorProps },
  {
    key: "event",
    shows: (scope) => definitionsOf(scope).length > 0 || mayGoOn(scope),
    Body: EventProps,
  },
  { key: "loop", shows: of("bpmn:Task", "bpmn:CallActivity", "bpmn:SubProcess"), Body: LoopProps },
  { key: "async", shows: of("bpmn:FlowNode"), Body: AsyncProps },
  {
    key: "inputOutput",
    shows: ({ bo, dialect }) =>
      is(bo, "bpmn:Activity", "bpmn:Event") && (dialect === "camunda" || hasExtension(bo, "InputOutput")),
    Body: InputOutputProps,
  },
  { key: "executionListeners", shows: listens, Body: ExecutionListenerProps },
  { key: "taskListeners", shows: of("bpmn:UserTask"), Body: TaskListenerProps },
  {
    key: "model",
    shows: of("bpmn:UserTask", "bpmn:SequenceFlow"),
    Body: ModelExtensionProps,
  },
  { key: "properties", shows: () => true, Body: ExtensionProps },
  { key: "other", shows: () => true, Body: OtherProps },
];

function hasExtension(bo: Scope["bo"], type: string): boolean {
  return children(child(bo, "extensionElements"), "values").some(({ $type }) => $type.endsWith(`:${type}`));
}
