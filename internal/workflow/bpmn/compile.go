package bpmn

import (
	"fmt"
	"strings"
	"unicode"
)

// build is a process while it is compiled.
type build struct {
	process *Process
	nodes   []*element // by node index
	flows   []flowElement
	limited bool // maxNodes was reached and reported
	// missing are the ids of elements that were refused: what refers to them is
	// not reported once more.
	missing map[string]bool
}

type flowElement struct {
	element *element
	parent  int
}

// Limits of one process: beyond them precomputed reachability would not be cheap.
const (
	maxNodes = 3_000
	maxFlows = 6_000
)

var kinds = map[string]Kind{}

func init() {
	for k, name := range kindNames {
		if name != "" {
			kinds[name] = Kind(k)
		}
	}
}

// refused are flow elements that release 1 does not run.
var refused = map[string][2]string{
	"complexGateway":      {"复杂网关", "complex gateways"},
	"adHocSubProcess":     {"即席子流程", "ad-hoc sub-processes"},
	"transaction":         {"事务子流程", "transactions"},
	"callChoreography":    {"编排", "choreographies"},
	"choreographyTask":    {"编排任务", "choreography tasks"},
	"subChoreography":     {"编排", "choreographies"},
	"implicitThrowEvent":  {"隐式抛出事件", "implicit throw events"},
	"event":               {"未定型事件", "events without a type"},
	"globalTask":          {"全局任务", "global tasks"},
	"conversation":        {"会话", "conversations"},
	"correlationProperty": {"关联属性", "correlation properties"},
}

// passive are children of a process or sub-process that have no effect on the
// execution, or are read with their parent.
var passive = map[string]bool{
	"documentation": true, "extensionElements": true, "incoming": true, "outgoing": true, "laneSet": true,
	"textAnnotation": true, "association": true, "group": true, "dataObject": true, "dataObjectReference": true,
	"dataStoreReference": true, "dataStore": true, "ioSpecification": true, "property": true, "auditing": true,
	"monitoring": true, "category": true, "supportedInterfaceRef": true, "supports": true, "ioBinding": true,
	"dataInputAssociation": true, "dataOutputAssociation": true, "multiInstanceLoopCharacteristics": true,
	"standardLoopCharacteristics": true, "performer": true, "humanPerformer": true, "potentialOwner": true,
	"resourceRole": true, "correlationSubscription": true, "artifact": true, "laneSets": true,
}

// process compiles one process.
func (c *compiler) process(e *element) *Process {
	p := &Process{ID: e.attr("id"), Name: e.attr("name"), Documentation: documentation(e), At: e.at,
		Executable: boolean(e.attr("isExecutable"), c.doc.Vendor != Camunda),
		VersionTag: e.vend("versionTag"), HistoryTTL: e.vend("historyTimeToLive"),
		Startable: e.flag(true, "isStartableInTasklist"),
		nodes:     map[string]int{}, flows: map[string]int{}}
	c.build = &build{process: p, missing: map[string]bool{}}
	defer func() { c.build = nil }()
	c.at(e)
	c.identity(p.ID)
	if p.HistoryTTL != "" {
		c.checkTTL(p.HistoryTTL)
	}
	p.JobPriority = c.expression("jobPriority", e.vend("jobPriority"))
	p.TaskPriority = c.expression("taskPriority", e.vend("taskPriority"))
	p.StarterUsers, p.StarterGroups = starters(e)
	p.Listeners = c.listeners(e, "executionListener", processEvents)
	p.Properties = properties(e)
	p.Extensions = c.foreign(e)
	c.collect(e, Root)
	for i := range p.Nodes {
		c.node(i)
	}
	c.sequenceFlows()
	c.boundaries()
	c.links()
	c.reachability()
	c.graph(e)
	return p
}

// collect numbers the nodes and flows of a scope and of those inside it, in
// document order.
func (c *compiler) collect(scope *element, parent int) {
	for _, e := range scope.children {
		kind, isNode := kinds[e.name]
		switch {
		case e.vendor != "":
		case e.name == "sequenceFlow":
			c.build.flows = append(c.build.flows, flowElement{e, parent})
		case isNode:
			i, ok := c.add(e, kind, parent)
			if ok && kind == KindSubProcess {
				c.collect(e, i)
			}
		case passive[e.name]:
			c.passive(e)
		default:
			c.unsupported(e)
		}
	}
}

func (c *compiler) unsupported(e *element) {
	c.at(e)
	c.build.missing[e.attr("id")] = true
	if names, known := refused[e.name]; known {
		c.fail("unsupported", fmt.Sprintf("暂不支持%s（%s），请改用其他元素", names[0], e.name), fmt.Sprintf("%s (%s) are not supported; use another element", names[1], e.name))
		return
	}
	c.fail("unknown-element", "流程中有无法识别的元素 "+clip(e.name), "the process holds an unknown element "+clip(e.name))
}

// passive looks into the elements that are not executed for content that would
// matter in another engine.
func (c *compiler) passive(e *element) {
	switch e.name {
	case "dataObject":
		if e.extension("value") != nil {
			c.at(e).warn("initial-value", "数据对象的初始值不会写入流程变量", "the initial value of the data object is not written to a variable")
		}
	case "correlationSubscription":
		c.at(e).warn("correlation", "不使用 correlationSubscription，消息按业务标识或扩展属性 correlationKey 匹配",
			"correlationSubscription is not used; messages are matched by business key or the extension property correlationKey")
	}
}

