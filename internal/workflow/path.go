package workflow

import (
	"context"
	"slices"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/juel"
)

// pathFrom predicts which user tasks and end events a token meets on its way from the
// given nodes, in the order of the walk, if nobody rejects and no variable changes. Where
// a condition cannot be told yet, every flow counts: the answer rather shows a step too
// many than hides one. It decides nothing.
func (s *Service) pathFrom(p *bpmn.Process, from []int, vars map[string]any, in engine.Instance) []int {
	w := s.walker(p, vars, in)
	for _, node := range from {
		w.visit(node)
	}
	return w.path
}

// pathAfter predicts what follows the nodes, without themselves.
func (s *Service) pathAfter(p *bpmn.Process, nodes []int, vars map[string]any, in engine.Instance) []int {
	w := s.walker(p, vars, in)
	for _, node := range nodes {
		w.seen[node] = true
	}
	for _, node := range nodes {
		w.leave(&p.Nodes[node])
	}
	return w.path
}

func (s *Service) walker(p *bpmn.Process, vars map[string]any, in engine.Instance) *walk {
	scope := &assignScope{ctx: context.Background(), engine: s.engine, q: &question{instance: in, process: p, node: &bpmn.Node{}, vars: vars}}
	return &walk{p: p, seen: map[int]bool{}, scope: scope}
}

type walk struct {
	near  bool // stop at user tasks
	p     *bpmn.Process
	seen  map[int]bool
	path  []int
	scope juel.Env
}

func (w *walk) visit(node int) {
	if w.seen[node] {
		return
	}
	w.seen[node] = true
	n := &w.p.Nodes[node]
	switch n.Kind {
	case bpmn.KindUserTask:
		w.path = append(w.path, node)
		if w.near {
			return
		}
	case bpmn.KindEndEvent:
		w.path = append(w.path, node)
	case bpmn.KindSubProcess:
		found := len(w.path)
		for _, start := range n.Starts {
			w.visit(start)
		}
		if w.near && len(w.path) > found {
			return
		}
	}
	w.leave(n)
}

func (w *walk) leave(n *bpmn.Node) {
	if n.LinkTarget != bpmn.None && n.Kind == bpmn.KindThrowEvent {
		w.visit(n.LinkTarget)
		return
	}
	if n.Kind == bpmn.KindEndEvent && n.Parent != bpmn.Root {
		if around := n.Parent; !w.seen[around] { // the walk began inside
			w.seen[around] = true
			w.leave(&w.p.Nodes[around])
		}
		return
	}
	for _, flow := range w.flows(n) {
		w.visit(w.p.Flows[flow].Target)
	}
}

// flows are those that the node takes, or may take.
func (w *walk) flows(n *bpmn.Node) []int {
	if n.Kind == bpmn.KindParallelGateway || n.Kind == bpmn.KindEventGateway {
		return n.Outgoing
	}
	var taken []int
	unsure := false
	for _, flow := range n.Outgoing {
		if flow == n.Default {
			continue
		}
		yes, known := w.passes(&w.p.Flows[flow])
		if unsure = unsure || !known; yes {
			taken = append(taken, flow)
			if n.Kind == bpmn.KindExclusiveGateway && known {
				break
			}
		}
	}
	if n.Default != bpmn.None && (len(taken) == 0 || unsure) {
		taken = append(taken, n.Default)
	}
	slices.Sort(taken)
	return taken
}

// passes judges a condition; one that fails, or is a script, may turn out either way.
func (w *walk) passes(f *bpmn.Flow) (yes, known bool) {
	switch {
	case f.Condition == nil:
		return true, true
	case f.Condition.Script != nil || f.Condition.Expression.Parsed == nil:
		return true, false
	}
	yes, err := f.Condition.Expression.Parsed.Bool(w.scope)
	if err != nil {
		return true, false
	}
	return yes, true
}
