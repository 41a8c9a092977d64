package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/juel"
)

// Candidate is one way of finding who may decide a task: the code of a strategy and its
// parameter, as contract bpm.md A.10 writes them in a diagram, or the name of a
// registered rule.
type Candidate struct {
	Strategy string `json:"strategy"`
	Param    string `json:"param"`
}

// The strategies of contract bpm.md A.10.
const (
	StrategyRole           = "10"
	StrategyDeptMember     = "20"
	StrategyDeptLeader     = "21"
	StrategyPost           = "22"
	StrategyLeadersAbove   = "23"
	StrategyUser           = "30"
	StrategyApproverPicks  = "34"
	StrategyStarterPicks   = "35"
	StrategyStarter        = "36"
	StrategyStarterLeader  = "37"
	StrategyStarterLeaders = "38"
	StrategyUserGroup      = "40"
	StrategyFormUser       = "50"
	StrategyFormLeader     = "51"
	StrategyExpression     = "60"
)

// param is what follows a strategy.
type param int

const (
	paramNone param = iota
	paramIDs
	paramIDsLevel // ids|level
	paramLevel
	paramField
	paramFieldLevel // field|level
	paramExpression
	paramFree // of registered rules, which judge it themselves
)

// kind is what a strategy is called and what it takes. A type that G1 rows may carry says so.
type kind struct {
	zh, en  string
	takes   param
	resolve Resolver // of registered rules
}

var strategies = map[string]kind{
	StrategyRole:           {zh: "角色", en: "role", takes: paramIDs},
	StrategyDeptMember:     {zh: "部门", en: "department", takes: paramIDs},
	StrategyDeptLeader:     {zh: "部门", en: "department", takes: paramIDs},
	StrategyPost:           {zh: "岗位", en: "post", takes: paramIDs},
	StrategyLeadersAbove:   {zh: "部门", en: "department", takes: paramIDsLevel},
	StrategyUser:           {zh: "用户", en: "user", takes: paramIDs},
	StrategyApproverPicks:  {zh: "审批人自选", en: "chosen by the approver", takes: paramNone},
	StrategyStarterPicks:   {zh: "发起人自选", en: "chosen by the starter", takes: paramNone},
	StrategyStarter:        {zh: "发起人本人", en: "the starter", takes: paramNone},
	StrategyStarterLeader:  {zh: "发起人的部门负责人", en: "head of the starter's department", takes: paramLevel},
	StrategyStarterLeaders: {zh: "发起人的各级部门负责人", en: "heads above the starter", takes: paramLevel},
	StrategyUserGroup:      {zh: "用户组", en: "user group", takes: paramIDs},
	StrategyFormUser:       {zh: "表单中的人员", en: "user field of the form", takes: paramField},
	StrategyFormLeader:     {zh: "表单中部门的负责人", en: "heads of a department field", takes: paramFieldLevel},
	StrategyExpression:     {zh: "表达式", en: "expression", takes: paramExpression},
}

// AssignFacts is what a registered rule knows of the task that it finds people for.
type AssignFacts struct {
	Process    string // key of the process
	Instance   string // empty while a path is only predicted
	BusinessID string
	Starter    int64
	Task       string // id of the user task in the diagram
	Param      string // candidateParam of the diagram
	Vars       map[string]any
}

// Resolver finds the users who decide a task, in the order in which a sequential task
// asks them. It runs in the transaction that creates the task and only reads; disabled
// and foreign users are left out afterwards.
type Resolver func(ctx context.Context, facts AssignFacts) ([]int64, error)

// RegisterAssignRule announces a way of finding deciders that a module above knows, such
// as a student's advisor; diagrams name it as candidateStrategy. The title is given as
// 中文|English. Call it before the server starts; a name taken twice stops the start.
func (s *Service) RegisterAssignRule(name, title string, find Resolver) {
	zh, en, both := strings.Cut(title, "|")
	if _, builtIn := strategies[name]; builtIn || s.rules[name].zh != "" || !both || find == nil {
		panic("workflow: assignment rule " + name + " is registered twice, or lacks a title or its function")
	}
	if s.rules == nil {
		s.rules = map[string]kind{}
	}
	s.rules[name] = kind{zh: zh, en: en, takes: paramFree, resolve: find}
}

// flaw is what is wrong with a candidate, in both languages; a soft one only warns.
type flaw struct {
	zh, en string
	soft   bool
}

const maxLevel = 20

// inspectCandidate says what is wrong with a candidate, nil when nothing is.
func (s *Service) inspectCandidate(ctx context.Context, c Candidate) (*flaw, error) {
	k, known := strategies[c.Strategy]
	if !known {
		k, known = s.rules[c.Strategy]
	}
	if !known {
		return &flaw{zh: "没有名为“" + clip(c.Strategy) + "”的分配策略", en: "there is no assignment strategy " + clip(c.Strategy)}, nil
	}
	first, level, split := strings.Cut(c.Param, "|")
	switch k.takes {
	case paramIDs:
		return idsFlaw(ctx, c.Strategy, k, c.Param)
	case paramIDsLevel:
		if !split || !isLevel(level) {
			return wrongParam(k, "部门编号|层级，例如 1,2|3", "department ids|levels, such as 1,2|3"), nil
		}
		return idsFlaw(ctx, c.Strategy, k, first)
	case paramLevel:
		if !isLevel(c.Param) {
			return wrongParam(k, "1 到 20 的层级", "a level from 1 to 20"), nil
		}
	case paramField:
		if !isField(c.Param) {
			return wrongParam(k, "表单字段名", "the name of a form field"), nil
		}
	case paramFieldLevel:
		if !split || !isField(first) || !isLevel(level) {
			return wrongParam(k, "字段名|层级，例如 dept|1", "field|level, such as dept|1"), nil
		}
	case paramExpression:
		return expressionFlaw(c.Param), nil
	}
	return nil, nil
}

