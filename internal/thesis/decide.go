package thesis

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/workflow"
)

// Decision is one move of a declaration: the student's (Event) or an approver's
// (Verdict with Opinion). Version, unless 0, is the one the caller saw.
type Decision struct {
	SubjectID   int64
	Version     int
	Event       Event
	Verdict     Verdict
	Opinion     string
	NeedNewFile bool
	submission  *submission
	title       *newTitle
	held        bool               // the form held a topic's place before
	moved       *workflow.Standing // the process moved first, and the form follows
}

// submission is what a submit binds to the form; newTitle what a change asks for.
type submission struct {
	at      int64
	late    int
	files   []FileVersion
	receipt string
	digest  string
	place   bool
}

type newTitle struct {
	zh, en, reason string
	major          bool
}

// decide is the one door through which a declaration moves, and with it its process.
// Record, step and form are locked, so that of two who decide at once the
// first wins and the second is told who was faster. Everything (states, topic place,
// history, messages) happens in the caller's transaction or not at all.
func (s *Service) decide(ctx context.Context, d Decision) (Subject, error) {
	m, err := lockSubject(ctx, d.SubjectID)
	row := m.subject
	if err != nil {
		return row, err
	}
	d.held = row.HoldsPlace
	c := change{event: d.Event, before: position{}.of(row, m.step), decision: d}
	if d.Verdict != "" {
		if err := s.mayDecide(ctx, m, d); err != nil {
			return row, err
		}
		if c.event, err = approval(c.before, d.Verdict, m.step.Policy.V.ThirdLevel); err != nil {
			return row, errVerdict(speak(ctx)).WithData(map[string]any{"auditState": row.AuditState})
		}
	}
	if d.Version > 0 && d.Version != row.Version {
		return row, errs.ErrStale.With()
	}
	if d.moved != nil {
		if done, err := c.reached(m); err != nil || done {
			return row, err
		}
		return s.place(ctx, m, row, c)
	}
	if c.after, err = advance(c.before, c.event); err != nil {
		return row, err
	}
	if err := s.proceed(ctx, m, &c); err != nil {
		return row, err
	}
	if row, err = s.place(ctx, m, row, c); err == nil && c.begins && !c.at.Running() { // a diagram that asks nobody
		return s.decide(ctx, Decision{SubjectID: row.ID, moved: &c.at})
	}
	return row, err
}

// mayDecide admits the approver of the current level. Whoever could decide on another
// level learns who handled it; everybody else learns nothing.
func (s *Service) mayDecide(ctx context.Context, m mine, d Decision) error {
	r, err := s.rightsOn(ctx, m.student)
	if err != nil {
		return err
	}
	if m.subject.Level != LevelNone {
		if err := s.barred(ctx, m.subject, m.student, r); err != nil {
			return err
		}
	}
	switch {
	case m.subject.Level != LevelNone && r.may(m.subject.Level):
		return checkOpinion(ctx, d)
	case !r.any():
		return errs.ErrNoRecord.With()
	}
	return s.handled(ctx, m.subject)
}

// handledBy travels in the data member when somebody else was faster.
type handledBy struct {
	Name       string `json:"handledBy"`
	At         int64  `json:"handledAt"`
	Event      Event  `json:"event"`
	AuditState Audit  `json:"auditState" db:"-"`
}

const sqlLastDecision = `SELECT actor_name AS name, create_time AS at, event FROM thesis_transition WHERE tenant_id = :tenant AND form_id = :form
 AND event NOT IN ('saveDraft', 'open') ORDER BY id DESC LIMIT 1`

func (s *Service) handled(ctx context.Context, row Subject) error {
	by, found, err := store.Get[handledBy](ctx, sqlLastDecision, store.Args{"form": row.ID})
	if err != nil {
		return err
	}
	by.AuditState = row.AuditState
	if !found {
		return errState.With(i18n.Pick(ctx, "尚未提交", "not submitted")).WithData(by)
	}
	return errHandled.With(by.Name).WithData(by)
}

// Lengths of opinions (characters).
const (
	returnMin  = 5
	rejectMin  = 10
	opinionMax = 2000
)

func checkOpinion(ctx context.Context, d Decision) error {
	n, least := utf8.RuneCountInString(strings.TrimSpace(d.Opinion)), 0
	switch d.Verdict {
	case Return:
		least = returnMin
	case Reject:
		least = rejectMin
	}
	if n < least {
		return errs.Field("opinion", fmt.Sprintf(i18n.Pick(ctx, "意见至少 %d 个字，现在有 %d 个", "the opinion needs at least %d characters; it has %d"), least, n))
	}
	if n > opinionMax || !storable(d.Opinion, true) {
		return errs.Field("opinion", i18n.Pick(ctx, "意见过长或含有无法保存的字符", "the opinion is too long or holds characters that cannot be stored"))
	}
	return nil
}
