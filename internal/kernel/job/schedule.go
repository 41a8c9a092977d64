package job

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/cron"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
)

// Schedule starts a handler by a cron text (package cron) in the product's zone. There
// is one per handler, for the whole installation; its runs belong to no tenant. The
// pages that edit schedules belong to the operator's tenant only.
type Schedule struct {
	ID         int64
	Name       string
	Handler    string
	Param      string
	Cron       string
	Enabled    bool
	RetryCount int   // tries after the first
	RetryMs    int64 // pause between tries
	MonitorMs  int64 // a longer run is worth a warning; kept for the page
	NextAt     int64
	LastAt     int64
	CreateTime int64
	Deleted    bool
}

const (
	sqlDeclare = `INSERT INTO job_schedule (name, handler, param, cron, enabled, retry_count, retry_ms, monitor_ms, next_at, create_time)
 VALUES (:name, :handler, :param, :cron, :enabled, :retry_count, :retry_ms, :monitor_ms, :next, :now) ON CONFLICT (handler) DO NOTHING RETURNING id`
	sqlActive    = `SELECT * FROM job_schedule WHERE enabled = true AND deleted = false`
	sqlDueTimes  = `SELECT * FROM job_schedule WHERE enabled = true AND deleted = false AND next_at <= :now`
	sqlTick      = `UPDATE job_schedule SET next_at = :next, last_at = :now WHERE id = :id AND next_at = :old`
	sqlRealign   = `UPDATE job_schedule SET next_at = :next WHERE id = :id AND next_at = :old`
	sqlExhaust   = `UPDATE job_schedule SET enabled = false, last_at = :now WHERE id = :id AND next_at = :old`
	sqlSchedule  = `SELECT * FROM job_schedule WHERE id = :id AND deleted = false FOR UPDATE`
	sqlSchedules = `FROM job_schedule WHERE deleted = false`
	sqlEdit      = `UPDATE job_schedule SET name = :name, handler = :handler, param = :param, cron = :cron, enabled = :enabled,
 retry_count = :retry_count, retry_ms = :retry_ms, monitor_ms = :monitor_ms, next_at = :next, deleted = false WHERE id = :id`
	sqlRevive = `SELECT id FROM job_schedule WHERE handler = :handler AND deleted = true FOR UPDATE`
	sqlRemove = `UPDATE job_schedule SET deleted = true WHERE id = :id`
)

func (s Schedule) args(next int64) store.Args {
	return store.Args{"id": s.ID, "name": s.Name, "handler": s.Handler, "param": s.Param, "cron": s.Cron, "enabled": s.Enabled,
		"retry_count": s.RetryCount, "retry_ms": s.RetryMs, "monitor_ms": s.MonitorMs, "next": next, "now": clock.Millis()}
}

func nextAt(expr string) (int64, error) {
	next, err := cron.Next(expr, clock.Now(), clock.Shanghai)
	if err != nil {
		return 0, err
	}
	return next.UnixMilli(), nil
}

// declareSchedules writes the rows of Every that are missing; a deleted one stays deleted.
func (q *Queue) declareSchedules(ctx context.Context) error {
	return store.Write(ctx, func(ctx context.Context) error {
		for _, s := range q.defaults {
			next, err := nextAt(s.Cron)
			if err != nil {
				return err
			}
			if _, _, err := store.Get[int64](ctx, sqlDeclare, s.args(next)); err != nil {
				return err
			}
		}
		return nil
	})
}

// tick enqueues the schedules that are due. The compare-and-set on next_at lets one of
// n nodes win; times missed while all nodes were down are made up for by one run.
func (q *Queue) tick() {
	due, err := store.Select[Schedule](q.base, sqlDueTimes, store.Args{"now": clock.Millis()})
	if err != nil {
		slog.Error("job: schedules", "error", err)
		return
	}
	for _, s := range due {
		if q.handlers[s.Handler] == nil {
			continue // a newer or older node knows it
		}
		if err := store.Write(actor.AsSystem(q.base, 0), func(ctx context.Context) error { return s.fire(ctx) }); err != nil {
			slog.Error("job: schedule", "handler", s.Handler, "error", err)
		}
	}
}

func (s Schedule) fire(ctx context.Context) error {
	next, err := nextAt(s.Cron)
	args := store.Args{"id": s.ID, "old": s.NextAt, "next": next, "now": clock.Millis()}
	var n int64
	switch {
	case errors.Is(err, cron.ErrNever):
		n, err = store.Exec(ctx, sqlExhaust, args)
	case err == nil:
		n, err = store.Exec(ctx, sqlTick, args)
	}
	if err != nil || n == 0 {
		return err
	}
	_, err = s.enqueue(ctx)
	return err
}

// enqueue starts the handler unless its last scheduled run has not ended.
func (s Schedule) enqueue(ctx context.Context) (int64, error) {
	return Enqueue(actor.AsSystem(ctx, 0), s.Handler, s.Param, Opts{Key: "schedule " + strconv.FormatInt(s.ID, 10), MaxTries: s.RetryCount + 1,
		Pause: time.Duration(s.RetryMs) * time.Millisecond, schedule: s.ID})
}

