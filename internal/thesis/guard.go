package thesis

import (
	"fmt"
	"time"

	"viva/internal/academic"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
)

// Guard is one condition and whether it holds: the answer to "why can I not?".
type Guard struct {
	Code     string `json:"code"`
	Passed   bool   `json:"passed"`
	Text     string `json:"text"`
	Current  any    `json:"current"`
	Required any    `json:"required"`
	Link     string `json:"link"`
}

// The guard codes in use.
const (
	codeActive     = "G_STATUS_ACTIVE"
	codePrevious   = "G_PREV_PASSED"
	codeRealName   = "G_REAL_NAME"
	codeAdvisor    = "G_ADVISOR_ASSIGNED"
	codeStudyLimit = "G_STUDY_LIMIT"
	codeWindow     = "G_WINDOW"
	codeFiles      = "G_FILES"
)

// linkAsk opens a new question to the college; the page fills it in for the word that follows.
const linkAsk = "/feedback/feedback/list?ask="

// facts is everything the guards read, gathered at one instant.
type facts struct {
	now           int64
	code          StepCode
	status        Status
	currentStep   StepCode
	lifeState     int
	realNameState int
	advisorID     int64
	latestEnd     string
	rules         Rules
	deadline      deadline
	files         fileFacts
}

// fileFacts are the files of the form against what is asked.
type fileFacts struct {
	count   int
	needNew bool
	hasNew  bool
}

// say picks the language of the reader.
type say func(zh, en string) string

type guardFunc func(f facts, say say) Guard

// evaluate runs the guards in order. It is pure: the same facts give the same answer on
// the page, in the list and in the submit transaction.
func evaluate(list []guardFunc, f facts, say say) []Guard {
	out := make([]Guard, len(list))
	for i, g := range list {
		out[i] = g(f, say)
	}
	return out
}

// firstFailed gives the first guard that does not hold.
func firstFailed(list []Guard) (Guard, bool) {
	for _, g := range list {
		if !g.Passed {
			return g, true
		}
	}
	return Guard{}, false
}

func guardActive(f facts, say say) Guard {
	g := Guard{Code: codeActive, Passed: f.lifeState == academic.LifeActive, Current: f.lifeState, Required: academic.LifeActive, Link: linkAsk + "enrolment"}
	g.Text = say("学籍状态正常（在读）", "Enrolled")
	if !g.Passed {
		g.Text = say("学籍状态为“"+lifeText(f.lifeState, true)+"”，暂不能办理", "The student's state is \""+lifeText(f.lifeState, false)+"\"")
	}
	return g
}

var lifeNames = map[int][2]string{
	1: {"在读", "enrolled"}, 2: {"暂停", "on leave"}, 3: {"超期", "over the limit"}, 4: {"终止", "ended"},
	5: {"结业", "completed"}, 6: {"毕业未获学位", "graduated without degree"}, 7: {"已授位归档", "degree awarded"},
}

func lifeText(state int, zh bool) string {
	if zh {
		return lifeNames[state][0]
	}
	return lifeNames[state][1]
}

func guardPrevious(f facts, say say) Guard {
	g := Guard{Code: codePrevious, Passed: f.currentStep >= f.code, Current: int(f.currentStep), Required: int(f.code), Link: "/index"}
	g.Text = say("前面的环节已通过", "Earlier steps are passed")
	if !g.Passed {
		name := stepNames[f.currentStep]
		g.Text = say("请先完成“"+name[0]+"”环节", "Finish the step \""+name[1]+"\" first")
	}
	return g
}

func guardRealName(f facts, say say) Guard {
	g := Guard{Code: codeRealName, Passed: f.realNameState == academic.RealNamePassed, Current: f.realNameState, Required: academic.RealNamePassed, Link: linkAsk + "real-name"}
	g.Text = say("已完成实名认证", "Identity verified")
	if !g.Passed {
		g.Text = say("尚未完成实名认证，请联系学院登记", "Your identity is not verified yet; ask your college to record it")
	}
	return g
}

func guardAdvisor(f facts, say say) Guard {
	has := 0
	if f.advisorID > 0 {
		has = 1
	}
	g := Guard{Code: codeAdvisor, Passed: has == 1, Current: has, Required: 1, Link: "/studentEnd/myMentor"}
	g.Text = say("已分配导师", "An advisor is assigned")
	if !g.Passed {
		g.Text = say("尚未分配导师，请联系学院", "No advisor is assigned yet; ask your college")
	}
	return g
}

