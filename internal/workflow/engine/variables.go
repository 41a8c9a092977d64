package engine

import "maps"

// scopeVars are the decoded variables of one scope during a command; token 0 is
// the process scope.
type scopeVars struct {
	token int64
	vars  map[string]any
	dirty bool
}

// scope decodes the variables of a scope once per command.
func (r *run) scope(token int64) (*scopeVars, error) {
	for i := range r.scopes {
		if r.scopes[i].token == token {
			return &r.scopes[i], nil
		}
	}
	doc := r.st.Instance.Vars
	if token != 0 {
		doc = r.st.Token(token).Vars
	}
	vars, err := doc.Fields()
	if err != nil {
		return nil, ErrBadVariable.With(err)
	}
	r.scopes = append(r.scopes, scopeVars{token: token, vars: vars})
	return &r.scopes[len(r.scopes)-1], nil
}

func (r *run) dropScope(token int64) {
	for i := range r.scopes {
		if r.scopes[i].token == token {
			r.scopes = append(r.scopes[:i], r.scopes[i+1:]...)
			return
		}
	}
}

// saveScopes writes the changed scopes back, once per command.
func (r *run) saveScopes() error {
	for i := range r.scopes {
		s := &r.scopes[i]
		if !s.dirty {
			continue
		}
		doc, err := Object(s.vars)
		if err != nil {
			return ErrBadVariable.With(err)
		}
		if s.token == 0 {
			r.st.Instance.Vars = doc
			continue
		}
		t := r.st.Token(s.token)
		t.Vars = doc
		r.touch(t)
	}
	return nil
}

// local gives the variables of the token itself, nil when it has none.
func (r *run) local(t *Token) (map[string]any, error) {
	if t.Kind == KindRoot {
		s, err := r.scope(0)
		if err != nil {
			return nil, err
		}
		return s.vars, nil
	}
	if t.Vars == "" && !r.decoded(t.ID) {
		return nil, nil
	}
	s, err := r.scope(t.ID)
	if err != nil {
		return nil, err
	}
	return s.vars, nil
}

func (r *run) decoded(token int64) bool {
	for i := range r.scopes {
		if r.scopes[i].token == token {
			return true
		}
	}
	return false
}

// lookup finds a variable from the token outward.
func (r *run) lookup(t *Token, name string) (any, bool) {
	for ; t != nil; t = r.st.Token(t.Parent) {
		if vars, err := r.local(t); err == nil && vars != nil {
			if v, ok := vars[name]; ok {
				return v, true
			}
		}
		if v, ok := loopVariable(t, name); ok {
			return v, true
		}
	}
	return nil, false
}

// loopVariable gives the built-in variables of multi-instance activities and
// loops. Items removed from the activity no longer count as instances.
func loopVariable(t *Token, name string) (any, bool) {
	switch name {
	case "loopCounter":
		if t.Kind == KindItem || t.LoopIndex > 0 {
			return int64(t.LoopIndex), true
		}
	case "nrOfInstances":
		if t.Kind == KindBody {
			return int64(t.Counters.Total - t.Counters.Cancelled), true
		}
	case "nrOfActiveInstances":
		if t.Kind == KindBody {
			return int64(t.Counters.Active), true
		}
	case "nrOfCompletedInstances":
		if t.Kind == KindBody {
			return int64(t.Counters.Completed), true
		}
	}
	return nil, false
}

// visible collects everything that can be read at the token.
func (r *run) visible(t *Token) map[string]any {
	var chain []*Token
	for ; t != nil; t = r.st.Token(t.Parent) {
		chain = append(chain, t)
	}
	all := map[string]any{}
	for i := len(chain) - 1; i >= 0; i-- {
		if vars, err := r.local(chain[i]); err == nil {
			maps.Copy(all, vars)
		}
		for _, name := range [...]string{"loopCounter", "nrOfInstances", "nrOfActiveInstances", "nrOfCompletedInstances"} {
			if v, ok := loopVariable(chain[i], name); ok {
				all[name] = v
			}
		}
	}
	return all
}

// set writes a variable where it is defined, seen from the token, else in the
// process scope.
func (r *run) set(t *Token, name string, v any) error {
	for ; t != nil && t.Kind != KindRoot; t = r.st.Token(t.Parent) {
		vars, err := r.local(t)
		if err != nil {
			return err
		}
		if _, ok := vars[name]; ok {
			return r.put(t.ID, name, v)
		}
	}
	return r.put(0, name, v)
}

// setLocal writes a variable at the token itself.
func (r *run) setLocal(t *Token, name string, v any) error {
	if t.Kind == KindRoot {
		return r.put(0, name, v)
	}
	return r.put(t.ID, name, v)
}

func (r *run) put(scope int64, name string, v any) error {
	v, err := canonical(v)
	if err != nil {
		return ErrBadVariable.With(name + ": " + err.Error())
	}
	s, err := r.scope(scope)
	if err != nil {
		return err
	}
	s.vars[name], s.dirty = v, true
	return nil
}

// setAll writes the members of a map in the order of their names.
func (r *run) setAll(t *Token, vars map[string]any) error {
	for _, name := range sortedNames(vars) {
		if err := r.set(t, name, vars[name]); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) setAllLocal(t *Token, vars map[string]any) error {
	for _, name := range sortedNames(vars) {
		if err := r.setLocal(t, name, vars[name]); err != nil {
			return err
		}
	}
	return nil
}

// setDocument merges an object document.
func (r *run) setDocument(t *Token, doc Document) error {
	vars, err := doc.Fields()
	if err != nil {
		return ErrBadVariable.With(err)
	}
	return r.setAll(t, vars)
}

// SetVariables changes variables from outside: Token 0 means the process scope.
type SetVariables struct {
	Token  int64    `json:",omitempty"`
	Vars   Document `json:",omitzero"`
	Remove []string `json:",omitempty"`
}

// Name implements Action.
func (*SetVariables) Name() string { return "set_variables" }

func (a *SetVariables) apply(r *run) error {
	t := r.st.root()
	if a.Token != 0 {
		if t = r.st.Token(a.Token); t == nil {
			return ErrNoToken.With(a.Token)
		}
	}
	vars, err := a.Vars.Fields()
	if err != nil {
		return ErrBadVariable.With(err)
	}
	if err := r.setAllLocal(t, vars); err != nil {
		return err
	}
	for _, name := range a.Remove {
		key := t.ID
		if t.Kind == KindRoot {
			key = 0
		}
		s, err := r.scope(key)
		if err != nil {
			return err
		}
		delete(s.vars, name)
		s.dirty = true
	}
	return nil
}
