package thesis

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"viva/internal/academic"
	"viva/internal/kernel/errs"
	"viva/internal/workflow"
	"viva/internal/workflow/engine"
)

// The approval of a declaration runs as the process thesis_subject. Its diagram says which
// levels are asked and in what order; a school may draw steps of its own between them.
// Who decides a level, and what a verdict means for the thesis, is decided here: the
// process moves inside decide, in its transaction, and a move from outside (a step of the
// school's own, an administrator) comes back through moved.

// subjectProcess is the key of the process.
const subjectProcess = "thesis_subject"

//go:embed process/thesis_subject.bpmn
var subjectDiagram string

// levelSteps are the user tasks of the diagram that are levels.
var levelSteps = map[Level]string{LevelAdvisor: "advisor", LevelCollege: "secretary", LevelGraduate: "degree"}

func (s *Service) ownProcesses() {
	s.deps.Workflow.Own(workflow.Business{
		Process: subjectProcess, Steps: []string{levelSteps[LevelAdvisor], levelSteps[LevelCollege], levelSteps[LevelGraduate]}, Page: "选题审核", Moved: s.moved,
		Standard: workflow.StandardModel{Name: "选题审批", Description: "导师审核，学院秘书审批；要求三级审批的再由学位办审批", Category: "thesis",
			CreatePath: "/myThesis/students-subject", ViewPath: "/thesis/students-subject", XML: subjectDiagram},
	})
}

// levelAt is the level that an instance waits for, of several the first; LevelNone while
// it waits for something else.
func levelAt(at workflow.Standing) Level {
	for _, level := range []Level{LevelAdvisor, LevelCollege, LevelGraduate} {
		if slices.Contains(at.Steps, levelSteps[level]) {
			return level
		}
	}
	return LevelNone
}

// proceed moves the process as the change wants and corrects the change to where that
// leads. Events that leave no approval behind do without.
func (s *Service) proceed(ctx context.Context, m mine, c *change) (err error) {
	var at workflow.Standing
	switch c.event {
	case EvSubmit:
		c.at, err = s.deps.Workflow.Begin(ctx, approvalOf(m, m.subject.SubmitNo+1, ""))
		c.begins = true
	case EvChange:
		c.at, err = s.deps.Workflow.Begin(ctx, approvalOf(m, m.subject.SubmitNo, suffixChange))
		c.begins = true
	case EvApprove, EvPass, EvChangeApprove, EvChangePass:
		c.at, err = s.verdict(ctx, m, c, engine.TaskApproved)
	case EvReject:
		c.at, err = s.verdict(ctx, m, c, engine.TaskRejected)
	case EvReturn, EvChangeRefuse: // the next submission begins a new instance
		at, err = s.verdict(ctx, m, c, engine.TaskReturned)
		c.instance = at.Instance
		return err
	case EvWithdraw, EvChangeWithdraw:
		at, err = s.deps.Workflow.End(ctx, m.step.ProcessInstanceID, "学生撤回")
		if errs.Is(err, workflow.ErrNoInstance) { // begun before processes were
			err = nil
		}
		return err
	default:
		return nil
	}
	if err != nil {
		return err
	}
	c.instance = c.at.Instance
	return c.follow()
}

// follow makes the event and the position those that the process has reached.
func (c *change) follow() (err error) {
	changing := c.event == EvChange || c.before.audit == AuditChanging
	pick := func(declared, changed Event) Event {
		if changing {
			return changed
		}
		return declared
	}
	switch c.at.Result {
	case engine.Approved:
		if c.begins { // nobody is asked: settle passes it right after
			c.after.level = LevelNone
			return nil
		}
		c.event = pick(EvPass, EvChangePass)
	case engine.Rejected:
		c.event = pick(EvReject, EvChangeRefuse)
	case engine.Cancelled:
		c.event = pick(EvCancel, EvChangeCancel)
	default:
		level := levelAt(c.at)
		switch {
		case c.begins:
		case c.decision.Verdict == Approve:
			c.event = pick(EvApprove, EvChangeApprove)
		case level > LevelNone && (level < c.before.level || !changing && Audit(level) < c.before.audit):
			c.event = EvMoveBack
		default:
			c.event = EvMove
		}
		if c.after, err = advance(c.before, c.event); err != nil {
			return err
		}
		c.after.level = level
		if !changing && level > LevelNone {
			c.after.audit = Audit(level)
		} else if !changing && !c.begins {
			c.after.audit = c.before.audit
		}
		return nil
	}
	c.after, err = advance(c.before, c.event)
	return err
}

