package workflow

import (
	"context"
	"fmt"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// Business is a process that decides rows of a module above, behind calls of that module.
//
// Its Steps open without an assignee and end only by Decide: who may decide them, and on
// which page, is the module's affair. All other steps are decided like those of any
// process. The module tells people of the outcome itself.
type Business struct {
	// Process is the key.
	Process string
	// Steps are the ids of the user tasks that the module decides.
	Steps []string
	// Page is where those are decided, for whoever looks at the process instead.
	Page string
	// Moved hears where an instance stands after anybody but the module moved it: a
	// decider of another step, a timer, an administrator. It runs in the transaction of
	// the move, and an error takes the move back.
	Moved func(ctx context.Context, at Standing) error
	// Standard is the model of tenants that have none of their own.
	Standard StandardModel
}

// Standing is where the instance of a business row stands.
type Standing struct {
	Instance   string
	Process    string // key
	BusinessID string
	// Steps are the elements of the open tasks, in the order in which they opened. None is
	// open while the instance waits for something else, or has ended.
	Steps  []string
	Result engine.Result // InProgress until the end
	Reason string
}

// Running reports whether the instance has not ended.
func (at Standing) Running() bool { return at.Result == engine.InProgress }

// ErrNoInstance says that a business row has no running instance (any more).
var ErrNoInstance = errs.Define(1009004050, errs.Conflict, "没有进行中的流程实例，请刷新后重试", "No process is running for this; reload and try again")

// Own announces a business process. Call it before the server starts.
func (s *Service) Own(b Business) {
	if s.business == nil {
		s.business = map[string]Business{}
	}
	s.business[b.Process] = b
}

// Begin is Start for an owned process. A tenant without any version of it gets the
// standard one first.
func (s *Service) Begin(ctx context.Context, in StartIn) (Standing, error) {
	return s.moving(ctx, func(ctx context.Context) (string, error) { return s.startOwned(ctx, in) })
}

// BeginAt is Begin for a row that is in the midst of its approval: the instance goes to
// the step at once, and nothing before it is asked. A diagram without that step leaves
// the instance at its beginning.
func (s *Service) BeginAt(ctx context.Context, in StartIn, step string) (Standing, error) {
	return s.moving(ctx, func(ctx context.Context) (string, error) {
		id, err := s.startOwned(ctx, in)
		if err != nil {
			return id, err
		}
		v, err := s.engine.Lock(ctx, id)
		if err != nil || nodeOf(v.Process, step) == nil || slices.ContainsFunc(v.State.Tasks, func(k *engine.Task) bool { return k.Element == step }) {
			return id, err
		}
		var tokens []int64
		for _, t := range v.State.Tokens {
			if above := v.State.Token(t.Parent); above != nil && above.Kind == engine.KindRoot {
				tokens = append(tokens, t.ID)
			}
		}
		if len(tokens) == 0 {
			return id, nil
		}
		_, err = s.engine.Do(ctx, runtime.Command{Instance: id, Action: &engine.Move{Tokens: tokens, To: step}})
		return id, err
	})
}

func (s *Service) startOwned(ctx context.Context, in StartIn) (string, error) {
	id, err := s.Start(ctx, in)
	if !errs.Is(err, errDefinitionMissing) {
		return id, err
	}
	if err := s.installStandard(ctx, s.business[in.Process]); err != nil {
		return "", err
	}
	return s.Start(ctx, in)
}

// StepVerdict is a decision on a step that the module owns. Status is TaskApproved,
// TaskRejected (the setting of the step says what follows, in general the end) or
// TaskReturned: the instance ends, since a new submission begins a new one.
type StepVerdict struct {
	Instance string
	Step     string
	Status   engine.TaskStatus
	Opinion  string
}

// Decide ends an owned step in the name of the caller, whose right to it the module has
// judged, and gives where the instance stands then. ErrNoInstance means that there is no
// such instance, or that it does not stand at the step.
func (s *Service) Decide(ctx context.Context, in StepVerdict) (Standing, error) {
	return s.moving(ctx, func(ctx context.Context) (string, error) {
		v, err := s.lockRunning(ctx, in.Instance)
		if err != nil {
			return in.Instance, err
		}
		at := slices.IndexFunc(v.State.Tasks, func(k *engine.Task) bool { return k.Element == in.Step && k.Parent == 0 })
		if at < 0 {
			return in.Instance, ErrNoInstance.With()
		}
		task := v.State.Tasks[at].ID
		kind := map[engine.TaskStatus]int{engine.TaskApproved: commentApproved, engine.TaskRejected: commentRejected, engine.TaskReturned: commentReturned}[in.Status]
		if err := keep(ctx, in.Instance, task, note{kind: kind, message: in.Opinion}); err != nil {
			return in.Instance, err
		}
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: in.Instance, Action: &engine.SetAssignee{Task: task, AssigneeID: me(ctx)}}); err != nil {
			return in.Instance, err
		}
		switch in.Status {
		case engine.TaskApproved:
			_, err = s.engine.Do(ctx, runtime.Command{Instance: in.Instance, Action: &engine.CompleteTask{Task: task, Status: in.Status, Reason: in.Opinion}})
		case engine.TaskRejected:
			err = s.reject(ctx, rejection{instance: in.Instance, process: v.Process, node: nodeOf(v.Process, in.Step), task: task, reason: in.Opinion})
		case engine.TaskReturned:
			_, err = s.engine.Do(ctx, runtime.Command{Instance: in.Instance, Action: &engine.End{Result: engine.Cancelled, Reason: in.Opinion, Task: task, TaskStatus: in.Status}})
		default:
			err = fmt.Errorf("workflow: Decide with status %d", in.Status)
		}
		return in.Instance, err
	})
}

