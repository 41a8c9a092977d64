package engine

import (
	"fmt"
	"slices"

	"viva/internal/workflow/bpmn"
)

// Migrate moves the instance to another definition. Map names the target of each
// element that changed its id; the others keep theirs. Timers keep their due time
// unless Recompute is set. New boundary events and event sub-processes are armed,
// vanished ones forgotten.
type Migrate struct {
	DefinitionID string
	Map          map[string]string `json:",omitempty"`
	Recompute    bool              `json:",omitempty"`
}

// Name implements Action.
func (*Migrate) Name() string { return "migrate" }

func (a *Migrate) apply(r *run) error {
	if r.env.Process == nil {
		return ErrMigrate.With(a.DefinitionID, "没有提供流程定义 / no definitions are provided")
	}
	to, err := r.env.Process(a.DefinitionID)
	if err != nil {
		return err
	}
	p := plan{from: r.g, to: to, names: a.Map}
	if problems := p.check(r.st); len(problems) > 0 {
		return ErrMigrate.With(problems[0].Element, problems[0].Reason).WithData(problems)
	}
	e := r.event(EventMigrated, "", 0, 0)
	if e.Data, err = Object(map[string]any{"from": r.st.Instance.DefinitionID, "to": a.DefinitionID}); err != nil {
		return err
	}
	r.st.Instance.DefinitionID = a.DefinitionID
	return r.migrate(p, a.Recompute)
}

// MigrationProblem is one reason why an instance cannot be migrated.
type MigrationProblem struct {
	Element string
	Reason  string
}

// MigrationProblems is the dry run of Migrate.
func MigrationProblems(from, to *bpmn.Process, st *State, names map[string]string) []MigrationProblem {
	return plan{from: from, to: to, names: names}.check(st)
}

type plan struct {
	from, to *bpmn.Process
	names    map[string]string
}

// node gives the target of an element, nil when it has none.
func (p plan) node(id string) *bpmn.Node {
	if name, ok := p.names[id]; ok {
		id = name
	}
	i, ok := p.to.Node(id)
	if !ok {
		return nil
	}
	return &p.to.Nodes[i]
}

func (p plan) check(st *State) []MigrationProblem {
	var list []MigrationProblem
	add := func(element, format string, args ...any) {
		list = append(list, MigrationProblem{Element: element, Reason: fmt.Sprintf(format, args...)})
	}
	for _, i := range st.Incidents {
		add(i.Element, "有未处理的异常 / it has an open incident")
	}
	for _, t := range st.Tokens {
		if t.Kind == KindRoot {
			continue
		}
		old, ok := p.from.Node(t.Element)
		n := p.node(t.Element)
		switch {
		case !ok || n == nil:
			add(t.Element, "新版本中没有对应的节点 / the new version has no such element")
		case n.Kind != p.from.Nodes[old].Kind:
			add(t.Element, "新版本中是 %s / it is a %s there", n.Kind, n.Kind)
		case loopKind(n) != loopKind(&p.from.Nodes[old]):
			add(t.Element, "多实例方式不同 / its loop is of another kind")
		case n.TriggeredByEvent != p.from.Nodes[old].TriggeredByEvent:
			add(t.Element, "一个是事件子流程 / only one is an event sub-process")
		case !p.sameScope(st, t, n):
			add(t.Element, "所在的子流程不同 / it lies in another sub-process")
		case t.State == StateJoin && !p.arrives(t, n):
			add(t.Element, "到达的连线 %s 已不存在 / the flow %s it waits with is gone", t.ArrivedFlow, t.ArrivedFlow)
		case t.State == StateEvent && !p.awaits(st, t, &p.from.Nodes[old]):
			add(t.Element, "等待的事件已不存在 / the event it waits for is gone")
		}
	}
	return list
}

func loopKind(n *bpmn.Node) bpmn.LoopKind {
	if n.Loop == nil {
		return 0
	}
	return n.Loop.Kind
}

func (p plan) sameScope(st *State, t *Token, n *bpmn.Node) bool {
	scope := st.Token(t.Parent)
	if scope.Kind == KindBody {
		return p.node(scope.Element) == n
	}
	if scope.Kind == KindRoot {
		return n.Parent == bpmn.Root
	}
	around := p.node(scope.Element)
	return around != nil && n.Parent == around.Index
}

func (p plan) arrives(t *Token, n *bpmn.Node) bool {
	return slices.ContainsFunc(n.Incoming, func(f int) bool { return p.to.Flows[f].ID == t.ArrivedFlow })
}

