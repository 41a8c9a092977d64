package thesis

import (
	"context"
	"fmt"
	"strings"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
)

const hour = 60 * minute

const demoReason = "该选题来自导师课题组近年的研究积累与实际需求。现有工作在数据规模、方法适用条件与结果可解释性方面仍有不足，本研究拟从问题建模、方法设计与实验验证三个层面展开，" +
	"形成可复现的技术路线，并与行业单位合作完成应用验证，具有较好的理论价值与应用前景。前期已完成文献梳理与预实验，条件具备。"

// act is one event of an invented history.
type act struct {
	event   Event
	by      person
	opinion string
}

// script is what happened to a declaration of a stage, in order.
func (d *demo) script(stage, i int) []act {
	st := d.plan.Students[i]
	student := person{st.UserID, st.Name}
	t := d.plan.Teachers[st.Advisor]
	advisor, secretary, office := person{t.UserID, t.Name}, d.secretary(st.College), d.office()
	submit := act{EvSubmit, student, ""}
	agree := act{EvApprove, advisor, "选题有价值，同意申报。"}
	college := act{EvPass, secretary, "符合学院要求，同意。"}
	third := st.Level == academic.LevelDoctor
	all := []act{{EvSaveDraft, student, ""}, submit, agree, college}
	if third {
		all = []act{{EvSaveDraft, student, ""}, submit, agree, {EvApprove, secretary, "同意，报研究生院备案。"}, {EvPass, office, "已备案。"}}
	}
	switch stage {
	case stageDraft:
		return all[:1]
	case stageAdvisor:
		return all[:2]
	case stageCollege:
		return all[:3]
	case stageGraduate:
		return all[:4]
	case stageReturned:
		return append(all[:2:2], act{EvReturn, advisor, "研究内容过宽，请缩小范围并补充研究基础。"})
	case stageReturnedBy:
		return append(all[:3:3], act{EvReturn, secretary, "请规范题目表述，去掉口号式用语。"})
	case stageWithdrawn:
		return append(all[:2:2], act{EvWithdraw, student, ""})
	case stageRejected:
		return append(all[:2:2], act{EvReject, advisor, "与课题组已完成的工作重复，请重新选择研究方向。"})
	case stageChanging:
		return append(all, act{EvChange, student, "研究对象有调整，题目需与内容一致"})
	}
	return all
}

func (d *demo) secretary(college int) person {
	return person{d.plan.Users[fmt.Sprintf("secretary%02d", college+1)], d.plan.CollegeName(college) + "秘书"}
}

func (d *demo) office() person { return person{d.plan.Users["degree01"], "学位办老师"} }

// thesis writes record, steps, declaration and history of one student.
func (d *demo) thesis(ctx context.Context, i int) error {
	p := d.plan.Students[i]
	st, err := academic.StudentByID(ctx, p.ID)
	if err != nil {
		return err
	}
	rec := newRecord(st)
	stage := d.stages[i]
	if stage != stagePlan {
		rec.CurrentStep = StepSubject
	}
	form := d.form(i, stage)
	if stage == stagePassed || stage == stageChanging {
		rec.CurrentStep, rec.TitleZh, rec.TitleEn = StepProposal, form.TitleZh, form.TitleEn
		rec.ThesisType, rec.ThesisSource, rec.SourceNo = form.ThesisType, form.ThesisSource, form.SourceNo
	}
	if err := records.Insert(ctx, &rec); err != nil || stage == stagePlan {
		return err
	}
	scope := scopeOf{deptID: st.DeptID, degreeLevel: st.DegreeLevel, degreeType: st.DegreeType, entryYear: st.EntryYear}
	start := d.book.now - (20+int64(d.plan.Random().IntN(20)))*day
	if err := d.autoPass(ctx, rec, scope, start-2*day); err != nil {
		return err
	}
	step := d.step(rec, StepSubject, scope, start)
	if stage == stageNone {
		step.Status = Open
		if err := steps.Insert(ctx, &step); err != nil {
			return err
		}
		return d.opened(ctx, step, start)
	}
	if err := d.declare(ctx, i, &step, form, start); err != nil {
		return err
	}
	switch stage {
	case stagePassed, stageChanging:
		next := d.step(rec, StepProposal, scope, step.FinishedAt)
		next.Status = Open
		if err := steps.Insert(ctx, &next); err != nil {
			return err
		}
		return d.opened(ctx, next, step.FinishedAt)
	case stageRejected:
		next := d.step(rec, StepSubject, scope, step.FinishedAt)
		next.Status, next.AttemptNo = Open, 2
		if err := steps.Insert(ctx, &next); err != nil {
			return err
		}
		return d.opened(ctx, next, step.FinishedAt)
	}
	return nil
}

