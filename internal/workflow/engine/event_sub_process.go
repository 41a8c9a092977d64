package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
)

// armEventSubs starts to wait for the event sub-processes of a scope.
func (r *run) armEventSubs(t *Token, scope *bpmn.Scope) error {
	for _, e := range scope.EventSubs {
		start := &r.g.Nodes[r.g.Nodes[e].Starts[0]]
		r.disarmElement(t.ID, start.ID) // a retry may come here twice
		if err := r.arm(t, start); err != nil {
			return err
		}
	}
	return nil
}

// eventSubFired starts an event sub-process in the scope. An interrupting one
// ends all other tokens of the scope, whose variables it goes on with, and no
// event sub-process of the scope starts after it.
func (r *run) eventSubFired(scope *Token, start *bpmn.Node) (*Token, error) {
	if scope.State != StateActive { // it is leaving and stopped at an incident
		return nil, ErrNotThere.With(scope.ID, "子流程已结束或有异常 / the sub-process is over or has an incident")
	}
	if start.Interrupting {
		for _, other := range slices.Backward(r.st.children(scope.ID)) {
			if err := r.cancel(other, because("event sub-process "+r.g.Nodes[start.Parent].ID)); err != nil {
				return nil, err
			}
		}
		for _, e := range r.g.ScopeOf(r.scopeNode(scope)).EventSubs {
			r.disarmElement(scope.ID, r.g.Nodes[r.g.Nodes[e].Starts[0]].ID)
		}
	}
	return r.begin(scope, start.Parent)
}
