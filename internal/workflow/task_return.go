package workflow

import (
	"context"
	"errors"
	"slices"

	"viva/internal/kernel/clock"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// errNoWayBack says inside this package that a task cannot be sent back to a node.
var errNoWayBack = errors.New("workflow: no way back")

// backward is a step back: by a decider, by a rejection that the model turns into one, or
// by withdrawal.
type backward struct {
	instance string
	task     int64 // of the decision, gets status; 0 for none
	to       string
	reason   string
	status   engine.TaskStatus
	same     samePerson
}

// sendBack ends everything that follows the target and opens it again. Whoever decided
// there before is asked again, if the rules still name him.
func (s *Service) sendBack(ctx context.Context, b backward) error {
	v, err := s.engine.Load(ctx, b.instance)
	if err != nil {
		return err
	}
	to, ok := v.Process.Node(b.to)
	if !ok || v.Process.Nodes[to].Kind != bpmn.KindUserTask {
		return errNoWayBack
	}
	if k := v.State.Task(b.task); k != nil {
		from, _ := v.Process.Node(k.Element)
		if !comesFrom(v.Process, from, to) && from != to {
			return errNoWayBack
		}
	}
	tokens := engine.Downstream(v.Process, v.State, b.to)
	if len(tokens) == 0 {
		return errNoWayBack
	}
	vars, err := engine.Object(map[string]any{varReturnedAt: clock.Millis()})
	if err != nil {
		return err
	}
	if _, err := s.engine.Do(ctx, runtime.Command{Instance: b.instance, Action: &engine.SetVariables{Vars: vars}}); err != nil {
		return err
	}
	_, err = s.engine.Do(ctx, runtime.Command{Instance: b.instance, Action: &engine.Move{Tokens: tokens, To: b.to, Reason: b.reason, Task: b.task, TaskStatus: b.status}})
	return err
}

// comesFrom reports whether a token at node came through target one after another: there
// is a way back that crosses no gateway which runs branches side by side. Out of a
// sub-process the way leads through its start to what stands before it; into one it does
// not lead.
func comesFrom(p *bpmn.Process, node, target int) bool {
	seen := map[int]bool{node: true}
	queue := []int{node}
	for len(queue) > 0 {
		at := &p.Nodes[queue[0]]
		queue = queue[1:]
		incoming := at.Incoming
		if at.Kind == bpmn.KindStartEvent && at.Parent != bpmn.Root {
			if around := &p.Nodes[at.Parent]; around.Loop == nil && !around.TriggeredByEvent {
				incoming = around.Incoming
			}
		}
		for _, flow := range incoming {
			from := p.Flows[flow].Source
			if from == target {
				return true
			}
			if seen[from] || splits(&p.Nodes[from]) {
				continue
			}
			seen[from] = true
			queue = append(queue, from)
		}
	}
	return false
}

// splits reports whether branches begin or meet at the node that run side by side.
func splits(n *bpmn.Node) bool {
	switch n.Kind {
	case bpmn.KindParallelGateway, bpmn.KindInclusiveGateway, bpmn.KindBoundaryEvent:
		return true
	case bpmn.KindExclusiveGateway, bpmn.KindEventGateway:
		return false
	}
	return len(n.Outgoing) > 1
}

// waysBack lists the user tasks to which the task can be sent back: decided ones, in the
// order of the diagram.
func waysBack(p *bpmn.Process, tasks []engine.Task, element string) []*bpmn.Node {
	list := []*bpmn.Node{}
	from, ok := p.Node(element)
	if !ok {
		return list
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		done := slices.ContainsFunc(tasks, func(k engine.Task) bool { return k.Element == n.ID && k.EndedAt > 0 && k.Parent == 0 })
		if n.Kind == bpmn.KindUserTask && n.Index != from && done && comesFrom(p, from, i) {
			list = append(list, n)
		}
	}
	return list
}
