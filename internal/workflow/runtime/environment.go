package runtime

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/juel"
	"viva/internal/workflow/script"
)

// slow is what a synchronous handler may take before it is logged: everybody else who
// changes something waits for it on SQLite.
const slow = 50 * time.Millisecond

// scriptTime bounds a script inside a command.
const scriptTime = 100 * time.Millisecond

// env is the world as the core sees it from one instance of the unit.
func (u *unit) env(ctx context.Context, a *aggregate) engine.Env {
	env := engine.Env{
		Invoke: func(inv engine.Invocation) (engine.Outcome, error) {
			began := clock.Now()
			out, err := u.invoke(ctx, inv)
			if took := clock.Now().Sub(began); took > slow && inv.Script == nil {
				slog.WarnContext(ctx, "workflow: a synchronous handler is slow", "handler", inv.Handler, "took", took)
			}
			return out, err
		},
		Async: func(inv engine.Invocation) bool {
			h, ok := u.e.registry.handler(inv.Handler, ForService)
			return ok && h.Async
		},
		Bean: func(bean, method string, args []any) (any, error) {
			m, ok := u.e.registry.method(bean, method)
			if !ok {
				return nil, fmt.Errorf("%s.%s: %w", bean, method, engine.ErrNoHandler)
			}
			return m.Func(ctx, args)
		},
		Process:  func(id string) (*bpmn.Process, error) { return u.e.Process(ctx, id) },
		Location: clock.Shanghai,
		Visits:   u.visits,
	}
	if u.e.items != nil {
		env.Items = func(inv engine.Invocation) ([]any, bool, error) {
			list, ok, err := u.e.items(ctx, &ItemsWanted{Instance: *inv.Instance, Process: a.process, Node: inv.Node, Token: inv.Token, Variables: inv.Variables})
			if list == nil {
				list = []any{} // the record of the answer is a list in any case
			}
			return list, ok, err
		}
	}
	return env
}

func (u *unit) invoke(ctx context.Context, inv engine.Invocation) (engine.Outcome, error) {
	c := &Call{Invocation: inv, Key: fmt.Sprintf("%s.%d", inv.Instance.ID, inv.Token)}
	switch {
	case inv.Script != nil:
		return u.script(ctx, inv)
	case inv.Purpose == engine.PurposeDecision:
		d, ok := u.e.registry.decisions[inv.Handler]
		if !ok {
			return engine.Outcome{}, fmt.Errorf("decision %q: %w", inv.Handler, engine.ErrNoHandler)
		}
		rows, err := d.Func(ctx, c)
		list := make([]any, len(rows))
		for i, row := range rows {
			list[i] = row
		}
		return engine.Outcome{Result: list}, err
	}
	h, ok := u.e.registry.handler(inv.Handler, uses[inv.Purpose])
	if !ok {
		return engine.Outcome{}, fmt.Errorf("handler %q (%s): %w", inv.Handler, inv.Purpose, engine.ErrNoHandler)
	}
	return h.Func(ctx, c)
}

var uses = map[engine.Purpose]Use{engine.PurposeService: ForService, engine.PurposeExecution: ForExecution, engine.PurposeTask: ForTask}

// script runs an expression or, where the tenant may, JavaScript. Switching scripts off
// stops those that are deployed too: their tokens wait in an incident.
func (u *unit) script(ctx context.Context, inv engine.Invocation) (engine.Outcome, error) {
	var out engine.Outcome
	if isExpression(inv.Script) {
		x, err := juel.Parse(inv.Script.Source)
		if err != nil {
			return out, err
		}
		out.Result, err = x.Eval(&callerScope{u: u, ctx: ctx, inv: inv})
		return out, err
	}
	allowed, err := u.e.scriptsAllowed(ctx)
	if err != nil {
		return out, err
	}
	if !allowed {
		return out, fmt.Errorf("scripts are switched off: %w", engine.ErrNoHandler)
	}
	seed := fnv.New64a()
	_, _ = fmt.Fprint(seed, inv.Instance.ID, inv.Token, u.n)
	env := script.Env{Now: time.UnixMilli(u.at).In(clock.Shanghai), Seed: int64(seed.Sum64()), Limit: scriptTime}
	out.Vars, out.Result, err = script.Run(ctx, script.Script{Format: inv.Script.Format, Source: inv.Script.Source}, inv.Variables(), env)
	return out, err
}

// callerScope is what an expression used as a script sees.
type callerScope struct {
	u   *unit
	ctx context.Context
	inv engine.Invocation
}

// Variable implements juel.Env.
func (s *callerScope) Variable(name string) (any, bool) { return s.inv.Variable(name) }

// Call implements juel.Env.
func (s *callerScope) Call(bean, method string, args []any) (any, error) {
	m, ok := s.u.e.registry.method(bean, method)
	if !ok {
		return nil, fmt.Errorf("%s.%s: %w", bean, method, engine.ErrNoHandler)
	}
	return m.Func(s.ctx, args)
}

// Now implements juel.Env.
func (s *callerScope) Now() time.Time { return time.UnixMilli(s.u.at).In(clock.Shanghai) }
