package workflow

import (
	"context"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

var (
	errUrgeNotYours = errs.Define(1009004010, errs.Forbidden, "只有发起人可以催办", "Only the starter can urge")
	errUrgedAlready = errs.Define(1009004011, errs.Limit, "30 分钟内已催办过，请稍后再试", "You urged within the last 30 minutes; try again later")
	errNobodyToUrge = errs.Define(1009004012, errs.Conflict, "当前没有等待审批的人，无需催办", "Nobody has a task to decide now; there is nobody to urge")
)

// urgeEvery is how often the starter may urge, in milliseconds.
const urgeEvery = 30 * 60 * 1000

const sqlUrgedSince = `SELECT COUNT(*) FROM bpm_comment WHERE tenant_id = :tenant AND instance_id = :instance AND user_id = :me AND type = :type AND create_time > :since`

type urgeIn struct {
	ProcessInstanceID string `json:"processInstanceId" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
	Reason            string `json:"reason" maxLength:"200" doc:"催办说明|Message"`
}

// urge reminds whoever the instance waits for, in the starter's name.
func (s *Service) urge(ctx context.Context, in urgeIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	row, err := s.readable(ctx, in.ProcessInstanceID)
	if err != nil {
		return false, err
	}
	if row.StarterID != me(ctx) {
		return false, errUrgeNotYours.With()
	}
	err = s.engine.Together(ctx, func(ctx context.Context) error {
		v, err := s.engine.Lock(ctx, row.ID)
		if err != nil {
			return err
		}
		n, err := store.One[int64](ctx, sqlUrgedSince, store.Args{"instance": row.ID, "me": me(ctx), "type": commentUrged, "since": clock.Millis() - urgeEvery})
		if err != nil || n > 0 {
			return orElse(err, errUrgedAlready.With())
		}
		told := 0
		for _, k := range v.State.Tasks {
			if k.Status != engine.TaskOpen || k.AssigneeID == 0 || v.State.Instance.Status != engine.Running {
				continue
			}
			if err := s.tellTask(ctx, msgUrged, v.State.Instance, *k, reason); err != nil {
				return err
			}
			if err := keep(ctx, row.ID, k.ID, note{kind: commentUrged, message: reason}); err != nil {
				return err
			}
			told++
		}
		if told == 0 {
			return errNobodyToUrge.With()
		}
		return nil
	})
	return err == nil, err
}
