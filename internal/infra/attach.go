package infra

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/table"
)

// bound changes files outside of the mounted calls.
var bound = table.New[File]("infra_file", "文件")

// Attach binds files to a row of a module, inside its transaction: from then on they are
// kept, and the module's OnAccess hook admits readers. The caller must have uploaded
// them, or they must be bound to that very row already; every other file answers
// errs.ErrNoRecord, as does one of another tenant.
func Attach(ctx context.Context, fileIDs []int64, owner string, ownerID int64) error {
	who := actor.From(ctx)
	for _, id := range fileIDs {
		_, err := bound.Change(ctx, id, func(f *File) error {
			here := f.Owner == owner && f.OwnerID == ownerID
			mine := who.Kind == actor.System || f.UserID == who.UserID
			if !here && (f.Owner != "" || !mine) {
				return errs.ErrNoRecord.With()
			}
			f.Owner, f.OwnerID = owner, ownerID
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Release undoes Attach for files that the row no longer shows; the uploader may use
// them again, and unused documents are removed after a while.
func Release(ctx context.Context, fileIDs []int64, owner string, ownerID int64) error {
	for _, id := range fileIDs {
		_, err := bound.Change(ctx, id, func(f *File) error {
			if f.Owner != owner || f.OwnerID != ownerID {
				return errs.ErrNoRecord.With()
			}
			f.Owner, f.OwnerID = "", 0
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
