package engine

import (
	"fmt"

	"viva/internal/workflow/bpmn"
)

// Violation is a broken rule of the aggregate, a bug of the engine or damage to
// its rows.
type Violation struct {
	Rule   string
	Detail string
}

// Check tests what must hold between two commands. events are all events of the
// instance; nil skips the rules about them.
//
//	reason    a token waits for exactly what its state says, and every task,
//	          job, subscription and incident hangs on a live token
//	life      an ended instance has no token, a living one has its root
//	tree      parents exist and are scopes; the items of a body add up
//	balance   produced minus consumed tokens are the live ones
//	history   seq is gapless; open visits and active elements correspond
func Check(g *bpmn.Process, st *State, events []Event) []Violation {
	c := &checker{g: g, st: st}
	c.life()
	for _, t := range st.Tokens {
		c.tree(t)
		c.reason(t)
		c.visits(t)
	}
	c.owners()
	if events != nil {
		c.history(events)
	}
	return c.found
}

type checker struct {
	g     *bpmn.Process
	st    *State
	found []Violation
}

func (c *checker) add(rule, format string, args ...any) {
	c.found = append(c.found, Violation{Rule: rule, Detail: fmt.Sprintf(format, args...)})
}

func (c *checker) life() {
	ended := c.st.Instance.Status == Ended
	if ended && len(c.st.Tokens) > 0 {
		c.add("life", "ended instance has %d tokens", len(c.st.Tokens))
	}
	if !ended && c.st.root() == nil {
		c.add("life", "living instance has no root token")
	}
	if ended != (c.st.Instance.EndedAt != 0) && c.st.Instance.StartedAt != 0 {
		c.add("life", "status %d, ended at %d", c.st.Instance.Status, c.st.Instance.EndedAt)
	}
}

func (c *checker) tree(t *Token) {
	if t.Kind == KindRoot {
		if t.Parent != 0 {
			c.add("tree", "root %d has a parent", t.ID)
		}
		return
	}
	p := c.st.Token(t.Parent)
	if p == nil || p.ID >= t.ID {
		c.add("tree", "token %d has no older parent %d", t.ID, t.Parent)
		return
	}
	switch {
	case p.Kind == KindFlow || p.Kind == KindCall:
		c.add("tree", "parent %d of token %d is no scope", p.ID, t.ID)
	case (t.Kind == KindItem) != (p.Kind == KindBody):
		c.add("tree", "token %d of kind %s in %s %d", t.ID, t.Kind, p.Kind, p.ID)
	}
	if t.Kind == KindBody {
		c.counters(t)
	}
}

func (c *checker) counters(t *Token) {
	items := len(c.st.children(t.ID))
	v, _ := t.Counters.Items.Value()
	pending, _ := v.([]any)
	k := t.Counters
	if k.Active != items || k.Active+k.Completed+k.Cancelled+len(pending) != k.Total {
		c.add("tree", "body %d: %d items, %d pending, counters %+v", t.ID, items, len(pending), k)
	}
}

func (c *checker) reason(t *Token) {
	tasks, waits, jobs, asyncs, incidents := 0, 0, 0, 0, 0
	for _, k := range c.st.Tasks {
		if k.Token == t.ID && k.Parent == 0 {
			tasks++
		}
	}
	for _, s := range c.st.Subscriptions {
		if s.Token == t.ID && !c.side(t, s.Element) {
			waits++
		}
	}
	for _, j := range c.st.Jobs {
		switch {
		case j.Token != t.ID || j.Kind == JobTaskTimeout || c.side(t, j.Element):
		case j.Kind == JobTimer:
			jobs++
		default:
			asyncs++
		}
	}
	for _, i := range c.st.Incidents {
		if i.Token == t.ID {
			incidents++
		}
	}
	ok := false
	switch t.State {
	case StateUser:
		ok = tasks == 1 && waits+jobs+asyncs == 0
	case StateEvent:
		ok = tasks == 0 && waits+jobs >= 1 && asyncs == 0
	case StateJob:
		ok = tasks == 0 && waits+jobs == 0 && asyncs == 1
	case StateJoin, StateChild:
		ok = tasks+waits+jobs+asyncs == 0
	case StateActive:
		ok = tasks+waits+jobs+asyncs == 0 && c.st.hasChildren(t.ID)
	case StateIncident:
		ok = incidents >= 1 && tasks == 0
	}
	if !ok {
		c.add("reason", "token %d at %s, state %s: %d tasks, %d subscriptions, %d timers, %d jobs, %d incidents", t.ID, t.Element, t.State, tasks, waits, jobs, asyncs, incidents)
	}
}

// side reports whether something waits at a boundary event or an event
// sub-process and so is no reason of its token.
func (c *checker) side(t *Token, element string) bool {
	i, ok := c.g.Node(element)
	if !ok || element == t.Element {
		return false
	}
	n := &c.g.Nodes[i]
	return n.Kind == bpmn.KindBoundaryEvent || n.Kind == bpmn.KindStartEvent
}

// visits: a token working at an element has one open visit there.
func (c *checker) visits(t *Token) {
	open := 0
	for _, a := range c.st.Activities {
		if a.Token == t.ID {
			open++
			if a.Element != t.Element {
				c.add("history", "token %d is at %s, its visit at %s", t.ID, t.Element, a.Element)
			}
		}
	}
	want := 1
	switch {
	case t.Kind == KindRoot:
		want = 0
	case t.State == StateIncident:
		return // before, during or after the visit
	case t.State == StateJob:
		for _, j := range c.st.Jobs {
			if j.Token == t.ID && (j.Kind == JobAsyncBefore || j.Kind == JobAsyncAfter) {
				want = 0
			}
		}
	}
	if open != want {
		c.add("history", "token %d at %s (%s) has %d open visits", t.ID, t.Element, t.State, open)
	}
}

func (c *checker) owners() {
	alive := func(what string, id, token int64) {
		if c.st.Token(token) == nil {
			c.add("reason", "%s %d hangs on dead token %d", what, id, token)
		}
	}
	for _, k := range c.st.Tasks {
		alive("task", k.ID, k.Token)
	}
	for _, s := range c.st.Subscriptions {
		alive("subscription", s.ID, s.Token)
	}
	for _, j := range c.st.Jobs {
		alive("job", j.ID, j.Token)
	}
	for _, i := range c.st.Incidents {
		alive("incident", i.ID, i.Token)
	}
	for _, a := range c.st.Activities {
		alive("visit", a.ID, a.Token)
	}
}

func (c *checker) history(events []Event) {
	balance := 0
	for i, e := range events {
		if e.Seq != int64(i+1) {
			c.add("history", "event %d has seq %d", i+1, e.Seq)
			return
		}
		switch e.Kind {
		case EventProduce:
			balance++
		case EventConsume:
			balance--
		}
	}
	if balance != len(c.st.Tokens) {
		c.add("balance", "%d tokens live, the events leave %d", len(c.st.Tokens), balance)
	}
	if c.st.Instance.NextSeq != int64(len(events)+1) {
		c.add("history", "next seq is %d after %d events", c.st.Instance.NextSeq, len(events))
	}
}
