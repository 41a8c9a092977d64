package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

const (
	sqlOpenTasks = `SELECT id, token_id, parent_id, element, name, assignee_id, owner_id, delegation, sign_type, status, reason, form_key, priority, due_at,
 follow_up_at, created_at, claimed_at, ended_at FROM wf_task WHERE tenant_id = :tenant AND instance_id = :id AND ended_at = 0 ORDER BY id`
	sqlOpenActivities = `SELECT id, token_id, element, type, task_id, started_at, ended_at, end_kind FROM wf_activity
 WHERE tenant_id = :tenant AND instance_id = :id AND ended_at = 0 ORDER BY id`
	sqlOpenIncidents = `SELECT id, token_id, job_id, kind, element, message, detail, created_at FROM wf_incident
 WHERE tenant_id = :tenant AND instance_id = :id AND resolved_at = 0 ORDER BY id`
	sqlSubscriptions = `SELECT id, token_id, kind, name, corr_key, element FROM wf_subscription
 WHERE tenant_id = :tenant AND owner_id = :id AND starts = false ORDER BY id`
	// The run of a job that is due may be executing and wait for the lock that Verify holds.
	sqlRuns = `SELECT dedupe FROM job_run WHERE tenant_id = :tenant AND name IN ('workflow.job', 'workflow.call') AND dedupe IN (:keys) AND dedupe <> '' AND state < 2`
)

type incidentRow struct {
	ID        int64
	TokenID   int64
	JobID     int64
	Kind      string
	Element   string
	Message   string
	Detail    string
	CreatedAt int64
}

type subscriptionRow struct {
	ID      int64
	TokenID int64
	Kind    string
	Name    string
	CorrKey string
	Element string
}

// Verify compares the document of an instance with the tables beside it, with the runs
// of its jobs and with its history, and tests the invariants of package engine. It gives
// a line for each difference; an instance that was never damaged has none.
func (e *Engine) Verify(ctx context.Context, id string) (found []string, err error) {
	err = store.Write(ctx, func(ctx context.Context) error {
		var b store.Batch
		rows := store.Read[instanceRow](&b, sqlLoad, store.Args{"id": id})
		tasks := store.Read[taskRow](&b, sqlOpenTasks, store.Args{"id": id})
		visits := store.Read[activityRow](&b, sqlOpenActivities, store.Args{"id": id})
		incidents := store.Read[incidentRow](&b, sqlOpenIncidents, store.Args{"id": id})
		subs := store.Read[subscriptionRow](&b, sqlSubscriptions, store.Args{"id": id})
		history := store.Read[eventRow](&b, sqlEvents, store.Args{"id": id})
		if err := b.Send(ctx); err != nil {
			return err
		}
		if len(*rows) == 0 {
			return ErrNoInstance.With(id)
		}
		row := &(*rows)[0]
		st, err := row.load()
		if err != nil {
			return err
		}
		g, err := e.Process(ctx, row.DefinitionID)
		if err != nil {
			return err
		}
		d := &differences{}
		compare(d, "task", st.Tasks, turned(*tasks, taskRow.task), func(k engine.Task) int64 { return k.ID })
		compare(d, "visit", st.Activities, turned(*visits, activityRow.activity), func(a engine.Activity) int64 { return a.ID })
		compare(d, "subscription", st.Subscriptions, turned(*subs, subscriptionRow.subscription), func(s engine.Subscription) int64 { return s.ID })
		compareIncidents(d, st.Incidents, *incidents)
		events, err := d.history(*history, st.Instance.NextSeq)
		if err != nil {
			return err
		}
		for _, v := range engine.Check(g, st, events) {
			d.add("%s: %s", v.Rule, v.Detail)
		}
		err = d.runs(ctx, st)
		found = d.list
		return err
	})
	return found, err
}

func (r subscriptionRow) subscription() engine.Subscription {
	return engine.Subscription{ID: r.ID, Token: r.TokenID, Kind: engine.SubscriptionKind(r.Kind), Name: r.Name, CorrKey: r.CorrKey, Element: r.Element}
}

type differences struct{ list []string }

func (d *differences) add(format string, args ...any) {
	d.list = append(d.list, fmt.Sprintf(format, args...))
}

