package bpmn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// joinOf names the nodes of Join for the incoming flow "from>gateway".
func joinOf(t *testing.T, p *Process, gateway, from string) string {
	t.Helper()
	g := node(t, p, gateway)
	for i, f := range g.Incoming {
		if p.Nodes[p.Flows[f].Source].ID != from {
			continue
		}
		var ids []string
		for _, n := range p.Nodes {
			if g.Join[i].Has(n.Index) {
				ids = append(ids, n.ID)
			}
		}
		return strings.Join(ids, " ")
	}
	t.Fatalf("no flow from %s to %s", from, gateway)
	return ""
}

func tasks(ids ...string) string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, `<manualTask id="%s"/>`, id)
	}
	return b.String()
}

func TestJoin(t *testing.T) {
	split := `<startEvent id="s"/><inclusiveGateway id="o"/><inclusiveGateway id="j"/><endEvent id="e"/>`
	for _, c := range []struct {
		name, content string
		from          string
		want          string
	}{
		{"plain", split + tasks("a", "b") + flows("s>o", "o>a", "o>b", "a>j", "b>j", "j>e"), "a", "s o a"},
		{"crossing branch", split + tasks("a", "b") + flows("s>o", "o>a", "o>b", "a>j", "b>j", "a>b", "j>e"), "b", "s o a b"},
		{"loop back into a branch", split + tasks("a", "b", "c") + flows("s>o", "o>a", "o>b", "a>j", "b>j", "j>c", "c>a", "j>e"), "a", "s o a c"},
		{"behind the join", split + tasks("a", "b", "c") + flows("s>o", "o>a", "o>b", "a>j", "b>j", "j>c", "c>e"), "b", "s o b"},
		{"around by a link", split + tasks("a", "b") + `<intermediateThrowEvent id="t"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="k"><linkEventDefinition name="L"/></intermediateCatchEvent>` +
			flows("s>o", "o>a", "o>t", "k>b", "a>j", "b>j", "j>e"), "b", "s o b t k"},
		{"a boundary event starts no path", split + tasks("a", "b") + `<userTask id="h" name="H"/><boundaryEvent id="x" attachedToRef="h"><errorEventDefinition/></boundaryEvent>` +
			flows("s>o", "o>a", "o>h", "h>e", "x>b", "a>j", "b>j", "j>e"), "b", "b x"},
		{"gateway into itself", split + tasks("a") + flows("s>o", "o>a", "a>j", "j>j", "j>e"), "j", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := decode(t, file("", c.content)).Processes[0]
			if got := joinOf(t, p, "j", c.from); got != c.want {
				t.Errorf("through %s: %q, want %q", c.from, got, c.want)
			}
		})
	}
}

func TestJoinOnlyWhereNeeded(t *testing.T) {
	p := sound(t, file("", `<startEvent id="s"/><inclusiveGateway id="o"/><parallelGateway id="j"/><endEvent id="e"/>`+tasks("a", "b")+flows("s>o", "o>a", "o>b", "a>j", "b>j", "j>e")))
	for _, n := range p.Nodes {
		if n.Join != nil {
			t.Errorf("%s has join sets", n.ID)
		}
	}
}

func TestReachesBoundariesAndLinks(t *testing.T) {
	p := sound(t, file("", `<startEvent id="s"/><userTask id="h" name="H"/><boundaryEvent id="x" attachedToRef="h"><errorEventDefinition/></boundaryEvent><endEvent id="e"/>
<intermediateThrowEvent id="t"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="k"><linkEventDefinition name="L"/></intermediateCatchEvent>`+
		tasks("a", "b")+flows("s>h", "h>e", "x>a", "a>t", "k>b", "b>e")))
	for pair, want := range map[string]bool{"s>b": true, "h>x": true, "x>b": true, "b>h": false, "h>h": false, "t>k": true, "k>t": false} {
		from, to, _ := strings.Cut(pair, ">")
		if got := p.Reaches(node(t, p, from).Index, node(t, p, to).Index); got != want {
			t.Errorf("%s: %v", pair, got)
		}
	}
}

// On random graphs the sets equal what walking every simple path finds.
func TestReachabilityProperty(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 400 {
		n := 3 + rnd.IntN(7)
		var b strings.Builder
		b.WriteString(`<startEvent id="n0"/>`)
		for i := 1; i < n; i++ {
			kind := []string{"inclusiveGateway", "manualTask", "exclusiveGateway"}[rnd.IntN(3)]
			fmt.Fprintf(&b, `<%s id="n%d"/>`, kind, i)
		}
		for i := range n + rnd.IntN(2*n) {
			fmt.Fprintf(&b, `<sequenceFlow id="f%d" sourceRef="n%d" targetRef="n%d"/>`, i, rnd.IntN(n), 1+rnd.IntN(n-1))
		}
		p := decode(t, file("", b.String())).Processes[0]
		for g := range p.Nodes {
			for i, f := range p.Nodes[g].Incoming {
				if p.Nodes[g].Join == nil {
					continue
				}
				for from := range p.Nodes {
					if got, want := p.Nodes[g].Join[i].Has(from), from != g && walk(p, from, p.Flows[f].Source, g, map[int]bool{}); got != want {
						t.Fatalf("join of n%d through f%d from n%d is %v\n%s", g, f, from, got, b.String())
					}
				}
			}
			for to := range p.Nodes {
				want := false
				for _, f := range p.Nodes[g].Outgoing {
					want = want || walk(p, p.Flows[f].Target, to, None, map[int]bool{})
				}
				if got := p.Reaches(g, to); got != want {
					t.Fatalf("n%d reaches n%d: %v\n%s", g, to, got, b.String())
				}
			}
		}
	}
}

// walk tries every simple path from a node to another that avoids a third.
func walk(p *Process, from, to, avoided int, on map[int]bool) bool {
	if from == avoided || on[from] {
		return false
	}
	if from == to {
		return true
	}
	on[from] = true
	defer delete(on, from)
	for _, f := range p.Nodes[from].Outgoing {
		if walk(p, p.Flows[f].Target, to, avoided, on) {
			return true
		}
	}
	return false
}

func TestSet(t *testing.T) {
	s := newSet(130)
	for _, i := range []int{0, 63, 64, 129} {
		s.add(i)
	}
	for _, i := range []int{0, 63, 64, 129} {
		if !s.Has(i) {
			t.Errorf("%d is missing", i)
		}
	}
	for _, i := range []int{None, 1, 65, 128, 130, 1000} {
		if s.Has(i) {
			t.Errorf("%d is there", i)
		}
	}
}
