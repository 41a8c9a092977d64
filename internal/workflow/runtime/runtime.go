package runtime

import (
	"context"
	"embed"

	"github.com/maypok86/otter/v2"

	"viva/internal/kernel/job"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

// Migrations creates the tables wf_*.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Options of an engine.
type Options struct {
	Handlers  []Handler
	Decisions []Decision
	Beans     []Bean
	// ScriptsAllowed tells whether the actor's tenant may deploy and run JavaScript; nil
	// means nobody may.
	ScriptsAllowed func(ctx context.Context) (bool, error)
	// Checked tests all invariants of package engine after every command, not only the
	// cheap ones.
	Checked bool
}

// Engine runs processes. Make one per program, add hooks, then use it from any
// goroutine.
type Engine struct {
	options  Options
	registry *registry
	compiled *otter.Cache[string, *compiled]

	onStart    []func(context.Context, *InstanceStarted) error
	onTask     []func(context.Context, *TaskEvent) error
	onEnd      []func(context.Context, *InstanceEnded) error
	onIncident []func(context.Context, *IncidentRaised) error
	onTimer    []func(context.Context, *TimerFired) error
	items      func(context.Context, *ItemsWanted) ([]any, bool, error)
}

// maxCompiled bounds the process graphs kept in memory.
const maxCompiled = 500

// New makes an engine. It panics when two handlers share a name, which stops the
// start-up.
func New(o Options) *Engine {
	return &Engine{
		options: o, registry: newRegistry(o),
		compiled: otter.Must(&otter.Options[string, *compiled]{MaximumSize: maxCompiled}),
	}
}

// AllowScripts sets Options.ScriptsAllowed. Call it before the engine is used.
func (e *Engine) AllowScripts(fn func(ctx context.Context) (bool, error)) {
	e.options.ScriptsAllowed = fn
}

// Work declares the jobs of the engine.
func (e *Engine) Work(queue *job.Queue) {
	lane := job.Lane("workflow", 16)
	queue.Handle(jobFire, e.runJob, lane, job.Titled("流程作业"))
	queue.Handle(jobDeliver, e.runDelivery, lane, job.Titled("流程消息投递"))
	queue.Handle(jobStart, e.runStart, lane, job.Titled("流程定时发起"))
	queue.Handle(jobCall, e.runCall, job.Lane("workflow.call", 8), job.Titled("流程外部调用"))
	queue.Every("workflow.purge", "0 50 3 * * ?", purgeCommands, job.Titled("清理流程命令记录"))
}

// TaskChange says what happened to a task.
type TaskChange int

// The changes of a task.
const (
	TaskCreated TaskChange = iota + 1
	TaskAssigned
	TaskEnded
)

// TaskEvent is what a task hook gets.
type TaskEvent struct {
	Change   TaskChange
	Task     engine.Task
	Instance engine.Instance
	Process  *bpmn.Process
	Node     *bpmn.Node
	// Modelled are the texts of a created task as the model has them, evaluated.
	Modelled *engine.TaskCreated
	// OldAssignee is who had an assigned task before.
	OldAssignee int64
	// State is the instance as the hook finds it, for reading during the hook only.
	State *engine.State
}

// OnTask calls fn for created, assigned and ended tasks, in the order of the events and
// in the transaction of the command. fn may command the same instance; a task that such
// a command ended before its creation was announced is not announced as created.
func (e *Engine) OnTask(fn func(context.Context, *TaskEvent) error) { e.onTask = append(e.onTask, fn) }

// InstanceStarted is what a start hook gets.
type InstanceStarted struct {
	Instance engine.Instance
	Process  *bpmn.Process
}

// OnStart calls fn when an instance starts, before its first tasks find their people and
// in the transaction of the command. Instances that a call activity starts are among them.
func (e *Engine) OnStart(fn func(context.Context, *InstanceStarted) error) {
	e.onStart = append(e.onStart, fn)
}

// InstanceEnded is what an end hook gets. Fault is the BPMN error that left a child.
type InstanceEnded struct {
	Instance engine.Instance
	Process  *bpmn.Process
	Fault    *engine.Fault
}

// OnEnd calls fn when an instance ends, in the transaction of the command.
func (e *Engine) OnEnd(fn func(context.Context, *InstanceEnded) error) { e.onEnd = append(e.onEnd, fn) }

// IncidentRaised is what an incident hook gets.
type IncidentRaised struct {
	Instance engine.Instance
	Incident engine.Incident
}

// OnIncident calls fn when a token begins to wait for an administrator.
func (e *Engine) OnIncident(fn func(context.Context, *IncidentRaised) error) {
	e.onIncident = append(e.onIncident, fn)
}

// TimerFired is what a hook gets when a boundary timer of an activity fires. Host is that
// activity; an interrupting timer has ended it already.
type TimerFired struct {
	Instance engine.Instance
	Process  *bpmn.Process
	Node     *bpmn.Node
	Host     *bpmn.Node
	// State is the instance as the hook finds it, for reading during the hook only.
	State *engine.State
}

// OnTimer calls fn when a boundary timer fires, in the transaction of its job. fn may
// command the same instance.
func (e *Engine) OnTimer(fn func(context.Context, *TimerFired) error) {
	e.onTimer = append(e.onTimer, fn)
}

// ItemsWanted asks for the collection of a multi-instance activity.
type ItemsWanted struct {
	Instance  engine.Instance
	Process   *bpmn.Process
	Node      *bpmn.Node
	Token     int64
	Variables func() map[string]any
}

// OnItems lets fn replace the modelled collection of multi-instance activities; false
// keeps the model's. The approval layer gives the people of the task. fn only reads.
func (e *Engine) OnItems(fn func(context.Context, *ItemsWanted) (items []any, ok bool, err error)) {
	e.items = fn
}
