package engine

import (
	"errors"
	"fmt"
	"time"

	"viva/internal/workflow/bpmn"
)

// Env is the world outside the aggregate. Functions run inside the command: no
// network, and an error other than a Fault or ErrNoHandler fails the command.
// What they answer is recorded with the command, so that a replay needs none.
type Env struct {
	// Invoke runs registered code: handlers, listeners, decisions, scripts.
	Invoke func(Invocation) (Outcome, error)
	// Async reports whether a handler must run outside the command; it then
	// becomes a job of kind callback that FinishJob answers.
	Async func(Invocation) bool
	// Bean calls a method of a registered bean from an expression; bean is ""
	// for a plain function.
	Bean func(bean, method string, args []any) (any, error)
	// Items replaces the modelled collection of a multi-instance activity, as the
	// approval layer does with computed candidates; false keeps the model's.
	Items func(Invocation) ([]any, bool, error)
	// Process gives the graph of another definition, for Migrate.
	Process func(definitionID string) (*bpmn.Process, error)
	// Location is the zone of timers without one; nil means UTC.
	Location *time.Location
	// Visits already made by earlier commands of the same user action: chains of
	// automatic decisions share one limit.
	Visits int
}

// Purpose says in which role code is called.
type Purpose string

// The roles of registered code.
const (
	PurposeService   Purpose = "service" // service, send and rule task, message throw
	PurposeDecision  Purpose = "decision"
	PurposeScript    Purpose = "script" // result is the value of the script
	PurposeExecution Purpose = "execution"
	PurposeTask      Purpose = "task"
	PurposeItems     Purpose = "items"
)

// Invocation is one call of registered code.
type Invocation struct {
	Purpose  Purpose
	Code     bpmn.CodeKind
	Handler  string // registered name, reference of a decision
	Event    string // of a listener
	Fields   map[string]any
	Script   *bpmn.Script
	Node     *bpmn.Node // nil for the process
	Flow     *bpmn.Flow // listener "take" only
	Token    int64
	Task     *Task // task listeners
	Instance *Instance
	Job      int64 // of a call-back; the idempotency key of external effects
	// Variable and Variables read what is visible at the token; they may be called
	// during the invocation only.
	Variable  func(name string) (any, bool)
	Variables func() map[string]any
}

// Outcome is what registered code answers.
type Outcome struct {
	Vars   map[string]any // set where they are defined, else in the process
	Local  map[string]any // set at the token
	Result any            // goes to the result variable
}

// ErrNoHandler is answered by Env.Invoke for an unregistered name. The token then
// waits in an incident.
var ErrNoHandler = errors.New("engine: no such handler")

// Fault is a BPMN error: thrown by an end event, a handler or a child instance,
// caught by code.
type Fault struct {
	Code    string
	Message string
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("BPMN error %s: %s", f.Code, f.Message) }

// call is the record of one answer of Env.
type call struct {
	Kind    string
	Name    string   `json:",omitempty"`
	Vars    Document `json:",omitzero"`
	Local   Document `json:",omitzero"`
	Result  Document `json:",omitzero"`
	Yes     bool     `json:",omitempty"`
	Fault   *Fault   `json:",omitempty"`
	Missing bool     `json:",omitempty"`
}

// world wraps Env: it records every answer, or plays recorded ones back.
type world struct {
	Env
	calls  []call
	replay bool
	next   int
}

func (w *world) played(kind, name string) (call, error) {
	if w.next >= len(w.calls) {
		return call{}, fmt.Errorf("replay: the record has no answer for %s %s", kind, name)
	}
	c := w.calls[w.next]
	w.next++
	if c.Kind != kind || c.Name != name {
		return call{}, fmt.Errorf("replay: expected an answer for %s %s, the record has %s %s", kind, name, c.Kind, c.Name)
	}
	return c, nil
}

