package runtime

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"

	"modernc.org/sqlite"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// faultTables are those that a command changes; each changed row counts as a statement.
var faultTables = []string{"wf_instance", "wf_task", "wf_task_candidate", "wf_subscription", "wf_incident", "wf_event", "wf_activity", "wf_command", "job_run", "dossier"}

// faults makes every change of those tables ask whether it may happen.
var faults fs.FS = func() fs.FS {
	lite, pg := strings.Builder{}, strings.Builder{}
	lite.WriteString("-- +goose Up\n")
	pg.WriteString(`-- +goose Up
CREATE TABLE fault (at BIGINT NOT NULL);
INSERT INTO fault VALUES (0);
CREATE SEQUENCE fault_count;
-- +goose StatementBegin
CREATE FUNCTION fault_check() RETURNS trigger AS $$ BEGIN
  IF nextval('fault_count') = (SELECT at FROM fault) THEN RAISE EXCEPTION 'injected fault'; END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
-- +goose StatementEnd
`)
	for _, table := range faultTables {
		for _, op := range []string{"INSERT", "UPDATE", "DELETE"} {
			fmt.Fprintf(&lite, "-- +goose StatementBegin\nCREATE TRIGGER fault_%s_%s BEFORE %s ON %s BEGIN SELECT viva_fault(); END;\n-- +goose StatementEnd\n", table, op, op, table)
		}
		fmt.Fprintf(&pg, "CREATE TRIGGER fault_%s BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION fault_check();\n", table, table)
	}
	return fstest.MapFS{"9201_fault.sqlite.sql": {Data: []byte(lite.String())}, "9201_fault.postgres.sql": {Data: []byte(pg.String())}}
}()

// fault is what happens at the next changes on SQLite: the countdown reaches 0 at the
// one that fails, or that kills the process.
var (
	countdown atomic.Int64
	killing   atomic.Bool
)

func init() {
	sqlite.MustRegisterScalarFunction("viva_fault", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		if countdown.Add(-1) == 0 {
			if killing.Load() {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil, errors.New("injected fault")
		}
		return int64(0), nil
	})
}

// failAt makes the k-th change from now fail; 0 lets all pass.
func (w *world) failAt(k int64) {
	w.t.Helper()
	if w.db.Dialect() == store.SQLite {
		countdown.Store(k)
		return
	}
	err := store.Write(w.ctx, func(ctx context.Context) error {
		if _, err := store.Exec(ctx, `UPDATE fault SET at = :k`, store.Args{"k": k}); err != nil {
			return err
		}
		_, _, err := store.Get[int64](ctx, `SELECT setval('fault_count', 1, false)`, nil)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// path touches every table: a business row, several items, a timer, a message, a child,
// an asynchronous job and candidates.
var path = model("path", `<userTask id="a" name="a" f:candidateUsers="4,5"><multiInstanceLoopCharacteristics f:collection="${people}" f:elementVariable="p"/></userTask>
<boundaryEvent id="t" attachedToRef="a" cancelActivity="false">`+timer("timeDuration", "P1D")+`</boundaryEvent><endEvent id="end2"/>
<boundaryEvent id="m" attachedToRef="a" cancelActivity="false"><messageEventDefinition messageRef="paid"/></boundaryEvent><endEvent id="end3"/>
<serviceTask id="s" f:class="step"><extensionElements><f:field name="by"><f:expression>${1}</f:expression></f:field></extensionElements></serviceTask>
<callActivity id="c" calledElement="inner"/><serviceTask id="j" f:class="log" f:asyncBefore="true"/>`+user("b"),
	"start>a a>s s>c c>j j>b b>end t>end2 m>end3", paid)

// stage is one command of the crash scenario.
type stage struct {
	name string
	do   func(ctx context.Context, w *world, ref string) error
}

func stages() []stage {
	complete := func(element, command string) func(context.Context, *world, string) error {
		return func(ctx context.Context, w *world, ref string) error {
			id := w.instance(ref)
			if element == "x" {
				id = w.child(id)
			}
			_, err := w.e.Do(ctx, Command{ID: ref + command, Instance: id, Action: &engine.CompleteTask{Task: w.open(id, element)}})
			return err
		}
	}
	return []stage{
		{"start", func(ctx context.Context, w *world, ref string) error {
			return store.Write(ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, sqlOpenDossier, store.Args{"ref": ref}); err != nil {
					return err
				}
				_, err := w.e.Start(ctx, StartIn{CommandID: ref, Key: "path", BusinessType: "dossier", BusinessID: ref, Vars: map[string]any{"people": []any{1, 2}}})
				return err
			})
		}},
		{"first item", complete("a", "1")},
		{"message", func(ctx context.Context, w *world, ref string) error {
			_, err := w.e.Deliver(ctx, Message{Name: "paid", Key: ref})
			return err
		}},
		{"last item", complete("a", "2")},
		{"child", complete("x", "3")},
		{"job", func(ctx context.Context, w *world, ref string) error {
			id := w.instance(ref)
			j := w.load(id).State.Jobs[0]
			p := task{id, j.ID, j.DueAt, j.Attempt}
			return w.e.onJob(ctx, p, func(*engine.Job) engine.Action { return &engine.FireJob{Job: p.Job} })
		}},
		{"end", complete("b", "4")},
	}
}

func (w *world) instance(ref string) string {
	w.t.Helper()
	id, err := store.One[string](w.ctx, `SELECT id FROM wf_instance WHERE tenant_id = :tenant AND business_type = 'dossier' AND business_id = :ref`, store.Args{"ref": ref})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// story is the history of an instance and its child without times and ids.
func (w *world) story(ref string) string {
	w.t.Helper()
	var out strings.Builder
	parent := w.instance(ref)
	for _, id := range []string{parent, w.child(parent)} {
		events, err := w.e.Events(w.ctx, id)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, ev := range events {
			fmt.Fprintln(&out, ev.Seq, ev.Kind, ev.Element, ev.Token, ev.Task)
		}
		in := w.load(id).State.Instance
		fmt.Fprintln(&out, in.Status, in.Result, in.Rev, in.NextSeq, in.NextID, in.Vars)
	}
	fmt.Fprintln(&out, "step", w.step(ref))
	return out.String()
}

// TestFault fails every change of every command in turn: nothing of the command may be
// left, and repeating it comes to the same history as a run without faults.
func TestFault(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, true)
		w.deploy(inner)
		w.deploy(path)
		for _, s := range stages() {
			if err := s.do(w.ctx, w, "plain"); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
		}
		injected := 0
		for _, s := range stages() {
			before := w.snapshot()
			for k := int64(1); ; k++ {
				w.failAt(k)
				err := s.do(w.ctx, w, "hard")
				w.failAt(0)
				if err == nil {
					break
				}
				if injected++; !strings.Contains(err.Error(), "injected fault") {
					t.Fatalf("%s, change %d: %v", s.name, k, err)
				}
				if after := w.snapshot(); after != before {
					t.Fatalf("%s, change %d left\n%s\nbefore\n%s", s.name, k, after, before)
				}
			}
		}
		if a, b := w.story("plain"), w.story("hard"); a != b {
			t.Errorf("plain\n%s\nhard\n%s", a, b)
		}
		if injected < 60 {
			t.Errorf("only %d faults", injected)
		}
		t.Logf("%d faults", injected)
		w.sound()
	}, Migrations, schema, faults)
}

