package job

import (
	"context"
	"errors"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Statuses of a log line, as the wire contract has them.
const (
	logRunning = 0
	logOK      = 1
	logFailed  = 2
)

// Record is a run as administrators see it.
type Record struct {
	ID         int64  `json:"id"`
	TenantID   int64  `json:"-"`
	Name       string `json:"name"`
	Payload    string `json:"payload"`
	State      State  `json:"state"`
	RunAt      int64  `json:"runAt"`
	Tries      int    `json:"tries"`
	MaxTries   int    `json:"maxTries"`
	Result     string `json:"result"`
	LastError  string `json:"lastError"`
	CreateTime int64  `json:"createTime"`
	StartTime  int64  `json:"startTime"`
	EndTime    int64  `json:"endTime"`
}

// RunFilter narrows a list of runs; zero fields do not.
type RunFilter struct {
	Name  string
	State *State
}

const (
	sqlRuns       = `FROM job_run WHERE tenant_id = :tenant`
	runColumns    = `id, tenant_id, name, payload, state, run_at, tries, max_tries, result, last_error, create_time, start_time, end_time`
	sqlRetry      = `UPDATE job_run SET state = 0, tries = 0, run_at = :now, end_time = 0 WHERE tenant_id = :tenant AND id = :id AND state = 3`
	sqlLogs       = `FROM job_log WHERE tenant_id = 0 AND schedule_id > 0`
	sqlLog        = `SELECT * FROM job_log WHERE tenant_id = 0 AND schedule_id > 0 AND id = :id`
	sqlPurgeRuns  = `DELETE FROM job_run WHERE (state = 2 AND end_time < :done) OR (state = 3 AND end_time < :logs)`
	sqlPurgeLogs  = `DELETE FROM job_log WHERE create_time < :logs`
	sqlCountState = `SELECT state, COUNT(*) AS n FROM job_run WHERE state <> 2 GROUP BY state`
)

// Runs lists the runs of the actor's tenant, newest first.
func Runs(ctx context.Context, f RunFilter, p store.Paging) (store.Page[Record], error) {
	from := store.Build(sqlRuns, nil).If(f.Name != "", ` AND name LIKE :name ESCAPE '\'`, "name", store.Contains(f.Name))
	if f.State != nil {
		from.If(true, ` AND state = :state`, "state", int(*f.State))
	}
	return store.SelectPage[Record](ctx, runColumns, from, "id DESC", p)
}

// Retry gives a dead run of the actor's tenant its tries back; inside a Write, audited.
func Retry(ctx context.Context, id int64) error {
	n, err := store.Exec(ctx, sqlRetry, store.Args{"id": id, "now": clock.Millis()})
	if errors.Is(err, store.ErrUnique) {
		return errs.ErrRepeated.With() // a job of the same key waits already
	}
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.ErrNoRecord.With()
	}
	if err := audit.Record(ctx, audit.Entry{Table: "job_run", Title: "后台任务", RowID: id, Op: audit.Event, Action: "重新执行"}); err != nil {
		return err
	}
	return store.Wake(ctx, topic)
}

// Log is one start of a schedule, or one failure of any other job.
type Log struct {
	ID           int64  `json:"id"`
	TenantID     int64  `json:"-"`
	RunID        int64  `json:"-"`
	ScheduleID   int64  `json:"jobId"`
	Handler      string `json:"handlerName"`
	Param        string `json:"handlerParam"`
	ExecuteIndex int    `json:"executeIndex"`
	BeginTime    int64  `json:"beginTime"`
	EndTime      int64  `json:"endTime"`
	Duration     int64  `json:"duration"`
	Status       int    `json:"status"`
	Result       string `json:"result"`
	CreateTime   int64  `json:"createTime"`
}

// LogFilter narrows a list of logs; zero fields do not.
type LogFilter struct {
	ScheduleID int64
	Handler    string
	Begin, End int64
	Status     *int
}

// Logs lists the logs of schedules, newest first; for the operator's tenant.
func Logs(ctx context.Context, f LogFilter, p store.Paging) (store.Page[Log], error) {
	return store.SelectPage[Log](logContext(ctx), "*", f.narrow(store.Build(sqlLogs, nil)), "id DESC", p)
}

// EachLog streams what Logs lists, for exports.
func EachLog(ctx context.Context, f LogFilter, fn func(Log) error) error {
	q := f.narrow(store.Build("SELECT * "+sqlLogs, nil)).Add(" ORDER BY id DESC")
	return store.Each(logContext(ctx), q.SQL(), q.Args(), fn)
}

// GetLog reads one log of a schedule, or errs.ErrNoRecord.
func GetLog(ctx context.Context, id int64) (Log, error) {
	return store.One[Log](logContext(ctx), sqlLog, store.Args{"id": id})
}

func logContext(ctx context.Context) context.Context {
	return store.AcrossTenants(ctx, "job: schedules and their logs belong to no tenant")
}

func (f LogFilter) narrow(q *store.Query) *store.Query {
	q.
		If(f.ScheduleID != 0, ` AND schedule_id = :schedule`, "schedule", f.ScheduleID).
		If(f.Handler != "", ` AND handler LIKE :handler ESCAPE '\'`, "handler", store.Contains(f.Handler)).
		If(f.Begin != 0, ` AND begin_time >= :begin`, "begin", f.Begin).
		If(f.End != 0, ` AND end_time <= :end`, "end", f.End)
	if f.Status != nil {
		q.If(true, ` AND status = :status`, "status", *f.Status)
	}
	return q
}

// purge removes what is old enough.
func (q *Queue) purge(_ context.Context, r *Run) error {
	now := clock.Now()
	args := store.Args{"done": now.Add(-q.options.KeepDone).UnixMilli(), "logs": now.Add(-q.options.KeepLogs).UnixMilli()}
	return store.Write(q.across(), func(ctx context.Context) error {
		runs, err := store.Exec(ctx, sqlPurgeRuns, args)
		if err != nil {
			return err
		}
		logs, err := store.Exec(ctx, sqlPurgeLogs, args)
		r.Logf("runs %d, logs %d", runs, logs)
		return err
	})
}

// Depth counts the runs that have not ended well, by state, over all tenants: for
// metrics and the readiness page.
func Depth(ctx context.Context) (map[State]int64, error) {
	type count struct {
		State State
		N     int64
	}
	list, err := store.Select[count](store.AcrossTenants(ctx, "job: figures of the queue"), sqlCountState, nil)
	depth := map[State]int64{}
	for _, c := range list {
		depth[c.State] = c.N
	}
	return depth, err
}
