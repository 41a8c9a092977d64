package engine

import (
	"strings"
	"time"

	"viva/internal/workflow/bpmn"
)

// createTask opens the task of a user task. Task listeners run in the order
// create, assignment; people are resolved by the approval layer afterwards.
func (r *run) createTask(t *Token, n *bpmn.Node) error {
	k := &Task{Token: t.ID, Element: n.ID, Status: TaskOpen, CreatedAt: r.cmd.At}
	made, err := r.assignment(t, n, k)
	if err != nil {
		return err
	}
	k.ID = r.id()
	r.st.Tasks = append(r.st.Tasks, k)
	r.saveTask(k)
	r.visitTask(t, k.ID)
	r.state(t, StateUser)
	r.event(EventTaskNew, n.ID, t.ID, k.ID)
	if err := r.armTimeouts(t, n, k); err != nil {
		return err
	}
	if err := r.listenTask(t, n, k, "create"); err != nil {
		return err
	}
	if k.AssigneeID != 0 {
		if err := r.listenTask(t, n, k, "assignment"); err != nil {
			return err
		}
	}
	made.Task, made.Node = *k, n.Index
	r.emit(made)
	return nil
}

// assignment evaluates the texts of a user task.
func (r *run) assignment(t *Token, n *bpmn.Node, k *Task) (c TaskCreated, err error) {
	if k.Name = n.Name; strings.ContainsAny(n.Name, "$#") {
		if k.Name, err = r.text(t, bpmn.Expression{Source: n.Name}); err != nil {
			k.Name, err = n.Name, nil // a name is a label: show it as it was drawn
		}
	}
	if n.Form != nil {
		if k.FormKey, err = r.text(t, n.Form.Key); err != nil {
			return c, err
		}
	}
	u := n.User
	if u == nil {
		return c, nil
	}
	if c.Assignee, err = r.text(t, u.Assignee); err != nil {
		return c, err
	}
	if c.Owner, err = r.text(t, u.Owner); err != nil {
		return c, err
	}
	k.AssigneeID, _ = integer(c.Assignee)
	k.OwnerID, _ = integer(c.Owner)
	if c.CandidateUsers, err = r.texts(t, u.CandidateUsers); err != nil {
		return c, err
	}
	if c.CandidateGroups, err = r.texts(t, u.CandidateGroups); err != nil {
		return c, err
	}
	if k.DueAt, err = r.date(t, u.DueDate); err != nil {
		return c, err
	}
	if k.FollowUpAt, err = r.date(t, u.FollowUpDate); err != nil {
		return c, err
	}
	priority, err := r.eval(t, u.Priority)
	if p, ok := integer(priority); ok {
		k.Priority = int(p)
	}
	return c, err
}

// date evaluates a due date: a time, or a text ParseTimer takes as a date.
func (r *run) date(t *Token, x bpmn.Expression) (int64, error) {
	v, err := r.eval(t, x)
	if err != nil || v == nil || v == "" {
		return 0, err
	}
	if at, ok := v.(time.Time); ok {
		return at.UnixMilli(), nil
	}
	if ms, ok := v.(int64); ok {
		return ms, nil
	}
	s, err := bpmn.ParseTimer(bpmn.TimerDate, asText(v))
	if err != nil {
		return 0, &stall{kind: IncidentExpression, message: inBoth(t.Element, err), detail: x.Source}
	}
	at, _ := s.First(r.now(), r.now().Location())
	return at.UnixMilli(), nil
}

func (r *run) saveTask(k *Task) { r.tasks = append(r.tasks, k.ID) }

// closeTask ends a task; its token is the caller's business.
func (r *run) closeTask(k *Task, status TaskStatus, why string) {
	k.Status, k.Reason, k.EndedAt = status, why, r.cmd.At
	r.st.Tasks = remove(r.st.Tasks, k.ID)
	r.fx.Tasks = append(r.fx.Tasks, *k)
	for i := len(r.st.Jobs) - 1; i >= 0; i-- {
		if j := r.st.Jobs[i]; j.Task == k.ID {
			r.dropJob(j)
		}
	}
	e := r.event(EventTaskEnd, k.Element, k.Token, k.ID)
	e.Data = Document(`{"status":` + itoa(int(status)) + `}`)
	r.emit(TaskEnded{Task: *k})
}

// cancelTask ends an open task from outside, with the delete listeners.
func (r *run) cancelTask(t *Token, k *Task, why reason) error {
	status := TaskCancelled
	if why.task == k.ID && why.task != 0 {
		status = why.status
	}
	if i, ok := r.g.Node(k.Element); ok {
		if err := r.listenTask(t, &r.g.Nodes[i], k, "delete"); err != nil {
			return r.fatal(k.Element, err)
		}
	}
	r.closeTask(k, status, why.text)
	return nil
}

