package engine

// produce creates a token in a scope.
func (r *run) produce(parent *Token, kind TokenKind, element string) (*Token, error) {
	if len(r.st.Tokens) >= MaxTokens {
		return nil, ErrTooWide.With(MaxTokens)
	}
	t := &Token{ID: r.id(), Kind: kind, Element: element, State: StateReady}
	if parent != nil {
		t.Parent = parent.ID
	}
	r.st.Tokens = append(r.st.Tokens, t) // ids only grow: the list stays sorted
	r.touch(t)
	r.event(EventProduce, element, t.ID, 0)
	return t, nil
}

// consume removes a token; what hangs on it must be gone already.
func (r *run) consume(t *Token) {
	r.st.Tokens = remove(r.st.Tokens, t.ID)
	r.touch(t)
	r.dropScope(t.ID)
	r.event(EventConsume, t.Element, t.ID, 0)
}

// children lists the live tokens of a scope by id.
func (s *State) children(parent int64) []*Token {
	var list []*Token
	for _, t := range s.Tokens {
		if t.Parent == parent {
			list = append(list, t)
		}
	}
	return list
}

func (s *State) hasChildren(parent int64) bool {
	for i := len(s.Tokens) - 1; i >= 0; i-- { // children are younger than their scope
		if s.Tokens[i].Parent == parent {
			return true
		}
		if s.Tokens[i].ID <= parent {
			return false
		}
	}
	return false
}

// root gives the token of the process scope.
func (s *State) root() *Token {
	if len(s.Tokens) > 0 && s.Tokens[0].Kind == KindRoot {
		return s.Tokens[0]
	}
	return nil
}
