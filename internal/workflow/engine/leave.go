package engine

import "viva/internal/workflow/bpmn"

// complete makes a waiting token leave its element, after its work was done from
// outside.
func (r *run) complete(t *Token) { r.ready(t, PhaseLeave) }

// leave ends the visit: outputs, listeners, waits.
func (r *run) leave(t *Token, n *bpmn.Node) (Phase, error) {
	if t.Kind != KindBody { // the items of a body did both
		if err := r.outputs(t, n.Outputs); err != nil {
			return phaseNone, err
		}
		if err := r.listen(t, n, "end"); err != nil {
			return phaseNone, err
		}
	}
	r.close(t, n)
	return PhaseAfter, nil
}

// close takes the token out of the activity.
func (r *run) close(t *Token, n *bpmn.Node) {
	r.endVisit(t, EndCompleted)
	if n.Loop != nil && n.Loop.Kind == bpmn.LoopStandard {
		r.disarmElement(t.ID, t.Element) // boundary events stay for the next round
	} else {
		r.disarm(t.ID)
	}
	if t.Kind == KindItem {
		return // its variables live until the body has counted it
	}
	t.Kind, t.Counters, t.Vars = KindFlow, Counters{}, ""
	r.dropScope(t.ID)
	r.touch(t)
}

// after decides between another round, a pause, and going on.
func (r *run) after(t *Token, n *bpmn.Node) (Phase, error) {
	later := n.AsyncAfter
	switch {
	case t.Kind == KindItem:
		later = n.Loop.AsyncAfter
	case n.Loop != nil && n.Loop.Kind == bpmn.LoopStandard:
		if again, err := r.loopAgain(t, n); err != nil || again {
			return PhaseOpen, err
		}
		r.disarm(t.ID)
	}
	if later {
		return phaseNone, r.continueLater(t, n, JobAsyncAfter)
	}
	return PhaseGo, nil
}

// goOn sends the token along the outgoing flows.
func (r *run) goOn(t *Token, n *bpmn.Node) (Phase, error) {
	r.touch(t)
	if t.Kind == KindItem {
		return phaseNone, r.itemDone(t, n)
	}
	if n.LinkTarget != bpmn.None {
		t.Element, t.ArrivedFlow = r.g.Nodes[n.LinkTarget].ID, ""
		return PhaseEnter, nil
	}
	flows, err := r.choose(t, n)
	if err != nil {
		return phaseNone, err
	}
	if len(flows) == 0 {
		return phaseNone, r.die(t)
	}
	return phaseNone, r.split(t, flows)
}

// die consumes a token that has nowhere to go; its scope may be complete then.
func (r *run) die(t *Token) error {
	scope := t.Parent
	r.consume(t)
	return r.scopeDone(scope)
}

// split sends the token along the first flow and a new token along each other.
func (r *run) split(t *Token, flows []int) error {
	scope := r.st.Token(t.Parent)
	for i, f := range flows {
		next := t
		if i > 0 {
			var err error
			if next, err = r.produce(scope, KindFlow, r.g.Nodes[r.g.Flows[f].Target].ID); err != nil {
				return err
			}
		}
		if err := r.take(next, f); err != nil {
			return err
		}
	}
	return nil
}

// take moves a token over a flow.
func (r *run) take(t *Token, f int) error {
	flow := &r.g.Flows[f]
	if len(flow.Listeners) > 0 {
		if err := r.listenTake(t, flow); err != nil {
			return err
		}
	}
	t.Element, t.ArrivedFlow = r.g.Nodes[flow.Target].ID, flow.ID
	r.event(EventTake, flow.ID, t.ID, 0)
	r.fx.Activities = append(r.fx.Activities, Activity{
		ID: r.id(), Token: t.ID, Element: flow.ID, Type: "sequenceFlow",
		StartedAt: r.cmd.At, EndedAt: r.cmd.At, EndKind: EndCompleted,
	})
	r.ready(t, PhaseEnter)
	return nil
}
