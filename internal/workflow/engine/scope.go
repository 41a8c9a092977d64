package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
)

// openScope makes a token the scope of its sub-process and starts it.
func (r *run) openScope(t *Token, n *bpmn.Node) error {
	if t.Kind != KindItem {
		t.Kind = KindScope
	}
	r.state(t, StateActive)
	if err := r.armEventSubs(t, &n.Scope); err != nil {
		return err
	}
	if n.TriggeredByEvent {
		_, err := r.begin(t, n.Starts[0])
		return err
	}
	return r.startScope(t, &n.Scope)
}

// startScope puts the first tokens of a scope: on its none start event, or, as
// BPMN 2.0.2 §10.3.5 has it for a scope without one, on every node that no flow
// leads to.
func (r *run) startScope(t *Token, scope *bpmn.Scope) error {
	for _, s := range scope.Starts {
		if r.g.Nodes[s].Event.Type == bpmn.EventNone {
			_, err := r.begin(t, s)
			return err
		}
	}
	for _, c := range scope.Children {
		n := &r.g.Nodes[c]
		if len(n.Incoming) > 0 || n.Kind == bpmn.KindBoundaryEvent || n.TriggeredByEvent || n.Kind == bpmn.KindStartEvent {
			continue
		}
		if _, err := r.begin(t, c); err != nil {
			return err
		}
	}
	return r.scopeDone(t.ID)
}

// begin puts a new token on a node of a scope.
func (r *run) begin(scope *Token, node int) (*Token, error) {
	t, err := r.produce(scope, KindFlow, r.g.Nodes[node].ID)
	if err != nil {
		return nil, err
	}
	r.ready(t, PhaseEnter)
	return t, nil
}

// scopeDone completes a scope whose last token is gone: implicit termination.
func (r *run) scopeDone(id int64) error {
	scope := r.st.Token(id)
	if scope == nil || r.st.hasChildren(id) {
		return nil
	}
	switch {
	case scope.Kind == KindRoot:
		return r.finish(Approved, "", nil)
	case scope.Kind == KindBody:
		return nil // the body counts its items itself
	case scope.State == StateActive:
		r.complete(scope)
	}
	return nil
}

// scopeNode gives the sub-process of a scope token, bpmn.Root for the root.
func (r *run) scopeNode(t *Token) int {
	if t.Kind == KindRoot {
		return bpmn.Root
	}
	i, _ := r.g.Node(t.Element)
	return i
}

// cancel ends a token and everything below it, children first: tasks cancelled,
// jobs and subscriptions deleted, child instances cancelled, visits ended.
// Nothing goes on from here; the caller decides what does.
func (r *run) cancel(t *Token, why reason) error {
	for _, c := range slices.Backward(r.st.children(t.ID)) {
		if err := r.cancel(c, why); err != nil {
			return err
		}
	}
	if err := r.withdraw(t, why); err != nil {
		return err
	}
	r.consume(t)
	return nil
}

// withdraw takes away what a token waits for and ends its visit.
func (r *run) withdraw(t *Token, why reason) error {
	for _, k := range slices.Clone(r.st.Tasks) {
		if k.Token == t.ID {
			if err := r.cancelTask(t, k, why); err != nil {
				return err
			}
		}
	}
	if t.State == StateChild {
		r.emit(ChildUnwanted{Token: t.ID, Reason: why.text})
	}
	r.disarm(t.ID)
	for _, i := range slices.Clone(r.st.Incidents) {
		if i.Token == t.ID {
			r.resolve(i)
		}
	}
	if n, ok := r.g.Node(t.Element); ok && r.visiting(t) && r.left != t.ID {
		if err := r.listenCancelled(t, &r.g.Nodes[n]); err != nil {
			return err
		}
	}
	r.endVisit(t, EndCancelled)
	return nil
}

func (r *run) visiting(t *Token) bool {
	return slices.ContainsFunc(r.st.Activities, func(a *Activity) bool { return a.Token == t.ID })
}

// reason says why tasks are cancelled; the task that caused it may get another
// status than the others.
type reason struct {
	text   string
	task   int64
	status TaskStatus
}

func because(text string) reason { return reason{text: text} }

// disarm deletes the jobs and subscriptions of a token.
func (r *run) disarm(token int64) {
	r.dropWaits(func(owner int64, _ string) bool { return owner == token })
}

// disarmElement deletes what a token waits for at one element.
func (r *run) disarmElement(token int64, element string) {
	r.dropWaits(func(owner int64, at string) bool { return owner == token && at == element })
}

func (r *run) dropWaits(void func(token int64, element string) bool) {
	for i := len(r.st.Jobs) - 1; i >= 0; i-- {
		if j := r.st.Jobs[i]; void(j.Token, j.Element) {
			r.dropJob(j)
		}
	}
	for i := len(r.st.Subscriptions) - 1; i >= 0; i-- {
		if s := r.st.Subscriptions[i]; void(s.Token, s.Element) {
			r.unsubscribe(s)
		}
	}
}
