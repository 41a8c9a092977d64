package engine

import (
	"viva/internal/workflow/bpmn"
)

const defaultTries = 4

// waits between the tries of a job that has no retry cycle of its own.
var waits = [...]int64{10_000, 60_000, 600_000, 3_600_000}

// retries gives the number of tries of an element.
func retries(x bpmn.Expression) int {
	if x.Present() {
		if c, err := bpmn.ParseRetry(x.Source); err == nil {
			return c.Tries
		}
	}
	return defaultTries
}

// backOff gives the time of the next try.
func (r *run) backOff(j *Job) int64 {
	if i, ok := r.g.Node(j.Element); ok {
		if x := r.g.Nodes[i].Retry; x.Present() {
			if c, err := bpmn.ParseRetry(x.Source); err == nil && len(c.Waits) > 0 {
				now := r.now()
				return c.Waits[min(j.Attempt, len(c.Waits))-1].After(now, now.Location()).UnixMilli()
			}
		}
	}
	return r.cmd.At + waits[min(j.Attempt, len(waits))-1]
}

// continueLater stops the token at a job, before or after the work of its node.
func (r *run) continueLater(t *Token, n *bpmn.Node, kind JobKind) error {
	retry, exclusive := n.Retry, n.Exclusive
	if t.Kind == KindItem {
		retry, exclusive = n.Loop.Retry, n.Loop.Exclusive
	}
	r.addJob(&Job{Token: t.ID, Kind: kind, Element: n.ID, DueAt: r.cmd.At, Retries: retries(retry), Exclusive: exclusive})
	r.state(t, StateJob)
	return nil
}

// FireJob executes a due job: a timer falls due, a pause ends, a task is late.
type FireJob struct{ Job int64 }

// Name implements Action.
func (*FireJob) Name() string { return "fire_job" }

func (a *FireJob) apply(r *run) error {
	j := r.st.Job(a.Job)
	if j == nil {
		return ErrNoJob.With(a.Job)
	}
	t := r.st.Token(j.Token)
	if j.Retries == 0 {
		return ErrNotThere.With(t.ID, "作业已停止，请处理异常 / the job has stopped, see its incident")
	}
	switch j.Kind {
	case JobTimer:
		return r.fireTimer(t, j)
	case JobTaskTimeout:
		return r.fireTimeout(t, j)
	case JobAsyncBefore:
		r.dropJob(j)
		r.ready(t, PhaseStart)
	case JobAsyncAfter:
		r.dropJob(j)
		r.ready(t, PhaseGo)
	default:
		return ErrNotThere.With(t.ID, "作业由 FinishJob 回报 / the job is answered by FinishJob")
	}
	return nil
}

func (r *run) fireTimer(t *Token, j *Job) error {
	i, ok := r.g.Node(j.Element)
	if !ok {
		return ErrNoElement.With(j.Element)
	}
	n := &r.g.Nodes[i]
	if n.Interrupting || !r.rearm(j) {
		r.dropJob(j)
	}
	r.event(EventFired, n.ID, t.ID, 0)
	return r.caught(t, n)
}

// FinishJob reports the answer of a call-back: an outcome or a BPMN error.
type FinishJob struct {
	Job    int64
	Vars   Document `json:",omitzero"`
	Local  Document `json:",omitzero"`
	Result Document `json:",omitzero"`
	Fault  *Fault   `json:",omitempty"`
}

// Name implements Action.
func (*FinishJob) Name() string { return "finish_job" }

func (a *FinishJob) apply(r *run) error {
	j := r.st.Job(a.Job)
	if j == nil || j.Kind != JobCallback {
		return ErrNoJob.With(a.Job)
	}
	t := r.st.Token(j.Token)
	n, err := r.node(t)
	if err != nil {
		return err
	}
	r.dropJob(j)
	if a.Fault != nil {
		return r.throw(t, a.Fault, PhaseBehave)
	}
	var out Outcome
	if out.Vars, err = a.Vars.Fields(); err == nil {
		if out.Local, err = a.Local.Fields(); err == nil {
			out.Result, err = a.Result.Value()
		}
	}
	if err != nil {
		return ErrBadVariable.With(err)
	}
	if err := r.outcome(t, n.Service, out); err != nil {
		return r.failed(t, PhaseBehave, err)
	}
	if r.served(t, n) == PhaseLeave {
		r.complete(t)
	}
	return nil
}

// FailJob records a failed try. When the tries are used up the job stops and an
// incident asks for an administrator.
type FailJob struct {
	Job     int64
	Message string
	Detail  string `json:",omitempty"`
}

// Name implements Action.
func (*FailJob) Name() string { return "fail_job" }

func (a *FailJob) apply(r *run) error {
	j := r.st.Job(a.Job)
	if j == nil || j.Retries == 0 {
		return ErrNoJob.With(a.Job)
	}
	j.Attempt++
	j.LastError = a.Message
	j.Retries = max(0, j.Retries-1)
	r.jobs = append(r.jobs, j.ID)
	if j.Retries > 0 {
		j.DueAt = r.backOff(j)
		return nil
	}
	t := r.st.Token(j.Token)
	state := t.State
	r.raise(t, Incident{Kind: IncidentJob, Job: j.ID, Message: a.Message, Detail: a.Detail})
	if !awaited(j, t) {
		r.state(t, state) // a boundary timer failed: its host goes on
	}
	return nil
}

// awaited reports whether the job is what the token itself waits for.
func awaited(j *Job, t *Token) bool {
	return j.Kind == JobAsyncBefore || j.Kind == JobAsyncAfter || j.Kind == JobCallback || j.Kind == JobTimer && j.Element == t.Element
}