func wrongParam(k kind, zh, en string) *flaw {
	return &flaw{zh: "分配策略“" + k.zh + "”的参数应为" + zh, en: "the assignment " + k.en + " takes " + en}
}

func isLevel(text string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return err == nil && n >= 1 && n <= maxLevel
}

func isField(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= 64 && !strings.ContainsAny(text, " \t\r\n|")
}

func expressionFlaw(source string) *flaw {
	_, err := juel.Parse(source)
	var syntax *juel.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return &flaw{zh: "分配表达式有误：" + syntax.Text("zh"), en: "the assignment expression is faulty: " + syntax.Text("en")}
	case err != nil:
		return &flaw{zh: "分配表达式有误：" + err.Error(), en: "the assignment expression is faulty: " + err.Error()}
	case !strings.Contains(source, "{"):
		return &flaw{zh: "分配表达式应写成 ${…}", en: "the assignment expression must be ${…}"}
	}
	return nil
}

// idsFlaw judges a list of ids: nobody left of it is an error, some gone a warning.
func idsFlaw(ctx context.Context, strategy string, k kind, text string) (*flaw, error) {
	ids, ok := parseIDs(text)
	if !ok {
		return &flaw{zh: "请为分配策略“" + k.zh + "”选择至少一项", en: "choose at least one " + k.en}, nil
	}
	live, err := usable(ctx, strategy, ids)
	if err != nil {
		return nil, err
	}
	gone := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(live, id) })
	list := strings.ReplaceAll(strings.Trim(fmt.Sprint(gone), "[]"), " ", ", ")
	switch {
	case len(gone) == 0:
		return nil, nil
	case len(live) == 0:
		return &flaw{zh: "所选的" + k.zh + "已停用或不存在，请重新选择（编号 " + list + "）", en: "what was chosen as " + k.en + " is disabled or gone; choose again (ids " + list + ")"}, nil
	}
	return &flaw{zh: "部分所选的" + k.zh + "已停用或不存在，将被跳过（编号 " + list + "）", en: "some of what was chosen as " + k.en + " is disabled or gone and is passed over (ids " + list + ")", soft: true}, nil
}

func parseIDs(text string) ([]int64, bool) {
	var ids []int64
	for part := range strings.SplitSeq(text, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || id <= 0 || len(ids) >= maxChosen {
			return nil, false
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, true
}

func joinIDs(ids []int64) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(parts, ",")
}

const (
	sqlRolesUsable       = `SELECT id FROM system_role WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
	sqlDeptsUsable       = `SELECT id FROM system_dept WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
	sqlPostsUsable       = `SELECT id FROM system_post WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
	sqlUsersUsable       = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
	sqlGroupsUsable      = `SELECT id FROM bpm_user_group WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
	sqlExpressionsUsable = `SELECT id FROM bpm_process_expression WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids)`
)

// usable gives those of the ids that exist and are enabled.
func usable(ctx context.Context, strategy string, ids []int64) ([]int64, error) {
	args := store.Args{"ids": ids}
	switch strategy {
	case StrategyRole:
		return store.Select[int64](ctx, sqlRolesUsable, args)
	case StrategyDeptMember, StrategyDeptLeader, StrategyLeadersAbove:
		return store.Select[int64](ctx, sqlDeptsUsable, args)
	case StrategyPost:
		return store.Select[int64](ctx, sqlPostsUsable, args)
	case StrategyUser:
		return store.Select[int64](ctx, sqlUsersUsable, args)
	case StrategyUserGroup:
		return store.Select[int64](ctx, sqlGroupsUsable, args)
	case StrategyExpression:
		return store.Select[int64](ctx, sqlExpressionsUsable, args)
	}
	return nil, fmt.Errorf("workflow: strategy %s has no ids", strategy)
}

// The scripts that a rule of type typeScript chooses from (dictionary bpm_task_assign_script).
var scripts = map[int64]Candidate{
	10: {StrategyStarter, ""},
	20: {StrategyStarterLeader, "1"},
	21: {StrategyStarterLeader, "2"},
}

// typeScript is type 50 of a stored rule; in a diagram 50 is a field of the form.
const typeScript = 50

const sqlExpressionTexts = `SELECT expression FROM bpm_process_expression WHERE tenant_id = :tenant AND deleted = false AND id IN (:ids) ORDER BY id`

// candidatesOf turns type and options of a stored rule into candidates. Expressions are
// copied, so that changing one does not reach what was deployed.
func candidatesOf(ctx context.Context, ruleType int, options []int64) ([]Candidate, error) {
	code := strconv.Itoa(ruleType)
	switch {
	case ruleType == typeScript:
		var list []Candidate
		for _, id := range options {
			c, known := scripts[id]
			if !known {
				return nil, errRuleScript.With(id)
			}
			list = append(list, c)
		}
		return list, nil
	case code == StrategyExpression:
		texts, err := store.Select[string](ctx, sqlExpressionTexts, store.Args{"ids": options})
		list := make([]Candidate, 0, len(texts))
		for _, text := range texts {
			list = append(list, Candidate{StrategyExpression, text})
		}
		return list, err
	}
	return []Candidate{{code, joinIDs(options)}}, nil
}

var errRuleScript = errs.Define(1009006004, errs.Invalid, "没有编号为 {} 的分配脚本，可用：10 发起人、20 发起人的一级领导、21 发起人的二级领导",
	"There is no assignment script {}; use 10 (starter), 20 (starter's leader) or 21 (leader above)")
