package runtime

import (
	"context"
	"strconv"

	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

// perform does one thing that a command left to do.
func (u *unit) perform(ctx context.Context, a *aggregate, effect engine.Effect) error {
	switch x := effect.(type) {
	case engine.TaskCreated:
		if a.st.Task(x.Task.ID) == nil {
			return nil // a command of a hook ended it meanwhile
		}
		return u.taskCreated(ctx, a, x)
	case engine.TaskAssigned:
		return u.tellTask(ctx, a, &TaskEvent{Change: TaskAssigned, Task: x.Task, OldAssignee: x.Old})
	case engine.TaskEnded:
		return u.tellTask(ctx, a, &TaskEvent{Change: TaskEnded, Task: x.Task})
	case engine.ChildWanted:
		return u.startChild(ctx, a, x)
	case engine.ChildUnwanted:
		return u.endChild(ctx, a, x)
	case engine.SignalThrown:
		return u.signal(ctx, a, x)
	case engine.MessageThrown:
		return u.send(ctx, Message{Name: x.Name, Key: x.CorrKey, document: x.Vars})
	case addressed:
		return u.send(ctx, x.message)
	case timed:
		return u.timerFired(ctx, a, x.element)
	case engine.IncidentRaised:
		for _, fn := range u.e.onIncident {
			if err := fn(ctx, &IncidentRaised{Instance: a.st.Instance, Incident: x.Incident}); err != nil {
				return err
			}
		}
	case engine.InstanceEnded:
		return u.ended(ctx, a, x)
	}
	return nil
}

// timed is a boundary timer that fired, waiting for its hooks.
type timed struct {
	engine.MessageThrown
	element string
}

func (u *unit) announceTimers(a *aggregate, events []engine.Event) {
	if len(u.e.onTimer) == 0 {
		return
	}
	for _, e := range events {
		if e.Kind != engine.EventFired {
			continue
		}
		if i, ok := a.process.Node(e.Element); ok && a.process.Nodes[i].Kind == bpmn.KindBoundaryEvent && a.process.Nodes[i].Event.Type == bpmn.EventTimer {
			u.queue = append(u.queue, pending{a, timed{element: e.Element}})
		}
	}
}

func (u *unit) timerFired(ctx context.Context, a *aggregate, element string) error {
	i, ok := a.process.Node(element)
	if !ok {
		return nil
	}
	n := &a.process.Nodes[i]
	event := &TimerFired{Instance: a.st.Instance, Process: a.process, Node: n, Host: &a.process.Nodes[n.AttachedTo], State: a.st}
	for _, fn := range u.e.onTimer {
		if err := fn(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

func (u *unit) taskCreated(ctx context.Context, a *aggregate, x engine.TaskCreated) error {
	if err := u.tellTask(ctx, a, &TaskEvent{Change: TaskCreated, Task: x.Task, Modelled: &x}); err != nil {
		return err
	}
	if !a.chosen[x.Task.ID] {
		a.modelledCandidates(x)
	}
	return nil
}

func (u *unit) tellTask(ctx context.Context, a *aggregate, event *TaskEvent) error {
	event.Instance, event.Process, event.State = a.st.Instance, a.process, a.st
	if i, ok := a.process.Node(event.Task.Element); ok {
		event.Node = &a.process.Nodes[i]
	}
	for _, fn := range u.e.onTask {
		if err := fn(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// ended tells the hooks and the calling instance.
func (u *unit) ended(ctx context.Context, a *aggregate, x engine.InstanceEnded) error {
	for _, fn := range u.e.onEnd {
		if err := fn(ctx, &InstanceEnded{Instance: a.st.Instance, Process: a.process, Fault: x.Fault}); err != nil {
			return err
		}
	}
	if a.st.Instance.ParentInstance == "" {
		return nil
	}
	return u.finishChild(ctx, a, x)
}

// The kinds of candidates of a task.
const (
	CandidateUser  = "user"
	CandidateRole  = "role"
	CandidateDept  = "dept"
	CandidatePost  = "post"
	CandidateGroup = "group"
)

// Candidate is somebody who may take a task. Rule says why.
type Candidate struct {
	Kind string
	Ref  int64
	Rule string
}

type candidateRow struct {
	task int64
	Candidate
	drop bool // first remove what the task has
}

// SetCandidates replaces the candidates of an open task. Called from a task hook they
// are written with the task; otherwise they need a unit, see Together.
func (e *Engine) SetCandidates(ctx context.Context, instance string, task int64, list []Candidate) error {
	return e.within(ctx, func(ctx context.Context, u *unit) error {
		a, _, err := u.load(ctx, instance, "")
		if err != nil {
			return err
		}
		if a.st.Task(task) == nil {
			return engine.ErrNoTask.With(task)
		}
		a.setCandidates(task, list)
		return nil
	})
}

func (a *aggregate) setCandidates(task int64, list []Candidate) {
	if a.chosen == nil {
		a.chosen = map[int64]bool{}
	}
	rows := a.candidates[:0]
	for _, r := range a.candidates {
		if r.task != task {
			rows = append(rows, r)
		}
	}
	if task < a.first {
		rows = append(rows, candidateRow{task: task, drop: true})
	}
	for _, c := range list {
		rows = append(rows, candidateRow{task: task, Candidate: c})
	}
	a.candidates, a.chosen[task] = rows, true
}

// modelledCandidates keeps the candidates of the model that are ids; names mean
// something only to the approval layer.
func (a *aggregate) modelledCandidates(x engine.TaskCreated) {
	var list []Candidate
	for _, text := range x.CandidateUsers {
		list = appendID(list, CandidateUser, text)
	}
	for _, text := range x.CandidateGroups {
		list = appendID(list, CandidateGroup, text)
	}
	if len(list) > 0 {
		a.setCandidates(x.Task.ID, list)
	}
}

func appendID(list []Candidate, kind, text string) []Candidate {
	ref, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ref <= 0 {
		return list
	}
	for _, c := range list {
		if c.Kind == kind && c.Ref == ref {
			return list
		}
	}
	return append(list, Candidate{Kind: kind, Ref: ref, Rule: "model"})
}

const sqlChild = `SELECT i.id FROM wf_instance i WHERE i.tenant_id = :tenant AND i.root_id = :root AND i.parent_instance_id = :parent AND i.parent_token_id = :token AND i.status <> 2 AND i.parent_instance_id <> ''`

// startChild starts the instance that a call activity waits for.
func (u *unit) startChild(ctx context.Context, a *aggregate, x engine.ChildWanted) error {
	if t := a.st.Token(x.Token); t == nil || t.State != engine.StateChild {
		return nil // cancelled by a command of a hook
	}
	d, err := u.e.callee(ctx, a, x)
	if err != nil {
		return err
	}
	id := newID()
	if x.IDVariable != "" {
		vars, err := engine.Object(map[string]any{x.IDVariable: id})
		if err != nil {
			return err
		}
		if err := u.apply(ctx, a, 0, &engine.SetVariables{Vars: vars}); err != nil {
			return err
		}
	}
	in := StartIn{Name: x.Name, Starter: a.st.Instance.StarterID, BusinessID: x.BusinessKey}
	if x.InheritKey {
		in.BusinessType, in.BusinessID = a.st.Instance.BusinessType, a.st.Instance.BusinessID
	}
	do := &engine.Start{ID: id, RootID: a.st.Instance.RootID, ParentInstance: a.st.Instance.ID, ParentToken: x.Token, Depth: x.Depth, Vars: x.Vars}
	_, err = u.start(ctx, d, nil, in, do)
	return err
}

// callee finds the definition that a call activity binds to. A superseded version is
// suspended for people but may still be called by its version; the newest one, when an
// administrator suspended it, may not.
func (e *Engine) callee(ctx context.Context, a *aggregate, x engine.ChildWanted) (d Definition, err error) {
	latest := false
	switch {
	case x.ByID:
		d, err = e.FindDefinition(ctx, x.Called)
	case x.Binding == string(bpmn.BindVersion):
		n, _ := strconv.Atoi(x.Version)
		d, err = foundDefinition(x.Called + " v" + x.Version)(store.Get[Definition](ctx, sqlByVersion, store.Args{"key": x.Called, "version": n}))
	case x.Binding == string(bpmn.BindVersionTag):
		d, err = foundDefinition(x.Called + " " + x.Version)(store.Get[Definition](ctx, sqlByTag, store.Args{"key": x.Called, "tag": x.Version}))
	case x.Binding == string(bpmn.BindDeployment):
		d, err = foundDefinition(x.Called)(store.Get[Definition](ctx, sqlByDeployment, store.Args{"key": x.Called, "deployment": a.DeploymentID}))
	default:
		latest = true
		d, err = e.Latest(ctx, x.Called)
	}
	if err != nil || !d.Suspended {
		return d, err
	}
	if !latest {
		newest, err := e.Latest(ctx, d.Key)
		if err != nil || newest.ID != d.ID {
			return d, err
		}
	}
	return d, startable(d)
}

// endChild cancels the child of a token that left.
func (u *unit) endChild(ctx context.Context, a *aggregate, x engine.ChildUnwanted) error {
	parent := a.st.Instance.ID
	for _, c := range u.all {
		if in := &c.st.Instance; in.ParentInstance == parent && in.ParentToken == x.Token && in.Status != engine.Ended {
			return u.apply(ctx, c, 0, &engine.End{Result: engine.Cancelled, Reason: x.Reason})
		}
	}
	if a.fresh {
		return nil
	}
	ids, err := store.Select[string](ctx, sqlChild, store.Args{"root": a.st.Instance.RootID, "parent": parent, "token": x.Token})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if u.find(id) != nil {
			continue // ended in this unit
		}
		c, _, err := u.load(ctx, id, "")
		if err != nil {
			return err
		}
		if err := u.apply(ctx, c, 0, &engine.End{Result: engine.Cancelled, Reason: x.Reason}); err != nil {
			return err
		}
	}
	return nil
}

// finishChild reports the end of a child to the token that waits for it.
func (u *unit) finishChild(ctx context.Context, a *aggregate, x engine.InstanceEnded) error {
	in := &a.st.Instance
	parent, _, err := u.load(ctx, in.ParentInstance, "")
	if err != nil {
		return err
	}
	t := parent.st.Token(in.ParentToken)
	if parent.st.Instance.Status == engine.Ended || t == nil || t.State != engine.StateChild {
		return nil // it does not wait any more: it cancelled the child
	}
	return u.apply(ctx, parent, 0, &engine.FinishChild{Token: in.ParentToken, Vars: x.Vars, Fault: x.Fault})
}