// snapshot counts the rows of every table and sums up the revisions.
func (w *world) snapshot() string {
	w.t.Helper()
	const q = `SELECT (SELECT COUNT(*) || ' ' || COALESCE(SUM(rev), 0) FROM wf_instance WHERE tenant_id = :tenant) || ' ' ||
 (SELECT COUNT(*) || ' ' || COALESCE(SUM(ended_at), 0) FROM wf_task WHERE tenant_id = :tenant) || ' ' || (SELECT COUNT(*) FROM wf_task_candidate WHERE tenant_id = :tenant) || ' ' ||
 (SELECT COUNT(*) FROM wf_subscription WHERE tenant_id = :tenant) || ' ' || (SELECT COUNT(*) FROM wf_incident WHERE tenant_id = :tenant) || ' ' ||
 (SELECT COUNT(*) FROM wf_event WHERE tenant_id = :tenant) || ' ' || (SELECT COUNT(*) || ' ' || COALESCE(SUM(ended_at), 0) FROM wf_activity WHERE tenant_id = :tenant) || ' ' ||
 (SELECT COUNT(*) FROM wf_command WHERE tenant_id = :tenant) || ' ' || (SELECT COUNT(*) || ' ' || COALESCE(SUM(state), 0) FROM job_run WHERE tenant_id = :tenant) || ' ' ||
 (SELECT COUNT(*) || ' ' || COALESCE(SUM(step), 0) FROM dossier WHERE tenant_id = :tenant)`
	text, err := store.One[string](w.ctx, q, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

const childEnv = "VIVA_RUNTIME_CHILD"

// child executes one command in a process of its own, which dies at a change. The value
// is "stage:change:directory".
func child() {
	parts := strings.SplitN(os.Getenv(childEnv), ":", 3)
	index, _ := strconv.Atoi(parts[0])
	k, _ := strconv.ParseInt(parts[1], 10, 64)
	db, err := store.Open(context.Background(), store.Config{Dir: parts[2]})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err == nil {
		w := newWorld(&testing.T{}, db, true)
		killing.Store(true)
		countdown.Store(k)
		err = stages()[index].do(w.ctx, w, "hard")
		countdown.Store(0)
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	_ = db.Close()
	os.Exit(0)
}

// TestKill kills a process with SIGKILL at every second change of two commands; the next
// process finds the state before the command and carries on.
func TestKill(t *testing.T) {
	db := kerneltest.Open(t, Migrations, schema, faults)
	dir := filepath.Dir(db.Path())
	w := newWorld(t, db, true)
	w.deploy(inner)
	w.deploy(path)
	list, kills := stages(), 0
	for _, s := range list {
		if err := s.do(w.ctx, w, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	want := w.story("plain")
	for i, s := range list {
		if i != 0 && i != 3 {
			if err := s.do(w.ctx, w, "hard"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		before := w.snapshot()
		for k := int64(1); ; k += 2 {
			if err := w.db.Close(); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%d:%s", childEnv, i, k, dir))
			out, err := cmd.CombinedOutput()
			w = reopen(t, dir)
			if err == nil {
				break
			}
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != -1 {
				t.Fatalf("%s, change %d: %v %s", s.name, k, err, out)
			}
			kills++
			if after := w.snapshot(); after != before {
				t.Fatalf("%s, killed at change %d: %s, before %s", s.name, k, after, before)
			}
		}
	}
	if got := w.story("hard"); got != want {
		t.Errorf("after the kills\n%s\nwithout\n%s", got, want)
	}
	if kills < 10 {
		t.Errorf("only %d kills", kills)
	}
	t.Logf("%d kills", kills)
	w.sound()
}

func reopen(t *testing.T, dir string) *world {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w := newWorld(t, db, true)
	w.ctx = actor.With(store.Use(context.Background(), db), actor.From(w.ctx))
	return w
}
