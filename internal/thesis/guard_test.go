package thesis

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
)

func english(_, en string) string { return en }

// ready are facts with which every guard of the declaration holds.
func ready() facts {
	return facts{
		now: 1_000 * day, code: StepSubject, status: Open, currentStep: StepSubject, lifeState: academic.LifeActive,
		realNameState: academic.RealNamePassed, advisorID: 7, latestEnd: "2099-09-01", rules: defaultRules(academic.LevelMaster),
		deadline: deadline{known: true, openAt: 900 * day, closeAt: 1_100 * day, lateMode: lateRefuse},
	}
}

func subjectGuards() []guardFunc {
	rule, _ := ruleOf(StepSubject)
	return rule.submit
}

func TestEachGuardAlone(t *testing.T) {
	if g, failed := firstFailed(evaluate(subjectGuards(), ready(), chinese)); failed {
		t.Fatalf("with everything in order %s fails: %s", g.Code, g.Text)
	}
	for _, c := range []struct {
		name     string
		change   func(*facts)
		code     string
		zh, en   string
		current  any
		required any
	}{
		{"on leave", func(f *facts) { f.lifeState = 2 }, codeActive, "学籍状态为“暂停”", "on leave", 2, 1},
		{"over the limit", func(f *facts) { f.lifeState = 3 }, codeActive, "超期", "over the limit", 3, 1},
		{"plan not passed", func(f *facts) { f.currentStep = StepPlan }, codePrevious, "培养计划", "Study plan", 10, 20},
		{"no real name", func(f *facts) { f.realNameState = 0 }, codeRealName, "尚未完成实名认证", "not verified", 0, 1},
		{"real name refused", func(f *facts) { f.realNameState = 2 }, codeRealName, "实名", "not verified", 2, 1},
		{"no advisor", func(f *facts) { f.advisorID = 0 }, codeAdvisor, "尚未分配导师", "No advisor", 0, 1},
		{"study limit", func(f *facts) { f.latestEnd = "1972-01-01" }, codeStudyLimit, "1972-01-01", "1972-01-01", "1972-09-27", "1972-01-01"},
		{"no window", func(f *facts) { f.deadline = deadline{} }, codeWindow, "尚未设置", "not set", nil, nil},
		{"early", func(f *facts) { f.deadline.openAt = 1_001 * day }, codeWindow, "开放", "Opens on", nil, nil},
		{"closed", func(f *facts) { f.deadline.closeAt = 999 * day }, codeWindow, "截止", "Closed on", nil, nil},
		{"too many files", func(f *facts) { f.files.count = 4 }, codeFiles, "最多 3 个", "At most 3", 4, 3},
		{"too few files", func(f *facts) { f.rules.FilesMin = 2; f.files.count = 1 }, codeFiles, "至少上传 2 个", "At least 2", 1, 2},
		{"the same file", func(f *facts) { f.files = fileFacts{count: 1, needNew: true} }, codeFiles, "新的修改稿", "new file", nil, nil},
	} {
		f := ready()
		c.change(&f)
		zh, en := evaluate(subjectGuards(), f, chinese), evaluate(subjectGuards(), f, english)
		g, failed := firstFailed(zh)
		e, _ := firstFailed(en)
		if !failed || g.Code != c.code {
			t.Errorf("%s: %s fails first, want %s", c.name, g.Code, c.code)
			continue
		}
		if !strings.Contains(g.Text, c.zh) || !strings.Contains(e.Text, c.en) {
			t.Errorf("%s: %q / %q", c.name, g.Text, e.Text)
		}
		if c.current != nil && (g.Current != c.current || g.Required != c.required) {
			t.Errorf("%s: current %v of %v, want %v of %v", c.name, g.Current, g.Required, c.current, c.required)
		}
		n := 0
		for _, x := range zh {
			if !x.Passed {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s: %d guards fail", c.name, n)
		}
	}
}

func TestRefusalCarriesCodeAndGuards(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*facts)
		code   errs.Code
	}{
		{"state", func(f *facts) { f.lifeState = 2 }, errNotActive},
		{"late", func(f *facts) { f.deadline.closeAt = 1 }, errTooLate},
		{"early", func(f *facts) { f.deadline.openAt = f.now + 1 }, errNotOpen},
		{"advisor", func(f *facts) { f.advisorID = 0 }, errNotOpen},
		{"file", func(f *facts) { f.files = fileFacts{count: 1, needNew: true} }, errNeedUpload},
		{"state before time", func(f *facts) { f.lifeState = 2; f.deadline.closeAt = 1 }, errNotActive},
	} {
		f := ready()
		c.change(&f)
		err := refuse(f, evaluate(subjectGuards(), f, chinese), chinese)
		if !errs.Is(err, c.code) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		data, ok := err.(*errs.Error).Data.(refusal)
		if !ok || !data.DraftKept || len(data.Guards) != len(subjectGuards()) {
			t.Errorf("%s: data %+v", c.name, err.(*errs.Error).Data)
		}
		if (data.CloseAt > 0) != (c.code.Num == errTooLate.Num) {
			t.Errorf("%s: closeAt %d", c.name, data.CloseAt)
		}
	}
	if err := refuse(ready(), evaluate(subjectGuards(), ready(), chinese), chinese); err != nil {
		t.Errorf("in order: %v", err)
	}
}

