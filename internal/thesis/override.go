package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/table"
)

// override widens the window of one step of one thesis.
type override struct {
	ID         int64    `json:"id"`
	RecordID   int64    `json:"recordId"`
	StepCode   StepCode `json:"stepCode"`
	UntilAt    int64    `json:"until"`
	Reason     string   `json:"reason"`
	ApproverID int64    `json:"approverId"`
	crud.Meta
}

var overrides = table.New[override]("thesis_window_override", "延期办理")

const sqlOverridesOf = `SELECT * FROM thesis_window_override WHERE tenant_id = :tenant AND deleted = false AND record_id = :record ORDER BY id`

// collegeDays bounds what a college may grant; beyond that the graduate school decides.
const collegeDays = 7

// OverrideIn grants more time.
type OverrideIn struct {
	RecordID int64    `json:"recordId" required:"true" minimum:"1" doc:"论文记录|Record"`
	StepCode StepCode `json:"stepCode" required:"true" minimum:"10" maximum:"110" doc:"环节|Step"`
	Until    int64    `json:"until" required:"true" minimum:"1" doc:"延长至|Until"`
	Reason   string   `json:"reason" required:"true" minLength:"5" maxLength:"200" doc:"理由|Reason"`
}

// lockVisible locks a record of the caller's scope on whose student he is not an advisor.
func (s *Service) lockVisible(ctx context.Context, recordID int64) (Record, error) {
	if _, err := s.records.Read(ctx, recordID); err != nil {
		return Record{}, err
	}
	rec, err := records.Lock(ctx, recordID)
	if err != nil {
		return rec, err
	}
	own, err := academic.Supervises(ctx, actor.From(ctx).UserID, rec.StudentID)
	if err == nil && own {
		err = errOwnStudent.With()
	}
	return rec, err
}

func (s *Service) override(ctx context.Context, in OverrideIn) (bool, error) {
	rec, err := s.lockVisible(ctx, in.RecordID)
	if err != nil {
		return false, err
	}
	if _, ok := ruleOf(in.StepCode); !ok {
		return false, errs.Field("stepCode", i18n.Pick(ctx, "没有这个环节", "there is no such step"))
	}
	if in.Until <= now() {
		return false, errs.Field("until", i18n.Pick(ctx, "延长时间应晚于现在", "the new time must lie ahead"))
	}
	if !academic.WholeTenant(actor.From(ctx)) && in.Until > now()+collegeDays*day {
		return false, errs.Field("until", i18n.Pick(ctx, "学院最多延长 7 天，更长的延期请联系研究生院", "a college may grant 7 days; ask the graduate school for more"))
	}
	row := override{RecordID: rec.ID, StepCode: in.StepCode, UntilAt: in.Until, Reason: in.Reason, ApproverID: actor.From(ctx).UserID}
	if err := overrides.Insert(ctx, &row); err != nil {
		return false, err
	}
	st, err := stepOf(ctx, rec.ID, in.StepCode)
	if err != nil || st.ID == 0 {
		return err == nil, err
	}
	from := st.Status
	if from == Expired {
		if st, err = steps.Change(ctx, st.ID, func(x *Step) (err error) { x.Status, err = next(EvOverride, x.Status); return err }); err != nil {
			return false, err
		}
	}
	return true, appendTransition(ctx, Transition{RecordID: rec.ID, StepID: st.ID, StepCode: st.StepCode, FormID: st.FormID, Event: EvOverride, FromStatus: from, ToStatus: st.Status,
		Reason: in.Reason + "（至 " + clockText(in.Until) + "）"})
}

// WaiveIn excuses a student from a step.
type WaiveIn struct {
	RecordID int64    `json:"recordId" required:"true" minimum:"1" doc:"论文记录|Record"`
	StepCode StepCode `json:"stepCode" required:"true" minimum:"10" maximum:"110" doc:"环节|Step"`
	Reason   string   `json:"reason" required:"true" minLength:"5" maxLength:"200" doc:"理由|Reason"`
}

func (s *Service) waive(ctx context.Context, in WaiveIn) (bool, error) {
	rec, err := s.lockVisible(ctx, in.RecordID)
	if err != nil {
		return false, err
	}
	if in.StepCode != rec.CurrentStep {
		return false, errState.With(i18n.Pick(ctx, "只能免做当前环节", "only the current step can be waived"))
	}
	st, err := stepOf(ctx, rec.ID, in.StepCode)
	if err != nil {
		return false, err
	}
	from := st.Status
	to, err := next(EvWaive, from)
	if err != nil {
		return false, errState.With(statusText(ctx, from))
	}
	st.Status, st.WaivedBy, st.WaiveReason, st.FinishedAt = to, nameOf(actor.From(ctx)), in.Reason, now()
	if st.ID == 0 {
		err = steps.Insert(ctx, &st)
	} else {
		err = steps.Update(ctx, &st)
	}
	if err != nil {
		return false, err
	}
	if err := appendTransition(ctx, Transition{RecordID: rec.ID, StepID: st.ID, StepCode: st.StepCode, Event: EvWaive, FromStatus: from, ToStatus: to, Reason: in.Reason}); err != nil {
		return false, err
	}
	if err := s.stepDone(ctx, rec.ID, in.StepCode); err != nil {
		return false, err
	}
	return true, s.openSteps(ctx, rec.ID)
}
