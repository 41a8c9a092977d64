package thesis

import (
	"context"
	"strings"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
)

// Codes of the message templates.
const (
	msgTaskNew    = "thesis_task_new"
	msgUnassigned = "thesis_task_unassigned"
	msgApproved   = "thesis_approved"
	msgReturned   = "thesis_returned"
	msgRejected   = "thesis_rejected"
	msgPassed     = "thesis_passed"
	msgWithdrawn  = "thesis_withdrawn"
	msgCancelled  = "thesis_cancelled"
	msgTitleNew   = "thesis_title_changed"
	msgTitleOld   = "thesis_title_refused"
	msgStepOpen   = "thesis_step_open"
	msgExpired    = "thesis_step_expired"
	msgFeedback   = "thesis_feedback_new"
	msgReply      = "thesis_feedback_reply"
	msgClosed     = "thesis_feedback_closed"
)

func missing(err error) bool { return errs.Is(err, errs.ErrNoRecord) }

// tell writes the messages of an event into the transaction: to those who act next, and
// to those it concerns.
func (s *Service) tell(ctx context.Context, m mine, c change) error {
	row := m.subject
	params := map[string]any{
		"student": m.student.Name, "studentNo": m.student.StudentNo, "title": row.TitleZh, "step": "选题", "actor": nameOf(actor.From(ctx)),
		"opinion": orNone(c.decision.Opinion), "kind": "选题申报",
	}
	if c.before.audit == AuditChanging || c.after.audit == AuditChanging {
		params["kind"] = "题目变更"
		if row.NewTitleZh != "" {
			params["title"] = row.NewTitleZh
		}
	}
	if c.after.level > LevelNone && c.after.level != c.before.level {
		if err := s.tellNext(ctx, row, m.student, params); err != nil {
			return err
		}
	}
	advisor, _, err := academic.MainAdvisor(ctx, m.student.ID)
	if err != nil {
		return err
	}
	both := known(m.student.UserID, advisor.UserID)
	switch c.event {
	case EvApprove, EvChangeApprove:
		return s.deps.Notify(ctx, known(m.student.UserID), msgApproved, params)
	case EvPass:
		return s.deps.Notify(ctx, both, msgPassed, params)
	case EvReturn:
		return s.deps.Notify(ctx, both, msgReturned, params)
	case EvReject:
		return s.deps.Notify(ctx, both, msgRejected, params)
	case EvCancel, EvChangeCancel:
		return s.deps.Notify(ctx, both, msgCancelled, params)
	case EvWithdraw, EvChangeWithdraw:
		return s.deps.Notify(ctx, known(advisor.UserID), msgWithdrawn, params)
	case EvChangePass:
		return s.deps.Notify(ctx, both, msgTitleNew, params)
	case EvChangeRefuse:
		return s.deps.Notify(ctx, both, msgTitleOld, params)
	case EvExpire:
		return s.deps.Notify(ctx, both, msgExpired, params)
	}
	return nil
}

func orNone(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return "无"
	}
	return s
}

func known(ids ...int64) []int64 {
	var list []int64
	for _, id := range ids {
		if id > 0 {
			list = append(list, id)
		}
	}
	return list
}

// tellNext tells the approvers of the form's level. Where nobody may decide, the
// administrators of the tenant are told instead: nothing waits unseen.
func (s *Service) tellNext(ctx context.Context, row Subject, st academic.Student, params map[string]any) error {
	to, err := s.candidates(ctx, row, st)
	if err != nil {
		return err
	}
	if len(to) > 0 {
		return s.deps.Notify(ctx, to, msgTaskNew, params)
	}
	params["level"] = map[Level]string{LevelAdvisor: "导师", LevelCollege: "学院", LevelGraduate: "研究生院"}[row.Level]
	if to, err = s.administrators(ctx); err != nil || len(to) == 0 {
		return err
	}
	return s.deps.Notify(ctx, to, msgUnassigned, params)
}

// tellOpen tells the student that a step is open to him.
func (s *Service) tellOpen(ctx context.Context, c caseRow, rule stepRule) error {
	if c.UserID == 0 {
		return nil
	}
	return s.deps.Notify(ctx, []int64{c.UserID}, msgStepOpen, map[string]any{"student": c.StudentName, "step": stepNames[rule.code][0]})
}
