package job_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// settable is a clock that runs on from where it is set.
type settable struct {
	lock   sync.Mutex
	offset time.Duration
}

func (c *settable) now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return time.Now().Add(c.offset)
}

func (c *settable) jump(d time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.offset += d
}

func find(t testing.TB, ctx context.Context, q *job.Queue, handler string) job.Schedule {
	t.Helper()
	p, err := q.Schedules(ctx, job.ScheduleFilter{Handler: handler}, store.Paging{})
	if err != nil || len(p.List) != 1 {
		t.Fatalf("%s: %+v, %v", handler, p.List, err)
	}
	return p.List[0]
}

func TestSchedule_ticksOnce(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var n atomic.Int64
		var first *job.Queue
		for range 3 {
			q := job.New(quick)
			q.Every("tick", "* * * * * ?", func(ctx context.Context, r *job.Run) error {
				n.Add(1)
				r.Logf("ran %q", r.Param())
				if actor.From(ctx).TenantID != 0 {
					t.Error("a schedule belongs to no tenant")
				}
				return nil
			}, job.Titled("滴答"))
			start(t, ctx, q)
			first = q
		}
		time.Sleep(3500 * time.Millisecond)
		if got := n.Load(); got < 2 || got > 4 {
			t.Errorf("%d ticks in 3.5 s on three nodes", got)
		}
		s := find(t, ctx, first, "tick")
		if s.Name != "滴答" || !s.Enabled || s.LastAt == 0 {
			t.Errorf("%+v", s)
		}
		ok := 1
		logs, err := job.Logs(ctx, job.LogFilter{ScheduleID: s.ID, Status: &ok}, store.Paging{})
		if err != nil || logs.Total < 2 || logs.List[0].Result != `ran ""` || logs.List[0].Handler != "tick" || logs.List[0].EndTime == 0 {
			t.Errorf("%+v, %v", logs, err)
		}
		if one, err := job.GetLog(ctx, logs.List[0].ID); err != nil || one != logs.List[0] {
			t.Errorf("%+v, %v", one, err)
		}
		rows := int64(0)
		if err := job.EachLog(ctx, job.LogFilter{Handler: "tick"}, func(job.Log) error { rows++; return nil }); err != nil || rows < 2 {
			t.Errorf("%d rows, %v", rows, err)
		}
	})
}

func TestSchedule_edit(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		ran := make(chan string, 10)
		declare := func() *job.Queue {
			q := job.New(quick)
			q.Every("nightly", "0 0 3 * * ?", func(_ context.Context, r *job.Run) error { ran <- r.Param(); return nil })
			q.Handle("by hand", func(context.Context, *job.Run) error { return nil })
			start(t, ctx, q)
			return q
		}
		q := declare()
		write := func(fn func(ctx context.Context) error) error { return store.Write(ctx, fn) }
		save := func(s job.Schedule) (id int64, err error) {
			err = write(func(ctx context.Context) error { id, err = q.SaveSchedule(ctx, s); return err })
			return id, err
		}
		s := find(t, ctx, q, "nightly")
		next := time.UnixMilli(s.NextAt).In(clock.Shanghai)
		if next.Hour() != 3 || next.Minute() != 0 || next.Before(time.Now()) {
			t.Errorf("next at %v", next)
		}
		s.Cron, s.Param = "* * * * * ?", "夜间"
		if _, err := save(s); err != nil {
			t.Fatal(err)
		}
		if got := <-ran; got != "夜间" {
			t.Errorf("%q", got)
		}
		if err := write(func(ctx context.Context) error { return q.Enable(ctx, s.ID, false) }); err != nil {
			t.Error(err)
		}
		time.Sleep(300 * time.Millisecond)
		for len(ran) > 0 {
			<-ran
		}
		time.Sleep(1500 * time.Millisecond)
		if len(ran) > 0 {
			t.Error("a disabled schedule ran")
		}
		if err := write(func(ctx context.Context) error { _, err := q.Trigger(ctx, s.ID); return err }); err != nil {
			t.Error(err)
		}
		<-ran
		for name, bad := range map[string]job.Schedule{
			"cron":     {Name: "a", Handler: "by hand", Cron: "daily"},
			"never":    {Name: "a", Handler: "by hand", Cron: "0 0 0 30 2 ?"},
			"handler":  {Name: "a", Handler: "os.Exit", Cron: "0 0 0 * * ?"},
			"twice":    {Name: "a", Handler: "nightly", Cron: "0 0 0 * * ?"},
			"exchange": {ID: s.ID, Name: "a", Handler: "by hand", Cron: "0 0 0 * * ?"},
		} {
			if _, err := save(bad); !errs.Is(err, errs.ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := write(func(ctx context.Context) error { return q.DeleteSchedule(ctx, s.ID) }); err != nil {
			t.Error(err)
		}
		again := declare()
		if p, _ := again.Schedules(ctx, job.ScheduleFilter{Handler: "nightly"}, store.Paging{}); len(p.List) != 0 {
			t.Errorf("deleted, but %+v", p.List)
		}
		if id, err := save(job.Schedule{Name: "wieder", Handler: "nightly", Cron: "0 0 4 * * ?"}); err != nil || id != s.ID {
			t.Errorf("revived as %d, %v", id, err)
		}
		const audited = `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'job_schedule' AND biz_id = :id`
		if n, _ := store.One[int](ctx, audited, store.Args{"id": s.ID}); n != 5 {
			t.Errorf("%d audit rows", n)
		}
	})
}

