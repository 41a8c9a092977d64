package thesis

import (
	"context"
	"fmt"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// File is what the thesis needs to know of a stored file.
type File struct {
	ID     int64
	Name   string
	Size   int64
	SHA256 string
	Mime   string
	// Slot is the use it was uploaded for; those of pictures have public addresses.
	Slot string
}

// slotDocument is the only use whose files are guarded.
const slotDocument = "document"

// FileVersion is one immutable version of a document of a thesis, bound when a form is
// handed in.
type FileVersion struct {
	ID         int64  `json:"id"`
	RecordID   int64  `json:"recordId"`
	Kind       string `json:"kind"`
	VersionNo  int    `json:"versionNo"`
	FileID     int64  `json:"fileId"`
	Name       string `json:"name"`
	SizeBytes  int64  `json:"sizeBytes"`
	Sha256     string `json:"sha256"`
	Mime       string `json:"mime"`
	FrozenAt   int64  `json:"frozenAt"`
	UploaderID int64  `json:"uploaderId"`
	crud.Meta
}

var fileVersions = table.New[FileVersion]("thesis_file_version", "论文文件版本")

// kindSubject is the kind of a declaration's attachments.
const kindSubject = "SUBJECT_FORM"

const (
	sqlVersionsByFile = `SELECT * FROM thesis_file_version WHERE tenant_id = :tenant AND deleted = false AND record_id = :record AND kind = :kind AND file_id IN (:files) ORDER BY version_no`
	sqlVersionsByID   = `SELECT * FROM thesis_file_version WHERE tenant_id = :tenant AND deleted = false AND record_id = :record AND id IN (:ids) ORDER BY version_no`
	sqlVersionLast    = `SELECT COALESCE(MAX(version_no), 0) FROM thesis_file_version WHERE tenant_id = :tenant AND deleted = false AND record_id = :record AND kind = :kind`
)

// freeze makes a version of every attachment that has none yet and gives all of the
// form, in its order.
func (s *Service) freeze(ctx context.Context, row Subject, at int64) ([]FileVersion, error) {
	if len(row.Attachments.V) == 0 {
		return nil, nil
	}
	known, err := store.Select[FileVersion](ctx, sqlVersionsByFile, store.Args{"record": row.RecordID, "kind": kindSubject, "files": row.Attachments.V})
	if err != nil {
		return nil, err
	}
	number, _, err := store.Get[int](ctx, sqlVersionLast, store.Args{"record": row.RecordID, "kind": kindSubject})
	if err != nil {
		return nil, err
	}
	var list []FileVersion
	for _, id := range row.Attachments.V {
		if i := slices.IndexFunc(known, func(v FileVersion) bool { return v.FileID == id }); i >= 0 {
			list = append(list, known[i])
			continue
		}
		file, err := s.deps.FileOf(ctx, id)
		if err != nil {
			return nil, err
		}
		number++
		v := FileVersion{RecordID: row.RecordID, Kind: kindSubject, VersionNo: number, FileID: id, Name: file.Name, SizeBytes: file.Size, Sha256: file.SHA256,
			Mime: file.Mime, FrozenAt: at, UploaderID: actor.From(ctx).UserID}
		if err := fileVersions.Insert(ctx, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// attach binds the files of the form to the record, so that a later attempt may use
// them again; files of others are refused there, before anything is said about them.
// Files that the form no longer shows are let go, unless a submission rests on them.
func (s *Service) attach(ctx context.Context, row Subject, before []int64) error {
	if err := s.deps.Attach(ctx, row.Attachments.V, ownerRecord, row.RecordID); err != nil {
		return err
	}
	for _, id := range row.Attachments.V {
		file, err := s.deps.FileOf(ctx, id)
		if err != nil {
			return err
		}
		if file.Slot != slotDocument {
			return errs.Field("attachments", fmt.Sprintf(i18n.Pick(ctx, "“%s”不是作为文档上传的，请在附件处重新上传 pdf、doc 或 docx",
				"\"%s\" was not uploaded as a document; upload it again here as pdf, doc or docx"), file.Name))
		}
	}
	dropped := slices.DeleteFunc(slices.Clone(before), func(id int64) bool { return slices.Contains(row.Attachments.V, id) })
	if len(dropped) == 0 {
		return nil
	}
	frozen, err := store.Select[FileVersion](ctx, sqlVersionsByFile, store.Args{"record": row.RecordID, "kind": kindSubject, "files": dropped})
	if err != nil {
		return err
	}
	dropped = slices.DeleteFunc(dropped, func(id int64) bool {
		return slices.ContainsFunc(frozen, func(v FileVersion) bool { return v.FileID == id })
	})
	return s.deps.Release(ctx, dropped, ownerRecord, row.RecordID)
}

// fileFacts counts the files of a form; hasNew tells whether one differs in content from
// those handed in last time.
func (s *Service) fileFacts(ctx context.Context, row Subject, st Step) (fileFacts, error) {
	f := fileFacts{count: len(row.Attachments.V), needNew: row.NeedNewFile}
	if !row.NeedNewFile || f.count == 0 {
		return f, nil
	}
	frozen, err := store.Select[FileVersion](ctx, sqlVersionsByID, store.Args{"record": row.RecordID, "ids": st.FrozenFileIDs.V})
	if err != nil {
		return f, err
	}
	for _, id := range row.Attachments.V {
		file, err := s.deps.FileOf(ctx, id)
		if err != nil {
			return f, err
		}
		if !slices.ContainsFunc(frozen, func(v FileVersion) bool { return v.Sha256 == file.SHA256 }) {
			f.hasNew = true
		}
	}
	return f, nil
}

// FileView is a file of a form as pages show it.
type FileView struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Mime   string `json:"mime"`
}

// viewFiles describes files by id; one that is gone is left out.
func (s *Service) viewFiles(ctx context.Context, ids []int64) ([]FileView, error) {
	list := []FileView{}
	for _, id := range ids {
		file, err := s.deps.FileOf(ctx, id)
		if err != nil {
			if missing(err) {
				continue
			}
			return nil, err
		}
		list = append(list, FileView{ID: file.ID, Name: file.Name, Size: file.Size, SHA256: file.SHA256, Mime: file.Mime})
	}
	return list, nil
}
