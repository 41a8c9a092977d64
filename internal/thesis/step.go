package thesis

import (
	"context"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// Step is one attempt at one step. A step without a row is locked, attempt 1.
type Step struct {
	ID                int64               `json:"id"`
	RecordID          int64               `json:"recordId"`
	StepCode          StepCode            `json:"stepCode"`
	AttemptNo         int                 `json:"attemptNo"`
	Latest            bool                `json:"latest"`
	Status            Status              `json:"status"`
	PolicyID          int64               `json:"policyId"`
	Policy            store.JSON[Rules]   `json:"policy"`
	WindowID          int64               `json:"windowId"`
	Semester          string              `json:"semester"`
	OpenedAt          int64               `json:"openedAt"`
	SubmittedAt       int64               `json:"submittedAt"`
	DueAt             int64               `json:"dueAt"`
	FinishedAt        int64               `json:"finishedAt"`
	FormID            int64               `json:"formId"`
	ProcessInstanceID string              `json:"processInstanceId"`
	ResultNote        string              `json:"resultNote"`
	WaivedBy          string              `json:"waivedBy"`
	WaiveReason       string              `json:"waiveReason"`
	RetryAt           int64               `json:"retryAt"`
	FrozenFileIDs     store.JSON[[]int64] `json:"frozenFileIds" db:"frozen_file_ids"`
	crud.Meta
}

var steps = table.New[Step]("thesis_step", "论文环节")

const (
	sqlStepLatest = `SELECT * FROM thesis_step WHERE tenant_id = :tenant AND deleted = false AND record_id = :record AND step_code = :code AND latest = true`
	sqlStepsOf    = `SELECT * FROM thesis_step WHERE tenant_id = :tenant AND deleted = false AND record_id = :record ORDER BY step_code, attempt_no`
)

// stepOf gives the newest attempt; a locked one without id when there is no row.
func stepOf(ctx context.Context, recordID int64, code StepCode) (Step, error) {
	st, found, err := store.Get[Step](ctx, sqlStepLatest, store.Args{"record": recordID, "code": code})
	if !found {
		st = Step{RecordID: recordID, StepCode: code, AttemptNo: 1, Latest: true}
	}
	return st, err
}

// caseRow is one student's thesis at one step, as the guards and the list of the not yet
// eligible see it.
type caseRow struct {
	RecordID      int64
	StudentID     int64
	UserID        int64
	StudentNo     string
	StudentName   string
	DeptID        int64
	DegreeLevel   int
	DegreeType    int
	EntryYear     int
	RealNameState int
	LifeState     int
	CurrentStep   StepCode
	LatestEndDate string
	AdvisorID     int64
	AdvisorUser   int64
	AdvisorName   string
	StepID        int64
	StepStatus    Status
	StepDueAt     int64
	StepWindow    int64
	StepPolicy    store.JSON[Rules]
	OverrideUntil int64
}

const sqlCaseFrom = ` FROM thesis_record r
 JOIN thesis_student s ON s.id = r.student_id AND s.tenant_id = r.tenant_id AND s.deleted = false
 LEFT JOIN thesis_supervision sv ON sv.student_id = s.id AND sv.tenant_id = r.tenant_id AND sv.role = 1 AND sv.end_date = '' AND sv.deleted = false
 LEFT JOIN thesis_advisor a ON a.id = sv.advisor_id AND a.tenant_id = r.tenant_id AND a.deleted = false
 LEFT JOIN thesis_step t ON t.record_id = r.id AND t.tenant_id = r.tenant_id AND t.step_code = :code AND t.latest = true AND t.deleted = false
 WHERE r.tenant_id = :tenant AND r.deleted = false`

const sqlCaseColumns = `SELECT r.id AS record_id, s.id AS student_id, s.user_id, s.student_no, s.name AS student_name, s.dept_id, s.degree_level, s.degree_type,
 s.entry_year, s.real_name_state, s.life_state, r.current_step, r.latest_end_date, COALESCE(a.id, 0) AS advisor_id, COALESCE(a.user_id, 0) AS advisor_user,
 COALESCE(a.name, '') AS advisor_name, COALESCE(t.id, 0) AS step_id, COALESCE(t.status, 0) AS step_status, COALESCE(t.due_at, 0) AS step_due_at,
 COALESCE(t.window_id, 0) AS step_window, COALESCE(t.policy, '') AS step_policy,
 COALESCE((SELECT MAX(o.until_at) FROM thesis_window_override o WHERE o.tenant_id = :tenant AND o.deleted = false AND o.record_id = r.id AND o.step_code = :code), 0) AS override_until`

const sqlCase = sqlCaseColumns + sqlCaseFrom + ` AND r.id = :record`

func caseOf(ctx context.Context, recordID int64, code StepCode) (caseRow, error) {
	return store.One[caseRow](ctx, sqlCase, store.Args{"record": recordID, "code": code})
}

func (c caseRow) scope() scopeOf {
	return scopeOf{deptID: c.DeptID, degreeLevel: c.DegreeLevel, degreeType: c.DegreeType, entryYear: c.EntryYear}
}

// facts judges the case with the book's clock. The rules are the pinned ones once the
// step has opened.
func (c caseRow) facts(b *book, code StepCode, files fileFacts) facts {
	rules := c.StepPolicy.V
	if c.StepStatus == Locked {
		rules, _ = b.rules(c.scope())
	}
	fix := int64(0)
	if c.StepStatus == Returned || c.StepStatus == Draft { // a draft has days to correct after return, submission and withdrawal
		fix = c.StepDueAt
	}
	return facts{now: b.now, code: code, status: c.StepStatus, currentStep: c.CurrentStep, lifeState: c.LifeState, realNameState: c.RealNameState,
		advisorID: c.AdvisorID, latestEnd: c.LatestEndDate, rules: rules, files: files,
		deadline: deadlineOf(b.window(code, c.scope(), c.StepWindow), c.OverrideUntil, fix)}
}

// openSteps opens every step of the record whose guards hold, in order, and passes the
// plan when the policy does not require one. It changes nothing when nothing is due.
func (s *Service) openSteps(ctx context.Context, recordID int64) error {
	rec, err := records.Lock(ctx, recordID)
	if err != nil {
		return err
	}
	b, err := readBook(ctx)
	if err != nil {
		return err
	}
	for code := rec.CurrentStep; code > 0; {
		passedOn, err := s.openStep(ctx, b, recordID, code)
		if err != nil || !passedOn {
			return err
		}
		code = after(code)
	}
	return nil
}

// openStep opens one step; it reports whether the step is done, so that the next may open.
func (s *Service) openStep(ctx context.Context, b *book, recordID int64, code StepCode) (bool, error) {
	c, err := caseOf(ctx, recordID, code)
	if err != nil || c.StepStatus.Done() {
		return err == nil, err
	}
	rule, _ := ruleOf(code)
	f := c.facts(b, code, fileFacts{})
	if _, failed := firstFailed(evaluate(rule.opening, f, chinese)); failed {
		return false, nil
	}
	reopen := c.StepStatus == Expired && f.deadline.state(b.now) == windowOpen
	if c.StepStatus != Locked && !reopen {
		return false, nil
	}
	st, err := stepOf(ctx, recordID, code)
	if err != nil {
		return false, err
	}
	event := EvOpen
	if code == StepPlan && !f.rules.PlanRequired {
		event = EvAutoPass
	}
	if err := s.enter(ctx, b, c, &st, event); err != nil {
		return false, err
	}
	if event == EvAutoPass {
		return true, s.stepDone(ctx, recordID, code)
	}
	if rule.built {
		return false, s.tellOpen(ctx, c, rule)
	}
	return false, nil
}

func chinese(zh, _ string) string { return zh }

func speak(ctx context.Context) say {
	return func(zh, en string) string { return i18n.Pick(ctx, zh, en) }
}

// enter writes the opened (or auto-passed) step with its pinned rules and window.
func (s *Service) enter(ctx context.Context, b *book, c caseRow, st *Step, event Event) error {
	to, err := next(event, st.Status)
	if err != nil {
		return err
	}
	from := st.Status
	rules, policyID := b.rules(c.scope())
	st.Status, st.Policy.V, st.PolicyID, st.Semester, st.OpenedAt = to, rules, policyID, b.semester, b.now
	if w := b.window(st.StepCode, c.scope(), 0); w != nil {
		st.WindowID = w.ID
	}
	note := ""
	if event == EvAutoPass {
		st.FinishedAt, note = b.now, notePlan
		st.ResultNote = note
	}
	if st.ID == 0 {
		err = steps.Insert(ctx, st)
	} else {
		err = steps.Update(ctx, st)
	}
	if err != nil {
		return err
	}
	return appendTransition(ctx, Transition{RecordID: st.RecordID, StepID: st.ID, StepCode: st.StepCode, Event: event, FromStatus: from, ToStatus: to, Reason: note})
}

// stepDone moves the record's current step past a finished one.
func (s *Service) stepDone(ctx context.Context, recordID int64, code StepCode) error {
	_, err := records.Change(ctx, recordID, func(r *Record) error {
		if n := after(code); r.CurrentStep <= code && n > 0 {
			r.CurrentStep = n
		}
		return nil
	})
	return err
}

// newAttempt replaces a failed attempt by a fresh, open one with the rules of today.
func (s *Service) newAttempt(ctx context.Context, old Step) error {
	if _, err := steps.Change(ctx, old.ID, func(st *Step) error { st.Latest = false; return nil }); err != nil {
		return err
	}
	b, err := readBook(ctx)
	if err != nil {
		return err
	}
	c, err := caseOf(ctx, old.RecordID, old.StepCode)
	if err != nil {
		return err
	}
	fresh := Step{RecordID: old.RecordID, StepCode: old.StepCode, AttemptNo: old.AttemptNo + 1, Latest: true}
	return s.enter(ctx, b, c, &fresh, EvOpen)
}

// notePlan says in the history why a plan passed by itself.
const notePlan = "培养规则 plan.required=false：自动通过"

// now is the server's clock in milliseconds.
func now() int64 { return clock.Millis() }
