package infra

import (
	"context"
	"strconv"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// File is a stored file. Path is the public address of a picture, empty for others;
// Owner and OwnerID are the row it is bound to, empty while nobody uses it.
type File struct {
	ID      int64  `json:"id" label:"编号|Id"`
	UserID  int64  `json:"userId" label:"上传人|Uploader" q:"eq"`
	Name    string `json:"name" label:"文件名|Name" q:"like"`
	Path    string `json:"path" label:"文件路径|Path" q:"like"`
	SHA256  string `json:"sha256" db:"sha256"`
	Size    int64  `json:"size" label:"文件大小|Size"`
	Type    string `json:"type" label:"文件类型|Type" q:"like"`
	Slot    string `json:"slot" label:"用途|Use"`
	Owner   string `json:"owner" label:"所属业务|Owner"`
	OwnerID int64  `json:"ownerId" label:"业务编号|Owner id"`

	UploadID string `json:"-"`
	URL      string `json:"url" view:"join"`
	ConfigID int    `json:"configId" view:"join"`
	crud.Meta
}

// FileView is a file as its users see it.
type FileView struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	MIME   string `json:"mime"`
	URL    string `json:"url"`
}

// storeNumber stands in public addresses where the family's have the id of a storage.
const storeNumber = 1

// Address is where the file is read: the public picture, or the guarded download.
func (f File) Address() string {
	if f.Path != "" {
		return web.Prefix + "/infra/file/" + strconv.Itoa(storeNumber) + "/get/" + f.Path
	}
	return web.Prefix + "/infra/file/download?id=" + strconv.FormatInt(f.ID, 10)
}

// View is the file as its users see it.
func (f File) View() FileView {
	return FileView{ID: f.ID, Name: f.Name, Size: f.Size, SHA256: f.SHA256, MIME: f.Type, URL: f.Address()}
}

// mountFiles gives administrators the list of all files and a way to remove unused ones.
func (s *Service) mountFiles(m *web.Module) {
	s.files = crud.Mount[File](m, "file", "文件|File", crud.Without("create", "update", "export-excel", "get"))
	s.files.View = crud.View{Columns: `, CASE WHEN t.path = '' THEN '/admin-api/infra/file/download?id=' || t.id
 ELSE '/admin-api/infra/file/1/get/' || t.path END AS url, 1 AS config_id`}
	web.Get(m, "/file/get", web.SignedIn, fileByID, web.Title("文件详情"))
	s.files.BeforeDelete = func(_ context.Context, row File) error {
		if row.Owner != "" {
			return errFileBound.With()
		}
		return nil
	}
}

// FileDetail is a file with the names that both generations of clients read.
type FileDetail struct {
	File
	MIME string `json:"mime"`
}

// fileByID shows a file to who may list all files, and to who may download it.
func fileByID(ctx context.Context, in idIn) (FileDetail, error) {
	file, err := FileOf(ctx, in.ID)
	if err != nil {
		return FileDetail{}, err
	}
	ok := actor.From(ctx).Can("infra:file:query")
	if !ok {
		if ok, err = mayRead(ctx, file); err != nil {
			return FileDetail{}, err
		}
	}
	if !ok {
		return FileDetail{}, errs.ErrNoRecord.With()
	}
	file.URL, file.ConfigID = file.Address(), storeNumber
	return FileDetail{File: file, MIME: file.Type}, nil
}

const (
	sqlFileColumns = `t.id, t.tenant_id, t.user_id, t.name, t.path, t.sha256, t.size, t.type, t.slot, t.owner, t.owner_id, t.upload_id,
 t.creator, t.create_time, t.updater, t.update_time, t.deleted, t.version`
	sqlFile         = `SELECT ` + sqlFileColumns + ` FROM infra_file t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.id = :id`
	sqlFiles        = `SELECT ` + sqlFileColumns + ` FROM infra_file t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.id IN (:ids)`
	sqlFileByUpload = `SELECT ` + sqlFileColumns + ` FROM infra_file t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.upload_id = :upload AND t.user_id = :user`
	sqlPublicFile   = `SELECT ` + sqlFileColumns + ` FROM infra_file t WHERE t.deleted = false AND t.path = :path AND t.path <> ''`
	sqlUsed         = `SELECT COALESCE(SUM(t.size), 0) FROM infra_file t WHERE t.tenant_id = :tenant AND t.user_id = :user AND t.deleted = false`
)

// FileOf reads a file of the caller's tenant, or errs.ErrNoRecord. Whether the caller
// may see it is for the module that owns the row around it to decide.
func FileOf(ctx context.Context, id int64) (File, error) {
	return store.One[File](ctx, sqlFile, store.Args{"id": id})
}

// FilesByID reads several files of the caller's tenant; unknown ids are left out.
func FilesByID(ctx context.Context, ids []int64) (map[int64]File, error) {
	found := map[int64]File{}
	if len(ids) == 0 {
		return found, nil
	}
	list, err := store.Select[File](ctx, sqlFiles, store.Args{"ids": ids})
	for _, f := range list {
		found[f.ID] = f
	}
	return found, err
}
