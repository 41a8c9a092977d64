package thesis

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
)

// Work registers the jobs. Each may run twice or on several nodes: every row is looked
// at again under its lock.
func (s *Service) Work(queue *job.Queue, _ *event.Bus) {
	queue.Every("thesis.step-opener", "0 10 0 * * ?", func(ctx context.Context, _ *job.Run) error {
		return s.OpenSteps(ctx)
	}, job.Titled("开启论文环节"))
	queue.Every("thesis.window-expirer", "0 0/5 * * * ?", func(ctx context.Context, _ *job.Run) error {
		return s.ExpireSteps(ctx)
	}, job.Titled("关闭逾期的论文环节"))
	queue.Every("thesis.reconcile", "0 40 1 * * ?", func(ctx context.Context, _ *job.Run) error {
		return s.Reconcile(ctx)
	}, job.Titled("核对论文审批与流程"))
}

const (
	sqlTenantsWithTheses = `SELECT DISTINCT tenant_id FROM thesis_record WHERE deleted = false`
	// Records that wait for their current step: it has no row yet, or it expired.
	sqlRecordsWaiting = `SELECT r.id FROM thesis_record r WHERE r.tenant_id = :tenant AND r.deleted = false AND r.life_state = 1 AND r.id > :after
 AND NOT EXISTS (SELECT 1 FROM thesis_step s WHERE s.tenant_id = :tenant AND s.record_id = r.id AND s.step_code = r.current_step AND s.latest = true
 AND s.deleted = false AND s.status NOT IN (0, 10)) ORDER BY r.id LIMIT 100`
	sqlExpirable = sqlCaseColumns + sqlCaseFrom + ` AND t.status IN (1, 2, 4) AND t.id > :after ORDER BY t.id LIMIT 500`
)

// perTenant runs fn as the system in every tenant that has theses.
func perTenant(ctx context.Context, fn func(context.Context) error) error {
	across := store.AcrossTenants(ctx, "thesis: open and expire the steps of each tenant")
	tenants, err := store.Select[int64](across, sqlTenantsWithTheses, nil)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		if err := fn(actor.AsSystem(ctx, tenant)); err != nil {
			return err
		}
	}
	return nil
}

// OpenSteps opens every step of every tenant whose guards hold by now.
func (s *Service) OpenSteps(ctx context.Context) error {
	return perTenant(ctx, func(ctx context.Context) error {
		for after := int64(0); ; {
			ids, err := store.Select[int64](ctx, sqlRecordsWaiting, store.Args{"after": after})
			if err != nil || len(ids) == 0 {
				return err
			}
			if err := each(ctx, ids, s.openSteps); err != nil {
				return err
			}
			after = ids[len(ids)-1]
		}
	})
}

// each does a group of rows in one transaction.
func each(ctx context.Context, ids []int64, fn func(ctx context.Context, id int64) error) error {
	if len(ids) == 0 {
		return nil
	}
	return store.Write(ctx, func(ctx context.Context) error {
		for _, id := range ids {
			if err := fn(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// inFlight is how long a call may still be on its way after it was received: what arrived
// before the close must find the step as it was. It is above the time-out of a call.
const inFlight = minute

func (c caseRow) over(b *book, code StepCode) bool {
	return c.facts(b, code, fileFacts{}).deadline.state(b.now-inFlight) == windowClosed
}

// ExpireSteps closes every declaration whose time and grace are over and which nobody
// handed in; a held place of a topic becomes free. Looking needs no transaction.
func (s *Service) ExpireSteps(ctx context.Context) error {
	return perTenant(ctx, func(ctx context.Context) error {
		b, err := readBook(ctx)
		if err != nil {
			return err
		}
		for after := int64(0); ; {
			rows, err := store.Select[caseRow](ctx, sqlExpirable, store.Args{"code": StepSubject, "after": after})
			if err != nil || len(rows) == 0 {
				return err
			}
			var over []int64
			for _, c := range rows {
				if c.over(b, StepSubject) {
					over = append(over, c.StepID)
				}
			}
			if err := each(ctx, over, func(ctx context.Context, id int64) error { return s.expire(ctx, b, id) }); err != nil {
				return err
			}
			after = rows[len(rows)-1].StepID
		}
	})
}

func (s *Service) expire(ctx context.Context, b *book, stepID int64) error {
	st, err := steps.Get(ctx, stepID)
	if err != nil {
		return err
	}
	c, err := caseOf(ctx, st.RecordID, st.StepCode)
	if missing(err) { // the student is gone
		return nil
	}
	if err != nil || !c.over(b, st.StepCode) {
		return err
	}
	if _, err := records.Lock(ctx, st.RecordID); err != nil {
		return err
	}
	if st, err = steps.Lock(ctx, stepID); err != nil || !can(EvExpire, st.Status) {
		return err
	}
	row, has, err := store.Get[Subject](ctx, sqlSubjectOfStep, store.Args{"step": stepID})
	if err != nil {
		return err
	}
	if has {
		_, err = s.decide(ctx, Decision{SubjectID: row.ID, Event: EvExpire})
		return err
	}
	from := st.Status
	if st, err = steps.Change(ctx, stepID, func(x *Step) (err error) { x.Status, err = next(EvExpire, x.Status); return err }); err != nil {
		return err
	}
	if err := appendTransition(ctx, Transition{RecordID: st.RecordID, StepID: st.ID, StepCode: st.StepCode, Event: EvExpire, FromStatus: from, ToStatus: st.Status}); err != nil {
		return err
	}
	return s.deps.Notify(ctx, known(c.UserID, c.AdvisorUser), msgExpired, map[string]any{"student": c.StudentName, "step": stepNames[st.StepCode][0]})
}
