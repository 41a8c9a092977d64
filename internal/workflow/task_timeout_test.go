package workflow

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// travel sets the clock forward from now on; the returned function moves it on and runs
// what is due by then.
func (w *desk) travel() func(time.Duration) {
	var lock sync.Mutex
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, clock.Shanghai)
	w.t.Cleanup(clock.Set(func() time.Time {
		lock.Lock()
		defer lock.Unlock()
		return now
	}))
	return func(d time.Duration) {
		w.t.Helper()
		lock.Lock()
		now = now.Add(d)
		lock.Unlock()
		q := job.New(job.Options{Poll: 10 * time.Millisecond})
		w.s.Work(q, nil)
		ctx := store.Use(context.Background(), w.db)
		if err := q.Start(ctx); err != nil {
			w.t.Fatal(err)
		}
		defer func() { _ = q.Stop(context.Background()) }()
		for deadline := time.Now().Add(time.Minute); w.due() > 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				w.t.Fatal("the jobs do not run")
			}
		}
	}
}

func (w *desk) due() int64 {
	w.t.Helper()
	n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM job_run WHERE tenant_id = :tenant AND state < 2 AND name LIKE 'workflow.%' AND run_at <= :now`,
		store.Args{"now": clock.Millis()})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestTimeout: after the time the assignee is reminded, or the step decides itself.
func TestTimeout(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		timed := func(key, kind, handler, timer, loop string) {
			t.Helper()
			w.publish(key, `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="a"/>`+w.task("a", StrategyUser, "{ann},{bob}", loop)+`<sequenceFlow id="f2" sourceRef="a" targetRef="e"/><endEvent id="e"/>`+
				fmt.Sprintf(`<boundaryEvent id="t" attachedToRef="a" cancelActivity="false"><extensionElements>%s%s</extensionElements><timerEventDefinition>%s</timerEventDefinition></boundaryEvent><sequenceFlow id="f3" sourceRef="t" targetRef="e3"/><endEvent id="e3"/>`,
					setting("boundaryEventType", kind), setting("timeoutHandlerType", handler), timer))
		}
		pass := w.travel()
		timed("remind", "1", "1", "<timeCycle>R3/PT1H</timeCycle>", allSign)
		timed("pass", "1", "2", "<timeDuration>PT1H</timeDuration>", allSign)
		timed("refuse", "1", "3", "<timeDuration>PT1H</timeDuration>", allSign)
		timed("other", "2", "3", "<timeDuration>PT1H</timeDuration>", allSign)
		remind, through, refuse, other, signed := w.start("remind", nil), w.start("pass", nil), w.start("refuse", nil), w.start("other", nil), w.start("pass", nil)
		w.approve("bob", signed, "a")
		w.act("ann", "create-sign", w.taskOf(signed, "a", "ann"), body{"userIds": w.ids("cid"), "type": "before", "reason": "x"}, 0)
		pass(59 * time.Minute)
		w.want("before the time", w.state(through), "a ann, a bob")
		w.complete(remind, "bob")
		pass(2 * time.Minute)
		w.want("reminded", w.state(remind), "a ann")
		w.want("approved", w.history(through), "a ann 2, a bob 2")
		w.want("approved", w.state(through), "ended 2")
		w.want("rejected", w.state(refuse), "ended 3")
		w.want("not ours", w.state(other), "a ann, a bob")
		w.want("signers are reminded", w.state(signed), "a - 0, +a cid")
		if w.got("ann", msgTimeout) != 1 || w.got("bob", msgTimeout) != 0 || w.got("cid", msgTimeout) != 1 || w.got("starter", msgRejected) != 1 {
			t.Errorf("reminders %d %d %d", w.got("ann", msgTimeout), w.got("bob", msgTimeout), w.got("cid", msgTimeout))
		}
		pass(time.Hour)
		if n := w.got("ann", msgTimeout); n != 2 {
			t.Errorf("%d reminders after two hours", n)
		}
		w.sound()
	})
}

// TestTimeout_elsewhere: a delay lets the process go on; a child process that takes too
// long is reminded of, ended or rejected.
func TestTimeout_elsewhere(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		timed := func(key, host, kind, handler string) {
			t.Helper()
			w.publish(key, `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/>`+host+`<sequenceFlow id="f2" sourceRef="x" targetRef="a"/>`+w.task("a", StrategyUser, "{ann}")+
				`<sequenceFlow id="f3" sourceRef="a" targetRef="e"/><endEvent id="e"/>`+
				fmt.Sprintf(`<boundaryEvent id="t" attachedToRef="x" cancelActivity="false"><extensionElements>%s%s</extensionElements><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>`,
					setting("boundaryEventType", kind), setting("timeoutHandlerType", handler)))
		}
		pass := w.travel()
		w.publish("inner", fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{bob}")))
		const call = `<callActivity id="x" name="子流程" calledElement="inner"/>`
		timed("delay", `<receiveTask id="x" name="等待"/>`, "2", "")
		timed("remind", call, "3", "1")
		timed("over", call, "3", "")
		timed("refuse", call, "3", "3")
		timed("several", `<callActivity id="x" name="子流程" calledElement="inner"><multiInstanceLoopCharacteristics isSequential="false"><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></callActivity>`, "3", "2")
		w.publish("catch", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><intermediateCatchEvent id="x"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent>
 <sequenceFlow id="f2" sourceRef="x" targetRef="a"/>`+w.task("a", StrategyUser, "{ann}")+`<sequenceFlow id="f3" sourceRef="a" targetRef="e"/><endEvent id="e"/>`)
		id := map[string]string{}
		for _, key := range []string{"delay", "remind", "over", "refuse", "several", "catch"} {
			id[key] = w.start(key, nil)
		}
		pass(59 * time.Minute)
		for key, instance := range id {
			w.want(key+" before the time", w.state(instance), "")
		}
		pass(2 * time.Minute)
		for key, want := range map[string]string{"delay": "a ann", "remind": "", "over": "a ann", "refuse": "ended 3", "several": "a ann", "catch": "a ann"} {
			w.want(key+" after the time", w.state(id[key]), want)
		}
		if n := w.got("bob", msgTimeout); n != 1 {
			t.Errorf("%d reminders", n)
		}
		w.sound()
	})
}
