package workflow

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
	"viva/internal/workflow/bpmn"
)

// AssignRule says who decides a user task. Rows of a model have no definition and hold
// what its page chose: Type and Options. Rows of a definition hold what is in force
// there: Candidates, with what the diagram itself says put first.
type AssignRule struct {
	ID                  int64                   `json:"id"`
	ModelID             int64                   `json:"modelId"`
	ProcessDefinitionID string                  `json:"processDefinitionId"`
	TaskDefinitionKey   string                  `json:"taskDefinitionKey"`
	Type                int                     `json:"type"`
	Options             store.JSON[[]int64]     `json:"options"`
	Candidates          store.JSON[[]Candidate] `json:"candidates"`
	crud.Meta
}

var assignRules = table.New[AssignRule]("bpm_task_assign_rule", "任务分配规则")

var (
	errRuleExists   = errs.Define(1009006000, errs.Conflict, "流程模型“{}”的任务“{}”已有分配规则，请修改原有规则", "In the process model {} the task {} has a rule already; change that one")
	errRuleMissing  = errs.Define(1009006001, errs.NotFound, "任务分配规则不存在或已删除，请刷新", "No such assignment rule; reload")
	errRuleNotModel = errs.Define(1009006002, errs.Conflict, "已发布版本的分配规则不能修改，请修改流程模型的规则后重新发布", "Rules of a deployed version cannot change; change those of the model and deploy again")
)

const (
	sqlRulesOfModel      = `SELECT * FROM bpm_task_assign_rule WHERE tenant_id = :tenant AND deleted = false AND model_id = :model AND process_definition_id = '' ORDER BY id`
	sqlRulesOfDefinition = `SELECT * FROM bpm_task_assign_rule WHERE tenant_id = :tenant AND deleted = false AND process_definition_id = :definition ORDER BY id`
)

func rulesOfModel(ctx context.Context, model int64) ([]AssignRule, error) {
	return store.Select[AssignRule](ctx, sqlRulesOfModel, store.Args{"model": model})
}

// rulesOf gives the rules of a deployed definition by task: what the approval layer
// assigns by. Tasks that the diagram gives to somebody by its own attributes (assignee,
// candidateUsers, candidateGroups) are not in it.
func rulesOf(ctx context.Context, definition string) (map[string]AssignRule, error) {
	rows, err := store.Select[AssignRule](ctx, sqlRulesOfDefinition, store.Args{"definition": definition})
	byTask := make(map[string]AssignRule, len(rows))
	for _, row := range rows {
		byTask[row.TaskDefinitionKey] = row
	}
	return byTask, err
}

// TaskRule is one user task of a diagram with its rule, if it has one. What the diagram
// says itself wins over rows and is shown as diagram… members.
type TaskRule struct {
	ID                  *int64  `json:"id"`
	ModelID             ModelID `json:"modelId"`
	ProcessDefinitionID string  `json:"processDefinitionId"`
	TaskDefinitionKey   string  `json:"taskDefinitionKey"`
	TaskDefinitionName  string  `json:"taskDefinitionName"`
	Type                *int    `json:"type"`
	Options             []int64 `json:"options"`
	DiagramStrategy     string  `json:"diagramStrategy"`
	DiagramParam        string  `json:"diagramParam"`
	DiagramTitle        string  `json:"diagramTitle"`
	DiagramAssignee     string  `json:"diagramAssignee"`
}

type ruleListIn struct {
	ModelID             string `query:"modelId" maxLength:"64" doc:"流程模型|Model"`
	ProcessDefinitionID string `query:"processDefinitionId" maxLength:"200" doc:"流程定义|Definition"`
}