func (w *world) invoke(i Invocation) (Outcome, error) {
	if w.replay {
		c, err := w.played(string(i.Purpose), i.Handler)
		if err != nil {
			return Outcome{}, err
		}
		return c.outcome()
	}
	if w.Env.Invoke == nil {
		return w.keep(i, Outcome{}, ErrNoHandler)
	}
	out, err := w.Env.Invoke(i)
	return w.keep(i, out, err)
}

func (w *world) keep(i Invocation, out Outcome, err error) (Outcome, error) {
	c := call{Kind: string(i.Purpose), Name: i.Handler}
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		c.Fault = fault
	case errors.Is(err, ErrNoHandler):
		c.Missing = true
	case err != nil:
		if code, ok := mapped(i.Node, err); ok && i.Purpose == PurposeService {
			c.Fault = &Fault{Code: code, Message: err.Error()}
			break
		}
		return out, err
	}
	if c.Vars, err = Object(out.Vars); err != nil {
		return out, err
	}
	if c.Local, err = Object(out.Local); err != nil {
		return out, err
	}
	if out.Result != nil {
		if c.Result, err = encode(out.Result); err != nil {
			return out, err
		}
	}
	w.calls = append(w.calls, c)
	return c.outcome()
}

// outcome reads the recorded form also on the first run, so that a replay sees
// the same values to the byte.
func (c call) outcome() (out Outcome, err error) {
	switch {
	case c.Fault != nil:
		return out, c.Fault
	case c.Missing:
		return out, ErrNoHandler
	}
	if out.Vars, err = c.Vars.Fields(); err != nil {
		return out, err
	}
	if out.Local, err = c.Local.Fields(); err != nil {
		return out, err
	}
	out.Result, err = c.Result.Value()
	return out, err
}

// mapped finds the BPMN error that mapException assigns to a failure. A handler
// names its failures by a method Failure() string.
func mapped(node *bpmn.Node, err error) (string, bool) {
	if node == nil {
		return "", false
	}
	var named interface{ Failure() string }
	name := ""
	if errors.As(err, &named) {
		name = named.Failure()
	}
	for _, m := range node.Mapped {
		if m.Class == "" || m.Class == name {
			return m.Code, true
		}
	}
	return "", false
}

func (w *world) async(i Invocation) (bool, error) {
	if w.replay {
		c, err := w.played("async", i.Handler)
		return c.Yes, err
	}
	yes := w.Async != nil && w.Async(i)
	w.calls = append(w.calls, call{Kind: "async", Name: i.Handler, Yes: yes})
	return yes, nil
}

func (w *world) bean(bean, method string, args []any) (any, error) {
	name := method
	if bean != "" {
		name = bean + "." + method
	}
	if w.replay {
		c, err := w.played("bean", name)
		if err != nil {
			return nil, err
		}
		out, err := c.outcome()
		return out.Result, err
	}
	var v any
	err := ErrNoHandler
	if w.Bean != nil {
		v, err = w.Bean(bean, method, args)
	}
	c := call{Kind: "bean", Name: name}
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		c.Fault = fault
	case errors.Is(err, ErrNoHandler):
		c.Missing = true
	case err != nil:
		return nil, err
	case v != nil:
		if c.Result, err = encode(v); err != nil {
			return nil, err
		}
	}
	w.calls = append(w.calls, c)
	out, err := c.outcome()
	return out.Result, err
}

func (w *world) items(i Invocation) ([]any, bool, error) {
	if w.Items == nil && !w.replay {
		return nil, false, nil
	}
	if w.replay {
		if w.next >= len(w.calls) || w.calls[w.next].Kind != string(PurposeItems) {
			return nil, false, nil
		}
		c, err := w.played(string(PurposeItems), i.Node.ID)
		if err != nil || !c.Yes {
			return nil, false, err
		}
		v, err := c.Result.Value()
		list, _ := v.([]any)
		return list, true, err
	}
	list, yes, err := w.Items(i)
	if err != nil {
		return nil, false, err
	}
	c := call{Kind: string(PurposeItems), Name: i.Node.ID, Yes: yes}
	if c.Result, err = encode(list); err != nil {
		return nil, false, err
	}
	w.calls = append(w.calls, c)
	return list, yes, nil
}
