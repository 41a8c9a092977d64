package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// blocks writes random block-structured models: every split has its join, loops
// are bounded by counters, so an instance must always reach its end.
type blocks struct {
	r     *rand.Rand
	lines []string
	n     int
	depth int
	plain bool // without races: no boundary events, no early completion, no loops
}

func (b *blocks) id(prefix string) string {
	b.n++
	return prefix + strconv.Itoa(b.n)
}

func (b *blocks) add(format string, args ...any) {
	b.lines = append(b.lines, fmt.Sprintf(format, args...))
}

func randomBlocks(seed uint64, plain bool) string {
	b := &blocks{r: rand.New(rand.NewPCG(seed, 1)), plain: plain}
	first := b.block("fin", 1+b.r.IntN(3))
	b.add("end fin")
	b.add("start begin: %s", first)
	return strings.Join(b.lines, "\n")
}

// block writes something that starts at the answered node and goes on to next.
func (b *blocks) block(next string, size int) string {
	for range size {
		next = b.one(next)
	}
	return next
}

func (b *blocks) one(next string) string {
	if b.depth > 3 || b.n > 60 {
		return b.leaf(next)
	}
	b.depth++
	defer func() { b.depth-- }()
	switch k := b.r.IntN(13); {
	case k < 5:
		return b.leaf(next)
	case k < 9:
		return b.split([]string{"xor", "and", "or", "and"}[k-5], next)
	case k == 9 && !b.plain:
		return b.loop(next)
	case k == 10:
		return b.event(next)
	default:
		return b.sub(next)
	}
}

func (b *blocks) leaf(next string) string {
	id := b.id("t")
	loop := ""
	switch b.r.IntN(6) {
	case 0:
		loop = " all=${list}"
	case 1:
		loop = " each=${list} as=x"
	case 2:
		if !b.plain {
			loop = " count=3 done=${nrOfCompletedInstances>=2}"
		}
	}
	kind := []string{"user", "user", "service", "task", "receive"}[b.r.IntN(5)]
	attrs := map[string]string{"service": " class=log", "receive": ""}[kind]
	if b.r.IntN(6) == 0 {
		attrs += " async=" + []string{"before", "after", "both"}[b.r.IntN(3)]
	}
	if !b.plain {
		next = b.boundary(id, next)
	}
	b.add("%s %s%s%s: %s", kind, id, attrs, loop, next)
	return id
}

// boundary may attach an event to the host. It answers where the host goes on: a
// merge with the way of an interrupting event.
func (b *blocks) boundary(host, next string) string {
	merge := func(attrs string) string {
		id := b.id("k")
		b.add("boundary %s on=%s %s: %s", b.id("b"), host, attrs, id)
		b.add("xor %s: %s", id, next)
		return id
	}
	switch b.r.IntN(8) {
	case 0:
		return merge("timer=PT1H")
	case 1:
		after, end := b.id("t"), b.id("e")
		b.add("boundary %s on=%s beside timer=R2/PT1H: %s", b.id("b"), host, after)
		b.add("user %s: %s", after, end)
		b.add("end %s", end)
	case 2:
		return merge(fmt.Sprintf("msg=m%d", b.r.IntN(3)))
	case 3:
		return merge("err=E1")
	}
	return next
}

func (b *blocks) split(kind, next string) string {
	split, join := b.id("g"), b.id("j")
	n := 2 + b.r.IntN(2)
	var targets []string
	for i := range n {
		to := b.block(join, 1)
		cond := ""
		switch {
		case kind == "and":
		case i == n-1:
			cond = "[*]"
		default:
			cond = fmt.Sprintf("[${v%d}]", b.r.IntN(6))
		}
		targets = append(targets, to+cond)
	}
	b.add("%s %s: %s", kind, split, strings.Join(targets, " "))
	b.add("%s %s: %s", kind, join, next)
	return split
}

func (b *blocks) loop(next string) string {
	merge, test, count := b.id("g"), b.id("g"), b.id("c")
	body := b.block(count, 1)
	b.add("xor %s: %s", merge, body)
	b.add("service %s expr=${empty~n%s?1:n%s+1} result=n%s: %s", count, count, count, count, test)
	b.add("xor %s: %s[${n%s<2}] %s[*]", test, merge, count, next)
	return merge
}