func (c *compiler) add(e *element, kind Kind, parent int) (int, bool) {
	p := c.build.process
	c.at(e)
	if len(p.Nodes) >= maxNodes {
		if !c.build.limited {
			c.build.limited = true
			c.fail("too-many-nodes", fmt.Sprintf("流程节点超过 %d 个", maxNodes), fmt.Sprintf("the process has more than %d nodes", maxNodes))
		}
		c.build.missing[e.attr("id")] = true
		return None, false
	}
	n := Node{Index: len(p.Nodes), ID: e.attr("id"), Name: e.attr("name"), Documentation: documentation(e), Kind: kind,
		At: e.at, Parent: parent, Default: None, AttachedTo: None, LinkTarget: None, Interrupting: true}
	c.identity(n.ID)
	p.Nodes = append(p.Nodes, n)
	c.build.nodes = append(c.build.nodes, e)
	if _, taken := p.nodes[n.ID]; !taken {
		p.nodes[n.ID] = n.Index
	}
	scope := p.ScopeOf(parent)
	scope.Children = append(scope.Children, n.Index)
	switch {
	case kind == KindStartEvent:
		scope.Starts = append(scope.Starts, n.Index)
	case kind == KindSubProcess && boolean(e.attr("triggeredByEvent"), false):
		p.Nodes[n.Index].TriggeredByEvent = true
		scope.EventSubs = append(scope.EventSubs, n.Index)
	}
	return n.Index, true
}

// boundaries attaches boundary events to their activities.
func (c *compiler) boundaries() {
	p := c.build.process
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Kind != KindBoundaryEvent {
			continue
		}
		e := c.build.nodes[i]
		c.at(e)
		ref := local(e.attr("attachedToRef"))
		host, ok := p.nodes[ref]
		switch {
		case !ok && c.build.missing[ref]:
		case !ok:
			c.fail("unknown-reference", "边界事件依附的节点不存在："+quoted(ref), "the boundary event is attached to no node: "+quoted(ref))
		case p.Nodes[host].Parent != n.Parent:
			c.fail("cross-scope", "边界事件与其依附的节点不在同一层："+quoted(ref), "the boundary event and its host are not on the same level: "+quoted(ref))
		case !p.Nodes[host].Kind.Activity() || p.Nodes[host].TriggeredByEvent:
			c.fail("boundary-host", fmt.Sprintf("边界事件只能依附在活动上，%s 是 %s", quoted(ref), p.Nodes[host].Kind),
				fmt.Sprintf("a boundary event is attached to an activity; %s is a %s", quoted(ref), p.Nodes[host].Kind))
		default:
			n.AttachedTo = host
			p.Nodes[host].Boundaries = append(p.Nodes[host].Boundaries, i)
		}
	}
}

// links pairs link throw events with the catch event of the name in their scope.
func (c *compiler) links() {
	p := c.build.process
	type key struct {
		scope int
		name  string
	}
	catches, used := map[key]int{}, map[int]bool{}
	for i, n := range p.Nodes {
		if n.Kind != KindCatchEvent || n.Event.Type != EventLink {
			continue
		}
		k := key{n.Parent, n.Event.Link}
		if other, taken := catches[k]; taken {
			c.at(c.build.nodes[i]).fail("link", fmt.Sprintf("链接 %s 已有入口 %s，同一层只能有一个", quoted(n.Event.Link), p.Nodes[other].ID),
				fmt.Sprintf("link %s already has the catch event %s; only one is allowed on a level", quoted(n.Event.Link), p.Nodes[other].ID))
			continue
		}
		catches[k] = i
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Kind != KindThrowEvent || n.Event.Type != EventLink {
			continue
		}
		target, ok := catches[key{n.Parent, n.Event.Link}]
		if !ok {
			c.at(c.build.nodes[i]).fail("link", "同一层没有名为 "+quoted(n.Event.Link)+" 的链接入口", "no link catch event on this level has the name "+quoted(n.Event.Link))
			continue
		}
		n.LinkTarget = target
		used[target] = true
	}
	for i, n := range p.Nodes {
		if n.Kind == KindCatchEvent && n.Event.Type == EventLink && !used[i] {
			c.at(c.build.nodes[i]).warn("link", "没有抛出事件指向链接 "+quoted(n.Event.Link), "no throw event names the link "+quoted(n.Event.Link))
		}
	}
}

// identity wants an id that can be stored and shown. Ids that begin with a digit
// are no NCName, but common and harmless.
func (c *compiler) identity(id string) {
	switch {
	case id == "":
		c.fail("missing-id", "元素没有 ID", "the element has no id")
	case len(id) > 255 || strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.:·", r)
	}):
		c.fail("bad-id", "ID "+quoted(id)+" 只能由字母、数字和 - _ . 组成，且不超过 255 字节", "id "+quoted(id)+" may hold only letters, digits and - _ . and at most 255 bytes")
	}
}

func documentation(e *element) string { return e.textOf("documentation") }
