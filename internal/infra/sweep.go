package infra

import (
	"context"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
)

const (
	// uploadLife is how long an upload may rest before it is forgotten.
	uploadLife = 48 * time.Hour
	// freeLife is how long a document that no row uses is kept for its uploader.
	freeLife = 30 * 24 * time.Hour
	// blobLife is how long bytes without a row stay: longer than any upload that may just
	// have found them there.
	blobLife = 72 * time.Hour
)

const (
	sqlSweepUploads = `DELETE FROM infra_upload WHERE create_time < :before`
	sqlFreeFiles    = `SELECT t.tenant_id, t.id FROM infra_file t WHERE t.owner = '' AND t.deleted = false AND t.path = '' AND t.create_time < :before ORDER BY t.create_time LIMIT 1000`
	sqlContentUsed  = `SELECT COUNT(*) FROM (SELECT 1 AS one FROM infra_file t WHERE t.sha256 = :hash AND t.deleted = false LIMIT 1) found`
)

// sweepUploads forgets uploads that nobody went on with.
func (s *Service) sweepUploads(ctx context.Context, r *job.Run) error {
	n, err := s.blobs.Sweep(uploadLife)
	if err != nil {
		return err
	}
	r.Logf("files %d", n)
	across := store.AcrossTenants(ctx, "infra: forget uploads that nobody went on with")
	return store.Write(across, func(ctx context.Context) error {
		rows, err := store.Exec(ctx, sqlSweepUploads, store.Args{"before": clock.Now().Add(-uploadLife).UnixMilli()})
		r.Logf("uploads %d", rows)
		return err
	})
}

// sweepFiles removes documents that no row uses, then bytes that no file uses.
func (s *Service) sweepFiles(ctx context.Context, r *job.Run) error {
	across := store.AcrossTenants(ctx, "infra: find files and bytes that nobody uses")
	type free struct{ TenantID, ID int64 }
	list, err := store.Select[free](across, sqlFreeFiles, store.Args{"before": clock.Now().Add(-freeLife).UnixMilli()})
	if err != nil {
		return err
	}
	for _, f := range list {
		err := store.Write(actor.AsSystem(ctx, f.TenantID), func(ctx context.Context) error { return s.dropFree(ctx, f.ID) })
		if err != nil {
			return err
		}
	}
	r.Logf("files %d", len(list))
	return s.sweepBlobs(across, r)
}

// dropFree looks again under the row's lock: a module may just have bound it.
func (s *Service) dropFree(ctx context.Context, id int64) error {
	_, err := s.files.Table.Change(ctx, id, func(f *File) error {
		f.Deleted = f.Owner == ""
		return nil
	})
	return err
}

func (s *Service) sweepBlobs(ctx context.Context, r *job.Run) error {
	limit, removed := clock.Now().Add(-blobLife), 0
	err := s.blobs.Each(func(hash string, _ int64, stored time.Time) error {
		if stored.After(limit) {
			return ctx.Err()
		}
		used, _, err := store.Get[int64](ctx, sqlContentUsed, store.Args{"hash": hash})
		if err != nil || used > 0 {
			return err
		}
		removed++
		return s.blobs.Remove(hash)
	})
	r.Logf("contents %d", removed)
	return err
}
