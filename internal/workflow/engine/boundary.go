package engine

import "viva/internal/workflow/bpmn"

// armBoundaries starts the boundary events of an activity, held by its token.
func (r *run) armBoundaries(t *Token, n *bpmn.Node) error {
	for _, b := range n.Boundaries {
		if err := r.arm(t, &r.g.Nodes[b]); err != nil {
			return err
		}
	}
	return nil
}

// boundaryFired puts a token on a boundary event. An interrupting event ends its
// host with everything in it first; otherwise the host goes on beside it.
func (r *run) boundaryFired(host *Token, n *bpmn.Node, why reason) (*Token, error) {
	scope := r.st.Token(host.Parent)
	if n.Interrupting {
		if err := r.cancel(host, why); err != nil {
			return nil, err
		}
	}
	t, err := r.produce(scope, KindFlow, n.ID)
	if err != nil {
		return nil, err
	}
	r.ready(t, PhaseEnter)
	return t, nil
}
