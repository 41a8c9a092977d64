package thesis

import (
	"context"
	"errors"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/web"
)

// Permissions that open the theses of the caller's data scope. Advisors and approvers
// need none: they see their students by relation.
const (
	permRecords  = "thesis:record:query"
	permSubjects = "thesis:students-subject:query"
)

// visibleSubject reads a declaration the caller may see: his own, in the scope of his
// permission, of a student he supervises, or his to decide.
func (s *Service) visibleSubject(ctx context.Context, id int64) (Subject, error) {
	if byScope(ctx) {
		row, err := s.subjects.Read(ctx, id)
		if !missing(err) || actor.From(ctx).UserType == actor.Student {
			return row, err
		}
	}
	bare, err := subjects.Get(ctx, id)
	if err != nil {
		return bare, err
	}
	if ok, err := s.related(ctx, bare.StudentID); err != nil || !ok {
		return Subject{}, orNoRecord(err)
	}
	return s.subjects.Read(actor.AsSystem(ctx, actor.From(ctx).TenantID), id)
}

// visibleRecord is the same rule for the record and what hangs on it.
func (s *Service) visibleRecord(ctx context.Context, id int64) error {
	if byScope(ctx) {
		_, err := s.records.Read(ctx, id)
		if !missing(err) || actor.From(ctx).UserType == actor.Student {
			return err
		}
	}
	rec, err := records.Get(ctx, id)
	if err != nil {
		return err
	}
	if ok, err := s.related(ctx, rec.StudentID); err != nil || !ok {
		return orNoRecord(err)
	}
	return nil
}

// byScope reports whether the caller's scope counts: that of students is their own rows.
func byScope(ctx context.Context) bool {
	a := actor.From(ctx)
	return a.UserType == actor.Student || a.Can(permSubjects) || a.Can(permRecords)
}

// related reports whether the caller supervises the student, in any role, or decides on
// his forms.
func (s *Service) related(ctx context.Context, studentID int64) (bool, error) {
	st, err := academic.StudentByID(ctx, studentID)
	if err != nil {
		return false, err
	}
	own, err := academic.Supervises(ctx, actor.From(ctx).UserID, studentID)
	if err != nil || own {
		return own, err
	}
	r, err := s.rightsOn(ctx, st)
	return r.any(), err
}

func orNoRecord(err error) error {
	if err == nil {
		return errs.ErrNoRecord.With()
	}
	return err
}

// fileAccess tells module infra who may read the files of a thesis: whoever sees it.
func (s *Service) fileAccess(ctx context.Context, recordID int64) (bool, error) {
	err := s.visibleRecord(ctx, recordID)
	return err == nil, orMissing(err)
}

// orMissing drops "no such record": it is an answer, not a failure.
func orMissing(err error) error {
	if missing(err) {
		return nil
	}
	return err
}

// judge fills in what the caller may do with the declaration now and why not more.
func (s *Service) judge(ctx context.Context, out *SubjectDetail) error {
	out.Guards, out.Actions, out.Locks = []Guard{}, []string{}, map[string]string{}
	st, err := academic.StudentByID(ctx, out.StudentID)
	if err != nil {
		return err
	}
	step, err := steps.Get(ctx, out.StepID)
	if err != nil {
		return err
	}
	if actor.From(ctx).UserType == actor.Student {
		m := mine{student: st, step: step, subject: out.Subject, exists: true}
		m.record.ID = out.RecordID
		f, err := s.factsOf(ctx, m)
		if err != nil {
			return err
		}
		stands := stand(f, step, &out.Subject, speak(ctx))
		out.Guards, out.Editable, out.LockReason, out.Actions, out.Locks = stands.Guards, stands.Editable, stands.LockReason, stands.Actions, stands.Locks
		if !step.Latest {
			out.LockReason = speak(ctx)("这是以前的一次申报，只能查看", "This is an earlier attempt and can only be read")
			for _, name := range out.Actions {
				out.Locks[name] = out.LockReason
			}
			out.Editable, out.Actions = false, []string{}
		}
		return nil
	}
	return s.judgeVerdicts(ctx, out, st, step)
}

// judgeVerdicts tells the reader which verdicts are his now, and why the others are not.
func (s *Service) judgeVerdicts(ctx context.Context, out *SubjectDetail, st academic.Student, step Step) error {
	r, err := s.rightsOn(ctx, st)
	if err != nil {
		return err
	}
	if out.LockReason, err = s.lockReason(ctx, out.Subject, st, r); err != nil {
		return err
	}
	p := position{}.of(out.Subject, step)
	for _, v := range []Verdict{Approve, Return, Reject} {
		if out.LockReason != "" {
			out.Locks[string(v)] = out.LockReason
		} else if _, err := approval(p, v, step.Policy.V.ThirdLevel); err != nil {
			out.Locks[string(v)] = errVerdict(speak(ctx)).Text(web.Lang(ctx))
		} else {
			out.Actions = append(out.Actions, string(v))
		}
	}
	return nil
}

// lockReason says why the reader decides nothing on the form now; "" when he may.
func (s *Service) lockReason(ctx context.Context, row Subject, st academic.Student, r rights) (string, error) {
	if row.Level == LevelNone {
		return i18n.Pick(ctx, "当前没有待审批的内容", "Nothing waits for a decision"), nil
	}
	err := s.barred(ctx, row, st, r)
	var refused *errs.Error
	if errors.As(err, &refused) && refused.Code.Kind == errs.Forbidden {
		return refused.Text(web.Lang(ctx)), nil
	}
	if err != nil || r.may(row.Level) {
		return "", err
	}
	return waitingText(row.Level, speak(ctx)), nil
}
