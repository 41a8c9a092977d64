package engine

import (
	"viva/internal/workflow/bpmn"
)

// throw looks for the catcher of a BPMN error, from the token outward: at each
// level first the boundary events of the activity, then the event sub-processes
// of the scope around it; a matching code wins over a catch-all. What is thrown
// inside an event sub-process is not caught by another one of the same scope. An
// error that leaves the process goes to the caller, or becomes an incident.
func (r *run) throw(t *Token, f *Fault, p Phase) error {
	caught, err := r.caughtFault(t, f)
	if caught || err != nil {
		return err
	}
	if r.st.Instance.ParentInstance != "" {
		return r.finish(Cancelled, f.Message, f)
	}
	r.raise(t, Incident{Kind: IncidentError, Message: t.Element + "：没有捕获的错误 / nobody catches the error " + f.Code, Detail: f.Message, Resume: p})
	return nil
}

func (r *run) caughtFault(t *Token, f *Fault) (bool, error) {
	for at := t; at != nil && at.Kind != KindRoot; {
		n, err := r.node(at)
		if err != nil {
			return false, err
		}
		if at.Kind != KindItem {
			if b := r.catcher(n.Boundaries, f); b != nil {
				next, err := r.boundaryFired(at, b, because("error "+f.Code))
				if err != nil {
					return false, err
				}
				return true, r.keepFault(next, b, f)
			}
		}
		scope := r.st.Token(at.Parent)
		if !n.TriggeredByEvent && scope.Kind != KindBody {
			var starts []int
			for _, e := range r.g.ScopeOf(r.scopeNode(scope)).EventSubs {
				starts = append(starts, r.g.Nodes[e].Starts[0])
			}
			if s := r.catcher(starts, f); s != nil {
				next, err := r.eventSubFired(scope, s)
				if err != nil {
					return false, err
				}
				return true, r.keepFault(next, s, f)
			}
		}
		at = scope
	}
	return false, nil
}

func (r *run) catcher(nodes []int, f *Fault) *bpmn.Node {
	var all *bpmn.Node
	for _, i := range nodes {
		n := &r.g.Nodes[i]
		if n.Event.Type != bpmn.EventError {
			continue
		}
		if n.Event.ErrorCode == f.Code && f.Code != "" {
			return n
		}
		if n.Event.ErrorCode == "" && all == nil {
			all = n
		}
	}
	return all
}

// keepFault records the catch and stores code and message in the variables the
// event names.
func (r *run) keepFault(t *Token, n *bpmn.Node, f *Fault) error {
	r.note(EventFired, n.ID, t.ID, f.Code)
	if v := n.Event.CodeVariable; v != "" {
		if err := r.set(t, v, f.Code); err != nil {
			return err
		}
	}
	if v := n.Event.MessageVariable; v != "" {
		return r.set(t, v, f.Message)
	}
	return nil
}

// Raise throws a BPMN error at a token from outside. It is refused when nobody
// would catch it.
type Raise struct {
	Token   int64
	Code    string
	Message string `json:",omitempty"`
}

// Name implements Action.
func (*Raise) Name() string { return "raise" }

func (a *Raise) apply(r *run) error {
	t := r.st.Token(a.Token)
	if t == nil {
		return ErrNoToken.With(a.Token)
	}
	caught, err := r.caughtFault(t, &Fault{Code: a.Code, Message: a.Message})
	if err == nil && !caught {
		return ErrNotThere.With(t.ID, "没有节点捕获错误 "+a.Code+" / nobody catches the error")
	}
	return err
}
