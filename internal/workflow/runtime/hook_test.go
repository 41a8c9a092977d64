package runtime

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// Hooks decide at once: the whole chain is one unit, read once and written once.
func TestOnTask_chain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		w.onTask = func(ctx context.Context, ev *TaskEvent) error {
			if ev.Change != TaskCreated || ev.Task.Element == "c" {
				return nil
			}
			if ev.Node == nil || ev.Node.ID != ev.Task.Element || ev.Modelled.Assignee != "9" {
				t.Errorf("%+v", ev)
			}
			_, err := w.e.Do(ctx, Command{Instance: ev.Instance.ID, Action: &engine.CompleteTask{Task: ev.Task.ID, Reason: "自动通过"}})
			return err
		}
		res := w.start("three", nil)
		if got := w.seen(); got != "created a, ended a, created b, ended b, created c" {
			t.Error(got)
		}
		if res.Rev != 3 || len(res.Opened) != 1 || res.Opened[0] != w.open(res.Instance, "c") {
			t.Errorf("%+v", res)
		}
		if n, err := store.One[int64](w.ctx, `SELECT MAX(rev) FROM wf_instance WHERE tenant_id = :tenant`, nil); err != nil || n != 3 {
			t.Errorf("rev %d %v", n, err)
		}
		w.sound()
	})
}

// A hook that never ends is stopped by the limit, and nothing is left of it.
func TestOnTask_endless(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("loop", user("a"), "start>a a>a"))
		w.onTask = func(ctx context.Context, ev *TaskEvent) error {
			if ev.Change != TaskCreated {
				return nil
			}
			_, err := w.e.Do(ctx, Command{Instance: ev.Instance.ID, Action: &engine.CompleteTask{Task: ev.Task.ID}})
			return err
		}
		if _, err := w.e.Start(w.ctx, StartIn{Key: "loop"}); !errs.Is(err, engine.ErrTooLong) {
			t.Errorf("visits: %v", err)
		}
		w.onTask = func(ctx context.Context, ev *TaskEvent) error {
			if ev.Change == TaskEnded {
				return nil
			}
			_, err := w.e.Do(ctx, Command{Instance: ev.Instance.ID, Action: &engine.SetAssignee{Task: ev.Task.ID, AssigneeID: 5}})
			return err
		}
		if _, err := w.e.Start(w.ctx, StartIn{Key: "loop"}); !errs.Is(err, engine.ErrTooLong) {
			t.Errorf("commands: %v", err)
		}
		if ids, err := store.Select[string](w.ctx, sqlInstances, nil); err != nil || len(ids) != 0 {
			t.Errorf("%v %v", ids, err)
		}
	})
}

// A failed command spoils the unit even when the hook keeps the error to itself.
func TestOnTask_swallowed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		w.onTask = func(ctx context.Context, ev *TaskEvent) error {
			_, _ = w.e.Do(ctx, Command{Instance: ev.Instance.ID, Action: &engine.CompleteTask{Task: 12345}})
			return nil
		}
		if _, err := w.e.Start(w.ctx, StartIn{Key: "three"}); !errs.Is(err, engine.ErrNoTask) {
			t.Error(err)
		}
	})
}

// What a handler refuses reaches the user in the handler's words, with its data.
func TestHandler_refusal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("strict", user("a")+`<serviceTask id="s" f:class="hook"/>`, "start>a a>s s>end"))
		res := w.start("strict", nil)
		refuse := func(err error) error {
			w.hook = func(context.Context, *Call) error { return err }
			_, err = w.e.Do(w.ctx, Command{Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}})
			return err
		}
		var got *errs.Error
		if err := refuse(errs.ErrForbidden.With().WithData("why")); !errors.As(err, &got) || got.Code.Num != errs.CodeForbidden || got.Data != "why" {
			t.Error(err)
		}
		if err := refuse(errBroken); !errs.Is(err, engine.ErrHandler) || !errors.Is(err, errBroken) {
			t.Error(err)
		}
		w.at(res.Instance, "a user")
		w.sound()
	})
}

