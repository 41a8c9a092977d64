package engine

import (
	"fmt"
	"slices"
	"strings"

	"viva/internal/workflow/bpmn"
)

// Cancel ends tokens with everything below them. Nothing replaces them; a scope
// left empty completes.
type Cancel struct {
	Tokens     []int64
	Reason     string     `json:",omitempty"`
	Task       int64      `json:",omitempty"` // task of the decision, gets TaskStatus
	TaskStatus TaskStatus `json:",omitempty"`
}

// Name implements Action.
func (*Cancel) Name() string { return "cancel" }

func (a *Cancel) apply(r *run) error {
	scopes, err := r.cancelAll(a.Tokens, reason{text: a.Reason, task: a.Task, status: a.TaskStatus})
	if err != nil {
		return err
	}
	for _, s := range scopes {
		if err := r.scopeDone(s); err != nil {
			return err
		}
	}
	return nil
}

// cancelAll cancels tokens named from outside and gives their scopes.
func (r *run) cancelAll(tokens []int64, why reason) ([]int64, error) {
	var scopes []int64
	for _, id := range tokens {
		t := r.st.Token(id)
		if t == nil {
			return nil, ErrNoToken.With(id)
		}
		switch t.Kind {
		case KindRoot:
			return nil, ErrNotThere.With(id, "整个流程用 End 结束 / the whole process ends by End")
		case KindItem:
			return nil, ErrNotThere.With(id, "多实例的一项用 RemoveItem 移除 / an item of a multi-instance activity goes by RemoveItem")
		}
	}
	for _, id := range tokens {
		t := r.st.Token(id)
		if t == nil {
			continue // lay below another one of the list
		}
		scopes = append(scopes, t.Parent)
		if err := r.cancel(t, why); err != nil {
			return nil, err
		}
	}
	return scopes, nil
}

// Move cancels tokens and puts one new token on a node, which is entered as if a
// flow led there. Sub-processes around the target are opened as needed, without
// their start events; scopes left empty are cancelled. Without Tokens it only
// starts a further token.
type Move struct {
	Tokens     []int64 `json:",omitempty"`
	To         string
	Reason     string     `json:",omitempty"`
	Task       int64      `json:",omitempty"` // task of the decision, gets TaskStatus
	TaskStatus TaskStatus `json:",omitempty"`
}

// Name implements Action.
func (*Move) Name() string { return "move" }

func (a *Move) apply(r *run) error {
	to, ok := r.g.Node(a.To)
	if !ok {
		return ErrNoElement.With(a.To)
	}
	n := &r.g.Nodes[to]
	if n.Kind == bpmn.KindBoundaryEvent || n.TriggeredByEvent {
		return ErrMove.With(a.To, "边界事件和事件子流程只能由事件触发 / only its event starts it")
	}
	scope, missing, err := r.target(a.Tokens, n)
	if err != nil {
		return err
	}
	var from []string
	for _, id := range a.Tokens {
		if t := r.st.Token(id); t != nil {
			from = append(from, t.Element)
		}
	}
	r.note(EventMoved, a.To, 0, strings.Join(from, ","))
	left, err := r.cancelAll(a.Tokens, reason{text: a.Reason, task: a.Task, status: a.TaskStatus})
	if err != nil {
		return err
	}
	for _, sub := range missing {
		if scope, err = r.openAround(scope, &r.g.Nodes[sub]); err != nil {
			return r.fatal(r.g.Nodes[sub].ID, err)
		}
	}
	if _, err := r.begin(scope, to); err != nil {
		return err
	}
	for _, id := range left {
		if err := r.prune(id, because(a.Reason)); err != nil {
			return err
		}
	}
	return nil
}

// target finds the innermost open scope around the node, seen from the moved
// tokens, and the sub-processes to open inside it, outermost first.
func (r *run) target(tokens []int64, n *bpmn.Node) (*Token, []int, error) {
	scope := r.st.root()
	if len(tokens) > 0 {
		first := r.st.Token(tokens[0])
		if first == nil {
			return nil, nil, ErrNoToken.With(tokens[0])
		}
		for s := r.st.Token(first.Parent); s != nil; s = r.st.Token(s.Parent) {
			if s.Kind != KindBody && r.g.Within(n.Index, r.scopeNode(s)) {
				scope = s
				break
			}
		}
	}
	var missing []int
	for at := n.Parent; at != r.scopeNode(scope); at = r.g.Nodes[at].Parent {
		missing = append(missing, at)
	}
	slices.Reverse(missing)
	for len(missing) > 0 {
		sub := &r.g.Nodes[missing[0]]
		var open []*Token
		for _, t := range r.st.children(scope.ID) {
			if t.Element == sub.ID && t.State == StateActive && !slices.Contains(tokens, t.ID) {
				open = append(open, t)
			}
		}
		switch {
		case sub.TriggeredByEvent && len(open) == 0, sub.Loop != nil && sub.Loop.Kind != bpmn.LoopStandard, len(open) > 1:
			return nil, nil, ErrMove.With(n.ID, fmt.Sprintf("不能确定进入子流程 %s 的哪一个实例 / it is not clear which instance of the sub-process to enter", sub.ID))
		case len(open) == 0:
			return scope, missing, nil
		}
		scope, missing = open[0], missing[1:]
	}
	return scope, nil, nil
}

// openAround opens a sub-process without starting it.
func (r *run) openAround(scope *Token, n *bpmn.Node) (*Token, error) {
	t, err := r.produce(scope, KindScope, n.ID)
	if err != nil {
		return nil, err
	}
	t.State = StateActive
	if err := r.open(t, n); err != nil {
		return nil, err
	}
	return t, r.armEventSubs(t, &n.Scope)
}

// prune cancels a scope that lost its last token by a move, and those around it.
func (r *run) prune(id int64, why reason) error {
	scope := r.st.Token(id)
	if scope == nil || scope.Kind == KindRoot || r.st.hasChildren(id) {
		return nil
	}
	parent := scope.Parent
	if err := r.cancel(scope, why); err != nil {
		return err
	}
	if scope.Kind != KindItem {
		return r.prune(parent, why)
	}
	body := r.st.Token(parent)
	body.Counters.Active--
	body.Counters.Cancelled++
	r.touch(body)
	if body.Counters.Active > 0 {
		return nil
	}
	if len(r.pending(body)) == 0 {
		return r.prune(parent, why)
	}
	n, err := r.node(body)
	if err != nil {
		return err
	}
	return r.nextItem(body, n)
}

// Downstream lists the live tokens that a return to the target makes void: those
// at the target or reachable from it, in the target's scope. Cancelling them
// cancels what lies below.
func Downstream(g *bpmn.Process, st *State, target string) []int64 {
	to, ok := g.Node(target)
	if !ok {
		return nil
	}
	var list []int64
	for _, t := range st.Tokens {
		at, ok := g.Node(t.Element)
		if !ok || t.Kind == KindItem || g.Nodes[at].Parent != g.Nodes[to].Parent {
			continue
		}
		if at == to || g.Reaches(to, at) {
			list = append(list, t.ID)
		}
	}
	return list
}
