package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// unit is one user action: the instances of one call tree that it works on, and what is
// left to do. It rides in the context of hooks and handlers, so that their commands join.
//
//	load → command → effects → hooks → commands … → flush
type unit struct {
	e      *Engine
	at     int64
	root   string // root of the instances read from the database, locked
	all    []*aggregate
	queue  []pending
	visits int
	id     string // of the first command; those that follow from it are id.2, id.3 …
	n      int
	err    error // a failed command spoils everything
	closed bool
	rows   []commandRow
	own    runKey // the run that this unit executes; it ends by itself
}

// pending is an effect that waits for its turn.
type pending struct {
	a      *aggregate
	effect engine.Effect
}

// aggregate is one instance inside a unit.
type aggregate struct {
	*compiled
	st       *engine.State
	fresh    bool  // not in the database yet
	rev      int64 // in the database
	first    int64 // ids from here on are not in the database
	before   marks
	applying bool
	dirty    bool
	insertAt int // its place in the batch

	tasks      []engine.Task
	incidents  []engine.Incident
	activities []engine.Activity
	commands   []executed
	candidates []candidateRow
	chosen     map[int64]bool // tasks whose candidates were set by a hook
}

// executed is one command for the history.
type executed struct {
	action string
	events []engine.Event
}

// marks is what the tables hold besides the snapshot, as it was when the unit began.
type marks struct {
	subs      map[int64]engine.Subscription
	jobs      map[int64]runKey
	suspended bool
}

// runKey names a run of package job.
type runKey struct{ name, key string }

type unitKey struct{}

func unitOf(ctx context.Context) *unit {
	u, _ := ctx.Value(unitKey{}).(*unit)
	if u != nil && u.closed {
		return nil
	}
	return u
}

// within runs fn in the unit of ctx, or in a new one that is written at the end.
func (e *Engine) within(ctx context.Context, fn func(context.Context, *unit) error) error {
	if u := unitOf(ctx); u != nil {
		if u.err != nil {
			return u.err
		}
		return fn(ctx, u)
	}
	return store.Write(ctx, func(ctx context.Context) error {
		u := &unit{e: e, at: clock.Millis()}
		defer func() { u.closed = true }()
		ctx = context.WithValue(ctx, unitKey{}, u)
		err := fn(ctx, u)
		if err == nil {
			err = u.drain(ctx)
		}
		if err == nil {
			err = u.flush(ctx)
		}
		return err
	})
}

// Together makes all commands of fn one unit: one read and one write for each instance.
func (e *Engine) Together(ctx context.Context, fn func(context.Context) error) error {
	return e.within(ctx, func(ctx context.Context, _ *unit) error { return fn(ctx) })
}

// Settle does what the commands of a unit so far left to do, which otherwise happens at
// its end: afterwards Load and Lock show where that leads. Outside a unit nothing is left.
func (e *Engine) Settle(ctx context.Context) error {
	u := unitOf(ctx)
	if u == nil {
		return nil
	}
	return u.drain(ctx)
}

func (u *unit) find(id string) *aggregate {
	for _, a := range u.all {
		if a.st.Instance.ID == id {
			return a
		}
	}
	return nil
}

// add takes a loaded or new instance into the unit.
func (u *unit) add(c *compiled, st *engine.State) *aggregate {
	a := &aggregate{compiled: c, st: st, fresh: st.Instance.ID == "", rev: st.Instance.Rev, first: max(1, st.Instance.NextID), insertAt: -1}
	a.before = mark(st)
	u.all = append(u.all, a)
	return a
}

func mark(st *engine.State) marks {
	m := marks{suspended: st.Instance.Status == engine.Suspended}
	if len(st.Subscriptions) > 0 {
		m.subs = make(map[int64]engine.Subscription, len(st.Subscriptions))
		for _, s := range st.Subscriptions {
			m.subs[s.ID] = *s
		}
	}
	if len(st.Jobs) > 0 {
		m.jobs = make(map[int64]runKey, len(st.Jobs))
		for _, j := range st.Jobs {
			if j.Retries > 0 {
				m.jobs[j.ID] = runKey{jobName(j), jobKey(st.Instance.ID, j)}
			}
		}
	}
	return m
}

// apply runs one command of the core and queues its effects.
func (u *unit) apply(ctx context.Context, a *aggregate, who int64, do engine.Action) error {
	switch {
	case u.err != nil:
		return u.err
	case a.applying:
		return ErrBusy.With(a.st.Instance.ID)
	case u.n >= engine.MaxVisits: // hooks that answer each other
		return engine.ErrTooLong.With(engine.MaxVisits)
	}
	a.applying = true
	seen := u.visits
	fx, err := engine.Apply(a.process, a.st, engine.Command{ID: u.name(), At: u.at, ActorID: who, Do: do}, u.env(ctx, a))
	a.applying = false
	if err == nil {
		err = u.e.check(a)
	}
	if err != nil {
		u.err = refusal(err)
		return u.err
	}
	u.visits += fx.Visits - seen
	a.take(do, fx)
	for _, effect := range fx.Outbox {
		u.queue = append(u.queue, pending{a, effect})
	}
	u.announceTimers(a, fx.Events)
	if a.st.Instance.DefinitionID != a.ID { // migrated
		if a.compiled, err = u.e.compile(ctx, a.st.Instance.DefinitionID); err != nil {
			u.err = err
		}
	}
	return err
}

