package workflow

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/juel"
	"viva/internal/workflow/runtime"
)

var (
	errAssignExpression = errs.Define(1009006005, errs.Conflict, "任务“{}”的审批人无法确定，分配表达式有误：{}；请联系流程管理员", "Nobody can be found for the task {}: its assignment expression fails: {}; tell the manager of the process")
	errTooManyAsked     = errs.Define(1009006006, errs.Limit, "一个任务最多由 {} 人审批，请缩小分配规则的范围", "A task may ask at most {} people; narrow its assignment rule")
)

// question asks who decides a user task. Process, node and instance are given; vars are
// what is visible there. While a path is predicted the instance may have no id.
type question struct {
	instance engine.Instance
	process  *bpmn.Process
	node     *bpmn.Node
	vars     map[string]any
	plan     *plan
}

func (q *question) taskName() string {
	if q.node.Name != "" {
		return q.node.Name
	}
	return q.node.ID
}

// candidates finds the enabled users that the rule of the task names, in their order; ok
// is false when the version has no rule for it.
func (s *Service) candidates(ctx context.Context, q *question) (ids []int64, ok bool, err error) {
	rule, ok := q.plan.rules[q.node.ID]
	if !ok {
		return nil, false, nil
	}
	for _, c := range rule.Candidates.V {
		found, err := s.people(ctx, q, c)
		if err != nil {
			return nil, true, err
		}
		ids = append(ids, found...)
	}
	ids, err = enabledUsers(ctx, ids)
	return ids, true, err
}

// people resolves one strategy; who is disabled is left out by the caller.
func (s *Service) people(ctx context.Context, q *question, c Candidate) ([]int64, error) {
	first, levels, _ := strings.Cut(c.Param, "|")
	level, _ := strconv.Atoi(strings.TrimSpace(levels))
	ids, _ := parseIDs(first)
	switch c.Strategy {
	case StrategyStarter:
		return []int64{q.instance.StarterID}, nil
	case StrategyStarterPicks:
		return picks(q.vars, varStarterPicks, q.node.ID), nil
	case StrategyApproverPicks:
		return picks(q.vars, varDeciderPicks, q.node.ID), nil
	case StrategyFormUser:
		return idsIn(q.vars[c.Param]), nil
	case StrategyFormLeader:
		return leadersAbove(ctx, idsIn(q.vars[first]), level)
	case StrategyExpression:
		return s.expressionUsers(ctx, q, c.Param)
	case StrategyStarterLeader:
		level, _ = strconv.Atoi(strings.TrimSpace(c.Param))
		leader, err := leaderAt(ctx, q.instance.StarterID, level)
		return []int64{leader}, err
	case StrategyStarterLeaders:
		level, _ = strconv.Atoi(strings.TrimSpace(c.Param))
		dept, _, err := store.Get[int64](ctx, sqlDeptOfUser, store.Args{"id": q.instance.StarterID})
		if err != nil {
			return nil, err
		}
		return leadersAbove(ctx, []int64{dept}, level)
	}
	if len(ids) > 0 {
		if found, ok, err := peopleOf(ctx, c.Strategy, ids, level); ok || err != nil {
			return found, err
		}
	}
	if rule, ok := s.rules[c.Strategy]; ok {
		return rule.resolve(ctx, AssignFacts{Process: q.process.ID, Instance: q.instance.ID, BusinessID: q.instance.BusinessID, Starter: q.instance.StarterID,
			Task: q.node.ID, Param: c.Param, Vars: q.vars})
	}
	return nil, nil // a rule whose module is gone finds nobody
}

// peopleOf resolves the strategies that name rows of the tenant.
func peopleOf(ctx context.Context, strategy string, ids []int64, level int) (found []int64, ok bool, err error) {
	args := store.Args{"ids": ids}
	switch strategy {
	case StrategyRole:
		found, err = store.Select[int64](ctx, sqlUsersOfRoles, args)
	case StrategyDeptMember:
		if found, err = leadersAbove(ctx, ids, 1); err != nil {
			return nil, true, err
		}
		members, err := store.Select[int64](ctx, sqlUsersOfDepts, args)
		return append(found, members...), true, err
	case StrategyDeptLeader:
		found, err = leadersAbove(ctx, ids, 1)
	case StrategyPost:
		found, err = usersOfPosts(ctx, ids)
	case StrategyLeadersAbove:
		found, err = leadersAbove(ctx, ids, level)
	case StrategyUser:
		found = ids
	case StrategyUserGroup:
		found, err = usersOfGroups(ctx, ids)
	default:
		return nil, false, nil
	}
	return found, true, err
}