func guardStudyLimit(f facts, say say) Guard {
	today := time.UnixMilli(f.now).In(clock.Shanghai).Format(time.DateOnly)
	g := Guard{Code: codeStudyLimit, Passed: f.latestEnd == "" || today <= f.latestEnd, Current: today, Required: f.latestEnd}
	g.Text = say("在最长学习年限内（至 "+f.latestEnd+"）", "Within the longest study time (until "+f.latestEnd+")")
	if !g.Passed {
		g.Text = say("已超过最长学习年限（"+f.latestEnd+"）", "The longest study time ended on "+f.latestEnd)
	}
	return g
}

func guardWindow(f facts, say say) Guard {
	d := f.deadline
	g := Guard{Code: codeWindow, Passed: d.state(f.now) == windowOpen, Current: f.now, Required: d.closeAt, Link: linkAsk + "extension"}
	switch d.state(f.now) {
	case windowUnknown:
		g.Text = say("学院尚未设置办理时间", "The college has not set a time for this yet")
	case windowEarly:
		g.Required = d.openAt
		g.Text = say("将于 "+clockText(d.openAt)+" 开放", "Opens on "+clockText(d.openAt))
	case windowClosed:
		g.Text = say("已于 "+clockText(d.closeAt)+" 截止，请联系学院申请延期", "Closed on "+clockText(d.closeAt)+"; ask your college for an extension")
	default:
		g.Text = say("办理时间至 "+clockText(d.closeAt), "Open until "+clockText(d.closeAt))
	}
	return g
}

func guardFiles(f facts, say say) Guard {
	g := Guard{Code: codeFiles, Passed: true, Current: f.files.count, Required: f.rules.FilesMin, Text: say("附件符合要求", "The files are in order")}
	switch {
	case f.files.count > f.rules.FilesMax:
		g.Passed, g.Required = false, f.rules.FilesMax
		g.Text = say(fmt.Sprintf("附件最多 %d 个", f.rules.FilesMax), fmt.Sprintf("At most %d files", f.rules.FilesMax))
	case f.files.count < f.rules.FilesMin:
		g.Passed = false
		g.Text = say(fmt.Sprintf("至少上传 %d 个附件", f.rules.FilesMin), fmt.Sprintf("At least %d files are needed", f.rules.FilesMin))
	case f.files.needNew && !f.files.hasNew:
		g.Passed = false
		g.Text = say("审批人要求修改附件，请先上传新的修改稿", "The approver asked for a new file; upload a revised version first")
	}
	return g
}

func clockText(ms int64) string {
	return time.UnixMilli(ms).In(clock.Shanghai).Format("2006-01-02 15:04")
}

// The refusals of section 5.4 of the design that come out of guards.
var (
	errNotOpen    = errs.Define(1070001001, errs.Conflict, "当前环节未开启：{}", "This step is not open: {}")
	errTooLate    = errs.Define(1070001002, errs.Conflict, "已超过截止时间（{}），请联系学院申请延期", "The deadline ({}) has passed; ask your college for an extension")
	errNotActive  = errs.Define(1070001004, errs.Conflict, "学籍状态为{}，不能办理", "Your state is {}; this cannot be done now")
	errNeedUpload = errs.Define(1070001005, errs.Conflict, "请先上传新的修改稿", "Upload a revised version first")
)

// refusal travels in the data member of a refused submit.
type refusal struct {
	Guards  []Guard `json:"guards"`
	CloseAt int64   `json:"closeAt,omitempty"`
	// DraftKept tells the page that the stored draft is untouched.
	DraftKept bool `json:"draftKept"`
}

// refuse turns the first failed guard into its error, nil when all hold.
func refuse(f facts, guards []Guard, say say) error {
	g, failed := firstFailed(guards)
	if !failed {
		return nil
	}
	data := refusal{Guards: guards, DraftKept: true}
	switch {
	case g.Code == codeActive:
		return errNotActive.With(say(lifeText(f.lifeState, true), lifeText(f.lifeState, false))).WithData(data)
	case g.Code == codeWindow && f.deadline.state(f.now) == windowClosed:
		data.CloseAt = f.deadline.closeAt
		return errTooLate.With(clockText(f.deadline.closeAt)).WithData(data)
	case g.Code == codeFiles && f.files.needNew && !f.files.hasNew:
		return errNeedUpload.With().WithData(data)
	}
	return errNotOpen.With(g.Text).WithData(data)
}
