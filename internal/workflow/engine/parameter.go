package engine

import "viva/internal/workflow/bpmn"

// inputs fills the local variables of an activity.
func (r *run) inputs(t *Token, list []bpmn.Parameter) error {
	for _, p := range list {
		v, err := r.value(&reader{r: r, t: t}, p.Value)
		if err != nil {
			return err
		}
		if err := r.setLocal(t, p.Name, v); err != nil {
			return err
		}
	}
	return nil
}

// outputs hands values of an activity to the scope around it.
func (r *run) outputs(t *Token, list []bpmn.Parameter) error {
	for _, p := range list {
		v, err := r.value(&reader{r: r, t: t}, p.Value)
		if err != nil {
			return err
		}
		if err := r.set(r.st.Token(t.Parent), p.Name, v); err != nil {
			return err
		}
	}
	return nil
}

// value evaluates the value of a vendor parameter.
func (r *run) value(env *reader, v bpmn.Value) (any, error) {
	switch v.Kind {
	case bpmn.ValueList:
		list := make([]any, 0, len(v.List))
		for _, member := range v.List {
			x, err := r.value(env, member)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	case bpmn.ValueMap:
		m := make(map[string]any, len(v.Entries))
		for _, e := range v.Entries {
			x, err := r.value(env, e.Value)
			if err != nil {
				return nil, err
			}
			m[e.Name] = x
		}
		return m, nil
	case bpmn.ValueScript:
		out, err := r.env.invoke(r.invocation(env.t, Invocation{Purpose: PurposeScript, Handler: env.t.Element, Script: v.Script}))
		if err != nil {
			return nil, r.codeError(env.t, err)
		}
		return out.Result, nil
	}
	return r.evalWith(env, v.Text)
}
