package bpmn

import (
	"strconv"
	"strings"
)

// loop reads the loop characteristics of an activity.
func (c *compiler) loop(n *Node, e *element) *Loop {
	if m := e.child("multiInstanceLoopCharacteristics"); m != nil {
		return c.multiInstance(n, m)
	}
	s := e.child("standardLoopCharacteristics")
	if s == nil {
		return nil
	}
	l := &Loop{Kind: LoopStandard, TestBefore: boolean(s.attr("testBefore"), false), Exclusive: true,
		Condition: c.condition("loopCondition", s.textOf("loopCondition"))}
	if text := s.attr("loopMaximum"); text != "" {
		count, err := strconv.Atoi(text)
		if err != nil || count < 1 {
			c.fail("loop-maximum", "循环上限须为正整数，现为 "+quoted(text), "loopMaximum must be a positive integer, not "+quoted(text))
		}
		l.Maximum = count
	}
	if !l.Condition.Present() && l.Maximum == 0 {
		c.fail("endless-loop", "循环既没有条件也没有上限，请至少填写一项", "the loop has neither a condition nor a maximum; give one")
	}
	return l
}

func (c *compiler) multiInstance(n *Node, m *element) *Loop {
	l := &Loop{Kind: LoopParallel, Cardinality: c.expression("loopCardinality", m.textOf("loopCardinality")),
		Completion:      c.condition("completionCondition", m.textOf("completionCondition")),
		Collection:      c.variable("collection", m.vend("collection")),
		ElementVariable: m.vend("elementVariable"), IndexVariable: m.vend("elementIndexVariable"),
		AsyncBefore: m.flag(false, "asyncBefore", "async"), AsyncAfter: m.flag(false, "asyncAfter", "asyncLeave"),
		Exclusive: m.flag(true, "exclusive"), Retry: c.retry(m)}
	if boolean(m.attr("isSequential"), false) {
		l.Kind = LoopSequential
	}
	if !l.Collection.Present() {
		l.Collection = c.variable("loopDataInputRef", m.textOf("loopDataInputRef"))
	}
	if item := m.child("inputDataItem"); item != nil && l.ElementVariable == "" {
		l.ElementVariable = item.attr("name")
	}
	if behavior := m.attr("behavior"); behavior != "" && !strings.EqualFold(behavior, "All") {
		c.fail("unsupported", "暂不支持多实例行为 behavior="+clip(behavior), "multi-instance behavior="+clip(behavior)+" is not supported")
	}
	for _, x := range m.extensions("collection", "variableAggregation") {
		c.fail("unsupported", "暂不支持多实例扩展元素 "+x.name+"，请改用 collection 属性", "the multi-instance extension "+x.name+" is not supported; use the collection attribute")
	}
	if !l.Collection.Present() && !l.Cardinality.Present() {
		c.noItems(n)
	}
	return l
}

// noItems: a user task may leave its items to the assignment rule, everything
// else cannot.
func (c *compiler) noItems(n *Node) {
	if n.Kind == KindUserTask {
		c.warn("no-collection", "多实例用户任务没有集合或基数，将按分配规则的候选人逐一生成", "the multi-instance user task has no collection or cardinality; the candidates of its assignment rule are used")
		return
	}
	c.fail("no-collection", "多实例没有集合（collection）或基数（loopCardinality）", "the multi-instance activity has neither collection nor loopCardinality")
}