func (d *demo) step(rec Record, code StepCode, scope scopeOf, at int64) Step {
	st := Step{RecordID: rec.ID, StepCode: code, AttemptNo: 1, Latest: true, Semester: d.book.semester, OpenedAt: at}
	st.Policy.V, st.PolicyID = d.book.rules(scope)
	st.FrozenFileIDs.V = []int64{}
	if w := d.book.window(code, scope, 0); w != nil {
		st.WindowID = w.ID
	}
	return st
}

func (d *demo) autoPass(ctx context.Context, rec Record, scope scopeOf, at int64) error {
	st := d.step(rec, StepPlan, scope, at)
	st.Status, st.FinishedAt, st.ResultNote = Passed, at, notePlan
	if err := steps.Insert(ctx, &st); err != nil {
		return err
	}
	return appendTransition(ctx, Transition{RecordID: rec.ID, StepID: st.ID, StepCode: StepPlan, Event: EvAutoPass, ToStatus: Passed, Reason: notePlan, CreateTime: at})
}

func (d *demo) opened(ctx context.Context, st Step, at int64) error {
	return appendTransition(ctx, Transition{RecordID: st.RecordID, StepID: st.ID, StepCode: st.StepCode, Event: EvOpen, FromStatus: Locked, ToStatus: Open, CreateTime: at})
}

// form invents the content of a declaration; four of ten choose an offered topic.
func (d *demo) form(i, stage int) Subject {
	p, r := d.plan.Students[i], d.plan.Random()
	x := Subject{StudentID: p.ID, SelfProposed: true, TitleZh: d.title(p.Keyword), ThesisType: 1 + r.IntN(4), ThesisSource: 7 + r.IntN(4), Reason: demoReason, ExpectedResult: "发表论文一篇，形成原型或数据集一套。"}
	x.Attachments.V = []int64{}
	choose := r.IntN(10) < 4
	if p.Level == academic.LevelDoctor {
		x.TitleEn = fmt.Sprintf("A study of topic %d", i+1)
	}
	if p.Advisor < 0 || !choose || stage == stageNone {
		return x
	}
	for _, t := range d.topics[p.Advisor] {
		if d.taken[t.ID] < t.MaxStudents {
			x.TopicID, x.SelfProposed, x.TitleZh, x.ThesisType, x.ThesisSource = t.ID, false, t.Title, t.ThesisType, t.ThesisSource
			return x
		}
	}
	return x
}

// waiting are the stages in which somebody has to decide.
var waiting = map[int]bool{stageAdvisor: true, stageCollege: true, stageGraduate: true, stageChanging: true}

