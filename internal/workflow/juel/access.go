package juel

import "strconv"

// access is a.b. What an unknown variable has inside is unknown as well, what null
// has is null, and so is an absent member of a map.
type access struct {
	object node
	member string
	column int
}

func (n *access) eval(r *run) (any, error) {
	v, err := n.object.eval(r)
	if err != nil {
		return nil, err
	}
	v, err = r.inside(v, n.member)
	return v, at(n.column, err)
}

func (n *access) children() []node { return []node{n.object} }

// index is a[b].
type index struct {
	object, key node
	column      int
}

func (n *index) eval(r *run) (any, error) {
	v, key, err := r.pair(n.object, n.key, n.column)
	if err != nil {
		return nil, err
	}
	v, err = r.inside(v, known(key))
	return v, at(n.column, err)
}

func (n *index) children() []node { return []node{n.object, n.key} }

// inside gives the member of a map or the element of a list; outside of the list is
// null, as EL's resolvers have it.
func (r *run) inside(v, key any) (any, error) {
	if err := r.step(1); err != nil {
		return nil, err
	}
	if key == nil {
		return nil, nil
	}
	switch x := v.(type) {
	case nil, *ident:
		return v, nil
	case map[string]any:
		name, err := r.text(key)
		return canonical(x[name]), err
	case []any:
		i, err := toIndex(key)
		if err != nil || i < 0 || i >= int64(len(x)) {
			return nil, err
		}
		return canonical(x[i]), nil
	}
	member, _ := r.text(key)
	return nil, typed("%s没有成员 %s", "a %s has no member %s", v, member)
}

func toIndex(key any) (int64, error) {
	switch x := key.(type) {
	case int64:
		return x, nil
	case string:
		if i, err := strconv.ParseInt(x, 10, 64); err == nil {
			return i, nil
		}
	case Decimal:
		if i, ok := x.Int64(); ok {
			return i, nil
		}
	}
	return 0, typed("列表的下标应为整数，实际为%s", "the index of a list must be an integer, not a %s", key)
}

// beanCall is x.m(…). Where m is a method of values, a variable x goes before a
// bean of that name.
type beanCall struct {
	bean   *ident
	method string
	own    *method
	args   []node
	column int
}

func (n *beanCall) eval(r *run) (any, error) {
	args, err := r.arguments(n.args, n.column)
	if err != nil {
		return nil, err
	}
	if n.own != nil {
		if v, ok := r.env.Variable(n.bean.name); ok {
			return n.own.on(r, canonical(v), args, n.column)
		}
	}
	v, err := r.env.Call(n.bean.name, n.method, args)
	if err != nil {
		return nil, n.failure(err)
	}
	return canonical(v), nil
}

func (n *beanCall) failure(err error) error {
	zh, en := err.Error(), err.Error()
	if bilingual, ok := err.(interface{ Text(lang string) string }); ok {
		zh, en = bilingual.Text("zh"), bilingual.Text("en")
	}
	called := n.bean.name + "." + n.method
	return &EvalError{n.column, "调用 " + called + " 失败：" + zh, called + " failed: " + en, err}
}

func (n *beanCall) children() []node { return n.args }

// methodCall is a method of a value that is not a plain variable.
type methodCall struct {
	object node
	own    *method
	args   []node
	column int
}

func (n *methodCall) eval(r *run) (any, error) {
	v, err := n.object.eval(r)
	if err != nil {
		return nil, err
	}
	args, err := r.arguments(n.args, n.column)
	if err != nil {
		return nil, err
	}
	return n.own.on(r, known(v), args, n.column)
}

func (n *methodCall) children() []node { return append([]node{n.object}, n.args...) }

// call is a function of the table in function.go.
type call struct {
	function *function
	args     []node
	column   int
}

func (n *call) eval(r *run) (any, error) {
	args, err := r.arguments(n.args, n.column)
	if err != nil {
		return nil, err
	}
	v, err := n.function.apply(r, args)
	return v, at(n.column, err)
}

func (n *call) children() []node { return n.args }

func (r *run) arguments(nodes []node, column int) ([]any, error) {
	if err := r.step(1); err != nil {
		return nil, at(column, err)
	}
	args := make([]any, len(nodes))
	for i, n := range nodes {
		v, err := n.eval(r)
		if err != nil {
			return nil, err
		}
		args[i] = known(v)
	}
	return args, nil
}
