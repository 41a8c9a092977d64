package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
)

// arm starts to wait for an event on behalf of a token: a timer becomes a job, a
// message or signal a subscription. Errors are found by search when thrown.
func (r *run) arm(t *Token, n *bpmn.Node) error {
	switch n.Event.Type {
	case bpmn.EventTimer:
		return r.schedule(t, n.Event.Timer, &Job{Kind: JobTimer, Element: n.ID, Exclusive: n.Exclusive})
	case bpmn.EventMessage:
		return r.awaitMessage(t, n, n.Event)
	case bpmn.EventSignal:
		name, err := r.text(t, n.Event.Name)
		if err != nil {
			return err
		}
		r.subscribe(t, n, SubSignal, name, "")
	}
	return nil
}

func (r *run) awaitMessage(t *Token, n *bpmn.Node, e *bpmn.Event) error {
	name, key, err := r.message(t, e)
	if err != nil {
		return err
	}
	r.subscribe(t, n, SubMessage, name, key)
	return nil
}

// message gives the name and the correlation key of a message event; without a
// key of its own the business key of the instance selects the receiver.
func (r *run) message(t *Token, e *bpmn.Event) (name, key string, err error) {
	if name, err = r.text(t, e.Name); err != nil {
		return "", "", err
	}
	if !e.Correlation.Present() {
		return name, r.st.Instance.BusinessID, nil
	}
	key, err = r.text(t, e.Correlation)
	return name, key, err
}

func (r *run) subscribe(t *Token, n *bpmn.Node, kind SubscriptionKind, name, key string) {
	s := &Subscription{ID: r.id(), Token: t.ID, Kind: kind, Name: name, CorrKey: key, Element: n.ID}
	r.st.Subscriptions = append(r.st.Subscriptions, s)
	r.subs = append(r.subs, s.ID)
}

func (r *run) unsubscribe(s *Subscription) {
	r.st.Subscriptions = remove(r.st.Subscriptions, s.ID)
	r.subs = append(r.subs, s.ID)
}

// catch waits at an intermediate event; a link target or none event passes.
func (r *run) catch(t *Token, n *bpmn.Node) (Phase, error) {
	switch n.Event.Type {
	case bpmn.EventTimer, bpmn.EventMessage, bpmn.EventSignal:
	default:
		return PhaseLeave, nil
	}
	if err := r.arm(t, n); err != nil {
		return phaseNone, err
	}
	r.state(t, StateEvent)
	return phaseNone, nil
}

// receive waits at a receive task, for its message or for a trigger.
func (r *run) receive(t *Token, n *bpmn.Node) error {
	r.state(t, StateEvent)
	if n.Message == nil {
		r.subscribe(t, n, SubTrigger, "", "")
		return nil
	}
	return r.awaitMessage(t, n, n.Message)
}

// caught goes on after an event that token t waited for.
//
//	boundary event             leaves or accompanies its host
//	start of event sub-process starts in the scope of t
//	the element of t           t goes on
//	target of event gateway    t goes there, the other events are forgotten
func (r *run) caught(t *Token, n *bpmn.Node) error {
	switch {
	case n.Kind == bpmn.KindBoundaryEvent:
		_, err := r.boundaryFired(t, n, reason{text: "boundary event " + n.ID})
		return err
	case n.Kind == bpmn.KindStartEvent:
		_, err := r.eventSubFired(t, n)
		return err
	case n.ID == t.Element:
		r.complete(t)
		return nil
	}
	return r.chosen(t, n)
}

// Deliver hands a message, signal or trigger to one subscription. The shell finds
// it by kind, name and key.
type Deliver struct {
	Subscription int64
	Vars         Document `json:",omitzero"`
}

// Name implements Action.
func (*Deliver) Name() string { return "deliver" }

func (a *Deliver) apply(r *run) error {
	s := r.st.Subscription(a.Subscription)
	if s == nil {
		return ErrNoWait.With(a.Subscription)
	}
	i, ok := r.g.Node(s.Element)
	if !ok {
		return ErrNoElement.With(s.Element)
	}
	n, t := &r.g.Nodes[i], r.st.Token(s.Token)
	scope := t
	if n.Kind == bpmn.KindBoundaryEvent {
		scope = r.st.Token(t.Parent) // the host may be about to end
	}
	if err := r.setDocument(scope, a.Vars); err != nil {
		return err
	}
	if n.Interrupting {
		r.unsubscribe(s)
	}
	r.note(EventFired, n.ID, t.ID, s.Name)
	return r.caught(t, n)
}

// give performs throw and end events.
func (r *run) give(t *Token, n *bpmn.Node) (Phase, error) {
	e := n.Event
	switch e.Type {
	case bpmn.EventMessage:
		if n.Service != nil {
			done, err := r.runService(t, n)
			if err != nil || !done {
				return phaseNone, err
			}
			return PhaseLeave, nil
		}
		return PhaseLeave, r.sendMessage(t, n, e)
	case bpmn.EventSignal:
		name, err := r.text(t, e.Name)
		if err != nil {
			return phaseNone, err
		}
		vars, err := r.mapIn(t, e.In)
		if err != nil {
			return phaseNone, err
		}
		r.note(EventThrown, n.ID, t.ID, name)
		r.emit(SignalThrown{Name: name, Local: e.Local, Vars: vars})
	case bpmn.EventError:
		text, err := r.text(t, e.ErrorMessage)
		if err != nil {
			return phaseNone, err
		}
		r.note(EventThrown, n.ID, t.ID, e.ErrorCode)
		return phaseNone, &Fault{Code: e.ErrorCode, Message: text}
	case bpmn.EventTerminate:
		return r.terminate(t, n)
	}
	return PhaseLeave, nil
}

func (r *run) sendMessage(t *Token, n *bpmn.Node, e *bpmn.Event) error {
	name, key, err := r.message(t, e)
	if err != nil {
		return err
	}
	vars, err := r.mapIn(t, e.In)
	if err != nil {
		return err
	}
	r.note(EventThrown, n.ID, t.ID, name)
	r.emit(MessageThrown{Element: n.ID, Name: name, CorrKey: key, Vars: vars})
	return nil
}

// terminate ends the scope around the event: the instance at the process level.
func (r *run) terminate(t *Token, n *bpmn.Node) (Phase, error) {
	if n.Event.TerminateAll {
		r.close(t, n)
		return phaseNone, r.finish(Approved, "", nil)
	}
	for _, other := range slices.Backward(r.st.children(t.Parent)) {
		if other.ID == t.ID {
			continue
		}
		if err := r.cancel(other, because("terminate event "+t.Element)); err != nil {
			return phaseNone, err
		}
	}
	return PhaseLeave, nil
}
