package job_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

var fixture fs.FS = fstest.MapFS{"9000_effect.sql": {Data: []byte(`-- +goose Up
CREATE TABLE effect (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, what TEXT NOT NULL);
`)}}

const insertEffect = `INSERT INTO effect (tenant_id, what) VALUES (:tenant, :what)`

func each(t *testing.T, test func(t *testing.T, ctx context.Context)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, kerneltest.AsSystem(db, 1)) }, fixture)
}

var quick = job.Options{Poll: 20 * time.Millisecond, Lease: 300 * time.Millisecond}

func enqueue(t testing.TB, ctx context.Context, name string, payload any, o job.Opts) (id int64) {
	t.Helper()
	err := store.Write(ctx, func(ctx context.Context) (err error) {
		id, err = job.Enqueue(ctx, name, payload, o)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func start(t testing.TB, ctx context.Context, q *job.Queue) {
	t.Helper()
	if err := q.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = q.Stop(ctx)
	})
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("never: " + what)
}

func runs(t testing.TB, ctx context.Context, f job.RunFilter) []job.Record {
	t.Helper()
	p, err := job.Runs(ctx, f, store.Paging{PageSize: 500})
	if err != nil {
		t.Fatal(err)
	}
	return p.List
}

func inState(t testing.TB, ctx context.Context, id int64, s job.State) func() bool {
	return func() bool {
		for _, r := range runs(t, ctx, job.RunFilter{State: &s}) {
			if r.ID == id {
				return true
			}
		}
		return false
	}
}

func TestQueue_runs(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		type letter struct{ To string }
		got := make(chan string, 1)
		q := job.New(quick)
		q.Handle("mail", func(ctx context.Context, r *job.Run) error {
			var l letter
			if err := r.Decode(&l); err != nil {
				return err
			}
			a := actor.From(ctx)
			r.Logf("sent to %s", l.To)
			got <- fmt.Sprint(l.To, a.Kind == actor.System, a.TenantID, store.InWrite(ctx), r.Try, r.MaxTries)
			return nil
		})
		start(t, ctx, q)
		began := time.Now()
		id := enqueue(t, actor.AsSystem(ctx, 7), "mail", letter{"张三"}, job.Opts{MaxTries: 3})
		if s := <-got; s != "张三true 7 false 1 3" {
			t.Error(s)
		}
		if d := time.Since(began); d > 2*time.Second {
			t.Errorf("woke after %v", d)
		}
		seven := actor.AsSystem(ctx, 7)
		eventually(t, "done", inState(t, seven, id, job.Done))
		if r := runs(t, seven, job.RunFilter{}); len(r) != 1 || r[0].Result != "sent to 张三" || r[0].EndTime < r[0].StartTime || r[0].StartTime == 0 {
			t.Errorf("%+v", r)
		}
		if r := runs(t, ctx, job.RunFilter{}); len(r) != 0 {
			t.Errorf("tenant 1 sees %+v", r)
		}
	})
}

func TestQueue_rolledBack(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		if _, err := job.Enqueue(ctx, "x", nil, job.Opts{}); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		boom := errors.New("boom")
		err := store.Write(ctx, func(ctx context.Context) error {
			if _, err := job.Enqueue(ctx, "x", nil, job.Opts{}); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) || len(runs(t, ctx, job.RunFilter{})) != 0 {
			t.Error(err)
		}
	})
}

func TestQueue_delayKeyCancel(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var n atomic.Int64
		q := job.New(quick)
		q.Handle("x", func(context.Context, *job.Run) error { n.Add(1); return nil })
		start(t, ctx, q)
		at := time.Now().Add(250 * time.Millisecond)
		first := enqueue(t, ctx, "x", 1, job.Opts{At: at, Key: "k"})
		if again := enqueue(t, ctx, "x", 2, job.Opts{Key: "k"}); again != 0 || first == 0 {
			t.Errorf("ids %d, %d", first, again)
		}
		if other := enqueue(t, actor.AsSystem(ctx, 2), "x", 2, job.Opts{Key: "k", At: time.Now().Add(time.Hour)}); other == 0 {
			t.Error("another tenant's key is in the way")
		}
		eventually(t, "done", inState(t, ctx, first, job.Done))
		if time.Now().Before(at) {
			t.Error("ran too early")
		}
		if again := enqueue(t, ctx, "x", 3, job.Opts{Key: "k", At: time.Now().Add(time.Hour)}); again == 0 {
			t.Error("a key is not free after the end")
		}
		for _, want := range []bool{true, false} {
			err := store.Write(ctx, func(ctx context.Context) error {
				done, err := job.Cancel(ctx, "x", "k")
				if done != want {
					t.Errorf("cancelled %v, want %v", done, want)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
		if n.Load() != 1 || len(runs(t, actor.AsSystem(ctx, 2), job.RunFilter{})) != 1 {
			t.Errorf("%d runs", n.Load())
		}
	})
}

func TestQueue_retryDeadRetry(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var tries atomic.Int64
		q := job.New(quick)
		q.Handle("flaky", func(_ context.Context, r *job.Run) error {
			switch n := tries.Add(1); {
			case n == 2:
				panic("bad code")
			case n < 4:
				return fmt.Errorf("try %d", n)
			}
			return nil
		})
		q.Handle("hopeless", func(_ context.Context, r *job.Run) error { return r.Decode(new(int)) })
		start(t, ctx, q)
		id := enqueue(t, ctx, "flaky", nil, job.Opts{MaxTries: 3, Pause: 10 * time.Millisecond})
		eventually(t, "dead", inState(t, ctx, id, job.Dead))
		if r := runs(t, ctx, job.RunFilter{Name: "flaky"})[0]; r.Tries != 3 || r.LastError != "try 3" {
			t.Errorf("%+v", r)
		}
		retry := func(ctx context.Context) error {
			return store.Write(ctx, func(ctx context.Context) error { return job.Retry(ctx, id) })
		}
		if err := retry(actor.AsSystem(ctx, 2)); err == nil {
			t.Error("another tenant may retry")
		}
		if err := retry(ctx); err != nil {
			t.Error(err)
		}
		eventually(t, "done", inState(t, ctx, id, job.Done))
		began := time.Now()
		hopeless := enqueue(t, ctx, "hopeless", "text", job.Opts{MaxTries: 9})
		eventually(t, "dead at once", inState(t, ctx, hopeless, job.Dead))
		if time.Since(began) > 5*time.Second {
			t.Error("a permanent error was tried again")
		}
		depth, err := job.Depth(ctx)
		if err != nil || depth[job.Dead] != 1 {
			t.Errorf("%v, %v", depth, err)
		}
	})
}

