package engine

import "viva/internal/workflow/bpmn"

// deferChoice waits at an event-based gateway for the first of the events behind
// it. The token stays at the gateway and holds all subscriptions and timers.
func (r *run) deferChoice(t *Token, n *bpmn.Node) error {
	for _, f := range n.Outgoing {
		target := &r.g.Nodes[r.g.Flows[f].Target]
		if target.Kind != bpmn.KindReceiveTask {
			if err := r.arm(t, target); err != nil {
				return err
			}
			continue
		}
		if target.Message == nil {
			r.subscribe(t, target, SubTrigger, "", "")
		} else if err := r.awaitMessage(t, target, target.Message); err != nil {
			return err
		}
	}
	r.state(t, StateEvent)
	return nil
}

// chosen sends the token from the gateway to the event that occurred first.
func (r *run) chosen(t *Token, target *bpmn.Node) error {
	n, err := r.node(t)
	if err != nil {
		return err
	}
	for _, f := range n.Outgoing {
		if r.g.Flows[f].Target != target.Index {
			continue
		}
		r.close(t, n)
		if err := r.take(t, f); err != nil {
			return err
		}
		r.queue[len(r.queue)-1].phase = PhaseFired
		return nil
	}
	return ErrNotThere.With(t.ID, "事件 "+target.ID+" 不在网关 "+n.ID+" 之后 / the event does not follow the gateway")
}
