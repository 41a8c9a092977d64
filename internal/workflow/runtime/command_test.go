package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

func TestLife(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.deploy(three)
		if d.Version != 1 || d.Name != "流程 three" || !strings.HasPrefix(d.ID, "three:1:") {
			t.Fatalf("%+v", d)
		}
		res, err := w.e.Start(w.ctx, StartIn{Key: "three", BusinessType: "dossier", BusinessID: "D1", Name: "我的申请", Vars: map[string]any{"days": 3, "why": "病"}})
		if err != nil || res.Status != engine.Running || len(res.Opened) != 1 || res.Rev != 1 {
			t.Fatalf("%+v %v", res, err)
		}
		w.at(res.Instance, "a user")
		id := res.Instance
		for _, element := range []string{"a", "b"} {
			if res = w.complete(id, element); len(res.Opened) != 1 || res.Status != engine.Running {
				t.Errorf("%+v", res)
			}
			w.sound()
		}
		res = w.do(id, &engine.CompleteTask{Task: w.open(id, "c"), Reason: "同意", Vars: `{"grade":"A"}`})
		if res.Status != engine.Ended || res.Outcome != engine.Approved || len(res.Opened) != 0 {
			t.Errorf("%+v", res)
		}
		if got := w.seen(); got != "created a, ended a, created b, ended b, created c, ended c, end 2" {
			t.Error(got)
		}
		w.sound()
		v := w.load(id)
		if in := v.State.Instance; in.Vars != `{"days":3,"grade":"A","why":"病"}` || in.StarterID != 7 || in.Name != "我的申请" || v.Definition.ID != d.ID {
			t.Errorf("%+v", in)
		}
		tasks, err := w.e.Tasks(w.ctx, id)
		if err != nil || len(tasks) != 3 || tasks[2].Reason != "同意" || tasks[2].Status != engine.TaskApproved || tasks[0].AssigneeID != 9 {
			t.Errorf("%+v %v", tasks, err)
		}
		visits, err := w.e.Activities(w.ctx, id)
		if err != nil || len(visits) != 9 { // five nodes and four flows
			t.Errorf("%d visits, %v", len(visits), err)
		}
	})
}

// The decision and what it decides are one commit, also what handlers change.
func TestDo_joins(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		service := `<serviceTask id="s" f:class="step"><extensionElements><f:field name="by"><f:expression>${by}</f:expression></f:field></extensionElements></serviceTask>`
		w.deploy(model("file", user("a", "b")+service, "start>a a>s s>b b>end"))
		start := func(ref string, by any) (id string) {
			err := store.Write(w.ctx, func(ctx context.Context) error {
				if _, err := store.Exec(ctx, sqlOpenDossier, store.Args{"ref": ref}); err != nil {
					return err
				}
				res, err := w.e.Start(ctx, StartIn{Key: "file", BusinessType: "dossier", BusinessID: ref, Vars: map[string]any{"by": by}})
				id = res.Instance
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		good, bad := start("D1", 2), start("D2", "two")
		w.complete(good, "a")
		if n := w.step("D1"); n != 2 {
			t.Errorf("step %d", n)
		}
		_, err := w.e.Do(w.ctx, Command{Instance: bad, Action: &engine.CompleteTask{Task: w.open(bad, "a")}})
		if !errs.Is(err, engine.ErrHandler) || w.step("D2") != 0 {
			t.Errorf("%v, step %d", err, w.step("D2"))
		}
		w.at(good, "b user")
		w.at(bad, "a user")
		err = store.Write(w.ctx, func(ctx context.Context) error {
			if _, err := store.Exec(ctx, sqlStepDossier, store.Args{"ref": "D1"}); err != nil {
				return err
			}
			_, err := w.e.Do(ctx, Command{Instance: good, Action: &engine.CompleteTask{Task: 999}})
			return err
		})
		if err == nil || w.step("D1") != 2 {
			t.Errorf("%v, step %d", err, w.step("D1"))
		}
		w.sound()
	})
}

func (w *world) step(ref string) int {
	w.t.Helper()
	n, _, err := store.Get[int](w.ctx, sqlDossier, store.Args{"ref": ref})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// A client that repeats a command gets the first answer.
func TestDo_repeated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		in := StartIn{CommandID: "start-1", Key: "three", Vars: map[string]any{"n": 1}}
		first, err := w.e.Start(w.ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := w.e.Start(w.ctx, in)
		if err != nil || !again.Repeated || again.Instance != first.Instance || fmt.Sprint(again.Opened) != fmt.Sprint(first.Opened) {
			t.Errorf("%+v %v", again, err)
		}
		cmd := Command{ID: "c-1", Instance: first.Instance, Action: &engine.CompleteTask{Task: first.Opened[0]}}
		one, err := w.e.Do(w.ctx, cmd)
		if err != nil || one.Repeated {
			t.Fatalf("%+v %v", one, err)
		}
		events := w.count(sqlEventRows)
		two, err := w.e.Do(w.ctx, cmd)
		if err != nil || !two.Repeated || two.Rev != one.Rev || fmt.Sprint(two.Opened) != fmt.Sprint(one.Opened) {
			t.Errorf("%+v %v", two, err)
		}
		if n := w.count(sqlEventRows); n != events {
			t.Errorf("%d event rows after %d", n, events)
		}
		cmd.Action = &engine.CompleteTask{Task: one.Opened[0]}
		if _, err := w.e.Do(w.ctx, cmd); !errs.Is(err, errs.ErrKeyReused) {
			t.Errorf("another command under the same id: %v", err)
		}
		in.Vars = map[string]any{"n": 2}
		if _, err := w.e.Start(w.ctx, in); !errs.Is(err, errs.ErrKeyReused) {
			t.Errorf("another start under the same id: %v", err)
		}
		other := w.start("three", nil)
		if _, err := w.e.Do(w.ctx, Command{ID: "c-1", Instance: other.Instance, Action: &engine.CompleteTask{Task: other.Opened[0]}}); !errs.Is(err, errs.ErrKeyReused) {
			t.Errorf("another instance under the same id: %v", err)
		}
		w.sound()
	})
}

