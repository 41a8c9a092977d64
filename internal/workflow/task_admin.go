package workflow

import (
	"context"
	"strings"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
)

// An administrator may act on a task that is not his: it has nobody, or its assignee is
// away. Calls of their own, with a permission of their own and a reason, so that nobody
// does it by mistake; each leaves an audit row and a line in the history of the instance.

type adminDecisionIn struct {
	ID     string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
}

type adminAssignIn struct {
	ID             string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	AssigneeUserID int64  `json:"assigneeUserId" required:"true" minimum:"1" doc:"审批人|Assignee"`
	Reason         string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
}

func (s *Service) mountAdminTasks(m *web.Module) {
	act := web.Perm("bpm:task:manager-update")
	web.Put(m, "/task/assign-by-admin", act, s.assignByAdmin, web.Title("指定审批人"))
	web.Put(m, "/task/approve-by-admin", act, s.approveByAdmin, web.Title("代为审批通过"))
	web.Put(m, "/task/reject-by-admin", act, s.rejectByAdmin, web.Title("代为审批不通过"))
}

// holdAny is hold for an administrator. A task that waits for its signers is theirs to
// finish first.
func (s *Service) holdAny(ctx context.Context, in adminDecisionIn, action string, fn func(context.Context, *held, string) error) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err == nil && reason == "" {
		err = errs.Field("reason", "请说明理由", "give the reason")
	}
	if err != nil {
		return false, err
	}
	err = s.hold(ctx, in.ID, func(ctx context.Context, h *held) error {
		if err := h.running(); err != nil {
			return err
		}
		if h.task.Status != engine.TaskOpen {
			return errSignersFirst.With()
		}
		if s.owns(h.instance, h.task.Element) {
			return errOwnStep.With(s.business[h.instance.BusinessType].Page)
		}
		entry := audit.Entry{Table: "wf_task", Title: "流程任务", RowID: h.task.ID, Op: audit.Event, Action: action + "：" + h.task.Name,
			Before: map[string]any{"processInstanceId": h.instance.ID, "taskId": h.id, "assigneeUserId": h.task.AssigneeID}, After: map[string]any{"reason": reason}}
		if err := audit.Record(ctx, entry); err != nil {
			return err
		}
		return fn(ctx, h, strings.TrimSpace("管理员"+action+"："+reason))
	})
	return err == nil, err
}

var errSignersFirst = errs.Define(1009005023, errs.Conflict, "该任务正在等待加签人办理，请先处理加签任务", "The task waits for its signers; deal with their tasks first")

func (s *Service) assignByAdmin(ctx context.Context, in adminAssignIn) (bool, error) {
	return s.holdAny(ctx, adminDecisionIn{in.ID, in.Reason}, "指定审批人", func(ctx context.Context, h *held, reason string) error {
		return s.handOver(ctx, h, in.AssigneeUserID, reason)
	})
}

func (s *Service) approveByAdmin(ctx context.Context, in adminDecisionIn) (bool, error) {
	return s.holdAny(ctx, in, "代为通过", func(ctx context.Context, h *held, reason string) error {
		if err := keep(ctx, h.instance.ID, h.task.ID, note{kind: commentApproved, message: reason}); err != nil {
			return err
		}
		if later := h.children(); len(later) > 0 {
			return s.askSigners(ctx, h, later, reason)
		}
		return s.finish(ctx, h, h.task, reason)
	})
}

func (s *Service) rejectByAdmin(ctx context.Context, in adminDecisionIn) (bool, error) {
	return s.holdAny(ctx, in, "代为不通过", func(ctx context.Context, h *held, reason string) error {
		h.task.Delegation = "" // the administrator decides in the owner's place too
		return s.refuse(ctx, h, note{kind: commentRejected, message: reason})
	})
}
