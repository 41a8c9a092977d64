package thesis

import (
	"context"
	"slices"

	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Standing is where a student's step stands and what can be done: pages show it, and the
// same evaluation refuses or admits the calls.
type Standing struct {
	StepCode          StepCode `json:"stepCode"`
	Name              string   `json:"name"`
	Built             bool     `json:"built"`
	AttemptNo         int      `json:"attemptNo"`
	Status            Status   `json:"status"`
	OpenAt            int64    `json:"openAt"`
	DueAt             int64    `json:"dueAt"`
	GraceMinutes      int64    `json:"graceMinutes"`
	FinishedAt        int64    `json:"finishedAt"`
	Score             *float64 `json:"score"`
	Grade             *int     `json:"grade"`
	FormID            int64    `json:"formId"`
	ProcessInstanceID string   `json:"processInstanceId"`
	ResultNote        string   `json:"resultNote"`
	Guards            []Guard  `json:"guards"`
	Actions           []string `json:"actions"`
	// Locks say for each action that is not possible why not.
	Locks      map[string]string `json:"locks"`
	Editable   bool              `json:"editable"`
	LockReason string            `json:"lockReason"`
	Version    int               `json:"version"`
}

// stand judges one step of a thesis at the book's time.
func stand(f facts, st Step, form *Subject, say say) Standing {
	rule, _ := ruleOf(f.code)
	out := Standing{StepCode: f.code, Name: say(stepNames[f.code][0], stepNames[f.code][1]), Built: rule.built, AttemptNo: st.AttemptNo, Status: st.Status,
		OpenAt: f.deadline.openAt, DueAt: f.deadline.closeAt, GraceMinutes: f.deadline.grace / minute, FinishedAt: st.FinishedAt, FormID: st.FormID,
		ProcessInstanceID: st.ProcessInstanceID, ResultNote: st.ResultNote, Actions: []string{}, Locks: map[string]string{}, Version: st.Version}
	guards := rule.opening
	if rule.built {
		guards = rule.submit
	}
	out.Guards = evaluate(guards, f, say)
	if st.Status.Final() || st.Status == InApproval {
		out.Guards = []Guard{}
	}
	if !rule.built {
		out.LockReason = notBuilt(st, out.Guards, say)
		return out
	}
	p := position{status: st.Status}
	if form != nil {
		p = p.of(*form, st)
	}
	out.Actions, out.Locks = choose(f, p, say)
	out.Editable = slices.Contains(out.Actions, actSave)
	if g, failed := firstFailed(out.Guards); failed {
		out.LockReason = g.Text
	} else {
		out.LockReason = closedReason(st, form, say)
	}
	return out
}

func notBuilt(st Step, guards []Guard, say say) string {
	if st.Status.Final() {
		return ""
	}
	if g, failed := firstFailed(guards); failed {
		return g.Text
	}
	return say("该环节的办理页面尚未开放", "The page of this step is not open yet")
}

// closedReason explains a form that cannot be edited although no guard fails.
func closedReason(st Step, form *Subject, say say) string {
	if can(EvSaveDraft, st.Status) {
		return ""
	}
	if form != nil && form.Level > LevelNone {
		return waitingText(form.Level, say)
	}
	return say("当前状态为“"+statusNames[st.Status][0]+"”", "The state is \""+statusNames[st.Status][1]+"\"")
}

// MySubject is the student's page of the topic declaration.
type MySubject struct {
	Step       Standing          `json:"step"`
	Form       *Subject          `json:"form"`
	Topic      *OpenTopic        `json:"topic"`
	Files      []FileView        `json:"files"`
	Guards     []Guard           `json:"guards"`
	Editable   bool              `json:"editable"`
	LockReason string            `json:"lockReason"`
	Actions    []string          `json:"actions"`
	Locks      map[string]string `json:"locks"`
	Rules      Rules             `json:"rules"`
	Attempts   []Subject         `json:"attempts"`
	History    []HistoryIn       `json:"history"`
	ServerTime int64             `json:"serverTime"`
}

const (
	sqlSubjectsOfRecord = `SELECT * FROM thesis_students_subject WHERE tenant_id = :tenant AND deleted = false AND record_id = :record AND step_id <> :step ORDER BY id DESC`
	sqlTopicView        = `SELECT ` + sqlOpenTopicColumns + ` FROM thesis_topic t JOIN thesis_advisor a ON a.id = t.advisor_id AND a.tenant_id = t.tenant_id
 LEFT JOIN system_dept d ON d.id = a.dept_id AND d.tenant_id = t.tenant_id WHERE t.tenant_id = :tenant AND t.id = :id`
)

func (s *Service) mySubject(ctx context.Context, _ web.None) (MySubject, error) {
	m, err := readMine(ctx, false)
	if err != nil {
		return MySubject{}, err
	}
	f, err := s.factsOf(ctx, m)
	if err != nil {
		return MySubject{}, err
	}
	out := MySubject{Files: []FileView{}, Attempts: []Subject{}, History: []HistoryIn{}, Rules: f.rules, ServerTime: f.now}
	if m.exists {
		form := m.subject
		out.Form = &form
		if out.Files, err = s.viewFiles(ctx, form.Attachments.V); err != nil {
			return out, err
		}
		if out.Topic, err = topicView(ctx, form.TopicID); err != nil {
			return out, err
		}
	}
	out.Step = stand(f, m.step, out.Form, speak(ctx))
	out.Guards, out.Editable, out.LockReason = out.Step.Guards, out.Step.Editable, out.Step.LockReason
	out.Actions, out.Locks = out.Step.Actions, out.Step.Locks
	if out.Attempts, err = store.Select[Subject](ctx, sqlSubjectsOfRecord, store.Args{"record": m.record.ID, "step": m.step.ID}); err != nil {
		return out, err
	}
	out.History, err = s.historyOf(ctx, m.record.ID, StepSubject)
	return out, err
}

func topicView(ctx context.Context, id int64) (*OpenTopic, error) {
	if id == 0 {
		return nil, nil
	}
	t, found, err := store.Get[OpenTopic](ctx, sqlTopicView, store.Args{"id": id, "own": 0})
	if !found {
		return nil, err
	}
	return &t, err
}

// SubjectDetail is a declaration with everything an approver or its author looks at.
type SubjectDetail struct {
	Subject
	Files         []FileView        `json:"files"`
	Topic         *OpenTopic        `json:"topic"`
	Guards        []Guard           `json:"guards"`
	Editable      bool              `json:"editable"`
	LockReason    string            `json:"lockReason"`
	Actions       []string          `json:"actions"`
	Locks         map[string]string `json:"locks"`
	History       []HistoryIn       `json:"history"`
	SimilarTitles []SimilarTitle    `json:"similarTitles"`
}

type idQuery struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

// getSubject shows a declaration to its author, to staff in scope and to its approvers,
// with the decisions each may take now.
func (s *Service) getSubject(ctx context.Context, in idQuery) (SubjectDetail, error) {
	out := SubjectDetail{}
	row, err := s.visibleSubject(ctx, in.ID)
	if err != nil {
		return out, err
	}
	out.Subject = row
	if out.Files, err = s.viewFiles(ctx, row.Attachments.V); err != nil {
		return out, err
	}
	if out.Topic, err = topicView(ctx, row.TopicID); err != nil {
		return out, err
	}
	if out.History, err = s.historyOf(ctx, row.RecordID, StepSubject); err != nil {
		return out, err
	}
	title := row.TitleZh
	if row.NewTitleZh != "" {
		title = row.NewTitleZh
	}
	if out.SimilarTitles, err = findSimilar(ctx, title, row.RecordID); err != nil {
		return out, err
	}
	return out, s.judge(ctx, &out)
}
