package runtime

import (
	"context"
	"fmt"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/juel"
)

// startTimer is the payload of jobStart: one due time of a timer start event. Left is
// how often it falls due from here, -1 without limit.
type startTimer struct {
	Definition string
	Node       string
	Due        int64
	Anchor     int64
	Left       int
}

func (t startTimer) enqueue(ctx context.Context) error {
	_, err := job.Enqueue(ctx, jobStart, t, job.Opts{At: time.UnixMilli(t.Due), Key: fmt.Sprintf("%s %s %d", t.Definition, t.Node, t.Due)})
	return err
}

// armStarts enqueues the first run of each timer start event of a definition.
func (e *Engine) armStarts(ctx context.Context, d Definition, p *bpmn.Process) error {
	now := clock.Now().In(clock.Shanghai)
	for _, i := range p.Starts {
		n := &p.Nodes[i]
		if n.Event.Type != bpmn.EventTimer {
			continue
		}
		s, err := schedule(n.Event.Timer)
		if err != nil {
			return ErrStartTimer.With(n.ID, err)
		}
		due, ok := s.First(now, clock.Shanghai)
		if !ok {
			return ErrStartTimer.With(n.ID, "never")
		}
		if err := (startTimer{Definition: d.ID, Node: n.ID, Due: due.UnixMilli(), Anchor: now.UnixMilli(), Left: s.Repeats}).enqueue(ctx); err != nil {
			return err
		}
	}
	return nil
}

func schedule(t *bpmn.Timer) (bpmn.Schedule, error) {
	text, err := evaluate(t.Text)
	if err != nil {
		return bpmn.Schedule{}, err
	}
	s, err := bpmn.ParseTimer(t.Kind, text)
	if err != nil || !t.EndDate.Present() {
		return s, err
	}
	if text, err = evaluate(t.EndDate); err != nil {
		return s, err
	}
	end, err := bpmn.ParseTime(text, clock.Shanghai)
	return s.Until(end), err
}

// runStart starts the process and enqueues the next due time. Only the newest version,
// while it is not suspended, is started.
func (e *Engine) runStart(ctx context.Context, r *job.Run) error {
	var t startTimer
	if err := r.Decode(&t); err != nil {
		return err
	}
	err := store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return e.startDue(ctx, t, true)
	})
	if err == nil || r.Try < r.MaxTries || passing(ctx, err) {
		return err
	}
	// The last try: the next due time must not be lost with it.
	if again := store.Write(ctx, func(ctx context.Context) error { return e.startDue(ctx, t, false) }); again != nil {
		return again
	}
	return err
}

func (e *Engine) startDue(ctx context.Context, t startTimer, start bool) error {
	d, err := e.FindDefinition(ctx, t.Definition)
	if errs.Is(err, ErrNoDefinition) {
		return nil
	}
	if err != nil {
		return err
	}
	newest, err := e.Latest(ctx, d.Key)
	if err != nil || newest.ID != d.ID || d.Suspended {
		return err
	}
	c, err := e.compile(ctx, d.ID)
	if err != nil {
		return err
	}
	if err := t.next(ctx, c.process); err != nil || !start {
		return err
	}
	return e.within(ctx, func(ctx context.Context, u *unit) error {
		_, err := u.start(ctx, d, nil, StartIn{Node: t.Node}, &engine.Start{ID: newID()})
		return err
	})
}

// next enqueues the next time of a cycle. Times missed during a downtime are left out.
func (t startTimer) next(ctx context.Context, p *bpmn.Process) error {
	i, ok := p.Node(t.Node)
	if !ok || p.Nodes[i].Event == nil || p.Nodes[i].Event.Timer == nil || t.Left == 0 || t.Left == 1 {
		return nil
	}
	s, err := schedule(p.Nodes[i].Event.Timer)
	if err != nil {
		return err
	}
	after := time.UnixMilli(max(t.Due, clock.Millis())).In(clock.Shanghai)
	due, ok := s.Next(time.UnixMilli(t.Anchor).In(clock.Shanghai), after, clock.Shanghai)
	if !ok {
		return nil
	}
	if t.Due = due.UnixMilli(); t.Left > 0 {
		t.Left--
	}
	return t.enqueue(ctx)
}

// nowhere is the world of an expression outside any instance: functions, no variables.
type nowhere struct{}

// Variable implements juel.Env.
func (nowhere) Variable(string) (any, bool) { return nil, false }

// Call implements juel.Env.
func (nowhere) Call(bean, method string, _ []any) (any, error) {
	return nil, fmt.Errorf("%s.%s: no instance exists yet", bean, method)
}

// Now implements juel.Env.
func (nowhere) Now() time.Time { return clock.Now().In(clock.Shanghai) }

var _ juel.Env = nowhere{}

func evaluate(x bpmn.Expression) (string, error) {
	if x.Parsed == nil {
		return x.Source, nil
	}
	v, err := x.Parsed.Eval(nowhere{})
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	}
	return fmt.Sprint(v), nil
}

// startText gives the name of a message or signal that starts a process; one that needs
// variables stays as it is written.
func startText(x bpmn.Expression) string {
	if text, err := evaluate(x); err == nil {
		return text
	}
	return x.Source
}
