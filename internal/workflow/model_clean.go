package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// errCleanOwned: what a module's rows are decided by cannot be erased from under them.
var errCleanOwned = errs.Define(1009002051, errs.Conflict, "流程“{}”由业务模块使用，其流程实例不能清理", "The process {} decides rows of a module; its instances cannot be erased")

const (
	cleanWork = "workflow.clean"

	sqlCountOfKey = `SELECT COUNT(*) FROM wf_instance i WHERE i.tenant_id = :tenant AND i.process_key = :key AND i.parent_instance_id = '' AND i.started_at <= :before`
	sqlRootsOfKey = `SELECT i.id, i.status FROM wf_instance i WHERE i.tenant_id = :tenant AND i.process_key = :key AND i.parent_instance_id = '' AND i.started_at <= :before
 ORDER BY i.id LIMIT :most`
)

// cleanJob is the payload of a cleaning: the instances that were there when it was asked.
type cleanJob struct {
	Key    string
	Before int64
	Who    string
}

// cleanModel cancels and erases all instances of a model's process, in the background:
// there may be many. Those that start afterwards stay.
func (s *Service) cleanModel(ctx context.Context, in modelIDIn) (bool, error) {
	model, err := lockModel(ctx, modelID(in.ID))
	if err != nil {
		return false, err
	}
	if s.business[model.Key].Process != "" {
		return false, errCleanOwned.With(model.Name)
	}
	c := cleanJob{Key: model.Key, Before: clock.Millis(), Who: actor.From(ctx).Nickname}
	n, err := store.One[int64](ctx, sqlCountOfKey, store.Args{"key": c.Key, "before": c.Before})
	if err != nil || n == 0 {
		return err == nil, err
	}
	if err := audit.Record(ctx, audit.Entry{Table: models.Name, Title: models.Title, RowID: model.ID, Op: audit.Event, Action: "清理流程实例",
		After: map[string]any{"key": c.Key, "instances": n}}); err != nil {
		return false, err
	}
	_, err = job.Enqueue(ctx, cleanWork, c, job.Opts{})
	return err == nil, err
}

func (s *Service) runClean(ctx context.Context, r *job.Run) error {
	var c cleanJob
	if err := r.Decode(&c); err != nil {
		return err
	}
	n, err := s.clean(ctx, c)
	r.Logf("%d instances", n)
	return err
}

// clean erases in pieces; begun again after a crash it goes on with what is left.
func (s *Service) clean(ctx context.Context, c cleanJob) (count int, err error) {
	type root struct {
		ID     string
		Status engine.InstanceStatus
	}
	for {
		roots, err := store.Select[root](ctx, sqlRootsOfKey, store.Args{"key": c.Key, "before": c.Before, "most": forgetAtOnce})
		if err != nil || len(roots) == 0 {
			return count, err
		}
		err = store.Write(ctx, func(ctx context.Context) error {
			ids := make([]string, len(roots))
			for i, one := range roots {
				ids[i] = one.ID
				if one.Status == engine.Ended {
					continue
				}
				if err := s.cancelToErase(ctx, one.ID, c.Who); err != nil {
					return err
				}
			}
			return s.erase(ctx, ids)
		})
		if err != nil {
			return count, err
		}
		count += len(roots)
	}
}

// cancelToErase ends an instance in good order, so that its business row hears of it.
func (s *Service) cancelToErase(ctx context.Context, id, who string) error {
	return s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, id)
		if errs.Is(err, runtime.ErrNoInstance) || err == nil && v.State.Instance.Status == engine.Ended {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = s.engine.Do(ctx, runtime.Command{Instance: id, Action: &engine.End{Result: engine.Cancelled, Reason: "管理员" + who + "清理流程实例"}})
		return err
	})
}
