package thesis

import (
	"slices"
	"testing"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
)

func TestStanding(t *testing.T) {
	form := func(audit Audit, level Level) *Subject { return &Subject{AuditState: audit, Level: level} }
	for _, c := range []struct {
		name     string
		status   Status
		form     *Subject
		change   func(*facts)
		actions  []string
		editable bool
		reason   string
	}{
		{"fresh", Open, nil, nil, []string{actSave, actSubmit}, true, ""},
		{"draft", Draft, form(AuditDraft, 0), nil, []string{actSave, actSubmit}, true, ""},
		{"returned", Returned, form(AuditReturned, 0), nil, []string{actSave, actSubmit}, true, ""},
		{"with the advisor", InApproval, form(AuditAdvisor, 1), nil, []string{actWithdraw}, false, "正在等待导师审批"},
		{"with the college", InApproval, form(AuditCollege, 2), nil, []string{}, false, "正在等待学院秘书审批"},
		{"with the graduate school", InApproval, form(AuditGraduate, 3), nil, []string{}, false, "正在等待研究生院审批"},
		{"passed", Passed, form(AuditPassed, 0), nil, []string{actChangeTitle}, false, "当前状态为“已通过”"},
		{"changing", Passed, form(AuditChanging, 1), nil, []string{actWithdrawChange}, false, "正在等待导师审批"},
		{"changing further on", Passed, form(AuditChanging, 2), nil, []string{}, false, "正在等待学院秘书审批"},
		{"failed", Failed, form(AuditRejected, 0), nil, []string{}, false, "当前状态为“未通过”"},
		{"locked", Locked, nil, func(f *facts) { f.currentStep = StepPlan }, []string{}, false, "请先完成“培养计划”环节"},
		{"closed window", Draft, form(AuditDraft, 0), func(f *facts) { f.deadline.closeAt = 1 }, []string{}, false, "已于 1970-01-01 08:00 截止，请联系学院申请延期"},
		{"real name missing", Draft, form(AuditDraft, 0), func(f *facts) { f.realNameState = 0 }, []string{actSave}, true, "尚未完成实名认证，请联系学院登记"},
		{"on leave", Draft, form(AuditDraft, 0), func(f *facts) { f.lifeState = 2 }, []string{}, false, "学籍状态为“暂停”，暂不能办理"},
	} {
		f := ready()
		f.status = c.status
		if c.change != nil {
			c.change(&f)
		}
		s := stand(f, Step{StepCode: StepSubject, Status: c.status, AttemptNo: 1}, c.form, chinese)
		if !slices.Equal(s.Actions, c.actions) || s.Editable != c.editable || s.LockReason != c.reason {
			t.Errorf("%s: actions %v, editable %v, reason %q", c.name, s.Actions, s.Editable, s.LockReason)
		}
		if s.Editable && !slices.Contains(s.Actions, actSave) {
			t.Errorf("%s: editable without a way to save", c.name)
		}
	}
}

// TestLockedAlwaysSaysWhy: whatever cannot be submitted carries a reason.
func TestLockedAlwaysSaysWhy(t *testing.T) {
	for _, rule := range stepRules {
		for status := Locked; status <= Waived; status++ {
			f := ready()
			f.code, f.status = rule.code, status
			s := stand(f, Step{StepCode: rule.code, Status: status}, nil, chinese)
			if slices.Contains(s.Actions, actSubmit) || s.LockReason != "" || !rule.built && status.Final() {
				continue
			}
			t.Errorf("step %d in status %d is locked without a reason", rule.code, status)
		}
	}
}

func TestStepOrder(t *testing.T) {
	code, n := StepPlan, 1
	for after(code) != 0 {
		if after(code) <= code {
			t.Fatalf("%d is followed by %d", code, after(code))
		}
		code, n = after(code), n+1
	}
	if n != 11 || code != StepCertificate {
		t.Errorf("%d steps, the last is %d", n, code)
	}
	if _, ok := ruleOf(25); ok {
		t.Error("25 is a step")
	}
	for _, r := range stepRules {
		if stepNames[r.code][0] == "" || stepNames[r.code][1] == "" {
			t.Errorf("step %d has no name", r.code)
		}
	}
}

