package thesis

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"viva/internal/academic"
	"viva/internal/workflow"
)

func itoa(n int) string { return strconv.Itoa(n) }

// change is an event on its way into the tables.
type change struct {
	event         Event
	before, after position
	decision      Decision
	// instance is the process of the approval, empty when the event did not touch it; at is
	// where it stands, and begins that it is a new one.
	instance string
	at       workflow.Standing
	begins   bool
}

// place writes the new position of a declaration with everything that goes with the
// event. The caller holds the locks.
func (s *Service) place(ctx context.Context, m mine, row Subject, c change) (Subject, error) {
	at := now()
	if c.decision.submission != nil {
		at = c.decision.submission.at
	}
	digestBefore := row.Digest
	row, err := subjects.Change(ctx, row.ID, func(x *Subject) error { c.onForm(x, at); return nil })
	if err != nil {
		return row, err
	}
	if m.step, err = steps.Change(ctx, m.step.ID, func(st *Step) error { c.onStep(st, row, at); return nil }); err != nil {
		return row, err
	}
	t := Transition{RecordID: m.record.ID, StepID: m.step.ID, StepCode: m.step.StepCode, FormID: row.ID, Event: c.event, FromStatus: c.before.status, ToStatus: c.after.status,
		FromAudit: c.before.audit, ToAudit: c.after.audit, Level: c.before.level, Reason: strings.TrimSpace(c.decision.Opinion), CreateTime: at,
		DigestBefore: digestBefore, DigestAfter: row.Digest}
	if sub := c.decision.submission; sub != nil {
		for _, f := range sub.files {
			t.Files.V = append(t.Files.V, f.FileID)
		}
	}
	if title := c.decision.title; title != nil {
		t.Reason = fmt.Sprintf("%s → %s：%s", row.TitleZh, title.zh, title.reason)
	}
	if err := appendTransition(ctx, t); err != nil {
		return row, err
	}
	m.subject = row
	if row, err = s.effects(ctx, m, c); err != nil {
		return row, err
	}
	m.subject = row
	return row, s.tell(ctx, m, c)
}

// onForm applies the event to the form.
func (c change) onForm(x *Subject, at int64) {
	x.AuditState, x.Level = c.after.audit, c.after.level
	x.WaitingSince = 0
	if x.Level > LevelNone {
		x.WaitingSince = at
	}
	switch c.event {
	case EvSubmit:
		sub := c.decision.submission
		x.SubmitNo++
		x.SubmittedAt, x.LateFlag, x.ReceiptNo, x.Digest, x.NeedNewFile = at, sub.late, sub.receipt, sub.digest, false
		x.HoldsPlace = x.HoldsPlace || sub.place
	case EvReturn:
		x.NeedNewFile = c.decision.NeedNewFile
	case EvReject, EvWithdraw, EvCancel, EvExpire:
		x.HoldsPlace = false
	case EvChange:
		title := c.decision.title
		x.NewTitleZh, x.NewTitleEn, x.ChangeReason, x.ChangeMajor = title.zh, title.en, title.reason, title.major
	case EvChangePass:
		x.TitleZh = x.NewTitleZh
		if x.NewTitleEn != "" { // absent: the recorded one stays
			x.TitleEn = x.NewTitleEn
		}
		x.NewTitleZh, x.NewTitleEn = "", ""
	case EvChangeRefuse, EvChangeWithdraw, EvChangeCancel:
		x.NewTitleZh, x.NewTitleEn = "", ""
	}
}

// onStep applies the event to the step.
func (c change) onStep(st *Step, row Subject, at int64) {
	st.Status, st.FormID = c.after.status, row.ID
	if c.instance != "" {
		st.ProcessInstanceID = c.instance
	}
	switch c.event {
	case EvSubmit:
		st.SubmittedAt = at // DueAt stays: a withdrawal gives back what is left of the days to correct
		st.FrozenFileIDs.V = []int64{}
		for _, f := range c.decision.submission.files {
			st.FrozenFileIDs.V = append(st.FrozenFileIDs.V, f.ID)
		}
	case EvWithdraw, EvCancel:
		st.FrozenFileIDs.V = []int64{}
	case EvReturn:
		st.DueAt = at + int64(st.Policy.V.FixDays)*day
	case EvPass, EvReject:
		st.FinishedAt, st.ResultNote = at, strings.TrimSpace(c.decision.Opinion)
	}
}

// effects does what an event causes elsewhere: places, the record, the next step.
func (s *Service) effects(ctx context.Context, m mine, c change) (Subject, error) {
	row := m.subject
	switch c.event {
	case EvReject, EvWithdraw, EvCancel, EvExpire:
		if c.decision.releases(row) {
			if err := releasePlace(ctx, row.TopicID); err != nil {
				return row, err
			}
		}
		if c.event == EvReject && m.student.LifeState == academic.LifeActive {
			return row, s.newAttempt(ctx, m.step)
		}
	case EvPass:
		if err := s.copyToRecord(ctx, m); err != nil {
			return row, err
		}
		if err := s.stepDone(ctx, m.record.ID, m.step.StepCode); err != nil {
			return row, err
		}
		return row, s.openSteps(ctx, m.record.ID)
	case EvChangePass:
		if err := s.copyToRecord(ctx, m); err != nil {
			return row, err
		}
		if row.ChangeMajor {
			return row, s.repeatProposal(ctx, m.record.ID)
		}
	}
	return row, nil
}

// releases reports whether the form held a place before the event took it away. The
// flag is already cleared on the row, so the decision carries what it was.
func (d Decision) releases(row Subject) bool { return row.TopicID > 0 && d.held }

func (s *Service) copyToRecord(ctx context.Context, m mine) error {
	_, err := records.Change(ctx, m.record.ID, func(r *Record) error {
		x := m.subject
		r.TitleZh, r.TitleEn, r.ThesisType, r.ThesisSource, r.SourceNo = x.TitleZh, x.TitleEn, x.ThesisType, x.ThesisSource, x.SourceNo
		return nil
	})
	return err
}

// repeatProposal: a major change of the title demands the proposal again.
func (s *Service) repeatProposal(ctx context.Context, recordID int64) error {
	st, err := stepOf(ctx, recordID, StepProposal)
	if err != nil || st.ID == 0 || st.Status == Locked || st.Status == Open {
		return err
	}
	if _, err := records.Change(ctx, recordID, func(r *Record) error { r.CurrentStep = StepProposal; return nil }); err != nil {
		return err
	}
	return s.newAttempt(ctx, st)
}
