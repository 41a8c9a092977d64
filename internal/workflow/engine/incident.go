package engine

import (
	"slices"

	"viva/internal/workflow/bpmn"
)

// raise stops a token with an incident. An open task it may hold is withdrawn, as
// a retry makes a new one.
func (r *run) raise(t *Token, i Incident) {
	if i.Job == 0 {
		for _, k := range slices.Clone(r.st.Tasks) {
			if k.Token == t.ID {
				r.closeTask(k, TaskCancelled, i.Message)
			}
		}
	}
	i.ID, i.Token, i.Element, i.CreatedAt = r.id(), t.ID, t.Element, r.cmd.At
	if j := r.st.Job(i.Job); j != nil {
		i.Element = j.Element
	}
	r.state(t, StateIncident)
	r.st.Incidents = append(r.st.Incidents, &i)
	r.incidents = append(r.incidents, i.ID)
	r.note(EventIncident, i.Element, t.ID, i.Message)
	r.emit(IncidentRaised{Incident: i})
}

func (r *run) resolve(i *Incident) {
	i.ResolvedAt, i.ResolvedBy = r.cmd.At, r.cmd.ActorID
	r.fx.Incidents = append(r.fx.Incidents, *i)
	r.st.Incidents = remove(r.st.Incidents, i.ID)
	r.event(EventResolved, i.Element, i.Token, 0)
}

// RetryIncident tries again where the token stopped, after setting variables. A
// stopped job gets new tries and is due at once.
type RetryIncident struct {
	Incident int64
	Vars     Document `json:",omitzero"`
	Tries    int      `json:",omitempty"` // of a job, 1 when 0
}

// Name implements Action.
func (*RetryIncident) Name() string { return "retry_incident" }

func (a *RetryIncident) apply(r *run) error {
	i := r.st.Incident(a.Incident)
	if i == nil {
		return ErrNoIncident.With(a.Incident)
	}
	t := r.st.Token(i.Token)
	if err := r.setDocument(t, a.Vars); err != nil {
		return err
	}
	r.resolve(i)
	if i.Job == 0 {
		if i.Resume == PhaseBehave || i.Resume == PhaseLeave {
			r.disarmElement(t.ID, t.Element)
		}
		switch i.Resume {
		case PhaseStart, PhaseOpen, PhaseFired:
			r.reopen(t)
		}
		r.ready(t, i.Resume)
		return nil
	}
	j := r.st.Job(i.Job)
	if j == nil {
		return ErrNoJob.With(i.Job)
	}
	j.Retries, j.DueAt = max(1, a.Tries), r.cmd.At
	r.jobs = append(r.jobs, j.ID)
	if awaited(j, t) {
		r.state(t, waiting(j))
	}
	return nil
}

// reopen takes back a visit that did not get through its first phase.
func (r *run) reopen(t *Token) {
	r.endVisit(t, EndCancelled)
	r.disarm(t.ID)
}

func waiting(j *Job) TokenState {
	if j.Kind == JobTimer {
		return StateEvent
	}
	return StateJob
}

// SkipIncident goes on behind the place where the token stopped, with the given
// outputs. Where the choice of a flow failed, Flow names the one to take.
type SkipIncident struct {
	Incident int64
	Vars     Document `json:",omitzero"`
	Flow     string   `json:",omitempty"`
}

// Name implements Action.
func (*SkipIncident) Name() string { return "skip_incident" }

func (a *SkipIncident) apply(r *run) error {
	i := r.st.Incident(a.Incident)
	if i == nil {
		return ErrNoIncident.With(a.Incident)
	}
	t := r.st.Token(i.Token)
	n, err := r.node(t)
	if err != nil {
		return err
	}
	if err := r.setDocument(t, a.Vars); err != nil {
		return err
	}
	r.resolve(i)
	if i.Job != 0 {
		j := r.st.Job(i.Job)
		if j == nil {
			return ErrNoJob.With(i.Job)
		}
		own, kind := awaited(j, t), j.Kind
		r.dropJob(j)
		switch {
		case !own:
			return nil
		case kind == JobAsyncAfter:
			r.ready(t, PhaseGo)
			return nil
		}
	}
	if i.Resume == PhaseGo && t.Kind != KindItem {
		return r.skipChoice(t, n, a.Flow)
	}
	r.close(t, n)
	r.ready(t, PhaseAfter)
	return nil
}

func (r *run) skipChoice(t *Token, n *bpmn.Node, flow string) error {
	f, ok := r.g.Flow(flow)
	if !ok || r.g.Flows[f].Source != n.Index {
		return ErrMove.With(flow, "请指定 "+n.ID+" 的一条流出连线 / name one outgoing flow of the element")
	}
	return r.take(t, f)
}