func (w *world) count(q string) int64 {
	w.t.Helper()
	switch q {
	case sqlEventRows:
		n, err := store.One[int64](w.ctx, sqlEventRows, nil)
		if err != nil {
			w.t.Fatal(err)
		}
		return n
	}
	w.t.Fatalf("unknown query %s", q)
	return 0
}

// A second start with the same command id at the same moment waits for the first and
// gets its answer, from whichever node it comes.
func TestStart_repeatedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		var wg sync.WaitGroup
		var lock sync.Mutex
		ids := map[string]int{}
		for i := range 8 {
			e := w.e
			if i%2 == 1 {
				e = w.engine(true)
			}
			wg.Go(func() {
				res, err := e.Start(w.ctx, StartIn{CommandID: "once", Key: "three"})
				if err != nil {
					t.Error(err)
				}
				lock.Lock()
				defer lock.Unlock()
				ids[res.Instance]++
			})
		}
		wg.Wait()
		if len(ids) != 1 {
			t.Errorf("%v", ids)
		}
		w.sound()
	})
}

func TestDo_refusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.deploy(three)
		res := w.start("three", nil)
		id, task := res.Instance, res.Opened[0]
		foreign := actor.AsSystem(w.ctx, 2)
		check := func(name string, err error, want errs.Code) {
			t.Helper()
			if !errs.Is(err, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		do := func(ctx context.Context, c Command) error {
			_, err := w.e.Do(ctx, c)
			return err
		}
		complete := &engine.CompleteTask{Task: task}
		check("foreign tenant", do(foreign, Command{Instance: id, Action: complete}), ErrNoInstance)
		_, err := w.e.Load(foreign, id)
		check("foreign view", err, ErrNoInstance)
		_, err = w.e.Start(foreign, StartIn{Definition: d.ID})
		check("foreign definition", err, ErrNoDefinition)
		_, err = w.e.Process(foreign, d.ID)
		check("foreign graph, in memory of this node", err, ErrNoDefinition)
		check("no instance", do(w.ctx, Command{Instance: newID(), Action: complete}), ErrNoInstance)
		check("no task", do(w.ctx, Command{Instance: id, Action: &engine.CompleteTask{Task: 999}}), engine.ErrNoTask)
		check("stale", do(w.ctx, Command{Instance: id, Rev: 5, Action: complete}), errs.ErrStale)
		_, err = w.e.Start(w.ctx, StartIn{Key: "nothing"})
		check("no definition", err, ErrNoDefinition)
		w.do(id, &engine.Suspend{Reason: "r"})
		check("suspended", do(w.ctx, Command{Instance: id, Action: complete}), engine.ErrSuspended)
		w.do(id, &engine.Resume{})
		w.do(id, &engine.End{Result: engine.Cancelled, Reason: "撤销"})
		check("ended", do(w.ctx, Command{Instance: id, Action: complete}), engine.ErrEnded)
		if err := w.e.Suspend(w.ctx, d.ID, true); err != nil {
			t.Fatal(err)
		}
		_, err = w.e.Start(w.ctx, StartIn{Key: "three"})
		check("suspended definition", err, ErrDefinitionPause)
		if err := w.e.Suspend(w.ctx, d.ID, false); err != nil {
			t.Fatal(err)
		}
		w.start("three", nil)
		check("foreign suspend", w.e.Suspend(foreign, d.ID, true), ErrNoDefinition)
		w.sound()
	})
}

