package infra

import (
	"context"
	"embed"
	"io/fs"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The error codes of the module; contract system.md §6.8. Those from 900 on are ours.
var (
	errConfigTaken   = errs.Define(1001000002, errs.Invalid, "参数键名已存在，请换一个", "A parameter has this key already; choose another")
	errConfigBuiltIn = errs.Define(1001000003, errs.Conflict, "系统内置参数不能删除", "Built-in parameters cannot be deleted")
	errConfigHidden  = errs.Define(1001000004, errs.Forbidden, "该参数不可见，不能读取", "This parameter is not visible and cannot be read")

	errJobMissing   = errs.Define(1001001000, errs.NotFound, "定时任务不存在", "There is no such schedule")
	errJobTaken     = errs.Define(1001001001, errs.Invalid, "该处理器已有定时任务", "This handler has a schedule already")
	errJobStatus    = errs.Define(1001001002, errs.Invalid, "只能改为正常或暂停", "The status can only become normal or paused")
	errJobSame      = errs.Define(1001001003, errs.Invalid, "定时任务已经是该状态", "The schedule is in this status already")
	errJobPaused    = errs.Define(1001001004, errs.Conflict, "暂停的任务不能修改，请先恢复", "A paused schedule cannot be changed; resume it first")
	errJobCron      = errs.Define(1001001005, errs.Invalid, "CRON 表达式不正确，例如 0 0 3 * * ?", "Not a valid cron expression such as 0 0 3 * * ?")
	errJobNoHandler = errs.Define(1001001006, errs.Invalid, "处理器“{}”不存在", "There is no handler {}")

	errFileMissing   = errs.Define(1001003001, errs.NotFound, "文件不存在", "There is no such file")
	errFileEmpty     = errs.Define(1001003002, errs.Invalid, "文件是空的，请重新选择", "The file is empty; choose another")
	errFileSlot      = errs.Define(1001003900, errs.Invalid, "上传用途不正确", "Not a known use of an upload")
	errFileType      = errs.Define(1001003901, errs.Invalid, "文件内容与后缀不符，或类型不受支持；可上传 {}", "The content does not match the name, or the type is not supported; allowed: {}")
	errFileLarge     = errs.Define(1001003902, errs.Limit, "文件过大，上限 {}", "The file is too large; the limit is {}")
	errFileQuota     = errs.Define(1001003903, errs.Limit, "您的文件空间已满（上限 {}），请删除不用的文件或联系管理员", "Your file space is full ({}); delete files you no longer need or ask your administrator")
	errFileOffset    = errs.Define(1001003904, errs.Conflict, "上传位置不一致，请从返回的位置继续", "The upload stands elsewhere; go on from the offset given")
	errFileHash      = errs.Define(1001003905, errs.Invalid, "文件在传输中损坏，请重新上传", "The file was damaged on its way; upload it again")
	errFileBound     = errs.Define(1001003906, errs.Conflict, "文件正在被业务使用，不能删除", "The file is in use and cannot be deleted")
	errFilePicture   = errs.Define(1001003910, errs.Conflict, "公开图片可能仍被页面引用，请联系管理员删除", "A public picture may still be shown somewhere; ask your administrator to delete it")
	errUploadMissing = errs.Define(1001003907, errs.NotFound, "上传不存在或已过期，请重新上传", "The upload does not exist or has expired; start again")
	errUploadMany    = errs.Define(1001003908, errs.Limit, "同时进行的上传过多，请等待完成后再试", "Too many uploads at once; wait for some to finish")
	errUploadPart    = errs.Define(1001003909, errs.Conflict, "文件尚未传完，请从返回的位置继续", "The file is incomplete; go on from the offset given")
)

// Service is the mounted module.
type Service struct {
	// Modules, when set, lists the modules whose Configs are seeded besides our own.
	Modules func() []*module.Module

	app     *web.App
	blobs   *blob.Store
	queue   *job.Queue
	configs *crud.Resource[Config]
	files   *crud.Resource[File]
}

// New makes the service over a blob store and the queue whose schedules it shows.
func New(app *web.App, blobs *blob.Store, queue *job.Queue) *Service {
	return &Service{app: app, blobs: blobs, queue: queue}
}

// Module declares the module.
func (s *Service) Module() *module.Module {
	return &module.Module{
		Name: "infra", Migrations: []fs.FS{migrations}, Mount: s.mount, Work: s.work, Seed: s.seedConfigs,
		Menus: menus, Configs: configs,
	}
}

func (s *Service) mount(app *web.App) {
	m := app.Module("infra")
	s.mountConfigs(m)
	s.mountFiles(m)
	s.mountOwnFiles(m)
	s.mountUploads(m)
	s.mountDownloads(m)
	s.mountJobs(m)
	s.mountJobLogs(m)
	mountJobRuns(m)
}

func (s *Service) work(queue *job.Queue, _ *event.Bus) {
	queue.Every("audit.seal", "0/20 * * * * ?", sealAudit, job.Titled("封存操作日志"))
	queue.Every("web.expire-keys", "0 40 * * * ?", func(ctx context.Context, _ *job.Run) error { return web.ExpireKeys(ctx) }, job.Titled("清理过期的幂等键"))
	queue.Every("infra.sweep-uploads", "0 25 * * * ?", s.sweepUploads, job.Titled("清理中断的上传"))
	queue.Every("infra.sweep-files", "0 50 3 * * ?", s.sweepFiles, job.Titled("清理无人引用的文件"))
}

func sealAudit(ctx context.Context, r *job.Run) error {
	n, err := audit.Seal(ctx)
	r.Logf("rows %d", n)
	return err
}

func perms(stem string, verbs ...string) []string {
	list := make([]string, len(verbs))
	for i, v := range verbs {
		list[i] = stem + ":" + v
	}
	return list
}

var menus = []module.Menu{{
	Name: "基础设施", NameEn: "Infrastructure", Path: "/infra", Icon: "ep:monitor", Sort: 20, Children: []module.Menu{
		{Name: "文件管理", NameEn: "Files", Path: "file", Icon: "ep:files", Sort: 6, Children: []module.Menu{
			{Name: "文件列表", NameEn: "Files", Path: "file", Component: "infra/file/index", ComponentName: "InfraFile", Icon: "ep:upload-filled", Sort: 5,
				Perms: perms("infra:file", "query", "delete")},
		}},
		{Name: "定时任务", NameEn: "Schedules", Path: "job", Component: "infra/job/index", ComponentName: "InfraJob", Icon: "fa-solid:tasks", Sort: 7,
			Perms: perms("infra:job", "query", "create", "update", "delete", "export", "trigger"), OperatorOnly: true},
		{Name: "后台任务", NameEn: "Background work", Path: "job-run", Component: "infra/job-run/index", ComponentName: "InfraJobRun", Icon: "ep:timer", Sort: 9,
			Perms: perms("infra:job-run", "query", "retry")},
		{Name: "配置管理", NameEn: "Parameters", Path: "config", Component: "infra/config/index", ComponentName: "InfraConfig", Icon: "fa:connectdevelop", Sort: 8,
			Perms: perms("infra:config", "query", "create", "update", "delete", "export"), OperatorOnly: true},
	},
}}

// Keys of the parameters that this module reads.
const (
	keyInitPassword = "system.user.init-password"
	keyQuota        = "infra.file.quota-mb"
)

// configs are the built-in parameters. There is no default password: an import of users
// says so until an administrator sets one.
var configs = []module.Config{
	{Category: "user", Name: "用户初始密码", Key: keyInitPassword, Value: "", Remark: "导入用户时的初始密码；为空时不能导入"},
	{Category: "user", Name: "开放自助注册", Key: "system.user.register-enabled", Value: "false", Visible: true, Remark: "true 或 false"},
	{Category: "file", Name: "每个用户的文件空间（MB）", Key: keyQuota, Value: "1024", Visible: true, Remark: "达到上限后不能再上传"},
	{Category: "url", Name: "数据库监控地址", Key: "url.druid", Value: "", Visible: true},
	{Category: "url", Name: "链路追踪地址", Key: "url.skywalking", Value: "", Visible: true},
	{Category: "url", Name: "服务监控地址", Key: "url.spring-boot-admin", Value: "", Visible: true},
	{Category: "url", Name: "接口文档地址", Key: "url.swagger", Value: "", Visible: true},
}
