package engine

import (
	"errors"
	"maps"
	"slices"

	"viva/internal/workflow/bpmn"
)

// serve runs service, send and business-rule tasks.
func (r *run) serve(t *Token, n *bpmn.Node) (Phase, error) {
	if n.Decision != nil {
		return PhaseLeave, r.decide(t, n)
	}
	switch {
	case n.Service == nil && n.Message != nil:
		return PhaseLeave, r.sendMessage(t, n, n.Message)
	case n.Service == nil:
		return PhaseLeave, nil
	}
	done, err := r.runService(t, n)
	if err != nil || !done {
		return phaseNone, err
	}
	return r.served(t, n), nil
}

// served goes on after the code ran: a triggerable task waits first.
func (r *run) served(t *Token, n *bpmn.Node) Phase {
	if !n.Service.Triggerable {
		return PhaseLeave
	}
	r.subscribe(t, n, SubTrigger, "", "")
	r.state(t, StateEvent)
	return phaseNone
}

// runService calls the code of a node. It answers false when the code was put
// off to a job.
func (r *run) runService(t *Token, n *bpmn.Node) (bool, error) {
	s := n.Service
	if s.Kind == bpmn.CodeExpression {
		v, err := r.eval(t, s.Expression)
		if err != nil {
			return false, err
		}
		return true, r.result(t, s, v)
	}
	inv, err := r.serviceCall(t, n)
	if err != nil {
		return false, err
	}
	later := s.Kind == bpmn.CodeExternal
	if !later {
		if later, err = r.env.async(inv); err != nil {
			return false, err
		}
	}
	if later {
		r.addJob(&Job{Token: t.ID, Kind: JobCallback, Element: n.ID, DueAt: r.cmd.At, Retries: retries(n.Retry), Exclusive: n.Exclusive})
		r.state(t, StateJob)
		return false, nil
	}
	out, err := r.env.invoke(inv)
	if err != nil {
		return false, r.codeError(t, err)
	}
	return true, r.outcome(t, s, out)
}

func (r *run) serviceCall(t *Token, n *bpmn.Node) (Invocation, error) {
	s := n.Service
	fields, err := r.fields(t, s.Fields)
	if err != nil {
		return Invocation{}, err
	}
	for _, p := range s.Inputs {
		if fields == nil {
			fields = map[string]any{}
		}
		if fields[p.Name], err = r.value(&reader{r: r, t: t}, p.Value); err != nil {
			return Invocation{}, err
		}
	}
	return r.invocation(t, Invocation{Purpose: PurposeService, Code: s.Kind, Handler: s.Name, Fields: fields, Node: n}), nil
}

// Work gives the call that a call-back job stands for. The shell runs it outside
// the command and reports with FinishJob or FailJob.
func Work(g *bpmn.Process, st *State, job int64, cmd Command, env Env) (Invocation, error) {
	r := &run{g: g, st: st, cmd: cmd, env: world{Env: env}}
	j := st.Job(job)
	if j == nil || j.Kind != JobCallback {
		return Invocation{}, ErrNoJob.With(job)
	}
	t := st.Token(j.Token)
	n, err := r.node(t)
	if err != nil {
		return Invocation{}, err
	}
	inv, err := r.serviceCall(t, n)
	inv.Job = job
	return inv, err
}

// outcome stores what a handler answered.
func (r *run) outcome(t *Token, s *bpmn.Service, out Outcome) error {
	if err := r.setAll(t, out.Vars); err != nil {
		return err
	}
	if err := r.setAllLocal(t, out.Local); err != nil {
		return err
	}
	if len(s.Outputs) > 0 {
		seen := maps.Clone(out.Vars)
		if seen == nil {
			seen = map[string]any{}
		}
		maps.Copy(seen, out.Local)
		for _, p := range s.Outputs {
			v, err := r.value(&reader{r: r, t: t, extra: seen}, p.Value)
			if err != nil {
				return err
			}
			if err := r.set(t, p.Name, v); err != nil {
				return err
			}
		}
	}
	return r.result(t, s, out.Result)
}

