package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

const (
	sqlInsertInstance = `INSERT INTO wf_instance (tenant_id, id, definition_id, process_key, root_id, parent_instance_id, parent_token_id, depth, business_type,
 business_id, name, starter_id, status, result, rev, next_seq, next_id, started_at, ended_at, reason, vars, state)
 VALUES (:tenant, :id, :definition, :key, :root, :parent, :parent_token, :depth, :business_type, :business_id, :name, :starter, :status, :result, :rev,
 :next_seq, :next_id, :started_at, :ended_at, :reason, :vars, :state)`
	sqlUpdateInstance = `UPDATE wf_instance SET definition_id = :definition, process_key = :key, name = :name, status = :status, result = :result, rev = :rev,
 next_seq = :next_seq, next_id = :next_id, ended_at = :ended_at, reason = :reason, vars = :vars, state = :state
 WHERE tenant_id = :tenant AND id = :id AND rev = :old`
	// sqlIsWritten fails when the update before it met no row: by its division on
	// PostgreSQL, by the NULL of it on SQLite. The lock taken at the reading forbids that,
	// so there is no better word for it; and the batch goes with the commit, when it would
	// be too late to count. Where the command left events it is not needed: their key
	// refuses a second writer from the same revision.
	sqlIsWritten   = `SELECT 1 / COUNT(*) FROM wf_instance WHERE tenant_id = :tenant AND id = :id AND rev = :rev`
	sqlInsertEvent = `INSERT INTO wf_event (tenant_id, instance_id, seq, events, at, actor_id, command_id, action, data)
 VALUES (:tenant, :instance, :seq, :events, :at, :actor, :command, :action, :data)`
	sqlInsertTask = `INSERT INTO wf_task (tenant_id, instance_id, id, token_id, parent_id, element, name, assignee_id, owner_id, delegation, sign_type, status,
 reason, form_key, priority, due_at, follow_up_at, created_at, claimed_at, ended_at)
 VALUES (:tenant, :instance, :id, :token, :parent, :element, :name, :assignee, :owner, :delegation, :sign_type, :status,
 :reason, :form_key, :priority, :due_at, :follow_up_at, :created_at, :claimed_at, :ended_at)`
	sqlUpdateTask = `UPDATE wf_task SET token_id = :token, parent_id = :parent, element = :element, name = :name, assignee_id = :assignee, owner_id = :owner,
 delegation = :delegation, sign_type = :sign_type, status = :status, reason = :reason, form_key = :form_key, priority = :priority, due_at = :due_at,
 follow_up_at = :follow_up_at, claimed_at = :claimed_at, ended_at = :ended_at WHERE tenant_id = :tenant AND instance_id = :instance AND id = :id`
	sqlInsertActivity = `INSERT INTO wf_activity (tenant_id, instance_id, id, token_id, element, type, task_id, started_at, ended_at, end_kind)
 VALUES (:tenant, :instance, :id, :token, :element, :type, :task, :started_at, :ended_at, :end_kind)`
	sqlUpdateActivity = `UPDATE wf_activity SET token_id = :token, element = :element, type = :type, task_id = :task, ended_at = :ended_at, end_kind = :end_kind
 WHERE tenant_id = :tenant AND instance_id = :instance AND id = :id`
	sqlInsertIncident = `INSERT INTO wf_incident (tenant_id, instance_id, id, token_id, job_id, kind, element, message, detail, created_at, resolved_at, resolved_by)
 VALUES (:tenant, :instance, :id, :token, :job, :kind, :element, :message, :detail, :created_at, :resolved_at, :resolved_by)`
	sqlUpdateIncident = `UPDATE wf_incident SET resolved_at = :resolved_at, resolved_by = :resolved_by
 WHERE tenant_id = :tenant AND instance_id = :instance AND id = :id`
	sqlSubscribe       = sqlSubscribeStart
	sqlUnsubscribe     = `DELETE FROM wf_subscription WHERE tenant_id = :tenant AND owner_id = :owner AND id = :id`
	sqlInsertCandidate = `INSERT INTO wf_task_candidate (tenant_id, instance_id, task_id, kind, ref_id, rule)
 VALUES (:tenant, :instance, :task, :kind, :ref, :rule) ON CONFLICT (instance_id, task_id, kind, ref_id) DO NOTHING`
	sqlDropCandidates = `DELETE FROM wf_task_candidate WHERE tenant_id = :tenant AND instance_id = :instance AND task_id = :task`
)

