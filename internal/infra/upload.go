package infra

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

const (
	chunkSize  = mega
	maxUploads = 20
	// plainLimit bounds an upload in one request; larger files go by chunks.
	plainLimit = 16 * mega
)

func (s *Service) mountUploads(m *web.Module) {
	web.Post(m, "/file/upload-begin", web.SignedIn, s.begin, web.NoTx, web.Title("开始上传"))
	web.Get(m, "/file/upload-status", web.SignedIn, s.status, web.Title("上传进度"))
	web.Post(m, "/file/upload-finish", web.SignedIn, s.finish, web.NoTx, web.Title("完成上传"))
	text := &huma.Schema{Type: "string"}
	web.Raw(m, web.RawCall{Method: "PUT", Path: "/file/upload-chunk", Access: web.SignedIn, Summary: "上传一块", StreamBody: true, MaxBytes: chunkSize,
		Params: []*huma.Param{{Name: "uploadId", In: "query", Required: true, Schema: text}, {Name: "offset", In: "query", Required: true, Schema: &huma.Schema{Type: "integer"}}},
		Out:    &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{"offset": {Type: "integer"}}}, Fn: s.chunk})
	web.Raw(m, web.RawCall{Method: "POST", Path: "/file/upload", Access: web.SignedIn, Summary: "上传文件（一次请求，不超过 16 MB）", StreamBody: true, MaxBytes: plainLimit + mega,
		Params: []*huma.Param{{Name: "slot", In: "query", Schema: text}}, Out: text, Fn: s.plain})
}

// upload is a line of infra_upload.
type upload struct {
	TenantID   int64
	ID         string
	UserID     int64
	Name       string
	Size       int64
	SHA256     string `db:"sha256"`
	Slot       blob.Slot
	CreateTime int64
}

const (
	sqlInsertUpload = `INSERT INTO infra_upload (tenant_id, id, user_id, name, size, sha256, slot, create_time) VALUES (:tenant, :id, :user, :name, :size, :hash, :slot, :now)`
	sqlOwnUpload    = `SELECT * FROM infra_upload WHERE tenant_id = :tenant AND id = :id AND user_id = :user`
	sqlDeleteUpload = `DELETE FROM infra_upload WHERE tenant_id = :tenant AND id = :id`
	sqlPending      = `SELECT COUNT(*) AS n, COALESCE(SUM(size), 0) AS bytes FROM infra_upload WHERE tenant_id = :tenant AND user_id = :user`
)

type beginIn struct {
	Name   string `json:"name" required:"true" minLength:"1" maxLength:"500" doc:"文件名|Name"`
	Size   int64  `json:"size" required:"true" minimum:"0" doc:"文件大小|Size"`
	SHA256 string `json:"sha256" pattern:"^([0-9a-fA-F]{64})?$" doc:"SHA-256|SHA-256"`
	Slot   string `json:"slot" required:"true" doc:"用途|Use"`
}

// UploadState is where an upload stands: the next byte wanted, and how many at once.
type UploadState struct {
	UploadID  string `json:"uploadId"`
	Offset    int64  `json:"offset"`
	Size      int64  `json:"size"`
	ChunkSize int64  `json:"chunkSize"`
	Done      bool   `json:"done"`
}

func (s *Service) begin(ctx context.Context, in beginIn) (UploadState, error) {
	name, err := cleanName(ctx, in.Name)
	if err != nil {
		return UploadState{}, err
	}
	slot := blob.Slot(in.Slot)
	if err := checkAnnounced(slot, name, in.Size); err != nil {
		return UploadState{}, err
	}
	if err := s.checkQuota(ctx, in.Size); err != nil { // before a file is made for it
		return UploadState{}, err
	}
	uploadID, err := s.blobs.Begin(in.Size)
	if err != nil {
		return UploadState{}, blobError(err)
	}
	err = store.Write(ctx, func(ctx context.Context) error {
		if err := s.checkQuota(ctx, in.Size); err != nil {
			return err
		}
		_, err := store.Exec(ctx, sqlInsertUpload, store.Args{"id": uploadID, "user": actor.From(ctx).UserID, "name": name, "size": in.Size,
			"hash": strings.ToLower(in.SHA256), "slot": in.Slot, "now": clock.Millis()})
		return err
	})
	if err != nil {
		s.abort(uploadID)
		return UploadState{}, err
	}
	return UploadState{UploadID: uploadID, Size: in.Size, ChunkSize: chunkSize}, nil
}

