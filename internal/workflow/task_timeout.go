package workflow

import (
	"context"
	"strconv"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// What a boundary timer of a user task does that carries boundaryEventType 1; contract
// bpm.md A.8. Other timers are the model's own affair.
const (
	timerOfTask = 1

	timeoutReminds  = 1
	timeoutApproves = 2
	timeoutRejects  = 3

	whyTimeoutPasses  = "超时未审批，自动通过"
	whyTimeoutRejects = "超时未审批，自动拒绝"
)

// timeoutOf reads the setting of a boundary event, 0 when it is none of ours.
func timeoutOf(n *bpmn.Node) int {
	kind, handler := 0, 0
	for _, e := range n.Extensions {
		number, _ := strconv.Atoi(e.Text)
		switch e.Name {
		case "boundaryEventType":
			kind = number
		case "timeoutHandlerType":
			handler = number
		}
	}
	if kind != timerOfTask {
		return 0
	}
	return handler
}

// overdue is the hook of the engine for boundary timers: it reminds who has not decided,
// or decides in his place. Signers are reminded in any case: their task is somebody's
// question and not the step itself.
func (s *Service) overdue(ctx context.Context, ev *runtime.TimerFired) error {
	how := timeoutOf(ev.Node)
	if how == 0 {
		return nil
	}
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