// Handlers may start other processes, not command their own instance, nor another tree.
func TestHandler_commands(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		other := w.start("three", nil)
		w.deploy(model("hooked", `<serviceTask id="s" f:class="hook"/>`+user("a"), "start>s s>a a>end"))
		w.hook = func(ctx context.Context, c *Call) error {
			_, err := w.e.Do(ctx, Command{Instance: c.Instance.ID, Action: &engine.Suspend{}})
			return err
		}
		if _, err := w.e.Start(w.ctx, StartIn{Key: "hooked"}); !errors.Is(err, ErrBusy.With()) {
			t.Errorf("own instance: %v", err)
		}
		w.deploy(model("later", `<serviceTask id="s" f:class="hook"/>`+user("a", "b"), "start>a a>s s>b b>end"))
		first := w.start("later", nil)
		w.hook = func(ctx context.Context, _ *Call) error {
			_, err := w.e.Do(ctx, Command{Instance: other.Instance, Action: &engine.CompleteTask{Task: other.Opened[0]}})
			return err
		}
		_, err := w.e.Do(w.ctx, Command{Instance: first.Instance, Action: &engine.CompleteTask{Task: first.Opened[0]}})
		if !errors.Is(err, ErrOtherTree.With()) {
			t.Errorf("other tree: %v", err)
		}
		w.hook = func(ctx context.Context, c *Call) error {
			_, err := w.e.Start(ctx, StartIn{Key: "three", Name: "from " + c.Handler})
			return err
		}
		w.do(first.Instance, &engine.CompleteTask{Task: first.Opened[0]})
		if ids, err := store.Select[string](w.ctx, sqlInstances, nil); err != nil || len(ids) != 3 {
			t.Errorf("%v %v", ids, err)
		}
		w.sound()
	})
}

func TestTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		res := w.start("three", nil)
		err := w.e.Together(w.ctx, func(ctx context.Context) error {
			if _, err := w.e.Do(ctx, Command{Instance: res.Instance, Action: &engine.SetVariables{Vars: `{"x":1}`}}); err != nil {
				return err
			}
			if err := w.e.SetCandidates(ctx, res.Instance, res.Opened[0], []Candidate{{CandidateUser, 3, "r"}, {CandidateRole, 4, "r"}}); err != nil {
				return err
			}
			two, err := w.e.Do(ctx, Command{Instance: res.Instance, Action: &engine.SetAssignee{Task: res.Opened[0], AssigneeID: 3}})
			if two.Rev != 3 {
				t.Errorf("%+v", two)
			}
			if v, err := w.e.Load(ctx, res.Instance); err != nil || v.State.Task(res.Opened[0]).AssigneeID != 3 {
				t.Errorf("the view of the unit: %v", err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if v := w.load(res.Instance); v.State.Instance.Vars != `{"x":1}` || v.State.Task(res.Opened[0]).AssigneeID != 3 {
			t.Errorf("%+v", v.State.Instance)
		}
		list, err := w.e.Candidates(w.ctx, res.Instance, res.Opened[0])
		if err != nil || fmt.Sprint(list) != "[{role 4 r} {user 3 r}]" {
			t.Errorf("%v %v", list, err)
		}
		if err := w.e.SetCandidates(w.ctx, res.Instance, res.Opened[0], []Candidate{{CandidateUser, 8, ""}}); err != nil {
			t.Fatal(err)
		}
		if list, err = w.e.Candidates(w.ctx, res.Instance, res.Opened[0]); err != nil || fmt.Sprint(list) != "[{user 8 }]" {
			t.Errorf("%v %v", list, err)
		}
		w.sound()
	})
}

// Candidates of the model are kept when nobody chose others.
func TestCandidates_modelled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("pool", `<userTask id="a" name="a" f:candidateUsers="4,5,${who},zhang" f:candidateGroups="2"/>`, "start>a a>end"))
		res := w.start("pool", map[string]any{"who": 5})
		list, err := w.e.Candidates(w.ctx, res.Instance, res.Opened[0])
		if err != nil || fmt.Sprint(list) != "[{group 2 model} {user 4 model} {user 5 model}]" {
			t.Errorf("%v %v", list, err)
		}
		w.onTask = func(ctx context.Context, ev *TaskEvent) error {
			if ev.Change != TaskCreated {
				return nil
			}
			return w.e.SetCandidates(ctx, ev.Instance.ID, ev.Task.ID, []Candidate{{CandidateDept, 1, "rule"}})
		}
		res = w.start("pool", nil)
		if list, err = w.e.Candidates(w.ctx, res.Instance, res.Opened[0]); err != nil || fmt.Sprint(list) != "[{dept 1 rule}]" {
			t.Errorf("%v %v", list, err)
		}
		w.sound()
	})
}