// End cancels the instance of a row that its module takes back.
func (s *Service) End(ctx context.Context, instance, reason string) (Standing, error) {
	return s.moving(ctx, func(ctx context.Context) (string, error) {
		if _, err := s.lockRunning(ctx, instance); err != nil && !errs.Is(err, errInstanceSuspended) {
			return instance, err
		}
		_, err := s.engine.Do(ctx, runtime.Command{Instance: instance, Action: &engine.End{Result: engine.Cancelled, Reason: reason}})
		return instance, err
	})
}

// StandingOf gives where an instance stands; found is false when there is none of the id.
func (s *Service) StandingOf(ctx context.Context, instance string) (at Standing, found bool, err error) {
	v, err := s.engine.Load(ctx, instance)
	if errs.Is(err, runtime.ErrNoInstance) {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	return standing(v.State), true, nil
}

// lockRunning reads an instance that can be worked on.
func (s *Service) lockRunning(ctx context.Context, instance string) (*runtime.View, error) {
	v, err := s.engine.Lock(ctx, instance)
	switch {
	case errs.Is(err, runtime.ErrNoInstance) || err == nil && v.State.Instance.Status == engine.Ended:
		return nil, ErrNoInstance.With()
	case err == nil && v.State.Instance.Status == engine.Suspended:
		return v, errInstanceSuspended.With()
	}
	return v, err
}

type movingKey struct{}

// moving runs a move of the owning module, which needs not be told of it, and gives where
// the instance stands when everything that follows from the move is done.
func (s *Service) moving(ctx context.Context, fn func(context.Context) (string, error)) (at Standing, err error) {
	err = s.engine.Together(context.WithValue(ctx, movingKey{}, true), func(ctx context.Context) error {
		id, err := fn(ctx)
		if err == nil {
			err = s.engine.Settle(ctx)
		}
		if err != nil {
			return err
		}
		v, err := s.engine.Lock(ctx, id)
		if err == nil {
			at = standing(v.State)
		}
		return err
	})
	return at, err
}

func standing(st *engine.State) Standing {
	in := st.Instance
	at := Standing{Instance: in.ID, Process: in.BusinessType, BusinessID: in.BusinessID, Result: in.Result, Reason: in.Reason}
	for _, k := range st.Tasks {
		if k.Parent == 0 {
			at.Steps = append(at.Steps, k.Element)
		}
	}
	return at
}

// owner is the module behind an instance, if one is.
func (s *Service) owner(in engine.Instance) (Business, bool) {
	b, ok := s.business[in.BusinessType]
	return b, ok && in.ParentInstance == ""
}

// owns reports whether a task is one that a module decides.
func (s *Service) owns(in engine.Instance, element string) bool {
	b, ok := s.owner(in)
	return ok && slices.Contains(b.Steps, element)
}

// tellOwner hands on where an instance stands that somebody else moved.
func (s *Service) tellOwner(ctx context.Context, b Business, at Standing) error {
	if ctx.Value(movingKey{}) != nil || b.Moved == nil {
		return nil
	}
	return b.Moved(ctx, at)
}

// errOwnStep: an administrator's act would go around the rules of the module.
var errOwnStep = errs.Define(1009005050, errs.Conflict, "该步骤由“{}”页面按其规则办理，不能在这里办理或指定审批人", "This step is decided on the page {} by its own rules; it can be neither decided nor assigned here")