// expressionUsers evaluates an expression to user ids.
func (s *Service) expressionUsers(ctx context.Context, q *question, source string) ([]int64, error) {
	x, err := juel.Parse(source)
	if err != nil {
		return nil, errAssignExpression.With(q.taskName(), err)
	}
	v, err := x.Eval(&assignScope{ctx: ctx, engine: s.engine, q: q})
	var refusal *errs.Error
	switch {
	case errors.As(err, &refusal):
		return nil, refusal
	case err != nil:
		return nil, errAssignExpression.With(q.taskName(), err).Because(err)
	}
	return idsIn(v), nil
}

// assignScope is what an assignment expression sees.
type assignScope struct {
	ctx    context.Context
	engine *runtime.Engine
	q      *question
}

// Now implements juel.Env.
func (a *assignScope) Now() time.Time { return clock.Now().In(clock.Shanghai) }

// Variable implements juel.Env.
func (a *assignScope) Variable(name string) (any, bool) {
	if v, ok := a.q.vars[name]; ok {
		return v, true
	}
	switch name {
	case "initiator", varStarter:
		return a.q.instance.StarterID, true
	case "execution":
		return map[string]any{"processInstanceId": a.q.instance.ID, "processDefinitionId": a.q.instance.DefinitionID, "businessKey": a.q.instance.BusinessID,
			"currentActivityId": a.q.node.ID, "startUserId": a.q.instance.StarterID}, true
	}
	return nil, false
}

// Call implements juel.Env: variables of the execution, else a registered bean.
func (a *assignScope) Call(bean, method string, args []any) (any, error) {
	if bean == "execution" && method == "getVariable" && len(args) == 1 {
		name, _ := args[0].(string)
		return a.q.vars[name], nil
	}
	for _, b := range a.engine.Beans() {
		if m, ok := b.Methods[method]; ok && b.Name == bean {
			return m.Func(a.ctx, args)
		}
	}
	return nil, engine.ErrNoHandler
}

// assignBeans are the beans of the wire family that find people: models of its older
// clients call them as expressions.
func assignBeans() []runtime.Bean {
	argument := runtime.Field{Name: "execution", Type: "object", Required: true, Zh: "当前执行", En: "the execution"}
	starter := func(args []any) int64 {
		if len(args) == 0 {
			return 0
		}
		execution, _ := args[0].(map[string]any)
		ids := idsIn(execution["startUserId"])
		if len(ids) == 0 {
			return 0
		}
		return ids[0]
	}
	return []runtime.Bean{
		{Name: "bpmTaskAssignStartUserExpression", Zh: "流程发起人", En: "the starter", Methods: map[string]runtime.Method{"calculateUsers": {Args: []runtime.Field{argument}, Zh: "流程发起人", En: "the starter",
			Func: func(_ context.Context, args []any) (any, error) { return []any{starter(args)}, nil }}}},
		{Name: "bpmTaskAssignLeaderExpression", Zh: "发起人的部门负责人", En: "head of the starter's department", Methods: map[string]runtime.Method{"calculateUsers": {
			Args: []runtime.Field{argument, {Name: "level", Type: "number", Required: true, Zh: "层级", En: "level"}}, Zh: "发起人的第 n 级部门负责人", En: "head at the n-th level",
			Func: func(ctx context.Context, args []any) (any, error) {
				level := int64(1)
				if len(args) > 1 {
					if n := idsIn(args[1]); len(n) == 1 {
						level = min(max(n[0], 1), maxLevel)
					}
				}
				leader, err := leaderAt(ctx, starter(args), int(level))
				if leader == 0 {
					return []any{}, err
				}
				return []any{leader}, err
			}}}},
	}
}
