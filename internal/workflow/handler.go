package workflow

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
	"viva/internal/system"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// Register announces code that models may name: in service and send tasks and in
// listeners, wherever the handler says. Call it before the server starts; a name taken
// twice stops the start.
func (s *Service) Register(h runtime.Handler) { s.engine.Register(h) }

// RegisterDecision announces a rule that business-rule tasks may name.
func (s *Service) RegisterDecision(d runtime.Decision) { s.engine.RegisterDecision(d) }

// HandlerView describes to the designer what diagrams may name: a registered handler,
// decision or rule of assignment (candidateStrategy). Kind is handler, decision or rule,
// Uses are service, execution and task.
type HandlerView struct {
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Uses   []runtime.Use   `json:"uses"`
	Async  bool            `json:"async"`
	Fields []runtime.Field `json:"fields"`
}

func (s *Service) mountHandlers(m *web.Module) {
	web.Get(m, "/model/handlers", web.Perm("bpm:model:query"), s.handlers, web.Title("流程可用的处理程序、决策和分配规则"))
	mountCheckExpression(m)
	s.engine.AllowScripts(s.scriptsAllowed)
}

func (s *Service) handlers(ctx context.Context, _ web.None) ([]HandlerView, error) {
	title := func(name, zh, en string) string {
		if web.Lang(ctx) == "en" {
			return cmp.Or(en, zh, name)
		}
		return cmp.Or(zh, en, name)
	}
	list := []HandlerView{}
	for _, h := range s.engine.Handlers() {
		list = append(list, HandlerView{Kind: "handler", Name: h.Name, Title: title(h.Name, h.Zh, h.En), Uses: h.Uses, Async: h.Async, Fields: slices.Concat([]runtime.Field{}, h.Fields)})
	}
	for _, d := range s.engine.Decisions() {
		list = append(list, HandlerView{Kind: "decision", Name: d.Name, Title: title(d.Name, d.Zh, d.En), Uses: []runtime.Use{}, Fields: slices.Concat([]runtime.Field{}, d.Inputs)})
	}
	for _, name := range slices.Sorted(maps.Keys(s.rules)) {
		list = append(list, HandlerView{Kind: "rule", Name: name, Title: s.strategyTitle(ctx, name), Uses: []runtime.Use{}, Fields: []runtime.Field{}})
	}
	return list, nil
}

// keyScriptTenants is the parameter that opens scripts.
const keyScriptTenants = "bpm.script.tenants"

// configs: hooks reach no private network but what the operator lists. Scripts have no limit of memory (engine design §6), so the platform's operator
// opens them, by tenant.
var configs = []module.Config{{Category: "bpm", Name: "允许在流程中使用脚本的租户编号（逗号分隔，0 表示都不允许）", Key: keyScriptTenants, Value: "0",
	Remark: "脚本没有内存上限，只应对可信的流程设计者开放；其他租户发布带脚本的流程会被拒绝"},
	{Category: "bpm", Name: "流程外部调用可访问的内网主机（主机或主机:端口，逗号分隔）", Key: keyInsideHosts, Value: "",
		Remark: "流程模型的外部调用默认不能访问内网和本机；需要调用校内系统时在此列出"},
	{Category: "bpm", Name: "按流程文件的保留时间删除办结记录的租户编号（逗号分隔，0 表示都保留）", Key: keyForgetTenants, Value: "0",
		Remark: "从其他工具导出的流程文件常带有保留时间（historyTimeToLive）；未列出的租户不会因此删除任何审批记录"}}

// permScript is needed to deploy a process with scripts, beside the tenant's being open
// to them. Its instances run scripts whoever acts.
const permScript = "bpm:model:script"

type deployingKey struct{}

// deploying marks the questions of a deployment.
func deploying(ctx context.Context) context.Context {
	return context.WithValue(ctx, deployingKey{}, true)
}

func (s *Service) scriptsAllowed(ctx context.Context) (bool, error) {
	deploys := ctx.Value(deployingKey{}) != nil
	if deploys && actor.From(ctx).Kind == actor.User && !actor.From(ctx).Can(permScript) {
		return false, nil
	}
	return s.listsTenant(ctx, keyScriptTenants)
}

// listsTenant reports whether a parameter that lists tenants names that of ctx.
func (s *Service) listsTenant(ctx context.Context, key string) (bool, error) {
	if s.ConfigValue == nil {
		return false, nil
	}
	text, err := s.ConfigValue(ctx, key)
	if err != nil {
		return false, err
	}
	tenant := strconv.FormatInt(actor.From(ctx).TenantID, 10)
	return slices.ContainsFunc(strings.Split(text, ","), func(part string) bool { return strings.TrimSpace(part) == tenant }), nil
}

// maxNotice bounds the text of a notice (characters).
const maxNotice = 500

// notifyHandler sends an internal message. to is starter, assignee (of the listener's
// task), or the ids of users with commas between; users who left are passed over.
func notifyHandler() runtime.Handler {
	return runtime.Handler{
		Name: "notify", Zh: "发送站内信", En: "Send an internal message",
		Uses: []runtime.Use{runtime.ForService, runtime.ForExecution, runtime.ForTask},
		Fields: []runtime.Field{
			{Name: "to", Type: "string", Required: true, Zh: "收信人：starter、assignee 或用户编号", En: "Receivers: starter, assignee or ids of users"},
			{Name: "text", Type: "string", Required: true, Zh: "内容", En: "Text"},
		},
		Func: func(ctx context.Context, c *runtime.Call) (engine.Outcome, error) {
			var in struct{ To, Text string }
			if err := c.Decode(&in); err != nil {
				return engine.Outcome{}, err
			}
			users, err := receivers(c, strings.TrimSpace(in.To))
			if err != nil {
				return engine.Outcome{}, err
			}
			if users, err = enabledUsers(ctx, users); err != nil {
				return engine.Outcome{}, err
			}
			text := []rune(in.Text)
			return engine.Outcome{}, system.Notify(ctx, users, msgNotice, map[string]any{"processInstanceName": c.Instance.Name,
				"text": string(text[:min(len(text), maxNotice)]), "detailUrl": detailURL(c.Instance.ID)})
		},
	}
}

func receivers(c *runtime.Call, to string) ([]int64, error) {
	switch to {
	case "starter":
		return []int64{c.Instance.StarterID}, nil
	case "assignee":
		if c.Task == nil {
			return nil, fmt.Errorf("notify: assignee stands in listeners of tasks only")
		}
		return []int64{c.Task.AssigneeID}, nil
	}
	users, ok := parseIDs(to)
	if !ok {
		return nil, fmt.Errorf("notify: %q names no receivers: use starter, assignee or ids of users", to)
	}
	return users, nil
}