func (s *Service) mountAssignRules(m *web.Module) {
	web.Get(m, "/task-assign-rule/list", web.Perm("bpm:task-assign-rule:query"), s.listRules, web.Title("任务分配规则列表"))
	web.Post(m, "/task-assign-rule/create", web.Perm("bpm:task-assign-rule:create"), s.createRule, web.Title("新增任务分配规则"))
	web.Put(m, "/task-assign-rule/update", web.Perm("bpm:task-assign-rule:update"), s.updateRule, web.Title("修改任务分配规则"))
}

func (s *Service) listRules(ctx context.Context, in ruleListIn) ([]TaskRule, error) {
	if in.ProcessDefinitionID != "" {
		d, err := definitionByID(ctx, in.ProcessDefinitionID)
		if err != nil {
			return nil, err
		}
		rows, err := rulesOf(ctx, d.DefinitionID)
		if err != nil {
			return nil, err
		}
		xml, err := s.engine.XML(ctx, d.DefinitionID)
		if err != nil {
			return nil, err
		}
		return s.taskRules(ctx, TaskRule{ModelID: ModelID(d.ModelID), ProcessDefinitionID: d.DefinitionID}, d.Key, xml, rows)
	}
	model, err := readModel(ctx, modelID(in.ModelID))
	if err != nil {
		return nil, err
	}
	rows, err := rulesOfModel(ctx, model.ID)
	if err != nil {
		return nil, err
	}
	byTask := map[string]AssignRule{}
	for _, row := range rows {
		byTask[row.TaskDefinitionKey] = row
	}
	return s.taskRules(ctx, TaskRule{ModelID: ModelID(model.ID)}, model.Key, model.BpmnXML, byTask)
}

// taskRules puts the rows to the user tasks of the diagram; a row whose task vanished
// shows up nowhere.
func (s *Service) taskRules(ctx context.Context, owner TaskRule, key, xml string, rows map[string]AssignRule) ([]TaskRule, error) {
	list := []TaskRule{}
	if xml == "" {
		return list, nil
	}
	doc, err := bpmn.Decode([]byte(xml))
	if err != nil {
		return nil, fileError(ctx, err, "")
	}
	for _, n := range userTasks(process(doc, key)) {
		entry := owner
		entry.TaskDefinitionKey, entry.TaskDefinitionName, entry.Options = n.ID, n.Name, []int64{}
		entry.DiagramStrategy, entry.DiagramParam, entry.DiagramAssignee = n.User.CandidateStrategy, n.User.CandidateParam, assigneeText(n.User)
		entry.DiagramTitle = s.strategyTitle(ctx, entry.DiagramStrategy)
		if row, ok := rows[n.ID]; ok {
			entry.ID, entry.Type, entry.Options = &row.ID, given0(row.Type), row.Options.V
		}
		list = append(list, entry)
	}
	return list, nil
}

func (s *Service) strategyTitle(ctx context.Context, code string) string {
	k, known := strategies[code]
	if !known {
		k = s.rules[code]
	}
	if web.Lang(ctx) == "en" {
		return k.en
	}
	return k.zh
}

// assigneeText is what the diagram says by its own attributes, empty when nothing.
func assigneeText(u *bpmn.UserTask) string {
	var parts []string
	if u.Assignee.Present() {
		parts = append(parts, u.Assignee.Source)
	}
	for _, list := range [][]bpmn.Expression{u.CandidateUsers, u.CandidateGroups} {
		for _, e := range list {
			parts = append(parts, e.Source)
		}
	}
	return strings.Join(parts, ", ")
}

type ruleIn struct {
	ModelID           ModelID `json:"modelId" required:"true" doc:"流程模型|Model"`
	TaskDefinitionKey string  `json:"taskDefinitionKey" required:"true" maxLength:"255" doc:"任务|Task"`
	Type              int     `json:"type" required:"true" doc:"规则类型|Type"`
	Options           []int64 `json:"options" maxItems:"500" doc:"规则范围|Options"`
}

