package runtime

import (
	"context"

	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// Message goes to the one subscription of its name and correlation key, else to the one
// process that starts by it.
type Message struct {
	Name     string
	Key      string
	Instance string // unless empty: this instance only
	Vars     map[string]any
	document engine.Document
}

// receiver is a subscription that a message or signal fits.
type receiver struct {
	OwnerID string // instance, or definition when Starts
	ID      int64
	Starts  bool
	Element string
}

// delivery is the payload of a job that hands over a message or signal.
type delivery struct {
	Receiver receiver
	Kind     engine.SubscriptionKind
	Name     string
	Key      string          `json:",omitempty"`
	Vars     engine.Document `json:",omitzero"`
}

const (
	sqlReceivers = `SELECT owner_id, id, starts, element FROM wf_subscription
 WHERE tenant_id = :tenant AND kind = 'message' AND name = :name AND (corr_key = :key OR starts = true) ORDER BY owner_id, id LIMIT 100`
	sqlReceiverIn = `SELECT owner_id, id, starts, element FROM wf_subscription
 WHERE tenant_id = :tenant AND kind = 'message' AND name = :name AND corr_key = :key AND owner_id = :owner ORDER BY id LIMIT 100`
	sqlListeners = `SELECT owner_id, id, starts, element FROM wf_subscription
 WHERE tenant_id = :tenant AND kind = 'signal' AND name = :name ORDER BY owner_id, id`
	sqlRootOf = `SELECT root_id FROM wf_instance WHERE tenant_id = :tenant AND id = :id`
)

// addressed is a message for one instance, waiting for its turn in a unit.
type addressed struct {
	engine.MessageThrown
	message Message
}

// Deliver hands a message to its receiver: ErrNoReceiver when nobody waits for it,
// ErrManyReceivers when the choice is not clear. The result is that of the receiving
// instance; inside a unit (a hook or handler) it is empty, since an instance of another
// tree gets the message by a job after the commit.
func (e *Engine) Deliver(ctx context.Context, m Message) (res Result, err error) {
	if m.document, err = engine.Object(m.Vars); err != nil {
		return res, engine.ErrBadVariable.With(err)
	}
	err = e.within(ctx, func(ctx context.Context, u *unit) error {
		if !u.begin("") {
			u.queue = append(u.queue, pending{nil, addressed{message: m}})
			return nil
		}
		if err := u.send(ctx, m); err != nil {
			return err
		}
		a := u.all[0] // the unit was empty, and a message without receiver is an error
		res, err = u.finish(ctx, a, true)
		return err
	})
	return res, err
}

// Signal tells every instance that waits for the signal, and every process that starts
// by it, each by a job of its own after the commit.
func (e *Engine) Signal(ctx context.Context, name string, vars map[string]any) error {
	doc, err := engine.Object(vars)
	if err != nil {
		return engine.ErrBadVariable.With(err)
	}
	return e.within(ctx, func(ctx context.Context, u *unit) error {
		u.queue = append(u.queue, pending{nil, engine.SignalThrown{Name: name, Vars: doc}})
		return nil
	})
}

// send finds the receiver of a message and delivers: at once within the tree that the
// unit holds, by a job beyond it, so that no transaction holds two trees.
func (u *unit) send(ctx context.Context, m Message) error {
	list, err := u.receivers(ctx, m)
	if err != nil {
		return err
	}
	to, err := choose(m, list)
	if err != nil {
		return err
	}
	d := delivery{Receiver: to, Kind: engine.SubMessage, Name: m.Name, Key: m.Key, Vars: m.document}
	if !to.Starts && u.find(to.OwnerID) == nil && u.root != "" {
		root, err := store.One[string](ctx, sqlRootOf, store.Args{"id": to.OwnerID})
		if err != nil {
			return err
		}
		if root != u.root {
			return d.enqueue(ctx)
		}
	}
	return u.deliver(ctx, d)
}

// receivers joins what the tables say about other instances with the live state of those
// in the unit.
func (u *unit) receivers(ctx context.Context, m Message) (list []receiver, err error) {
	var rows []receiver
	if m.Instance != "" {
		rows, err = store.Select[receiver](ctx, sqlReceiverIn, store.Args{"name": m.Name, "key": m.Key, "owner": m.Instance})
	} else {
		rows, err = store.Select[receiver](ctx, sqlReceivers, store.Args{"name": m.Name, "key": m.Key})
	}
	if err != nil {
		return nil, err
	}
	return u.current(rows, func(a *aggregate, s *engine.Subscription) bool {
		return s.Kind == engine.SubMessage && s.Name == m.Name && s.CorrKey == m.Key && (m.Instance == "" || m.Instance == a.st.Instance.ID)
	}), nil
}

func (u *unit) current(rows []receiver, fits func(*aggregate, *engine.Subscription) bool) (list []receiver) {
	for _, r := range rows {
		if r.Starts || u.find(r.OwnerID) == nil {
			list = append(list, r)
		}
	}
	for _, a := range u.all {
		for _, s := range a.st.Subscriptions {
			if fits(a, s) {
				list = append(list, receiver{OwnerID: a.st.Instance.ID, ID: s.ID, Element: s.Element})
			}
		}
	}
	return list
}

// choose prefers a waiting instance to a process that would start.
func choose(m Message, list []receiver) (receiver, error) {
	var waiting, starting []receiver
	for _, r := range list {
		if r.Starts {
			starting = append(starting, r)
		} else {
			waiting = append(waiting, r)
		}
	}
	if len(waiting) == 0 {
		waiting = starting
	}
	switch len(waiting) {
	case 0:
		return receiver{}, ErrNoReceiver.With(m.Name, m.Key)
	case 1:
		return waiting[0], nil
	}
	return receiver{}, ErrManyReceivers.With(len(waiting), m.Name)
}

// signal writes a job for each receiver, or delivers a signal of the instance itself.
func (u *unit) signal(ctx context.Context, a *aggregate, x engine.SignalThrown) error {
	if x.Local {
		for _, s := range append([]*engine.Subscription{}, a.st.Subscriptions...) {
			if s.Kind != engine.SubSignal || s.Name != x.Name || a.st.Subscription(s.ID) == nil {
				continue
			}
			if err := u.apply(ctx, a, 0, &engine.Deliver{Subscription: s.ID, Vars: x.Vars}); err != nil {
				return err
			}
		}
		return nil
	}
	rows, err := store.Select[receiver](ctx, sqlListeners, store.Args{"name": x.Name})
	if err != nil {
		return err
	}
	list := u.current(rows, func(_ *aggregate, s *engine.Subscription) bool { return s.Kind == engine.SubSignal && s.Name == x.Name })
	for _, r := range list {
		if err := (delivery{Receiver: r, Kind: engine.SubSignal, Name: x.Name, Vars: x.Vars}).enqueue(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d delivery) enqueue(ctx context.Context) error {
	_, err := job.Enqueue(ctx, jobDeliver, d, job.Opts{MaxTries: maxTries})
	return err
}

// deliver hands over, or starts the process.
func (u *unit) deliver(ctx context.Context, d delivery) error {
	if !d.Receiver.Starts {
		a, _, err := u.load(ctx, d.Receiver.OwnerID, "")
		if err != nil {
			return err
		}
		return u.apply(ctx, a, who(ctx, 0), &engine.Deliver{Subscription: d.Receiver.ID, Vars: d.Vars})
	}
	def, err := u.e.FindDefinition(ctx, d.Receiver.OwnerID)
	if err != nil {
		return err
	}
	in := StartIn{BusinessID: d.Key, Starter: who(ctx, 0), Node: d.Receiver.Element}
	_, err = u.start(ctx, def, startable(def), in, &engine.Start{ID: newID(), Vars: d.Vars})
	return err
}
