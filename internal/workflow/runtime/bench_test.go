package runtime

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// clients is how many goroutines work at once, as the design's target has it.
const clients = 16

// BenchmarkInstance starts an instance and completes its three tasks, each command with
// a business row in the same durable transaction.
func BenchmarkInstance(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchmarkInstance(b, kerneltest.Open(b, Migrations, schema)) })
	b.Run("sqlite-full", func(b *testing.B) {
		db := kerneltest.Open(b, Migrations, schema)
		dir := filepath.Dir(db.Path())
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		fill(b, filepath.Join(dir, "viva.db"), 100_000, 1_000_000)
		benchmarkInstance(b, kerneltest.Again(b, store.Config{Dir: dir}))
	})
	b.Run("postgres", func(b *testing.B) {
		kerneltest.NeedPostgres(b)
		benchmarkInstance(b, kerneltest.OpenPostgres(b, Migrations, schema))
	})
}

func benchmarkInstance(b *testing.B, db *store.DB) {
	e := New(Options{})
	ctx := actor.With(store.Use(context.Background(), db), actor.Actor{Kind: actor.User, UserID: 7, TenantID: 1})
	if _, _, err := e.Deploy(ctx, DeployIn{Key: "three", XML: three}); err != nil {
		b.Fatal(err)
	}
	spread(b, func(n int64) error {
		ref := fmt.Sprint("D", n)
		var res Result
		err := store.Write(ctx, func(ctx context.Context) (err error) {
			if err := store.Later(ctx, sqlOpenDossier, store.Args{"ref": ref}); err != nil {
				return err
			}
			res, err = e.Start(ctx, StartIn{CommandID: "s" + ref, Key: "three", BusinessType: "dossier", BusinessID: ref, Vars: map[string]any{"days": 3}})
			return err
		})
		for i := 0; i < 3 && err == nil; i++ {
			err = store.Write(ctx, func(ctx context.Context) (err error) {
				if err := store.Later(ctx, sqlStepDossier, store.Args{"ref": ref}); err != nil {
					return err
				}
				res, err = e.Do(ctx, Command{ID: fmt.Sprint(i, ref), Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}})
				return err
			})
		}
		return err
	})
}

// fill adds instances of a past, open ones and ended ones, with a row each in the tables
// that grow, to a file nobody has open.
func fill(b *testing.B, file string, open, ended int) {
	raw, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file)+"?_pragma=synchronous(OFF)&_pragma=cache_size(-500000)")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	n := fmt.Sprintf("WITH RECURSIVE n(i, ended) AS (SELECT 1, 1 UNION ALL SELECT i + 1, i < %d FROM n WHERE i < %d) ", ended, open+ended)
	for _, text := range []string{
		`INSERT INTO wf_instance (tenant_id, id, definition_id, process_key, root_id, business_type, business_id, name, starter_id, status, result, rev, next_seq, next_id, started_at, ended_at, vars, state)
 SELECT 1, 'old-' || i, 'three:1:old', 'three', 'old-' || i, 'dossier', 'old ' || i, '流程', i % 1000, 1 + ended, 1, 4, 33, 20, i, i * ended, '{"days":3}', '' FROM n`,
		`INSERT INTO wf_task (tenant_id, instance_id, id, token_id, element, name, assignee_id, status, created_at, ended_at) SELECT 1, 'old-' || i, 1, 3, 'a', 'a', i % 1000, 1 + ended, i, i * ended FROM n`,
		`INSERT INTO wf_activity (tenant_id, instance_id, id, token_id, element, type, started_at) SELECT 1, 'old-' || i, 1, 3, 'a', 'userTask', i FROM n`,
		`INSERT INTO wf_event (tenant_id, instance_id, seq, events, at, actor_id, command_id, action, data) SELECT 1, 'old-' || i, 1, 8, i, 7, 'old', 'start', '[]' FROM n`,
		`INSERT INTO wf_command (tenant_id, id, instance_id, digest, at, result) SELECT 1, 'old' || i, 'old-' || i, '', i, '' FROM n`,
	} {
		if _, err := raw.Exec(n + text); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := raw.Exec("ANALYZE"); err != nil {
		b.Fatal(err)
	}
}

// spread runs b.N pieces of work on the clients and reports their rate.
func spread(b *testing.B, work func(n int64) error) {
	b.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	began := cpu()
	for range clients {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := work(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	rate(b, cpu()-began)
}

// rate reports instances per second and, since machines are shared, the processor time of
// one.
func rate(b *testing.B, used time.Duration) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "instances/s")
	b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/instance")
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTimers drains timers that are due at once: b.N of them.
func BenchmarkTimers(b *testing.B) {
	w := newWorld(b, kerneltest.Open(b, Migrations, schema), true)
	w.e.options.Checked = false
	w.deploy(deadline)
	now := time.Now()
	restore := clock.Set(func() time.Time { return now.Add(-3 * time.Hour) })
	for range b.N {
		w.start("deadline", nil)
	}
	restore()
	var fired atomic.Int64
	w.onTask = func(_ context.Context, ev *TaskEvent) error {
		if ev.Change == TaskCreated {
			fired.Add(1)
		}
		return nil
	}
	b.ResetTimer()
	w.work("the timers", func() bool { return fired.Load() == int64(b.N) })
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "timers/s")
}

// BenchmarkItems lets a hundred people decide one multi-instance task.
func BenchmarkItems(b *testing.B) {
	w := newWorld(b, kerneltest.Open(b, Migrations, schema), true)
	w.e.options.Checked = false
	w.deploy(model("items", `<userTask id="a" name="a"><multiInstanceLoopCharacteristics f:collection="${people}" f:elementVariable="p"/></userTask>`, "start>a a>end"))
	people := make([]any, 100)
	for i := range people {
		people[i] = i
	}
	for b.Loop() {
		res := w.start("items", map[string]any{"people": people})
		for _, task := range res.Opened {
			w.do(res.Instance, &engine.CompleteTask{Task: task})
		}
	}
}
