package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
)

// openBody turns a token into the body of a multi-instance activity and starts
// its items: all of a parallel one, the first of a sequential one. The collection
// is copied here; later changes of the variable do not count.
func (r *run) openBody(t *Token, n *bpmn.Node) error {
	items, given, err := r.items(t, n)
	if err != nil {
		return err
	}
	if len(items) > MaxItems {
		return &stall{kind: IncidentExpression, message: n.ID + "：多实例超过 " + itoa(MaxItems) + " 个 / more than " + itoa(MaxItems) + " instances"}
	}
	t.Kind, t.Counters = KindBody, Counters{Given: given}
	r.state(t, StateActive)
	r.startVisit(t, "multiInstanceBody")
	if err := r.armBoundaries(t, n); err != nil {
		return err
	}
	if len(items) == 0 {
		r.complete(t)
		return nil
	}
	t.Counters.Total = len(items)
	if n.Loop.Kind == bpmn.LoopSequential {
		if t.Counters.Items, err = encode(items[1:]); err != nil {
			return ErrBadVariable.With(err)
		}
		items = items[:1]
	}
	for _, v := range items {
		if _, err := r.openItem(t, n, v); err != nil {
			return err
		}
	}
	return nil
}

// items finds the values of the instances: those of the approval layer (given), or the
// modelled collection, or the numbers of a cardinality.
func (r *run) items(t *Token, n *bpmn.Node) (list []any, given bool, err error) {
	list, given, err = r.env.items(r.invocation(t, Invocation{Purpose: PurposeItems, Node: n}))
	if given || err != nil {
		return list, given, err
	}
	list, err = r.collection(t, n)
	return list, false, err
}

func (r *run) collection(t *Token, n *bpmn.Node) ([]any, error) {
	if !n.Loop.Collection.Present() {
		return r.cardinality(t, n)
	}
	v, err := r.eval(t, n.Loop.Collection)
	if err != nil {
		return nil, err
	}
	if name, ok := v.(string); ok && name == n.Loop.Collection.Source {
		v, _ = r.lookup(t, name) // a bare name is a variable
	}
	switch x := v.(type) {
	case []any:
		return x, nil
	case string: // a comma list, as forms send it
		if parts := splitList(x); len(parts) > 0 {
			list := make([]any, len(parts))
			for i, p := range parts {
				list[i] = p
			}
			return list, nil
		}
		return nil, nil
	}
	return nil, &stall{kind: IncidentExpression, message: n.ID + "：多实例集合不是列表 / the collection of the activity is not a list", detail: n.Loop.Collection.Source}
}

func (r *run) cardinality(t *Token, n *bpmn.Node) ([]any, error) {
	v, err := r.eval(t, n.Loop.Cardinality)
	if err != nil {
		return nil, err
	}
	count, ok := integer(v)
	if !ok || count < 0 || count > MaxItems {
		return nil, &stall{kind: IncidentExpression, message: n.ID + "：多实例基数须为 0 到 " + itoa(MaxItems) + " 的整数 / the cardinality must be an integer from 0 to " + itoa(MaxItems), detail: n.Loop.Cardinality.Source}
	}
	list := make([]any, count)
	for i := range list {
		list[i] = int64(i)
	}
	return list, nil
}

// openItem starts one instance.
func (r *run) openItem(body *Token, n *bpmn.Node, v any) (*Token, error) {
	t, err := r.produce(body, KindItem, n.ID)
	if err != nil {
		return nil, err
	}
	t.LoopIndex = body.Counters.Next
	body.Counters.Next++
	body.Counters.Active++
	r.touch(body)
	if n.Loop.IndexVariable != "" {
		if err := r.setLocal(t, n.Loop.IndexVariable, int64(t.LoopIndex)); err != nil {
			return nil, err
		}
	}
	if name := itemVariable(n, body.Counters.Given); name != "" {
		if err := r.setLocal(t, name, v); err != nil {
			return nil, err
		}
	}
	r.ready(t, PhaseEnter)
	return t, nil
}

// itemVariable is where an item finds its value: the modelled name, or for values that
// Env.Items chose and the model has no name for, id_assignee as the wire family has it.
func itemVariable(n *bpmn.Node, given bool) string {
	if n.Loop.ElementVariable == "" && given {
		return n.ID + "_assignee"
	}
	return n.Loop.ElementVariable
}

// itemDone counts a completed instance. When the completion condition holds, the
// instances still running are cancelled.
func (r *run) itemDone(t *Token, n *bpmn.Node) error {
	body := r.st.Token(t.Parent)
	before := body.Counters
	body.Counters.Active--
	body.Counters.Completed++
	done, err := r.enough(body, n)
	if err != nil {
		body.Counters = before // the item waits in an incident and is not counted yet
		return err
	}
	r.touch(body)
	r.consume(t)
	if done {
		return r.stopItems(body, because("condition met"))
	}
	return r.nextItem(body, n)
}

func (r *run) enough(body *Token, n *bpmn.Node) (bool, error) {
	if !n.Loop.Completion.Present() {
		return false, nil
	}
	return r.holds(body, n.Loop.Completion)
}

