package thesis

import (
	"context"
	"log/slog"

	"viva/internal/academic"
	"viva/internal/kernel/store"
)

// A form and its process move in one transaction, so that they agree. What does not comes
// from before the process existed, from a restored part of a backup, or from a fault of
// ours; it is put right at night and told in the log.

const (
	// Forms in approval without a running process.
	sqlStrayForms = `SELECT t.id FROM thesis_students_subject t JOIN thesis_step s ON s.id = t.step_id AND s.tenant_id = t.tenant_id
 LEFT JOIN wf_instance i ON i.id = s.process_instance_id AND i.tenant_id = s.tenant_id AND i.status <> 2
 WHERE t.tenant_id = :tenant AND t.deleted = false AND t.id > :after AND t.level > 0 AND i.id IS NULL ORDER BY t.id LIMIT 500`
	// Running processes whose form does not wait for them.
	sqlStrayProcesses = `SELECT i.id FROM wf_instance i LEFT JOIN thesis_step s ON s.process_instance_id = i.id AND s.tenant_id = i.tenant_id AND s.deleted = false
 LEFT JOIN thesis_students_subject t ON t.step_id = s.id AND t.tenant_id = s.tenant_id AND t.deleted = false
 WHERE i.tenant_id = :tenant AND i.business_type = 'thesis_subject' AND i.status <> 2 AND COALESCE(s.status, 0) <> 3 AND COALESCE(t.audit_state, 0) <> 8 ORDER BY i.id LIMIT 500`
)

// Reconcile gives forms in approval the process they lack, and ends processes that no
// form waits for. Every row is looked at again under its lock; a second run finds nothing.
func (s *Service) Reconcile(ctx context.Context) error {
	return perTenant(ctx, func(ctx context.Context) error {
		for after := int64(0); ; {
			ids, err := store.Select[int64](ctx, sqlStrayForms, store.Args{"after": after})
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				break
			}
			if err := each(ctx, ids, s.rejoin); err != nil {
				return err
			}
			after = ids[len(ids)-1]
		}
		return s.endStrays(ctx)
	})
}

// rejoin begins the process of a form at its level.
func (s *Service) rejoin(ctx context.Context, id int64) error {
	m, err := lockSubject(ctx, id)
	if err != nil || m.subject.Level == LevelNone {
		return err
	}
	at, found, err := s.deps.Workflow.StandingOf(ctx, m.step.ProcessInstanceID)
	if err != nil || found && at.Running() {
		return err
	}
	if at, err = s.adopt(ctx, m, m.position()); err != nil {
		return err
	}
	slog.Warn("a declaration in approval had no process and got one", "declaration", id, "process", at.Instance)
	_, err = steps.Change(ctx, m.step.ID, func(st *Step) error { st.ProcessInstanceID = at.Instance; return nil })
	return err
}

func (s *Service) endStrays(ctx context.Context) error {
	ids, err := store.Select[string](ctx, sqlStrayProcesses, nil)
	for _, id := range ids {
		slog.Warn("a process waited for no declaration and was ended", "process", id)
		if _, err := s.deps.Workflow.End(ctx, id, "申报已不在审批中"); err != nil {
			return err
		}
	}
	return err
}

// lockSubject reads a declaration with its record and step, all under their locks.
func lockSubject(ctx context.Context, id int64) (mine, error) {
	m := mine{exists: true}
	row, err := subjects.Get(ctx, id)
	if err != nil {
		return m, err
	}
	if m.record, err = records.Lock(ctx, row.RecordID); err != nil {
		return m, err
	}
	if m.step, err = steps.Lock(ctx, row.StepID); err != nil {
		return m, err
	}
	if m.subject, err = subjects.Lock(ctx, row.ID); err != nil {
		return m, err
	}
	m.student, err = academic.StudentByID(ctx, row.StudentID)
	return m, err
}
