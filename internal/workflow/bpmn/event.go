package bpmn

import (
	"fmt"
	"strings"
)

// definitionTypes maps the event definitions of release 1; the others are refused.
var definitionTypes = map[string]EventType{
	"timerEventDefinition": EventTimer, "messageEventDefinition": EventMessage, "signalEventDefinition": EventSignal,
	"errorEventDefinition": EventError, "linkEventDefinition": EventLink, "terminateEventDefinition": EventTerminate,
}

// place says where an event stands, for the table of what may stand there.
type place uint8

const (
	topStart place = iota
	innerStart
	eventSubStart
	catching
	throwing
	ending
	boundary
)

var placeNames = [...][2]string{
	topStart: {"流程的开始事件", "the start event of a process"}, innerStart: {"子流程的开始事件", "the start event of a sub-process"},
	eventSubStart: {"事件子流程的开始事件", "the start event of an event sub-process"}, catching: {"中间捕获事件", "an intermediate catch event"},
	throwing: {"中间抛出事件", "an intermediate throw event"}, ending: {"结束事件", "an end event"}, boundary: {"边界事件", "a boundary event"},
}

// allowed is the table of event types by place (BPMN 2.0.2 table 10.93, less
// what release 1 refuses).
var allowed = [...][]EventType{
	topStart:      {EventNone, EventTimer, EventMessage, EventSignal},
	innerStart:    {EventNone},
	eventSubStart: {EventTimer, EventMessage, EventSignal, EventError},
	catching:      {EventTimer, EventMessage, EventSignal, EventLink},
	throwing:      {EventNone, EventMessage, EventSignal, EventLink},
	ending:        {EventNone, EventMessage, EventSignal, EventError, EventTerminate},
	boundary:      {EventTimer, EventMessage, EventSignal, EventError},
}

func (c *compiler) placeOf(n *Node) place {
	switch n.Kind {
	case KindCatchEvent:
		return catching
	case KindThrowEvent:
		return throwing
	case KindEndEvent:
		return ending
	case KindBoundaryEvent:
		return boundary
	}
	switch {
	case n.Parent == Root:
		return topStart
	case c.build.process.Nodes[n.Parent].TriggeredByEvent:
		return eventSubStart
	}
	return innerStart
}

// event fills an event node.
func (c *compiler) event(n *Node, e *element) {
	n.Event = &Event{}
	at := c.placeOf(n)
	switch at {
	case boundary:
		n.Interrupting = boolean(e.attr("cancelActivity"), true)
	case eventSubStart:
		n.Interrupting = boolean(e.attr("isInterrupting"), true)
	}
	d, ok := c.eventDefinition(e)
	if !ok {
		return
	}
	if d != nil {
		n.Event.Type = definitionTypes[d.name]
		c.ignoredAttributes(d)
		n.Extensions = append(n.Extensions, c.foreign(d)...)
	}
	permitted := false
	for _, t := range allowed[at] {
		permitted = permitted || t == n.Event.Type
	}
	if !permitted {
		c.fail("event-type", fmt.Sprintf("%s不能是 %s 类型", placeNames[at][0], n.Event.Type), fmt.Sprintf("%s cannot be of type %s", placeNames[at][1], n.Event.Type))
		return
	}
	if d != nil {
		c.eventDetails(n, e, d)
	}
	if n.Event.Type == EventError && !n.Interrupting {
		c.fail("error-interrupts", "错误事件只能是中断型", "an error event always interrupts")
	}
}

// eventDefinition gives the one definition of an event; nil for a none event.
func (c *compiler) eventDefinition(e *element) (*element, bool) {
	var found *element
	for _, d := range e.children {
		if d.vendor != "" || !strings.HasSuffix(d.name, "EventDefinition") && d.name != "eventDefinitionRef" {
			continue
		}
		if _, known := definitionTypes[d.name]; !known {
			c.fail("unsupported", "暂不支持 "+d.name+"，请改用其他事件", d.name+" is not supported; use another event")
			return nil, false
		}
		if found != nil {
			c.fail("unsupported", "暂不支持一个事件含多个触发定义", "several event definitions in one event are not supported")
			return nil, false
		}
		found = d
	}
	return found, true
}

