package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The refusals of contract bpm.md A.12 about tasks.
var (
	errNotYourTask   = errs.Define(1009005001, errs.Forbidden, "该任务不由您办理", "This task is not yours to decide")
	errTaskMissing   = errs.Define(1009005002, errs.NotFound, "任务不存在或已办结，请刷新", "No such task, or it is done already; reload")
	errNoTarget      = errs.Define(1009005004, errs.Invalid, "流程图中没有用户任务“{}”，请重新选择", "The diagram has no user task {}; choose another")
	errNotReachable  = errs.Define(1009005006, errs.Conflict, "不能退回到“{}”：它尚未办理，或与当前任务不在同一分支", "The task cannot go back to {}: it was not decided yet, or lies on another branch")
	errDelegateSelf  = errs.Define(1009005007, errs.Invalid, "不能委派给当前审批人自己，请选择他人", "The task is with this person already; choose somebody else")
	errDelegateWhom  = errs.Define(1009005008, errs.Invalid, "被委派人不存在或已停用，请重新选择", "The person to delegate to is unknown or disabled; choose again")
	errSignWhom      = errs.Define(1009005009, errs.Invalid, "加签人 {} 不存在或已停用，请重新选择", "The signers {} are unknown or disabled; choose again")
	errSignMixed     = errs.Define(1009005010, errs.Conflict, "该任务已有另一种加签，不能同时向前和向后加签", "The task has signers of the other kind; signers before and after cannot be mixed")
	errSignTwice     = errs.Define(1009005011, errs.Conflict, "{} 已是该节点的审批人，请选择他人", "{} decide at this step already; choose others")
	errNotSigned     = errs.Define(1009005012, errs.Conflict, "该任务不是加签产生的，不能减签", "The task was not made by adding a signer and cannot be removed")
	errTransferSelf  = errs.Define(1009005013, errs.Invalid, "不能转办给当前审批人自己，请选择他人", "The task is with this person already; choose somebody else")
	errTransferWhom  = errs.Define(1009005014, errs.Invalid, "转办人不存在或已停用，请重新选择", "The person to hand over to is unknown or disabled; choose again")
	errSignature     = errs.Define(1009005015, errs.Invalid, "该节点需要手写签名，请先签名", "This step wants a signature; sign first")
	errOpinion       = errs.Define(1009005016, errs.Invalid, "该节点需要填写审批意见", "This step wants an opinion; write one")
	errTaskDelegated = errs.Define(1009005021, errs.Conflict, "该任务是他人委派给您的，请直接给出意见，由委派人办理", "The task was delegated to you: give your opinion and leave the rest to whom it belongs")
	errNextPeople    = errs.Define(1009004007, errs.Invalid, "请选择下一个任务“{}”的审批人", "Choose who decides the next task, {}")
)

// held is an open task whose process tree is locked until the action is done.
type held struct {
	id       string // on the wire
	instance engine.Instance
	state    *engine.State
	process  *bpmn.Process
	task     engine.Task
	node     *bpmn.Node
	plan     *plan
}

// hold reads an open task under the lock and runs fn in the same unit: what fn judges by
// cannot change before it acts.
func (s *Service) hold(ctx context.Context, id string, fn func(context.Context, *held) error) error {
	instance, n, ok := runtime.SplitExecutionID(id)
	if !ok {
		return errTaskMissing.With()
	}
	return s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, instance)
		if errs.Is(err, runtime.ErrNoInstance) {
			return errTaskMissing.With()
		}
		if err != nil {
			return err
		}
		task := v.State.Task(n)
		if task == nil {
			return errTaskMissing.With()
		}
		h := &held{id: id, instance: v.State.Instance, state: v.State, process: v.Process, task: *task}
		if at, ok := v.Process.Node(task.Element); ok {
			h.node = &v.Process.Nodes[at]
		}
		if h.plan, err = s.planOf(ctx, h.instance.DefinitionID); err != nil {
			return err
		}
		return fn(ctx, h)
	})
}

// holdOwn is hold for the assignee, and for nobody else: neither a permission nor having
// been the assignee before opens a task.
func (s *Service) holdOwn(ctx context.Context, id string, fn func(context.Context, *held) error) (bool, error) {
	err := s.hold(ctx, id, func(ctx context.Context, h *held) error {
		if h.task.AssigneeID != me(ctx) || h.task.Status != engine.TaskOpen {
			return errNotYourTask.With()
		}
		if err := h.running(); err != nil {
			return err
		}
		return fn(ctx, h)
	})
	return err == nil, err
}

func (h *held) running() error {
	if h.instance.Status == engine.Suspended {
		return errInstanceSuspended.With()
	}
	return nil
}

// delegated reports that the assignee only advises: the owner decides.
func (h *held) delegated() bool { return h.task.Delegation == delegationPending }

// do commands the instance of the task.
func (s *Service) do(ctx context.Context, h *held, actions ...engine.Action) error {
	for _, action := range actions {
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: h.instance.ID, Action: action}); err != nil {
			return err
		}
	}
	return nil
}

// me is the caller. The system and nobody have no id and are no assignee of anything.
func me(ctx context.Context) int64 {
	if id := actor.From(ctx).UserID; id > 0 {
		return id
	}
	return -1
}

// The states of a delegation.
const (
	delegationPending  = "pending"
	delegationResolved = "resolved"
)
