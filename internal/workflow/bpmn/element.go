package bpmn

import "viva/internal/workflow/juel"

// Expression is a text that is evaluated at run time.
type Expression struct {
	Source string // as written, "" when absent
	// Parsed is nil when absent. A Document whose Check has an error may hold
	// expressions that did not parse.
	Parsed *juel.Expr
}

// Present reports whether an expression was written.
func (e Expression) Present() bool { return e.Source != "" }

// Event is what an event waits for or gives off.
type Event struct {
	Type EventType
	// Ref is the id of the message, signal or error; Name its name, which may be
	// an expression.
	Ref  string
	Name Expression
	// Correlation selects one subscriber of a message: the extension property
	// correlationKey of the event, or of the receive task. Absent means the
	// business key of the instance.
	Correlation Expression
	Timer       *Timer
	// ErrorCode is the code thrown, or caught; "" catches every error.
	ErrorCode       string
	ErrorMessage    Expression
	CodeVariable    string
	MessageVariable string
	// Local: a signal whose scope is the process instance.
	Local bool
	// Async: a signal that is delivered by jobs.
	Async bool
	// Link is the name that pairs link events.
	Link string
	// TerminateAll ends the whole instance, not only the enclosing scope.
	TerminateAll bool
	// In are the variables handed to the catchers of a signal.
	In []Mapping
}

// TimerKind tells the three timer definitions apart.
type TimerKind uint8

// The timer definitions.
const (
	TimerDate TimerKind = iota + 1
	TimerDuration
	TimerCycle
)

// Timer is the definition of a timer. Text is an expression or a literal; its
// value goes through ParseTimer.
type Timer struct {
	Kind     TimerKind
	Text     Expression
	EndDate  Expression // of a cycle
	Calendar string
}

// Loop holds the loop characteristics of an activity.
type Loop struct {
	Kind LoopKind
	// Multi-instance. Collection evaluates to the items; a bare name means the
	// variable of that name.
	Cardinality     Expression
	Collection      Expression
	ElementVariable string
	IndexVariable   string
	Completion      Expression // completionCondition
	// Standard loop.
	Condition  Expression
	TestBefore bool
	Maximum    int // 0: not given

	AsyncBefore bool
	AsyncAfter  bool
	Exclusive   bool
	Retry       Expression
}

// UserTask is the assignment part of a user task.
type UserTask struct {
	Assignee        Expression
	Owner           Expression
	CandidateUsers  []Expression
	CandidateGroups []Expression
	DueDate         Expression
	FollowUpDate    Expression
	Priority        Expression
	Category        Expression
	Calendar        string
	// CandidateStrategy and CandidateParam are the approval rule, from the
	// attribute or else from the extension element.
	CandidateStrategy string
	CandidateParam    string
}

// Service is work done by registered code.
type Service struct {
	Kind           CodeKind
	Name           string     // handler name by Kind, "" for expressions
	Expression     Expression // CodeExpression
	ResultVariable string
	LocalResult    bool // result goes to the innermost scope
	Triggerable    bool // waits for a trigger after the call
	Fields         []Field
	Inputs         []Parameter // of a connector
	Outputs        []Parameter
}

// Script is a script task, listener script or script value.
type Script struct {
	Format         string
	Source         string
	Resource       string // key of a stored file instead of Source
	ResultVariable string
	AutoStore      bool
}

// CallActivity names the process to call and what passes in and out.
type CallActivity struct {
	Element    Expression // process key (or definition id, see ByID)
	ByID       bool
	Binding    Binding
	Version    Expression // BindVersion
	VersionTag Expression // BindVersionTag
	In         []Mapping
	Out        []Mapping
	// BusinessKey of the child; InheritKey takes the caller's, InheritVariables
	// copies all variables.
	BusinessKey      Expression
	InheritKey       bool
	InheritVariables bool
	Name             Expression // name of the child instance
	IDVariable       string     // receives the id of the child instance
	LocalOut         bool
}

// Binding says which version of a definition is meant.
type Binding string

// The bindings; BindLatest is the default.
const (
	BindLatest     Binding = "latest"
	BindDeployment Binding = "deployment"
	BindVersion    Binding = "version"
	BindVersionTag Binding = "versionTag"
)

// Mapping copies a variable or value between scopes.
type Mapping struct {
	All              bool // variables="all"
	Local            bool
	Source           string
	SourceExpression Expression
	Target           string
}

// Decision is a registered decision called by a business-rule task.
type Decision struct {
	Ref            Expression
	Binding        Binding
	Version        Expression
	VersionTag     Expression
	Result         string // singleEntry, singleResult, collectEntries, resultList (default)
	ResultVariable string
}

// Listener is code run at an event of a node, flow, task or process.
type Listener struct {
	ID         string
	Event      string // start, end, take; create, assignment, complete, delete, update, timeout, all
	Kind       CodeKind
	Name       string
	Expression Expression
	Script     *Script
	Fields     []Field
	Timer      *Timer // task event timeout
	At         Position
}

// Field is an injected value.
type Field struct {
	Name       string
	Value      string // literal
	Expression Expression
}

// Property is a name with a text.
type Property struct {
	ID    string
	Name  string
	Value string
}

// Parameter is a vendor input or output parameter.
type Parameter struct {
	Name  string
	Value Value
}

// ValueKind tells the forms of a parameter value apart.
type ValueKind uint8

// The forms.
const (
	ValueText ValueKind = iota + 1
	ValueScript
	ValueList
	ValueMap
)

// Value is a parameter value.
type Value struct {
	Kind    ValueKind
	Text    Expression
	Script  *Script
	List    []Value
	Entries []Parameter // of a map, in document order
}

// ErrorMapping turns a failure of a handler into a BPMN error.
type ErrorMapping struct {
	Code  string
	Class string // failure name; "" maps every failure
}

// Form is the form of a user task or start event.
type Form struct {
	Key         Expression
	Ref         string
	RefBinding  Binding
	RefVersion  string
	BusinessKey string // field that carries the business key
	Fields      []FormField
}

// FormField is one field of a form kept in the file.
type FormField struct {
	ID          string
	Label       string
	Type        string
	Default     Expression
	Variable    string
	Expression  Expression
	DatePattern string
	Required    bool
	Readable    bool
	Writable    bool
	Values      []Property // choices of an enum: ID and Name
	Constraints []Property // validation: name and config
	Properties  []Property
}

// Extension is a vendor element that the graph does not interpret, such as the
// approval settings of the designer.
type Extension struct {
	Name       string
	Attributes []Property
	Text       string
	Children   []Extension
}

// Attribute gives the value of an attribute, "" when absent.
func (e Extension) Attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}