// TestSchedule_clockJumps: a day forward makes up for what was missed with one run; a day
// back does not silence the schedule for a day; in neither case is a run doubled.
func TestSchedule_clockJumps(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		c := &settable{}
		defer clock.Set(c.now)()
		var n, long atomic.Int64
		q := job.New(quick)
		q.Every("minutely", "0 * * * * ?", func(context.Context, *job.Run) error { n.Add(1); return nil })
		q.Handle("long", func(ctx context.Context, _ *job.Run) error {
			long.Add(1)
			select {
			case <-time.After(1500 * time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		start(t, ctx, q)
		second := job.New(quick)
		second.Every("minutely", "0 * * * * ?", func(context.Context, *job.Run) error { n.Add(1); return nil })
		second.Handle("long", func(context.Context, *job.Run) error { long.Add(100); return nil })
		start(t, ctx, second)
		id := enqueue(t, ctx, "long", nil, job.Opts{})
		eventually(t, "the long run began", func() bool { return long.Load() > 0 })
		before := n.Load()
		c.jump(24 * time.Hour)
		eventually(t, "made up", func() bool { return n.Load() > before })
		time.Sleep(200 * time.Millisecond)
		if got := n.Load() - before; got > 2 { // two when a minute turned meanwhile
			t.Errorf("%d runs after a jump of a day", got)
		}
		c.jump(-48 * time.Hour)
		eventually(t, "realigned", func() bool {
			s := find(t, ctx, q, "minutely")
			return s.NextAt-clock.Millis() <= 60_000
		})
		eventually(t, "long done", inState(t, ctx, id, job.Done))
		if long.Load() != 1 && long.Load() != 100 {
			t.Errorf("the long job ran %d times", long.Load())
		}
	})
}

func TestSchedule_failedRunsAreLogged(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		q := job.New(quick)
		q.Every("bad", "0 0 3 * * ?", func(context.Context, *job.Run) error { return errors.New("kaputt") })
		start(t, ctx, q)
		s := find(t, ctx, q, "bad")
		s.RetryCount, s.RetryMs = 1, 10
		err := store.Write(ctx, func(ctx context.Context) error {
			if _, err := q.SaveSchedule(ctx, s); err != nil {
				return err
			}
			id, err := q.Trigger(ctx, s.ID)
			if again, _ := q.Trigger(ctx, s.ID); again != 0 || id == 0 {
				t.Errorf("triggered %d and %d", id, again)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		failed := 2
		eventually(t, "two failures", func() bool {
			p, err := job.Logs(ctx, job.LogFilter{ScheduleID: s.ID, Status: &failed}, store.Paging{})
			return err == nil && p.Total == 2 && p.List[0].ExecuteIndex == 2 && p.List[0].Result == "kaputt"
		})
	})
}

func TestPurge(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		q := job.New(job.Options{Poll: 20 * time.Millisecond, KeepDone: time.Hour, KeepLogs: 2 * time.Hour})
		q.Handle("ok", func(context.Context, *job.Run) error { return nil })
		q.Handle("bad", func(context.Context, *job.Run) error { return job.Permanent(errors.New("no")) })
		start(t, ctx, q)
		ok, bad := enqueue(t, ctx, "ok", nil, job.Opts{}), enqueue(t, ctx, "bad", nil, job.Opts{})
		eventually(t, "ended", func() bool { return inState(t, ctx, ok, job.Done)() && inState(t, ctx, bad, job.Dead)() })
		c := &settable{}
		defer clock.Set(c.now)()
		purge := func() {
			err := store.Write(ctx, func(ctx context.Context) error {
				_, err := q.Trigger(ctx, find(t, ctx, q, "job.purge").ID)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		c.jump(90 * time.Minute)
		purge()
		eventually(t, "the done run is gone", func() bool { r := runs(t, ctx, job.RunFilter{}); return len(r) == 1 && r[0].ID == bad })
		c.jump(2 * time.Hour)
		eventually(t, "the dead run is gone", func() bool { purge(); return len(runs(t, ctx, job.RunFilter{})) == 0 })
	})
}

func TestQueue_wakesAnotherNode(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	node, err := store.Open(ctx, store.Config{URL: db.Address()})
	if err == nil {
		err = node.RefreshCatalogue(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Close() })
	ran := make(chan struct{})
	q := job.New(job.Options{Poll: time.Hour})
	q.Handle("x", func(context.Context, *job.Run) error { close(ran); return nil })
	start(t, store.Use(ctx, node), q)
	time.Sleep(300 * time.Millisecond) // the listening connection stands
	began := time.Now()
	enqueue(t, ctx, "x", nil, job.Opts{})
	select {
	case <-ran:
		t.Logf("woke in %v", time.Since(began))
	case <-time.After(5 * time.Second):
		t.Error("the other node did not hear")
	}
}
