package bpmn

import (
	"fmt"
	"strings"
)

// sequenceFlows resolves the flows by sourceRef and targetRef, which decide over
// the incoming and outgoing elements of the nodes.
func (c *compiler) sequenceFlows() {
	p := c.build.process
	for _, fe := range c.build.flows {
		e := fe.element
		c.at(e)
		if len(p.Flows) >= maxFlows {
			c.fail("too-many-flows", fmt.Sprintf("连线超过 %d 条", maxFlows), fmt.Sprintf("the process has more than %d flows", maxFlows))
			return
		}
		source, ok1 := c.end(e, "sourceRef")
		target, ok2 := c.end(e, "targetRef")
		if !ok1 || !ok2 {
			continue
		}
		from, to := &p.Nodes[source], &p.Nodes[target]
		if from.Parent != to.Parent || from.Parent != fe.parent {
			c.fail("cross-scope", fmt.Sprintf("连线跨越了子流程边界（%s → %s），起点和终点须与连线在同一层", from.ID, to.ID),
				fmt.Sprintf("the flow crosses a sub-process border (%s to %s); both ends must be on its own level", from.ID, to.ID))
			continue
		}
		f := Flow{Index: len(p.Flows), ID: e.attr("id"), Name: e.attr("name"), At: e.at, Source: source, Target: target, Parent: fe.parent,
			Skip: c.expression("skipExpression", e.vend("skipExpression")), Listeners: c.listeners(e, "executionListener", flowEvents)}
		if f.ID != "" {
			c.identity(f.ID)
		} else {
			f.ID = fmt.Sprintf("_flow_%d", f.Index)
		}
		f.Condition = c.flowCondition(e)
		f.Extensions = c.foreign(e)
		p.Flows = append(p.Flows, f)
		if _, taken := p.flows[f.ID]; !taken {
			p.flows[f.ID] = f.Index
		}
		from.Outgoing = append(from.Outgoing, f.Index)
		to.Incoming = append(to.Incoming, f.Index)
	}
	c.defaults()
}

func (c *compiler) end(e *element, name string) (int, bool) {
	ref := local(e.attr(name))
	i, ok := c.build.process.nodes[ref]
	if !ok && !c.build.missing[ref] {
		c.fail("unknown-reference", fmt.Sprintf("连线的 %s 指向不存在的节点 %s", name, quoted(ref)), fmt.Sprintf("%s of the flow names no node: %s", name, quoted(ref)))
	}
	return i, ok
}

func quoted(s string) string { return "“" + clip(s) + "”" }

func (c *compiler) defaults() {
	p := c.build.process
	for i := range p.Nodes {
		ref := local(c.build.nodes[i].attr("default"))
		if ref == "" {
			continue
		}
		f, ok := p.flows[ref]
		c.at(c.build.nodes[i])
		if !ok || p.Flows[f].Source != i {
			c.fail("default-flow", fmt.Sprintf("默认连线 %s 不是从本节点引出的连线", quoted(ref)), fmt.Sprintf("default flow %s does not leave this node", quoted(ref)))
			continue
		}
		switch k := p.Nodes[i].Kind; {
		case k == KindExclusiveGateway, k == KindInclusiveGateway, k.Activity():
			p.Nodes[i].Default = f
		default:
			c.fail("default-flow", "此类节点不能有默认连线", "a node of this type has no default flow")
		}
	}
}

func (c *compiler) flowCondition(e *element) *Condition {
	ce := e.child("conditionExpression")
	if ce == nil {
		return nil
	}
	text, resource := strings.TrimSpace(ce.text), ce.vend("resource")
	language := ce.attr("language")
	if text == "" && resource == "" {
		c.warn("empty-condition", "条件为空，连线按无条件处理", "the condition is empty; the flow counts as unconditional")
		return nil
	}
	if resource == "" && !scripted(language) {
		return &Condition{Expression: c.condition("conditionExpression", text)}
	}
	script := &Script{Format: language, Source: ce.text, Resource: resource}
	c.checkScript(script)
	return &Condition{Script: script}
}

// scripted tells a scripting language from the names, URIs included, that tools
// write for plain expressions.
func scripted(language string) bool {
	switch l := strings.ToLower(language); {
	case l == "", l == "juel", l == "el", strings.Contains(l, "://"):
		return false
	}
	return true
}
