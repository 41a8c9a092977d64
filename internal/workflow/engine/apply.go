package engine

import (
	"errors"
	"slices"
	"sync"

	"viva/internal/workflow/bpmn"
)

// Limits of one command and one instance.
const (
	MaxVisits = 10_000 // node visits per command
	MaxTokens = 5_000  // live tokens per instance
	MaxDepth  = 16     // nested call activities
	MaxItems  = 1_000  // items of a multi-instance activity, rounds of a loop
)

// Phase is a stage of a token's stay at a node. Between two phases a token can be
// stopped by an incident, and a retry goes on with the phase that failed.
//
//	enter → start → open → behave → (wait) → leave → after → go
//	  └ async_before job ┘                           └ async_after job ┘
type Phase string

// The phases.
const (
	phaseNone   Phase = ""
	PhaseEnter  Phase = "enter"  // limit, asynchronous start
	PhaseStart  Phase = "start"  // set-up of loops
	PhaseOpen   Phase = "open"   // visit begins: inputs, listeners, boundary events
	PhaseBehave Phase = "behave" // what the node does
	PhaseFired  Phase = "fired"  // open and leave of an event that was caught already
	PhaseLeave  Phase = "leave"  // outputs, listeners, visit ends
	PhaseAfter  Phase = "after"  // next round of a loop, asynchronous end
	PhaseGo     Phase = "go"     // outgoing flows; an item reports to its body
)

// run is the work on one command.
type run struct {
	g      *bpmn.Process
	st     *State
	cmd    Command
	env    world
	queue  []step
	head   int
	fx     *Effects
	scopes []scopeVars
	left   int64 // token that failed while leaving: its end listeners ran

	// touched rows, by id
	tokens, tasks, subs, jobs, incidents, visits []int64
}

// runs keeps the working space of finished commands; nothing of it outlives one.
var runs = sync.Pool{New: func() any { return new(run) }}

func (r *run) release() {
	clear(r.scopes)
	*r = run{queue: r.queue[:0], scopes: r.scopes[:0], tokens: r.tokens[:0], tasks: r.tasks[:0],
		subs: r.subs[:0], jobs: r.jobs[:0], incidents: r.incidents[:0], visits: r.visits[:0]}
	runs.Put(r)
}

// effects holds the usual number of rows in one piece.
type effects struct {
	Effects
	events     [10]Event
	activities [5]Activity
	tokens     [2]Token
	tasks      [2]Task
	outbox     [2]Effect
}

func newEffects(first int64, visits int) *Effects {
	e := &effects{}
	e.First, e.Visits = first, visits
	e.Events, e.Activities, e.Tokens, e.Tasks = e.events[:0], e.activities[:0], e.tokens[:0], e.tasks[:0]
	e.Outbox = e.outbox[:0]
	return &e.Effects
}

type step struct {
	token int64
	phase Phase
}

// Apply executes one command on the aggregate, up to the next wait states. It
// changes st in place; after an error st must be dropped.
func Apply(g *bpmn.Process, st *State, cmd Command, env Env) (*Effects, error) {
	return apply(g, st, cmd, world{Env: env})
}

func apply(g *bpmn.Process, st *State, cmd Command, env world) (*Effects, error) {
	r := runs.Get().(*run)
	defer r.release()
	r.g, r.st, r.cmd, r.env = g, st, cmd, env
	if _, starting := cmd.Do.(*Start); !starting {
		if err := r.admit(); err != nil {
			return nil, err
		}
	} else if st.Instance.ID != "" {
		return nil, ErrStarted.With(st.Instance.ID)
	} else {
		st.Instance.NextSeq, st.Instance.NextID = 1, 1
	}
	r.fx = newEffects(st.Instance.NextID, env.Visits)
	r.event(EventCommand, "", 0, 0)
	if err := cmd.Do.apply(r); err != nil {
		return nil, err
	}
	if err := r.settle(); err != nil {
		return nil, err
	}
	if err := r.saveScopes(); err != nil {
		return nil, err
	}
	st.Instance.Rev++
	if err := r.recordCommand(0); err != nil {
		return nil, err
	}
	r.collect()
	return r.fx, nil
}

// admit checks the status of the instance against the command.
func (r *run) admit() error {
	switch r.st.Instance.Status {
	case Running:
		return nil
	case Suspended:
		switch r.cmd.Do.(type) {
		case *Resume, *End, *Migrate, *FinishChild, *SetVariables:
			return nil
		}
		return ErrSuspended.With(r.st.Instance.ID)
	}
	return ErrEnded.With(r.st.Instance.ID)
}

// settle runs ready tokens first in, first out; when none is left it looks for an
// inclusive join that may fire.
func (r *run) settle() error {
	for {
		for r.head < len(r.queue) {
			s := r.queue[r.head]
			r.head++
			t := r.st.Token(s.token)
			if t == nil || t.State != StateReady {
				continue // cancelled while it stood in the queue
			}
			if err := r.work(t, s.phase); err != nil {
				return err
			}
		}
		r.queue, r.head = r.queue[:0], 0
		if fired, err := r.fireInclusive(); !fired || err != nil {
			return err
		}
	}
}

