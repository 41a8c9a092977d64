package workflow

import (
	"context"
	"maps"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/id"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The calls of a model to other systems. None is made inside a transaction:
//
//	before the process, started on the page → before the transaction; a failure refuses the start
//	before the process, started otherwise   → a job; it can refuse nothing any more
//	before a task                           → the task waits for the job and opens with its answer
//	after the process, after a task         → a job
const (
	hookWork = "workflow.hook"

	hookBeforeProcess = "process.before"
	hookAfterProcess  = "process.after"
	hookBeforeTask    = "task.before"
	hookAfterTask     = "task.after"

	// suspendedPause is when a job of a suspended instance looks again.
	suspendedPause = 10 * time.Minute
)

// hookJob is the payload of a call.
type hookJob struct {
	Hook     string
	Instance string
	Task     int64
	// What a new task needs to find its people once the call is made.
	Assignee        string
	CandidateUsers  []string
	CandidateGroups []string
	SameUser        int64
	SameAlways      bool
}

func (h hookJob) of(set ModelSettings) *HTTPHook {
	hook := map[string]*HTTPHook{hookBeforeProcess: set.ProcessBeforeTriggerSetting, hookAfterProcess: set.ProcessAfterTriggerSetting,
		hookBeforeTask: set.TaskBeforeTriggerSetting, hookAfterTask: set.TaskAfterTriggerSetting}[h.Hook]
	if hook == nil || hook.URL == "" {
		return nil
	}
	return hook
}

// hookIn lets the engine announce what hooks are about.
func (s *Service) hookIn() {
	s.engine.OnStart(func(ctx context.Context, ev *runtime.InstanceStarted) error {
		if ev.Instance.ParentInstance != "" || ctx.Value(hookAnswerKey{}) != nil {
			return nil
		}
		_, err := s.enqueueHook(ctx, ev.Instance.DefinitionID, hookJob{Hook: hookBeforeProcess, Instance: ev.Instance.ID})
		return err
	})
	s.engine.OnEnd(func(ctx context.Context, ev *runtime.InstanceEnded) error {
		if ev.Instance.ParentInstance != "" {
			return nil
		}
		_, err := s.enqueueHook(ctx, ev.Instance.DefinitionID, hookJob{Hook: hookAfterProcess, Instance: ev.Instance.ID})
		return err
	})
	s.engine.OnTask(func(ctx context.Context, ev *runtime.TaskEvent) error {
		if ev.Change != runtime.TaskEnded || ev.Task.Parent != 0 || ev.Task.Status != engine.TaskApproved && ev.Task.Status != engine.TaskRejected {
			return nil
		}
		_, err := s.enqueueHook(ctx, ev.Instance.DefinitionID, hookJob{Hook: hookAfterTask, Instance: ev.Instance.ID, Task: ev.Task.ID})
		return err
	})
}

// enqueueHook writes the job of a call with the transaction that it follows from; done is
// false when the model has no such hook.
func (s *Service) enqueueHook(ctx context.Context, definition string, h hookJob) (done bool, err error) {
	p, err := s.planOf(ctx, definition)
	if err != nil || h.of(p.settings()) == nil {
		return false, err
	}
	_, err = job.Enqueue(ctx, hookWork, h, job.Opts{})
	return err == nil, err
}

// hookAnswerKey carries what the system asked before the start answered.
type hookAnswerKey struct{}

// askBeforeStart makes the call before a start on the page, outside its transaction. What
// the start itself refuses is not announced to anybody.
func (s *Service) askBeforeStart(ctx context.Context, in createInstanceIn) (context.Context, error) {
	d, err := definitionByID(ctx, in.ProcessDefinitionID)
	if err != nil {
		return ctx, err
	}
	hook := hookJob{Hook: hookBeforeProcess}.of(d.Settings.V)
	who := actor.From(ctx)
	if hook == nil || d.state() == Suspended || !d.startableBy(who) {
		return ctx, nil
	}
	key := web.RequestKey(ctx)
	if key == "" {
		key = id.Token(16)
	}
	answer, err := s.callHook(ctx, hook, hookCall{key: key, vars: formVariables(in.Variables),
		about: map[string]any{"event": hookBeforeProcess, "processDefinitionId": d.DefinitionID, "processDefinitionKey": d.Key, "startUserId": who.UserID}})
	return context.WithValue(ctx, hookAnswerKey{}, answer), err
}

// answered adds the answer of the call before the start to what the starter wrote.
func answered(ctx context.Context, vars map[string]any) map[string]any {
	answer, _ := ctx.Value(hookAnswerKey{}).(map[string]any)
	if len(answer) == 0 {
		return vars
	}
	all := maps.Clone(vars)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, answer)
	return all
}

// askBeforeTask lets a new task wait for its call.
func (s *Service) askBeforeTask(ctx context.Context, ev *runtime.TaskEvent) (waits bool, err error) {
	h := hookJob{Hook: hookBeforeTask, Instance: ev.Instance.ID, Task: ev.Task.ID}
	if ev.Modelled != nil {
		h.Assignee, h.CandidateUsers, h.CandidateGroups = ev.Modelled.Assignee, ev.Modelled.CandidateUsers, ev.Modelled.CandidateGroups
	}
	if same, _ := ctx.Value(samePersonKey{}).(*samePerson); same != nil && same.element == ev.Task.Element {
		h.SameUser, h.SameAlways = same.user, same.always
	}
	if waits, err = s.enqueueHook(ctx, ev.Instance.DefinitionID, h); err != nil || !waits {
		return waits, err
	}
	waiting := engine.TaskWaiting
	if _, err := s.engine.Do(ctx, runtime.Command{Instance: h.Instance, Action: &engine.UpdateTask{Task: h.Task, Status: &waiting}}); err != nil {
		return true, err
	}
	return true, s.giveTo(ctx, ev, 0)
}

