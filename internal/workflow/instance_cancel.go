package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// cancelIn carries its members in a JSON body, as the wire family does.
type cancelIn struct {
	Body struct {
		ID     string `json:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
		Reason string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
	}
}

// cancelOwn lets the starter take his application back, where the model allows it.
func (s *Service) cancelOwn(ctx context.Context, in cancelIn) (bool, error) {
	return s.cancel(ctx, in, func(v *runtime.View) error {
		if v.State.Instance.StarterID != me(ctx) {
			return errCancelNotYours.With()
		}
		if v.State.Instance.Status != engine.Running {
			return errCancelNotRunning.With()
		}
		p, err := s.planOf(ctx, v.Definition.ID)
		if err == nil && !p.mayCancel() {
			err = errCancelNotAllowed.With()
		}
		return err
	}, "发起人取消：")
}

// mayCancel reports whether the model lets starters take their applications back.
func (p *plan) mayCancel() bool { return !p.known || p.settings().AllowCancelRunningProcess }

// cancelByAdmin ends any running or suspended instance.
func (s *Service) cancelByAdmin(ctx context.Context, in cancelIn) (bool, error) {
	return s.cancel(ctx, in, func(*runtime.View) error {
		return audit.Record(ctx, audit.Entry{Table: "wf_instance", Title: "流程实例", Op: audit.Event, Action: "管理员取消流程",
			After: map[string]any{"processInstanceId": in.Body.ID, "reason": in.Body.Reason}})
	}, "管理员"+actor.From(ctx).Nickname+"取消：")
}

func (s *Service) cancel(ctx context.Context, in cancelIn, may func(*runtime.View) error, prefix string) (bool, error) {
	reason, err := plainText("reason", in.Body.Reason)
	if err != nil {
		return false, err
	}
	err = s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, in.Body.ID)
		if errs.Is(err, runtime.ErrNoInstance) {
			return errInstanceMissing.With()
		}
		if err != nil {
			return err
		}
		if v.State.Instance.Status == engine.Ended {
			return errCancelNotRunning.With()
		}
		if err := may(v); err != nil {
			return err
		}
		if v.State.Instance.ParentInstance != "" {
			return errChildInstance.With()
		}
		_, err = s.engine.Do(ctx, runtime.Command{Instance: in.Body.ID, Action: &engine.End{Result: engine.Cancelled, Reason: prefix + reason}})
		return err
	})
	return err == nil, err
}