// flush writes everything that changed, together with the commit where nothing else
// follows, then the jobs.
func (u *unit) flush(ctx context.Context) error {
	if u.err != nil {
		return u.err
	}
	var b store.Batch
	for _, a := range u.all {
		if !a.dirty && len(a.candidates) == 0 {
			continue
		}
		if err := a.write(&b, u.at); err != nil {
			return err
		}
	}
	for _, r := range u.rows {
		args := store.Args{"id": r.ID, "instance": r.InstanceID, "digest": r.Digest, "at": u.at, "result": r.Result}
		if r.claimed {
			b.Exec(sqlEndCommand, args)
		} else {
			b.Exec(sqlInsertCommand, args)
		}
	}
	if err := b.Later(ctx, u.explain); err != nil {
		return err
	}
	for _, a := range u.all {
		if a.dirty {
			if err := a.writeJobs(ctx, u.own); err != nil {
				return err
			}
		}
	}
	return nil
}

// explain gives the refusal of a second process for one business row.
func (u *unit) explain(err error) error {
	var at *store.BatchError
	if !errors.Is(err, store.ErrUnique) || !errors.As(err, &at) {
		return err
	}
	for _, a := range u.all {
		if in := &a.st.Instance; a.insertAt == at.At {
			return ErrBusinessBusy.With(in.BusinessType, in.BusinessID).Because(err)
		}
	}
	for _, r := range u.rows {
		if !r.claimed {
			return errs.ErrKeyReused.With().Because(err) // the id belongs to a command on another instance
		}
	}
	return err
}

// write adds the statements of one instance.
func (a *aggregate) write(b *store.Batch, now int64) error {
	st := a.st
	if a.dirty {
		args, err := instanceArgs(st, a.Key)
		if err != nil {
			return err
		}
		if a.fresh {
			a.insertAt = b.Len()
			b.Exec(sqlInsertInstance, args)
		} else {
			args["old"] = a.rev
			b.Exec(sqlUpdateInstance, args)
			if !a.recorded() {
				_ = store.Read[int64](b, sqlIsWritten, store.Args{"id": st.Instance.ID, "rev": st.Instance.Rev})
			}
		}
	}
	for _, c := range a.commands {
		if err := a.writeEvents(b, c); err != nil {
			return err
		}
	}
	id := st.Instance.ID
	for _, k := range newest(a.tasks, func(k engine.Task) int64 { return k.ID }) {
		if k.ID >= a.first {
			b.Exec(sqlInsertTask, taskArgs(id, k))
		} else {
			b.Exec(sqlUpdateTask, taskArgs(id, k))
		}
	}
	for _, v := range newest(a.activities, func(v engine.Activity) int64 { return v.ID }) {
		args := store.Args{"instance": id, "id": v.ID, "token": v.Token, "element": v.Element, "type": v.Type, "task": v.Task,
			"started_at": v.StartedAt, "ended_at": v.EndedAt, "end_kind": string(v.EndKind)}
		if v.ID >= a.first {
			b.Exec(sqlInsertActivity, args)
		} else {
			b.Exec(sqlUpdateActivity, args)
		}
	}
	for _, i := range newest(a.incidents, func(i engine.Incident) int64 { return i.ID }) {
		args := store.Args{"instance": id, "id": i.ID, "token": i.Token, "job": i.Job, "kind": string(i.Kind), "element": i.Element,
			"message": i.Message, "detail": i.Detail, "created_at": i.CreatedAt, "resolved_at": i.ResolvedAt, "resolved_by": i.ResolvedBy}
		if i.ID >= a.first {
			b.Exec(sqlInsertIncident, args)
		} else {
			b.Exec(sqlUpdateIncident, args)
		}
	}
	a.writeSubscriptions(b)
	a.writeCandidates(b)
	return nil
}

// recorded tells whether the history gets a row from this unit.
func (a *aggregate) recorded() bool {
	return slices.ContainsFunc(a.commands, func(c executed) bool { return len(c.events) > 0 })
}

