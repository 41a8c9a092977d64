package runtime

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

func TestDeploy_versions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.deploy(three)
		if again := w.deploy(three); again.ID != first.ID {
			t.Errorf("the same text: %+v", again)
		}
		running := w.start("three", nil)
		always, _, err := w.e.Deploy(w.ctx, DeployIn{Key: "three", XML: three, Always: true})
		if err != nil || always.Version != 2 {
			t.Errorf("%+v %v", always, err)
		}
		third := w.deploy(strings.ReplaceAll(three, `"b"`, `"bb"`))
		if third.Version != 3 {
			t.Errorf("%+v", third)
		}
		for id, want := range map[string]bool{first.ID: true, always.ID: true, third.ID: false} {
			if d, err := w.e.FindDefinition(w.ctx, id); err != nil || d.Suspended != want {
				t.Errorf("%+v %v", d, err)
			}
		}
		w.complete(running.Instance, "a")
		w.at(running.Instance, "b user")
		newer := w.start("three", nil)
		w.complete(newer.Instance, "a")
		w.at(newer.Instance, "bb user")
		if text, err := w.e.XML(w.ctx, first.ID); err != nil || text != three {
			t.Errorf("%q %v", text, err)
		}
		w.do(running.Instance, &engine.Migrate{DefinitionID: third.ID, Map: map[string]string{"b": "bb"}})
		w.at(running.Instance, "bb user")
		w.complete(running.Instance, "bb")
		w.at(running.Instance, "c user")
		w.sound()
	})
}

func TestDeploy_refused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			xml  string
			want errs.Code
			code string
		}{
			"no xml":           {"<", ErrUnreadable, ""},
			"not utf-8":        {"\xff", ErrUnreadable, ""},
			"nul":              {"<a>\x00</a>", ErrUnreadable, ""},
			"other process":    {strings.ReplaceAll(three, `id="three"`, `id="four"`), ErrNoProcess, ""},
			"not executable":   {strings.Replace(three, "isExecutable=\"true\"", "isExecutable=\"false\"", 1), ErrRefused, ""},
			"unknown handler":  {model("three", `<serviceTask id="s" f:class="nobody"/>`, "start>s s>end"), ErrRefused, "unknown-service"},
			"wrong kind":       {model("three", `<serviceTask id="s" f:class="log"><extensionElements><f:executionListener event="start" class="flaky"/></extensionElements></serviceTask>`, "start>s s>end"), ErrRefused, "unknown-execution"},
			"unknown bean":     {model("three", user("a", "b"), "start>a a>end?math.triple(1)>2 a>b b>end"), ErrRefused, "unknown-call"},
			"unknown decision": {model("three", `<businessRuleTask id="r" f:decisionRef="nothing"/>`, "start>r r>end"), ErrRefused, "unknown-decision"},
			"missing field":    {model("three", `<serviceTask id="s" f:class="step"/>`, "start>s s>end"), ErrRefused, "missing-field"},
			"script syntax":    {model("three", `<scriptTask id="s" scriptFormat="javascript"><script>var =</script></scriptTask>`, "start>s s>end"), ErrRefused, "script"},
			"unsupported":      {model("three", `<complexGateway id="g"/>`, "start>g g>end"), ErrRefused, "unsupported"},
		} {
			_, problems, err := w.e.Deploy(w.ctx, DeployIn{Key: "three", XML: c.xml})
			if !errs.Is(err, c.want) {
				t.Errorf("%s: %v %v", name, err, problems)
				continue
			}
			var known *errs.Error
			if c.want.Num != ErrRefused.Num || !errors.As(err, &known) {
				continue
			}
			found := false
			list, _ := known.Data.([]bpmn.Problem)
			for _, p := range list {
				found = found || p.Code == c.code && p.Severity == bpmn.Error
			}
			if !found && c.code != "" {
				t.Errorf("%s: %+v", name, list)
			}
		}
		if _, err := w.e.Latest(w.ctx, "three"); !errs.Is(err, ErrNoDefinition) {
			t.Errorf("something was deployed: %v", err)
		}
		// an unknown field and an undeployed callee are warnings
		_, problems, err := w.e.Deploy(w.ctx, DeployIn{Key: "three", XML: model("three",
			`<serviceTask id="s" f:class="log"><extensionElements><f:field name="odd" stringValue="1"/></extensionElements></serviceTask><callActivity id="c" calledElement="nothing"/>`, "start>s s>c c>end")})
		if err != nil || len(problems) < 2 {
			t.Errorf("%v %v", problems, err)
		}
	})
}

func TestDeploy_atOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(three)
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				_, _, err := w.e.Deploy(w.ctx, DeployIn{Key: "three", Name: string(rune('a' + i)), XML: three})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		d, err := w.e.Latest(w.ctx, "three")
		if err != nil || d.Version != 7 || d.Suspended {
			t.Errorf("%+v %v", d, err)
		}
	})
}