// declare plays the script: states come from the machine, so that the demo cannot show
// what the product would refuse.
func (d *demo) declare(ctx context.Context, i int, step *Step, form Subject, start int64) error {
	script := d.script(d.stages[i], i)
	step.Status = Open
	if err := steps.Insert(ctx, step); err != nil {
		return err
	}
	if err := d.opened(ctx, *step, start); err != nil {
		return err
	}
	form.RecordID, form.StepID = step.RecordID, step.ID
	if err := subjects.Insert(ctx, &form); err != nil {
		return err
	}
	p, at := position{status: Open}, start
	for n, a := range script {
		at += (6 + int64(d.plan.Random().IntN(40))) * hour
		if n == len(script)-1 && waiting[d.stages[i]] { // what waits has come lately
			at = max(at, d.book.now-(6+int64(d.plan.Random().IntN(90)))*hour)
		}
		at = min(at, d.book.now-int64(len(script)-n)*hour)
		after, err := advance(p, a.event)
		if err != nil {
			return fmt.Errorf("demo: stage %d: %w", d.stages[i], err)
		}
		c := change{event: a.event, before: p, after: after, decision: Decision{Opinion: a.opinion, held: form.HoldsPlace}}
		if err := d.apply(ctx, c, a, step, &form, at); err != nil {
			return err
		}
		p = after
	}
	if err := subjects.Update(ctx, &form); err != nil {
		return err
	}
	if waiting[d.stages[i]] {
		if err := d.process(ctx, i, step, form, p); err != nil {
			return err
		}
	}
	if err := steps.Update(ctx, step); err != nil {
		return err
	}
	if step.Status == Failed {
		if _, err := steps.Change(ctx, step.ID, func(x *Step) error { x.Latest = false; return nil }); err != nil {
			return err
		}
	}
	return d.tell(ctx, i, p, form)
}

// process begins the approval where the form waits.
func (d *demo) process(ctx context.Context, i int, step *Step, form Subject, p position) error {
	student, err := academic.StudentByID(ctx, d.plan.Students[i].ID)
	if err != nil {
		return err
	}
	at, err := d.s.adopt(ctx, mine{student: student, step: *step, subject: form}, p)
	step.ProcessInstanceID = at.Instance
	return err
}

// apply does one event of the script to the rows in memory and writes its line.
func (d *demo) apply(ctx context.Context, c change, a act, step *Step, form *Subject, at int64) error {
	switch a.event {
	case EvSubmit:
		held := form.TopicID > 0
		c.decision.submission = &submission{at: at, digest: digestOf(*form, nil), receipt: fmt.Sprintf("XT%08d%02d", form.ID, form.SubmitNo+1), place: held}
		if held {
			d.taken[form.TopicID]++
		}
	case EvChange:
		c.decision.title = &newTitle{zh: strings.TrimSuffix(form.TitleZh, "研究") + "及其应用研究", en: form.TitleEn, reason: a.opinion}
	case EvWithdraw, EvReject:
		if form.HoldsPlace {
			d.taken[form.TopicID]--
		}
	}
	before := form.Digest
	c.onForm(form, at)
	c.onStep(step, *form, at)
	return appendTransition(ctx, Transition{RecordID: step.RecordID, StepID: step.ID, StepCode: step.StepCode, FormID: form.ID, Event: a.event, FromStatus: c.before.status,
		ToStatus: c.after.status, FromAudit: c.before.audit, ToAudit: c.after.audit, Level: c.before.level, Reason: a.opinion, ActorKind: int(actor.User),
		ActorUserID: a.by.id, ActorName: a.by.name, DigestBefore: before, DigestAfter: form.Digest, CreateTime: at})
}

// tell writes the message of the last event, so that the inboxes are not empty.
func (d *demo) tell(ctx context.Context, i int, p position, form Subject) error {
	st := d.plan.Students[i]
	params := map[string]any{"student": st.Name, "studentNo": st.No, "title": form.TitleZh, "step": "选题", "kind": "选题申报", "actor": "审批人", "opinion": "见办理记录"}
	if p.audit == AuditChanging {
		params["kind"], params["title"] = "题目变更", form.NewTitleZh
	}
	switch {
	case p.level > LevelNone:
		student, err := academic.StudentByID(ctx, st.ID)
		if err != nil {
			return err
		}
		return d.s.tellNext(ctx, form, student, params)
	case p.audit == AuditReturned:
		return d.s.deps.Notify(ctx, known(st.UserID), msgReturned, params)
	case p.audit == AuditRejected:
		return d.s.deps.Notify(ctx, known(st.UserID), msgRejected, params)
	case p.audit == AuditPassed && i%6 == 4:
		return d.s.deps.Notify(ctx, known(st.UserID), msgPassed, params)
	}
	return nil
}
