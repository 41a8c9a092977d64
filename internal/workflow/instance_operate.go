package workflow

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// What administrators do to an instance from outside. Every act gives a reason, leaves an
// audit row in its transaction and stands in the history of the instance under the name
// of whoever did it.

const permOperate = "bpm:process-instance:manager-update"

var (
	errNothingHere = errs.Define(1009023002, errs.Conflict, "流程已不在所选的位置，请刷新后重试", "The process is not at the chosen place any more; reload and try again")
	errMoveWhere   = errs.Define(1009023003, errs.Invalid, "流程不能移动到节点“{}”，请选择其他节点", "The process cannot be moved to the element {}; choose another")
)

func (s *Service) mountOperate(m *web.Module) {
	act := web.Perm(permOperate)
	web.Get(m, "/process-instance/get-manage-detail", web.Perm(permInstances), s.manageDetail, web.Title("流程实例运行状况"))
	web.Put(m, "/process-instance/update-state", act, s.setInstanceState, web.Title("挂起或激活流程实例"))
	web.Put(m, "/process-instance/move", act, s.moveInstance, web.Title("移动流程位置"))
	web.Put(m, "/process-instance/update-variable", act, s.setVariable, web.Title("修改流程变量"))
}

// operation names an act on an instance.
type operation struct {
	instance string
	reason   string
	action   string
}

// operate runs fn on an instance under the lock of its call tree and writes the audit row
// of what fn answers. An instance of another tenant is none.
func (s *Service) operate(ctx context.Context, op operation, fn func(context.Context, *runtime.View) (audited, error)) error {
	reason, err := plainText("reason", op.reason)
	if err == nil && reason == "" {
		err = errs.Field("reason", "请说明理由", "give the reason")
	}
	if err != nil {
		return err
	}
	op.reason = reason
	return s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, op.instance)
		if errs.Is(err, runtime.ErrNoInstance) {
			return errInstanceMissing.With()
		}
		if err != nil {
			return err
		}
		entry, err := fn(ctx, v)
		if err != nil {
			return err
		}
		return audit.Record(ctx, entry.entry(op))
	})
}

type instanceStateIn struct {
	ID     string `json:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
	State  int    `json:"state" required:"true" enum:"1,2" doc:"1 激活，2 挂起|1 active, 2 suspended"`
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// sqlBelow lists the running instances of a call tree besides its root.
const sqlBelow = `SELECT id, parent_instance_id FROM wf_instance WHERE tenant_id = :tenant AND root_id = :root AND parent_instance_id <> '' AND status <> 2`

// setInstanceState suspends or activates an instance together with the processes that it
// called: work on a part of something that stands still would be lost on its way back.
func (s *Service) setInstanceState(ctx context.Context, in instanceStateIn) (bool, error) {
	op := operation{instance: in.ID, reason: in.Reason, action: "激活流程实例"}
	var do engine.Action = &engine.Resume{}
	wanted := engine.Running
	if in.State == Suspended {
		op.action, do, wanted = "挂起流程实例", &engine.Suspend{Reason: in.Reason}, engine.Suspended
	}
	err := s.operate(ctx, op, func(ctx context.Context, v *runtime.View) (audited, error) {
		if v.State.Instance.Status == engine.Ended {
			return audited{}, engine.ErrEnded.With(in.ID)
		}
		below, err := s.below(ctx, v.State.Instance)
		if err != nil {
			return audited{}, err
		}
		changed := []string{}
		for _, id := range append([]string{in.ID}, below...) {
			part, err := s.engine.Lock(ctx, id)
			if err != nil {
				return audited{}, err
			}
			if part.State.Instance.Status == wanted {
				continue
			}
			changed = append(changed, id)
			if _, err := s.engine.Do(ctx, runtime.Command{Instance: id, Action: do}); err != nil {
				return audited{}, err
			}
		}
		return audited{after: map[string]any{"changed": changed}}, nil
	})
	return err == nil, err
}

// below lists the running instances that an instance called, and those that they called.
func (s *Service) below(ctx context.Context, in engine.Instance) ([]string, error) {
	type child struct{ ID, ParentInstanceID string }
	rows, err := store.Select[child](ctx, sqlBelow, store.Args{"root": in.RootID})
	list := []string{in.ID}
	for i := 0; i < len(list); i++ {
		for _, r := range rows {
			if r.ParentInstanceID == list[i] {
				list = append(list, r.ID)
			}
		}
	}
	return list[1:], err
}

type moveIn struct {
	ID     string   `json:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
	From   []string `json:"from" required:"true" minItems:"1" maxItems:"100" doc:"从哪些位置|From"`
	To     string   `json:"to" required:"true" minLength:"1" maxLength:"255" doc:"移动到的节点|To"`
	Reason string   `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// moveInstance ends what waits at some places and goes on at another element. What was
// decided before does not answer for the people asked there.
func (s *Service) moveInstance(ctx context.Context, in moveIn) (bool, error) {
	err := s.operate(ctx, operation{instance: in.ID, reason: in.Reason, action: "移动流程位置"}, func(ctx context.Context, v *runtime.View) (audited, error) {
		tokens, names, err := placesIn(v, in.From)
		if err != nil {
			return audited{}, err
		}
		to := nodeOf(v.Process, in.To)
		if to == nil || !enterable(to) {
			return audited{}, errMoveWhere.With(clip(in.To))
		}
		vars, err := engine.Object(map[string]any{varReturnedAt: clock.Millis()})
		if err != nil {
			return audited{}, err
		}
		for _, do := range []engine.Action{&engine.SetVariables{Vars: vars}, &engine.Move{Tokens: tokens, To: in.To, Reason: "管理员" + actor.From(ctx).Nickname + "移动：" + strings.TrimSpace(in.Reason)}} {
			if _, err := s.engine.Do(ctx, runtime.Command{Instance: in.ID, Action: do}); err != nil {
				return audited{}, err
			}
		}
		return audited{before: map[string]any{"elements": names}, after: map[string]any{"element": in.To}}, nil
	})
	return err == nil, err
}

// placesIn reads the ids of places; one that the process has left is errNothingHere.
func placesIn(v *runtime.View, ids []string) (tokens []int64, elements []string, err error) {
	for _, id := range ids {
		instance, n, ok := runtime.SplitExecutionID(id)
		t := v.State.Token(n)
		if !ok || instance != v.State.Instance.ID || t == nil || !movable(t) {
			return nil, nil, errNothingHere.With()
		}
		if !slices.Contains(tokens, n) {
			tokens, elements = append(tokens, n), append(elements, t.Element)
		}
	}
	return tokens, elements, nil
}
