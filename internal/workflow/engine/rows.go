package engine

import "slices"

func (t *Token) key() int64        { return t.ID }
func (t *Task) key() int64         { return t.ID }
func (s *Subscription) key() int64 { return s.ID }
func (j *Job) key() int64          { return j.ID }
func (i *Incident) key() int64     { return i.ID }
func (a *Activity) key() int64     { return a.ID }

type row interface{ key() int64 }

func index[R row](rows []R, id int64) (int, bool) {
	return slices.BinarySearchFunc(rows, id, func(r R, id int64) int {
		switch k := r.key(); {
		case k < id:
			return -1
		case k > id:
			return 1
		}
		return 0
	})
}

func remove[R row](rows []R, id int64) []R {
	if i, ok := index(rows, id); ok {
		return slices.Delete(rows, i, i+1)
	}
	return rows
}

// Token gives a live token, nil when there is none with the id.
func (s *State) Token(id int64) *Token {
	if i, ok := index(s.Tokens, id); ok {
		return s.Tokens[i]
	}
	return nil
}

// Task gives an open task, nil when there is none with the id.
func (s *State) Task(id int64) *Task {
	if i, ok := index(s.Tasks, id); ok {
		return s.Tasks[i]
	}
	return nil
}

// Subscription gives a subscription, nil when there is none with the id.
func (s *State) Subscription(id int64) *Subscription {
	if i, ok := index(s.Subscriptions, id); ok {
		return s.Subscriptions[i]
	}
	return nil
}

// Job gives a job, nil when there is none with the id.
func (s *State) Job(id int64) *Job {
	if i, ok := index(s.Jobs, id); ok {
		return s.Jobs[i]
	}
	return nil
}

// Incident gives an open incident, nil when there is none with the id.
func (s *State) Incident(id int64) *Incident {
	if i, ok := index(s.Incidents, id); ok {
		return s.Incidents[i]
	}
	return nil
}

// Clone copies the aggregate. Apply changes its state in place and leaves it
// unusable after an error; who wants to go on keeps a clone or loads again.
func (s *State) Clone() *State {
	return &State{
		Instance: s.Instance, Tokens: copyRows(s.Tokens), Tasks: copyRows(s.Tasks),
		Subscriptions: copyRows(s.Subscriptions), Jobs: copyRows(s.Jobs),
		Incidents: copyRows(s.Incidents), Activities: copyRows(s.Activities),
	}
}

func copyRows[T any](rows []*T) []*T {
	out := make([]*T, len(rows))
	for i, r := range rows {
		c := *r
		out[i] = &c
	}
	return out
}
