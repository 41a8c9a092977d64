package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
)

// DeployProblem is one reason why a model cannot be deployed, or a warning. ElementID is
// empty for what concerns the model as a whole.
type DeployProblem struct {
	ElementID   string `json:"elementId"`
	ElementType string `json:"elementType"`
	Severity    string `json:"severity" enum:"error,warning"`
	Code        string `json:"code"`
	Zh          string `json:"zh"`
	En          string `json:"en"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	refusal     *errs.Error
}

// problemList is the data member of a refused deployment.
type problemList struct {
	Problems []DeployProblem `json:"problems"`
}

// The reasons of contract bpm.md A.12, and two of our own for what it has no code.
var (
	errDeployForm     = errs.Define(1009002003, errs.Conflict, "流程表单未配置或已不存在，请在流程模型中选择表单", "The form is not chosen or gone; choose one in the process model")
	errDeployRule     = errs.Define(1009002004, errs.Conflict, "任务“{}”没有可用的分配规则，请先分配", "The task {} has no usable assignment; assign it first")
	errDeployStart    = errs.Define(1009002005, errs.Conflict, "流程图没有开始事件，请添加", "The diagram has no start event; add one")
	errDeployName     = errs.Define(1009002006, errs.Conflict, "用户任务 {} 没有名称，请填写", "The user task {} has no name; give it one")
	errDeployPicks    = errs.Define(1009002008, errs.Conflict, "第一个任务“{}”不能由审批人自选，请改用其他分配方式", "The first task {} cannot be chosen by an approver; assign it otherwise")
	errDeployProblems = errs.Define(1009002010, errs.Conflict, "流程图有 {} 处问题，请按列表修改后再发布", "The diagram has {} problems; mend those listed, then deploy")
	errDefinitionKey  = errs.Define(1009003000, errs.Conflict, "流程图中的流程标识应为“{}”，现为“{}”，请保持一致", "The process id in the diagram must be {}, not {}; make them equal")
	errDefinitionName = errs.Define(1009003001, errs.Conflict, "流程图中的流程名称应为“{}”，现为“{}”，请保持一致", "The process name in the diagram must be {}, not {}; make them equal")
	errNothingChanged = errs.Define(1009003005, errs.Conflict, "与已发布的版本相比没有修改，无需再次发布", "Nothing was changed since the last deployment; there is nothing to deploy")
)

// findings are the problems of a model, in the order in which they are checked, and the
// definition that a deployment would make.
type findings struct {
	problems   []DeployProblem
	definition ProcessDefinition
	rules      []AssignRule
}

// refusal is the answer to a deployment: the code of the first error, and all problems.
func (f *findings) refusal() error {
	first := slices.IndexFunc(f.problems, func(p DeployProblem) bool { return p.refusal != nil })
	if first < 0 {
		return nil
	}
	refusal := *f.problems[first].refusal
	return refusal.WithData(problemList{Problems: f.problems})
}

// add notes a problem at an element, nil for the model, with the text of its code.
func (f *findings) add(refusal *errs.Error, at *bpmn.Node, code string) *DeployProblem {
	p := DeployProblem{Severity: string(bpmn.Error), Code: code, Zh: refusal.Text("zh"), En: refusal.Text("en"), refusal: refusal}
	if at != nil {
		p.ElementID, p.ElementType, p.Line, p.Column = at.ID, at.Kind.String(), at.At.Line, at.At.Column
	}
	f.problems = append(f.problems, p)
	return &f.problems[len(f.problems)-1]
}

func problemOf(p bpmn.Problem) DeployProblem {
	return DeployProblem{ElementID: p.ElementID, ElementType: p.ElementType, Severity: string(p.Severity), Code: p.Code, Zh: p.Zh, En: p.En, Line: p.At.Line, Column: p.At.Column}
}

func (s *Service) modelProblems(ctx context.Context, in modelIDIn) ([]DeployProblem, error) {
	model, err := readModel(ctx, modelID(in.ID))
	if err != nil {
		return nil, err
	}
	file, err := s.readFile(ctx, model.BpmnXML)
	if err != nil {
		return nil, err
	}
	f, err := s.inspect(ctx, model, file)
	if err != nil {
		return nil, err
	}
	if f.problems == nil {
		f.problems = []DeployProblem{}
	}
	return f.problems, nil
}

// modelFile is a file with what package runtime finds in it; unreadable, when set, says
// why there is nothing to show.
type modelFile struct {
	doc        *bpmn.Document
	problems   []bpmn.Problem
	unreadable *bpmn.Problem
}

func (s *Service) readFile(ctx context.Context, xml string) (modelFile, error) {
	var file modelFile
	_, err := bpmn.Decode([]byte(xml))
	if errors.As(err, &file.unreadable) {
		if strings.TrimSpace(xml) == "" {
			file.unreadable.Zh, file.unreadable.En = "还没有流程图，请导入 BPMN 文件", "there is no diagram yet; import a BPMN file"
		}
		return file, nil
	}
	if err == nil {
		file.doc, file.problems, err = s.engine.Examine(deploying(ctx), xml)
	}
	return file, err
}

// inspect makes the checks of contract bpm.md A.3 in their order: the file, its start
// event and task names, the form, the assignments, whether anything changed, key and
// name; then what else the engine could not run.
func (s *Service) inspect(ctx context.Context, m Model, file modelFile) (*findings, error) {
	f := &findings{}
	if u := file.unreadable; u != nil {
		p := problemOf(*u)
		p.refusal = bilingual(errModelFile, u.Zh, u.En)
		f.problems = append(f.problems, p)
		return f, nil
	}
	p := process(file.doc, m.Key)
	f.checkShape(p, file.problems)
	form, err := f.checkForm(ctx, m)
	if err != nil {
		return nil, err
	}
	if f.rules, err = effectiveRules(ctx, m, p); err != nil {
		return nil, err
	}
	if err := s.checkAssignments(ctx, f, p); err != nil {
		return nil, err
	}
	if f.definition, err = snapshot(m, form, p, f.rules); err != nil {
		return nil, err
	}
	if err := f.checkChanged(ctx); err != nil {
		return nil, err
	}
	f.checkIdentity(m, p)
	f.checkRest(file, p)
	f.tellHistory(p)
	return f, nil
}

// tellHistory warns of a time to live in the file, which authors of other tools seldom
// wrote themselves.
func (f *findings) tellHistory(p *bpmn.Process) {
	if p == nil || p.HistoryTTL == "" || p.HistoryTTL == "0" {
		return
	}
	f.problems = append(f.problems, DeployProblem{ElementID: p.ID, ElementType: "process", Severity: string(bpmn.Warning), Code: "history-ttl",
		Zh: "文件写明办结记录只保留 " + clip(p.HistoryTTL) + "（天数或时长），到期后会被删除；仅当平台参数 " + keyForgetTenants + " 列出本校时生效，否则一直保留",
		En: "the file keeps ended instances for " + clip(p.HistoryTTL) + " (days or a period) only; this holds where the parameter " + keyForgetTenants + " lists this tenant, else all are kept"})
}

// bilingual fills a code whose argument is itself a text in two languages.
func bilingual(code errs.Code, zh, en string) *errs.Error {
	code.Zh, code.En = strings.Replace(code.Zh, "{}", zh, 1), strings.Replace(code.En, "{}", en, 1)
	return code.With()
}

// shapeCodes are the findings of package bpmn that have a code of their own.
const noStart, noName = "no-start", "no-name"

func (f *findings) checkShape(p *bpmn.Process, all []bpmn.Problem) {
	for _, problem := range all {
		if problem.Code == noStart && problem.ElementType == "process" && p != nil && problem.ElementID == p.ID {
			d := problemOf(problem)
			d.refusal = errDeployStart.With()
			f.problems = append(f.problems, d)
		}
	}
	for _, n := range userTasks(p) {
		if strings.TrimSpace(n.Name) == "" {
			f.add(errDeployName.With(n.ID), n, noName)
		}
	}
}

const sqlFormByID = `SELECT * FROM bpm_form WHERE tenant_id = :tenant AND deleted = false AND id = :id`

func (f *findings) checkForm(ctx context.Context, m Model) (Form, error) {
	var form Form
	ok := m.FormType == FormBusiness && m.FormCustomCreatePath != "" && m.FormCustomViewPath != ""
	if m.FormType == FormRecord {
		var err error
		if form, ok, err = store.Get[Form](ctx, sqlFormByID, store.Args{"id": m.FormID}); err != nil {
			return form, err
		}
	}
	if !ok {
		f.add(errDeployForm.With(), nil, "no-form")
	}
	return form, nil
}

// checkAssignments wants somebody to decide each task that a person decides.
func (s *Service) checkAssignments(ctx context.Context, f *findings, p *bpmn.Process) error {
	first := firstTasks(p)
	for _, n := range userTasks(p) {
		name := n.Name
		if strings.TrimSpace(name) == "" {
			name = n.ID
		}
		at := slices.IndexFunc(f.rules, func(r AssignRule) bool { return r.TaskDefinitionKey == n.ID })
		if at < 0 {
			if assigneeText(n.User) == "" && !decidesItself(n) {
				f.add(errDeployRule.With(name), n, "no-assignment")
			}
			continue
		}
		candidates := f.rules[at].Candidates.V
		if len(candidates) == 0 { // the expressions it named were deleted
			f.add(errDeployRule.With(name), n, "no-assignment")
		}
		for _, c := range candidates {
			if c.Strategy == StrategyApproverPicks && first[n.Index] {
				f.add(errDeployPicks.With(name), n, "first-task-picks")
			}
			wrong, err := s.inspectCandidate(ctx, c)
			if err != nil {
				return err
			}
			if wrong == nil {
				continue
			}
			problem := f.add(errDeployRule.With(name), n, "assignment")
			problem.Zh, problem.En = "任务“"+name+"”："+wrong.zh, "Task "+name+": "+wrong.en
			if wrong.soft {
				problem.Severity, problem.refusal = string(bpmn.Warning), nil
			}
		}
	}
	return nil
}

// decidesItself reports an approveType of 2 (approve) or 3 (reject): no person is asked.
func decidesItself(n *bpmn.Node) bool {
	return slices.ContainsFunc(n.Extensions, func(e bpmn.Extension) bool {
		return e.Name == "approveType" && (e.Text == "2" || e.Text == "3")
	})
}

// firstTasks are the user tasks that a token can reach without passing another.
func firstTasks(p *bpmn.Process) map[int]bool {
	first := map[int]bool{}
	if p == nil {
		return first
	}
	seen := map[int]bool{}
	queue := slices.Clone(p.Starts)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		n := &p.Nodes[at]
		if n.Kind == bpmn.KindUserTask {
			first[at] = true
			continue
		}
		queue = append(queue, n.Scope.Starts...)
		if n.LinkTarget != bpmn.None {
			queue = append(queue, n.LinkTarget)
		}
		for _, flow := range n.Outgoing {
			queue = append(queue, p.Flows[flow].Target)
		}
		// A sub-process is left from its inside; what follows it may be a first task too
		// when nobody decides within, which the walk through Outgoing allows for.
	}
	return first
}

func (f *findings) checkChanged(ctx context.Context) error {
	current, ok, err := store.Get[definitionRow](ctx, sqlNewestOfKey, store.Args{"key": f.definition.Key})
	if err == nil && ok && current.Digest == f.definition.Digest {
		f.add(errNothingChanged.With(), nil, "unchanged")
	}
	return err
}

func (f *findings) checkIdentity(m Model, p *bpmn.Process) {
	if p == nil {
		return
	}
	at := func(problem *DeployProblem) {
		problem.ElementID, problem.ElementType, problem.Line, problem.Column = p.ID, "process", p.At.Line, p.At.Column
	}
	if p.ID != m.Key {
		at(f.add(errDefinitionKey.With(m.Key, p.ID), nil, "key"))
	}
	if p.Name != m.Name {
		at(f.add(errDefinitionName.With(m.Name, p.Name), nil, "name"))
	}
}

// checkRest adds what packages bpmn and runtime found and no code of the contract names, and what this
// module cannot honour.
func (f *findings) checkRest(file modelFile, p *bpmn.Process) {
	from, failed := len(f.problems), 0
	for _, problem := range file.problems {
		if problem.Code == noName || problem.Code == noStart && problem.ElementType == "process" && p != nil && problem.ElementID == p.ID {
			continue
		}
		if problem.Severity == bpmn.Error {
			failed++
		}
		f.problems = append(f.problems, problemOf(problem))
	}
	for _, other := range file.doc.Processes {
		if p != nil && other.ID != p.ID && other.Executable {
			failed++
			f.problems = append(f.problems, DeployProblem{ElementID: other.ID, ElementType: "process", Severity: string(bpmn.Error), Code: "several-processes",
				Zh: "文件中还有可执行的流程“" + other.ID + "”，一个模型只能有一个，请将它的 isExecutable 设为 false 或另建模型",
				En: "the file holds another executable process, " + other.ID + "; set its isExecutable to false or make another model of it", Line: other.At.Line, Column: other.At.Column})
		}
	}
	if p != nil && len(p.StarterUsers)+len(p.StarterGroups) > 0 {
		f.problems = append(f.problems, DeployProblem{ElementID: p.ID, ElementType: "process", Severity: string(bpmn.Warning), Code: "starters",
			Zh: "流程图中的 candidateStarterUsers、candidateStarterGroups 不起作用，请在流程模型中设置可发起人",
			En: "candidateStarterUsers and candidateStarterGroups of the diagram have no effect; set the starters in the process model", Line: p.At.Line, Column: p.At.Column})
	}
	for i := from; i < len(f.problems); i++ {
		if f.problems[i].Severity == string(bpmn.Error) {
			f.problems[i].refusal = errDeployProblems.With(failed)
		}
	}
}