func (r *run) result(t *Token, s *bpmn.Service, v any) error {
	switch {
	case s.ResultVariable == "":
		return nil
	case s.LocalResult:
		return r.setLocal(t, s.ResultVariable, v)
	}
	return r.set(t, s.ResultVariable, v)
}

// decide calls a registered decision. It answers a list of rows, each a map of
// outputs; the result mapping of the task picks from it.
func (r *run) decide(t *Token, n *bpmn.Node) error {
	ref, err := r.text(t, n.Decision.Ref)
	if err != nil {
		return err
	}
	out, err := r.env.invoke(r.invocation(t, Invocation{Purpose: PurposeDecision, Handler: ref, Node: n}))
	if err != nil {
		return r.codeError(t, err)
	}
	if n.Decision.ResultVariable == "" {
		return nil
	}
	v, err := pick(n, out.Result)
	if err != nil {
		return err
	}
	return r.set(t, n.Decision.ResultVariable, v)
}

func pick(n *bpmn.Node, result any) (any, error) {
	rows, ok := result.([]any)
	if !ok {
		if result == nil {
			rows = nil
		} else {
			rows = []any{result}
		}
	}
	many := func(what string) error {
		return &stall{kind: IncidentExpression, message: n.ID + "：决策结果不唯一 / the decision gave more than one " + what}
	}
	switch n.Decision.Result {
	case "singleResult":
		if len(rows) > 1 {
			return nil, many("row")
		}
		if len(rows) == 0 {
			return nil, nil
		}
		return rows[0], nil
	case "singleEntry":
		if len(rows) > 1 {
			return nil, many("row")
		}
		entries := entriesOf(rows)
		if len(entries) > 1 {
			return nil, many("entry")
		}
		if len(entries) == 0 {
			return nil, nil
		}
		return entries[0], nil
	case "collectEntries":
		return entriesOf(rows), nil
	}
	if rows == nil {
		return []any{}, nil
	}
	return rows, nil
}

func entriesOf(rows []any) []any {
	list := []any{}
	for _, row := range rows {
		m, ok := row.(map[string]any)
		if !ok {
			list = append(list, row)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			list = append(list, m[name])
		}
	}
	return list
}

// runScript runs a script task.
func (r *run) runScript(t *Token, n *bpmn.Node) (Phase, error) {
	if n.Script == nil {
		return PhaseLeave, nil
	}
	out, err := r.env.invoke(r.invocation(t, Invocation{Purpose: PurposeScript, Handler: n.ID, Script: n.Script, Node: n}))
	if err != nil {
		return phaseNone, r.codeError(t, err)
	}
	if err := r.setAll(t, out.Vars); err != nil {
		return phaseNone, err
	}
	if n.Script.ResultVariable != "" {
		return PhaseLeave, r.set(t, n.Script.ResultVariable, out.Result)
	}
	return PhaseLeave, nil
}

// invocation fills in what every call of code sees.
func (r *run) invocation(t *Token, i Invocation) Invocation {
	in := r.st.Instance
	i.Token, i.Instance = t.ID, &in
	i.Variable = func(name string) (any, bool) { return (&reader{r: r, t: t, task: i.Task}).Variable(name) }
	i.Variables = func() map[string]any { return r.visible(t) }
	return i
}

// codeError sorts the failure of registered code.
func (r *run) codeError(t *Token, err error) error {
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.Is(err, ErrNoHandler):
		return &stall{kind: IncidentHandler, message: t.Element + "：处理程序未注册 / the handler is not registered", detail: err.Error()}
	}
	return ErrHandler.With(t.Element, err).Because(err)
}

func (r *run) fields(t *Token, list []bpmn.Field) (map[string]any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make(map[string]any, len(list))
	for _, f := range list {
		if !f.Expression.Present() {
			out[f.Name] = f.Value
			continue
		}
		v, err := r.eval(t, f.Expression)
		if err != nil {
			return nil, err
		}
		out[f.Name] = v
	}
	return out, nil
}
