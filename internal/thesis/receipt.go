package thesis

import (
	"context"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Receipt proves what was handed in and when.
type Receipt struct {
	ReceiptNo   string        `json:"receiptNo"`
	SubmitNo    int           `json:"submitNo"`
	SubmittedAt int64         `json:"submittedAt"`
	LateFlag    int           `json:"lateFlag"`
	Algorithm   string        `json:"algorithm"`
	Digest      string        `json:"digest"`
	RecordNo    string        `json:"recordNo"`
	StudentNo   string        `json:"studentNo"`
	StudentName string        `json:"studentName"`
	TitleZh     string        `json:"titleZh"`
	Files       []FileVersion `json:"files"`
	// Unchanged tells that the stored content still has the digest; false after the form
	// was returned and edited.
	Unchanged bool `json:"unchanged"`
}

func (s *Service) receipt(ctx context.Context, in idQuery) (Receipt, error) {
	row, err := s.visibleSubject(ctx, in.ID)
	if err != nil {
		return Receipt{}, err
	}
	if row.ReceiptNo == "" {
		return Receipt{}, errs.ErrNoRecord.With()
	}
	rec, err := records.Get(ctx, row.RecordID)
	if err != nil {
		return Receipt{}, err
	}
	files, err := store.Select[FileVersion](ctx, sqlVersionsByFile, store.Args{"record": row.RecordID, "kind": kindSubject, "files": row.Attachments.V})
	if err != nil {
		return Receipt{}, err
	}
	return Receipt{ReceiptNo: row.ReceiptNo, SubmitNo: row.SubmitNo, SubmittedAt: row.SubmittedAt, LateFlag: row.LateFlag, Algorithm: "SHA-256", Digest: row.Digest,
		RecordNo: rec.RecordNo, StudentNo: row.StudentNo, StudentName: row.StudentName, TitleZh: row.TitleZh, Files: files,
		Unchanged: digestOf(row, inOrder(files, row.Attachments.V)) == row.Digest}, nil
}

// inOrder puts the versions into the order of the form.
func inOrder(files []FileVersion, ids []int64) []FileVersion {
	var list []FileVersion
	for _, id := range ids {
		for _, f := range files {
			if f.FileID == id {
				list = append(list, f)
			}
		}
	}
	return list
}