// Several processes of a file are deployed together and bind to each other.
func TestDeploy_siblings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := strings.NewReplacer(`id="start"`, `id="start2"`, `sourceRef="start"`, `sourceRef="start2"`, `id="end"`, `id="end2"`, `targetRef="end"`, `targetRef="end2"`, `id="f`, `id="g`).
			Replace(inner[strings.Index(inner, "<process"):])
		both := strings.Replace(strings.Replace(caller, `calledElement="inner"`, `calledElement="inner" f:calledElementBinding="deployment"`, 1), `</definitions>`, second, 1)
		if _, problems, err := w.e.Deploy(w.ctx, DeployIn{Key: "caller", XML: both, Siblings: true}); err != nil {
			t.Fatalf("%v %v", err, problems)
		}
		w.deploy(strings.ReplaceAll(inner, `"x"`, `"y"`)) // newer, but not of that deployment
		res := w.start("caller", nil)
		w.at(w.child(res.Instance), "x user")
		w.sound()
	})
}

// Scripts are off unless the tenant has them, at deployment and when they run.
func TestScripts(t *testing.T) {
	script := model("scripted", `<scriptTask id="s" scriptFormat="javascript" f:resultVariable="r"><script>execution.setVariable('n', n + 1); n * 2</script></scriptTask>
<scriptTask id="j" scriptFormat="juel" f:resultVariable="q"><script>${math.double(n)}</script></scriptTask>`+user("a"), "start>s s>j j>a a>end")
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, false)
		if _, _, err := w.e.Deploy(w.ctx, DeployIn{Key: "scripted", XML: script}); !errs.Is(err, ErrRefused) || !strings.Contains(err.Error(), "脚本") {
			t.Errorf("%v", err)
		}
		on := newWorld(t, db, true)
		on.deploy(script)
		res := on.start("scripted", map[string]any{"n": 20})
		if vars := on.load(res.Instance).State.Instance.Vars; vars != `{"n":21,"q":42,"r":40}` {
			t.Error(vars)
		}
		on.sound()
		res = w.start("scripted", map[string]any{"n": 20})
		w.at(res.Instance, "s incident")
		w.sound()
	}, Migrations, schema)
}

func TestDecision(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("rule", `<businessRuleTask id="r" f:decisionRef="grade" f:mapDecisionResult="singleEntry" f:resultVariable="level"/>`+user("a", "b"),
			"start>r r>a?level==&quot;days~3&quot; r>b?level!=&quot;days~3&quot; a>end b>end"))
		res := w.start("rule", map[string]any{"days": 3})
		w.at(res.Instance, "a user")
		w.sound()
	})
}

// A handler that disappears with a new program leaves an incident, not a broken instance.
func TestHandler_gone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("gone", user("a")+`<serviceTask id="s" f:class="log"/>`, "start>a a>s s>end"))
		res := w.start("gone", nil)
		bare := New(Options{Checked: true})
		if _, err := bare.Do(w.ctx, Command{Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}}); err != nil {
			t.Fatal(err)
		}
		w.at(res.Instance, "s incident")
		w.do(res.Instance, &engine.RetryIncident{Incident: w.load(res.Instance).State.Incidents[0].ID})
		if in := w.load(res.Instance).State.Instance; in.Status != engine.Ended {
			t.Errorf("%+v", in)
		}
		w.sound()
	})
}

// The registry refuses what it could not keep apart.
func TestRegistry(t *testing.T) {
	nothing := func(context.Context, *Call) (engine.Outcome, error) { return engine.Outcome{}, nil }
	for name, o := range map[string]Options{
		"twice":          {Handlers: []Handler{{Name: "a", Uses: []Use{ForTask}, Func: nothing}, {Name: "a", Uses: []Use{ForTask}, Func: nothing}}},
		"no name":        {Handlers: []Handler{{Uses: []Use{ForTask}, Func: nothing}}},
		"no use":         {Handlers: []Handler{{Name: "a", Func: nothing}}},
		"async listener": {Handlers: []Handler{{Name: "a", Uses: []Use{ForTask}, Async: true, Func: nothing}}},
		"empty decision": {Decisions: []Decision{{Name: "d"}}},
		"empty bean":     {Beans: []Bean{{Name: "b"}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			New(o)
		}()
	}
	e := New(Options{Handlers: []Handler{{Name: "b", Uses: []Use{ForTask}, Func: nothing}, {Name: "a", Uses: []Use{ForTask}, Func: nothing}}})
	if list := e.Handlers(); len(list) != 2 || list[0].Name != "a" || list[0].Timeout <= 0 || len(e.Decisions())+len(e.Beans()) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestExecutionID(t *testing.T) {
	id := newID()
	if len(id) != 36 || id[14] != '7' || !strings.ContainsRune("89ab", rune(id[19])) || newID() == id {
		t.Error(id)
	}
	if instance, n, ok := SplitExecutionID(ExecutionID(id, 12)); !ok || instance != id || n != 12 {
		t.Errorf("%s %d %v", instance, n, ok)
	}
	for _, text := range []string{"", id, id + ".", id + ".x", id + ".0", id + ".-1", id + ".01", ".5", id + ".1.2", id + ".99999999999999999999"} {
		if _, _, ok := SplitExecutionID(text); ok {
			t.Errorf("%q is accepted", text)
		}
	}
}
