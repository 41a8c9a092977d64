package workflow

import (
	"context"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The refusals of contract bpm.md A.12 about withdrawal, and one of our own.
var (
	errWithdrawEnded   = errs.Define(1009005017, errs.Conflict, "流程不在审批中，不能撤回", "The process is not running; nothing can be withdrawn")
	errWithdrawWhat    = errs.Define(1009005018, errs.NotFound, "没有可以撤回的任务：它不存在，或不是您办理的", "There is nothing to withdraw: no such task, or you did not decide it")
	errWithdrawMay     = errs.Define(1009005019, errs.Forbidden, "该流程不允许审批人撤回", "This process does not allow deciders to withdraw")
	errWithdrawLate    = errs.Define(1009005020, errs.Conflict, "后续任务已办理，不能撤回", "What follows was decided already; it is too late to withdraw")
	errWithdrawSeveral = errs.Define(1009005022, errs.Conflict, "多人审批的任务不能撤回", "A task that several people decide cannot be withdrawn")
)

type withdrawIn struct {
	TaskID string `query:"taskId" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
}

// withdrawTask takes back the caller's own decision for, while nobody has decided anything
// that followed from it; the task opens again for him.
func (s *Service) withdrawTask(ctx context.Context, in withdrawIn) (bool, error) {
	id, n, ok := runtime.SplitExecutionID(in.TaskID)
	if !ok {
		return false, errWithdrawWhat.With()
	}
	same := &samePerson{user: me(ctx), always: true}
	ctx = context.WithValue(ctx, samePersonKey{}, same)
	err := s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, id)
		if errs.Is(err, runtime.ErrNoInstance) {
			return errWithdrawWhat.With()
		}
		if err != nil {
			return err
		}
		tasks, err := s.engine.Tasks(ctx, id)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(tasks, func(k engine.Task) bool { return k.ID == n })
		if at < 0 || tasks[at].AssigneeID != me(ctx) || tasks[at].EndedAt == 0 || tasks[at].Status != engine.TaskApproved || tasks[at].Parent != 0 {
			return errWithdrawWhat.With()
		}
		if v.State.Instance.Status != engine.Running {
			return errWithdrawEnded.With()
		}
		p, err := s.planOf(ctx, v.Definition.ID)
		if err != nil {
			return err
		}
		if !p.settings().AllowWithdrawTask {
			return errWithdrawMay.With()
		}
		same.element = tasks[at].Element
		if err := withdrawable(v, tasks, tasks[at]); err != nil {
			return err
		}
		if err := keep(ctx, id, n, note{kind: commentReturned, message: "撤回"}); err != nil {
			return err
		}
		return s.sendBack(ctx, backward{instance: id, to: tasks[at].Element, reason: "审批人撤回"})
	})
	return err == nil, err
}

// withdrawable wants open tasks that follow from the decision, and none decided since.
func withdrawable(v *runtime.View, tasks []engine.Task, mine engine.Task) error {
	node, ok := v.Process.Node(mine.Element)
	if !ok {
		return errWithdrawLate.With()
	}
	if v.Process.Nodes[node].Loop != nil {
		return errWithdrawSeveral.With()
	}
	following := 0
	for _, k := range tasks {
		if k.ID <= mine.ID || k.Parent != 0 {
			continue
		}
		at, ok := v.Process.Node(k.Element)
		if !ok || !comesFrom(v.Process, at, node) {
			continue
		}
		if k.EndedAt > 0 && k.Status != engine.TaskCancelled {
			return errWithdrawLate.With()
		}
		if k.EndedAt == 0 {
			following++
		}
	}
	if following == 0 {
		return errWithdrawLate.With()
	}
	return nil
}
