package runtime

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// schema is a business table of the tests: what a process decides.
var schema fs.FS = fstest.MapFS{"9200_dossier.sql": {Data: []byte(`-- +goose Up
CREATE TABLE dossier (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, ref TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX uk_dossier_ref ON dossier (tenant_id, ref);
`)}}

const (
	sqlOpenDossier = `INSERT INTO dossier (tenant_id, ref) VALUES (:tenant, :ref)`
	sqlStepDossier = `UPDATE dossier SET step = step + 1 WHERE tenant_id = :tenant AND ref = :ref`
	sqlDossier     = `SELECT step FROM dossier WHERE tenant_id = :tenant AND ref = :ref`
	sqlInstances   = `SELECT id FROM wf_instance WHERE tenant_id = :tenant ORDER BY id`
	sqlEventRows   = `SELECT COUNT(*) FROM wf_event WHERE tenant_id = :tenant`
)

// world is an engine over one database, with handlers that tests look at.
type world struct {
	t   testing.TB
	db  *store.DB
	ctx context.Context
	e   *Engine

	lock   sync.Mutex
	calls  []string
	broken bool // handler "flaky" fails
	hook   func(ctx context.Context, c *Call) error
	events []string
	onTask func(ctx context.Context, ev *TaskEvent) error
}

var errBroken = errors.New("it broke")

func newWorld(t testing.TB, db *store.DB, scripts bool) *world {
	w := &world{t: t, db: db}
	w.ctx = actor.With(store.Use(context.Background(), db), actor.Actor{Kind: actor.User, UserID: 7, TenantID: 1})
	w.e = w.engine(scripts)
	return w
}

// engine makes one more engine over the same database: another node.
func (w *world) engine(scripts bool) *Engine {
	e := New(Options{Checked: true, ScriptsAllowed: func(context.Context) (bool, error) { return scripts, nil },
		Handlers: []Handler{
			{Name: "log", Uses: []Use{ForService, ForExecution, ForTask}, Func: w.handle},
			{Name: "flaky", Uses: []Use{ForService}, Func: w.handle},
			{Name: "fault", Uses: []Use{ForService}, Func: w.handle},
			{Name: "step", Uses: []Use{ForService, ForExecution}, Fields: []Field{{Name: "by", Type: "number", Required: true}}, Func: w.handle},
			{Name: "hook", Uses: []Use{ForService, ForExecution, ForTask}, Func: w.handle},
			{Name: "later", Uses: []Use{ForService}, Async: true, Func: w.handle},
		},
		Decisions: []Decision{{Name: "grade", Func: func(_ context.Context, c *Call) ([]map[string]any, error) {
			days, _ := c.Variable("days")
			return []map[string]any{{"level": fmt.Sprint("days ", days)}}, nil
		}}},
		Beans: []Bean{{Name: "math", Methods: map[string]Method{"double": {Func: func(_ context.Context, args []any) (any, error) {
			n, _ := args[0].(int64)
			return 2 * n, nil
		}}}}},
	})
	e.OnTask(func(ctx context.Context, ev *TaskEvent) error {
		w.note("%s %s", []string{"", "created", "assigned", "ended"}[ev.Change], ev.Task.Element)
		if w.onTask != nil {
			return w.onTask(ctx, ev)
		}
		return nil
	})
	e.OnEnd(func(_ context.Context, ev *InstanceEnded) error {
		w.note("end %d", ev.Instance.Result)
		return nil
	})
	e.OnIncident(func(_ context.Context, ev *IncidentRaised) error {
		w.note("incident %s", ev.Incident.Element)
		return nil
	})
	return e
}

func (w *world) note(format string, args ...any) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.events = append(w.events, fmt.Sprintf(format, args...))
}

// seen gives the notes since the last call.
func (w *world) seen() string {
	w.lock.Lock()
	defer w.lock.Unlock()
	text := strings.Join(w.events, ", ")
	w.events = nil
	return text
}

func (w *world) handle(ctx context.Context, c *Call) (engine.Outcome, error) {
	w.lock.Lock()
	w.calls = append(w.calls, c.Handler+" "+c.Key)
	broken := w.broken
	w.lock.Unlock()
	switch c.Handler {
	case "flaky", "later":
		if broken {
			return engine.Outcome{}, errBroken
		}
		return engine.Outcome{Vars: map[string]any{"done": true}}, nil
	case "fault":
		return engine.Outcome{}, &engine.Fault{Code: "bad", Message: "thrown"}
	case "step":
		var in struct{ By int }
		if err := c.Decode(&in); err != nil {
			return engine.Outcome{}, err
		}
		for range in.By {
			if _, err := store.Exec(ctx, sqlStepDossier, store.Args{"ref": c.Instance.BusinessID}); err != nil {
				return engine.Outcome{}, err
			}
		}
	case "hook":
		if w.hook != nil {
			return engine.Outcome{}, w.hook(ctx, c)
		}
	}
	return engine.Outcome{}, nil
}

func (w *world) setBroken(yes bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.broken = yes
}

func (w *world) called() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return len(w.calls)
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, newWorld(t, db, true)) }, Migrations, schema)
}

