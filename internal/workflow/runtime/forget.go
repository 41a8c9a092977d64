package runtime

import (
	"context"
	"strconv"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
)

const (
	sqlLimited = `SELECT id, key, name, history_ttl FROM wf_definition WHERE tenant_id = :tenant AND history_ttl <> '' AND history_ttl <> '0' ORDER BY id`
	sqlExpired = `SELECT i.id FROM wf_instance i WHERE i.tenant_id = :tenant AND i.definition_id = :definition AND i.parent_instance_id = '' AND i.ended_at > 0 AND i.ended_at < :before
 ORDER BY i.ended_at, i.id LIMIT :most`
	sqlTreesOf = `SELECT i.id FROM wf_instance i WHERE i.tenant_id = :tenant AND (i.id IN (:roots) OR i.root_id IN (:roots) AND i.parent_instance_id <> '')`

	sqlForgetEvents        = `DELETE FROM wf_event WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetActivities    = `DELETE FROM wf_activity WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetCandidates    = `DELETE FROM wf_task_candidate WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetTasks         = `DELETE FROM wf_task WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetIncidents     = `DELETE FROM wf_incident WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetSubscriptions = `DELETE FROM wf_subscription WHERE tenant_id = :tenant AND owner_id IN (:ids)`
	sqlForgetInstances     = `DELETE FROM wf_instance WHERE tenant_id = :tenant AND id IN (:ids)`
)

// Limited is a definition whose ended instances are kept for a time only.
type Limited struct {
	ID         string
	Key        string
	Name       string
	HistoryTTL string `db:"history_ttl"`
}

// Limited lists the definitions of the tenant that limit their history.
func (e *Engine) Limited(ctx context.Context) ([]Limited, error) {
	return store.Select[Limited](ctx, sqlLimited, nil)
}

// Before gives the moment before which what ended is to be forgotten; false when the
// setting says nothing usable, which keeps everything.
func (l Limited) Before(now time.Time) (time.Time, bool) {
	if days, err := strconv.Atoi(l.HistoryTTL); err == nil {
		return now.AddDate(0, 0, -days), days > 0
	}
	p, err := bpmn.ParsePeriod(l.HistoryTTL)
	if err != nil {
		return now, false
	}
	before := p.Before(now, clock.Shanghai)
	return before, before.Before(now)
}

// Expired lists ended instances that were called by no other, the longest ended first.
func (e *Engine) Expired(ctx context.Context, definition string, before time.Time, most int) ([]string, error) {
	return store.Select[string](ctx, sqlExpired, store.Args{"definition": definition, "before": before.UnixMilli(), "most": most})
}

// Forget removes ended instances with those that they called and everything the engine
// keeps of them; inside a Write. It gives the ids of all, for the caller to remove what it
// keeps itself.
func (e *Engine) Forget(ctx context.Context, roots []string) ([]string, error) {
	ids, err := store.Select[string](ctx, sqlTreesOf, store.Args{"roots": roots})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var b store.Batch
	args := store.Args{"ids": ids}
	b.Exec(sqlForgetEvents, args)
	b.Exec(sqlForgetActivities, args)
	b.Exec(sqlForgetCandidates, args)
	b.Exec(sqlForgetTasks, args)
	b.Exec(sqlForgetIncidents, args)
	b.Exec(sqlForgetSubscriptions, args)
	b.Exec(sqlForgetInstances, args)
	return ids, b.Send(ctx)
}
