package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
)

const (
	sqlDue  = `SELECT id FROM job_run WHERE state = 0 AND run_at <= :now AND name IN (:names) ORDER BY run_at, id LIMIT :free FOR UPDATE SKIP LOCKED`
	sqlTake = `UPDATE job_run SET state = 1, worker = :worker, beat = beat + 1, tries = tries + 1, start_time = :now
 WHERE id IN (:ids) AND state = 0 RETURNING *`
)

// across is the context in which the worker looks at the jobs of every tenant.
func (q *Queue) across() context.Context {
	return store.AcrossTenants(q.base, "job: the worker serves every tenant")
}

// claim fills the free places of each lane and reports whether it took anything.
func (q *Queue) claim() (took bool) {
	for _, l := range q.lanes {
		for {
			q.lock.Lock()
			free := l.size - l.busy
			q.lock.Unlock()
			if free <= 0 || len(l.names) == 0 {
				break
			}
			rows, err := q.take(l, free)
			if err != nil {
				slog.Error("job: cannot take work", "error", err)
				break
			}
			for _, w := range rows {
				q.begin(l, w)
			}
			took = took || len(rows) > 0
			if len(rows) < free {
				break
			}
		}
	}
	return took
}

func (q *Queue) take(l *lane, free int) ([]row, error) {
	ctx := q.across()
	due := store.Args{"now": clock.Millis(), "names": l.names, "free": free}
	if ids, err := store.Select[int64](ctx, sqlDue, due); err != nil || len(ids) == 0 {
		return nil, err // looked without a transaction first: idling must not write
	}
	var rows []row
	err := store.Write(ctx, func(ctx context.Context) error {
		ids, err := store.Select[int64](ctx, sqlDue, due)
		if err != nil || len(ids) == 0 {
			return err
		}
		now := clock.Millis()
		if rows, err = store.Select[row](ctx, sqlTake, store.Args{"worker": q.worker, "now": now, "ids": ids}); err != nil {
			return err
		}
		for _, w := range rows {
			if w.ScheduleID == 0 {
				continue
			}
			if _, err := store.Exec(ctx, sqlWriteLog, store.Args{"tenant": w.TenantID, "id": w.ID, "schedule": w.ScheduleID, "name": w.Name,
				"param": w.param(), "try": w.Tries, "begin": now, "end": 0, "took": 0, "status": logRunning, "result": "", "now": now}); err != nil {
				return err
			}
		}
		return nil
	})
	return rows, err
}

func (q *Queue) begin(l *lane, w row) {
	h := q.handlers[w.Name]
	ctx := actor.AsSystem(q.base, w.TenantID)
	ctx = actor.WithRequest(ctx, actor.Request{ID: id.Token(8), Method: "JOB", Path: w.Name, Call: "job " + w.Name})
	ctx, cancel := context.WithTimeout(ctx, h.timeout)
	r := &Run{ID: w.ID, Tenant: w.TenantID, Name: w.Name, Payload: json.RawMessage(w.Payload), Try: w.Tries, MaxTries: w.MaxTries,
		row: w, worker: q.worker, begin: time.Now(), cancel: cancel}
	q.lock.Lock()
	l.busy++
	q.running[w.ID] = r
	q.lock.Unlock()
	q.runs.Go(func() {
		defer cancel()
		err := safely(ctx, h.fn, r)
		q.end(ctx, r, err)
		q.lock.Lock()
		l.busy--
		delete(q.running, w.ID)
		q.lock.Unlock()
		select {
		case q.wake <- struct{}{}:
		default:
		}
	})
}

func safely(ctx context.Context, fn Func, r *Run) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "job: panic", "job", r.Name, "run", r.ID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v (%s)", p, actor.RequestOf(ctx).ID)
		}
	}()
	return fn(ctx, r)
}

// end records the outcome. It insists for a while when the database is away; after
// that the lease runs out and the run counts as failed.
func (q *Queue) end(ctx context.Context, r *Run, cause error) {
	if r.ended.Load() || r.lost.Load() {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		err := store.Write(ctx, func(ctx context.Context) error { return q.record(ctx, r, cause) })
		if err == nil {
			break
		}
		if errors.Is(err, ErrLost) || wait > q.options.Lease {
			slog.Warn("job: outcome not recorded", "job", r.Name, "run", r.ID, "error", err)
			return
		}
		time.Sleep(wait)
	}
	if cause != nil {
		slog.WarnContext(ctx, "job failed", "job", r.Name, "run", r.ID, "try", r.Try, "of", r.MaxTries, "error", cause)
	}
}