func (c *compiler) eventDetails(n *Node, e, d *element) {
	throws := n.Kind == KindThrowEvent || n.Kind == KindEndEvent
	switch n.Event.Type {
	case EventTimer:
		n.Event.Timer = c.timer(d)
	case EventMessage:
		c.messageEvent(n, e, d, throws)
	case EventSignal:
		c.signalEvent(n, d)
	case EventError:
		c.errorEvent(n, d, throws)
	case EventLink:
		n.Event.Link = orElse(d.attr("name"), n.Name)
		if n.Event.Link == "" {
			c.fail("link", "链接事件没有名称", "the link event has no name")
		}
	case EventTerminate:
		n.Event.TerminateAll = d.flag(false, "terminateAll")
	}
}

func (c *compiler) messageEvent(n *Node, e, d *element, throws bool) {
	if m := c.messageRef(d, e); m != nil {
		*n.Event = *m
	}
	if throws {
		n.Service = c.service(d)
	}
	if !n.Event.Name.Present() && n.Service == nil {
		c.fail("no-message", "消息事件没有指定消息", "the message event names no message")
	}
}

// messageRef reads the message a definition or task refers to, nil without one.
// Engines also accept a name in place of the id of a message element.
func (c *compiler) messageRef(e, owner *element) *Event {
	ref := e.attr("messageRef")
	name := e.vend("messageExpression")
	if ref == "" && name == "" {
		return nil
	}
	m := &Event{Type: EventMessage, Ref: local(ref)}
	if d, ok := definition(c.doc.Messages, m.Ref); ok {
		name = orElse(name, d.Name)
	} else if ref != "" {
		c.fail("unknown-reference", "引用的消息不存在："+quoted(ref), "there is no message "+quoted(ref))
	}
	m.Name = c.expression("message", name)
	for _, p := range properties(owner) {
		if p.Name == "correlationKey" {
			m.Correlation = c.expression("correlationKey", p.Value)
		}
	}
	return m
}

func (c *compiler) signalEvent(n *Node, d *element) {
	ref := d.attr("signalRef")
	name := d.vend("signalExpression")
	n.Event.Ref = local(ref)
	if s, ok := definition(c.doc.Signals, n.Event.Ref); ok {
		name = orElse(name, s.Name)
		n.Event.Local = s.Scope == "processInstance"
	} else if ref != "" {
		c.fail("unknown-reference", "引用的信号不存在："+quoted(ref), "there is no signal "+quoted(ref))
	}
	n.Event.Name = c.expression("signal", name)
	n.Event.Async = d.flag(false, "async")
	n.Event.In = c.mappings(d, "in")
	if ref == "" && name == "" {
		c.fail("no-signal", "信号事件没有指定信号", "the signal event names no signal")
	}
}

// errorEvent resolves the code. All three engines take errorRef as the code
// itself when no error element has that id.
func (c *compiler) errorEvent(n *Node, d *element, throws bool) {
	ref := local(d.attr("errorRef"))
	n.Event.Ref = ref
	n.Event.ErrorCode = ref
	if def, ok := definition(c.doc.Errors, ref); ok {
		n.Event.ErrorCode = def.Code
		n.Event.ErrorMessage = c.expression("errorMessage", def.Text)
	}
	n.Event.CodeVariable = d.vend("errorCodeVariable", "errorVariableName")
	n.Event.MessageVariable = d.vend("errorMessageVariable")
	if throws && n.Event.ErrorCode == "" {
		c.fail("no-error", "错误结束事件没有指定错误代码", "the error end event names no error")
	}
}

var timerElements = [...]string{TimerDate: "timeDate", TimerDuration: "timeDuration", TimerCycle: "timeCycle"}

// timer reads a timer definition; a literal must parse.
func (c *compiler) timer(d *element) *Timer {
	t := &Timer{Calendar: d.vend("businessCalendarName")}
	given := 0
	for kind := TimerDate; kind <= TimerCycle; kind++ {
		name := timerElements[kind]
		x := d.child(name)
		if x == nil || strings.TrimSpace(x.text) == "" {
			continue
		}
		given++
		t.Kind, t.Text = kind, c.expression(name, x.text)
		t.EndDate = c.expression("endDate", x.vend("endDate"))
		c.due("endDate", t.EndDate)
	}
	if given != 1 {
		c.fail("timer", "定时器须且只能填写时间点、时长、周期之一", "a timer has exactly one of timeDate, timeDuration and timeCycle")
		return t
	}
	if t.Text.Parsed != nil && t.Text.Parsed.IsLiteral() {
		if _, err := ParseTimer(t.Kind, t.Text.Source); err != nil {
			c.fail("timer", "定时器 "+quoted(t.Text.Source)+" 无效："+textOf(err, "zh"), "timer "+quoted(t.Text.Source)+" is not valid: "+textOf(err, "en"))
		}
	}
	return t
}