// realign brings back times that lie further off than the cron text says, after the
// clock was set back.
func (q *Queue) realign(ctx context.Context) error {
	active, err := store.Select[Schedule](ctx, sqlActive, nil)
	if err != nil {
		return err
	}
	for _, s := range active {
		next, err := nextAt(s.Cron)
		if err != nil || next >= s.NextAt {
			continue
		}
		err = store.Write(ctx, func(ctx context.Context) error {
			_, err := store.Exec(ctx, sqlRealign, store.Args{"id": s.ID, "old": s.NextAt, "next": next})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// GetSchedule reads one schedule, or errs.ErrNoRecord.
func (q *Queue) GetSchedule(ctx context.Context, id int64) (Schedule, error) {
	return store.One[Schedule](ctx, sqlSchedule, store.Args{"id": id})
}

// ScheduleFilter narrows a list of schedules; zero fields do not.
type ScheduleFilter struct {
	Name    string
	Handler string
	Enabled *bool
}

// Schedules lists schedules, newest first.
func (q *Queue) Schedules(ctx context.Context, f ScheduleFilter, p store.Paging) (store.Page[Schedule], error) {
	from := store.Build(sqlSchedules, nil).
		If(f.Name != "", ` AND name LIKE :name ESCAPE '\'`, "name", store.Contains(f.Name)).
		If(f.Handler != "", ` AND handler LIKE :handler ESCAPE '\'`, "handler", store.Contains(f.Handler))
	if f.Enabled != nil {
		from.If(true, ` AND enabled = :enabled`, "enabled", *f.Enabled)
	}
	return store.SelectPage[Schedule](ctx, "*", from, "id DESC", p)
}

// SaveSchedule creates (ID 0) or edits a schedule and audits it; inside a Write. The
// handler must be declared and have no other schedule.
func (q *Queue) SaveSchedule(ctx context.Context, s Schedule) (int64, error) {
	if q.handlers[s.Handler] == nil {
		return 0, errs.Field("handlerName", i18n.Pick(ctx, "处理器不存在", "there is no such handler"))
	}
	next, err := nextAt(s.Cron)
	if err != nil {
		return 0, errs.Field("cronExpression", i18n.Pick(ctx, "CRON 表达式不正确", "not a valid cron expression")).Because(err)
	}
	var before map[string]any
	op := audit.Created
	if s.ID != 0 {
		old, err := q.GetSchedule(ctx, s.ID)
		if err != nil {
			return 0, err
		}
		before, op = old.describe(), audit.Updated
		if old.Handler != s.Handler {
			return 0, errs.Field("handlerName", i18n.Pick(ctx, "处理器不可更改", "the handler cannot be changed"))
		}
	}
	if s.ID == 0 {
		if s.ID, _, err = store.Get[int64](ctx, sqlRevive, store.Args{"handler": s.Handler}); err != nil {
			return 0, err
		}
	}
	if s.ID != 0 {
		_, err = store.Exec(ctx, sqlEdit, s.args(next))
	} else {
		s.ID, _, err = store.Get[int64](ctx, sqlDeclare, s.args(next))
		if err == nil && s.ID == 0 {
			return 0, errs.Field("handlerName", i18n.Pick(ctx, "该处理器已有定时任务", "this handler has a schedule already"))
		}
	}
	if err != nil {
		return 0, err
	}
	return s.ID, s.audit(ctx, op, before)
}

// Enable switches a schedule on or off and audits it.
func (q *Queue) Enable(ctx context.Context, id int64, on bool) error {
	s, err := q.GetSchedule(ctx, id)
	if err != nil || s.Enabled == on {
		return err
	}
	s.Enabled = on
	_, err = q.SaveSchedule(ctx, s)
	return err
}

// DeleteSchedule removes a schedule for good: Every does not bring it back.
func (q *Queue) DeleteSchedule(ctx context.Context, id int64) error {
	s, err := q.GetSchedule(ctx, id)
	if err != nil {
		return err
	}
	if _, err := store.Exec(ctx, sqlRemove, store.Args{"id": id}); err != nil {
		return err
	}
	return s.audit(ctx, audit.Deleted, s.describe())
}

// Trigger starts a schedule's handler now, whether it is enabled or not; the id is 0
// when its last run has not ended.
func (q *Queue) Trigger(ctx context.Context, id int64) (int64, error) {
	s, err := q.GetSchedule(ctx, id)
	if err != nil {
		return 0, err
	}
	run, err := s.enqueue(ctx)
	if err != nil {
		return 0, err
	}
	return run, audit.Record(ctx, audit.Entry{Table: "job_schedule", Title: "定时任务", RowID: id, Op: audit.Event, Action: "立即执行 " + s.Handler})
}

func (s Schedule) describe() map[string]any {
	return map[string]any{"name": s.Name, "handlerName": s.Handler, "handlerParam": s.Param, "cronExpression": s.Cron, "enabled": s.Enabled,
		"retryCount": s.RetryCount, "retryInterval": s.RetryMs, "monitorTimeout": s.MonitorMs}
}

func (s Schedule) audit(ctx context.Context, op audit.Op, before map[string]any) error {
	after := s.describe()
	if op == audit.Deleted {
		after = nil
	}
	return audit.Record(ctx, audit.Entry{Table: "job_schedule", Title: "定时任务", RowID: s.ID, Op: op, Before: before, After: after})
}
