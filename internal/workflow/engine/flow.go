package engine

import "viva/internal/workflow/bpmn"

// choose selects the flows to take.
//
//	exclusive gateway   first true flow in document order, else the default
//	parallel gateway    every flow, conditions do not count
//	everything else     every true or unconditional flow, the default if none is
//
// A node that has outgoing flows but may take none stalls: its token must not
// vanish.
func (r *run) choose(t *Token, n *bpmn.Node) ([]int, error) {
	if len(n.Outgoing) == 0 || n.Kind == bpmn.KindParallelGateway {
		return n.Outgoing, nil
	}
	var flows []int
	for i, f := range n.Outgoing {
		if f == n.Default {
			continue
		}
		yes, err := r.passable(t, &r.g.Flows[f])
		if err != nil {
			return nil, err
		}
		if !yes {
			continue
		}
		if n.Kind == bpmn.KindExclusiveGateway || len(n.Outgoing) == 1 {
			return n.Outgoing[i : i+1], nil
		}
		flows = append(flows, f)
	}
	switch {
	case len(flows) > 0:
		return flows, nil
	case n.Default != bpmn.None:
		return []int{n.Default}, nil
	}
	return nil, &stall{kind: IncidentFlow,
		message: n.ID + "：没有满足条件的流出连线，也没有默认连线 / no outgoing flow has a true condition and there is no default flow"}
}

func (r *run) passable(t *Token, f *bpmn.Flow) (bool, error) {
	if skip, err := r.skipped(t, f.Skip); skip || err != nil {
		return skip, err
	}
	c := f.Condition
	switch {
	case c == nil:
		return true, nil
	case c.Script == nil:
		return r.holds(t, c.Expression)
	}
	out, err := r.env.invoke(r.invocation(t, Invocation{Purpose: PurposeScript, Handler: f.ID, Script: c.Script, Flow: f}))
	if err != nil {
		return false, r.codeError(t, err)
	}
	switch out.Result {
	case true, "true":
		return true, nil
	case false, "false":
		return false, nil
	}
	return false, &stall{kind: IncidentExpression, message: f.ID + "：脚本条件的结果应为 true 或 false / the script condition must give true or false"}
}
