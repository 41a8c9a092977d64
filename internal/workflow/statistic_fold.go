package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
)

const (
	sqlTenantsWithProcesses = `SELECT DISTINCT tenant_id FROM wf_definition`
	sqlFoldedDay            = `SELECT day FROM bpm_statistic_fold WHERE tenant_id = :tenant`
	sqlLockFold             = sqlFoldedDay + ` FOR UPDATE`
	sqlBeginFold            = `INSERT INTO bpm_statistic_fold (tenant_id, day, closed_at) VALUES (:tenant, :day, :now) ON CONFLICT (tenant_id) DO NOTHING`
	sqlMoveFold             = `UPDATE bpm_statistic_fold SET day = :day, closed_at = :now WHERE tenant_id = :tenant`
	sqlFirstStart           = `SELECT i.started_at FROM wf_instance i WHERE i.tenant_id = :tenant AND i.parent_instance_id = '' ORDER BY i.id LIMIT 1`
	sqlAddStepDay           = `INSERT INTO bpm_statistic_step (tenant_id, day, process_key, element, name, tasks, late, total_ms, buckets)
 VALUES (:tenant, :day, :key, :element, :name, :tasks, :late, :total, :buckets)`
	sqlAddPersonDay   = `INSERT INTO bpm_statistic_person (tenant_id, day, process_key, user_id, tasks, late, total_ms) VALUES (:tenant, :day, :key, :user, :tasks, :late, :total)`
	sqlAddInstanceDay = `INSERT INTO bpm_statistic_instance (tenant_id, day, process_key, started, approved, rejected, cancelled)
 VALUES (:tenant, :day, :key, :started, :approved, :rejected, :cancelled)`
)

// foldAll closes the past days of every tenant's statistics.
func (s *Service) foldAll(ctx context.Context, r *job.Run) error {
	tenants, err := store.Select[int64](store.AcrossTenants(ctx, "workflow: close the days of each tenant's statistics"), sqlTenantsWithProcesses, nil)
	for _, tenant := range tenants {
		days, err := foldDays(actor.AsSystem(ctx, tenant))
		if err != nil {
			return err
		}
		r.Logf("tenant %d: %d days", tenant, days)
	}
	return err
}

// foldDays adds up each past day that is not closed yet, in the tenant of ctx. The job
// runs some time after midnight, when nothing of the day before is still on its way.
func foldDays(ctx context.Context) (days int, err error) {
	folded, known, err := foldedDay(ctx)
	if err != nil {
		return 0, err
	}
	if !known {
		first, any, err := store.Get[int64](ctx, sqlFirstStart, nil)
		if err != nil || !any {
			return 0, err
		}
		folded = dayOf(first) - 1
	}
	for d := folded + 1; d < dayOf(clock.Millis()); d++ {
		byDay, err := happened(ctx, d, d, "")
		if err != nil {
			return days, err
		}
		if err := closeDay(ctx, d, byDay[d]); err != nil {
			return days, err
		}
		days++
	}
	return days, nil
}

// foldedDay is the last closed day.
func foldedDay(ctx context.Context) (day, bool, error) {
	d, ok, err := store.Get[int64](ctx, sqlFoldedDay, nil)
	return day(d), ok, err
}

// closeDay stores the figures of a day, unless another run has done it.
func closeDay(ctx context.Context, d day, f *figures) error {
	return store.Write(ctx, func(ctx context.Context) error {
		if _, err := store.Exec(ctx, sqlBeginFold, store.Args{"day": int64(d) - 1, "now": clock.Millis()}); err != nil {
			return err
		}
		before, err := store.One[int64](ctx, sqlLockFold, nil)
		if err != nil || day(before) != d-1 {
			return err
		}
		if f != nil {
			if err := f.write(ctx, d); err != nil {
				return err
			}
		}
		_, err = store.Exec(ctx, sqlMoveFold, store.Args{"day": int64(d), "now": clock.Millis()})
		return err
	})
}

func (f *figures) write(ctx context.Context, d day) error {
	var b store.Batch
	for key, s := range f.steps {
		b.Exec(sqlAddStepDay, store.Args{"day": int64(d), "key": key.process, "element": key.element, "name": s.Name, "tasks": s.Tasks, "late": s.Late,
			"total": s.TotalMs, "buckets": store.JSON[lengths]{V: s.Lengths}})
	}
	for key, p := range f.people {
		b.Exec(sqlAddPersonDay, store.Args{"day": int64(d), "key": key.process, "user": key.user, "tasks": p.Tasks, "late": p.Late, "total": p.TotalMs})
	}
	for key, i := range f.instances {
		b.Exec(sqlAddInstanceDay, store.Args{"day": int64(d), "key": key, "started": i.Started, "approved": i.Approved, "rejected": i.Rejected, "cancelled": i.Cancelled})
	}
	return b.Send(ctx)
}
