package runtime

import (
	"context"
	"encoding/json"
	"fmt"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

// View is an instance as it was at one moment, for reading. Changing it changes nothing
// in the database.
type View struct {
	State      *engine.State
	Definition Definition
	Process    *bpmn.Process
	compiled   *compiled
}

// Load reads an instance without a lock. Inside a unit that works on it the view shows
// what the unit has done so far.
func (e *Engine) Load(ctx context.Context, id string) (*View, error) {
	if u := unitOf(ctx); u != nil {
		if a := u.find(id); a != nil {
			return a.view(a.st.Clone()), nil
		}
	}
	row, found, err := store.Get[instanceRow](ctx, sqlPeek, store.Args{"id": id})
	if err == nil && !found {
		err = ErrNoInstance.With(id)
	}
	if err != nil {
		return nil, err
	}
	st, err := row.load()
	if err != nil {
		return nil, err
	}
	c, err := e.compile(ctx, row.DefinitionID)
	if err != nil {
		return nil, err
	}
	return (&aggregate{compiled: c}).view(st), nil
}

func (a *aggregate) view(st *engine.State) *View {
	return &View{State: st, Definition: a.Definition, Process: a.process, compiled: a.compiled}
}

// eventRow is a line of wf_event.
type eventRow struct {
	Seq       int64
	Events    int
	At        int64
	ActorID   int64
	CommandID string
	Action    string
	Data      string
}

const (
	sqlEvents     = `SELECT seq, events, at, actor_id, command_id, action, data FROM wf_event WHERE tenant_id = :tenant AND instance_id = :id ORDER BY seq`
	sqlActivities = `SELECT id, token_id, element, type, task_id, started_at, ended_at, end_kind FROM wf_activity
 WHERE tenant_id = :tenant AND instance_id = :id ORDER BY id`
	sqlTasks = `SELECT id, token_id, parent_id, element, name, assignee_id, owner_id, delegation, sign_type, status, reason, form_key, priority, due_at,
 follow_up_at, created_at, claimed_at, ended_at FROM wf_task WHERE tenant_id = :tenant AND instance_id = :id ORDER BY id`
	sqlCandidates = `SELECT kind, ref_id, rule FROM wf_task_candidate WHERE tenant_id = :tenant AND instance_id = :id AND task_id = :task ORDER BY kind, ref_id`
)

// Events reads the whole history of an instance.
func (e *Engine) Events(ctx context.Context, id string) ([]engine.Event, error) {
	list := []engine.Event{}
	err := store.Each(ctx, sqlEvents, store.Args{"id": id}, func(r eventRow) error {
		events, err := r.read()
		list = append(list, events...)
		return err
	})
	return list, err
}

func (r eventRow) read() ([]engine.Event, error) {
	var data []eventData
	if err := json.Unmarshal([]byte(r.Data), &data); err != nil {
		return nil, fmt.Errorf("event %d: %w", r.Seq, err)
	}
	list := make([]engine.Event, len(data))
	for i, d := range data {
		list[i] = engine.Event{Seq: r.Seq + int64(i), At: r.At, ActorID: r.ActorID, Command: r.CommandID, Kind: d.Kind, Element: d.Element,
			Token: d.Token, Task: d.Task, Data: engine.Document(d.Data)}
	}
	return list, nil
}

type activityRow struct {
	ID        int64
	TokenID   int64
	Element   string
	Type      string
	TaskID    int64
	StartedAt int64
	EndedAt   int64
	EndKind   string
}

func (r activityRow) activity() engine.Activity {
	return engine.Activity{ID: r.ID, Token: r.TokenID, Element: r.Element, Type: r.Type, Task: r.TaskID, StartedAt: r.StartedAt, EndedAt: r.EndedAt,
		EndKind: engine.EndKind(r.EndKind)}
}

// Activities lists the visits of elements and the flows taken, in their order.
func (e *Engine) Activities(ctx context.Context, id string) ([]engine.Activity, error) {
	rows, err := store.Select[activityRow](ctx, sqlActivities, store.Args{"id": id})
	return turned(rows, activityRow.activity), err
}

type taskRow struct {
	ID         int64
	TokenID    int64
	ParentID   int64
	Element    string
	Name       string
	AssigneeID int64
	OwnerID    int64
	Delegation string
	SignType   string
	Status     int
	Reason     string
	FormKey    string
	Priority   int
	DueAt      int64
	FollowUpAt int64
	CreatedAt  int64
	ClaimedAt  int64
	EndedAt    int64
}

func (r taskRow) task() engine.Task {
	return engine.Task{ID: r.ID, Token: r.TokenID, Parent: r.ParentID, Element: r.Element, Name: r.Name, AssigneeID: r.AssigneeID, OwnerID: r.OwnerID,
		Delegation: r.Delegation, SignType: r.SignType, Status: engine.TaskStatus(r.Status), Reason: r.Reason, FormKey: r.FormKey, Priority: r.Priority,
		DueAt: r.DueAt, FollowUpAt: r.FollowUpAt, CreatedAt: r.CreatedAt, ClaimedAt: r.ClaimedAt, EndedAt: r.EndedAt}
}

// Tasks lists all tasks of an instance, open and done. Inside a unit that works on the
// instance it knows what the unit has done so far.
func (e *Engine) Tasks(ctx context.Context, id string) ([]engine.Task, error) {
	rows, err := store.Select[taskRow](ctx, sqlTasks, store.Args{"id": id})
	list := turned(rows, taskRow.task)
	if u := unitOf(ctx); u != nil {
		if a := u.find(id); a != nil {
			list = newest(append(list, a.tasks...), func(k engine.Task) int64 { return k.ID })
		}
	}
	return list, err
}

// Lock reads an instance under the lock of its root, so that what a caller judges by
// cannot change before his command. It needs a unit, see Together, and reads nothing twice.
func (e *Engine) Lock(ctx context.Context, id string) (*View, error) {
	u := unitOf(ctx)
	if u == nil {
		return nil, fmt.Errorf("runtime: Lock of %s outside Together", id)
	}
	if u.err != nil {
		return nil, u.err
	}
	a, _, err := u.load(ctx, id, "")
	if err != nil {
		return nil, err
	}
	return a.view(a.st.Clone()), nil
}

func turned[R, T any](rows []R, turn func(R) T) []T {
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = turn(r)
	}
	return list
}

// Candidates lists who may take a task.
func (e *Engine) Candidates(ctx context.Context, instance string, task int64) ([]Candidate, error) {
	type row struct {
		Kind  string
		RefID int64
		Rule  string
	}
	rows, err := store.Select[row](ctx, sqlCandidates, store.Args{"id": instance, "task": task})
	list := make([]Candidate, len(rows))
	for i, r := range rows {
		list[i] = Candidate{Kind: r.Kind, Ref: r.RefID, Rule: r.Rule}
	}
	return list, err
}

// keepCommands is how long an id makes a command idempotent.
const keepCommands = 7 * 24 * 60 * 60 * 1000

const sqlPurgeCommands = `DELETE FROM wf_command WHERE at < :before`

func purgeCommands(ctx context.Context, r *job.Run) error {
	return store.Write(store.AcrossTenants(ctx, "workflow: forget old command ids"), func(ctx context.Context) error {
		n, err := store.Exec(ctx, sqlPurgeCommands, store.Args{"before": clock.Millis() - keepCommands})
		r.Logf("commands %d", n)
		return err
	})
}
