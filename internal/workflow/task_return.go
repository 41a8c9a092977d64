package workflow

import (
	"cmp"
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

type returnListIn struct {
	TaskID string `query:"taskId" maxLength:"100" doc:"任务|Task"`
	ID     string `query:"id" maxLength:"100" doc:"任务|Task"`
}

// ReturnTarget is a user task to which a task can be sent back.
type ReturnTarget struct {
	DefinitionKey     string `json:"definitionKey"`
	TaskDefinitionKey string `json:"taskDefinitionKey"`
	Name              string `json:"name"`
}

// returnList is for the assignee, who alone can use it.
func (s *Service) returnList(ctx context.Context, in returnListIn) ([]ReturnTarget, error) {
	instance, task, err := s.taskOnRecord(ctx, cmp.Or(in.TaskID, in.ID))
	if err != nil {
		return nil, err
	}
	out := []ReturnTarget{}
	if task.AssigneeID != me(ctx) || task.EndedAt > 0 {
		return out, nil
	}
	process, err := s.engine.Process(ctx, instance.DefinitionID)
	if err != nil {
		return nil, err
	}
	tasks, err := s.engine.Tasks(ctx, instance.ID)
	for _, n := range waysBack(process, tasks, task.Element) {
		out = append(out, ReturnTarget{DefinitionKey: n.ID, TaskDefinitionKey: n.ID, Name: n.Name})
	}
	return out, err
}

type returnIn struct {
	ID                      string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	TargetDefinitionKey     string `json:"targetDefinitionKey" maxLength:"255" doc:"退回到|Back to"`
	TargetTaskDefinitionKey string `json:"targetTaskDefinitionKey" maxLength:"255" doc:"退回到|Back to"`
	Reason                  string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
}

func (s *Service) returnTask(ctx context.Context, in returnIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	target := cmp.Or(in.TargetTaskDefinitionKey, in.TargetDefinitionKey)
	ctx = context.WithValue(ctx, samePersonKey{}, &samePerson{element: target})
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error {
		if h.delegated() {
			return errTaskDelegated.With()
		}
		at, ok := h.process.Node(target)
		if !ok || h.process.Nodes[at].Kind != bpmn.KindUserTask {
			return errNoTarget.With(clip(target))
		}
		tasks, err := s.engine.Tasks(ctx, h.instance.ID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(waysBack(h.process, tasks, h.task.Element), func(n *bpmn.Node) bool { return n.ID == target }) {
			return errNotReachable.With(h.process.Nodes[at].Name)
		}
		same, _ := ctx.Value(samePersonKey{}).(*samePerson)
		same.user = lastDecider(tasks, target)
		if err := keep(ctx, h.instance.ID, h.task.ID, note{kind: commentReturned, message: reason}); err != nil {
			return err
		}
		return s.sendBack(ctx, backward{instance: h.instance.ID, task: h.task.ID, to: target, reason: reason, status: engine.TaskReturned})
	})
}

// lastDecider is who had the task of an element last.
func lastDecider(tasks []engine.Task, element string) (user int64) {
	for _, k := range tasks {
		if k.Element == element && k.EndedAt > 0 && k.Parent == 0 && k.AssigneeID != 0 {
			user = k.AssigneeID
		}
	}
	return user
}