// model writes a process: elements as XML and flows as "from>to from>to", where
// from>to?condition is conditional with ~ for a blank. start and end stand by themselves.
func model(key, elements, flows string, roots ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:f="http://flowable.org/bpmn" id="d" targetNamespace="t">%s
<process id="%s" name="流程 %s" isExecutable="true">`, strings.Join(roots, ""), key, key)
	if strings.Contains(flows, "start>") {
		out.WriteString(`<startEvent id="start"/>`)
	}
	if strings.Contains(flows, ">end") {
		out.WriteString(`<endEvent id="end"/>`)
	}
	out.WriteString(elements)
	for i, flow := range strings.Fields(flows) {
		flow, condition, _ := strings.Cut(flow, "?")
		from, to, _ := strings.Cut(flow, ">")
		inner := ""
		if condition != "" {
			inner = `<conditionExpression xsi:type="tFormalExpression">${` + strings.ReplaceAll(strings.ReplaceAll(condition, "~", " "), "<", "&lt;") + `}</conditionExpression>`
		}
		fmt.Fprintf(&out, `<sequenceFlow id="f%d" sourceRef="%s" targetRef="%s">%s</sequenceFlow>`, i+1, from, to, inner)
	}
	return out.String() + `</process></definitions>`
}

func user(ids ...string) string {
	var out strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&out, `<userTask id="%s" name="%s" f:assignee="9"/>`, id, id)
	}
	return out.String()
}

var three = model("three", user("a", "b", "c"), "start>a a>b b>c c>end")

func (w *world) deploy(xml string) Definition {
	w.t.Helper()
	_, rest, _ := strings.Cut(xml, `<process id="`)
	key, _, _ := strings.Cut(rest, `"`)
	d, problems, err := w.e.Deploy(w.ctx, DeployIn{Key: key, XML: xml})
	if err != nil {
		w.t.Fatalf("%v %v\n%s", err, problems, xml)
	}
	return d
}

func (w *world) start(key string, vars map[string]any) Result {
	w.t.Helper()
	res, err := w.e.Start(w.ctx, StartIn{Key: key, Vars: vars})
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

func (w *world) do(instance string, action engine.Action) Result {
	w.t.Helper()
	res, err := w.e.Do(w.ctx, Command{Instance: instance, Action: action})
	if err != nil {
		w.t.Fatalf("%s: %v", action.Name(), err)
	}
	return res
}

func (w *world) load(instance string) *View {
	w.t.Helper()
	v, err := w.e.Load(w.ctx, instance)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// open gives the open task of an element.
func (w *world) open(instance, element string) int64 {
	w.t.Helper()
	for _, k := range w.load(instance).State.Tasks {
		if k.Element == element && k.Parent == 0 {
			return k.ID
		}
	}
	w.t.Fatalf("no open task %s in %s", element, w.where(instance))
	return 0
}

// complete ends the open task of an element.
func (w *world) complete(instance, element string) Result {
	w.t.Helper()
	return w.do(instance, &engine.CompleteTask{Task: w.open(instance, element)})
}

// where lists the elements on which tokens stand, with their state.
func (w *world) where(instance string) string {
	w.t.Helper()
	var list []string
	for _, t := range w.load(instance).State.Tokens {
		if t.Kind != engine.KindRoot {
			list = append(list, t.Element+" "+string(t.State))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func (w *world) at(instance, want string) {
	w.t.Helper()
	if got := w.where(instance); got != want {
		w.t.Errorf("tokens: %q, want %q", got, want)
	}
}

// sound verifies and replays every instance of the tenant.
func (w *world) sound() {
	w.t.Helper()
	ids, err := store.Select[string](w.ctx, sqlInstances, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, id := range ids {
		found, err := w.e.Verify(w.ctx, id)
		if err != nil || len(found) > 0 {
			w.t.Errorf("verify %s: %v %s", id, err, strings.Join(found, "\n"))
		}
		found, err = w.e.Replay(w.ctx, id)
		if err != nil || len(found) > 0 {
			w.t.Errorf("replay %s: %v %s", id, err, strings.Join(found, "\n"))
		}
	}
}

// work runs the queue until the condition holds.
func (w *world) work(what string, until func() bool) {
	w.t.Helper()
	q := job.New(job.Options{Poll: 10 * time.Millisecond})
	w.e.Work(q)
	if err := q.Start(w.ctx); err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = q.Stop(context.Background()) }()
	for deadline := time.Now().Add(time.Minute); !until(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited too long for %s", what)
		}
	}
}

// idle runs the queue until no run is due.
func (w *world) idle() {
	w.t.Helper()
	w.work("an idle queue", func() bool { return w.due() == 0 })
}

const sqlDueRuns = `SELECT COUNT(*) FROM job_run WHERE tenant_id = :tenant AND state < 2 AND name LIKE 'workflow.%' AND run_at <= :now`

func (w *world) due() int64 {
	w.t.Helper()
	n, err := store.One[int64](w.ctx, sqlDueRuns, store.Args{"now": clock.Millis()})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// travel sets the clock forward from now on; the returned function moves it on.
func travel(t testing.TB) func(time.Duration) {
	var lock sync.Mutex
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, clock.Shanghai)
	t.Cleanup(clock.Set(func() time.Time {
		lock.Lock()
		defer lock.Unlock()
		return now
	}))
	return func(d time.Duration) {
		lock.Lock()
		defer lock.Unlock()
		now = now.Add(d)
	}
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if os.Getenv(childEnv) != "" {
		child()
	}
	os.Exit(m.Run())
}
