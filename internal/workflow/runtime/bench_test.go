package runtime

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
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
			if _, err := store.Exec(ctx, sqlOpenDossier, store.Args{"ref": ref}); err != nil {
				return err
			}
			res, err = e.Start(ctx, StartIn{CommandID: "s" + ref, Key: "three", BusinessType: "dossier", BusinessID: ref, Vars: map[string]any{"days": 3}})
			return err
		})
		for i := 0; i < 3 && err == nil; i++ {
			err = store.Write(ctx, func(ctx context.Context) (err error) {
				if _, err := store.Exec(ctx, sqlStepDossier, store.Args{"ref": ref}); err != nil {
					return err
				}
				res, err = e.Do(ctx, Command{ID: fmt.Sprint(i, ref), Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}})
				return err
			})
		}
		return err
	})
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

// BenchmarkReference is the floor: the statements of BenchmarkInstance with ready-made
// values, prepared on one raw connection, as many commands to a commit as there are
// clients.
func BenchmarkReference(b *testing.B) {
	db := kerneltest.Open(b, Migrations, schema)
	path := db.Path()
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	raw, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-20000)")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	raw.SetMaxOpenConns(1)
	conn, err := raw.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	r := &reference{b: b, conn: conn, kept: map[string]*sql.Stmt{}, state: strings.Repeat("x", 900)}
	b.ResetTimer()
	began := cpu()
	for n := 0; n < b.N; n += clients {
		group := min(clients, b.N-n)
		for command := range 4 {
			r.exec("BEGIN IMMEDIATE")
			for i := range group {
				r.exec("SAVEPOINT c")
				r.command(n+i, command)
				r.exec("RELEASE c")
			}
			r.exec("COMMIT")
		}
	}
	rate(b, cpu()-began)
}

type reference struct {
	b     *testing.B
	conn  *sql.Conn
	kept  map[string]*sql.Stmt
	state string
}

func (r *reference) prepared(q string) *sql.Stmt {
	s := r.kept[q]
	if s == nil {
		var err error
		if s, err = r.conn.PrepareContext(context.Background(), q); err != nil {
			r.b.Fatalf("%v: %s", err, q)
		}
		r.kept[q] = s
	}
	return s
}

func (r *reference) exec(q string, args ...any) {
	if _, err := r.prepared(q).Exec(args...); err != nil {
		r.b.Fatalf("%v: %s", err, q)
	}
}

// insert writes a row of a table with the columns given.
func (r *reference) insert(table, columns string, values ...any) {
	r.exec("INSERT INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(",?", len(values)-1)+")", values...)
}

func (r *reference) command(n, command int) {
	id, ref, now := fmt.Sprintf("01a2016a-b42b-7888-b288-%012d", n), fmt.Sprint("D", n), int64(1795320099874)
	if command == 0 {
		r.insert("dossier", "tenant_id,ref", 1, ref)
		r.insert("wf_command", "tenant_id,id,instance_id,digest,at,result", 1, "s"+ref, id, "0123456789abcdef0123456789abcdef", now, "")
		var skip string
		_ = r.prepared("SELECT id FROM wf_command WHERE tenant_id = ? AND id = ?").QueryRow(1, "s"+ref).Scan(&skip)
		_ = r.prepared("SELECT id FROM wf_definition WHERE tenant_id = ? AND key = ? ORDER BY version DESC LIMIT 1").QueryRow(1, "three").Scan(&skip)
		r.insert("wf_instance", "tenant_id,id,definition_id,process_key,root_id,business_type,business_id,name,starter_id,status,result,rev,next_seq,next_id,started_at,vars,state",
			1, id, "three:1:"+id, "three", id, "dossier", ref, "流程 three", 7, 1, 1, 1, 9, 8, now, `{"days":3}`, r.state)
		r.exec("UPDATE wf_command SET result = ? WHERE tenant_id = ? AND id = ?", r.state[:120], 1, "s"+ref)
	} else {
		r.exec("UPDATE dossier SET step = step + 1 WHERE tenant_id = ? AND ref = ?", 1, ref)
		var state string
		if err := r.prepared("SELECT i.state FROM wf_instance r JOIN wf_instance i ON i.root_id = r.id WHERE i.tenant_id = ? AND i.id = ?").QueryRow(1, id).Scan(&state); err != nil {
			r.b.Fatal(err)
		}
		var skip string
		_ = r.prepared("SELECT id FROM wf_command WHERE tenant_id = ? AND id = ?").QueryRow(1, fmt.Sprint(command, ref)).Scan(&skip)
		r.exec("UPDATE wf_instance SET status = ?, rev = ?, next_seq = ?, next_id = ?, vars = ?, state = ? WHERE tenant_id = ? AND id = ? AND rev = ?",
			1+command/3, command+1, 9+8*command, 8+5*command, `{"days":3}`, r.state, 1, id, command)
		r.exec("UPDATE wf_task SET status = 2, ended_at = ? WHERE tenant_id = ? AND instance_id = ? AND id = ?", now, 1, id, command-1)
		r.exec("UPDATE wf_activity SET ended_at = ?, end_kind = 'completed' WHERE tenant_id = ? AND instance_id = ? AND id = ?", now, 1, id, 4*(command-1)+2)
		r.insert("wf_command", "tenant_id,id,instance_id,digest,at,result", 1, fmt.Sprint(command, ref), id, "0123456789abcdef0123456789abcdef", now, r.state[:120])
	}
	r.insert("wf_event", "tenant_id,instance_id,seq,events,at,actor_id,command_id,action,data", 1, id, 1+8*command, 8, now, 7, ref, "complete_task", r.state[:700])
	if command < 3 {
		r.insert("wf_task", "tenant_id,instance_id,id,token_id,element,name,assignee_id,status,created_at", 1, id, command, 3, "a", "a", 9, 1, now)
	}
	for i := range 3 - (command+2)/3 {
		r.insert("wf_activity", "tenant_id,instance_id,id,token_id,element,type,started_at", 1, id, 4*command+2-i, 3, "a", "userTask", now)
	}
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
