package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// net is a flat random graph as the oracle sees it: tokens lie on flows, nodes
// take them from there. It knows nothing of the engine.
type net struct {
	kinds []string // start task xor and or end
	from  []int    // of each flow
	to    []int
	yes   []bool // outcome of the flow's condition
	free  bool   // conditions may have any outcome at any time
}

func (n *net) in(node int) (list []int) {
	for f, to := range n.to {
		if to == node {
			list = append(list, f)
		}
	}
	return list
}

func (n *net) out(node int) (list []int) {
	for f, from := range n.from {
		if from == node {
			list = append(list, f)
		}
	}
	return list
}

// path searches a path of flows that begins with flow a, ends with flow b and
// does not pass the node.
func (n *net) path(a, b, avoid int) bool {
	seen := map[int]bool{}
	var walk func(f int) bool
	walk = func(f int) bool {
		if f == b {
			return true
		}
		if seen[f] || n.to[f] == avoid {
			return false
		}
		seen[f] = true
		for _, next := range n.out(n.to[f]) {
			if walk(next) {
				return true
			}
		}
		return false
	}
	return walk(a)
}

// orReady reads BPMN 2.0.2 §13.4.3 word for word on a marking.
func (n *net) orReady(m []int, node int) bool {
	in := n.in(node)
	filled := false
	for _, f := range in {
		filled = filled || m[f] > 0
	}
	if !filled {
		return false
	}
	for _, empty := range in {
		if m[empty] > 0 {
			continue
		}
		for t := range m {
			if m[t] == 0 || slices.Contains(in, t) || !n.path(t, empty, node) {
				continue
			}
			also := false
			for _, f := range in {
				also = also || m[f] > 0 && n.path(t, f, node)
			}
			if !also {
				return false
			}
		}
	}
	return true
}

// next lists the markings one firing away.
func (n *net) next(m []int) [][]int {
	var list [][]int
	fire := func(take, give []int) {
		c := slices.Clone(m)
		for _, f := range take {
			c[f]--
		}
		for _, f := range give {
			c[f]++
		}
		list = append(list, c)
	}
	for node, kind := range n.kinds {
		in, out := n.in(node), n.out(node)
		var takes [][]int
		switch {
		case kind == "and" && len(in) > 1:
			if all := !slices.ContainsFunc(in, func(f int) bool { return m[f] == 0 }); all {
				takes = append(takes, in)
			}
		case kind == "or" && len(in) > 1:
			if n.orReady(m, node) {
				var filled []int
				for _, f := range in {
					if m[f] > 0 {
						filled = append(filled, f)
					}
				}
				takes = append(takes, filled)
			}
		default:
			for _, f := range in {
				if m[f] > 0 {
					takes = append(takes, []int{f})
				}
			}
		}
		for _, take := range takes {
			for _, give := range n.gives(kind, out) {
				fire(take, give)
			}
		}
	}
	return list
}

// gives lists the sets of flows a node may send tokens to; the last flow of a
// split is its default.
func (n *net) gives(kind string, out []int) [][]int {
	if kind != "xor" && kind != "or" || len(out) < 2 {
		return [][]int{out}
	}
	guarded := out[:len(out)-1]
	if n.free {
		var sets [][]int
		for bits := range 1 << len(guarded) {
			var set []int
			for i, f := range guarded {
				if bits&(1<<i) != 0 {
					set = append(set, f)
				}
			}
			if kind == "xor" && len(set) > 1 {
				continue
			}
			if set == nil {
				set = out[len(out)-1:]
			}
			sets = append(sets, set)
		}
		return sets
	}
	var set []int
	for _, f := range guarded {
		if n.yes[f] {
			set = append(set, f)
			if kind == "xor" {
				break
			}
		}
	}
	if set == nil {
		set = out[len(out)-1:]
	}
	return [][]int{set}
}

// finals explores every order of firing and gives the markings where nothing can
// fire any more; false when there are too many states.
func (n *net) finals(limit int) (map[string]bool, bool) {
	start := make([]int, len(n.from))
	for f, from := range n.from {
		if n.kinds[from] == "start" {
			start[f] = 1
		}
	}
	seen := map[string]bool{fmt.Sprint(start): true}
	finals := map[string]bool{}
	open := [][]int{start}
	for len(open) > 0 {
		m := open[len(open)-1]
		open = open[:len(open)-1]
		next := n.next(m)
		if len(next) == 0 {
			finals[fmt.Sprint(m)] = true
		}
		for _, c := range next {
			if slices.Max(c) > 4 {
				return nil, false
			}
			if key := fmt.Sprint(c); !seen[key] {
				seen[key] = true
				if len(seen) > limit {
					return nil, false
				}
				open = append(open, c)
			}
		}
	}
	return finals, true
}

