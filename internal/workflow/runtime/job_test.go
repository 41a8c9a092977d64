package runtime

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

func timer(kind, text string) string {
	return `<timerEventDefinition><` + kind + `>` + text + `</` + kind + `></timerEventDefinition>`
}

var deadline = model("deadline", user("a", "late")+`<boundaryEvent id="t" attachedToRef="a">`+timer("timeDuration", "PT2H")+`</boundaryEvent><endEvent id="end2"/>`,
	"start>a a>end t>late late>end2")

func TestTimer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(deadline)
		late, soon := w.start("deadline", nil), w.start("deadline", nil)
		w.sound()
		w.complete(soon.Instance, "a")
		if n := w.runs(); n != 1 {
			t.Errorf("%d runs after one of two tasks is done", n)
		}
		pass(time.Hour)
		w.idle()
		w.at(late.Instance, "a user")
		pass(time.Hour)
		w.idle()
		w.at(late.Instance, "late user")
		if n := w.runs(); n != 0 {
			t.Errorf("%d runs left", n)
		}
		w.sound()
	})
}

const sqlRunsLeft = `SELECT COUNT(*) FROM job_run WHERE tenant_id = :tenant AND state < 2 AND name LIKE 'workflow.%'`

// runs counts the runs that have not ended.
func (w *world) runs() int64 {
	w.t.Helper()
	n, err := store.One[int64](w.ctx, sqlRunsLeft, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// A cycle fires as often as it says, once for all times missed meanwhile.
func TestTimer_cycle(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(model("cycle", user("a")+`<serviceTask id="s" f:class="log"/><boundaryEvent id="t" attachedToRef="a" cancelActivity="false">`+timer("timeCycle", "R3/PT1H")+`</boundaryEvent><endEvent id="end2"/>`,
			"start>a a>end t>s s>end2"))
		res := w.start("cycle", nil)
		for i, want := range []int{1, 2, 3, 3} {
			pass(time.Hour)
			if i == 1 {
				pass(20 * time.Minute)
			}
			w.idle()
			if n := w.called(); n != want {
				t.Errorf("after %d hours: %d calls", i+1, n)
			}
			w.sound()
		}
		w.at(res.Instance, "a user")
	})
}

// A run of a job that is gone, or another one by now, does nothing.
func TestJob_outdated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(deadline)
		res := w.start("deadline", nil)
		j := w.load(res.Instance).State.Jobs[0]
		pass(3 * time.Hour)
		for name, payload := range map[string]task{
			"other due":     {res.Instance, j.ID, j.DueAt + 1, j.Attempt},
			"other attempt": {res.Instance, j.ID, j.DueAt, j.Attempt + 1},
			"no job":        {res.Instance, 999, j.DueAt, 0},
			"no instance":   {newID(), j.ID, j.DueAt, 0},
		} {
			if err := w.fire(payload); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			w.at(res.Instance, "a user")
		}
		payload := task{res.Instance, j.ID, j.DueAt, j.Attempt}
		if err := errors.Join(w.fire(payload), w.fire(payload)); err != nil {
			t.Error(err)
		}
		w.at(res.Instance, "late user")
		w.complete(res.Instance, "late")
		if err := w.fire(payload); err != nil {
			t.Errorf("ended: %v", err)
		}
		w.sound()
	})
}

func (w *world) fire(p task) error {
	return w.e.onJob(w.ctx, p, func(*engine.Job) engine.Action { return &engine.FireJob{Job: p.Job} })
}

const flaky = `<serviceTask id="s" f:class="flaky" f:asyncBefore="true"><extensionElements><f:failedJobRetryTimeCycle>R3/PT10M</f:failedJobRetryTimeCycle></extensionElements></serviceTask>`

// Failing tries are counted with back-off; after the last an incident waits, which a
// retry resolves.
func TestJob_incident(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(model("flaky", flaky+user("a"), "start>s s>a a>end"))
		w.setBroken(true)
		res := w.start("flaky", nil)
		w.at(res.Instance, "s job")
		for try := 1; try <= 3; try++ {
			w.idle()
			if n := w.called(); n != try {
				t.Errorf("try %d: %d calls", try, n)
			}
			w.sound()
			pass(10 * time.Minute)
		}
		w.idle()
		w.at(res.Instance, "s incident")
		st := w.load(res.Instance).State
		if len(st.Incidents) != 1 || !strings.Contains(st.Incidents[0].Message, "it broke") || w.runs() != 0 {
			t.Errorf("%+v, %d runs", st.Incidents, w.runs())
		}
		if got := w.seen(); got != "incident s" {
			t.Error(got)
		}
		w.setBroken(false)
		w.do(res.Instance, &engine.RetryIncident{Incident: st.Incidents[0].ID})
		w.sound()
		w.idle()
		w.at(res.Instance, "a user")
		w.sound()
	})
}

