package infra

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"sync"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

func (s *Service) mountDownloads(m *web.Module) {
	web.Stream(m, "/file/download", web.SignedIn, s.download, web.Title("下载文件"))
	web.Stream(m, "/file/{configId}/get/{day}/{name}", web.PublicNoTenant, s.picture, web.Title("公开图片"))
}

type idIn struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

// download gives a file to its uploader and to whom the owner's hook admits. It always
// goes out as an attachment in a sandbox: nothing in it runs in our origin.
func (s *Service) download(ctx context.Context, in idIn) (*web.Download, error) {
	file, err := FileOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	ok, err := mayRead(ctx, file)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errs.ErrNoRecord.With()
	}
	content, err := s.blobs.Open(file.SHA256)
	if errors.Is(err, blob.ErrNotFound) {
		slog.ErrorContext(ctx, "content of a file is missing", "file", file.ID, "sha256", file.SHA256)
		return nil, errFileMissing.With()
	}
	if err != nil {
		return nil, err
	}
	return &web.Download{Name: file.Name, Type: file.Type, Seek: content}, nil
}

type pictureIn struct {
	ConfigID int64  `path:"configId"`
	Day      string `path:"day" maxLength:"8"`
	Name     string `path:"name" maxLength:"64"`
}

var pictureForm = regexp.MustCompile(`^\d{8}/[0-9a-f]{32}\.[a-z]{3,4}$`)

// picture serves avatars, logos and pictures of notices by their random address to
// anybody who knows it; browsers fetch pictures without our headers.
func (s *Service) picture(ctx context.Context, in pictureIn) (*web.Download, error) {
	if !pictureForm.MatchString(in.Day + "/" + in.Name) {
		return &web.Download{Missing: true}, nil
	}
	across := store.AcrossTenants(ctx, "infra: a public picture is found by its unguessable address")
	file, ok, err := store.Get[File](across, sqlPublicFile, store.Args{"path": in.Day + "/" + in.Name})
	if err != nil {
		return nil, err
	}
	if !ok {
		return &web.Download{Missing: true}, nil
	}
	content, err := s.blobs.Open(file.SHA256)
	if errors.Is(err, blob.ErrNotFound) {
		return &web.Download{Missing: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &web.Download{Name: file.Name, Type: file.Type, Inline: true, Forever: true, Seek: content}, nil
}

// Access decides whether the caller may read the files of a row that a module owns.
type Access func(ctx context.Context, ownerID int64) (bool, error)

var (
	accessLock sync.RWMutex
	access     = map[string]Access{}
)

// OnAccess sets who may download files bound to rows of the owner, besides their
// uploaders. Called while modules are put together.
func OnAccess(owner string, admits Access) {
	accessLock.Lock()
	defer accessLock.Unlock()
	access[owner] = admits
}

func mayRead(ctx context.Context, f File) (bool, error) {
	who := actor.From(ctx)
	if who.Kind == actor.System || f.UserID == who.UserID || f.Path != "" {
		return true, nil
	}
	accessLock.RLock()
	admits := access[f.Owner]
	accessLock.RUnlock()
	if f.Owner == "" || admits == nil {
		return false, nil
	}
	return admits(ctx, f.OwnerID)
}