// openTask finds the open task of a command, its token and its node.
func (r *run) openTask(id int64) (*Task, *Token, *bpmn.Node, error) {
	k := r.st.Task(id)
	if k == nil {
		return nil, nil, nil, ErrNoTask.With(id)
	}
	t := r.st.Token(k.Token)
	n, err := r.node(t)
	return k, t, n, err
}

// CompleteTask ends the task of an element with a status (approved when 0) and
// lets its token leave. Added tasks below it must be done.
type CompleteTask struct {
	Task   int64
	Status TaskStatus `json:",omitempty"`
	Reason string     `json:",omitempty"`
	Vars   Document   `json:",omitzero"`
}

// Name implements Action.
func (*CompleteTask) Name() string { return "complete_task" }

func (a *CompleteTask) apply(r *run) error {
	k, t, n, err := r.openTask(a.Task)
	if err != nil {
		return err
	}
	if k.Parent != 0 {
		return ErrNotThere.With(t.ID, "加签任务用 EndTask 办结 / an added task ends by EndTask")
	}
	for _, other := range r.st.Tasks {
		if other.Parent == k.ID {
			return ErrTaskBusy.With(k.ID)
		}
	}
	if err := r.setDocument(t, a.Vars); err != nil {
		return err
	}
	status := a.Status
	if status == 0 {
		status = TaskApproved
	}
	k.Status, k.Reason = status, a.Reason
	if err := r.listenTask(t, n, k, "complete"); err != nil {
		r.closeTask(k, status, a.Reason)
		return r.failed(t, PhaseLeave, err)
	}
	r.closeTask(k, status, a.Reason)
	r.complete(t)
	return nil
}

// SetAssignee hands a task to somebody: claim, transfer, delegate, resolve.
type SetAssignee struct {
	Task       int64
	AssigneeID int64
	OwnerID    int64  `json:",omitempty"` // 0 keeps the owner
	Delegation string `json:",omitempty"`
	Claimed    bool   `json:",omitempty"`
}

// Name implements Action.
func (*SetAssignee) Name() string { return "set_assignee" }

func (a *SetAssignee) apply(r *run) error {
	k, t, n, err := r.openTask(a.Task)
	if err != nil {
		return err
	}
	old := k.AssigneeID
	k.AssigneeID, k.Delegation = a.AssigneeID, a.Delegation
	if a.OwnerID != 0 {
		k.OwnerID = a.OwnerID
	}
	if a.Claimed {
		k.ClaimedAt = r.cmd.At
	}
	r.saveTask(k)
	e := r.event(EventAssigned, k.Element, k.Token, k.ID)
	e.Data = Document(`{"from":` + itoa(int(old)) + `,"to":` + itoa(int(a.AssigneeID)) + `}`)
	if err := r.listenTask(t, n, k, "assignment"); err != nil {
		return r.failed(t, PhaseBehave, err)
	}
	r.emit(TaskAssigned{Task: *k, Old: old})
	return nil
}

// UpdateTask changes the settings of an open task; nil keeps one. Status is for
// the waiting states of added signs (waiting, open, approving).
type UpdateTask struct {
	Task       int64
	Status     *TaskStatus `json:",omitempty"`
	Title      *string     `json:",omitempty"`
	SignType   *string     `json:",omitempty"`
	Reason     *string     `json:",omitempty"`
	OwnerID    *int64      `json:",omitempty"`
	Priority   *int        `json:",omitempty"`
	DueAt      *int64      `json:",omitempty"`
	FollowUpAt *int64      `json:",omitempty"`
}

// Name implements Action.
func (*UpdateTask) Name() string { return "update_task" }

func (a *UpdateTask) apply(r *run) error {
	k, t, n, err := r.openTask(a.Task)
	if err != nil {
		return err
	}
	change(&k.Status, a.Status)
	change(&k.Name, a.Title)
	change(&k.SignType, a.SignType)
	change(&k.Reason, a.Reason)
	change(&k.OwnerID, a.OwnerID)
	change(&k.Priority, a.Priority)
	change(&k.DueAt, a.DueAt)
	change(&k.FollowUpAt, a.FollowUpAt)
	r.saveTask(k)
	if err := r.listenTask(t, n, k, "update"); err != nil {
		return r.failed(t, PhaseBehave, err)
	}
	return nil
}

func change[T any](field *T, to *T) {
	if to != nil {
		*field = *to
	}
}