func (r *run) stopItems(body *Token, why reason) error {
	for _, item := range slices.Backward(r.st.children(body.ID)) {
		if err := r.cancel(item, why); err != nil {
			return err
		}
		body.Counters.Active--
		body.Counters.Cancelled++
	}
	if rest := r.pending(body); len(rest) > 0 {
		body.Counters.Cancelled += len(rest)
		body.Counters.Items = ""
	}
	r.complete(body)
	return nil
}

// pending gives the items of a sequential body that have not begun.
func (r *run) pending(body *Token) []any {
	v, _ := body.Counters.Items.Value()
	list, _ := v.([]any)
	return list
}

// nextItem begins the next sequential item, or completes the body after the last.
func (r *run) nextItem(body *Token, n *bpmn.Node) error {
	if body.Counters.Active > 0 {
		return nil
	}
	rest := r.pending(body)
	if len(rest) == 0 {
		body.Counters.Items = ""
		r.complete(body)
		return nil
	}
	doc, err := encode(rest[1:])
	if err != nil {
		return ErrBadVariable.With(err)
	}
	body.Counters.Items = doc
	_, err = r.openItem(body, n, rest[0])
	return err
}

// body finds the body of a multi-instance command.
func (r *run) body(id int64) (*Token, *bpmn.Node, error) {
	t := r.st.Token(id)
	if t == nil {
		return nil, nil, ErrNoToken.With(id)
	}
	if t.Kind != KindBody || t.State != StateActive {
		return nil, nil, ErrNotThere.With(id, "不是多实例活动 / it is no open multi-instance activity")
	}
	n, err := r.node(t)
	return t, n, err
}

// AddItem adds an instance to a running multi-instance activity (add-sign): at
// once to a parallel one, at the end of the queue of a sequential one.
type AddItem struct {
	Body  int64
	Value Document
}

// Name implements Action.
func (*AddItem) Name() string { return "add_item" }

func (a *AddItem) apply(r *run) error {
	t, n, err := r.body(a.Body)
	if err != nil {
		return err
	}
	if t.Counters.Total-t.Counters.Cancelled >= MaxItems {
		return ErrTooWide.With(MaxItems)
	}
	v, err := a.Value.Value()
	if err != nil {
		return ErrBadVariable.With(err)
	}
	t.Counters.Total++
	r.touch(t)
	if n.Loop.Kind == bpmn.LoopParallel {
		_, err = r.openItem(t, n, v)
		return err
	}
	t.Counters.Items, err = encode(append(r.pending(t), v))
	return err
}

// RemoveItem takes an instance out of a running multi-instance activity
// (remove-sign). It no longer counts, so the completion condition is tested
// again; when it was the last one the activity is done.
type RemoveItem struct {
	Item   int64
	Reason string `json:",omitempty"`
}

// Name implements Action.
func (*RemoveItem) Name() string { return "remove_item" }

func (a *RemoveItem) apply(r *run) error {
	item := r.st.Token(a.Item)
	if item == nil {
		return ErrNoToken.With(a.Item)
	}
	if item.Kind != KindItem {
		return ErrNotThere.With(a.Item, "不是多实例的一项 / it is no item of a multi-instance activity")
	}
	body, n, err := r.body(item.Parent)
	if err != nil {
		return err
	}
	if err := r.cancel(item, because(a.Reason)); err != nil {
		return err
	}
	body.Counters.Active--
	body.Counters.Cancelled++
	r.touch(body)
	if body.Counters.Completed > 0 {
		done, err := r.enough(body, n)
		if err != nil {
			return r.fatal(n.ID, err)
		}
		if done {
			return r.stopItems(body, because("condition met"))
		}
	}
	return r.nextItem(body, n)
}

// ReopenItem takes back that an item of a running multi-instance activity is done
// (withdrawal): it no longer counts as completed and is opened again with its value. The
// item of a sequential activity that began meanwhile goes back to the queue.
type ReopenItem struct {
	Body   int64
	Value  Document
	Reason string `json:",omitempty"`
}

// Name implements Action.
func (*ReopenItem) Name() string { return "reopen_item" }

func (a *ReopenItem) apply(r *run) error {
	t, n, err := r.body(a.Body)
	if err != nil {
		return err
	}
	if t.Counters.Completed == 0 {
		return ErrNotThere.With(t.ID, "没有已完成的项 / none of its items is done")
	}
	v, err := a.Value.Value()
	if err != nil {
		return ErrBadVariable.With(err)
	}
	if n.Loop.Kind == bpmn.LoopSequential {
		rest := r.pending(t)
		for _, item := range r.st.children(t.ID) {
			var value any
			if name := itemVariable(n, t.Counters.Given); name != "" {
				value, _ = r.lookup(item, name)
			}
			rest = append([]any{value}, rest...)
			if err := r.cancel(item, because(a.Reason)); err != nil {
				return err
			}
			t.Counters.Active--
		}
		if t.Counters.Items, err = encode(rest); err != nil {
			return ErrBadVariable.With(err)
		}
	}
	t.Counters.Completed--
	r.touch(t)
	_, err = r.openItem(t, n, v)
	return err
}
