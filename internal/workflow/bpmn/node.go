package bpmn

import (
	"fmt"
	"strconv"
	"strings"
)

// node fills one node from its element.
func (c *compiler) node(i int) {
	n, e := &c.build.process.Nodes[i], c.build.nodes[i]
	c.at(e)
	n.AsyncBefore = e.flag(false, "asyncBefore", "async")
	n.AsyncAfter = e.flag(false, "asyncAfter", "asyncLeave")
	n.Exclusive = e.flag(true, "exclusive") && e.flag(true, "asyncLeaveExclusive")
	n.Retry = c.retry(e)
	n.JobPriority = c.expression("jobPriority", e.vend("jobPriority"))
	c.integer("jobPriority", n.JobPriority)
	n.Skip = c.expression("skipExpression", e.vend("skipExpression"))
	n.Listeners = c.listeners(e, "executionListener", nodeEvents)
	n.Properties = properties(e)
	n.Extensions = c.foreign(e)
	n.Inputs, n.Outputs = c.parameters(e)
	c.ignoredAttributes(e)
	if n.Kind != KindCallActivity && len(e.extensions("in", "out")) > 0 {
		c.fail("unsupported-extension", "此类元素不支持变量映射 in/out，请改用输入输出参数", "elements of this type do not support the variable mappings in and out; use input and output parameters")
	}
	switch {
	case n.Kind.Event():
		c.event(n, e)
	case n.Kind.Activity():
		c.activity(n, e)
	default:
		c.gateway(n, e)
	}
	if n.Kind == KindUserTask || n.Kind == KindStartEvent {
		n.Form = c.form(e)
		n.Initiator = e.vend("initiator")
	}
}

func (c *compiler) activity(n *Node, e *element) {
	if boolean(e.attr("isForCompensation"), false) {
		c.fail("unsupported", "暂不支持补偿活动（isForCompensation），请改为普通活动", "compensation activities (isForCompensation) are not supported; make it an ordinary activity")
	}
	if n.Loop = c.loop(n, e); n.Loop != nil && n.TriggeredByEvent {
		c.fail("loop-place", "事件子流程不能设置循环", "an event sub-process cannot loop")
	}
	n.Mapped = c.mappedErrors(e)
	if e.child("dataInputAssociation") != nil || e.child("dataOutputAssociation") != nil {
		c.warn("data-association", "数据关联不参与执行，请改用输入输出参数", "data associations are not executed; use input and output parameters")
	}
	switch n.Kind {
	case KindUserTask:
		n.User = c.userTask(e)
		n.TaskListeners = c.listeners(e, "taskListener", taskEvents)
	case KindServiceTask:
		n.Service = c.service(e)
		c.wantsCode(n.Service != nil)
	case KindSendTask:
		n.Service = c.service(e)
		n.Message = c.messageRef(e, e)
		c.wantsCode(n.Service != nil || n.Message != nil)
	case KindReceiveTask:
		c.receiveTask(n, e)
	case KindScriptTask:
		n.Script = c.scriptTask(e)
	case KindBusinessRuleTask:
		n.Decision = c.decision(e)
		n.Service = c.service(e)
		c.wantsCode(n.Decision != nil || n.Service != nil)
	case KindCallActivity:
		n.Call = c.call(e)
	}
}

func (c *compiler) wantsCode(given bool) {
	if !given {
		c.fail("no-implementation", "没有配置实现方式，请填写 class、expression、delegateExpression 或 type",
			"there is no implementation; give class, expression, delegateExpression or type")
	}
}

func (c *compiler) gateway(n *Node, e *element) {
	if n.Kind != KindEventGateway {
		return
	}
	if boolean(e.attr("instantiate"), false) {
		c.fail("unsupported", "暂不支持用事件网关启动流程（instantiate）", "an event-based gateway that starts the process (instantiate) is not supported")
	}
	if strings.EqualFold(e.attr("eventGatewayType"), "Parallel") {
		c.fail("unsupported", "暂不支持并行事件网关（eventGatewayType=Parallel）", "parallel event-based gateways (eventGatewayType=Parallel) are not supported")
	}
}

