/** A type of the engines that grew from Activiti; what is Flowable's alone stands apart. */
export interface Row {
  name: string;
  /** BPMN types that get these properties; the row is then no element of its own. */
  extends?: string;
  superClass?: string;
  properties?: string;
  /** Further properties under Flowable. */
  flowable?: string;
  /** Elements whose extensionElements may hold it; everywhere when not said. */
  allowedIn?: string;
  /** Known to Flowable only. */
  only?: true;
}

const customResolver =
  "onTransaction customPropertiesResolverClass customPropertiesResolverExpression customPropertiesResolverDelegateExpression";
const listener = `event class expression delegateExpression type ${customResolver} <script:Script <fields:Field*`;
const outcome = "source sourceExpression target";

/**
 * Attributes that the engines add to elements of BPMN. Those on edges and labels of the drawing stay
 * out: moddle would write the extended types with a small first letter, which is another element;
 * undeclared, the attributes are kept as they are.
 */
const attributes: Row[] = [
  { name: "DefinitionsExt", extends: "bpmn:Definitions", properties: "diagramRelationId" },
  {
    name: "AsyncCapable",
    extends: "bpmn:Activity bpmn:Gateway bpmn:Event",
    properties: "async?=false asyncBefore?=false asyncAfter?=false exclusive?=true",
    flowable: "asyncLeave?=false asyncLeaveExclusive?=true",
  },
  { name: "JobPriorized", extends: "bpmn:Process bpmn:FlowNode", properties: "jobPriority" },
  { name: "TaskPriorized", extends: "bpmn:Process bpmn:ServiceTask", properties: "taskPriority" },
  {
    name: "ProcessExt",
    extends: "bpmn:Process",
    properties:
      "candidateStarterGroups candidateStarterUsers versionTag historyTimeToLive isStartableInTasklist?=true",
    flowable: "isEagerExecutionFetching",
  },
  {
    name: "FormSupported",
    extends: "bpmn:StartEvent bpmn:UserTask bpmn:ServiceTask",
    properties: "formKey formHandlerClass formFieldValidation",
    flowable: "formType formReadOnly?=false formInit?=true",
  },
  { name: "Initiator", extends: "bpmn:StartEvent", properties: "initiator" },
  {
    name: "Assignable",
    extends: "bpmn:UserTask",
    properties:
      "assignee owner candidateUsers candidateGroups dueDate followUpDate priority category businessCalendarName candidateStrategy candidateParam",
    flowable: "taskIdVariableName taskCompleterVariableName",
  },
  {
    name: "Skippable",
    extends:
      "bpmn:UserTask bpmn:ServiceTask bpmn:ScriptTask bpmn:ReceiveTask bpmn:SendTask bpmn:SequenceFlow",
    properties: "skipExpression",
  },
  {
    name: "ScriptTaskExt",
    extends: "bpmn:ScriptTask",
    properties: "resultVariable resource autoStoreVariables?=false",
    flowable: "doNotIncludeVariables",
  },
  {
    name: "ServiceTaskLike",
    extends: "bpmn:ServiceTask bpmn:SendTask bpmn:BusinessRuleTask bpmn:MessageEventDefinition",
    properties:
      "class expression delegateExpression resultVariable resultVariableName type topic extensionId",
    flowable:
      "triggerable useLocalScopeForResultVariable storeResultVariableAsTransient doNotIncludeVariables parallelInSameTransaction caseDefinitionKey caseInstanceName caseInstanceIdVariableName businessKey sameDeployment fallbackToDefaultTenant idVariableName",
  },
  {
    name: "RuleTask",
    extends: "bpmn:BusinessRuleTask",
    properties:
      "ruleVariablesInput rules exclude decisionRef decisionRefBinding=latest decisionRefVersion decisionRefVersionTag decisionRefTenantId mapDecisionResult=resultList",
  },
  {
    name: "CallActivityExt",
    extends: "bpmn:CallActivity",
    properties:
      "calledElementBinding=latest calledElementVersion calledElementVersionTag calledElementTenantId caseRef caseBinding=latest caseVersion caseTenantId variableMappingClass variableMappingDelegateExpression businessKey inheritBusinessKey inheritVariables sameDeployment",
    flowable:
      "calledElementType processInstanceName fallbackToDefaultTenant useLocalScopeForOutParameters completeAsync idVariableName",
  },
  {
    name: "Collectable",
    extends: "bpmn:MultiInstanceLoopCharacteristics",
    superClass: "AsyncCapable",
    properties: "collection elementVariable elementIndexVariable",
    flowable: "noWaitStatesAsyncLeave",
  },
  { name: "TimerExt", extends: "bpmn:TimerEventDefinition", properties: "businessCalendarName" },
  { name: "TimeCycleExt", extends: "bpmn:FormalExpression", properties: "endDate resource" },
  { name: "SignalExt", extends: "bpmn:Signal", properties: "scope" },
  {
    name: "SignalDefExt",
    extends: "bpmn:SignalEventDefinition",
    properties: "async?=false signalExpression",
  },
  { name: "MessageDefExt", extends: "bpmn:MessageEventDefinition", properties: "messageExpression" },
  {
    name: "TerminateDefExt",
    extends: "bpmn:TerminateEventDefinition",
    properties: "terminateAll terminateMultiInstance",
  },
  {
    name: "ErrorDefExt",
    extends: "bpmn:ErrorEventDefinition",
    properties:
      "errorCodeVariable errorMessageVariable errorVariableName errorVariableTransient errorVariableLocalScope",
  },
  { name: "ErrorExt", extends: "bpmn:Error", properties: "errorMessage" },
  {
    name: "EscalationDefExt",
    extends: "bpmn:EscalationEventDefinition",
    properties: "escalationCodeVariable",
  },
  {
    name: "ConditionalDefExt",
    extends: "bpmn:ConditionalEventDefinition",
    properties: "variableName variableEvents",
  },
  {
    name: "TemplateSupported",
    extends: "bpmn:Collaboration bpmn:Process bpmn:FlowElement",
    properties: "modelerTemplate modelerTemplateVersion",
  },
];

