package thesis

import (
	"context"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Overview counts the theses in the caller's scope.
type Overview struct {
	Total int64          `json:"total"`
	Steps []StepCount    `json:"steps"`
	Audit []AuditCount   `json:"audit"`
	Depts []CollegeCount `json:"depts"`
}

// StepCount counts by step and status of the step.
type StepCount struct {
	StepCode StepCode `json:"stepCode"`
	Status   Status   `json:"status"`
	N        int64    `json:"n"`
}

// AuditCount counts declarations by state.
type AuditCount struct {
	AuditState Audit `json:"auditState"`
	N          int64 `json:"n"`
}

// CollegeCount counts by college and current step.
type CollegeCount struct {
	DeptID   int64    `json:"deptId"`
	DeptName string   `json:"deptName"`
	StepCode StepCode `json:"stepCode"`
	N        int64    `json:"n"`
}

const (
	sqlOverviewJoin  = ` FROM thesis_record t` + recordJoin + ` WHERE t.tenant_id = :tenant AND t.deleted = false`
	sqlOverviewSteps = `SELECT t.current_step AS step_code, COALESCE(cs.step_status, 0) AS status, COUNT(*) AS n` + sqlOverviewJoin
	sqlOverviewDepts = `SELECT pe.college_id AS dept_id, COALESCE(dp.name, '') AS dept_name, t.current_step AS step_code, COUNT(*) AS n` + sqlOverviewJoin
	sqlOverviewAudit = `SELECT t.audit_state, COUNT(*) AS n FROM thesis_students_subject t` + peopleJoin + ` WHERE t.tenant_id = :tenant AND t.deleted = false`
)

func (s *Service) overview(ctx context.Context, _ web.None) (Overview, error) {
	var out Overview
	q := store.Build(sqlOverviewSteps, nil)
	scopePeople(ctx, q)
	q.Add(" GROUP BY t.current_step, COALESCE(cs.step_status, 0) ORDER BY 1, 2")
	var err error
	if out.Steps, err = store.Select[StepCount](ctx, q.SQL(), q.Args()); err != nil {
		return out, err
	}
	for _, c := range out.Steps {
		out.Total += c.N
	}
	q = store.Build(sqlOverviewAudit, nil)
	scopePeople(ctx, q)
	q.Add(" GROUP BY t.audit_state ORDER BY 1")
	if out.Audit, err = store.Select[AuditCount](ctx, q.SQL(), q.Args()); err != nil {
		return out, err
	}
	q = store.Build(sqlOverviewDepts, nil)
	scopePeople(ctx, q)
	q.Add(" GROUP BY pe.college_id, dp.name, t.current_step ORDER BY 1, 3")
	out.Depts, err = store.Select[CollegeCount](ctx, q.SQL(), q.Args())
	return out, err
}

// Ineligible is a student who cannot hand a step in yet, with every reason.
type Ineligible struct {
	RecordID    int64   `json:"recordId"`
	StudentNo   string  `json:"studentNo"`
	StudentName string  `json:"studentName"`
	DeptID      int64   `json:"deptId"`
	AdvisorName string  `json:"advisorName"`
	StepStatus  Status  `json:"stepStatus"`
	Guards      []Guard `json:"guards"`
}

type ineligibleIn struct {
	store.Paging
	Step StepCode `query:"step" required:"true" minimum:"10" maximum:"110" doc:"环节|Step"`
}

const (
	ineligibleScope = ` AND (s.dept_id IN (:scope_depts) OR EXISTS (SELECT 1 FROM thesis_supervision os JOIN thesis_advisor oa ON oa.id = os.advisor_id
 AND oa.tenant_id = os.tenant_id WHERE os.tenant_id = :tenant AND os.student_id = s.id AND os.end_date = '' AND os.deleted = false AND oa.user_id = :scope_user))`
	ineligibleOrder = ` AND r.current_step <= :code ORDER BY s.student_no LIMIT :max_rows`
)

// ineligible judges every thesis before or in the step with the evaluator of the submit
// check; files do not count, since they come with the form.
func (s *Service) ineligible(ctx context.Context, in ineligibleIn) (store.Page[Ineligible], error) {
	page := store.Page[Ineligible]{List: []Ineligible{}}
	rule, ok := ruleOf(in.Step)
	if !ok {
		return page, errs.Field("step", i18n.Pick(ctx, "没有这个环节", "there is no such step"))
	}
	b, err := readBook(ctx)
	if err != nil {
		return page, err
	}
	q := store.Build(sqlCaseColumns+sqlCaseFrom, store.Args{"code": in.Step, "max_rows": store.MaxTotal})
	if academic.Scoped(ctx, q) {
		q.Add(ineligibleScope)
	}
	q.Add(ineligibleOrder)
	say := speak(ctx)
	from := (max(in.PageNo, 1) - 1) * in.PageSize
	err = store.Each(ctx, q.SQL(), q.Args(), func(c caseRow) error {
		if c.StepStatus.Final() || c.StepStatus == InApproval {
			return nil
		}
		f := c.facts(b, in.Step, fileFacts{})
		f.files.count = f.rules.FilesMin
		guards := evaluate(rule.submit, f, say)
		if _, failed := firstFailed(guards); !failed {
			return nil
		}
		if n := int(page.Total); n >= from && n < from+in.PageSize {
			page.List = append(page.List, Ineligible{RecordID: c.RecordID, StudentNo: c.StudentNo, StudentName: c.StudentName, DeptID: c.DeptID,
				AdvisorName: c.AdvisorName, StepStatus: c.StepStatus, Guards: onlyFailed(guards)})
		}
		page.Total++
		return nil
	})
	return page, err
}

func onlyFailed(list []Guard) []Guard {
	var out []Guard
	for _, g := range list {
		if !g.Passed {
			out = append(out, g)
		}
	}
	return out
}
