package workflow

import (
	"context"
	"fmt"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
)

type transferIn struct {
	ID             string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	AssigneeUserID int64  `json:"assigneeUserId" required:"true" minimum:"1" doc:"新审批人|New assignee"`
	Reason         string `json:"reason" maxLength:"2000" doc:"理由|Reason"`
}

// transferTask hands the task over for good. Its owner stays whoever had it first; a
// delegated task is still the owner's to decide.
func (s *Service) transferTask(ctx context.Context, in transferIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error {
		return s.handOver(ctx, h, in.AssigneeUserID, reason)
	})
}

func (s *Service) handOver(ctx context.Context, h *held, user int64, reason string) error {
	if user == h.task.AssigneeID {
		return errTransferSelf.With()
	}
	name, err := s.usableName(ctx, user, errTransferWhom)
	if err != nil {
		return err
	}
	if err := keep(ctx, h.instance.ID, h.task.ID, note{kind: commentHanded, message: "转办给 " + name + "：" + reason}); err != nil {
		return err
	}
	do := &engine.SetAssignee{Task: h.task.ID, AssigneeID: user}
	switch {
	case h.delegated():
		do.Delegation = h.task.Delegation
	case h.task.OwnerID == 0:
		do.OwnerID = h.task.AssigneeID
	}
	return s.do(ctx, h, do)
}

// usableName gives the name of somebody who can get a task, else the refusal.
func (s *Service) usableName(ctx context.Context, user int64, refusal errs.Code) (string, error) {
	live, err := enabledUsers(ctx, []int64{user})
	if err != nil || len(live) == 0 {
		return "", orElse(err, refusal.With())
	}
	return nickname(ctx, user)
}

type delegateIn struct {
	ID             string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	DelegateUserID int64  `json:"delegateUserId" required:"true" minimum:"1" doc:"被委派人|Delegate"`
	Reason         string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
}

// delegateTask asks somebody for advice: the task comes back to the caller, who decides.
func (s *Service) delegateTask(ctx context.Context, in delegateIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error {
		switch {
		case h.delegated():
			return errTaskDelegated.With()
		case in.DelegateUserID == h.task.AssigneeID:
			return errDelegateSelf.With()
		}
		name, err := s.usableName(ctx, in.DelegateUserID, errDelegateWhom)
		if err != nil {
			return err
		}
		if err := keep(ctx, h.instance.ID, h.task.ID, note{kind: commentDelegated, message: fmt.Sprintf("委派给 %s：%s", name, reason)}); err != nil {
			return err
		}
		return s.do(ctx, h, &engine.SetAssignee{Task: h.task.ID, AssigneeID: in.DelegateUserID, OwnerID: h.task.AssigneeID, Delegation: delegationPending})
	})
}

type taskIDIn struct {
	ID string `query:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
}

// claimTask gives an unassigned task to one of the candidates whom its diagram names.
func (s *Service) claimTask(ctx context.Context, in taskIDIn) (bool, error) {
	err := s.hold(ctx, in.ID, func(ctx context.Context, h *held) error {
		list, err := s.engine.Candidates(ctx, h.instance.ID, h.task.ID)
		if err != nil {
			return err
		}
		admitted := false
		for _, c := range list {
			admitted = admitted || c.Kind == "user" && c.Ref == me(ctx)
		}
		if !admitted || h.task.AssigneeID != 0 || h.task.Status != engine.TaskOpen {
			return errNotYourTask.With()
		}
		if err := h.running(); err != nil {
			return err
		}
		return s.do(ctx, h, &engine.SetAssignee{Task: h.task.ID, AssigneeID: me(ctx), Claimed: true})
	})
	return err == nil, err
}

func (s *Service) mountTasks(m *web.Module) {
	read, act := web.Perm("bpm:task:query"), web.Perm("bpm:task:update")
	web.Get(m, "/task/todo-page", read, s.todoPage, web.Title("我的待办"))
	web.Get(m, "/task/done-page", read, s.donePage, web.Title("我的已办"))
	web.Get(m, "/task/claimable-page", read, s.claimablePage, web.Title("可领取的任务"))
	web.Get(m, "/task/manager-page", web.Perm("bpm:task:manager-query"), s.managerTaskPage, web.Title("全部任务"))
	web.Get(m, "/task/list-by-process-instance-id", read, s.instanceTasks, web.Title("流程的任务列表"))
	web.Put(m, "/task/approve", act, s.approveTask, web.Title("审批通过"))
	web.Put(m, "/task/reject", act, s.rejectTask, web.Title("审批不通过"))
	for _, name := range []string{"update-assignee", "transfer"} {
		web.Put(m, "/task/"+name, act, s.transferTask, web.Title("转办任务"))
	}
	web.Put(m, "/task/delegate", act, s.delegateTask, web.Title("委派任务"))
	for _, name := range []string{"return-list", "get-return-list", "list-by-return"} {
		web.Get(m, "/task/"+name, act, s.returnList, web.Title("可退回的节点"))
	}
	web.Put(m, "/task/return", act, s.returnTask, web.Title("退回任务"))
	web.Put(m, "/task/create-sign", act, s.createSign, web.Title("加签"))
	web.Delete(m, "/task/delete-sign", act, s.deleteSign, web.Title("减签"))
	web.Get(m, "/task/children-list", web.Perm("bpm:task:query", "bpm:task:update"), s.childTasks, web.Title("加签任务列表"))
	web.Get(m, "/task/list-by-parent-task-id", web.Perm("bpm:task:query", "bpm:task:update"), s.childTasks, web.Title("加签任务列表"))
	web.Put(m, "/task/copy", act, s.copyTask, web.Title("抄送流程"))
	web.Put(m, "/task/withdraw", act, s.withdrawTask, web.Title("撤回审批"))
	web.Put(m, "/task/claim", act, s.claimTask, web.Title("领取任务"))
	web.Put(m, "/task/urge", web.Perm("bpm:process-instance:query"), s.urge, web.Title("催办"))
	s.mountAdminTasks(m)
}
