package workflow

import (
	"cmp"
	"context"
	"slices"
	"time"

	"viva/internal/identity"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// longWait is after how long a task is told to be waiting long.
const longWait = 3 * 24 * time.Hour

// PresentStatistics tell what is open now.
type PresentStatistics struct {
	Tasks     int64          `json:"tasks"`
	LongWait  int64          `json:"longWait"`
	Overdue   int64          `json:"overdue"`
	Incidents int64          `json:"incidents"`
	People    []PersonalLoad `json:"people"`
}

// PersonalLoad is what waits for one person.
type PersonalLoad struct {
	User     *identity.UserBrief `json:"user"`
	Tasks    int64               `json:"tasks"`
	LongWait int64               `json:"longWait"`
	Overdue  int64               `json:"overdue"`
	Oldest   int64               `json:"oldest"`
}

const (
	loadColumns = `t.assignee_id, COUNT(*) AS tasks, SUM(CASE WHEN t.created_at < :since THEN 1 ELSE 0 END) AS long_wait, MIN(t.created_at) AS oldest`
	sqlLoad     = `SELECT ` + loadColumns + ` FROM wf_task t WHERE t.tenant_id = :tenant AND t.ended_at = 0 AND t.assignee_id > 0 GROUP BY t.assignee_id`
	sqlLoadOf   = `SELECT ` + loadColumns + ` FROM wf_definition d JOIN wf_instance i ON i.tenant_id = d.tenant_id AND i.definition_id = d.id AND i.status <> 2
 JOIN wf_task t ON t.tenant_id = i.tenant_id AND t.instance_id = i.id AND t.ended_at = 0 AND t.assignee_id > 0
 WHERE d.tenant_id = :tenant AND d.key = :key GROUP BY t.assignee_id`
	sqlOverdue = `SELECT t.assignee_id, COUNT(*) AS tasks FROM wf_task t JOIN wf_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id
 WHERE t.tenant_id = :tenant AND t.ended_at = 0 AND t.due_at > 0 AND t.due_at < :now`
	byAssignee       = ` GROUP BY t.assignee_id`
	sqlOpenIncidents = `SELECT COUNT(*) FROM wf_incident t JOIN wf_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id WHERE t.tenant_id = :tenant AND t.resolved_at = 0`
)

type presentIn struct {
	ProcessDefinitionKey string `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
}

type loadRow struct{ AssigneeID, Tasks, LongWait, Oldest int64 }

// presentStatistics count what is open, never what is done: the indexes hold open rows only.
func (s *Service) presentStatistics(ctx context.Context, in presentIn) (out PresentStatistics, err error) {
	key, now := in.ProcessDefinitionKey, clock.Millis()
	args := store.Args{"since": now - longWait.Milliseconds(), "key": key}
	var rows []loadRow
	if key == "" {
		rows, err = store.Select[loadRow](ctx, sqlLoad, args)
	} else {
		rows, err = store.Select[loadRow](ctx, sqlLoadOf, args)
	}
	if err != nil {
		return out, err
	}
	late := map[int64]int64{}
	q := store.Build(sqlOverdue, store.Args{"now": now}).If(key != "", clauseProcess, "key", key).Add(byAssignee)
	if err := store.Each(ctx, q.SQL(), q.Args(), func(r loadRow) error {
		late[r.AssigneeID] = r.Tasks
		out.Overdue += r.Tasks
		return nil
	}); err != nil {
		return out, err
	}
	q = store.Build(sqlOpenIncidents, nil).If(key != "", clauseProcess, "key", key)
	if out.Incidents, err = store.One[int64](ctx, q.SQL(), q.Args()); err != nil {
		return out, err
	}
	for _, r := range rows {
		out.Tasks, out.LongWait = out.Tasks+r.Tasks, out.LongWait+r.LongWait
	}
	slices.SortFunc(rows, func(a, b loadRow) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), cmp.Compare(a.AssigneeID, b.AssigneeID))
	})
	rows = rows[:min(len(rows), maxPeople)]
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.AssigneeID
	}
	known, err := usersOf(ctx, ids)
	out.People = make([]PersonalLoad, len(rows))
	for i, r := range rows {
		out.People[i] = PersonalLoad{User: known.of(r.AssigneeID), Tasks: r.Tasks, LongWait: r.LongWait, Overdue: late[r.AssigneeID], Oldest: r.Oldest}
	}
	return out, err
}