func (q *Queue) record(ctx context.Context, r *Run, cause error) error {
	switch {
	case cause == nil:
		return r.finish(ctx)
	case q.ended.Load() && errors.Is(cause, context.Canceled):
		return r.fail(ctx, cause, Waiting, r.Try-1)
	case isPermanent(cause) || r.Try >= r.MaxTries:
		return r.fail(ctx, cause, Dead, r.Try)
	}
	return r.fail(ctx, cause, Waiting, r.Try)
}

const maxPause = 10 * time.Minute

// pause is the time until the next try: fixed, or doubling with a fifth of jitter.
func (r *Run) pause() time.Duration {
	if r.row.RetryMs > 0 {
		return time.Duration(r.row.RetryMs) * time.Millisecond
	}
	d := min(time.Second<<min(r.Try-1, 20), maxPause)
	return d + rand.N(d/5+1)
}

// sighting is what this node last saw of another's run.
type sighting struct {
	worker string
	beat   int64
	since  time.Time // with the monotonic clock: wall clocks jump
}

type pulse struct {
	ID     int64
	Worker string
	Beat   int64
}

const (
	sqlBeat   = `UPDATE job_run SET beat = beat + 1 WHERE id IN (:ids) AND worker = :worker AND state = 1 RETURNING id`
	sqlPulses = `SELECT id, worker, beat FROM job_run WHERE state = 1`
	sqlOrphan = `UPDATE job_run SET state = CASE WHEN tries >= max_tries THEN 3 ELSE 0 END, worker = '', end_time = :now, last_error = :error
 WHERE id = :id AND state = 1 AND worker = :worker AND beat = :beat`
	sqlOrphanLog = `UPDATE job_log SET status = 2, end_time = :now, result = :error WHERE run_id = :id AND status = 0`
)

// beat shows that this node's runs live, and takes runs from nodes that fell silent.
func (q *Queue) beat() {
	if err := q.showPulse(); err != nil {
		slog.Warn("job: heartbeat", "error", err)
		return // without a database nobody can be judged silent
	}
	if err := q.adoptOrphans(); err != nil {
		slog.Warn("job: orphans", "error", err)
	}
	if err := q.realign(q.base); err != nil {
		slog.Warn("job: schedules", "error", err)
	}
}

func (q *Queue) showPulse() error {
	q.lock.Lock()
	mine := make(map[int64]*Run, len(q.running))
	ids := make([]int64, 0, len(q.running))
	for id, r := range q.running {
		mine[id], ids = r, append(ids, id)
	}
	q.lock.Unlock()
	if len(ids) == 0 {
		return nil
	}
	err := store.Write(q.across(), func(ctx context.Context) error {
		kept, err := store.Select[int64](ctx, sqlBeat, store.Args{"ids": ids, "worker": q.worker})
		for _, id := range kept {
			delete(mine, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	for id, r := range mine {
		if q.running[id] != r {
			continue
		}
		if r.missed++; r.missed > 1 { // once may be a run that just finished
			r.lost.Store(true)
			r.cancel()
		}
	}
	return nil
}

func (q *Queue) adoptOrphans() error {
	pulses, err := store.Select[pulse](q.across(), sqlPulses, nil)
	if err != nil {
		return err
	}
	now, seen := time.Now(), map[int64]sighting{}
	for _, p := range pulses {
		if p.Worker == q.worker {
			continue
		}
		s, known := q.seen[p.ID]
		if !known || s.worker != p.Worker || s.beat != p.Beat {
			s = sighting{p.Worker, p.Beat, now}
		}
		// An embedded database has one process: what another left behind is orphaned at once.
		silent := now.Sub(s.since) >= q.options.Lease || q.db.Dialect() == store.SQLite && !strings.HasPrefix(p.Worker, process+".")
		if !silent {
			seen[p.ID] = s
			continue
		}
		if err := q.adopt(p); err != nil {
			return err
		}
	}
	q.seen = seen
	return nil
}

func (q *Queue) adopt(p pulse) error {
	return store.Write(q.across(), func(ctx context.Context) error {
		args := store.Args{"id": p.ID, "worker": p.Worker, "beat": p.Beat, "now": clock.Millis(), "error": "the process that ran this ended"}
		n, err := store.Exec(ctx, sqlOrphan, args)
		if err != nil || n == 0 {
			return err
		}
		if _, err := store.Exec(ctx, sqlOrphanLog, args); err != nil {
			return err
		}
		slog.Warn("job: a run was orphaned", "run", p.ID, "worker", p.Worker)
		return store.Wake(ctx, topic)
	})
}