// One business row has one running process.
func TestStart_business(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		in := StartIn{Key: "three", BusinessType: "dossier", BusinessID: "D1"}
		first, err := w.e.Start(w.ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.e.Start(w.ctx, in); !errs.Is(err, ErrBusinessBusy) {
			t.Errorf("second process: %v", err)
		}
		w.do(first.Instance, &engine.End{Result: engine.Cancelled})
		if _, err := w.e.Start(w.ctx, in); err != nil {
			t.Errorf("after the end of the first: %v", err)
		}
		w.sound()
	})
}

// Two people decide the same task: one wins, the other is told.
func TestDo_atOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		nodes := []*Engine{w.e, w.engine(true)}
		for round := range 6 {
			res := w.start("three", nil)
			errors := make([]error, 4)
			var wg sync.WaitGroup
			for i := range errors {
				wg.Go(func() {
					c := Command{Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}}
					if round%2 == 1 {
						c.Rev = res.Rev
					}
					_, errors[i] = nodes[i%2].Do(w.ctx, c)
				})
			}
			wg.Wait()
			won := 0
			for _, err := range errors {
				switch {
				case err == nil:
					won++
				case round%2 == 1 && errs.Is(err, errs.ErrStale), errs.Is(err, engine.ErrNoTask):
				default:
					t.Errorf("round %d: %v", round, err)
				}
			}
			if won != 1 {
				t.Errorf("round %d: %d winners", round, won)
			}
			w.at(res.Instance, "b user")
		}
		w.sound()
	})
}

// Items of a multi-instance activity decided at once lose nothing.
func TestDo_items(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("items", `<userTask id="a" name="a"><multiInstanceLoopCharacteristics f:collection="${people}" f:elementVariable="p"/></userTask>`, "start>a a>end"))
		res := w.start("items", map[string]any{"people": []any{1, 2, 3, 4, 5, 6, 7, 8}})
		var wg sync.WaitGroup
		for _, task := range res.Opened {
			wg.Go(func() {
				if _, err := w.e.Do(w.ctx, Command{Instance: res.Instance, Action: &engine.CompleteTask{Task: task}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if v := w.load(res.Instance); v.State.Instance.Status != engine.Ended || len(res.Opened) != 8 {
			t.Errorf("%+v, %d tasks", v.State.Instance, len(res.Opened))
		}
		w.sound()
	})
}

var errRefused = errors.New("no")

// An error after the command leaves nothing of it.
func TestDo_rolledBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		res := w.start("three", nil)
		before := w.load(res.Instance)
		err := store.Write(w.ctx, func(ctx context.Context) error {
			if _, err := w.e.Do(ctx, Command{ID: "x", Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}}); err != nil {
				return err
			}
			if _, err := w.e.Start(ctx, StartIn{Key: "three"}); err != nil {
				return err
			}
			return errRefused
		})
		if !errors.Is(err, errRefused) {
			t.Fatal(err)
		}
		if after := w.load(res.Instance); after.State.Instance != before.State.Instance {
			t.Errorf("%+v", after.State.Instance)
		}
		if again, err := w.e.Do(w.ctx, Command{ID: "x", Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}}); err != nil || again.Repeated {
			t.Errorf("%+v %v", again, err)
		}
		w.sound()
	})
}