// The approval layer replaces the collection of a multi-instance activity.
func TestOnItems(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("items", `<userTask id="a" name="a" f:assignee="${p}"><multiInstanceLoopCharacteristics f:collection="${people}" f:elementVariable="p"/></userTask>`, "start>a a>end"))
		w.e.OnItems(func(_ context.Context, want *ItemsWanted) ([]any, bool, error) {
			if want.Variables()["mine"] != nil {
				return nil, false, nil
			}
			return []any{int64(11), int64(12), int64(13)}, want.Node.ID == "a", nil
		})
		res := w.start("items", map[string]any{"people": []any{1}})
		if len(res.Opened) != 3 || w.load(res.Instance).State.Task(res.Opened[2]).AssigneeID != 13 {
			t.Errorf("%+v", res)
		}
		if res = w.start("items", map[string]any{"people": []any{1}, "mine": true}); len(res.Opened) != 1 {
			t.Errorf("%+v", res)
		}
		w.sound()
	})
}

// Inside a unit Tasks and Lock know what the unit did; Lock alone is refused.
func TestTasks_inUnit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		res := w.start("three", nil)
		if _, err := w.e.Lock(w.ctx, res.Instance); err == nil {
			t.Error("Lock outside a unit")
		}
		first := w.open(res.Instance, "a")
		err := w.e.Together(w.ctx, func(ctx context.Context) error {
			before, err := w.e.Lock(ctx, res.Instance)
			if err != nil || before.State.Task(first) == nil {
				t.Errorf("locked: %v", err)
			}
			if _, err := w.e.Do(ctx, Command{Instance: res.Instance, Action: &engine.CompleteTask{Task: first, Reason: "同意"}}); err != nil {
				return err
			}
			after, err := w.e.Lock(ctx, res.Instance)
			if err != nil || after.State.Task(first) != nil || before.State.Task(first) == nil {
				t.Errorf("after the command: %v", err)
			}
			tasks, err := w.e.Tasks(ctx, res.Instance)
			if err != nil || len(tasks) != 2 || tasks[0].Reason != "同意" || tasks[0].EndedAt == 0 || tasks[1].Element != "b" {
				t.Errorf("tasks %+v %v", tasks, err)
			}
			_, err = w.e.Lock(ctx, "nowhere")
			if !errs.Is(err, ErrNoInstance) {
				t.Errorf("unknown instance: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.sound()
	})
}

// The people that a hook gives for a multi-instance task without an element variable are
// found by its items under the name of the wire family; modelled values set nothing more.
func TestOnItems_variable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		loop := func(key, inner string) string {
			return model(key, `<userTask id="a" name="a"><multiInstanceLoopCharacteristics isSequential="true">`+inner+`</multiInstanceLoopCharacteristics></userTask>`, "start>a a>end")
		}
		w.deploy(loop("given", `<loopCardinality>1</loopCardinality>`))
		w.deploy(loop("counted", `<loopCardinality>2</loopCardinality>`))
		w.e.OnItems(func(_ context.Context, in *ItemsWanted) ([]any, bool, error) {
			return []any{int64(7), int64(8)}, in.Process.ID == "given", nil
		})
		var seen []string
		w.onTask = func(_ context.Context, ev *TaskEvent) error {
			if ev.Change == TaskCreated {
				seen = append(seen, string(ev.State.Token(ev.Task.Token).Vars))
			}
			return nil
		}
		for _, key := range []string{"given", "counted"} {
			res := w.start(key, nil)
			w.complete(res.Instance, "a")
			if last := w.complete(res.Instance, "a"); last.Status != engine.Ended {
				t.Errorf("%s: %+v", key, last)
			}
		}
		if got := fmt.Sprint(seen); got != `[{"a_assignee":7} {"a_assignee":8}  ]` {
			t.Error(got)
		}
		w.sound()
	})
}
