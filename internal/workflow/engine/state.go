package engine

// InstanceStatus is the life of an instance:
//
//	running ──Suspend──► suspended ──Resume──► running
//	running, suspended ──End──► ended
//	running ──last token consumed──► ended
type InstanceStatus int

// The statuses of an instance.
const (
	Running   InstanceStatus = 1
	Ended     InstanceStatus = 2
	Suspended InstanceStatus = 3
)

// Result is the outcome of an instance as clients know it (contract bpm.md §A.7).
type Result int

// The outcomes of an instance.
const (
	InProgress Result = 1
	Approved   Result = 2
	Rejected   Result = 3
	Cancelled  Result = 4
)

// Instance is the row wf_instance. Times are milliseconds UTC, 0 for "not yet".
type Instance struct {
	ID             string
	DefinitionID   string
	RootID         string // instance at the top of the call tree, its own id at the top
	ParentInstance string
	ParentToken    int64
	Depth          int // nesting of call activities, 0 at the top
	BusinessType   string
	BusinessID     string
	Name           string
	StarterID      int64
	Status         InstanceStatus
	Result         Result
	Rev            int64
	NextSeq        int64 // seq of the next event
	NextID         int64 // id of the next token, task, job … of this instance
	StartedAt      int64
	EndedAt        int64
	Reason         string
	// Vars are the variables of the process scope. They stay after the end.
	Vars Document
}

// TokenKind tells what a token stands for.
type TokenKind string

// The kinds of tokens.
const (
	KindRoot  TokenKind = "root"    // the process itself, parent of all
	KindFlow  TokenKind = "flow"    // a token moving along flows
	KindScope TokenKind = "scope"   // an open sub-process or event sub-process
	KindBody  TokenKind = "mi_body" // a multi-instance activity as a whole
	KindItem  TokenKind = "mi_item" // one instance of it
	KindCall  TokenKind = "call"    // a call activity waiting for its child
)

// TokenState says what a token waits for:
//
//	ready ──enter──► user | event | job | join | child | active | incident
//	any waiting state ──command──► ready ──leave──► ready on the next element
//
// No command ends while a token is ready.
type TokenState string

// The states of a token.
const (
	StateReady    TokenState = "ready"
	StateUser     TokenState = "user"     // an open task
	StateEvent    TokenState = "event"    // subscriptions or a timer
	StateJob      TokenState = "job"      // an asynchronous continuation or call-back
	StateJoin     TokenState = "join"     // other tokens at a gateway
	StateChild    TokenState = "child"    // a child instance
	StateActive   TokenState = "active"   // its child tokens
	StateIncident TokenState = "incident" // an administrator
)

// Counters belong to a multi-instance body. Items are the values of a sequential
// one that have not begun: Active + Completed + Cancelled + len(Items) = Total.
type Counters struct {
	Total     int      `json:"total,omitempty"`
	Active    int      `json:"active,omitempty"`
	Completed int      `json:"completed,omitempty"`
	Cancelled int      `json:"cancelled,omitempty"`
	Next      int      `json:"next,omitempty"` // loop index of the next item
	Items     Document `json:"items,omitempty"`
	Given     bool     `json:"given,omitempty"` // Env.Items chose the values
}

// Token is the row wf_token; it exists as long as the token lives.
type Token struct {
	ID          int64
	Parent      int64 // scope token it lives in, 0 for the root
	Kind        TokenKind
	Element     string // "" for the root
	State       TokenState
	ArrivedFlow string // flow it came by
	LoopIndex   int
	Counters    Counters
	Vars        Document // local variables
}

// TaskStatus is the state of a task as clients know it (contract bpm.md §A.7).
type TaskStatus int

// The statuses of a task.
const (
	TaskSkipped   TaskStatus = -2
	TaskWaiting   TaskStatus = 0
	TaskOpen      TaskStatus = 1
	TaskApproved  TaskStatus = 2
	TaskRejected  TaskStatus = 3
	TaskCancelled TaskStatus = 4
	TaskReturned  TaskStatus = 5
	TaskApproving TaskStatus = 7
)