func (b *blocks) event(next string) string {
	id := b.id("v")
	kinds := 4
	if b.plain {
		kinds = 3 // an event-based gateway is a race
	}
	switch b.r.IntN(kinds) {
	case 0:
		b.add("catch %s timer=PT1H: %s", id, next)
	case 1:
		b.add("catch %s sig=s%d: %s", id, b.r.IntN(2), next)
	case 2:
		b.add("throw %s msg=out: %s", id, next)
	default:
		m, t := b.id("v"), b.id("v")
		join := b.id("j")
		b.add("event %s: %s %s", id, m, t)
		b.add("catch %s msg=m%d: %s", m, b.r.IntN(3), join)
		b.add("catch %s timer=PT1H: %s", t, join)
		b.add("xor %s: %s", join, next)
	}
	return id
}

func (b *blocks) sub(next string) string {
	id, start, end := b.id("S"), b.id("s"), b.id("e")
	loop := []string{"", "", " all=${list}", " each=${list}"}[b.r.IntN(4)]
	if !b.plain {
		next = b.boundary(id, next)
	}
	b.add("sub %s%s: %s {", id, loop, next)
	first := b.block(end, 1+b.r.IntN(2))
	b.add("start %s: %s", start, first)
	b.add("end %s", end)
	if !b.plain && b.r.IntN(3) == 0 {
		x, s, t, e := b.id("X"), b.id("s"), b.id("t"), b.id("e")
		b.add("esub %s {", x)
		b.add("start %s %smsg=m%d: %s", s, []string{"", "beside "}[b.r.IntN(2)], b.r.IntN(3), t)
		b.add("user %s: %s", t, e)
		b.add("end %s", e)
		b.add("}")
	}
	b.add("}")
	return id
}

// vars fills the flags and the list.
func (b *blocks) vars() Document {
	m := map[string]any{"list": []any{"x", "y"}}
	for i := range 6 {
		m["v"+strconv.Itoa(i)] = b.r.IntN(2) == 0
	}
	doc, _ := Object(m)
	return doc
}

// choices lists the commands the world could send now.
func (p *play) choices() []Action {
	var list []Action
	for _, k := range p.st.Tasks {
		list = append(list, &CompleteTask{Task: k.ID})
	}
	for _, s := range p.st.Subscriptions {
		list = append(list, &Deliver{Subscription: s.ID})
	}
	for _, j := range p.st.Jobs {
		list = append(list, &FireJob{Job: j.ID})
	}
	return list
}

// walk runs an instance to its end by random commands and gives their number.
func (p *play) walk(r *rand.Rand, vars Document) int {
	p.t.Helper()
	p.do(&Start{ID: "i", DefinitionID: "v1", Vars: vars})
	for n := 1; ; n++ {
		if p.st.Instance.Status == Ended {
			return n
		}
		list := p.choices()
		if len(list) == 0 {
			p.t.Fatalf("stuck after %d commands\n%s", n, p.dump())
		}
		if n > 2000 {
			p.t.Fatalf("no end after %d commands\n%s", n, p.dump())
		}
		p.at += int64(r.IntN(3_600_000))
		p.do(p.prefer(r, list))
	}
}

// prefer takes tasks more often than events that come again and again.
func (p *play) prefer(r *rand.Rand, list []Action) Action {
	for range 4 {
		a := list[r.IntN(len(list))]
		d, ok := a.(*Deliver)
		if !ok {
			return a
		}
		if s := p.st.Subscription(d.Subscription); p.st.Token(s.Token).Element == s.Element || r.IntN(4) == 0 {
			return a
		}
	}
	return list[r.IntN(len(list))]
}

// steps is how much the random tests do; VIVA_ENGINE_STEPS sets it for long runs.
func steps(def int) int {
	if n, err := strconv.Atoi(os.Getenv("VIVA_ENGINE_STEPS")); err == nil {
		return n
	}
	return def
}

func TestRandomBlocksFinish(t *testing.T) {
	total, want := 0, steps(1500)
	for seed := uint64(1); total < want; seed++ {
		model := randomBlocks(seed, false)
		r := rand.New(rand.NewPCG(seed, 2))
		p := newPlay(t, model)
		p.env.Visits = 0
		b := &blocks{r: r}
		total += p.walk(r, b.vars())
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, model)
		}
		if seed%5 == 0 {
			p.replay()
		}
	}
	t.Logf("%d commands", total)
}