// refusal gives what registered code itself answered to the user, instead of the core's
// word that it failed; what only programmers understand stays wrapped.
func refusal(err error) error {
	if !errs.Is(err, engine.ErrHandler) && !errs.Is(err, engine.ErrListener) {
		return err
	}
	var outer, inner *errs.Error
	if errors.As(err, &outer) && errors.As(outer.Cause, &inner) && inner.Code.Kind != errs.Internal {
		return inner
	}
	return err
}

// name gives the id under which the next command stands in the history.
func (u *unit) name() string {
	if u.id == "" {
		u.id = newID()
	}
	if u.n++; u.n == 1 {
		return u.id
	}
	return u.id + "." + strconv.Itoa(u.n)
}

func (a *aggregate) take(do engine.Action, fx *engine.Effects) {
	a.dirty = true
	a.tasks = append(a.tasks, fx.Tasks...)
	a.incidents = append(a.incidents, fx.Incidents...)
	a.activities = append(a.activities, fx.Activities...)
	a.commands = append(a.commands, executed{do.Name(), fx.Events})
}

// drain does what commands left to do, until nothing is left.
func (u *unit) drain(ctx context.Context) error {
	for len(u.queue) > 0 && u.err == nil {
		next := u.queue[0]
		u.queue = u.queue[1:]
		if err := u.perform(ctx, next.a, next.effect); err != nil && u.err == nil {
			u.err = err
		}
	}
	return u.err
}

// check tests the invariants: the cheap ones always, all of them on request.
func (e *Engine) check(a *aggregate) error {
	st := a.st
	if ended := st.Instance.Status == engine.Ended; ended != (len(st.Tokens) == 0) {
		return ErrUnsound.With(st.Instance.ID, fmt.Sprintf("status %d, %d tokens", st.Instance.Status, len(st.Tokens)))
	}
	if i := slices.IndexFunc(st.Tokens, func(t *engine.Token) bool { return t.State == engine.StateReady }); i >= 0 {
		return ErrUnsound.With(st.Instance.ID, fmt.Sprintf("token %d is ready", st.Tokens[i].ID))
	}
	for _, k := range st.Tasks {
		if st.Token(k.Token) == nil {
			return ErrUnsound.With(st.Instance.ID, fmt.Sprintf("task %d has no token", k.ID))
		}
	}
	if !e.options.Checked {
		return nil
	}
	if found := engine.Check(a.process, st, nil); len(found) > 0 {
		return ErrUnsound.With(st.Instance.ID, fmt.Sprint(found))
	}
	return nil
}

const (
	// The join locks the root and then the instance, always in this order. In READ
	// COMMITTED both rows are read again after the wait.
	sqlLoad = `SELECT i.id, i.definition_id, i.process_key, i.root_id, i.parent_instance_id, i.parent_token_id, i.depth, i.business_type, i.business_id,
 i.name, i.starter_id, i.status, i.result, i.rev, i.next_seq, i.next_id, i.started_at, i.ended_at, i.reason, i.vars, i.state
 FROM wf_instance r JOIN wf_instance i ON i.root_id = r.id AND i.tenant_id = r.tenant_id
 WHERE r.tenant_id = :tenant AND i.id = :id FOR UPDATE`
	sqlPeek = `SELECT i.id, i.definition_id, i.process_key, i.root_id, i.parent_instance_id, i.parent_token_id, i.depth, i.business_type, i.business_id,
 i.name, i.starter_id, i.status, i.result, i.rev, i.next_seq, i.next_id, i.started_at, i.ended_at, i.reason, i.vars, i.state
 FROM wf_instance i WHERE i.tenant_id = :tenant AND i.id = :id`
)

// load reads an instance under the lock of its root, unless the unit has it, and in the
// same exchange the earlier execution of a command, when it has an id. The statement
// stands behind the lock: of two equal commands the second sees the row of the first.
func (u *unit) load(ctx context.Context, id, command string) (*aggregate, *commandRow, error) {
	a := u.find(id)
	var b store.Batch
	rows, earlier := &[]instanceRow{}, &[]commandRow{}
	if a == nil {
		rows = store.Read[instanceRow](&b, sqlLoad, store.Args{"id": id})
	}
	if command != "" {
		earlier = store.Read[commandRow](&b, sqlCommand, store.Args{"id": command})
	}
	if err := b.Send(ctx); err != nil {
		return nil, nil, err
	}
	if len(*earlier) > 0 {
		return nil, &(*earlier)[0], nil
	}
	if a != nil {
		return a, nil, nil
	}
	if len(*rows) == 0 {
		return nil, nil, ErrNoInstance.With(id)
	}
	a, err := u.open(ctx, &(*rows)[0])
	return a, nil, err
}

// open takes a row that was read under the lock into the unit.
func (u *unit) open(ctx context.Context, row *instanceRow) (*aggregate, error) {
	if u.root != "" && u.root != row.RootID {
		return nil, ErrOtherTree.With(row.ID)
	}
	u.root = row.RootID
	st, err := row.load()
	if err != nil {
		return nil, err
	}
	c, err := u.e.compile(ctx, row.DefinitionID)
	if err != nil {
		return nil, err
	}
	return u.add(c, st), nil
}

// stale compares the revision a client saw.
func (a *aggregate) stale(rev int64) error {
	if rev != 0 && rev != a.st.Instance.Rev {
		return errs.ErrStale.With()
	}
	return nil
}

// who is the person behind a command, 0 for the system.
func who(ctx context.Context, given int64) int64 {
	if given != 0 {
		return given
	}
	return actor.From(ctx).UserID
}
