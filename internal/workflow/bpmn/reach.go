package bpmn

// reachability computes Reaches for every pair of a scope, and the Join sets of
// inclusive gateways.
func (c *compiler) reachability() {
	p := c.build.process
	after, before := p.steps()
	p.reach = make([]Set, len(p.Nodes))
	for i := range p.Nodes {
		p.reach[i] = closure(after, after[i], None)
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Kind != KindInclusiveGateway || len(n.Incoming) < 2 {
			continue
		}
		for _, f := range n.Incoming {
			n.Join = append(n.Join, closure(before, []int{p.Flows[f].Source}, i))
		}
	}
}

// steps gives for each node where a token may go next, boundary events included,
// and from where one may come by a flow or link.
func (p *Process) steps() (after, before [][]int) {
	after, before = make([][]int, len(p.Nodes)), make([][]int, len(p.Nodes))
	for _, f := range p.Flows {
		after[f.Source] = append(after[f.Source], f.Target)
		before[f.Target] = append(before[f.Target], f.Source)
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		after[i] = append(after[i], n.Boundaries...)
		if n.LinkTarget != None {
			after[i] = append(after[i], n.LinkTarget)
			before[n.LinkTarget] = append(before[n.LinkTarget], i)
		}
	}
	return after, before
}

// closure gives the nodes of from and everything that steps lead to from there,
// without visiting the node avoided.
func closure(steps [][]int, from []int, avoided int) Set {
	seen := newSet(len(steps))
	open := append([]int(nil), from...)
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		if i == avoided || seen.Has(i) {
			continue
		}
		seen.add(i)
		open = append(open, steps[i]...)
	}
	return seen
}