// Independent completions in any order lead to the same variables and the same
// events, apart from their order and the ids.
func TestOrderIndependence(t *testing.T) {
	for seed := uint64(1); seed <= uint64(min(40, steps(1500)/60)); seed++ {
		model := randomBlocks(seed, true)
		g := compileModel(t, model)
		vars := (&blocks{r: rand.New(rand.NewPCG(seed, 3))}).vars()
		var first, firstVars string
		for order := uint64(0); order < 4; order++ {
			p := playOf(t, g)
			p.env = newPlayEnv(p)
			p.walk(rand.New(rand.NewPCG(order, seed)), vars)
			var list []string
			for _, e := range p.events {
				switch e.Kind {
				case EventEnter, EventLeave, EventTake, EventProduce, EventConsume, EventTaskNew, EventTaskEnd, EventCancel:
					list = append(list, string(e.Kind)+" "+eventPlace(e))
				}
			}
			slices.Sort(list)
			events := strings.Join(list, "\n")
			if order == 0 {
				first, firstVars = events, string(p.st.Instance.Vars)
				continue
			}
			if events != first || string(p.st.Instance.Vars) != firstVars {
				t.Fatalf("seed %d: order %d gives other events\n%s\n--\n%s\n--\n%s", seed, order, model, first, events)
			}
		}
	}
}

// eventPlace leaves out where a token died or was born at a join: which of the
// merged tokens survives depends on the order.
func eventPlace(e Event) string {
	if e.Kind == EventConsume || e.Kind == EventProduce {
		return ""
	}
	return e.Element
}

func newPlayEnv(p *play) Env { return Env{Invoke: p.invoke, Bean: p.bean} }

// Arbitrary interventions keep the invariants, and the instance can still be ended.
func TestRandomInterventions(t *testing.T) {
	total, want := 0, steps(1000)
	for seed := uint64(1); total < want; seed++ {
		p := newPlay(t, randomBlocks(seed, false))
		r := rand.New(rand.NewPCG(seed, 4))
		p.do(&Start{ID: "i", DefinitionID: "v1", Vars: (&blocks{r: r}).vars()})
		for range 60 {
			if p.st.Instance.Status == Ended {
				break
			}
			total++
			list := append(p.choices(), p.interventions(r)...)
			p.at += int64(r.IntN(3_600_000))
			if err := p.try(list[r.IntN(len(list))]); err != nil && r.IntN(50) == 0 {
				p.do(&SetVariables{Vars: `{"touched":true}`})
			}
		}
		if p.st.Instance.Status != Ended {
			p.do(&End{Result: Cancelled, Reason: "enough"})
		}
		if seed%4 == 0 {
			p.replay()
		}
	}
}

func (p *play) interventions(r *rand.Rand) []Action {
	token := p.st.Tokens[r.IntN(len(p.st.Tokens))]
	node := p.g.Nodes[r.IntN(len(p.g.Nodes))]
	list := []Action{
		&Move{Tokens: []int64{token.ID}, To: node.ID},
		&Move{Tokens: Downstream(p.g, p.st, node.ID), To: node.ID},
		&AddItem{Body: token.ID, Value: `"z"`},
		&RemoveItem{Item: token.ID},
		&Raise{Token: token.ID, Code: "E1"},
	}
	if r.IntN(8) == 0 {
		list = append(list, &Cancel{Tokens: []int64{token.ID}})
	}
	if len(p.st.Jobs) > 0 {
		list = append(list, &FailJob{Job: p.st.Jobs[r.IntN(len(p.st.Jobs))].ID, Message: "random"})
	}
	if len(p.st.Incidents) > 0 {
		i := p.st.Incidents[r.IntN(len(p.st.Incidents))].ID
		list = append(list, &RetryIncident{Incident: i}, &SkipIncident{Incident: i})
	}
	if len(p.st.Tasks) > 0 {
		k := p.st.Tasks[r.IntN(len(p.st.Tasks))].ID
		list = append(list, &SetAssignee{Task: k, AssigneeID: 9}, &AddTask{Parent: k, AssigneeID: 8, Status: TaskOpen}, &EndTask{Task: k, Status: TaskApproved})
	}
	return list
}

func newRand(seed byte) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 9)) }
