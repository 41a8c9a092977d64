package thesis

import (
	"fmt"

	"viva/internal/kernel/errs"
)

// The actions a page may offer; they are the names of the calls.
const (
	actSave           = "save-draft"
	actSubmit         = "submit"
	actWithdraw       = "withdraw"
	actChangeTitle    = "change-title"
	actWithdrawChange = "withdraw-change"
)

// studentAct is something the author may do with a declaration: the event it causes and
// the conditions beside the transition table.
type studentAct struct {
	name   string
	event  Event
	guards []guardFunc
}

// studentActs are offered in this order.
var studentActs = []studentAct{
	{actSave, EvSaveDraft, []guardFunc{guardActive, guardPrevious, guardWindow}},
	{actSubmit, EvSubmit, submitGuards},
	{actWithdraw, EvWithdraw, nil},
	{actChangeTitle, EvChange, []guardFunc{guardActive, guardAdvisor}},
	{actWithdrawChange, EvChangeWithdraw, nil},
}

func actNamed(name string) studentAct {
	for _, a := range studentActs {
		if a.name == name {
			return a
		}
	}
	return studentAct{}
}

// obstacle is why an action is not possible now; empty when it is. Guards are set when a
// condition fails, else the state of the form is in the way.
type obstacle struct {
	text   string
	guards []Guard
}

// obstacle judges an action at the facts' time: the pages show its text beside the locked
// button, and the call refuses with it.
func (a studentAct) obstacle(f facts, p position, say say) obstacle {
	_, refused := advance(p, a.event)
	if refused != nil && (p.status.Final() || p.status == InApproval) {
		return obstacle{text: stateText(p, a.event, say)}
	}
	guards := evaluate(a.guards, f, say)
	if g, failed := firstFailed(guards); failed {
		return obstacle{text: g.Text, guards: guards}
	}
	if refused != nil {
		return obstacle{text: stateText(p, a.event, say)}
	}
	return obstacle{}
}

// err is the refusal of the call, nil when nothing is in the way.
func (o obstacle) err(f facts, m mine, say say) error {
	switch {
	case o.text == "":
		return nil
	case o.guards != nil:
		return refuse(f, o.guards, say)
	}
	return errState.With(o.text).WithData(map[string]any{"status": m.step.Status, "auditState": m.subject.AuditState, "version": m.subject.Version})
}

// choose splits the actions of the author into what is possible and why the rest is not.
func choose(f facts, p position, say say) (actions []string, locks map[string]string) {
	actions, locks = []string{}, map[string]string{}
	for _, a := range studentActs {
		if o := a.obstacle(f, p, say); o.text != "" {
			locks[a.name] = o.text
		} else {
			actions = append(actions, a.name)
		}
	}
	return actions, locks
}

// stateText says why the state of a form does not admit an event.
func stateText(p position, event Event, say say) string {
	switch {
	case event == EvChange && p.audit != AuditChanging:
		return say("只有已通过的选题可以变更题目", "Only a passed topic can change its title")
	case (event == EvWithdraw || event == EvChangeWithdraw) && p.level > LevelAdvisor:
		return say("导师已经同意，不能再撤回；需要修改请联系审批人退回", "Your advisor has approved, so it cannot be taken back; ask the approver to return it")
	case event == EvChangeWithdraw && p.audit != AuditChanging:
		return say("没有等待审批的题目变更", "No change of the title waits for approval")
	case event == EvWithdraw && p.level == LevelNone:
		return say("没有等待审批的申报，无需撤回", "Nothing waits for approval, so there is nothing to take back")
	case p.level > LevelNone:
		return waitingText(p.level, say)
	}
	return say("当前状态为“"+statusNames[p.status][0]+"”", "The state is \""+statusNames[p.status][1]+"\"")
}

// waitingText says whose turn it is.
func waitingText(level Level, say say) string {
	who := map[Level][2]string{LevelAdvisor: {"导师", "your advisor"}, LevelCollege: {"学院秘书", "your college"}, LevelGraduate: {"研究生院", "the graduate school"}}[level]
	return say(fmt.Sprintf("正在等待%s审批", who[0]), fmt.Sprintf("Waiting for %s", who[1]))
}

// errVerdict is the refusal of a verdict that the level does not give.
func errVerdict(say say) *errs.Error {
	return errState.With(say("本级只能同意或退回，不能直接判为不通过", "this level may approve or return, not reject"))
}