func TestQueue_backOffDoubles(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	q := job.New(quick)
	q.Handle("x", func(context.Context, *job.Run) error { return errors.New("no") })
	start(t, ctx, q)
	id := enqueue(t, ctx, "x", nil, job.Opts{})
	eventually(t, "tried twice", func() bool { r := runs(t, ctx, job.RunFilter{}); return r[0].Tries == 2 && r[0].State == job.Waiting })
	r := runs(t, ctx, job.RunFilter{})[0]
	if gap := r.RunAt - r.EndTime; r.ID != id || gap < 1900 || gap > 2600 {
		t.Errorf("the third try comes after %d ms", gap)
	}
}

// TestQueue_lanes: no lane runs more at once than it may, and a full lane does not keep
// the others waiting.
func TestQueue_lanes(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var now, most, light atomic.Int64
		release := make(chan struct{})
		q := job.New(quick)
		q.Handle("heavy", func(context.Context, *job.Run) error {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			<-release
			return nil
		}, job.Lane("heavy", 2))
		q.Handle("light", func(context.Context, *job.Run) error { light.Add(1); return nil })
		start(t, ctx, q)
		for range 6 {
			enqueue(t, ctx, "heavy", nil, job.Opts{})
		}
		for range 20 {
			enqueue(t, ctx, "light", nil, job.Opts{})
		}
		eventually(t, "light ones pass", func() bool { return light.Load() == 20 })
		if now.Load() != 2 {
			t.Errorf("%d heavy ones at once", now.Load())
		}
		close(release)
		done := job.Done
		eventually(t, "all done", func() bool { return len(runs(t, ctx, job.RunFilter{State: &done})) == 26 })
		if most.Load() != 2 {
			t.Errorf("%d heavy ones at once", most.Load())
		}
	})
}

