package engine

// Effects is what a command did: the changed rows, the events, and what the shell
// must do beyond storing them, in order.
type Effects struct {
	// First is the first id given out by this command: saved rows from First on
	// are inserts, the others updates.
	First int64

	Tokens        []Token // new and changed rows
	TokensGone    []int64
	Tasks         []Task // EndedAt set: the row leaves the state and stays in the table
	Subscriptions []Subscription
	SubsGone      []int64
	Jobs          []Job
	JobsGone      []int64
	Incidents     []Incident // ResolvedAt set: as with tasks
	Activities    []Activity // EndedAt set: as with tasks
	Events        []Event
	Outbox        []Effect
	Visits        int // node visits, Env.Visits included
}

// Effect is work for the shell in the same transaction.
type Effect interface{ effect() }

// TaskCreated announces an open task. The approval layer resolves its people and
// may complete it at once with a further command. The texts are evaluated.
type TaskCreated struct {
	Task            Task
	Node            int
	Assignee        string // as modelled; AssigneeID is set when it is a number
	Owner           string
	CandidateUsers  []string
	CandidateGroups []string
}

// TaskAssigned announces a new assignee of an open task.
type TaskAssigned struct {
	Task Task
	Old  int64
}

// TaskEnded announces a task that was completed or cancelled.
type TaskEnded struct{ Task Task }

// ChildWanted asks for an instance of another definition; FinishChild answers.
type ChildWanted struct {
	Token       int64
	Element     string
	Called      string // process key, or definition id when ByID
	ByID        bool
	Binding     string
	Version     string // of binding version and versionTag
	Name        string
	BusinessKey string // "" when none is passed on
	InheritKey  bool   // BusinessType and BusinessID of the caller
	Vars        Document
	IDVariable  string // receives the id of the child
	Depth       int
}

// ChildUnwanted asks to cancel the child instance of a token.
type ChildUnwanted struct {
	Token  int64
	Reason string
}

// SignalThrown asks for one delivery job per matching subscription and for the
// instances of definitions that start by the signal.
type SignalThrown struct {
	Name  string
	Local bool // this instance only
	Vars  Document
}

// MessageThrown asks to hand a message to its one receiver.
type MessageThrown struct {
	Element string
	Name    string
	CorrKey string
	Vars    Document
}

// IncidentRaised announces a token that waits for an administrator.
type IncidentRaised struct{ Incident Incident }

// InstanceEnded announces the end. Fault is set when a BPMN error left the
// process; the calling instance receives it with FinishChild.
type InstanceEnded struct {
	Result Result
	Reason string
	Fault  *Fault
	Vars   Document
}

func (TaskCreated) effect()    {}
func (TaskAssigned) effect()   {}
func (TaskEnded) effect()      {}
func (ChildWanted) effect()    {}
func (ChildUnwanted) effect()  {}
func (SignalThrown) effect()   {}
func (MessageThrown) effect()  {}
func (IncidentRaised) effect() {}
func (InstanceEnded) effect()  {}

// EventKind is the kind of a history event.
type EventKind string

// The kinds of events. Produced minus consumed tokens are the live ones.
const (
	EventCommand   EventKind = "command" // first of each command, holds its inputs
	EventProduce   EventKind = "produce"
	EventConsume   EventKind = "consume"
	EventEnter     EventKind = "enter"
	EventLeave     EventKind = "leave"
	EventCancel    EventKind = "cancel" // a visit that ended by cancellation
	EventTake      EventKind = "take"   // a flow
	EventMoved     EventKind = "moved"
	EventTaskNew   EventKind = "task_created"
	EventAssigned  EventKind = "task_assigned"
	EventTaskEnd   EventKind = "task_ended"
	EventFired     EventKind = "fired" // a timer, message, signal or error was caught
	EventThrown    EventKind = "thrown"
	EventIncident  EventKind = "incident"
	EventResolved  EventKind = "incident_resolved"
	EventMigrated  EventKind = "migrated"
	EventSuspended EventKind = "suspended"
	EventResumed   EventKind = "resumed"
	EventEnded     EventKind = "ended"
)
