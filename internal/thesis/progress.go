package thesis

import (
	"context"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Progress is the student's home: the record, the eleven steps and what to do next.
type Progress struct {
	Record     ProgressRecord `json:"record"`
	Steps      []Standing     `json:"steps"`
	NextAction *NextAction    `json:"nextAction"`
	ServerTime int64          `json:"serverTime"`
}

// ProgressRecord is the head of the page.
type ProgressRecord struct {
	ID            int64  `json:"id"`
	RecordNo      string `json:"recordNo"`
	TitleZh       string `json:"titleZh"`
	TitleEn       string `json:"titleEn"`
	LifeState     int    `json:"lifeState"`
	LatestEndDate string `json:"latestEndDate"`
	DaysLeft      int    `json:"daysLeft"`
}

// NextAction is the one thing to do now.
type NextAction struct {
	StepCode StepCode `json:"stepCode"`
	Text     string   `json:"text"`
	DueAt    int64    `json:"dueAt"`
	Link     string   `json:"link"`
}

func (s *Service) myProgress(ctx context.Context, _ web.None) (Progress, error) {
	m, err := readMine(ctx, false)
	if err != nil {
		return Progress{}, err
	}
	b, err := readBook(ctx)
	if err != nil {
		return Progress{}, err
	}
	rows, err := store.Select[Step](ctx, sqlStepsOf, store.Args{"record": m.record.ID})
	if err != nil {
		return Progress{}, err
	}
	latest := map[StepCode]Step{}
	for _, st := range rows {
		if st.Latest {
			latest[st.StepCode] = st
		}
	}
	out := Progress{Record: headOf(m.record, b.now), ServerTime: b.now}
	c, err := caseOf(ctx, m.record.ID, StepSubject)
	if err != nil {
		return out, err
	}
	overrides, err := store.Select[override](ctx, sqlOverridesOf, store.Args{"record": m.record.ID})
	if err != nil {
		return out, err
	}
	say := speak(ctx)
	for _, rule := range stepRules {
		st, has := latest[rule.code]
		if !has {
			st = Step{StepCode: rule.code, AttemptNo: 1}
		}
		at := c.at(st, overrides)
		var form *Subject
		var files fileFacts
		if rule.code == StepSubject && m.exists {
			form = &m.subject
			if files, err = s.fileFacts(ctx, m.subject, m.step); err != nil {
				return out, err
			}
		}
		stands := stand(at.facts(b, rule.code, files), st, form, say)
		out.Steps = append(out.Steps, stands)
		if out.NextAction == nil && !st.Status.Done() {
			out.NextAction = nextAction(stands, say)
		}
	}
	return out, nil
}

// at moves a case to another step of the same record.
func (c caseRow) at(st Step, overrides []override) caseRow {
	c.StepID, c.StepStatus, c.StepDueAt, c.StepWindow, c.StepPolicy, c.OverrideUntil = st.ID, st.Status, st.DueAt, st.WindowID, st.Policy, 0
	for _, o := range overrides {
		if o.StepCode == st.StepCode {
			c.OverrideUntil = max(c.OverrideUntil, o.UntilAt)
		}
	}
	return c
}

func headOf(r Record, at int64) ProgressRecord {
	head := ProgressRecord{ID: r.ID, RecordNo: r.RecordNo, TitleZh: r.TitleZh, TitleEn: r.TitleEn, LifeState: r.LifeState, LatestEndDate: r.LatestEndDate}
	if end, err := time.ParseInLocation(time.DateOnly, r.LatestEndDate, clock.Shanghai); err == nil {
		head.DaysLeft = int(end.Sub(time.UnixMilli(at)).Hours() / 24)
	}
	return head
}

func nextAction(st Standing, say say) *NextAction {
	n := &NextAction{StepCode: st.StepCode, DueAt: st.DueAt}
	if st.StepCode == StepSubject {
		n.Link = "/myThesis/students-subject"
	}
	switch {
	case st.LockReason != "":
		n.Text = st.LockReason
	case st.Status == Returned:
		n.Text = say("选题被退回，请修改后重新提交", "Your topic was returned; correct and submit it again")
	case st.Status == Draft:
		n.Text = say("选题草稿尚未提交", "Your draft is not submitted yet")
	default:
		n.Text = say("请办理“"+st.Name+"”环节", "Start the step \""+st.Name+"\"")
	}
	return n
}
