package workflow

import (
	"context"
	"strconv"

	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// What a boundary timer does that carries boundaryEventType; contract bpm.md A.8. Other
// timers are the model's own affair, and so is what an interrupting one leads to.
//
//	1 at a user task: reminds its people, or decides in their place
//	2 at a receive task: a delay, after which the process goes on
//	3 at a call activity: reminds the people of the child process, or ends it
const (
	timerOfTask  = 1
	timerOfDelay = 2
	timerOfChild = 3

	timeoutReminds  = 1
	timeoutApproves = 2
	timeoutRejects  = 3

	whyTimeoutPasses  = "超时未审批，自动通过"
	whyTimeoutRejects = "超时未审批，自动拒绝"
	whyChildTimeout   = "子流程超时，自动结束"

	sqlChildrenAt = `SELECT i.id FROM wf_instance i WHERE i.tenant_id = :tenant AND i.root_id = :root AND i.parent_instance_id = :parent AND i.parent_token_id IN (:tokens)
 AND i.status <> 2 AND i.parent_instance_id <> '' ORDER BY i.id`
)

// timeoutOf reads the settings of a boundary event; kind is 0 when it is none of ours.
func timeoutOf(n *bpmn.Node) (kind, handler int) {
	for _, e := range n.Extensions {
		number, _ := strconv.Atoi(e.Text)
		switch e.Name {
		case "boundaryEventType":
			kind = number
		case "timeoutHandlerType":
			handler = number
		}
	}
	return kind, handler
}

// overdue is the hook of the engine for boundary timers.
func (s *Service) overdue(ctx context.Context, ev *runtime.TimerFired) error {
	switch kind, how := timeoutOf(ev.Node); {
	case kind == timerOfTask && how != 0:
		return s.taskOverdue(ctx, ev, how)
	case kind == timerOfDelay && ev.Host.Kind == bpmn.KindReceiveTask:
		return s.delayOver(ctx, ev)
	case kind == timerOfChild && ev.Host.Kind == bpmn.KindCallActivity:
		return s.childOverdue(ctx, ev, how)
	}
	return nil
}

// delayOver lets the receive task go on that stands for a delay.
func (s *Service) delayOver(ctx context.Context, ev *runtime.TimerFired) error {
	var waiting []int64
	for _, sub := range ev.State.Subscriptions {
		if sub.Element == ev.Host.ID {
			waiting = append(waiting, sub.ID)
		}
	}
	for _, id := range waiting {
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: ev.Instance.ID, Action: &engine.Deliver{Subscription: id}}); err != nil {
			return err
		}
	}
	return nil
}

// childOverdue reminds the people of a child process, rejects it and with it the process
// that called it, or ends it so that its caller goes on.
func (s *Service) childOverdue(ctx context.Context, ev *runtime.TimerFired, how int) error {
	tokens := []int64{}
	for _, t := range ev.State.Tokens {
		if t.Element == ev.Host.ID {
			tokens = append(tokens, t.ID)
		}
	}
	if len(tokens) == 0 {
		return nil // an interrupting timer has ended it
	}
	children, err := store.Select[string](ctx, sqlChildrenAt, store.Args{"root": ev.Instance.RootID, "parent": ev.Instance.ID, "tokens": tokens})
	if err != nil {
		return err
	}
	for _, id := range children {
		v, err := s.engine.Lock(ctx, id)
		if err != nil {
			return err
		}
		if v.State.Instance.Status == engine.Ended { // with the one before it
			continue
		}
		if how == timeoutReminds {
			for _, k := range v.State.Tasks {
				if k.AssigneeID != 0 && k.Status == engine.TaskOpen {
					if err := s.tellTask(ctx, msgTimeout, v.State.Instance, *k, ""); err != nil {
						return err
					}
				}
			}
			continue
		}
		result := engine.Cancelled
		if how == timeoutRejects {
			result = engine.Rejected
		}
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: id, Action: &engine.End{Result: result, Reason: whyChildTimeout}}); err != nil {
			return err
		}
	}
	return nil
}

// taskOverdue reminds who has not decided, or decides in his place. Signers are reminded
// in any case: their task is somebody's question and not the step itself.
func (s *Service) taskOverdue(ctx context.Context, ev *runtime.TimerFired, how int) error {
	var open []engine.Task
	for _, k := range ev.State.Tasks {
		if k.Element == ev.Host.ID && k.Status == engine.TaskOpen {
			open = append(open, *k)
		}
	}
	for _, k := range open {
		var err error
		switch {
		case ev.State.Task(k.ID) == nil: // ended with one before it
		case how == timeoutReminds || k.Parent != 0 || len(childrenOf(ev.State, k.ID)) > 0:
			if k.AssigneeID != 0 {
				err = s.tellTask(ctx, msgTimeout, ev.Instance, k, "")
			}
		case how == timeoutApproves:
			_, err = s.engine.Do(ctx, runtime.Command{Instance: ev.Instance.ID, Action: &engine.CompleteTask{Task: k.ID, Status: engine.TaskApproved, Reason: whyTimeoutPasses}})
		case how == timeoutRejects:
			return s.reject(ctx, rejection{instance: ev.Instance.ID, process: ev.Process, node: ev.Host, task: k.ID, reason: whyTimeoutRejects})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