func (c *compiler) receiveTask(n *Node, e *element) {
	if boolean(e.attr("instantiate"), false) {
		c.fail("unsupported", "暂不支持用接收任务启动流程（instantiate），请改用消息开始事件", "a receive task that starts the process (instantiate) is not supported; use a message start event")
	}
	n.Message = c.messageRef(e, e)
	if n.Message == nil {
		c.warn("no-message", "接收任务没有指定消息，只能由管理员触发", "the receive task names no message; only an administrator can trigger it")
	}
}

func (c *compiler) userTask(e *element) *UserTask {
	u := &UserTask{
		Assignee: c.expression("assignee", e.vend("assignee")), Owner: c.expression("owner", e.vend("owner")),
		CandidateUsers:    c.expressions("candidateUsers", e.vend("candidateUsers")),
		CandidateGroups:   c.expressions("candidateGroups", e.vend("candidateGroups")),
		DueDate:           c.expression("dueDate", e.vend("dueDate")),
		FollowUpDate:      c.expression("followUpDate", e.vend("followUpDate")),
		Priority:          c.expression("priority", e.vend("priority")),
		Category:          c.expression("category", e.vend("category")),
		Calendar:          e.vend("businessCalendarName"),
		CandidateStrategy: orElse(e.vend("candidateStrategy"), extensionText(e, "candidateStrategy")),
		CandidateParam:    orElse(e.vend("candidateParam"), extensionText(e, "candidateParam")),
	}
	c.due("dueDate", u.DueDate)
	c.due("followUpDate", u.FollowUpDate)
	c.integer("priority", u.Priority)
	if h := e.child("humanPerformer"); h != nil && !u.Assignee.Present() {
		u.Assignee = c.expression("humanPerformer", resource(h))
	}
	for _, owner := range e.all("potentialOwner") {
		for _, part := range list(resource(owner)) {
			user, text := candidate(part)
			if user {
				u.CandidateUsers = append(u.CandidateUsers, c.expression("potentialOwner", text))
			} else {
				u.CandidateGroups = append(u.CandidateGroups, c.expression("potentialOwner", text))
			}
		}
	}
	if e.attr("name") == "" {
		c.warn("no-name", "用户任务没有名称，部署前请填写", "the user task has no name; give one before deploying")
	}
	return u
}

// due judges a literal date or period.
func (c *compiler) due(what string, e Expression) {
	text := literal(e)
	if text == "" {
		return
	}
	if _, err := ParseTimer(TimerDate, text); err != nil {
		c.fail("due-date", what+" "+quoted(text)+" 无效："+textOf(err, "zh"), what+" "+quoted(text)+" is not valid: "+textOf(err, "en"))
	}
}

// integer judges a literal number.
func (c *compiler) integer(what string, e Expression) {
	text := literal(e)
	if text == "" {
		return
	}
	if _, err := strconv.ParseInt(text, 10, 32); err != nil {
		c.fail("number", what+" "+quoted(text)+" 须为整数或表达式", what+" "+quoted(text)+" is neither a whole number nor an expression")
	}
}

func extensionText(e *element, name string) string {
	if x := e.extension(name); x != nil {
		return strings.TrimSpace(x.text)
	}
	return ""
}

// resource gives the text of resourceAssignmentExpression, whose inner element
// is formalExpression or expression.
func resource(holder *element) string {
	if r := holder.child("resourceAssignmentExpression"); r != nil {
		return orElse(r.textOf("formalExpression"), r.textOf("expression"))
	}
	return ""
}

