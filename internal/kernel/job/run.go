package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// Func does the work of one run. Its ctx carries the database and the system as actor
// in the job's tenant; it ends when the run's time is over, its ownership is lost, or
// the process stops.
type Func func(ctx context.Context, r *Run) error

// Run is one start of a job, as its handler sees it.
type Run struct {
	ID       int64
	Tenant   int64
	Name     string
	Payload  json.RawMessage
	Try      int
	MaxTries int

	row    row
	worker string
	begin  time.Time
	lock   sync.Mutex
	text   strings.Builder
	ended  atomic.Bool
	lost   atomic.Bool
	missed int // heartbeats that did not find it
	cancel context.CancelFunc
}

// row is a line of job_run.
type row struct {
	ID         int64
	TenantID   int64
	Name       string
	Payload    string
	Dedupe     string
	ScheduleID int64
	State      State
	RunAt      int64
	Tries      int
	MaxTries   int
	RetryMs    int64
	Worker     string
	Beat       int64
	Result     string
	LastError  string
	CreateTime int64
	StartTime  int64
	EndTime    int64
}

// Decode reads the payload into v. An error is Permanent: it will not read better later.
func (r *Run) Decode(v any) error {
	if err := json.Unmarshal(r.Payload, v); err != nil {
		return Permanent(fmt.Errorf("payload: %w", err))
	}
	return nil
}

// Param is the text an administrator gave a schedule.
func (r *Run) Param() string {
	var s string
	_ = json.Unmarshal(r.Payload, &s)
	return s
}

// param is what a log shows: the text of a schedule, the payload of any other job.
func (w row) param() string {
	var s string
	if w.ScheduleID == 0 || json.Unmarshal([]byte(w.Payload), &s) != nil {
		s = w.Payload
	}
	return clip(s)
}

// Logf adds a line to the result that administrators read.
func (r *Run) Logf(format string, args ...any) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.text.Len() < maxText {
		_, _ = fmt.Fprintf(&r.text, format+"\n", args...)
	}
}

const maxText = 4000

func (r *Run) result() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return clip(strings.TrimSpace(r.text.String()))
}

func clip(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?") // PostgreSQL takes neither
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText])
	}
	return s
}

// ErrLost says that another process took the run over.
var ErrLost = errors.New("job: this run was taken over by another process")

// Finish marks the run as done inside the handler's own Write, so that its changes
// happen exactly once: when the run was lost meanwhile, or the commit fails, they
// are undone together with the mark.
func (r *Run) Finish(ctx context.Context) error {
	if err := r.finish(ctx); err != nil {
		return err
	}
	store.AfterCommit(ctx, func() { r.ended.Store(true) })
	return nil
}

const (
	sqlFinish = `UPDATE job_run SET state = 2, worker = '', last_error = '', result = :result, end_time = :now
 WHERE tenant_id = :tenant AND id = :id AND state = 1 AND worker = :worker`
	sqlFail = `UPDATE job_run SET state = :state, run_at = :at, tries = :tries, worker = '', last_error = :error, result = :result, end_time = :now
 WHERE tenant_id = :tenant AND id = :id AND state = 1 AND worker = :worker`
	sqlEndLog = `UPDATE job_log SET status = :status, end_time = :now, duration = :took, result = :result
 WHERE tenant_id = :tenant AND run_id = :id AND execute_index = :try`
	sqlWriteLog = `INSERT INTO job_log (tenant_id, run_id, schedule_id, handler, param, execute_index, begin_time, end_time, duration, status, result, create_time)
 VALUES (:tenant, :id, :schedule, :name, :param, :try, :begin, :end, :took, :status, :result, :now)`
)

func (r *Run) finish(ctx context.Context) error {
	n, err := store.Exec(ctx, sqlFinish, store.Args{"tenant": r.Tenant, "id": r.ID, "worker": r.worker, "result": r.result(), "now": clock.Millis()})
	if err == nil && n == 0 {
		return ErrLost
	}
	if err != nil || r.row.ScheduleID == 0 {
		return err
	}
	return r.endLog(ctx, logOK, r.result())
}

// fail puts the run back, or to the dead, and keeps the reason.
func (r *Run) fail(ctx context.Context, cause error, state State, tries int) error {
	now := clock.Millis()
	at := r.row.RunAt
	if state == Waiting {
		at = now + r.pause().Milliseconds()
		if tries < r.Try { // given back by a stopping process: no try was used up
			at = now
		}
	}
	text := clip(cause.Error())
	n, err := store.Exec(ctx, sqlFail, store.Args{"tenant": r.Tenant, "id": r.ID, "worker": r.worker, "state": int(state), "at": at,
		"tries": tries, "error": text, "result": r.result(), "now": now})
	if err == nil && n == 0 {
		return ErrLost
	}
	if err != nil {
		return err
	}
	return r.endLog(ctx, logFailed, strings.TrimSpace(r.result()+"\n"+text))
}

// endLog completes the log line of a scheduled run; others get one only when they fail.
func (r *Run) endLog(ctx context.Context, status int, text string) error {
	now, begin := clock.Millis(), r.row.StartTime
	args := store.Args{"tenant": r.Tenant, "id": r.ID, "try": r.Try, "status": status, "now": now, "end": now, "begin": begin,
		"took": time.Since(r.begin).Milliseconds(), "result": clip(text), "schedule": r.row.ScheduleID, "name": r.Name, "param": r.row.param()}
	n, err := store.Exec(ctx, sqlEndLog, args)
	if err != nil || n > 0 {
		return err
	}
	_, err = store.Exec(ctx, sqlWriteLog, args)
	return err
}

type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent marks an error that no further try will cure: the run is dead at once.
func Permanent(err error) error { return permanent{err} }

func isPermanent(err error) bool { return errors.As(err, &permanent{}) }