func TestDeadlineOf(t *testing.T) {
	win := &StepWindow{OpenAt: 100, CloseAt: 200, GraceMinutes: 0, LateMode: lateRefuse}
	grace := &StepWindow{OpenAt: 100, CloseAt: 200, GraceMinutes: 1, LateMode: lateRefuse}
	late := &StepWindow{OpenAt: 100, CloseAt: 200, LateMode: lateAccept}
	for _, c := range []struct {
		name          string
		window        *StepWindow
		override, fix int64
		now           int64
		state         windowState
		flag          int
	}{
		{"nothing set", nil, 0, 0, 150, windowUnknown, 0},
		{"before", win, 0, 0, 99, windowEarly, 0},
		{"first moment", win, 0, 0, 100, windowOpen, onTime},
		{"last moment", win, 0, 0, 200, windowOpen, onTime},
		{"after", win, 0, 0, 201, windowClosed, 0},
		{"grace", grace, 0, 0, 200 + minute, windowOpen, inGrace},
		{"after grace", grace, 0, 0, 201 + minute, windowClosed, 0},
		{"late is taken", late, 0, 0, 10_000_000, windowOpen, isLate},
		{"override", win, 500, 0, 400, windowOpen, onTime},
		{"override before the opening", win, 500, 0, 50, windowOpen, onTime},
		{"override is over", win, 500, 0, 501, windowClosed, 0},
		{"override alone", nil, 500, 0, 400, windowOpen, onTime},
		{"days to correct", win, 0, 300, 250, windowOpen, onTime},
		{"window longer than the days", win, 0, 150, 190, windowOpen, onTime},
	} {
		d := deadlineOf(c.window, c.override, c.fix)
		if got := d.state(c.now); got != c.state {
			t.Errorf("%s: state %d, want %d", c.name, got, c.state)
		}
		if c.state == windowOpen && d.flag(c.now) != c.flag {
			t.Errorf("%s: flag %d, want %d", c.name, d.flag(c.now), c.flag)
		}
	}
}

// TestDeadlineNeverReopens: once closed, time alone never opens a step again, and a
// longer window, override or grace never closes what was open.
func TestDeadlineNeverReopens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &StepWindow{OpenAt: rapid.Int64Range(0, 1000).Draw(t, "open"), GraceMinutes: rapid.IntRange(0, 3).Draw(t, "grace"), LateMode: rapid.IntRange(1, 2).Draw(t, "late")}
		w.CloseAt = w.OpenAt + rapid.Int64Range(1, 1000).Draw(t, "length")
		override, fix := rapid.Int64Range(0, 3000).Draw(t, "override"), rapid.Int64Range(0, 3000).Draw(t, "fix")
		d := deadlineOf(w, override, fix)
		a := rapid.Int64Range(0, 400_000).Draw(t, "a")
		b := a + rapid.Int64Range(0, 400_000).Draw(t, "later")
		if d.state(a) == windowClosed && d.state(b) != windowClosed {
			t.Fatalf("%+v reopens between %d and %d", d, a, b)
		}
		wider := *w
		wider.CloseAt += 500
		if d.state(a) == windowOpen && deadlineOf(&wider, override+500, fix).state(a) != windowOpen {
			t.Fatalf("%+v: a longer window closes %d", d, a)
		}
	})
}