/** Elements that the engines add. */
const elements: Row[] = [
  { name: "Properties", properties: "<values:Property*" },
  { name: "Property", properties: "id name value" },
  {
    name: "In",
    properties: `${outcome} businessKey local?=false variables`,
    flowable: "sourceType targetType targetExpression transient",
    allowedIn: "bpmn:CallActivity bpmn:Event bpmn:EventDefinition bpmn:ServiceTask bpmn:ScriptTask",
  },
  {
    name: "Out",
    properties: `${outcome} businessKey local?=false variables`,
    flowable: "sourceType targetType targetExpression transient",
    allowedIn: "bpmn:CallActivity bpmn:Event bpmn:EventDefinition bpmn:ServiceTask bpmn:ScriptTask",
  },
  { name: "Connector", properties: "<inputOutput:InputOutput <connectorId" },
  {
    name: "InputOutput",
    properties: "<inputParameters:InputParameter* <outputParameters:OutputParameter*",
  },
  { name: "InputParameter", properties: "name #value <definition:InputOutputParameterDefinition" },
  { name: "OutputParameter", properties: "name #value <definition:InputOutputParameterDefinition" },
  { name: "InputOutputParameterDefinition" },
  {
    name: "List",
    superClass: "InputOutputParameterDefinition",
    properties: "<items:InputOutputParameterDefinition*",
  },
  { name: "Map", superClass: "InputOutputParameterDefinition", properties: "<entries:Entry*" },
  { name: "Entry", properties: "key #value <definition:InputOutputParameterDefinition" },
  { name: "Value", superClass: "InputOutputParameterDefinition", properties: "id name #value" },
  {
    name: "Script",
    superClass: "InputOutputParameterDefinition",
    properties: "scriptFormat language resource resultVariable #value",
  },
  { name: "Field", properties: "name stringValue requiredType <expression <string" },
  { name: "ExecutionListener", properties: listener },
  {
    name: "TaskListener",
    properties: `id ${listener} <eventDefinitions:bpmn:TimerEventDefinition*`,
    allowedIn: "bpmn:UserTask",
  },
  {
    name: "EventListener",
    properties:
      "events class delegateExpression entityType throwEvent signalName messageName errorCode onTransaction",
    allowedIn: "bpmn:Process",
  },
  { name: "FailedJobRetryTimeCycle", properties: "#body" },
  {
    name: "FormProperty",
    properties:
      "id name type required readable writable variable expression default datePattern lenientDateParsing <values:Value*",
    flowable: "<children:FormProperty* <extensionElements:bpmn:ExtensionElements",
    allowedIn: "bpmn:StartEvent bpmn:UserTask",
  },
  {
    name: "FormData",
    properties: "<fields:FormField* businessKey",
    allowedIn: "bpmn:StartEvent bpmn:UserTask",
  },
  {
    name: "FormField",
    properties:
      "id label type datePattern defaultValue <properties:Properties <validation:Validation <values:Value*",
  },
  { name: "Validation", properties: "<constraints:Constraint*" },
  { name: "Constraint", properties: "name config" },
  {
    name: "PotentialStarter",
    properties: "<resourceAssignmentExpression:bpmn:ResourceAssignmentExpression",
    allowedIn: "bpmn:Process",
  },
  {
    name: "CustomResource",
    properties: "name <resourceAssignmentExpression:bpmn:ResourceAssignmentExpression",
    allowedIn: "bpmn:UserTask",
  },
  { name: "MapException", properties: "errorCode includeChildExceptions rootCause #value" },
  { name: "Localization", properties: "locale name <documentation" },
];

/** Event registry, HTTP and other elements of Flowable. */
const flowableElements: Row[] = [
  ...[
    "EventType",
    "TriggerEventType",
    "ChannelKey",
    "EventName",
    "SendSynchronously",
    "StartEventCorrelationConfiguration",
    "HistoryLevel",
    "IncludeInHistory",
    "JobCategory",
  ].map((name) => ({ name, properties: "#value" })),
  { name: "SystemChannel" },
  { name: "EventInParameter", properties: `${outcome} sourceType targetType transient` },
  { name: "EventOutParameter", properties: `${outcome} sourceType targetType transient` },
  { name: "EventCorrelationParameter", properties: "name value type" },
  { name: "TriggerEventCorrelationParameter", properties: "name value type" },
  { name: "ExternalWorkerInParameter", properties: outcome },
  { name: "ExternalWorkerOutParameter", properties: outcome },
  {
    name: "HttpRequestHandler",
    properties: "type class delegateExpression <fields:Field* <script:Script",
  },
  {
    name: "HttpResponseHandler",
    properties: "type class delegateExpression <fields:Field* <script:Script",
  },
  {
    name: "VariableAggregation",
    properties:
      "target targetExpression class delegateExpression createOverviewVariable storeAsTransientVariable <variables:Variable*",
  },
  { name: "Variable", properties: `${outcome} targetExpression` },
  { name: "Collection", properties: "class delegateExpression <string <expression" },
  { name: "VariableListenerEventDefinition", properties: "variableName variableChangeType" },
  { name: "Translation", properties: "key locale" },
];

/** Every type of Activiti and Flowable. */
export const rows: readonly Row[] = [
  ...attributes,
  ...elements,
  ...flowableElements.map((row) => ({ ...row, only: true as const })),
];
