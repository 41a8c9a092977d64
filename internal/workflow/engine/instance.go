package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/juel"
)

// Start begins an instance in an empty State. Node names a start event; "" means
// the none start event.
type Start struct {
	ID             string
	DefinitionID   string
	RootID         string   `json:",omitempty"` // "" at the top of a call tree
	ParentInstance string   `json:",omitempty"`
	ParentToken    int64    `json:",omitempty"`
	Depth          int      `json:",omitempty"`
	BusinessType   string   `json:",omitempty"`
	BusinessID     string   `json:",omitempty"`
	Title          string   `json:",omitempty"` // name of the instance
	StarterID      int64    `json:",omitempty"`
	Vars           Document `json:",omitzero"`
	Node           string   `json:",omitempty"`
}

// Name implements Action.
func (*Start) Name() string { return "start" }

func (a *Start) apply(r *run) error {
	in := &r.st.Instance
	if a.Depth > MaxDepth {
		return ErrTooDeep.With(MaxDepth)
	}
	in.ID, in.DefinitionID, in.RootID, in.ParentInstance, in.ParentToken = a.ID, a.DefinitionID, a.RootID, a.ParentInstance, a.ParentToken
	in.Depth, in.BusinessType, in.BusinessID, in.Name, in.StarterID = a.Depth, a.BusinessType, a.BusinessID, a.Title, a.StarterID
	if in.RootID == "" {
		in.RootID = a.ID
	}
	in.Status, in.Result, in.StartedAt = Running, InProgress, r.cmd.At
	if err := r.firstVariables(a.Vars); err != nil {
		return ErrBadVariable.With(err)
	}
	root, err := r.produce(nil, KindRoot, "")
	if err != nil {
		return err
	}
	root.State = StateActive
	if err := r.listenProcess("start"); err != nil {
		return err
	}
	if err := r.armEventSubs(root, &r.g.Scope); err != nil {
		return r.fatal(r.g.ID, err)
	}
	if a.Node == "" {
		if len(r.g.Starts) > 0 && !slices.ContainsFunc(r.g.Starts, func(s int) bool { return r.g.Nodes[s].Event.Type == bpmn.EventNone }) {
			return ErrNoStart.With("none")
		}
		return r.startScope(root, &r.g.Scope)
	}
	i, ok := r.g.Node(a.Node)
	if !ok || !slices.Contains(r.g.Starts, i) {
		return ErrNoStart.With(a.Node)
	}
	t, err := r.begin(root, i)
	if err == nil && r.g.Nodes[i].Event.Type != bpmn.EventNone {
		r.event(EventFired, a.Node, t.ID, 0)
	}
	return err
}

func (r *run) firstVariables(doc Document) error {
	m, err := doc.object()
	if err != nil || len(m) == 0 {
		return err
	}
	if r.st.Instance.Vars, err = Object(m); err != nil {
		return err
	}
	r.scopes = append(r.scopes, scopeVars{vars: juel.Normalize(m).(map[string]any)})
	return nil
}

// finish ends the instance: whatever still lives is cancelled first.
func (r *run) finish(result Result, why string, f *Fault) error {
	return r.finishBecause(result, because(why), f)
}

func (r *run) finishBecause(result Result, why reason, f *Fault) error {
	root := r.st.root()
	for _, t := range slices.Backward(r.st.children(root.ID)) {
		if err := r.cancel(t, why); err != nil {
			return err
		}
	}
	if err := r.listenProcess("end"); err != nil {
		return err
	}
	r.disarm(root.ID)
	r.consume(root)
	if err := r.saveScopes(); err != nil {
		return err
	}
	in := &r.st.Instance
	in.Status, in.Result, in.EndedAt, in.Reason = Ended, result, r.cmd.At, why.text
	e := r.event(EventEnded, "", root.ID, 0)
	e.Data = Document(`{"result":` + itoa(int(result)) + `}`)
	r.emit(InstanceEnded{Result: result, Reason: why.text, Fault: f, Vars: in.Vars})
	return nil
}

// End ends the instance from outside: cancelled by starter or administrator,
// rejected by an approver. Task, if given, is the task of the decision and gets
// TaskStatus; the other open tasks are cancelled.
type End struct {
	Result     Result
	Reason     string     `json:",omitempty"`
	Task       int64      `json:",omitempty"`
	TaskStatus TaskStatus `json:",omitempty"`
}

// Name implements Action.
func (*End) Name() string { return "end" }

func (a *End) apply(r *run) error {
	if a.Task != 0 && r.st.Task(a.Task) == nil {
		return ErrNoTask.With(a.Task)
	}
	return r.finishBecause(a.Result, reason{text: a.Reason, task: a.Task, status: a.TaskStatus}, nil)
}

// Suspend stops the instance: tasks cannot be decided and nothing is delivered
// until Resume. Jobs that fall due meanwhile stay.
type Suspend struct {
	Reason string `json:",omitempty"`
}

// Name implements Action.
func (*Suspend) Name() string { return "suspend" }

func (a *Suspend) apply(r *run) error {
	r.st.Instance.Status = Suspended
	r.note(EventSuspended, "", 0, a.Reason)
	return nil
}

// Resume lets a suspended instance go on.
type Resume struct{}

// Name implements Action.
func (*Resume) Name() string { return "resume" }

func (a *Resume) apply(r *run) error {
	if r.st.Instance.Status != Suspended {
		return ErrNotPaused.With(r.st.Instance.ID)
	}
	r.st.Instance.Status = Running
	r.event(EventResumed, "", 0, 0)
	return nil
}
