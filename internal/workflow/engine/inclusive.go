package engine

import "viva/internal/workflow/bpmn"

// inclusive waits at an inclusive gateway that joins; whether it fires is decided
// when no token is ready any more.
func (r *run) inclusive(t *Token, n *bpmn.Node) (Phase, error) {
	if len(n.Incoming) < 2 {
		return PhaseLeave, nil
	}
	r.state(t, StateJoin)
	return phaseNone, nil
}

// fireInclusive fires the first inclusive join that may, by the age of its oldest
// token. One at a time: what it sends out may block the next.
func (r *run) fireInclusive() (bool, error) {
	for _, t := range r.st.Tokens {
		if t.State != StateJoin {
			continue
		}
		n, err := r.node(t)
		if err != nil {
			return false, err
		}
		if n.Kind != bpmn.KindInclusiveGateway {
			continue
		}
		if group, ok := r.inclusiveGroup(t.Parent, n); ok {
			return true, r.merge(group)
		}
	}
	return false, nil
}

// inclusiveGroup applies BPMN 2.0.2 §13.4.3: a token elsewhere in the scope blocks
// the gateway if it can still reach an empty incoming flow, unless it can also
// reach a filled one. The group is the oldest token of each filled flow.
func (r *run) inclusiveGroup(scope int64, n *bpmn.Node) ([]*Token, bool) {
	filled := make([]*Token, len(n.Incoming))
	for i, f := range n.Incoming {
		filled[i] = r.waitingAt(scope, n.ID, r.g.Flows[f].ID)
	}
	for _, t := range r.st.Tokens {
		if t.Parent != scope || t.Element == n.ID {
			continue
		}
		at, ok := r.g.Node(t.Element)
		if !ok {
			continue
		}
		late, early := false, false
		for i := range n.Incoming {
			if n.Join[i].Has(at) {
				late = late || filled[i] == nil
				early = early || filled[i] != nil
			}
		}
		if late && !early {
			return nil, false
		}
	}
	group := make([]*Token, 0, len(filled))
	for _, t := range filled {
		if t != nil {
			group = append(group, t)
		}
	}
	return group, len(group) > 0
}