// checkQuota counts finished files and announced ones.
func (s *Service) checkQuota(ctx context.Context, more int64) error {
	limit, err := number(ctx, keyQuota, 1024)
	if err != nil {
		return err
	}
	who := store.Args{"user": actor.From(ctx).UserID}
	used, _, err := store.Get[int64](ctx, sqlUsed, who)
	if err != nil {
		return err
	}
	type sum struct{ N, Bytes int64 }
	pending, _, err := store.Get[sum](ctx, sqlPending, who)
	switch {
	case err != nil:
		return err
	case pending.N >= maxUploads:
		return errUploadMany.With()
	case used+pending.Bytes+more > limit*mega:
		return errFileQuota.With(strconv.FormatInt(limit, 10) + " MB")
	}
	return nil
}

// own finds the caller's upload; that of anybody else does not exist.
func own(ctx context.Context, uploadID string) (upload, error) {
	up, ok, err := store.Get[upload](ctx, sqlOwnUpload, store.Args{"id": strings.ToValidUTF8(uploadID, ""), "user": actor.From(ctx).UserID})
	if err == nil && !ok {
		err = errUploadMissing.With()
	}
	return up, err
}

// chunk appends the body. Whatever arrived before a failure is kept; the error carries
// the offset to go on from.
func (s *Service) chunk(ctx context.Context, r web.RawRequest) (any, error) {
	offset, err := strconv.ParseInt(r.Query.Get("offset"), 10, 64)
	if err != nil || offset < 0 {
		return nil, errs.Field("offset", i18n.Pick(ctx, "位置不正确", "Not a valid offset"))
	}
	up, err := own(ctx, r.Query.Get("uploadId"))
	if err != nil {
		return nil, err
	}
	at, err := s.blobs.Append(ctx, up.ID, offset, r.Stream)
	var wrong *blob.OffsetError
	switch {
	case errors.As(err, &wrong):
		return nil, errFileOffset.With().WithData(map[string]int64{"offset": wrong.Offset})
	case errors.Is(err, blob.ErrTooLarge):
		return nil, errFileLarge.With(strconv.FormatInt(up.Size, 10) + " B").WithData(map[string]int64{"offset": at})
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errUploadPart.With().WithData(map[string]int64{"offset": at})
	case err != nil:
		return nil, blobError(err)
	}
	return map[string]int64{"offset": at}, nil
}

type uploadIn struct {
	UploadID string `query:"uploadId" required:"true" minLength:"1" maxLength:"64" doc:"上传编号|Upload id"`
}

func (s *Service) status(ctx context.Context, in uploadIn) (UploadState, error) {
	up, err := own(ctx, in.UploadID)
	if err != nil {
		return UploadState{}, err
	}
	at, err := s.blobs.Status(up.ID)
	if err != nil {
		return UploadState{}, blobError(err)
	}
	return UploadState{UploadID: up.ID, Offset: at.Offset, Size: at.Size, ChunkSize: chunkSize, Done: at.Done}, nil
}

type finishIn struct {
	UploadID string `json:"uploadId" required:"true" minLength:"1" maxLength:"64" doc:"上传编号|Upload id"`
}

// finish turns a complete upload into a file. It may be repeated when the answer was
// lost: the same file is answered again.
func (s *Service) finish(ctx context.Context, in finishIn) (FileView, error) {
	up, err := own(ctx, in.UploadID)
	if errs.Is(err, errUploadMissing) {
		return finished(ctx, in.UploadID, err)
	}
	if err != nil {
		return FileView{}, err
	}
	b, err := s.blobs.Finish(up.ID)
	if errors.Is(err, blob.ErrIncomplete) {
		at, statusErr := s.blobs.Status(up.ID)
		if statusErr != nil {
			return FileView{}, blobError(statusErr)
		}
		return FileView{}, errUploadPart.With().WithData(map[string]int64{"offset": at.Offset})
	}
	if err != nil {
		return FileView{}, blobError(err)
	}
	if err := up.accept(b); err != nil {
		s.forget(ctx, up.ID)
		return FileView{}, err
	}
	file, err := s.keep(ctx, up, b)
	if table.IsDuplicate(err) { // a second finish was faster
		return finished(ctx, up.ID, err)
	}
	return file.View(), err
}

