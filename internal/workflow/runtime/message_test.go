package runtime

import (
	"context"
	"sync"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

const (
	paid   = `<message id="paid" name="paid"/>`
	alarm  = `<signal id="alarm" name="alarm"/>`
	onPaid = `<intermediateCatchEvent id="m"><messageEventDefinition messageRef="paid"/></intermediateCatchEvent>`
)

func (w *world) started(ref, key string) string {
	w.t.Helper()
	res, err := w.e.Start(w.ctx, StartIn{Key: key, BusinessType: key, BusinessID: ref})
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Instance
}

func TestDeliver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("order", onPaid+user("a"), "start>m m>a a>end", paid))
		one, two := w.started("O1", "order"), w.started("O2", "order")
		res, err := w.e.Deliver(w.ctx, Message{Name: "paid", Key: "O2", Vars: map[string]any{"amount": 5}})
		if err != nil || res.Instance != two || len(res.Opened) != 1 {
			t.Errorf("%+v %v", res, err)
		}
		w.at(one, "m event")
		w.at(two, "a user")
		refuse := func(ctx context.Context, m Message, want errs.Code) {
			t.Helper()
			if _, err := w.e.Deliver(ctx, m); !errs.Is(err, want) {
				t.Errorf("%+v: %v", m, err)
			}
		}
		refuse(w.ctx, Message{Name: "paid", Key: "O2"}, ErrNoReceiver)
		refuse(w.ctx, Message{Name: "other", Key: "O1"}, ErrNoReceiver)
		refuse(actor.AsSystem(w.ctx, 2), Message{Name: "paid", Key: "O1"}, ErrNoReceiver)
		w.deploy(model("order2", onPaid+user("a"), "start>m m>a a>end", paid))
		w.started("O1", "order2")
		refuse(w.ctx, Message{Name: "paid", Key: "O1"}, ErrManyReceivers)
		if _, err := w.e.Deliver(w.ctx, Message{Name: "paid", Key: "O1", Instance: one}); err != nil {
			t.Error(err)
		}
		w.at(one, "a user")
		w.sound()
	})
}

// Of many equal messages one is received.
func TestDeliver_atOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("order", onPaid+user("a"), "start>m m>a a>end", paid))
		one := w.started("O1", "order")
		var wg sync.WaitGroup
		var lock sync.Mutex
		won := 0
		for range 6 {
			wg.Go(func() {
				_, err := w.e.Deliver(w.ctx, Message{Name: "paid", Key: "O1"})
				lock.Lock()
				defer lock.Unlock()
				if err == nil {
					won++
				} else if !errs.Is(err, ErrNoReceiver) && !errs.Is(err, engine.ErrNoWait) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won != 1 {
			t.Errorf("%d received", won)
		}
		w.at(one, "a user")
		w.sound()
	})
}

// A message starts a process when no instance waits for it.
func TestDeliver_starts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.deploy(model("intake", `<startEvent id="m"><messageEventDefinition messageRef="paid"/></startEvent>`+user("a"), "m>a a>end", paid))
		res, err := w.e.Deliver(w.ctx, Message{Name: "paid", Key: "N1", Vars: map[string]any{"x": 1}})
		if err != nil || len(res.Opened) != 1 {
			t.Fatalf("%+v %v", res, err)
		}
		if in := w.load(res.Instance).State.Instance; in.BusinessID != "N1" || in.Vars != `{"x":1}` {
			t.Errorf("%+v", in)
		}
		if err := w.e.Suspend(w.ctx, d.ID, true); err != nil {
			t.Fatal(err)
		}
		if _, err := w.e.Deliver(w.ctx, Message{Name: "paid", Key: "N2"}); !errs.Is(err, ErrNoReceiver) {
			t.Error(err)
		}
		w.sound()
	})
}

// A process throws a message to another: the receiver is found at once, the delivery is
// a job after the commit.
func TestMessage_thrown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("order", onPaid+user("a"), "start>m m>a a>end", paid))
		w.deploy(model("cashier", user("take")+`<intermediateThrowEvent id="tell"><messageEventDefinition messageRef="paid"/></intermediateThrowEvent>`+user("rest"),
			"start>take take>tell tell>rest rest>end", paid))
		order, cashier := w.started("O1", "order"), w.started("O1", "cashier")
		w.complete(cashier, "take")
		w.at(order, "m event")
		w.idle()
		w.at(order, "a user")
		lonely := w.started("O9", "cashier")
		_, err := w.e.Do(w.ctx, Command{Instance: lonely, Action: &engine.CompleteTask{Task: w.open(lonely, "take")}})
		if !errs.Is(err, ErrNoReceiver) {
			t.Error(err)
		}
		w.at(lonely, "take user")
		w.sound()
	})
}

// A message whose receiver went away between throw and delivery is kept among the failed
// runs; a signal is simply over.
func TestMessage_lost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(model("order", onPaid+user("a"), "start>m m>a a>end", paid))
		order := w.started("O1", "order")
		s := w.load(order).State.Subscriptions[0]
		w.do(order, &engine.End{Result: engine.Cancelled})
		err := store.Write(w.ctx, func(ctx context.Context) error {
			for _, kind := range []engine.SubscriptionKind{engine.SubMessage, engine.SubSignal} {
				d := delivery{Receiver: receiver{OwnerID: order, ID: s.ID}, Kind: kind, Name: "paid"}
				if err := d.enqueue(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.idle()
		states, err := store.Select[int](w.ctx, `SELECT state FROM job_run WHERE tenant_id = :tenant AND name = 'workflow.deliver' ORDER BY id`, nil)
		if err != nil || len(states) != 2 || states[0] != 3 || states[1] != 2 {
			t.Errorf("%v %v", states, err)
		}
	})
}

func TestSignal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		wait := `<intermediateCatchEvent id="s"><signalEventDefinition signalRef="alarm"/></intermediateCatchEvent>`
		w.deploy(model("hears", wait+user("a"), "start>s s>a a>end", alarm))
		w.deploy(model("begins", `<startEvent id="s"><signalEventDefinition signalRef="alarm"/></startEvent>`+user("b"), "s>b b>end", alarm))
		w.deploy(model("rings", user("x")+`<intermediateThrowEvent id="r"><signalEventDefinition signalRef="alarm"/></intermediateThrowEvent>`+user("y"), "start>x x>r r>y y>end", alarm))
		one, two, deaf := w.started("1", "hears"), w.started("2", "hears"), w.started("3", "hears")
		w.do(deaf, &engine.Suspend{})
		ringer := w.started("4", "rings")
		w.complete(ringer, "x")
		w.at(one, "s event")
		w.idle()
		w.at(one, "a user")
		w.at(two, "a user")
		w.at(deaf, "s event")
		w.at(ringer, "y user")
		ids, err := store.Select[string](w.ctx, `SELECT id FROM wf_instance WHERE tenant_id = :tenant AND process_key = 'begins'`, nil)
		if err != nil || len(ids) != 1 {
			t.Errorf("%v %v", ids, err)
		}
		w.do(deaf, &engine.Resume{})
		if err := w.e.Signal(w.ctx, "alarm", map[string]any{"v": 1}); err != nil {
			t.Fatal(err)
		}
		w.idle()
		w.at(deaf, "a user")
		if vars := w.load(deaf).State.Instance.Vars; vars != `{"v":1}` {
			t.Error(vars)
		}
		w.sound()
	})
}