// compare matches the rows of the document with those of a table.
func compare[T comparable](d *differences, what string, document []*T, rows []T, id func(T) int64) {
	inTable := map[int64]T{}
	for _, r := range rows {
		inTable[id(r)] = r
	}
	for _, x := range document {
		switch row, ok := inTable[id(*x)]; {
		case !ok:
			d.add("%s %d is not in the table", what, id(*x))
		case row != *x:
			d.add("%s %d is %+v in the table, %+v in the document", what, id(*x), row, *x)
		}
		delete(inTable, id(*x))
	}
	rest := make([]int64, 0, len(inTable))
	for n := range inTable {
		rest = append(rest, n)
	}
	slices.SortFunc(rest, cmp.Compare[int64])
	for _, n := range rest {
		d.add("%s %d is open in the table only", what, n)
	}
}

// compareIncidents leaves out Resume, which only the document has.
func compareIncidents(d *differences, document []*engine.Incident, rows []incidentRow) {
	plain := make([]*engine.Incident, len(document))
	for i, x := range document {
		c := *x
		c.Resume = ""
		plain[i] = &c
	}
	compare(d, "incident", plain, turned(rows, incidentRow.incident), func(i engine.Incident) int64 { return i.ID })
}

func (r incidentRow) incident() engine.Incident {
	return engine.Incident{ID: r.ID, Token: r.TokenID, Job: r.JobID, Kind: engine.IncidentKind(r.Kind), Element: r.Element, Message: r.Message,
		Detail: r.Detail, CreatedAt: r.CreatedAt}
}

// history reads the events and looks for a gap.
func (d *differences) history(rows []eventRow, next int64) ([]engine.Event, error) {
	var events []engine.Event
	seq := int64(1)
	for _, r := range rows {
		list, err := r.read()
		if err != nil {
			return nil, err
		}
		if r.Seq != seq || len(list) != r.Events {
			d.add("history: %d events from %d, expected from %d", len(list), r.Seq, seq)
		}
		seq = r.Seq + int64(len(list))
		events = append(events, list...)
	}
	if seq != next {
		d.add("history: it ends before %d, the instance goes on with %d", seq, next)
	}
	return events, nil
}

// runs looks for the run of each job.
func (d *differences) runs(ctx context.Context, st *engine.State) error {
	if st.Instance.Status != engine.Running {
		return nil
	}
	var keys []string
	for _, j := range st.Jobs {
		if j.Retries > 0 {
			keys = append(keys, jobKey(st.Instance.ID, j))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	there, err := store.Select[string](ctx, sqlRuns, store.Args{"keys": keys})
	for _, key := range keys {
		if !slices.Contains(there, key) {
			d.add("job %s has no run", key)
		}
	}
	return err
}

// Replay runs the recorded commands of an instance again, from nothing, and tells where
// state and history differ from what is stored. It explains why an instance is where it
// is, and proves that this program still does what an earlier release did.
func (e *Engine) Replay(ctx context.Context, id string) (found []string, err error) {
	v, err := e.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	events, err := e.Events(ctx, id)
	if err != nil {
		return nil, err
	}
	commands, err := engine.Commands(events)
	if err != nil {
		return nil, err
	}
	graph := func(definition string) (*bpmn.Process, error) { return e.Process(ctx, definition) }
	st, again, err := engine.Replay(graph, clock.Shanghai, commands)
	if err != nil {
		return nil, err
	}
	d := &differences{}
	d.bytes("instance", v.State.Instance, st.Instance)
	stored, err := snapshot(v.State)
	if err != nil {
		return nil, err
	}
	played, err := snapshot(st)
	if err != nil {
		return nil, err
	}
	if stored != played {
		d.add("state is %s, replayed %s", stored, played)
	}
	for i := range max(len(events), len(again)) {
		if i >= len(events) || i >= len(again) {
			d.add("%d events are stored, %d replayed", len(events), len(again))
			break
		}
		d.bytes(fmt.Sprintf("event %d", i+1), events[i], again[i])
	}
	return d.list, nil
}

func (d *differences) bytes(what string, stored, played any) {
	a, errA := json.Marshal(stored)
	b, errB := json.Marshal(played)
	if errA != nil || errB != nil || string(a) != string(b) {
		d.add("%s is %s, replayed %s", what, a, b)
	}
}
