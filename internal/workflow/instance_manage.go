package workflow

import (
	"context"
	"slices"

	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// ManageDetail is an instance as an administrator looks into it: where it is, where it can
// be moved, what it knows, and what went wrong.
type ManageDetail struct {
	InstanceView
	Version   int            `json:"version"`
	ParentID  string         `json:"parentId"`
	Children  []string       `json:"children"`
	Places    []Place        `json:"places"`
	Targets   []PlaceTarget  `json:"targets"`
	Variables []VariableView `json:"variables"`
	Incidents []IncidentView `json:"incidents"`
}

// Place is where an instance is: an element that is being worked on or waits.
type Place struct {
	ID          string   `json:"id"`
	ElementID   string   `json:"elementId"`
	ElementName string   `json:"elementName"`
	ElementType string   `json:"elementType"`
	State       string   `json:"state"`
	Since       *int64   `json:"since"`
	People      []string `json:"people"`
	Movable     bool     `json:"movable"`
}

// PlaceTarget is an element at which an instance can go on.
type PlaceTarget struct {
	ElementID   string `json:"elementId"`
	ElementName string `json:"elementName"`
	ElementType string `json:"elementType"`
}

type manageIn struct {
	ID string `query:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
}

func (s *Service) manageDetail(ctx context.Context, in manageIn) (ManageDetail, error) {
	out := ManageDetail{Targets: []PlaceTarget{}}
	row, ok, err := store.Get[instanceRow](ctx, sqlInstanceByID, store.Args{"id": in.ID})
	if err != nil || !ok {
		return out, orElse(err, errInstanceMissing.With())
	}
	views, err := s.instanceViews(ctx, []instanceRow{row})
	if err != nil {
		return out, err
	}
	v, err := s.engine.Load(ctx, in.ID)
	if err != nil {
		return out, err
	}
	out.InstanceView, out.Version, out.ParentID = views[0], v.Definition.Version, row.ParentInstanceID
	if out.Children, err = s.below(ctx, v.State.Instance); err != nil {
		return out, err
	}
	if out.Variables, err = variablesOf(v); err != nil {
		return out, err
	}
	if out.Places, err = s.placesOf(ctx, v); err != nil {
		return out, err
	}
	if v.State.Instance.Status != engine.Ended {
		for i := range v.Process.Nodes {
			if n := &v.Process.Nodes[i]; enterable(n) {
				out.Targets = append(out.Targets, PlaceTarget{ElementID: n.ID, ElementName: n.Name, ElementType: n.Kind.String()})
			}
		}
	}
	rows, err := store.Select[incidentRow](ctx, sqlIncidentsOf, store.Args{"instance": in.ID})
	if err != nil {
		return out, err
	}
	out.Incidents, err = s.incidentViews(ctx, slices.DeleteFunc(rows, func(r incidentRow) bool { return r.ResolvedAt > 0 }))
	return out, err
}

// enterable reports whether an instance can be sent to a node: only its own event leads
// to a boundary event or into an event sub-process.
func enterable(n *bpmn.Node) bool {
	return n.Kind != bpmn.KindBoundaryEvent && n.Kind != bpmn.KindStartEvent && !n.TriggeredByEvent
}

// movable reports whether a token can be taken from its place by itself.
func movable(t *engine.Token) bool { return t.Kind != engine.KindRoot && t.Kind != engine.KindItem }

// placesOf lists where the instance is; the items of an activity for several people show
// with the activity.
func (s *Service) placesOf(ctx context.Context, v *runtime.View) ([]Place, error) {
	var users []int64
	for _, k := range v.State.Tasks {
		users = append(users, k.AssigneeID)
	}
	known, err := usersOf(ctx, users)
	if err != nil {
		return nil, err
	}
	out := []Place{}
	for _, t := range v.State.Tokens {
		if !movable(t) {
			continue
		}
		p := Place{ID: runtime.ExecutionID(v.State.Instance.ID, t.ID), ElementID: t.Element, State: string(t.State), People: []string{}, Movable: v.State.Instance.Status == engine.Running}
		if n := nodeOf(v.Process, t.Element); n != nil {
			p.ElementName, p.ElementType = n.Name, n.Kind.String()
		}
		for _, a := range v.State.Activities {
			if a.Token == t.ID && a.Element == t.Element {
				p.Since = given0(a.StartedAt)
			}
		}
		for _, k := range v.State.Tasks {
			holder := v.State.Token(k.Token)
			if holder != nil && (holder.ID == t.ID || holder.Parent == t.ID && holder.Kind == engine.KindItem) && known.of(k.AssigneeID) != nil {
				p.People = append(p.People, known[k.AssigneeID].Nickname)
			}
		}
		out = append(out, p)
	}
	return out, nil
}
