package bpmn

// Document is one decoded BPMN file.
type Document struct {
	ID              string
	TargetNamespace string
	Vendor          Vendor // the vendor namespace used most, "" when none is
	Processes       []*Process
	Messages        []Definition
	Signals         []Definition
	Errors          []Definition
	Problems        []Problem // found while compiling; Check returns these too
	Uses            []Use     // what the file needs from outside, for Check
}

// Process gives the process with the id.
func (d *Document) Process(id string) (*Process, bool) {
	for _, p := range d.Processes {
		if p.ID == id {
			return p, true
		}
	}
	return nil, false
}

// Vendor names the engine whose extension namespace a file uses.
type Vendor string

// The three vendors whose extensions are understood.
const (
	Camunda  Vendor = "camunda"
	Activiti Vendor = "activiti"
	Flowable Vendor = "flowable"
)

// Definition is a message, signal or error declared at the root of the file.
type Definition struct {
	ID    string
	Name  string // name of a message or signal, display name of an error
	Code  string // errors: the code that is thrown and caught
	Text  string // errors: vendor errorMessage
	Scope string // signals: "global" or "processInstance"
	At    Position
}

// Position is a place in the file; the zero value is an unknown one.
type Position struct {
	Line   int
	Column int
}

// Process is one compiled process. It is never changed after Decode, so one
// value may be used by any number of goroutines.
type Process struct {
	ID            string
	Name          string
	Documentation string
	// Executable is isExecutable; where the attribute is absent, false for a
	// Camunda file and true for every other.
	Executable    bool
	VersionTag    string
	HistoryTTL    string // days or an ISO-8601 duration, as written
	JobPriority   Expression
	TaskPriority  Expression
	StarterUsers  []string // candidate starters, as written
	StarterGroups []string
	Startable     bool // isStartableInTasklist, default true
	At            Position
	Scope         // the top level of the process
	Nodes         []Node
	Flows         []Flow
	Listeners     []Listener
	Properties    []Property
	Extensions    []Extension
	reach         []Set
	nodes         map[string]int
	flows         map[string]int
}

// Scope is the content of the process or of one sub-process, as node indices in
// document order.
type Scope struct {
	// Children are the nodes directly inside, boundary events and event
	// sub-processes included.
	Children []int
	// Starts are the start events directly inside. The start event of an event
	// sub-process stands in the Starts of that sub-process.
	Starts []int
	// EventSubs are the event sub-processes directly inside.
	EventSubs []int
}

// Root is the Parent of a node at the top level of its process.
const Root = -1

// None marks an absent node or flow index.
const None = -1

// Node gives the index of the node with the id.
func (p *Process) Node(id string) (int, bool) {
	i, ok := p.nodes[id]
	return i, ok
}

// Flow gives the index of the sequence flow with the id.
func (p *Process) Flow(id string) (int, bool) {
	i, ok := p.flows[id]
	return i, ok
}

// ScopeOf gives the content of a sub-process, or of the process for Root.
func (p *Process) ScopeOf(node int) *Scope {
	if node == Root {
		return &p.Scope
	}
	return &p.Nodes[node].Scope
}

// Within reports whether node lies inside the scope at any depth; every node
// lies within Root.
func (p *Process) Within(node, scope int) bool {
	for scope != Root {
		if node == Root {
			return false
		}
		if node = p.Nodes[node].Parent; node == scope {
			return true
		}
	}
	return true
}

// Reaches reports whether a token at node from may get to node to of the same
// scope: along sequence flows, from an activity to its boundary events, and from
// a link throw event to its catch event. A node reaches itself only in a cycle.
func (p *Process) Reaches(from, to int) bool { return p.reach[from].Has(to) }

// Node is a flow node: event, task, gateway, sub-process or call activity.
type Node struct {
	Index         int
	ID            string
	Name          string
	Documentation string
	Kind          Kind
	At            Position
	Parent        int   // enclosing sub-process, or Root
	Incoming      []int // flows, in document order of the flows
	Outgoing      []int // flows, in document order of the flows
	Default       int   // default flow, or None

	// Event is set for every event, a none event included.
	Event *Event
	// AttachedTo is the activity of a boundary event, else None; Boundaries are
	// the boundary events of an activity.
	AttachedTo int
	Boundaries []int
	// Interrupting is cancelActivity of a boundary event and isInterrupting of
	// the start event of an event sub-process; true for everything else.
	Interrupting bool
	// TriggeredByEvent marks an event sub-process.
	TriggeredByEvent bool
	// Scope is the content of a sub-process.
	Scope
	// LinkTarget is the catch event of a link throw event, else None.
	LinkTarget int

	Loop     *Loop
	User     *UserTask
	Service  *Service      // service, send and business-rule task, message throw
	Script   *Script       // script task
	Call     *CallActivity // call activity
	Decision *Decision     // business-rule task with a decision
	Message  *Event        // send and receive task: the message
	Form     *Form         // user task, start event
	// Initiator is the variable a start event puts the starter into, "" for none.
	Initiator string

	AsyncBefore bool
	AsyncAfter  bool
	Exclusive   bool // default true
	Retry       Expression
	JobPriority Expression
	Skip        Expression // skipExpression

	Listeners     []Listener // execution listeners
	TaskListeners []Listener
	Inputs        []Parameter
	Outputs       []Parameter
	Mapped        []ErrorMapping // mapException
	Properties    []Property
	Extensions    []Extension

	// Join is set on an inclusive gateway with several incoming flows, one set
	// per entry of Incoming: Join[i] holds the nodes of the gateway's scope at
	// which a token can still arrive through flow Incoming[i] on a path that does
	// not pass this gateway (BPMN 2.0.2 §13.4.3; links count as flows, boundary
	// events start no path). A token inside a sub-process counts at that
	// sub-process. The gateway fires when at least one incoming flow holds a
	// token and, for every other token of the scope at node n ≠ gateway: n is in
	// Join[i] of an empty flow only if it is also in Join[k] of a filled one.
	Join []Set
}

// Flow is a sequence flow.
type Flow struct {
	Index     int
	ID        string // _flow_<index> when the file gives none
	Name      string
	At        Position
	Source    int
	Target    int
	Parent    int        // scope that holds it, or Root
	Condition *Condition // nil when unconditional
	Skip      Expression
	Listeners []Listener // event "take"
	// Extensions are vendor elements, such as the condition rows of the designer.
	Extensions []Extension
}

// Condition guards a flow: an expression, or a script that yields a boolean.
type Condition struct {
	Expression Expression
	Script     *Script
}
