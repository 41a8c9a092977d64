package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// HistoryIn is one line of the timeline: who did what, when, with which opinion.
type HistoryIn struct {
	Time      int64      `json:"time"`
	StepCode  StepCode   `json:"stepCode"`
	FormID    int64      `json:"formId"`
	Event     Event      `json:"event"`
	Text      string     `json:"text"`
	ActorName string     `json:"actorName"`
	ActorKind int        `json:"actorKind"`
	From      Status     `json:"from"`
	To        Status     `json:"to"`
	FromAudit Audit      `json:"fromAudit"`
	ToAudit   Audit      `json:"toAudit"`
	Level     Level      `json:"level"`
	Reason    string     `json:"reason"`
	Files     []FileView `json:"files"`
}

// History is the timeline of a thesis; Intact tells that its chain of hashes holds.
type History struct {
	Intact bool        `json:"intact"`
	List   []HistoryIn `json:"list"`
}

var eventTexts = map[Event][2]string{
	EvOpen: {"环节开启", "Step opened"}, EvAutoPass: {"按规则自动通过", "Passed by policy"}, EvSaveDraft: {"保存草稿", "Draft saved"},
	EvSubmit: {"提交", "Submitted"}, EvWithdraw: {"撤回", "Withdrawn"}, EvApprove: {"同意", "Approved"}, EvPass: {"同意并通过", "Approved and passed"},
	EvReturn: {"退回修改", "Returned"}, EvReject: {"不通过", "Rejected"}, EvExpire: {"逾期关闭", "Expired"}, EvOverride: {"延长办理时间", "Time extended"},
	EvWaive: {"免做", "Waived"}, EvChange: {"申请变更题目", "Asked for a new title"}, EvChangeApprove: {"同意变更", "Change approved"},
	EvChangePass: {"变更通过", "Change passed"}, EvChangeRefuse: {"不同意变更", "Change refused"}, EvChangeWithdraw: {"撤回变更", "Change withdrawn"},
	EvMove: {"审批转到其他步骤", "Approval went to another step"}, EvMoveBack: {"审批退回到前面的步骤", "Approval went back to an earlier step"},
	EvCancel: {"审批被取消", "Approval cancelled"}, EvChangeCancel: {"变更审批被取消", "Change cancelled"},
}

// historyOf reads the timeline of a record, of one step or (0) of all.
func (s *Service) historyOf(ctx context.Context, recordID int64, code StepCode) ([]HistoryIn, error) {
	list, err := store.Select[Transition](ctx, sqlTransitionsOf, store.Args{"record": recordID})
	if err != nil {
		return nil, err
	}
	return s.describe(ctx, list, code)
}

func (s *Service) describe(ctx context.Context, list []Transition, code StepCode) ([]HistoryIn, error) {
	out := []HistoryIn{}
	say := speak(ctx)
	for _, t := range list {
		if code != 0 && t.StepCode != code {
			continue
		}
		texts := eventTexts[t.Event]
		line := HistoryIn{Time: t.CreateTime, StepCode: t.StepCode, FormID: t.FormID, Event: t.Event, Text: say(texts[0], texts[1]), ActorName: t.ActorName,
			ActorKind: t.ActorKind, From: t.FromStatus, To: t.ToStatus, FromAudit: t.FromAudit, ToAudit: t.ToAudit, Level: t.Level, Reason: t.Reason}
		if actor.Kind(t.ActorKind) == actor.System {
			line.ActorName = say("系统", "System")
		}
		var err error
		if line.Files, err = s.viewFiles(ctx, t.Files.V); err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

type historyQuery struct {
	ID       int64    `query:"id" minimum:"0" doc:"论文记录|Record"`
	RecordID int64    `query:"recordId" minimum:"0" doc:"论文记录|Record"`
	StepCode StepCode `query:"stepCode" minimum:"0" maximum:"110" doc:"环节|Step"`
}

func (s *Service) myHistory(ctx context.Context, in historyQuery) ([]HistoryIn, error) {
	st, found, err := academic.StudentOfUser(ctx, actor.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	rec, hasRecord, err := recordOfStudent(ctx, st.ID)
	if err != nil {
		return nil, err
	}
	if !found || !hasRecord || in.RecordID != 0 && in.RecordID != rec.ID {
		return nil, errs.ErrNoRecord.With()
	}
	return s.historyOf(ctx, rec.ID, in.StepCode)
}

func (s *Service) history(ctx context.Context, in historyQuery) (History, error) {
	id := max(in.ID, in.RecordID)
	if err := s.visibleRecord(ctx, id); err != nil {
		return History{}, err
	}
	list, err := store.Select[Transition](ctx, sqlTransitionsOf, store.Args{"record": id})
	if err != nil {
		return History{}, err
	}
	lines, err := s.describe(ctx, list, in.StepCode)
	return History{Intact: unbroken(list), List: lines}, err
}
