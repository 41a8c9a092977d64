package engine

import "viva/internal/workflow/bpmn"

// parallel joins at a parallel gateway: it fires when every incoming flow has a
// waiting token of the same scope, and takes one of each; further ones wait for
// the next round. BPMN 2.0.2 §13.4.1.
func (r *run) parallel(t *Token, n *bpmn.Node) (Phase, error) {
	if len(n.Incoming) < 2 {
		return PhaseLeave, nil
	}
	r.state(t, StateJoin)
	group := make([]*Token, 0, len(n.Incoming))
	for _, f := range n.Incoming {
		first := r.waitingAt(t.Parent, n.ID, r.g.Flows[f].ID)
		if first == nil {
			return phaseNone, nil
		}
		group = append(group, first)
	}
	return phaseNone, r.merge(group)
}

// waitingAt gives the oldest token of the scope that waits at a join and came by
// the flow.
func (r *run) waitingAt(scope int64, element, flow string) *Token {
	for _, t := range r.st.Tokens {
		if t.Parent == scope && t.State == StateJoin && t.Element == element && t.ArrivedFlow == flow {
			return t
		}
	}
	return nil
}

// merge lets the first token of a join go on and consumes the others.
func (r *run) merge(group []*Token) error {
	for _, t := range group[1:] {
		r.endVisit(t, EndJoined)
		r.consume(t)
	}
	r.complete(group[0])
	return nil
}
