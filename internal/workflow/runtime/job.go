package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// The names of the engine's jobs in package job.
const (
	jobFire    = "workflow.job"     // a timer, a pause or a time-out of the core
	jobCall    = "workflow.call"    // an asynchronous handler
	jobDeliver = "workflow.deliver" // a message or signal
	jobStart   = "workflow.start"   // a timer that starts a process
)

// maxTries bounds the runs of one try of the core: they are repeated only while the
// database is away or the process dies. What a model's own work fails with is counted by
// the core.
const maxTries = 50

// task is the payload of jobFire and jobCall: a job of the core as it was when the run
// was enqueued.
type task struct {
	Instance string
	Job      int64
	Due      int64
	Attempt  int
}

func jobKey(instance string, j *engine.Job) string {
	return fmt.Sprintf("%s.%d.%d.%d", instance, j.ID, j.DueAt, j.Attempt)
}

func jobName(j *engine.Job) string {
	if j.Kind == engine.JobCallback {
		return jobCall
	}
	return jobFire
}

func enqueue(ctx context.Context, instance string, j *engine.Job) error {
	_, err := job.Enqueue(ctx, jobName(j), task{instance, j.ID, j.DueAt, j.Attempt},
		job.Opts{At: time.UnixMilli(j.DueAt), Key: jobKey(instance, j), MaxTries: maxTries})
	return err
}

// runJob executes a due job. Its run is marked done in the transaction of the command,
// so that both happen once.
func (e *Engine) runJob(ctx context.Context, r *job.Run) error {
	var t task
	if err := r.Decode(&t); err != nil {
		return err
	}
	err := store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return e.onJob(ctx, t, func(*engine.Job) engine.Action { return &engine.FireJob{Job: t.Job} })
	})
	return e.settle(ctx, r, t, err)
}

// settle records a failed try by a command of its own. What is no fault of the model is
// left to package job, which tries again.
func (e *Engine) settle(ctx context.Context, r *job.Run, t task, cause error) error {
	if cause == nil || passing(ctx, cause) {
		return cause
	}
	return store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return e.onJob(ctx, t, func(*engine.Job) engine.Action {
			return &engine.FailJob{Job: t.Job, Message: brief(cause), Detail: cause.Error()}
		})
	})
}

// passing reports failures of the surroundings, also where a handler met them.
func passing(ctx context.Context, err error) bool {
	return errors.Is(err, errs.ErrUnavailable.With()) || errors.Is(err, errs.ErrStale.With()) || errors.Is(err, job.ErrLost) || ctx.Err() != nil
}

// brief is what an incident says of a failure, in both languages as the core writes them.
func brief(err error) string {
	var known *errs.Error
	if !errors.As(err, &known) {
		return err.Error()
	}
	zh, en := known.Text("zh"), known.Text("en")
	if zh == en {
		return zh
	}
	return zh + " / " + en
}

// onJob applies a command to the instance of a job, unless the job is gone or is another
// one by now. The jobs of a suspended instance wait for its resumption.
func (e *Engine) onJob(ctx context.Context, t task, do func(*engine.Job) engine.Action) error {
	return e.within(ctx, func(ctx context.Context, u *unit) error {
		a, _, err := u.load(ctx, t.Instance, "")
		if errs.Is(err, ErrNoInstance) {
			return nil
		}
		if err != nil {
			return err
		}
		j := a.st.Job(t.Job)
		if a.st.Instance.Status != engine.Running || j == nil || j.DueAt != t.Due || j.Attempt != t.Attempt || j.Retries <= 0 {
			return nil
		}
		u.own = runKey{jobName(j), jobKey(t.Instance, j)}
		return u.apply(ctx, a, 0, do(j))
	})
}

// runCall executes an asynchronous handler outside any transaction, and reports what it
// answered. It may run again when the report is lost; Call.Key is the same then.
func (e *Engine) runCall(ctx context.Context, r *job.Run) error {
	var t task
	if err := r.Decode(&t); err != nil {
		return err
	}
	outcome, due, err := e.call(ctx, t)
	if err == nil && !due {
		return nil
	}
	var fault *engine.Fault
	if err != nil && !errors.As(err, &fault) {
		return e.settle(ctx, r, t, err)
	}
	done, err := report(t.Job, outcome, fault)
	if err != nil {
		return e.settle(ctx, r, t, err)
	}
	err = store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return e.onJob(ctx, t, func(*engine.Job) engine.Action { return done })
	})
	return e.settle(ctx, r, t, err)
}

// report is the command that brings an answer back to the core.
func report(id int64, out engine.Outcome, fault *engine.Fault) (done *engine.FinishJob, err error) {
	done = &engine.FinishJob{Job: id, Fault: fault}
	if done.Vars, err = engine.Object(out.Vars); err != nil {
		return nil, err
	}
	if done.Local, err = engine.Object(out.Local); err != nil || out.Result == nil {
		return done, err
	}
	text, err := json.Marshal(out.Result)
	if err == nil {
		err = done.Result.UnmarshalJSON(text)
	}
	return done, err
}

// call looks up what the job stands for and runs it; due is false when the job is gone.
func (e *Engine) call(ctx context.Context, t task) (out engine.Outcome, due bool, err error) {
	v, err := e.Load(ctx, t.Instance)
	if errs.Is(err, ErrNoInstance) {
		return out, false, nil
	}
	if err != nil {
		return out, false, err
	}
	j := v.State.Job(t.Job)
	if v.State.Instance.Status != engine.Running || j == nil || j.DueAt != t.Due || j.Attempt != t.Attempt {
		return out, false, nil
	}
	u := &unit{e: e, at: t.Due}
	inv, err := engine.Work(v.Process, v.State, t.Job, engine.Command{At: t.Due}, u.env(ctx, &aggregate{compiled: v.compiled, st: v.State}))
	if err != nil {
		return out, true, err
	}
	h, ok := e.registry.handler(inv.Handler, ForService)
	if !ok {
		return out, true, ErrHandlerFailed.With(inv.Handler, i18n.Pick(ctx, "没有注册", "it is not registered"))
	}
	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	out, err = guard(func() (engine.Outcome, error) {
		return h.Func(ctx, &Call{Invocation: inv, Key: ExecutionID(t.Instance, t.Job)})
	})
	if err != nil && ctx.Err() != nil {
		err = ErrHandlerFailed.With(inv.Handler, err.Error()).Because(err)
	}
	return out, true, err
}

// guard turns a panic of a handler outside a Write into an error.
func guard(fn func() (engine.Outcome, error)) (out engine.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return fn()
}

// runDelivery hands over a message or signal. A signal whose receiver stopped waiting is
// over; a message is not, and stays visible among the failed runs.
func (e *Engine) runDelivery(ctx context.Context, r *job.Run) error {
	var d delivery
	if err := r.Decode(&d); err != nil {
		return err
	}
	err := store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return e.within(ctx, func(ctx context.Context, u *unit) error { return u.deliver(ctx, d) })
	})
	over := errs.Is(err, engine.ErrNoWait) || errs.Is(err, engine.ErrEnded) || errs.Is(err, ErrNoInstance) || errs.Is(err, ErrDefinitionPause)
	switch {
	case d.Kind == engine.SubSignal && (over || errs.Is(err, engine.ErrSuspended)):
		r.Logf("the receiver does not wait any more")
		return nil
	case over:
		return job.Permanent(err)
	}
	return err
}