// An asynchronous handler runs outside the transaction, with the same key at each try.
func TestJob_call(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(model("call", `<serviceTask id="s" f:class="later"/>`+user("a"), "start>s s>a a>end"))
		w.setBroken(true)
		res := w.start("call", nil)
		w.at(res.Instance, "s job")
		w.idle()
		w.setBroken(false)
		pass(time.Minute)
		w.idle()
		w.at(res.Instance, "a user")
		if len(w.calls) != 2 || w.calls[0] != w.calls[1] || !strings.HasPrefix(w.calls[0], "later "+res.Instance+".") {
			t.Errorf("%v", w.calls)
		}
		if v := w.load(res.Instance); v.State.Instance.Vars != `{"done":true}` {
			t.Error(v.State.Instance.Vars)
		}
		w.sound()
	})
}

// The jobs of a suspended instance wait for its resumption.
func TestJob_suspended(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(deadline)
		res := w.start("deadline", nil)
		w.do(res.Instance, &engine.Suspend{})
		pass(3 * time.Hour)
		w.idle()
		w.at(res.Instance, "a user")
		if n := w.runs(); n != 0 {
			t.Errorf("%d runs", n)
		}
		w.do(res.Instance, &engine.Resume{})
		w.sound()
		w.idle()
		w.at(res.Instance, "late user")
		w.sound()
	})
}

// A run that lost its ownership, or meets an absent database, changes nothing and leaves
// the try to package job.
func TestJob_passing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("flaky", flaky+user("a"), "start>s s>a a>end"))
		res := w.start("flaky", nil)
		j := w.load(res.Instance).State.Jobs[0]
		payload := fmt.Appendf(nil, `{"Instance":%q,"Job":%d,"Due":%d,"Attempt":%d}`, res.Instance, j.ID, j.DueAt, j.Attempt)
		if err := w.e.runJob(w.ctx, &job.Run{ID: 1 << 40, Tenant: 1, Payload: payload}); !errors.Is(err, job.ErrLost) {
			t.Errorf("lost: %v", err)
		}
		if passing(w.ctx, errBroken) || !passing(w.ctx, engine.ErrHandler.With("s", "x").Because(errs.ErrUnavailable.With())) {
			t.Error("passing failures are told apart wrongly")
		}
		if st := w.load(res.Instance).State; st.Jobs[0].Attempt != 0 || st.Instance.Rev != 1 {
			t.Errorf("%+v", st.Jobs[0])
		}
	})
}

// A timer start event starts instances of the newest version while it is not suspended.
func TestTimer_start(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		nightly := model("nightly", `<startEvent id="t">`+timer("timeCycle", "R/PT1H")+`</startEvent>`+user("a"), "t>a a>end")
		d := w.deploy(nightly)
		started := func() int64 {
			ids, err := store.Select[string](w.ctx, sqlInstances, nil)
			if err != nil {
				t.Fatal(err)
			}
			return int64(len(ids))
		}
		for hour := int64(1); hour <= 2; hour++ {
			pass(time.Hour)
			w.idle()
			if n := started(); n != hour {
				t.Errorf("hour %d: %d instances", hour, n)
			}
		}
		if err := w.e.Suspend(w.ctx, d.ID, true); err != nil {
			t.Fatal(err)
		}
		pass(time.Hour)
		w.idle()
		if n := started(); n != 2 || w.runs() != 0 {
			t.Errorf("suspended: %d instances, %d runs", n, w.runs())
		}
		if err := w.e.Suspend(w.ctx, d.ID, false); err != nil {
			t.Fatal(err)
		}
		pass(time.Hour)
		w.idle()
		if n := started(); n != 3 {
			t.Errorf("active again: %d instances", n)
		}
		w.deploy(strings.ReplaceAll(nightly, "PT1H", "PT3H"))
		pass(2 * time.Hour)
		w.idle()
		if n := started(); n != 3 {
			t.Errorf("the old version still starts: %d instances", n)
		}
		pass(time.Hour)
		w.idle()
		if n := started(); n != 4 {
			t.Errorf("new version: %d instances", n)
		}
		w.sound()
	})
}

func TestPurgeCommands(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pass := travel(t)
		w.deploy(three)
		for _, id := range []string{"old", "new"} {
			if _, err := w.e.Start(w.ctx, StartIn{CommandID: id, Key: "three"}); err != nil {
				t.Fatal(err)
			}
			pass(4 * 24 * time.Hour)
		}
		if err := purgeCommands(w.ctx, &job.Run{}); err != nil {
			t.Fatal(err)
		}
		ids, err := store.Select[string](w.ctx, `SELECT id FROM wf_command WHERE tenant_id = :tenant`, nil)
		if err != nil || fmt.Sprint(ids) != "[new]" {
			t.Errorf("%v %v at %d", ids, err, clock.Millis())
		}
	})
}
