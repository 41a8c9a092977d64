package runtime

import (
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

var (
	inner  = model("inner", user("x"), "start>x x>end")
	caller = model("caller", `<callActivity id="c" calledElement="inner"><extensionElements><f:in source="n" target="m"/><f:out source="answer" target="got"/></extensionElements></callActivity>`+user("a"),
		"start>c c>a a>end")
)

func (w *world) child(parent string) string {
	w.t.Helper()
	ids, err := store.Select[string](w.ctx, `SELECT id FROM wf_instance WHERE tenant_id = :tenant AND parent_instance_id = :id ORDER BY id DESC`, store.Args{"id": parent})
	if err != nil || len(ids) == 0 {
		w.t.Fatalf("no child of %s: %v", parent, err)
	}
	return ids[0]
}

func TestChild(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(inner)
		w.deploy(caller)
		res := w.start("caller", map[string]any{"n": 5})
		w.at(res.Instance, "c child")
		child := w.child(res.Instance)
		in := w.load(child).State.Instance
		if in.Vars != `{"m":5}` || in.RootID != res.Instance || in.Depth != 1 || in.StarterID != 7 {
			t.Errorf("%+v", in)
		}
		w.sound()
		w.do(child, &engine.CompleteTask{Task: w.open(child, "x"), Vars: `{"answer":42}`})
		w.at(res.Instance, "a user")
		if vars := w.load(res.Instance).State.Instance.Vars; vars != `{"got":42,"n":5}` {
			t.Error(vars)
		}
		w.sound()
		if got := w.seen(); got != "created x, ended x, end 2, created a" {
			t.Error(got)
		}
	})
}

// The end of the caller takes its children along, and the decision of a child races with
// it without a deadlock: both lock the root first.
func TestChild_cancelled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(inner)
		w.deploy(caller)
		for range 4 {
			res := w.start("caller", nil)
			child := w.child(res.Instance)
			task := w.open(child, "x")
			var ended, done error
			var wg sync.WaitGroup
			wg.Go(func() {
				_, ended = w.e.Do(w.ctx, Command{Instance: res.Instance, Action: &engine.End{Result: engine.Cancelled, Reason: "撤销"}})
			})
			wg.Go(func() {
				_, done = w.e.Do(w.ctx, Command{Instance: child, Action: &engine.CompleteTask{Task: task}})
			})
			wg.Wait()
			if ended != nil || done != nil && !errs.Is(done, engine.ErrEnded) {
				t.Errorf("%v, %v", ended, done)
			}
			for _, id := range []string{res.Instance, child} {
				if in := w.load(id).State.Instance; in.Status != engine.Ended {
					t.Errorf("%+v", in)
				}
			}
		}
		w.sound()
	})
}

func TestChild_fault(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("inner", user("x")+`<serviceTask id="s" f:class="fault"/>`, "start>x x>s s>end"))
		w.deploy(model("caller", `<callActivity id="c" calledElement="inner"/><boundaryEvent id="b" attachedToRef="c"><errorEventDefinition errorRef="bad"/></boundaryEvent>`+user("a", "r"),
			"start>c c>a a>end b>r r>end", `<error id="bad" errorCode="bad"/>`))
		res := w.start("caller", nil)
		w.complete(w.child(res.Instance), "x")
		w.at(res.Instance, "r user")
		w.sound()
	})
}

// Bindings: newest, a version, a tag, the deployment; a version replaced by a newer one
// may still be called by its number, one that was suspended by hand may not be called.
func TestChild_bindings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(strings.Replace(inner, `isExecutable="true"`, `isExecutable="true" f:versionTag="old"`, 1))
		second := w.deploy(strings.ReplaceAll(inner, `"x"`, `"y"`))
		call := func(attributes string) (string, error) {
			w.deploy(strings.Replace(caller, `calledElement="inner"`, attributes, 1))
			res, err := w.e.Start(w.ctx, StartIn{Key: "caller"})
			if err != nil {
				return "", err
			}
			return w.where(w.child(res.Instance)), nil
		}
		for attributes, want := range map[string]string{
			`calledElement="inner"`: "y user",
			`calledElement="inner" f:calledElementBinding="version" f:calledElementVersion="1"`:         "x user",
			`calledElement="inner" f:calledElementBinding="versionTag" f:calledElementVersionTag="old"`: "x user",
			`calledElement="` + second.ID + `" f:calledElementType="id"`:                                "y user",
		} {
			if got, err := call(attributes); got != want || err != nil {
				t.Errorf("%s: %q %v", attributes, got, err)
			}
		}
		for _, attributes := range []string{`calledElement="nothing"`, `calledElement="inner" f:calledElementBinding="version" f:calledElementVersion="9"`,
			`calledElement="inner" f:calledElementBinding="deployment"`} {
			if _, err := call(attributes); !errs.Is(err, ErrNoDefinition) {
				t.Errorf("%s: %v", attributes, err)
			}
		}
		if err := w.e.Suspend(w.ctx, second.ID, true); err != nil {
			t.Fatal(err)
		}
		if _, err := call(`calledElement="inner"`); !errs.Is(err, ErrDefinitionPause) {
			t.Error(err)
		}
		if got, err := call(`calledElement="inner" f:calledElementBinding="version" f:calledElementVersion="1"`); got != "x user" {
			t.Errorf("%q %v", got, err)
		}
		both := strings.Replace(strings.Replace(caller, `calledElement="inner"`, `calledElement="inner" f:calledElementBinding="deployment"`, 1), `</definitions>`, inner[strings.Index(inner, "<process"):], 1)
		if _, _, err := w.e.Deploy(w.ctx, DeployIn{Key: "caller", XML: strings.ReplaceAll(both, `id="f`, `id="g`), Siblings: true}); err == nil {
			t.Error("two processes with the same ids pass the check")
		}
		w.sound()
	})
}

// Processes that call each other for ever are stopped by the depth.
func TestChild_recursion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("self", `<callActivity id="c" calledElement="self"/>`, "start>c c>end"))
		if _, err := w.e.Start(w.ctx, StartIn{Key: "self"}); !errs.Is(err, engine.ErrTooDeep) {
			t.Error(err)
		}
		if ids, err := store.Select[string](w.ctx, sqlInstances, nil); err != nil || len(ids) != 0 {
			t.Errorf("%v %v", ids, err)
		}
	})
}
