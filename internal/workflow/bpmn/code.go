package bpmn

import (
	"fmt"
	"strings"
)

// code reads which of the ways of binding code are given, through the accessor
// of the element's attributes: tasks carry them with a vendor prefix, extension
// elements without. More than one, or none, is for the caller to refuse.
func (c *compiler) code(attr func(string) string) (kind CodeKind, name string, expr Expression, given int) {
	if v := attr("class"); v != "" {
		kind, name, given = CodeClass, v, given+1
	}
	if v := attr("delegateExpression"); v != "" {
		kind, name, given = CodeDelegate, c.bean(v), given+1
	}
	if v := attr("expression"); v != "" {
		kind, name, expr, given = CodeExpression, "", c.expression("expression", v), given+1
	}
	return kind, name, expr, given
}

// bean gives the handler name in a delegate expression.
func (c *compiler) bean(text string) string {
	expr := c.expression("delegateExpression", text)
	if expr.Parsed == nil {
		return ""
	}
	name := expr.Parsed.Identifier()
	if expr.Parsed.IsLiteral() || name == "" {
		c.fail("delegate", "delegateExpression 须写成 ${处理器名称}，现为 "+quoted(text), "delegateExpression must be ${handlerName}, not "+quoted(text))
	}
	return name
}

// service reads the implementation of a task or message throw event, nil
// without one.
func (c *compiler) service(e *element) *Service {
	kind, name, expr, given := c.code(func(name string) string { return e.vend(name) })
	s := &Service{Kind: kind, Name: name, Expression: expr, ResultVariable: e.vend("resultVariable", "resultVariableName"),
		LocalResult: e.flag(false, "useLocalScopeForResultVariable"), Triggerable: e.flag(false, "triggerable")}
	if v := e.vend("type"); v != "" {
		given++
		if s.Kind, s.Name = CodeTyped, v; v == "external" || v == "external-worker" {
			s.Kind, s.Name = CodeExternal, e.vend("topic")
			if s.Name == "" {
				c.fail("no-topic", "外部任务没有填写主题（topic）", "the external task has no topic")
			}
		}
	}
	if connector := e.extension("connector"); connector != nil {
		given++
		s.Kind, s.Name = CodeConnector, childText(connector, "connectorId")
		s.Inputs, s.Outputs = c.inputOutput(connector.vendors("inputOutput"))
	}
	if given == 0 {
		return nil
	}
	if given > 1 {
		c.fail("several-implementations", "配置了多种实现方式，只能保留一种", "several implementations are given; keep one")
	}
	s.Fields = c.fields(e.extensions("field"))
	c.use(UseService, s.Name)
	return s
}

// childText gives the trimmed text of a vendor child.
func childText(e *element, name string) string {
	if list := e.vendors(name); len(list) > 0 {
		return strings.TrimSpace(list[0].text)
	}
	return ""
}

// fields reads injected values: attribute stringValue or expression, or a child
// string or expression.
func (c *compiler) fields(elements []*element) []Field {
	var fields []Field
	for _, e := range elements {
		f := Field{Name: e.attr("name")}
		if text := orElse(e.attr("expression"), childText(e, "expression")); text != "" {
			f.Expression = c.expression("field "+f.Name, text)
		} else if list := e.vendors("string"); len(list) > 0 {
			f.Value = list[0].text
		} else {
			f.Value = e.attr("stringValue")
		}
		if f.Name == "" {
			c.warn("field", "注入字段没有名称", "an injected field has no name")
		}
		fields = append(fields, f)
	}
	return fields
}

// listenerEvents are the events of one kind of listener and the one meant when
// none is written.
type listenerEvents struct {
	otherwise string
	names     []string
}

var (
	processEvents = listenerEvents{"", []string{"start", "end"}}
	nodeEvents    = listenerEvents{"", []string{"start", "end"}}
	flowEvents    = listenerEvents{"take", []string{"take"}}
	taskEvents    = listenerEvents{"", []string{"create", "assignment", "complete", "delete", "update", "timeout", "all"}}
)

func (l listenerEvents) has(name string) bool {
	for _, n := range l.names {
		if n == name {
			return true
		}
	}
	return false
}

// listeners reads the listeners of an element, in document order.
func (c *compiler) listeners(e *element, name string, events listenerEvents) []Listener {
	var listeners []Listener
	for _, x := range e.extensions(name) {
		// On a flow every engine runs any listener when the flow is taken.
		event := orElse(x.attr("event"), events.otherwise)
		if e.name == "sequenceFlow" && nodeEvents.has(event) {
			event = "take"
		}
		l := Listener{ID: x.attr("id"), Event: event, Fields: c.fields(x.vendors("field")), At: x.at}
		if !events.has(l.Event) {
			c.fail("listener-event", fmt.Sprintf("监听器的事件 %s 无效，可用：%s", quoted(l.Event), strings.Join(events.names, "、")),
				fmt.Sprintf("listener event %s is not valid; use %s", quoted(l.Event), strings.Join(events.names, ", ")))
		}
		var given int
		l.Kind, l.Name, l.Expression, given = c.code(x.attr)
		if script := c.listenerScript(x); script != nil {
			l.Kind, l.Script = CodeScript, script
			given++
		}
		if given != 1 {
			c.fail("listener-code", "监听器须且只能配置一种实现：class、expression、delegateExpression 或脚本",
				"a listener has exactly one of class, expression, delegateExpression and script")
		}
		if l.Event == "timeout" {
			l.Timer = c.listenerTimer(x)
		}
		for _, a := range x.attributes {
			if a.name == "onTransaction" || strings.HasPrefix(a.name, "customPropertiesResolver") {
				c.fail("unsupported-attribute", "监听器不支持属性 "+a.name, "listeners do not support the attribute "+a.name)
			}
		}
		if name == "taskListener" {
			c.use(UseTaskListener, l.Name)
		} else {
			c.use(UseListener, l.Name)
		}
		listeners = append(listeners, l)
	}
	return listeners
}

func (c *compiler) listenerScript(x *element) *Script {
	list := x.vendors("script")
	if len(list) == 0 {
		return nil
	}
	s := c.scriptValue(list[0])
	s.ResultVariable = list[0].attr("resultVariable")
	return s
}

// scriptValue reads a vendor script element.
func (c *compiler) scriptValue(x *element) *Script {
	s := &Script{Format: orElse(x.attr("scriptFormat"), x.attr("language")), Resource: x.attr("resource"), Source: x.text}
	c.checkScript(s)
	return s
}

func (c *compiler) listenerTimer(x *element) *Timer {
	if t := x.child("timerEventDefinition"); t != nil {
		return c.timer(t)
	}
	c.fail("listener-timer", "超时监听器没有配置定时器", "a timeout listener has no timer")
	return nil
}
