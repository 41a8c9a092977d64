package engine

import (
	"maps"

	"viva/internal/workflow/bpmn"
)

// callChild asks for the child instance of a call activity and waits for it. The
// shell resolves the definition, starts the child in the same transaction and
// reports its end with FinishChild.
func (r *run) callChild(t *Token, n *bpmn.Node) error {
	if r.st.Instance.Depth >= MaxDepth {
		return ErrTooDeep.With(MaxDepth)
	}
	c := n.Call
	want := ChildWanted{Token: t.ID, Element: n.ID, ByID: c.ByID, Binding: string(c.Binding), InheritKey: c.InheritKey, IDVariable: c.IDVariable, Depth: r.st.Instance.Depth + 1}
	version := c.Version
	if c.Binding == bpmn.BindVersionTag {
		version = c.VersionTag
	}
	for _, part := range []struct {
		to   *string
		from bpmn.Expression
	}{{&want.Called, c.Element}, {&want.Version, version}, {&want.BusinessKey, c.BusinessKey}, {&want.Name, c.Name}} {
		text, err := r.text(t, part.from)
		if err != nil {
			return err
		}
		*part.to = text
	}
	passed := c.In
	if c.InheritVariables {
		passed = append([]bpmn.Mapping{{All: true}}, c.In...)
	}
	vars, err := r.mapIn(t, passed)
	if err != nil {
		return err
	}
	want.Vars = vars
	if t.Kind != KindItem {
		t.Kind = KindCall
	}
	r.state(t, StateChild)
	r.emit(want)
	return nil
}

// mapIn collects the variables that a mapping passes on.
func (r *run) mapIn(t *Token, list []bpmn.Mapping) (Document, error) {
	if len(list) == 0 {
		return "", nil
	}
	vars := map[string]any{}
	for _, m := range list {
		switch {
		case m.All && m.Local:
			own, err := r.local(t)
			if err != nil {
				return "", err
			}
			maps.Copy(vars, own)
		case m.All:
			maps.Copy(vars, r.visible(t))
		case m.SourceExpression.Present():
			v, err := r.eval(t, m.SourceExpression)
			if err != nil {
				return "", err
			}
			vars[m.Target] = v
		case m.Target != "":
			vars[m.Target], _ = r.lookup(t, m.Source)
		}
	}
	doc, err := Object(vars)
	if err != nil {
		return "", ErrBadVariable.With(err)
	}
	return doc, nil
}

// FinishChild reports the end of a child instance: its variables, or the BPMN
// error that left it.
type FinishChild struct {
	Token int64
	Vars  Document `json:",omitzero"`
	Fault *Fault   `json:",omitempty"`
}

// Name implements Action.
func (*FinishChild) Name() string { return "finish_child" }

func (a *FinishChild) apply(r *run) error {
	t := r.st.Token(a.Token)
	if t == nil {
		return ErrNoToken.With(a.Token)
	}
	if t.State != StateChild {
		return ErrNotThere.With(a.Token, "没有等待子流程 / it does not wait for a child process")
	}
	n, err := r.node(t)
	if err != nil {
		return err
	}
	r.state(t, StateReady) // the child is over, nobody needs to cancel it
	if a.Fault != nil {
		return r.throw(t, a.Fault, PhaseBehave)
	}
	if err := r.mapOut(t, n.Call, a.Vars); err != nil {
		return r.failed(t, PhaseBehave, err)
	}
	r.complete(t)
	return nil
}

// mapOut copies variables of the child back. Its expressions see the child only.
func (r *run) mapOut(t *Token, c *bpmn.CallActivity, doc Document) error {
	child, err := doc.Fields()
	if err != nil {
		return ErrBadVariable.With(err)
	}
	out := map[string]any{}
	for _, m := range c.Out {
		switch {
		case m.All:
			maps.Copy(out, child)
		case m.SourceExpression.Present():
			v, err := r.evalWith(&reader{r: r, t: t, extra: child, closed: true}, m.SourceExpression)
			if err != nil {
				return err
			}
			out[m.Target] = v
		case m.Target != "":
			out[m.Target] = child[m.Source]
		}
	}
	if c.LocalOut {
		return r.setAllLocal(t, out)
	}
	return r.setAll(t, out)
}