type ruleChangeIn struct {
	ID      int64   `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Type    int     `json:"type" required:"true" doc:"规则类型|Type"`
	Options []int64 `json:"options" maxItems:"500" doc:"规则范围|Options"`
}

func (s *Service) createRule(ctx context.Context, in ruleIn) (int64, error) {
	model, err := lockModel(ctx, in.ModelID)
	if err != nil {
		return 0, err
	}
	task, err := s.taskOf(ctx, model, in.TaskDefinitionKey)
	if err != nil {
		return 0, err
	}
	rows, err := rulesOfModel(ctx, model.ID)
	if err != nil {
		return 0, err
	}
	if slices.ContainsFunc(rows, func(r AssignRule) bool { return r.TaskDefinitionKey == task.ID }) {
		return 0, errRuleExists.With(model.Name, task.Name)
	}
	row := AssignRule{ModelID: model.ID, TaskDefinitionKey: task.ID}
	if err := s.choose(ctx, &row, in.Type, in.Options); err != nil {
		return 0, err
	}
	err = assignRules.Insert(ctx, &row)
	return row.ID, err
}

func (s *Service) updateRule(ctx context.Context, in ruleChangeIn) (bool, error) {
	row, err := assignRules.Get(ctx, in.ID)
	if errs.Is(err, errs.ErrNoRecord) {
		err = errRuleMissing.With()
	}
	if err != nil {
		return false, err
	}
	if row.ProcessDefinitionID != "" {
		return false, errRuleNotModel.With()
	}
	if _, err := lockModel(ctx, ModelID(row.ModelID)); err != nil {
		return false, err
	}
	_, err = assignRules.Change(ctx, row.ID, func(row *AssignRule) error { return s.choose(ctx, row, in.Type, in.Options) })
	return err == nil, err
}

// taskOf finds a user task in the diagram of a model.
func (s *Service) taskOf(ctx context.Context, model Model, key string) (*bpmn.Node, error) {
	if model.BpmnXML != "" {
		doc, err := bpmn.Decode([]byte(model.BpmnXML))
		if err != nil {
			return nil, fileError(ctx, err, "")
		}
		for _, n := range userTasks(process(doc, model.Key)) {
			if n.ID == key {
				return n, nil
			}
		}
	}
	return nil, errs.Field("taskDefinitionKey", "流程图中没有用户任务“"+clip(key)+"”，请刷新", "the diagram has no user task "+clip(key)+"; reload")
}

// ruleTypes may be chosen for a stored rule: those of the first generation and the ones
// that need no diagram.
var ruleTypes = []int{10, 20, 21, 22, 30, 34, 35, 36, 40, typeScript, 60}

// choose puts type and options into a rule; every option must be usable.
func (s *Service) choose(ctx context.Context, row *AssignRule, ruleType int, options []int64) error {
	if !slices.Contains(ruleTypes, ruleType) {
		return errs.Field("type", "规则类型不在可选范围内", "is not a type of rule")
	}
	options = slices.Compact(slices.Sorted(slices.Values(options)))
	code := strconv.Itoa(ruleType)
	if k := strategies[code]; ruleType != typeScript && k.takes == paramNone {
		options = []int64{}
	} else if len(options) == 0 {
		return errs.Field("options", "请选择至少一项", "choose at least one")
	} else if err := knownOptions(ctx, ruleType, options); err != nil {
		return err
	}
	row.Type, row.Options.V = ruleType, options
	return nil
}

func knownOptions(ctx context.Context, ruleType int, options []int64) error {
	if ruleType == typeScript {
		_, err := candidatesOf(ctx, ruleType, options)
		return err
	}
	live, err := usable(ctx, strconv.Itoa(ruleType), options)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Clone(options), func(id int64) bool { return slices.Contains(live, id) })
	if len(gone) == 0 {
		return nil
	}
	list := strings.Trim(fmt.Sprint(gone), "[]")
	return errs.Field("options", "所选的项已停用或不存在，请重新选择："+list, "these are disabled or gone; choose again: "+list)
}
