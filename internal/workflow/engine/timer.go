package engine

import (
	"strings"
	"time"

	"viva/internal/workflow/bpmn"
)

// addJob puts a job into the aggregate.
func (r *run) addJob(j *Job) {
	j.ID = r.id()
	r.st.Jobs = append(r.st.Jobs, j)
	r.jobs = append(r.jobs, j.ID)
}

// dropJob deletes a job; the incident of one that had stopped is settled by that.
func (r *run) dropJob(j *Job) {
	r.st.Jobs = remove(r.st.Jobs, j.ID)
	r.jobs = append(r.jobs, j.ID)
	for _, i := range r.st.Incidents {
		if i.Job == j.ID {
			r.resolve(i)
			return
		}
	}
}

// schedule starts a timer. The due time is computed once, from the clock of the
// command. The timer that never falls due is refused by an incident.
func (r *run) schedule(t *Token, timer *bpmn.Timer, j *Job) error {
	s, text, err := r.timerValue(t, timer)
	if err != nil {
		return err
	}
	if until, err := r.date(t, timer.EndDate); err != nil {
		return err
	} else if until != 0 {
		s, j.Until = s.Until(time.UnixMilli(until)), until
	}
	now := r.now()
	due, ok := s.First(now, now.Location())
	if !ok {
		return &stall{kind: IncidentExpression, message: j.Element + "：定时器不会再到期 / the timer never falls due", detail: text}
	}
	j.Token, j.DueAt, j.Retries = t.ID, due.UnixMilli(), defaultTries
	if timer.Kind == bpmn.TimerCycle {
		j.Schedule, j.Repeat, j.Anchor = text, s.Repeats, r.cmd.At
	}
	r.addJob(j)
	return nil
}

func (r *run) timerValue(t *Token, timer *bpmn.Timer) (bpmn.Schedule, string, error) {
	v, err := r.eval(t, timer.Text)
	if err != nil {
		return bpmn.Schedule{}, "", err
	}
	if at, ok := v.(time.Time); ok {
		return bpmn.At(at), "", nil
	}
	text := strings.TrimSpace(asText(v))
	s, err := bpmn.ParseTimer(timer.Kind, text)
	if err != nil {
		return s, text, &stall{kind: IncidentExpression, message: inBoth(t.Element, err), detail: timer.Text.Source}
	}
	return s, text, nil
}

// rearm counts a cycle down and sets its next due time; false when it is over.
// Times that passed during a downtime fall due once.
func (r *run) rearm(j *Job) bool {
	if j.Schedule == "" || j.Repeat == 0 || j.Repeat == 1 {
		return false
	}
	s, err := bpmn.ParseTimer(bpmn.TimerCycle, j.Schedule)
	if err != nil {
		return false
	}
	if j.Until != 0 {
		s = s.Until(time.UnixMilli(j.Until))
	}
	loc := r.now().Location()
	after := time.UnixMilli(max(j.DueAt, r.cmd.At)).In(loc)
	due, ok := s.Next(time.UnixMilli(j.Anchor).In(loc), after, loc)
	if !ok {
		return false
	}
	if j.Repeat > 0 {
		j.Repeat--
	}
	j.DueAt, j.Attempt, j.Retries, j.LastError = due.UnixMilli(), 0, defaultTries, ""
	r.jobs = append(r.jobs, j.ID)
	return true
}

// armTimeouts starts the timers of the timeout listeners of a task.
func (r *run) armTimeouts(t *Token, n *bpmn.Node, k *Task) error {
	for i := range n.TaskListeners {
		l := &n.TaskListeners[i]
		if l.Event != "timeout" || l.Timer == nil {
			continue
		}
		j := &Job{Kind: JobTaskTimeout, Task: k.ID, Element: n.ID, Listener: i, Exclusive: true}
		if err := r.schedule(t, l.Timer, j); err != nil {
			return r.fatal(n.ID, err)
		}
	}
	return nil
}

// fireTimeout runs the listener of a task that is late; the task stays open.
func (r *run) fireTimeout(t *Token, j *Job) error {
	n, err := r.node(t)
	if err != nil {
		return err
	}
	k := r.st.Task(j.Task)
	if k == nil || j.Listener >= len(n.TaskListeners) {
		r.dropJob(j)
		return nil
	}
	if !r.rearm(j) {
		r.dropJob(j)
	}
	inv := Invocation{Purpose: PurposeTask, Event: "timeout", Node: n, Task: k}
	if err := r.callTaskListener(t, &n.TaskListeners[j.Listener], inv); err != nil {
		return r.failed(t, PhaseBehave, err)
	}
	return nil
}