// candidate reads user(x), group(x) or a bare name, which is a group.
func candidate(part string) (user bool, text string) {
	if inner, ok := strings.CutPrefix(part, "user("); ok {
		return true, strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	if inner, ok := strings.CutPrefix(part, "group("); ok {
		return false, strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	return false, part
}

// starters reads who may start a process.
func starters(e *element) (users, groups []string) {
	users, groups = list(e.vend("candidateStarterUsers")), list(e.vend("candidateStarterGroups"))
	for _, holder := range e.extensions("potentialStarter") {
		for _, part := range list(resource(holder)) {
			if user, text := candidate(part); user {
				users = append(users, text)
			} else {
				groups = append(groups, text)
			}
		}
	}
	return users, groups
}

func (c *compiler) scriptTask(e *element) *Script {
	s := &Script{Format: e.attr("scriptFormat"), Resource: e.vend("resource"),
		ResultVariable: e.vend("resultVariable"), AutoStore: e.flag(false, "autoStoreVariables")}
	if source := e.child("script"); source != nil && s.Resource == "" {
		s.Source = source.text
	}
	c.checkScript(s)
	return s
}

// checkScript judges the format; the engine compiles the source at deployment.
func (c *compiler) checkScript(s *Script) {
	switch strings.ToLower(s.Format) {
	case "javascript", "js", "ecmascript":
	case "juel":
		c.expression("script", s.Source)
	case "":
		c.fail("script-format", "脚本没有指定格式，请选择 javascript 或 juel", "the script has no format; choose javascript or juel")
	default:
		c.fail("script-format", "不支持的脚本格式 "+quoted(s.Format)+"，请改用 javascript 或 juel", "script format "+quoted(s.Format)+" is not supported; use javascript or juel")
	}
	c.use(UseFile, s.Resource)
	if s.Resource == "" && strings.TrimSpace(s.Source) == "" {
		c.fail("empty-script", "脚本内容为空", "the script is empty")
	}
}

func (c *compiler) call(e *element) *CallActivity {
	call := &CallActivity{
		Element: c.expression("calledElement", calledKey(e.attr("calledElement"))), Binding: Binding(orElse(e.vend("calledElementBinding"), string(BindLatest))),
		ByID: e.vend("calledElementType") == "id", Version: c.expression("calledElementVersion", e.vend("calledElementVersion")),
		VersionTag:  c.expression("calledElementVersionTag", e.vend("calledElementVersionTag")),
		BusinessKey: c.expression("businessKey", e.vend("businessKey")), InheritKey: e.flag(false, "inheritBusinessKey"),
		InheritVariables: e.flag(false, "inheritVariables"), Name: c.expression("processInstanceName", e.vend("processInstanceName")),
		IDVariable: e.vend("idVariableName"), LocalOut: e.flag(false, "useLocalScopeForOutParameters"),
		In: c.mappings(e, "in"), Out: c.mappings(e, "out"),
	}
	if e.flag(false, "sameDeployment") {
		call.Binding = BindDeployment
	}
	for _, in := range e.extensions("in") {
		if key := in.attr("businessKey"); key != "" {
			call.BusinessKey = c.expression("businessKey", key)
		}
	}
	if !call.Element.Present() {
		c.fail("no-called-element", "调用活动没有指定被调用的流程（calledElement）", "the call activity names no process (calledElement)")
	}
	c.binding(call.Binding, call.Version, call.VersionTag)
	if !call.ByID {
		c.use(UseProcess, literal(call.Element))
	}
	return call
}

// calledKey strips the prefix of a called element unless it is an expression or a
// definition id, which hold colons of their own.
func calledKey(ref string) string {
	if strings.Contains(ref, "{") || strings.Count(ref, ":") != 1 {
		return ref
	}
	return local(ref)
}

func (c *compiler) binding(b Binding, version, tag Expression) {
	c.integer("version", version)
	switch {
	case b != BindLatest && b != BindDeployment && b != BindVersion && b != BindVersionTag:
		c.fail("binding", "未知的绑定方式 "+quoted(string(b)), "unknown binding "+quoted(string(b)))
	case b == BindVersion && !version.Present():
		c.fail("binding", "按版本绑定时须填写版本号", "binding by version needs the version")
	case b == BindVersionTag && !tag.Present():
		c.fail("binding", "按版本标签绑定时须填写版本标签", "binding by version tag needs the tag")
	}
}

func (c *compiler) decision(e *element) *Decision {
	ref := e.vend("decisionRef")
	if ref == "" {
		return nil
	}
	d := &Decision{Ref: c.expression("decisionRef", ref), Binding: Binding(orElse(e.vend("decisionRefBinding"), string(BindLatest))),
		Version:    c.expression("decisionRefVersion", e.vend("decisionRefVersion")),
		VersionTag: c.expression("decisionRefVersionTag", e.vend("decisionRefVersionTag")),
		Result:     orElse(e.vend("mapDecisionResult"), "resultList"), ResultVariable: e.vend("resultVariable", "resultVariableName")}
	c.binding(d.Binding, d.Version, d.VersionTag)
	c.use(UseDecision, literal(d.Ref))
	switch d.Result {
	case "singleEntry", "singleResult", "collectEntries", "resultList":
	default:
		c.fail("decision-result", "未知的决策结果映射 "+quoted(d.Result), fmt.Sprintf("unknown mapDecisionResult %s", quoted(d.Result)))
	}
	return d
}