// awaits checks that what the token itself waits for still exists in the same form.
func (p plan) awaits(st *State, t *Token, old *bpmn.Node) bool {
	same := func(element string) bool {
		i, ok := p.from.Node(element)
		n := p.node(element)
		if !ok || n == nil || n.Kind != p.from.Nodes[i].Kind {
			return false
		}
		before := &p.from.Nodes[i]
		return before.Event == nil || n.Event.Type == before.Event.Type
	}
	for _, s := range st.Subscriptions {
		if s.Token == t.ID && !p.side(s.Element) && !same(s.Element) {
			return false
		}
	}
	for _, j := range st.Jobs {
		if j.Token == t.ID && j.Kind == JobTimer && !p.side(j.Element) && !same(j.Element) {
			return false
		}
	}
	return true
}

// side reports whether an element is a boundary event or the start of an event
// sub-process, which may come and go.
func (p plan) side(element string) bool {
	i, ok := p.from.Node(element)
	if !ok {
		return true
	}
	k := p.from.Nodes[i].Kind
	return k == bpmn.KindBoundaryEvent || k == bpmn.KindStartEvent
}

// migrate rewrites the rows, then arms and disarms the events at their side.
func (r *run) migrate(p plan, recompute bool) error {
	r.migrateWaits(p)
	for _, t := range r.st.Tokens {
		if t.Kind != KindRoot {
			t.Element = p.node(t.Element).ID
			r.touch(t)
		}
	}
	for _, k := range r.st.Tasks {
		k.Element = p.node(k.Element).ID
		r.saveTask(k)
	}
	for _, a := range r.st.Activities {
		a.Element = p.node(a.Element).ID
		r.visits = append(r.visits, a.ID)
	}
	r.g = p.to
	for _, t := range slices.Clone(r.st.Tokens) {
		if err := r.armNew(p, t); err != nil {
			return r.fatal(t.Element, err)
		}
	}
	if recompute {
		return r.recompute()
	}
	return nil
}

// migrateWaits renames or deletes subscriptions and jobs.
func (r *run) migrateWaits(p plan) {
	keep := func(element string) (string, bool) {
		n := p.node(element)
		i, ok := p.from.Node(element)
		if n == nil || !ok {
			return "", false
		}
		old := &p.from.Nodes[i]
		if n.Kind != old.Kind || n.Event != nil && n.Event.Type != old.Event.Type {
			return "", false
		}
		return n.ID, true
	}
	for _, s := range slices.Clone(r.st.Subscriptions) {
		if id, ok := keep(s.Element); ok {
			s.Element = id
			r.subs = append(r.subs, s.ID)
		} else {
			r.unsubscribe(s)
		}
	}
	for _, j := range slices.Clone(r.st.Jobs) {
		if id, ok := keep(j.Element); ok {
			j.Element = id
			r.jobs = append(r.jobs, j.ID)
		} else {
			r.dropJob(j)
		}
	}
}

// armNew starts the boundary events and event sub-processes that the old version
// did not have.
func (r *run) armNew(p plan, t *Token) error {
	var side []int
	scope := bpmn.None - 1
	if t.Kind == KindRoot {
		scope = bpmn.Root
	} else {
		i, _ := r.g.Node(t.Element)
		n := &r.g.Nodes[i]
		if t.Kind != KindItem && r.visiting(t) {
			side = append(side, n.Boundaries...)
		}
		if n.Kind == bpmn.KindSubProcess && t.Kind != KindBody {
			scope = i
		}
	}
	if scope >= bpmn.Root {
		for _, e := range r.g.ScopeOf(scope).EventSubs {
			side = append(side, r.g.Nodes[e].Starts[0])
		}
	}
	for _, s := range side {
		if n := &r.g.Nodes[s]; !p.existed(n.ID) {
			if err := r.arm(t, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// existed reports whether an event of the new version comes from one of the old.
func (p plan) existed(id string) bool {
	for from, to := range p.names {
		if to == id {
			_, ok := p.from.Node(from)
			return ok
		}
	}
	_, ok := p.from.Node(id)
	return ok
}

// recompute starts every timer anew, from the new definition and the clock now.
func (r *run) recompute() error {
	for _, j := range slices.Clone(r.st.Jobs) {
		if j.Kind != JobTimer {
			continue
		}
		t := r.st.Token(j.Token)
		i, _ := r.g.Node(j.Element)
		r.dropJob(j)
		if err := r.arm(t, &r.g.Nodes[i]); err != nil {
			return r.fatal(j.Element, err)
		}
	}
	return nil
}
