package system

import (
	"context"
	"embed"
	"io/fs"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The error codes of the module; contract system.md §6.8.
var (
	errDictTypeMissing   = errs.Define(1002006001, errs.NotFound, "字典类型不存在，请刷新后重试", "There is no such dictionary type; reload and try again")
	errDictTypeDisabled  = errs.Define(1002006002, errs.Conflict, "字典类型未启用，请先启用", "The dictionary type is disabled; enable it first")
	errDictTypeName      = errs.Define(1002006003, errs.Invalid, "字典名称已存在，请换一个", "A dictionary type has this name already; choose another")
	errDictTypeTaken     = errs.Define(1002006004, errs.Invalid, "字典类型已存在，请换一个", "This dictionary type exists already; choose another")
	errDictTypeInUse     = errs.Define(1002006005, errs.Conflict, "字典类型下还有字典数据，请先删除数据", "The dictionary type still has entries; delete them first")
	errDictDataTaken     = errs.Define(1002007003, errs.Invalid, "该字典类型下已有相同的键值，请换一个", "The type has an entry of this value already; choose another")
	errTemplateMissing   = errs.Define(1002026000, errs.NotFound, "站内信模板不存在", "There is no such message template")
	errTemplateCodeTaken = errs.Define(1002026001, errs.Invalid, "已有编码为“{}”的站内信模板，请换一个", "A message template has the code {} already; choose another")
	errTemplateParam     = errs.Define(1002028000, errs.Invalid, "缺少模板参数“{}”，请补充", "The template parameter {} is missing; add it")
)

// Service is the mounted module.
type Service struct {
	app       *web.App
	modules   func() []*module.Module
	dict      *dictionary
	types     *crud.Resource[DictType]
	entries   *crud.Resource[DictData]
	notices   *crud.Resource[Notice]
	templates *crud.Resource[NotifyTemplate]
}

// New makes the service and installs App.Dictionary. modules lists all modules of the
// product; it is asked when a tenant is seeded.
func New(app *web.App, modules func() []*module.Module) *Service {
	s := &Service{app: app, modules: modules, dict: newDictionary(app.DB)}
	app.Dictionary = s.dict.labels
	return s
}

// Module declares the module.
func (s *Service) Module() *module.Module {
	return &module.Module{
		Name: "system", Migrations: []fs.FS{migrations}, Mount: s.mount, Work: s.work, Seed: s.seed,
		Menus: menus, Templates: []module.Template{pushTemplate, welcomeTemplate},
	}
}

func (s *Service) mount(app *web.App) {
	m := app.Module("system")
	s.mountDictTypes(m)
	s.mountDictData(m)
	s.mountNotices(m)
	s.mountNotifyTemplates(m)
	mountNotifyMessages(m)
	s.mountOperateLog(m)
	mountSystemConfig(app.Module("thesis"))
}

func (s *Service) work(queue *job.Queue, _ *event.Bus) {
	queue.Handle(jobPushNotice, pushNotice, job.Titled("推送通知公告"))
	queue.Every("system.semesters", "0 10 0 * * ?", s.addSemesters, job.Titled("补充学年学期字典"))
}

func (s *Service) seed(ctx context.Context) error {
	if err := s.seedDicts(ctx); err != nil {
		return err
	}
	if err := s.seedTemplates(ctx); err != nil {
		return err
	}
	return seedSystemConfig(ctx)
}

// crudPerms lists the usual permission strings of an entity.
func crudPerms(stem string, verbs ...string) []string {
	perms := make([]string, len(verbs))
	for i, v := range verbs {
		perms[i] = stem + ":" + v
	}
	return perms
}

var menus = []module.Menu{{
	Name: "系统管理", NameEn: "System", Path: "/system", Icon: "ep:tools", Sort: 10, Children: []module.Menu{
		{Name: "字典管理", NameEn: "Dictionaries", Path: "dict", Component: "system/dict/index", ComponentName: "SystemDictType", Icon: "ep:collection", Sort: 6,
			Perms:    crudPerms("system:dict", "query", "create", "update", "delete", "export"),
			Operator: crudPerms("system:dict", "create", "update", "delete")},
		{Name: "消息中心", NameEn: "Messages", Path: "messages", Icon: "ep:chat-dot-round", Sort: 7, Children: []module.Menu{
			{Name: "站内信管理", NameEn: "Internal messages", Path: "notify", Icon: "ep:message-box", Sort: 3, Children: []module.Menu{
				{Name: "模板管理", NameEn: "Templates", Path: "notify-template", Component: "system/notify/template/index", ComponentName: "SystemNotifyTemplate", Icon: "fa:archive", Sort: 1,
					Perms:    crudPerms("system:notify-template", "query", "create", "update", "delete", "send-notify"),
					Operator: crudPerms("system:notify-template", "create", "update", "delete")},
				{Name: "消息记录", NameEn: "Sent messages", Path: "notify-message", Component: "system/notify/message/index", ComponentName: "SystemNotifyMessage", Icon: "fa:edit", Sort: 2,
					Perms: crudPerms("system:notify-message", "query")},
			}},
			{Name: "通知公告", NameEn: "Notices", Path: "notice", Component: "system/notice/index", ComponentName: "SystemNotice", Icon: "ep:takeaway-box", Sort: 4,
				Perms: crudPerms("system:notice", "query", "create", "update", "delete")},
		}},
		{Name: "审计日志", NameEn: "Audit", Path: "log", Icon: "ep:document-copy", Sort: 9, Children: []module.Menu{
			{Name: "操作日志", NameEn: "Operation log", Path: "operate-log", Component: "system/operatelog/index", ComponentName: "SystemOperateLog", Icon: "ep:position", Sort: 1,
				Perms: crudPerms("system:operate-log", "query", "export")},
			{Name: "登录日志", NameEn: "Sign-in log", Path: "login-log", Component: "system/loginlog/index", ComponentName: "SystemLoginLog", Icon: "ep:promotion", Sort: 2,
				Perms: crudPerms("system:login-log", "query", "export")},
		}},
		{Name: "系统设置", NameEn: "Site settings", Path: "system-config", Component: "system/systemConfig/index", ComponentName: "SystemConfig", Icon: "ep:setting", Sort: 8,
			Perms: []string{"thesis:system-config:update"}},
	},
}}
