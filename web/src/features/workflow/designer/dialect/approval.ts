import { properties, type TypeDescriptor } from "./descriptor";

/** Settings of a step that are written as text of an element of their own. */
const texts = [
  "CandidateStrategy",
  "CandidateParam",
  "ApproveType",
  "ApproveMethod",
  "ApproveRatio",
  "AssignStartUserHandlerType",
  "AssignEmptyHandlerType",
  "AssignEmptyUserIds",
  "RejectHandlerType",
  "RejectReturnTaskId",
  "SignEnable",
  "ReasonRequire",
  "SkipExpression",
  "BoundaryEventType",
  "TimeoutHandlerType",
  "NodeType",
  "TriggerType",
  "TriggerParam",
  "ChildProcessMultiInstanceSourceType",
];

const steps = ["bpmn:FlowNode", "bpmn:SequenceFlow"];

/** What the approval layer reads; the same under each engine's prefix. Made anew: moddle writes into it. */
export const approvalTypes = (): TypeDescriptor[] => [
  ...texts.map((name) => ({
    name,
    superClass: ["Element"],
    meta: { allowedIn: [...steps] },
    properties: properties("#value"),
  })),
  {
    name: "ButtonsSetting",
    superClass: ["Element"],
    meta: { allowedIn: [...steps] },
    properties: properties("id displayName enable"),
  },
  {
    name: "FieldsPermission",
    superClass: ["Element"],
    meta: { allowedIn: [...steps] },
    properties: properties("field title permission"),
  },
  {
    name: "Button",
    superClass: ["Element"],
    meta: { allowedIn: ["bpmn:UserTask"] },
    properties: properties("id name code isHide next sort"),
  },
  {
    name: "Assignee",
    superClass: ["Element"],
    meta: { allowedIn: ["bpmn:UserTask"] },
    properties: properties("id type value condition operationType sort"),
  },
  {
    name: "Condition",
    superClass: ["Element"],
    meta: { allowedIn: ["bpmn:SequenceFlow"] },
    properties: properties("id field compare value logic sort"),
  },
];