// randomNet makes an unstructured graph: nodes in a row, flows to later nodes, and
// with cycles also some back to exclusive gateways.
func randomNet(r *rand.Rand, cycles bool) *net {
	n := &net{kinds: []string{"start"}, free: cycles}
	inner := 4 + r.IntN(7)
	for range inner {
		n.kinds = append(n.kinds, []string{"task", "task", "task", "xor", "and", "or", "or"}[r.IntN(7)])
	}
	n.kinds = append(n.kinds, "end")
	last := len(n.kinds) - 1
	connect := func(from, to int) {
		n.from, n.to, n.yes = append(n.from, from), append(n.to, to), append(n.yes, r.IntN(2) == 0)
	}
	connect(0, 1)
	for i := 1; i < last; i++ {
		if i > 1 && len(n.in(i)) == 0 { // reachable from somewhere before
			connect(1+r.IntN(i-1), i)
		}
		outs := 1
		if n.kinds[i] != "task" {
			outs = 1 + r.IntN(3)
		}
		for len(n.out(i)) < outs {
			connect(i, i+1+r.IntN(min(4, last-i)))
		}
	}
	if cycles {
		for range 1 + r.IntN(2) {
			from, to := 1+r.IntN(last-1), 1+r.IntN(last-1)
			if from > to && n.kinds[from] == "xor" && n.kinds[to] == "xor" {
				n.from, n.to, n.yes = slices.Insert(n.from, 0, from), slices.Insert(n.to, 0, to), slices.Insert(n.yes, 0, false)
			}
		}
	}
	return n
}

// model writes the net for the engine. The flows of a node stand in the order of
// their numbers, as the model writer numbers them f1, f2 … node by node; ids maps
// these names back.
func (n *net) model() (text string, ids map[string]int) {
	ids = map[string]int{}
	var b strings.Builder
	count := 0
	for node, kind := range n.kinds {
		line := kind + " x" + strconv.Itoa(node)
		if kind == "task" {
			line = "user x" + strconv.Itoa(node)
		}
		out := n.out(node)
		if len(out) > 0 {
			line += ":"
		}
		for i, f := range out {
			count++
			ids["f"+strconv.Itoa(count)] = f
			line += " x" + strconv.Itoa(n.to[f])
			if (kind == "xor" || kind == "or") && len(out) > 1 {
				if i == len(out)-1 {
					line += "[*]"
				} else {
					line += fmt.Sprintf("[${c%d}]", f)
				}
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String(), ids
}

func (n *net) vars(r *rand.Rand) Document {
	m := map[string]any{}
	for f, yes := range n.yes {
		if n.free {
			yes = r.IntN(2) == 0
		}
		m["c"+strconv.Itoa(f)] = yes
	}
	doc, _ := Object(m)
	return doc
}

// finishTasks completes tasks in random order until none is left; false for a loop
// that does not end in time.
func (p *play) finishTasks(r *rand.Rand, n *net) bool {
	p.t.Helper()
	var do Action = &Start{ID: "i", DefinitionID: "v1", Vars: n.vars(r)}
	for range 300 {
		if err := p.try(do); ErrTooLong.With().Is(err) && n.free {
			return false
		} else if err != nil {
			p.t.Fatal(err)
		}
		if len(p.st.Tasks) == 0 {
			return true
		}
		var vars Document
		if n.free {
			vars = n.vars(r)
		}
		do = &CompleteTask{Task: p.st.Tasks[r.IntN(len(p.st.Tasks))].ID, Vars: vars}
	}
	return false
}

// The engine must end where the oracle can end: with the same tokens left over at
// joins, or with none.
func TestJoinsAgainstOracle(t *testing.T) {
	for _, cycles := range []bool{false, true} {
		t.Run(map[bool]string{false: "acyclic", true: "cyclic"}[cycles], func(t *testing.T) {
			compared, stuck := 0, 0
			for seed := uint64(1); compared < steps(10000)/100; seed++ {
				r := rand.New(rand.NewPCG(seed, 5))
				n := randomNet(r, cycles)
				finals, ok := n.finals(20_000)
				if !ok {
					continue
				}
				text, ids := n.model()
				g := compileModel(t, text)
				for range 3 {
					p := playOf(t, g)
					if !p.finishTasks(r, n) {
						continue
					}
					m := make([]int, len(n.from))
					for _, token := range p.st.Tokens {
						if token.State == StateJoin {
							m[ids[token.ArrivedFlow]]++
						}
					}
					if p.st.Instance.Status != Ended {
						stuck++
					}
					if !finals[fmt.Sprint(m)] {
						t.Fatalf("seed %d: the engine ends with %v, the oracle with %v\n%s%s", seed, m, finals, text, p.dump())
					}
					compared++
				}
			}
			if stuck == 0 {
				t.Errorf("no graph dead-locked in %d runs: the generator is too tame", compared)
			}
			t.Logf("%d runs, %d dead-locked as the oracle says", compared, stuck)
		})
	}
}