// newest keeps the last version of each row, in the order of the ids.
func newest[T any](rows []T, id func(T) int64) []T {
	if len(rows) < 2 {
		return rows
	}
	slices.SortStableFunc(rows, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
	out := rows[:0]
	for i := range rows {
		if i+1 == len(rows) || id(rows[i+1]) != id(rows[i]) {
			out = append(out, rows[i])
		}
	}
	return out
}

// writeEvents keeps one row for all events of a command; they share its time, actor and
// id, and count up from seq.
func (a *aggregate) writeEvents(b *store.Batch, c executed) error {
	if len(c.events) == 0 {
		return nil
	}
	list := make([]eventData, len(c.events))
	for i, e := range c.events {
		list[i] = eventData{Kind: e.Kind, Element: e.Element, Token: e.Token, Task: e.Task, Data: json.RawMessage(e.Data)}
	}
	text, err := encode(list)
	if err != nil {
		return err
	}
	first := &c.events[0]
	b.Exec(sqlInsertEvent, store.Args{"instance": a.st.Instance.ID, "seq": first.Seq, "events": len(list), "at": first.At, "actor": first.ActorID,
		"command": first.Command, "action": c.action, "data": text})
	return nil
}

// eventData is one event in the column data. The names are stored; Data keeps its bytes.
type eventData struct {
	Kind    engine.EventKind `json:"k"`
	Element string           `json:"e,omitempty"`
	Token   int64            `json:"t,omitempty"`
	Task    int64            `json:"u,omitempty"`
	Data    json.RawMessage  `json:"d,omitempty"`
}

func taskArgs(instance string, k engine.Task) store.Args {
	return store.Args{"instance": instance, "id": k.ID, "token": k.Token, "parent": k.Parent, "element": k.Element, "name": k.Name, "assignee": k.AssigneeID,
		"owner": k.OwnerID, "delegation": k.Delegation, "sign_type": k.SignType, "status": int(k.Status), "reason": k.Reason, "form_key": k.FormKey,
		"priority": k.Priority, "due_at": k.DueAt, "follow_up_at": k.FollowUpAt, "created_at": k.CreatedAt, "claimed_at": k.ClaimedAt, "ended_at": k.EndedAt}
}

// writeSubscriptions writes the difference to what the table holds.
func (a *aggregate) writeSubscriptions(b *store.Batch) {
	id, st := a.st.Instance.ID, a.st
	for _, old := range slices.Sorted(maps.Keys(a.before.subs)) {
		if now := st.Subscription(old); now == nil || *now != a.before.subs[old] {
			b.Exec(sqlUnsubscribe, store.Args{"owner": id, "id": old})
		}
	}
	for _, s := range st.Subscriptions {
		if old, had := a.before.subs[s.ID]; had && old == *s {
			continue
		}
		b.Exec(sqlSubscribe, store.Args{"owner": id, "id": s.ID, "starts": false, "token": s.Token, "kind": string(s.Kind), "name": s.Name,
			"corr_key": s.CorrKey, "element": s.Element})
	}
}

func (a *aggregate) writeCandidates(b *store.Batch) {
	for _, c := range a.candidates {
		args := store.Args{"instance": a.st.Instance.ID, "task": c.task, "kind": c.Kind, "ref": c.Ref, "rule": c.Rule}
		if c.drop {
			b.Exec(sqlDropCandidates, args)
		} else {
			b.Exec(sqlInsertCandidate, args)
		}
	}
}

// writeJobs brings the runs of package job in line with the jobs of the aggregate. The
// runs of a suspended instance may have come and gone, so that after its resumption all
// are enqueued; those still waiting are found by their key.
func (a *aggregate) writeJobs(ctx context.Context, own runKey) error {
	id, now := a.st.Instance.ID, mark(a.st)
	for _, old := range slices.Sorted(maps.Keys(a.before.jobs)) {
		key := a.before.jobs[old]
		if now.jobs[old] == key || key == own {
			continue
		}
		if _, err := job.Cancel(ctx, key.name, key.key); err != nil {
			return err
		}
	}
	resumed := a.before.suspended && a.st.Instance.Status == engine.Running
	for _, j := range a.st.Jobs {
		key, runs := now.jobs[j.ID]
		if !runs || key == a.before.jobs[j.ID] && !resumed {
			continue
		}
		if err := enqueue(ctx, id, j); err != nil {
			return err
		}
	}
	return nil
}