// Task is the row wf_task. The state holds open tasks only; the row of an ended
// one leaves with the delta.
type Task struct {
	ID         int64
	Token      int64
	Parent     int64 // task it was added to (add-sign), 0 for the task of the element
	Element    string
	Name       string
	AssigneeID int64
	OwnerID    int64
	Delegation string
	SignType   string
	Status     TaskStatus
	Reason     string
	FormKey    string
	Priority   int
	DueAt      int64
	FollowUpAt int64
	CreatedAt  int64
	ClaimedAt  int64
	EndedAt    int64
}

// SubscriptionKind says what a subscription waits for.
type SubscriptionKind string

// The kinds of subscriptions.
const (
	SubMessage SubscriptionKind = "message"
	SubSignal  SubscriptionKind = "signal"
	SubTrigger SubscriptionKind = "trigger" // a call of Deliver by its id
)

// Subscription is the row wf_subscription. Element is the catching node: the
// element of the token itself, one of its boundary events, the start event of an
// event sub-process, or a target of an event-based gateway.
type Subscription struct {
	ID      int64
	Token   int64
	Kind    SubscriptionKind
	Name    string
	CorrKey string
	Element string
}

// JobKind says what a job does when it is due.
type JobKind string

// The kinds of jobs.
const (
	JobTimer       JobKind = "timer"
	JobAsyncBefore JobKind = "async_before"
	JobAsyncAfter  JobKind = "async_after"
	JobTaskTimeout JobKind = "task_timeout"
	JobCallback    JobKind = "callback" // a handler that runs outside the command
)

// Job is the row wf_job without the columns of the lease.
type Job struct {
	ID        int64
	Token     int64
	Task      int64 // task_timeout
	Kind      JobKind
	Element   string
	DueAt     int64
	Retries   int // attempts left; 0: stopped, see the incident
	Attempt   int
	Exclusive bool
	LastError string
	// Schedule is the evaluated text of a repeating timer, Anchor the time it
	// started, Until its last time, Repeat what is left of it: -1 for ever.
	Schedule string
	Anchor   int64
	Until    int64
	Repeat   int
	// Listener is the index of the task listener of a task_timeout.
	Listener int
}

// IncidentKind says why a token is stuck.
type IncidentKind string

// The kinds of incidents.
const (
	IncidentFlow       IncidentKind = "flow"       // no outgoing flow may be taken
	IncidentExpression IncidentKind = "expression" // an expression failed
	IncidentError      IncidentKind = "error"      // a BPMN error that nobody catches
	IncidentHandler    IncidentKind = "handler"    // registered code is missing
	IncidentJob        IncidentKind = "job"        // the retries of a job are used up
)

// Incident is the row wf_incident. The state holds open ones only.
type Incident struct {
	ID         int64
	Token      int64
	Job        int64
	Kind       IncidentKind
	Element    string
	Message    string
	Detail     string
	Resume     Phase // where a retry goes on
	CreatedAt  int64
	ResolvedAt int64
	ResolvedBy int64
}

// Activity is the row wf_activity, one per visit of an element and one per flow
// taken. The state holds open ones only.
type Activity struct {
	ID        int64
	Token     int64
	Element   string
	Type      string
	Task      int64
	StartedAt int64
	EndedAt   int64
	EndKind   EndKind
}

// EndKind says how a visit ended.
type EndKind string

// The ways a visit ends.
const (
	EndCompleted EndKind = "completed"
	EndCancelled EndKind = "cancelled"
	EndJoined    EndKind = "joined" // merged into another token at a join
)

// State is the aggregate of one instance. Every list is sorted by id. It has no
// pointer from row to row, so its JSON is the same for the same content.
type State struct {
	Instance      Instance
	Tokens        []*Token        `json:",omitempty"`
	Tasks         []*Task         `json:",omitempty"`
	Subscriptions []*Subscription `json:",omitempty"`
	Jobs          []*Job          `json:",omitempty"`
	Incidents     []*Incident     `json:",omitempty"`
	Activities    []*Activity     `json:",omitempty"`
}

// Event is the row wf_event.
type Event struct {
	Seq     int64
	At      int64
	ActorID int64
	Command string // id of the command
	Kind    EventKind
	Element string
	Token   int64
	Task    int64
	Data    Document
}