// TestQueue_nodes: three nodes share a thousand jobs; each runs once.
func TestQueue_nodes(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		const n = 1000
		var lock sync.Mutex
		ran := map[int64]int{}
		for range 3 {
			q := job.New(quick)
			q.Handle("x", func(_ context.Context, r *job.Run) error {
				lock.Lock()
				defer lock.Unlock()
				ran[r.ID]++
				return nil
			})
			start(t, ctx, q)
		}
		err := store.Write(ctx, func(ctx context.Context) error {
			for range n {
				if _, err := job.Enqueue(ctx, "x", nil, job.Opts{}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		done := job.Done
		eventually(t, "all done", func() bool {
			p, err := job.Runs(ctx, job.RunFilter{State: &done}, store.Paging{PageSize: 1})
			return err == nil && p.Total == n
		})
		lock.Lock()
		defer lock.Unlock()
		for id, times := range ran {
			if times != 1 {
				t.Errorf("job %d ran %d times", id, times)
			}
		}
		if len(ran) != n {
			t.Errorf("%d jobs ran", len(ran))
		}
	})
}

// TestQueue_heartbeat: a run longer than the lease stays with its node.
func TestQueue_heartbeat(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var n atomic.Int64
		for range 2 {
			q := job.New(quick)
			q.Handle("long", func(ctx context.Context, _ *job.Run) error {
				n.Add(1)
				select {
				case <-time.After(1200 * time.Millisecond):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			start(t, ctx, q)
		}
		id := enqueue(t, ctx, "long", nil, job.Opts{})
		eventually(t, "done", inState(t, ctx, id, job.Done))
		if n.Load() != 1 {
			t.Errorf("ran %d times", n.Load())
		}
	})
}

// TestQueue_takeOver: a node falls silent; another takes its run, and the work of the
// first, coming to itself, changes nothing.
func TestQueue_takeOver(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var n atomic.Int64
		awake := make(chan error, 1)
		block := make(chan struct{})
		work := func(ctx context.Context, r *job.Run) error {
			if n.Add(1) == 1 {
				<-block
				err := store.Write(context.WithoutCancel(ctx), func(ctx context.Context) error {
					if _, err := store.Exec(ctx, insertEffect, store.Args{"what": "late"}); err != nil {
						return err
					}
					return r.Finish(ctx)
				})
				awake <- err
				return err
			}
			return store.Write(ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, insertEffect, store.Args{"what": "second"}); err != nil {
					return err
				}
				return r.Finish(ctx)
			})
		}
		silent := job.New(job.Options{Poll: 20 * time.Millisecond, Lease: time.Hour}) // beats every 20 minutes
		silent.Handle("x", work)
		start(t, ctx, silent)
		id := enqueue(t, ctx, "x", nil, job.Opts{})
		eventually(t, "started", func() bool { return n.Load() == 1 })
		other := job.New(quick)
		other.Handle("x", work)
		start(t, ctx, other)
		eventually(t, "done", inState(t, ctx, id, job.Done))
		close(block)
		if err := <-awake; !errors.Is(err, job.ErrLost) {
			t.Errorf("the silent node finished: %v", err)
		}
		what, err := store.Select[string](ctx, `SELECT what FROM effect WHERE tenant_id = :tenant`, nil)
		if err != nil || fmt.Sprint(what) != "[second]" {
			t.Errorf("%v, %v", what, err)
		}
	})
}

// TestQueue_finishOnce: a run that finishes inside its Write and fails afterwards is
// done nevertheless; one whose Write fails leaves nothing.
func TestQueue_finishOnce(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var n atomic.Int64
		q := job.New(quick)
		q.Handle("x", func(ctx context.Context, r *job.Run) error {
			try := n.Add(1)
			err := store.Write(ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, insertEffect, store.Args{"what": "x"}); err != nil {
					return err
				}
				if err := r.Finish(ctx); err != nil || try > 1 {
					return err
				}
				return errors.New("rolled back after Finish")
			})
			if err == nil {
				err = errors.New("failed after the commit")
			}
			return err
		})
		start(t, ctx, q)
		id := enqueue(t, ctx, "x", nil, job.Opts{Pause: 10 * time.Millisecond})
		eventually(t, "done", inState(t, ctx, id, job.Done))
		time.Sleep(100 * time.Millisecond)
		if list, _ := store.Select[string](ctx, `SELECT what FROM effect WHERE tenant_id = :tenant`, nil); len(list) != 1 || n.Load() != 2 {
			t.Errorf("%d effects of %d tries", len(list), n.Load())
		}
	})
}

func TestQueue_stop(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		q := job.New(quick)
		var finished atomic.Int64
		begun := make(chan struct{}, 2)
		q.Handle("short", func(context.Context, *job.Run) error {
			begun <- struct{}{}
			time.Sleep(150 * time.Millisecond)
			finished.Add(1)
			return nil
		})
		q.Handle("endless", func(ctx context.Context, _ *job.Run) error {
			begun <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		})
		start(t, ctx, q)
		short := enqueue(t, ctx, "short", nil, job.Opts{})
		endless := enqueue(t, ctx, "endless", nil, job.Opts{})
		<-begun
		<-begun
		limit, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
		defer cancel()
		if err := q.Stop(limit); err != nil {
			t.Error(err)
		}
		late := enqueue(t, ctx, "short", nil, job.Opts{})
		if finished.Load() != 1 || !inState(t, ctx, short, job.Done)() {
			t.Error("the short run was not waited for")
		}
		for _, id := range []int64{endless, late} {
			if !inState(t, ctx, id, job.Waiting)() {
				t.Errorf("run %d is not waiting", id)
			}
		}
		for _, r := range runs(t, ctx, job.RunFilter{Name: "endless"}) {
			if r.Tries != 0 {
				t.Errorf("a given-back run lost a try: %+v", r)
			}
		}
		if err := q.Stop(ctx); err != nil {
			t.Errorf("second Stop: %v", err)
		}
	})
}

func TestQueue_timeout(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	q := job.New(quick)
	q.Handle("x", func(ctx context.Context, _ *job.Run) error { <-ctx.Done(); return ctx.Err() }, job.Timeout(50*time.Millisecond))
	start(t, ctx, q)
	id := enqueue(t, ctx, "x", nil, job.Opts{MaxTries: 1})
	eventually(t, "dead", inState(t, ctx, id, job.Dead))
}

func TestQueue_declarations(t *testing.T) {
	for name, declare := range map[string]func(q *job.Queue){
		"twice":    func(q *job.Queue) { q.Handle("x", nil); q.Handle("x", nil) },
		"bad cron": func(q *job.Queue) { q.Every("x", "every day", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			declare(job.New(job.Options{}))
		}()
	}
}
