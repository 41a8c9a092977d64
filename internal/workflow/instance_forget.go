package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/workflow/runtime"
)

// keyForgetTenants is the parameter that lets definitions limit what is kept. Files of other
// tools carry a time to live nobody chose, and records of approvals must not go by accident.
const keyForgetTenants = "bpm.history.tenants"

// forgetAtOnce is how many instances go in one transaction.
const forgetAtOnce = 50

const (
	sqlNotesWithFiles = `SELECT c.id, c.sign_pic_url, c.attachments FROM bpm_comment c WHERE c.tenant_id = :tenant AND c.instance_id IN (:ids) AND (c.sign_pic_url <> '' OR c.attachments <> '[]')`
	sqlForgetNotes    = `DELETE FROM bpm_comment WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetCopies   = `DELETE FROM bpm_process_instance_copy WHERE tenant_id = :tenant AND process_instance_id IN (:ids)`
	sqlForgetNumbers  = `DELETE FROM bpm_process_number WHERE tenant_id = :tenant AND instance_id IN (:ids)`
	sqlForgetMoves    = `DELETE FROM bpm_migration_item WHERE tenant_id = :tenant AND instance_id IN (:ids)`
)

// forgetAll removes what ended longer ago than its definition keeps, in every tenant. A
// definition without a time to live keeps everything.
func (s *Service) forgetAll(ctx context.Context, r *job.Run) error {
	tenants, err := store.Select[int64](store.AcrossTenants(ctx, "workflow: forget the ended instances of each tenant"), sqlTenantsWithProcesses, nil)
	for _, tenant := range tenants {
		n, err := s.forget(actor.AsSystem(ctx, tenant))
		if err != nil {
			return err
		}
		if n > 0 {
			r.Logf("tenant %d: %d instances", tenant, n)
		}
	}
	return err
}

// forget works in the tenant of ctx, where the operator opened that to it, and gives how
// many instances went. The statistics of their days are closed before.
func (s *Service) forget(ctx context.Context) (count int, err error) {
	if open, err := s.listsTenant(ctx, keyForgetTenants); err != nil || !open {
		return 0, err
	}
	limited, err := s.engine.Limited(ctx)
	if err != nil || len(limited) == 0 {
		return 0, err
	}
	if _, err := foldDays(ctx); err != nil {
		return 0, err
	}
	for _, d := range limited {
		n, err := s.forgetOf(ctx, d)
		if err != nil {
			return count, err
		}
		count += n
	}
	return count, nil
}

func (s *Service) forgetOf(ctx context.Context, d runtime.Limited) (count int, err error) {
	now := clock.Now().In(clock.Shanghai)
	before, ok := d.Before(now)
	if !ok {
		return 0, nil
	}
	// Nothing of today or yesterday goes: its statistics may still be on their way.
	if latest := now.AddDate(0, 0, -1); before.After(latest) {
		before = latest
	}
	for {
		ids, err := s.engine.Expired(ctx, d.ID, before, forgetAtOnce)
		if err != nil || len(ids) == 0 {
			return count, err
		}
		err = store.Write(ctx, func(ctx context.Context) error { return s.forgetThese(ctx, d, ids) })
		if err != nil {
			return count, err
		}
		count += len(ids)
	}
}

func (s *Service) forgetThese(ctx context.Context, d runtime.Limited, roots []string) error {
	if err := s.erase(ctx, roots); err != nil {
		return err
	}
	p, err := s.planOf(ctx, d.ID)
	if err != nil {
		return err
	}
	return audit.Record(ctx, audit.Entry{Table: definitions.Name, Title: definitions.Title, RowID: p.definition.ID, Op: audit.Event, Action: "清理到期的流程记录",
		After: map[string]any{"definitionId": d.ID, "historyTimeToLive": d.HistoryTTL, "instances": len(roots)}})
}

// erase removes ended instances, those that they called, and everything that is kept of
// them here.
func (s *Service) erase(ctx context.Context, roots []string) error {
	ids, err := s.engine.Forget(ctx, roots)
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := s.releaseFiles(ctx, ids); err != nil {
		return err
	}
	var b store.Batch
	args := store.Args{"ids": ids}
	b.Exec(sqlForgetNotes, args)
	b.Exec(sqlForgetCopies, args)
	b.Exec(sqlForgetNumbers, args)
	b.Exec(sqlForgetMoves, args)
	return b.Send(ctx)
}

// releaseFiles gives the files of the decisions back, which removes those nobody uses.
func (s *Service) releaseFiles(ctx context.Context, ids []string) error {
	type row struct {
		ID          int64
		SignPicURL  string `db:"sign_pic_url"`
		Attachments store.JSON[[]string]
	}
	if s.Files == nil {
		return nil
	}
	notes, err := store.Select[row](ctx, sqlNotesWithFiles, store.Args{"ids": ids})
	if err != nil {
		return err
	}
	for _, n := range notes {
		for _, file := range filesIn(append(n.Attachments.V, n.SignPicURL)) {
			if err := s.Files.Release(ctx, []int64{file}, OwnerOfFiles, n.ID); err != nil && !errs.Is(err, errs.ErrNoRecord) {
				return err
			}
		}
	}
	return nil
}
