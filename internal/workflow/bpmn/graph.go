package bpmn

import "fmt"

// graph checks the shape of a linked process.
func (c *compiler) graph(e *element) {
	p := c.build.process
	c.at(e)
	c.starts(Root, &p.Scope)
	c.sameErrors(p.handlers(&p.Scope))
	for i := range p.Nodes {
		c.at(c.build.nodes[i])
		n := &p.Nodes[i]
		c.flowEnds(n)
		switch n.Kind {
		case KindSubProcess:
			c.starts(i, &n.Scope)
			c.sameErrors(p.handlers(&n.Scope))
		case KindEventGateway:
			c.eventGateway(n)
		case KindCallActivity:
			if literal(n.Call.Element) == p.ID && p.ID != "" {
				c.warn("recursion", "调用活动调用了自身所在的流程，嵌套超过 16 层会失败", "the call activity calls its own process; more than 16 levels fail")
			}
		}
		c.conditions(n)
		c.sameErrors(n.Boundaries)
	}
	c.unreachable()
}

// starts checks the start events of a scope.
func (c *compiler) starts(node int, scope *Scope) {
	p := c.build.process
	none, messages := 0, map[string]bool{}
	for _, s := range scope.Starts {
		switch e := p.Nodes[s].Event; {
		case e.Type == EventNone:
			none++
		case e.Type == EventMessage && messages[e.Name.Source]:
			c.fail("several-starts", "两个开始事件使用同一消息 "+quoted(e.Name.Source), "two start events use the message "+quoted(e.Name.Source))
		case e.Type == EventMessage:
			messages[e.Name.Source] = true
		}
	}
	switch {
	case node == Root && len(scope.Starts) == 0:
		c.fail("no-start", "流程没有开始事件", "the process has no start event")
	case node == Root && none > 1:
		c.fail("several-starts", "流程有多个空开始事件，只能保留一个", "the process has several none start events; keep one")
	case node != Root && len(scope.Starts) == 0:
		c.fail("no-start", "子流程没有开始事件", "the sub-process has no start event")
	case node != Root && len(scope.Starts) > 1:
		c.fail("several-starts", "子流程有多个开始事件，只能保留一个", "the sub-process has several start events; keep one")
	}
}

// handlers gives the start events of the event sub-processes of a scope.
func (p *Process) handlers(scope *Scope) []int {
	var starts []int
	for _, sub := range scope.EventSubs {
		starts = append(starts, p.Nodes[sub].Starts...)
	}
	return starts
}

// sameErrors refuses events that catch one error in one place: which of them
// would take it is nobody's intention.
func (c *compiler) sameErrors(events []int) {
	codes := map[string]bool{}
	for _, i := range events {
		e := c.build.process.Nodes[i].Event
		if e.Type != EventError {
			continue
		}
		if codes[e.ErrorCode] {
			owner := c.owner
			c.at(c.build.nodes[i]).fail("same-error", "同一处已有事件捕获错误 "+quoted(e.ErrorCode), "another event in this place catches the error "+quoted(e.ErrorCode))
			c.at(owner)
		}
		codes[e.ErrorCode] = true
	}
}

// flowEnds checks which nodes flows may enter and leave.
func (c *compiler) flowEnds(n *Node) {
	link := n.Event != nil && n.Event.Type == EventLink
	noIn := n.Kind == KindStartEvent || n.Kind == KindBoundaryEvent || n.TriggeredByEvent || link && n.Kind == KindCatchEvent
	noOut := n.Kind == KindEndEvent || n.TriggeredByEvent || link && n.Kind == KindThrowEvent
	if noIn && len(n.Incoming) > 0 {
		c.fail("flow-in", "此元素不能有连入的连线", "no flow may lead into this element")
	}
	if noOut && len(n.Outgoing) > 0 {
		c.fail("flow-out", "此元素不能有引出的连线", "no flow may leave this element")
	}
	if len(n.Outgoing) > 0 || noOut {
		return
	}
	switch {
	case n.Kind == KindEventGateway:
	case n.Kind.Gateway(), n.Kind == KindStartEvent, n.Kind == KindBoundaryEvent:
		c.warn("dead-end", "此元素没有引出的连线，分支到此结束", "no flow leaves this element; the branch ends here")
	}
}

// eventGateway checks the targets (BPMN 2.0.2 §10.6.6).
func (c *compiler) eventGateway(n *Node) {
	p := c.build.process
	if len(n.Outgoing) < 2 {
		c.report(severityIf(len(n.Outgoing) == 0), "event-gateway", "事件网关至少需要两条引出的连线", "an event-based gateway needs at least two outgoing flows")
	}
	for _, f := range n.Outgoing {
		t := &p.Nodes[p.Flows[f].Target]
		waits := t.Kind == KindReceiveTask || t.Kind == KindCatchEvent && t.Event.Type != EventLink
		if !waits {
			c.fail("event-gateway", fmt.Sprintf("事件网关只能连到捕获事件或接收任务，%s 是 %s", quoted(t.ID), t.Kind),
				fmt.Sprintf("an event-based gateway leads to catch events and receive tasks only; %s is a %s", quoted(t.ID), t.Kind))
		} else if len(t.Incoming) > 1 {
			c.fail("event-gateway", "事件网关的目标 "+quoted(t.ID)+" 还有其他连入的连线", "target "+quoted(t.ID)+" of the event-based gateway has other incoming flows")
		}
	}
}

func severityIf(bad bool) Severity {
	if bad {
		return Error
	}
	return Warning
}

// conditions checks the conditions of the flows that leave a node.
func (c *compiler) conditions(n *Node) {
	p := c.build.process
	if n.Default != None && p.Flows[n.Default].Condition != nil {
		c.warn("default-condition", "默认连线上的条件不起作用", "the condition on the default flow has no effect")
	}
	plain, conditional := 0, 0
	for _, f := range n.Outgoing {
		switch {
		case f == n.Default:
		case p.Flows[f].Condition == nil:
			plain++
		default:
			conditional++
		}
	}
	choice := n.Kind == KindExclusiveGateway || n.Kind == KindInclusiveGateway
	switch {
	case conditional > 0 && !choice && !n.Kind.Activity():
		c.warn("condition-ignored", fmt.Sprintf("从 %s 引出的连线上的条件不起作用", n.Kind), fmt.Sprintf("conditions on flows that leave a %s have no effect", n.Kind))
	case n.Kind == KindExclusiveGateway && len(n.Outgoing) > 1 && plain > 0:
		c.warn("no-condition", "排他网关有连线既无条件也不是默认连线，将总被视为成立", "a flow of the exclusive gateway has no condition and is not the default; it always holds")
	case choice && len(n.Outgoing) > 1 && plain == 0 && n.Default == None:
		c.warn("no-default", "网关没有默认连线，条件都不成立时流程会停在此处", "the gateway has no default flow; the process stops here when no condition holds")
	}
}

// unreachable warns of nodes that no start event of their scope leads to.
func (c *compiler) unreachable() {
	p := c.build.process
	if len(c.build.missing) > 0 {
		return // the way may lead through what was refused
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Kind == KindStartEvent || n.TriggeredByEvent {
			continue
		}
		found := false
		starts := p.ScopeOf(n.Parent).Starts
		for _, s := range starts {
			found = found || p.reach[s].Has(i)
		}
		if !found && len(starts) > 0 {
			c.at(c.build.nodes[i]).warn("unreachable", "从开始事件无法到达此元素", "no start event leads to this element")
		}
	}
}