func TestRulesOfPolicies(t *testing.T) {
	b := &book{policies: []Policy{
		{ID: 1, Body: `{"return.fix_days": 5}`},
		{ID: 2, DegreeLevel: academic.LevelMaster, Body: `{"subject.files_min": 1}`},
		{ID: 3, DeptID: 9, DegreeLevel: academic.LevelMaster, Body: `{"return.fix_days": 20, "subject.third_level": true}`},
		{ID: 4, DeptID: 8, Body: `{"return.fix_days": 30}`},
		{ID: 5, EntryYear: 2024, Body: `{"return.fix_days": 6}`},
	}}
	for _, c := range []struct {
		name  string
		scope scopeOf
		fix   int
		files int
		third bool
		id    int64
	}{
		{"general", scopeOf{deptID: 1, degreeLevel: 2, entryYear: 2020}, 5, 0, true, 1},
		{"by level", scopeOf{deptID: 1, degreeLevel: 3, entryYear: 2020}, 5, 1, false, 2},
		{"by college and level", scopeOf{deptID: 9, degreeLevel: 3, entryYear: 2020}, 20, 1, true, 3},
		{"another college", scopeOf{deptID: 8, degreeLevel: 2, entryYear: 2020}, 30, 0, true, 4},
		{"by year", scopeOf{deptID: 1, degreeLevel: 2, entryYear: 2024}, 6, 0, true, 5},
	} {
		r, id := b.rules(c.scope)
		if r.FixDays != c.fix || r.FilesMin != c.files || r.ThirdLevel != c.third || id != c.id {
			t.Errorf("%s: %+v by %d", c.name, r, id)
		}
	}
}

func TestPolicyBody(t *testing.T) {
	for body, code := range map[string]errs.Code{
		`{"subject.files_max": 4}`:                         errPolicyRange,
		`{"subject.files_min": 3, "subject.files_max": 2}`: errPolicyRange,
		`{"return.fix_days": 61}`:                          errPolicyRange,
		`{"subject.unknown": 1}`:                           errPolicyBody,
		`{"return.fix_days": "x"}`:                         errPolicyBody,
		`[]`:                                               errPolicyBody,
		`not json`:                                         errPolicyBody,
	} {
		rules := defaultRules(academic.LevelMaster)
		if err := rules.overlay(body); !errs.Is(err, code) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestWindowOfScope(t *testing.T) {
	b := &book{semester: "s1", windows: []StepWindow{
		{ID: 1, Semester: "s1", StepCode: 20}, {ID: 2, Semester: "s1", StepCode: 20, DegreeLevel: 2}, {ID: 3, Semester: "s1", StepCode: 20, DeptID: 9},
		{ID: 4, Semester: "s1", StepCode: 20, DeptID: 9, DegreeLevel: 2}, {ID: 5, Semester: "s0", StepCode: 20, DeptID: 9, DegreeLevel: 2}, {ID: 6, Semester: "s1", StepCode: 30},
	}}
	for _, c := range []struct {
		dept   int64
		level  int
		pinned int64
		want   int64
	}{{1, 3, 0, 1}, {1, 2, 0, 2}, {9, 3, 0, 3}, {9, 2, 0, 4}, {9, 2, 5, 5}, {9, 2, 77, 4}} {
		if w := b.window(20, scopeOf{deptID: c.dept, degreeLevel: c.level}, c.pinned); w == nil || w.ID != c.want {
			t.Errorf("%+v: %+v", c, w)
		}
	}
	if w := b.window(40, scopeOf{}, 0); w != nil {
		t.Errorf("a step without window has %+v", w)
	}
}
