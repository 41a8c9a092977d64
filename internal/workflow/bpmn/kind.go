package bpmn

// Kind is the type of a flow node.
type Kind uint8

// The flow nodes of release 1.
const (
	KindStartEvent Kind = iota + 1
	KindEndEvent
	KindCatchEvent // intermediateCatchEvent
	KindThrowEvent // intermediateThrowEvent
	KindBoundaryEvent
	KindTask // plain task, passes at once
	KindUserTask
	KindServiceTask
	KindScriptTask
	KindManualTask
	KindSendTask
	KindReceiveTask
	KindBusinessRuleTask
	KindExclusiveGateway
	KindParallelGateway
	KindInclusiveGateway
	KindEventGateway
	KindSubProcess // embedded or event sub-process
	KindCallActivity
)

var kindNames = [...]string{
	KindStartEvent: "startEvent", KindEndEvent: "endEvent", KindCatchEvent: "intermediateCatchEvent",
	KindThrowEvent: "intermediateThrowEvent", KindBoundaryEvent: "boundaryEvent", KindTask: "task",
	KindUserTask: "userTask", KindServiceTask: "serviceTask", KindScriptTask: "scriptTask",
	KindManualTask: "manualTask", KindSendTask: "sendTask", KindReceiveTask: "receiveTask",
	KindBusinessRuleTask: "businessRuleTask", KindExclusiveGateway: "exclusiveGateway",
	KindParallelGateway: "parallelGateway", KindInclusiveGateway: "inclusiveGateway",
	KindEventGateway: "eventBasedGateway", KindSubProcess: "subProcess", KindCallActivity: "callActivity",
}

// String gives the BPMN element name, which is also the activity type the
// viewer knows.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "unknown"
}

// Activity reports whether the node is a task, sub-process or call activity.
func (k Kind) Activity() bool {
	return k >= KindTask && k <= KindBusinessRuleTask || k == KindSubProcess || k == KindCallActivity
}

// Gateway reports whether the node is a gateway.
func (k Kind) Gateway() bool { return k >= KindExclusiveGateway && k <= KindEventGateway }

// Event reports whether the node is an event.
func (k Kind) Event() bool { return k >= KindStartEvent && k <= KindBoundaryEvent }

// EventType is the trigger or result of an event.
type EventType uint8

// The event definitions of release 1.
const (
	EventNone EventType = iota
	EventTimer
	EventMessage
	EventSignal
	EventError
	EventLink
	EventTerminate
)

var eventNames = [...]string{"none", "timer", "message", "signal", "error", "link", "terminate"}

// String gives the name without the suffix EventDefinition.
func (t EventType) String() string {
	if int(t) < len(eventNames) {
		return eventNames[t]
	}
	return "unknown"
}

// LoopKind says how often an activity is performed.
type LoopKind uint8

// The loop characteristics.
const (
	LoopStandard LoopKind = iota + 1
	LoopSequential
	LoopParallel
)

// CodeKind says how work is bound to code.
type CodeKind uint8

// The ways of binding.
const (
	CodeClass      CodeKind = iota + 1 // handler registered under the class name
	CodeDelegate                       // handler registered under the bean name
	CodeExpression                     // expression evaluated for its effect and result
	CodeScript                         // listeners only
	CodeExternal                       // handler registered under the topic
	CodeTyped                          // handler registered under the vendor type: mail, http …
	CodeConnector                      // handler registered under the connector id
)