// runHook makes one call and writes its answer.
func (s *Service) runHook(ctx context.Context, r *job.Run) error {
	var h hookJob
	if err := r.Decode(&h); err != nil {
		return err
	}
	v, err := s.engine.Load(ctx, h.Instance)
	if errs.Is(err, runtime.ErrNoInstance) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := s.planOf(ctx, v.Definition.ID)
	if err != nil {
		return err
	}
	hook := h.of(p.settings())
	if hook == nil || h.Hook == hookBeforeTask && v.State.Task(h.Task) == nil {
		r.Logf("nothing waits for the call any more")
		return nil
	}
	if v.State.Instance.Status == engine.Suspended {
		return store.Write(ctx, func(ctx context.Context) error {
			_, err := job.Enqueue(ctx, hookWork, h, job.Opts{At: clock.Now().Add(suspendedPause)})
			return err
		})
	}
	c, err := s.hookAbout(ctx, v, h)
	if err != nil {
		return err
	}
	c.key = runtime.ExecutionID(h.Instance, r.ID)
	answer, err := s.callHook(ctx, hook, c)
	last := r.Try >= r.MaxTries
	if err != nil && !(last && h.Hook == hookBeforeTask) {
		return err
	}
	// A task that waits must not wait for ever: it opens, and its history says why.
	return store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		return s.hookDone(ctx, h, answer, err)
	})
}

// hookAbout says what a call is about.
func (s *Service) hookAbout(ctx context.Context, v *runtime.View, h hookJob) (hookCall, error) {
	in := v.State.Instance
	c := hookCall{vars: formVariables(documentVars(in.Vars)), about: map[string]any{"event": h.Hook, "processInstanceId": in.ID, "processInstanceName": in.Name,
		"processDefinitionKey": v.Definition.Key, "businessKey": in.BusinessID, "startUserId": in.StarterID, "status": int(in.Result)}}
	if in.Status == engine.Ended {
		c.about["reason"] = in.Reason
	}
	if h.Task == 0 {
		return c, nil
	}
	tasks, err := s.engine.Tasks(ctx, in.ID)
	for _, k := range tasks {
		if k.ID == h.Task {
			c.about["taskId"], c.about["taskDefinitionKey"], c.about["taskName"] = runtime.ExecutionID(in.ID, k.ID), k.Element, k.Name
			if h.Hook == hookAfterTask {
				c.about["taskStatus"], c.about["taskReason"], c.about["assigneeUserId"] = int(k.Status), k.Reason, k.AssigneeID
			}
		}
	}
	return c, err
}

// hookDone writes the answer into the form, and opens the task that waited.
func (s *Service) hookDone(ctx context.Context, h hookJob, answer map[string]any, failed error) error {
	return s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, h.Instance)
		if err != nil {
			return err
		}
		if v.State.Instance.Status == engine.Ended {
			return nil
		}
		if len(answer) > 0 {
			doc, err := engine.Object(answer)
			if err != nil {
				return engine.ErrBadVariable.With(err)
			}
			if _, err := s.engine.Do(ctx, runtime.Command{Instance: h.Instance, Action: &engine.SetVariables{Vars: doc}}); err != nil {
				return err
			}
		}
		if h.Hook != hookBeforeTask {
			return nil
		}
		return s.openAfterHook(ctx, h, failed)
	})
}

func (s *Service) openAfterHook(ctx context.Context, h hookJob, failed error) error {
	v, err := s.engine.Load(ctx, h.Instance)
	if err != nil {
		return err
	}
	task := v.State.Task(h.Task)
	if task == nil || task.Status != engine.TaskWaiting || len(childrenOf(v.State, h.Task)) > 0 {
		return nil
	}
	open := engine.TaskOpen
	if _, err := s.engine.Do(ctx, runtime.Command{Instance: h.Instance, Action: &engine.UpdateTask{Task: h.Task, Status: &open}}); err != nil {
		return err
	}
	if failed != nil {
		if err := keep(ctx, h.Instance, h.Task, note{kind: commentText, message: "任务开始前的外部调用失败：" + cut(failed.Error(), maxTitle)}); err != nil {
			return err
		}
	}
	if v, err = s.engine.Load(ctx, h.Instance); err != nil {
		return err
	}
	ev := &runtime.TaskEvent{Change: runtime.TaskCreated, Task: *v.State.Task(h.Task), Instance: v.State.Instance, Process: v.Process, Node: nodeOf(v.Process, task.Element), State: v.State,
		Modelled: &engine.TaskCreated{Task: *task, Assignee: h.Assignee, CandidateUsers: h.CandidateUsers, CandidateGroups: h.CandidateGroups}}
	if h.SameUser != 0 {
		ctx = context.WithValue(ctx, samePersonKey{}, &samePerson{element: task.Element, user: h.SameUser, always: h.SameAlways})
	}
	return s.findPeople(ctx, ev)
}
