package infra

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// mountOwnFiles lets everybody see what fills his space and make room: the advice of the
// refusal when it is full.
func (s *Service) mountOwnFiles(m *web.Module) {
	web.Get(m, "/file/my-page", web.SignedIn, ownFiles, web.Title("我上传的文件"))
	web.Delete(m, "/file/delete-own", web.SignedIn, s.deleteOwn, web.Title("删除自己未被使用的文件"))
}

// OwnFile is a file of the caller; LockReason says why it cannot be deleted, empty when
// it can.
type OwnFile struct {
	FileView
	CreateTime int64  `json:"createTime"`
	LockReason string `json:"lockReason"`
}

const sqlOwnFiles = `FROM infra_file t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.user_id = :user`

func ownFiles(ctx context.Context, in store.Paging) (store.Page[OwnFile], error) {
	q := store.Build(sqlOwnFiles, store.Args{"user": actor.From(ctx).UserID})
	rows, err := store.SelectPage[File](ctx, sqlFileColumns, q, "t.id DESC", in)
	page := store.Page[OwnFile]{Total: rows.Total, List: []OwnFile{}}
	for _, f := range rows.List {
		own := OwnFile{FileView: f.View(), CreateTime: f.CreateTime}
		if refused := f.deletable(); refused != nil {
			own.LockReason = refused.Text(web.Lang(ctx))
		}
		page.List = append(page.List, own)
	}
	return page, err
}

// deletable refuses files that a row shows, and pictures: their addresses stand in texts
// that nobody can enumerate.
func (f File) deletable() *errs.Error {
	switch {
	case f.Owner != "":
		return errFileBound.With()
	case f.Path != "":
		return errFilePicture.With()
	}
	return nil
}

// deleteOwn removes a file of the caller that nothing uses; that of anybody else does not
// exist.
func (s *Service) deleteOwn(ctx context.Context, in idIn) (bool, error) {
	_, err := s.files.Table.Change(ctx, in.ID, func(f *File) error {
		if f.UserID != actor.From(ctx).UserID {
			return errs.ErrNoRecord.With()
		}
		if refused := f.deletable(); refused != nil {
			return refused
		}
		f.Deleted = true
		return nil
	})
	return err == nil, err
}
