package workflow

import (
	"context"
	"fmt"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// Outcome is how an instance ended, for the module that started it.
type Outcome struct {
	Instance   string
	Process    string // key
	BusinessID string
	Starter    int64
	Result     engine.Result // Approved, Rejected or Cancelled
	Reason     string
	Vars       map[string]any // those that came from people
}

// OnResult calls fn when an instance of a process ends that was begun by Start, in the
// transaction of the decision: an error rolls both back, so that the business row and its
// process never disagree. Call it before the server starts.
func (s *Service) OnResult(process string, fn func(ctx context.Context, o Outcome) error) {
	if s.results == nil {
		s.results = map[string][]func(context.Context, Outcome) error{}
	}
	s.results[process] = append(s.results[process], fn)
}

// StartIn begins the process of a business row.
type StartIn struct {
	Process    string // key; its newest version is used
	BusinessID string // at most one instance of the process runs for it
	Title      string // the model's title, or its name, when empty
	Starter    int64  // the caller when 0
	Vars       map[string]any
	// Picks are the people that the starter chose, by task.
	Picks map[string][]int64
}

// Start begins an instance in the caller's transaction and gives its id. Whether the
// starter may do this is the caller's question; the model's list of starters limits the
// pages of the workflow module only.
func (s *Service) Start(ctx context.Context, in StartIn) (string, error) {
	if in.Process == "" || in.BusinessID == "" {
		return "", fmt.Errorf("workflow: Start needs a process and a business id")
	}
	d, err := s.newestStartable(ctx, in.Process)
	if err != nil {
		return "", err
	}
	return s.begin(ctx, d, beginning{business: in.BusinessID, title: in.Title, starter: in.Starter, vars: in.Vars, picks: in.Picks})
}

// ended is the hook of the engine for the end of an instance.
func (s *Service) ended(ctx context.Context, ev *runtime.InstanceEnded) error {
	in := ev.Instance
	if in.ParentInstance != "" {
		return s.childEnded(ctx, in)
	}
	if b, ok := s.owner(in); ok {
		return s.tellOwner(ctx, b, Standing{Instance: in.ID, Process: b.Process, BusinessID: in.BusinessID, Result: in.Result, Reason: in.Reason})
	}
	if in.BusinessType != "" {
		o := Outcome{Instance: in.ID, Process: ev.Process.ID, BusinessID: in.BusinessID, Starter: in.StarterID, Result: in.Result, Reason: in.Reason,
			Vars: formVariables(documentVars(in.Vars))}
		for _, fn := range s.results[ev.Process.ID] {
			if err := fn(ctx, o); err != nil {
				return err
			}
		}
	}
	return tellEnd(ctx, in)
}

// childEnded lets the rejection of a called process reject its caller.
func (s *Service) childEnded(ctx context.Context, in engine.Instance) error {
	if in.Result != engine.Rejected {
		return nil
	}
	parent, err := s.engine.Load(ctx, in.ParentInstance)
	if err != nil || parent.State.Instance.Status == engine.Ended {
		return err
	}
	_, err = s.engine.Do(ctx, runtime.Command{Instance: in.ParentInstance, Action: &engine.End{Result: engine.Rejected, Reason: in.Reason}})
	return err
}

// The refusals of contract bpm.md A.12 about instances.
var (
	errDefinitionPaused  = errs.Define(1009003003, errs.Conflict, "流程“{}”已挂起，不能发起；请联系流程管理员", "The process {} is suspended and cannot be started; ask its manager")
	errInstanceMissing   = errs.Define(1009004000, errs.NotFound, "流程实例不存在或无权查看，请刷新", "No such process instance, or not yours to see; reload")
	errCancelNotRunning  = errs.Define(1009004001, errs.Conflict, "流程不在审批中，不能取消", "The process is not running and cannot be cancelled")
	errCancelNotYours    = errs.Define(1009004002, errs.Forbidden, "只有发起人可以取消流程", "Only the starter can cancel the process")
	errPickMissing       = errs.Define(1009004003, errs.Invalid, "请为任务“{}”选择审批人", "Choose who decides the task {}")
	errPickUnknown       = errs.Define(1009004004, errs.Invalid, "任务“{}”的审批人 {} 不存在或已停用，请重新选择", "The people chosen for the task {} are unknown or disabled: {}; choose again")
	errStartNotAllowed   = errs.Define(1009004005, errs.Forbidden, "您不能发起流程“{}”，如有需要请联系流程管理员", "You may not start the process {}; ask its manager if you need to")
	errChildInstance     = errs.Define(1009004008, errs.Conflict, "子流程不能单独取消，请取消主流程", "A child process cannot be cancelled by itself; cancel the process that called it")
	errCancelNotAllowed  = errs.Define(1009004009, errs.Forbidden, "该流程不允许发起人取消，请联系流程管理员", "This process may not be cancelled by its starter; ask its manager")
	errInstanceSuspended = errs.Define(1009005003, errs.Conflict, "流程已挂起，恢复后才能办理", "The process is suspended; it can be worked on once it is resumed")
)
