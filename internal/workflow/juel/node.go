package juel

// The limits of an evaluation.
const (
	maxSteps  = 20_000
	maxString = 64 << 10
)

// run is one evaluation.
type run struct {
	env   Env
	steps int
}

func (r *run) step(n int) error {
	if r.steps += n; r.steps > maxSteps {
		return refuse("计算超过 %d 步，已中止", "stopped after %d steps", maxSteps)
	}
	return nil
}

// node is a part of an expression. An unknown variable evaluates to its own
// *ident, so that the operation above can name it; known turns it into nil.
type node interface {
	eval(r *run) (any, error)
	children() []node
}

func known(v any) any {
	if _, unknown := v.(*ident); unknown {
		return nil
	}
	return v
}

type literal struct{ value any }

func (n *literal) eval(*run) (any, error) { return n.value, nil }
func (n *literal) children() []node       { return nil }

type ident struct {
	name   string
	pos    int
	column int
}

func (n *ident) eval(r *run) (any, error) {
	if err := r.step(1); err != nil {
		return nil, at(n.column, err)
	}
	if v, ok := r.env.Variable(n.name); ok {
		return canonical(v), nil
	}
	return n, nil
}

func (n *ident) children() []node { return nil }

func (n *ident) unknown() error {
	return refuse("变量 %s 不存在", "there is no variable %s", n.name)
}

type choice struct {
	condition, yes, no node
	column             int
}

func (n *choice) eval(r *run) (any, error) {
	ok, err := r.condition(n.condition, n.column)
	if err != nil {
		return nil, err
	}
	if ok {
		return n.yes.eval(r)
	}
	return n.no.eval(r)
}

func (n *choice) children() []node { return []node{n.condition, n.yes, n.no} }

// logic is a chain of && or of ||.
type logic struct {
	and      bool
	operands []node
	column   int
}

func (n *logic) eval(r *run) (any, error) {
	for _, operand := range n.operands {
		ok, err := r.condition(operand, n.column)
		if err != nil {
			return nil, err
		}
		if ok != n.and {
			return ok, nil
		}
	}
	return n.and, nil
}

func (n *logic) children() []node { return n.operands }

// condition evaluates an operand of logic: null is false as in EL §1.18.5.
func (r *run) condition(n node, column int) (bool, error) {
	if err := r.step(1); err != nil {
		return false, at(column, err)
	}
	v, err := n.eval(r)
	if err != nil {
		return false, err
	}
	b, err := toBool(v)
	if id, unknown := v.(*ident); unknown {
		column = id.column
	}
	return b, at(column, err)
}

type not struct {
	operand node
	column  int
}

func (n *not) eval(r *run) (any, error) {
	b, err := r.condition(n.operand, n.column)
	return !b, err
}

func (n *not) children() []node { return []node{n.operand} }

// emptiness is EL §1.10: null, "", and a list or map without elements.
type emptiness struct{ operand node }

func (n *emptiness) eval(r *run) (any, error) {
	v, err := n.operand.eval(r)
	if err != nil {
		return nil, err
	}
	return isEmpty(v), nil
}

func (n *emptiness) children() []node { return []node{n.operand} }

func isEmpty(v any) bool {
	switch x := known(v).(type) {
	case nil:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}

type negation struct {
	operand node
	column  int
}

func (n *negation) eval(r *run) (any, error) {
	v, err := n.operand.eval(r)
	if err != nil {
		return nil, err
	}
	result, err := negate(v)
	return result, at(n.column, err)
}

func (n *negation) children() []node { return []node{n.operand} }

type arithmetic struct {
	op          byte
	left, right node
	column      int
}

func (n *arithmetic) eval(r *run) (any, error) {
	a, b, err := r.pair(n.left, n.right, n.column)
	if err != nil {
		return nil, err
	}
	v, err := calculate(n.op, a, b)
	return v, at(n.column, err)
}

func (n *arithmetic) children() []node { return []node{n.left, n.right} }

type comparison struct {
	relation    relation
	left, right node
	column      int
}

func (n *comparison) eval(r *run) (any, error) {
	a, b, err := r.pair(n.left, n.right, n.column)
	if err != nil {
		return nil, err
	}
	v, err := r.compare(n.relation, a, b)
	return v, at(n.column, err)
}

func (n *comparison) children() []node { return []node{n.left, n.right} }

func (r *run) pair(left, right node, column int) (any, any, error) {
	if err := r.step(1); err != nil {
		return nil, nil, at(column, err)
	}
	a, err := left.eval(r)
	if err != nil {
		return nil, nil, err
	}
	b, err := right.eval(r)
	return a, b, err
}