const suffixChange = ":change"

// approvalOf is the process of a submission, or of the change of its title.
func approvalOf(m mine, submitNo int, suffix string) workflow.StartIn {
	kind, name := "declare", "选题审批"
	if suffix == suffixChange {
		kind, name = "change", "题目变更"
	}
	return workflow.StartIn{
		Process: subjectProcess, BusinessID: fmt.Sprintf("%s:%d:%d%s", tableSubject, m.subject.ID, submitNo, suffix), Starter: m.student.UserID,
		Title: name + "：" + m.student.Name + "《" + m.subject.TitleZh + "》",
		Vars: map[string]any{"kind": kind, "thirdLevel": m.step.Policy.V.ThirdLevel, "degreeLevel": m.student.DegreeLevel, "deptId": m.student.DeptID,
			"selfProposed": m.subject.SelfProposed, "thesisType": m.subject.ThesisType},
	}
}

// verdict decides the step of the present level. An approval that was under way before
// the school had the process gets an instance that stands at its level.
func (s *Service) verdict(ctx context.Context, m mine, c *change, status engine.TaskStatus) (workflow.Standing, error) {
	in := workflow.StepVerdict{Instance: m.step.ProcessInstanceID, Step: levelSteps[c.before.level], Status: status, Opinion: strings.TrimSpace(c.decision.Opinion)}
	at, err := s.deps.Workflow.Decide(ctx, in)
	if !errs.Is(err, workflow.ErrNoInstance) {
		return at, err
	}
	if at, err = s.adopt(ctx, m, c.before); err != nil {
		return at, err
	}
	in.Instance = at.Instance
	return s.deps.Workflow.Decide(ctx, in)
}

// adopt begins the process of an approval in its midst.
func (s *Service) adopt(ctx context.Context, m mine, p position) (workflow.Standing, error) {
	suffix := ""
	if p.audit == AuditChanging {
		suffix = suffixChange
	}
	return s.deps.Workflow.BeginAt(ctx, approvalOf(m, m.subject.SubmitNo, suffix), levelSteps[p.level])
}

// moved follows a process that somebody else moved. What has left the approval meanwhile,
// or is approved by another instance, is not touched.
func (s *Service) moved(ctx context.Context, at workflow.Standing) error {
	parts := strings.Split(at.BusinessID, ":")
	if len(parts) < 3 || parts[0] != tableSubject {
		return nil
	}
	id, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return nil
	}
	_, err = s.decide(ctx, Decision{SubjectID: id, Opinion: at.Reason, moved: &at})
	return err
}

// reached is decide for a process that stands elsewhere already; done when nothing is to
// be written.
func (c *change) reached(m mine) (done bool, err error) {
	waits := c.before.status == InApproval || c.before.audit == AuditChanging
	if at := c.decision.moved; !waits || m.step.ProcessInstanceID != at.Instance || at.Running() && levelAt(*at) == c.before.level {
		return true, nil
	}
	c.at = *c.decision.moved
	return false, c.follow()
}

// rules name the people of a thesis for diagrams (thesis-domain design §4.8); the student
// is the starter of the instance. The levels themselves are judged by rightsOn.
func (s *Service) assignRules() {
	w := s.deps.Workflow
	w.RegisterAssignRule("THESIS_ADVISOR", "论文导师|thesis advisor", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		return academic.AdvisorUsersOf(ctx, f.Starter)
	})
	w.RegisterAssignRule("THESIS_COLLEGE_ROLE", "学生所在学院的角色|role in the student's college", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		st, found, err := academic.StudentOfUser(ctx, f.Starter)
		if err != nil || !found || st.DeptID == 0 {
			return nil, err
		}
		return s.deps.UsersWithRole(ctx, f.Param, []int64{st.DeptID})
	})
	w.RegisterAssignRule("THESIS_TENANT_ROLE", "全校的角色|role of the university", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		return s.deps.UsersWithRole(ctx, f.Param, nil)
	})
}