// finished answers a finish that was made before.
func finished(ctx context.Context, uploadID string, refusal error) (FileView, error) {
	file, ok, err := store.Get[File](ctx, sqlFileByUpload, store.Args{"upload": strings.ToValidUTF8(uploadID, ""), "user": actor.From(ctx).UserID})
	if err == nil && !ok {
		err = refusal
	}
	if err != nil {
		return FileView{}, err
	}
	return file.View(), nil
}

func (up upload) accept(b blob.Blob) error {
	if up.SHA256 != "" && up.SHA256 != b.SHA256 {
		return errFileHash.With()
	}
	return checkContent(up.Slot, up.Name, b)
}

// keep writes the row of a stored blob; up.ID is empty for uploads in one request.
func (s *Service) keep(ctx context.Context, up upload, b blob.Blob) (File, error) {
	file := File{UserID: actor.From(ctx).UserID, Name: up.Name, SHA256: b.SHA256, Size: b.Size, Type: b.MIME, Slot: string(up.Slot), UploadID: up.ID}
	if rules[up.Slot].public {
		file.Path = clock.Now().In(clock.Shanghai).Format("20060102") + "/" + id.Token(16) + strings.ToLower(path.Ext(up.Name))
	}
	err := store.Write(ctx, func(ctx context.Context) error {
		if err := s.files.Table.Insert(ctx, &file); err != nil || up.ID == "" {
			return err
		}
		_, err := store.Exec(ctx, sqlDeleteUpload, store.Args{"id": up.ID})
		return err
	})
	return file, err
}

// forget drops a refused upload; what cannot be dropped now is swept later.
func (s *Service) forget(ctx context.Context, uploadID string) {
	s.abort(uploadID)
	err := store.Write(ctx, func(ctx context.Context) error {
		_, err := store.Exec(ctx, sqlDeleteUpload, store.Args{"id": uploadID})
		return err
	})
	if err != nil {
		slog.WarnContext(ctx, "refused upload stays until swept", "error", err)
	}
}

func (s *Service) abort(uploadID string) {
	if err := s.blobs.Abort(uploadID); err != nil && !errors.Is(err, blob.ErrNotFound) {
		slog.Warn("upload stays until swept", "error", err)
	}
}

// plain is the family's upload in one request; the answer is the address of the file.
func (s *Service) plain(ctx context.Context, r web.RawRequest) (any, error) {
	content, name, err := r.File("file")
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	slot := blob.Slot(r.Query.Get("slot"))
	if slot == "" {
		slot = slotFor(name)
	}
	file, err := s.put(ctx, slot, name, content)
	if err != nil {
		return nil, err
	}
	return file.Address(), nil
}

// StoreAvatar keeps a picture for the caller and gives its public address; outside of
// transactions.
func (s *Service) StoreAvatar(ctx context.Context, name string, content io.Reader) (string, error) {
	file, err := s.put(ctx, blob.Avatar, name, content)
	return file.Address(), err
}

func (s *Service) put(ctx context.Context, slot blob.Slot, name string, content io.Reader) (File, error) {
	name, err := cleanName(ctx, name)
	if err != nil {
		return File{}, err
	}
	if err := checkAnnounced(slot, name, 1); err != nil {
		return File{}, err
	}
	if err := s.checkQuota(ctx, 1); err != nil {
		return File{}, err
	}
	b, err := s.blobs.Put(&bounded{r: content, left: rules[slot].limit})
	if errors.Is(err, blob.ErrTooLarge) {
		return File{}, errFileLarge.With(sizeText(rules[slot].limit))
	}
	if err != nil {
		return File{}, blobError(err)
	}
	up := upload{Name: name, Slot: slot}
	if b.Size == 0 {
		return File{}, errFileEmpty.With()
	}
	if err := up.accept(b); err != nil {
		return File{}, err
	}
	if err := s.checkQuota(ctx, b.Size); err != nil {
		return File{}, err
	}
	return s.keep(ctx, up, b)
}

// bounded fails as too large instead of cutting the file off.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return 0, blob.ErrTooLarge
	}
	return n, err
}

// blobError says what the reader of an error can do about it.
func blobError(err error) error {
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return errUploadMissing.With()
	case errors.Is(err, blob.ErrNoSpace):
		return errs.ErrUnavailable.With().Because(err)
	}
	return err
}
