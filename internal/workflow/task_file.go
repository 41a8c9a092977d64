package workflow

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Files is what a lower module knows of uploaded files. Without it, addresses are kept as
// they are sent, and files stay with who uploaded them.
type Files struct {
	// Attach binds files of the caller to a row, whose readers may then read them.
	Attach func(ctx context.Context, ids []int64, owner string, ownerID int64) error
	// Release undoes Attach when the row goes.
	Release func(ctx context.Context, ids []int64, owner string, ownerID int64) error
	// Of reads name and size.
	Of func(ctx context.Context, id int64) (AttachedFile, error)
}

// AttachedFile is a file that goes with a decision.
type AttachedFile struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// OwnerOfFiles is the owner under which files of decisions are bound; see MayReadFiles.
const OwnerOfFiles = "bpm_comment"

const (
	sqlAddDecision = sqlAddComment + ` RETURNING id`
	sqlNoteOf      = `SELECT instance_id FROM bpm_comment WHERE tenant_id = :tenant AND id = :id`
)

var fileAddress = regexp.MustCompile(`^(?:/admin-api)?/infra/file/download\?id=([1-9][0-9]{0,18})$`)

// filesIn gives the ids of uploaded files among addresses.
func filesIn(addresses []string) []int64 {
	var ids []int64
	for _, text := range addresses {
		if m := fileAddress.FindStringSubmatch(text); m != nil {
			if id, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return distinct(ids)
}

// keepDecision writes a comment and binds its files to it.
func (s *Service) keepDecision(ctx context.Context, instance string, task int64, n note) error {
	ids := filesIn(append(slices.Clone(n.attachments), n.signature))
	if s.Files == nil || len(ids) == 0 {
		return keep(ctx, instance, task, n)
	}
	row, err := store.One[int64](ctx, sqlAddDecision, store.Args{"instance": instance, "task": task, "user": me(ctx), "type": n.kind,
		"message": n.message, "signature": n.signature, "attachments": store.JSON[[]string]{V: slices.Concat([]string{}, n.attachments)}, "now": clock.Millis()})
	if err != nil {
		return err
	}
	err = s.Files.Attach(ctx, ids, OwnerOfFiles, row)
	if errs.Is(err, errs.ErrNoRecord) {
		return errs.Field("attachments", "附件不存在、不是您上传的，或已用在别处；请重新上传", "an attachment is missing, not yours, or used elsewhere; upload it again")
	}
	return err
}

// MayReadFiles tells whether the caller may read the files of a decision: whoever may read
// its instance.
func (s *Service) MayReadFiles(ctx context.Context, comment int64) (bool, error) {
	instance, ok, err := store.Get[string](ctx, sqlNoteOf, store.Args{"id": comment})
	if err != nil || !ok {
		return false, err
	}
	_, err = s.readable(ctx, instance)
	if errs.Is(err, errInstanceMissing) {
		return false, nil
	}
	return err == nil, err
}

// attached describes the uploaded files among addresses; one that is gone is left out.
func (s *Service) attached(ctx context.Context, addresses []string) ([]AttachedFile, error) {
	list := []AttachedFile{}
	if s.Files == nil {
		return list, nil
	}
	for _, id := range filesIn(addresses) {
		file, err := s.Files.Of(ctx, id)
		if errs.Is(err, errs.ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, file)
	}
	return list, nil
}