// ready puts a token in the queue.
func (r *run) ready(t *Token, p Phase) {
	r.state(t, StateReady)
	r.queue = append(r.queue, step{token: t.ID, phase: p})
}

func (r *run) state(t *Token, s TokenState) {
	t.State = s
	r.touch(t)
}

// work takes one token through its phases until it waits, moves or dies.
func (r *run) work(t *Token, p Phase) error {
	n, err := r.node(t)
	if err != nil {
		return err
	}
	for p != phaseNone {
		if n.ID != t.Element { // a link
			if n, err = r.node(t); err != nil {
				return err
			}
		}
		next, err := r.phase(t, n, p)
		if err != nil {
			return r.failed(t, p, err)
		}
		p = next
	}
	return nil
}

func (r *run) phase(t *Token, n *bpmn.Node, p Phase) (Phase, error) {
	switch p {
	case PhaseEnter:
		return r.enter(t, n)
	case PhaseStart:
		return r.start(t, n)
	case PhaseOpen:
		return PhaseBehave, r.open(t, n)
	case PhaseFired:
		return PhaseLeave, r.open(t, n)
	case PhaseBehave:
		return r.behave(t, n)
	case PhaseLeave:
		return r.leave(t, n)
	case PhaseAfter:
		return r.after(t, n)
	}
	return r.goOn(t, n)
}

// failed sorts the errors of a phase: a fault is thrown in the process, a stall
// becomes an incident, everything else fails the command.
func (r *run) failed(t *Token, p Phase, err error) error {
	var fault *Fault
	if errors.As(err, &fault) {
		if p == PhaseLeave {
			r.left = t.ID
		}
		return r.throw(t, fault, p)
	}
	var s *stall
	if errors.As(err, &s) {
		r.raise(t, Incident{Kind: s.kind, Message: s.message, Detail: s.detail, Resume: p})
		return nil
	}
	return err
}

func (r *run) node(t *Token) (*bpmn.Node, error) {
	i, ok := r.g.Node(t.Element)
	if !ok {
		return nil, ErrNoElement.With(t.Element)
	}
	return &r.g.Nodes[i], nil
}

// id gives the next id of the instance; one row of numbers serves tokens, tasks,
// jobs and all other rows.
func (r *run) id() int64 {
	n := r.st.Instance.NextID
	r.st.Instance.NextID++
	return n
}

func (r *run) event(kind EventKind, element string, token, task int64) *Event {
	r.fx.Events = append(r.fx.Events, Event{
		Seq: r.st.Instance.NextSeq, At: r.cmd.At, ActorID: r.cmd.ActorID, Command: r.cmd.ID,
		Kind: kind, Element: element, Token: token, Task: task,
	})
	r.st.Instance.NextSeq++
	return &r.fx.Events[len(r.fx.Events)-1]
}

// note adds an event with one text as its data.
func (r *run) note(kind EventKind, element string, token int64, text string) {
	e := r.event(kind, element, token, 0)
	if doc, err := encode(text); err == nil && text != "" {
		e.Data = doc
	}
}

func (r *run) emit(e Effect) { r.fx.Outbox = append(r.fx.Outbox, e) }

func (r *run) touch(t *Token) {
	if n := len(r.tokens); n == 0 || r.tokens[n-1] != t.ID {
		r.tokens = append(r.tokens, t.ID)
	}
}

// collect turns the touched ids into changed and removed rows. Rows that ended
// stand in the effects already.
func (r *run) collect() {
	r.fx.Tokens, r.fx.TokensGone = changes(r.fx.Tokens, r.st.Tokens, r.tokens, r.fx.First)
	r.fx.Subscriptions, r.fx.SubsGone = changes(nil, r.st.Subscriptions, r.subs, r.fx.First)
	r.fx.Jobs, r.fx.JobsGone = changes(nil, r.st.Jobs, r.jobs, r.fx.First)
	r.fx.Tasks, _ = changes(r.fx.Tasks, r.st.Tasks, r.tasks, 0)
	r.fx.Incidents, _ = changes(r.fx.Incidents, r.st.Incidents, r.incidents, 0)
	r.fx.Activities, _ = changes(r.fx.Activities, r.st.Activities, r.visits, 0)
}

func changes[T any, P interface {
	*T
	row
}](saved []T, rows []P, touched []int64, first int64) ([]T, []int64) {
	var gone []int64
	slices.Sort(touched)
	for i, id := range touched {
		if i > 0 && touched[i-1] == id {
			continue
		}
		if k, ok := index(rows, id); ok {
			saved = append(saved, *rows[k])
		} else if id < first {
			gone = append(gone, id)
		}
	}
	return saved, gone
}
