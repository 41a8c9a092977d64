package workflow

import (
	"context"
	"embed"
	"io/fs"
	"slices"
	"time"

	"github.com/maypok86/otter/v2"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/event"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
	"viva/internal/workflow/runtime"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The error codes of the module; contract bpm.md A.12.
var (
	errFormField     = errs.Define(1009010001, errs.Invalid, "表单项“{}”与“{}”使用了相同的字段名 {}，请修改其中一个", "The form items {} and {} share the field name {}; change one of them")
	errCategoryName  = errs.Define(1009012001, errs.Invalid, "流程分类名称“{}”已存在，请换一个", "A process category is named {} already; choose another name")
	errCategoryCode  = errs.Define(1009012002, errs.Invalid, "流程分类标识“{}”已存在，请换一个", "A process category has the code {} already; choose another")
	errCategoryUsed  = errs.Define(1009012003, errs.Conflict, "有流程模型使用该分类，不能删除或修改标识；可以改为停用", "Process models use this category: it can be neither deleted nor given another code; disable it instead")
	errListenerClass = errs.Define(1009013001, errs.Invalid, "没有名为“{}”的监听处理程序，可用：{}", "There is no listener handler {}; available: {}")
	errListenerKind  = errs.Define(1009013002, errs.Invalid, "监听处理程序“{}”不支持该监听类型，支持：{}", "The listener handler {} does not serve this type; it serves: {}")
	errListenerValue = errs.Define(1009013003, errs.Invalid, "监听器的值不是正确的表达式：{}", "The value of the listener is not an expression: {}")
)

// Service is the module.
type Service struct {
	forms         *crud.Resource[Form]
	categoryInUse []func(ctx context.Context, code string) (bool, error)
	rules         map[string]kind
	app           *web.App
	engine        *runtime.Engine
	plans         *otter.Cache[string, *plan]
	results       map[string][]func(context.Context, Outcome) error
	business      map[string]Business
	// Files are the uploaded files of decisions; nil keeps addresses only.
	Files *Files
	// ConfigValue reads a parameter of the installation, empty when there is none; nil
	// leaves everything that a parameter opens closed.
	ConfigValue func(ctx context.Context, key string) (string, error)
}

// New makes the module.
func New() *Service {
	s := &Service{engine: runtime.New(runtime.Options{Beans: assignBeans()}), plans: newPlans()}
	s.engine.OnStart(s.giveNumber)
	s.engine.OnTask(s.taskChanged)
	s.engine.OnItems(s.askEverybody)
	s.engine.OnEnd(s.ended)
	s.hookIn()
	s.engine.OnTimer(s.overdue)
	s.engine.OnIncident(s.tellIncident)
	s.Register(notifyHandler())
	s.OnResult(leaveProcess, leaveEnded)
	return s
}

// OnCategoryInUse registers a test that keeps the category of a code from being deleted
// or renamed. Call it before the server starts.
func (s *Service) OnCategoryInUse(fn func(ctx context.Context, code string) (bool, error)) {
	s.categoryInUse = append(s.categoryInUse, fn)
}

// Migrations are the SQL files of the module.
func Migrations() fs.FS { return migrations }

// Mount declares the calls.
func (s *Service) Mount(app *web.App) {
	m := app.Module("bpm")
	s.mountCategories(m)
	s.mountForms(m)
	mountUserGroups(m)
	mountProcessExpressions(m)
	s.mountProcessListeners(m)
	s.mountModels(m)
	s.mountHandlers(m)
	s.mountDefinitions(m)
	s.mountAssignRules(m)
	s.mountInstances(m)
	s.mountTasks(m)
	s.mountComments(m)
	s.mountLeaves(m)
	s.mountOperate(m)
	s.mountIncidents(m)
	s.mountMigrations(m)
	s.mountStatistics(m)
}

// Work declares the jobs of the engine and of the administrators' acts.
func (s *Service) Work(queue *job.Queue, _ *event.Bus) {
	s.engine.Work(queue)
	queue.Handle(migrationWork, s.runMigration, job.Lane("workflow.migrate", 1), job.Titled("迁移流程实例"))
	queue.Handle(cleanWork, s.runClean, job.Lane("workflow.clean", 1), job.Titled("清理流程实例"))
	queue.Handle(hookWork, s.runHook, job.Lane("workflow.hook", 4), job.Timeout(time.Minute), job.Titled("流程外部通知"))
	queue.Every("workflow.history", "0 10 2 * * ?", s.forgetAll, job.Titled("清理到期的流程记录"))
	queue.Every("workflow.statistics", "0 25 0 * * ?", s.foldAll, job.Titled("汇总流程统计"))
}

// Module describes the module to the app. Its dictionaries are in the list of module
// system, with those of the whole wire family.
func (s *Service) Module() *module.Module {
	return &module.Module{Name: "workflow", Migrations: []fs.FS{migrations, runtime.Migrations}, Mount: s.Mount, Work: s.Work, Menus: menus, Roles: roles, Templates: templates, Configs: configs}
}

func perms(stem string, verbs ...string) []string {
	list := make([]string, len(verbs))
	for i, v := range verbs {
		list[i] = stem + ":" + v
	}
	return list
}

// menus hold the pages that exist; each later step adds its own.
var menus = []module.Menu{{
	Name: "工作流程", NameEn: "Workflow", Path: "/bpm", Icon: "fa:medium", Sort: 50, Children: []module.Menu{
		{Name: "审批详情", NameEn: "Approval detail", Path: "process-instance/detail", Component: "bpm/processInstance/detail/index", ComponentName: "BpmProcessInstanceDetail", Icon: "fa:file-text-o", Sort: 90, Hidden: true,
			Permission: "bpm:process-instance:query"},
		{Name: "流程管理", NameEn: "Processes", Path: "manager", Icon: "fa:dedent", Sort: 10, Children: []module.Menu{
			{Name: "流程模型", NameEn: "Models", Path: "model", Component: "bpm/model/index", ComponentName: "BpmModel", Icon: "fa-solid:project-diagram", Sort: 1,
				Perms: append(append(perms("bpm:model", "query", "create", "import", "update", "delete", "deploy", "clean", "script"), "bpm:process-definition:query"),
					perms("bpm:task-assign-rule", "query", "create", "update")...)},
			{Name: "流程实例", NameEn: "Instances", Path: "process-instance", Component: "bpm/processInstance/manager/index", ComponentName: "BpmProcessInstanceManager", Icon: "fa:square", Sort: 7,
				Perms: perms("bpm:process-instance", "manager-query", "manager-update", "cancel-by-admin")},
			{Name: "流程任务", NameEn: "Tasks", Path: "/bpm/task/manager", Component: "bpm/task/manager/index", ComponentName: "BpmManagerTask", Icon: "ep:collection-tag", Sort: 8,
				Perms: perms("bpm:task", "manager-query", "manager-update")},
			{Name: "流程异常", NameEn: "Incidents", Path: "incident", Component: "bpm/incident/index", ComponentName: "BpmIncident", Permission: permInstances, Icon: "fa:warning", Sort: 9},
			{Name: "流程迁移", NameEn: "Migration", Path: "migration", Component: "bpm/migration/index", ComponentName: "BpmMigration", Permission: permInstances, Icon: "fa:exchange", Sort: 10},
			{Name: "流程统计", NameEn: "Statistics", Path: "statistics", Component: "bpm/statistics/index", ComponentName: "BpmStatistics", Permission: permInstances, Icon: "fa:bar-chart", Sort: 11},
			{Name: "流程设计", NameEn: "Process design", Path: "model/design", Component: "bpm/model/editor/index", ComponentName: "BpmModelEditor", Icon: "fa-solid:project-diagram", Sort: 14, Hidden: true},
			{Name: "流程定义", NameEn: "Definitions", Path: "definition", Component: "bpm/definition/index", ComponentName: "BpmDefinition", Icon: "fa-solid:project-diagram", Sort: 12, Hidden: true},
			{Name: "流程表单", NameEn: "Forms", Path: "form", Component: "bpm/form/index", ComponentName: "BpmForm", Icon: "fa:hdd-o", Sort: 2,
				Perms: perms("bpm:form", "query", "create", "update", "delete", "export")},
			{Name: "表单设计", NameEn: "Form design", Path: "form/edit", Component: "bpm/form/editor/index", ComponentName: "BpmFormEditor", Icon: "fa:edit", Sort: 13, Hidden: true},
			{Name: "流程分类", NameEn: "Categories", Path: "category", Component: "bpm/category/index", ComponentName: "BpmCategory", Icon: "fa:object-ungroup", Sort: 3,
				Perms: perms("bpm:category", "query", "create", "update", "delete")},
			{Name: "用户分组", NameEn: "User groups", Path: "user-group", Component: "bpm/group/index", ComponentName: "BpmUserGroup", Icon: "fa:user-secret", Sort: 4,
				Perms: perms("bpm:user-group", "query", "create", "update", "delete")},
			{Name: "流程监听器", NameEn: "Listeners", Path: "process-listener", Component: "bpm/processListener/index", ComponentName: "BpmProcessListener", Icon: "fa:assistive-listening-systems", Sort: 5,
				Perms: perms("bpm:process-listener", "query", "create", "update", "delete")},
			{Name: "流程表达式", NameEn: "Expressions", Path: "process-expression", Component: "bpm/processExpression/index", ComponentName: "BpmProcessExpression", Icon: "fa:wpexplorer", Sort: 6,
				Perms: perms("bpm:process-expression", "query", "create", "update", "delete")},
		}},
		{Name: "审批中心", NameEn: "Approvals", Path: "task", Icon: "fa:tasks", Sort: 5, Children: []module.Menu{
			{Name: "发起流程", NameEn: "Start a process", Path: "create", Component: "bpm/processInstance/create/index", ComponentName: "BpmProcessInstanceCreate", Icon: "fa-solid:grin-stars", Sort: 0,
				NoCache: true, Permission: "bpm:process-instance:create"},
			{Name: "我的流程", NameEn: "My processes", Path: "my", Component: "bpm/processInstance/index", ComponentName: "BpmProcessInstanceMy", Icon: "fa-solid:book", Sort: 1,
				Perms: perms("bpm:process-instance", "query", "create", "cancel")},
			{Name: "待办任务", NameEn: "To do", Path: "todo", Component: "bpm/task/todo/index", ComponentName: "BpmTodoTask", Icon: "fa:slack", Sort: 10,
				Perms: perms("bpm:task", "query", "update")},
			{Name: "已办任务", NameEn: "Done", Path: "done", Component: "bpm/task/done/index", ComponentName: "BpmDoneTask", Icon: "fa:delicious", Sort: 20,
				Permission: "bpm:task:query"},
			{Name: "抄送我的", NameEn: "Copied to me", Path: "copy", Component: "bpm/task/copy/index", ComponentName: "BpmProcessInstanceCopy", Icon: "ep:copy-document", Sort: 30,
				Perms: perms("bpm:process-instance-cc", "query", "create")},
		}},
		{Name: "OA 办公", NameEn: "Office", Path: "oa", Icon: "fa:road", Sort: 40, Children: []module.Menu{
			{Name: "我的请假", NameEn: "My leave", Path: "leave", Component: "bpm/oa/leave/index", ComponentName: "BpmOALeave", Icon: "fa:leanpub", Sort: 0,
				Perms: perms("bpm:oa-leave", "query", "create")},
			{Name: "请假申请", NameEn: "Apply for leave", Path: "leave/create", Component: "bpm/oa/leave/create", ComponentName: "BpmOALeaveCreate", Icon: "fa:edit", Sort: 1, Hidden: true,
				NoCache: true, Permission: "bpm:oa-leave:create"},
			{Name: "请假详情", NameEn: "Leave", Path: "leave/detail", Component: "bpm/oa/leave/detail", ComponentName: "BpmOALeaveDetail", Icon: "fa:leanpub", Sort: 2, Hidden: true,
				Permission: "bpm:oa-leave:query"},
		}},
	},
}}

// roles are everybody who works here: each may start processes and may be asked to decide
// one. Students are not among them, their permissions are a closed list (identity): what
// they apply for starts its process through the calls of its own module.
var roles = rolesOf("common", "teacher", "college_secretary", "college_dean", "grad_training", "grad_degree", "archivist", "inspector", "finance", "review_operator")

func rolesOf(codes ...string) []module.Role {
	list := make([]module.Role, len(codes))
	for i, code := range codes {
		list[i] = module.Role{Code: code, Perms: slices.Concat(perms("bpm:process-instance", "query", "create", "cancel"), perms("bpm:process-instance-cc", "query", "create"),
			perms("bpm:task", "query", "update"), perms("bpm:oa-leave", "query", "create"))}
	}
	return list
}

// describe adjusts the description of a mounted entity to what hooks and hand-written
// calls add: the page is made of it.
func describe(m *web.Module, name string, adjust func(*crud.Description)) {
	d := m.App.Entities[m.Name+"/"+name].(crud.Description)
	adjust(&d)
	m.App.Entities[m.Name+"/"+name] = d
}

// require marks a field that a hook insists on; the mounted entity keeps its own copy.
func require(d *crud.Description, name string) {
	d.Fields = slices.Clone(d.Fields)
	for i, f := range d.Fields {
		if f.Name == name {
			required := *f
			required.Required = true
			d.Fields[i] = &required
		}
	}
}

// fielded puts a refusal on an input field.
func fielded(ctx context.Context, e *errs.Error, name string) *errs.Error {
	e.Fields = []errs.FieldError{{Name: name, Msg: e.Text(i18n.Lang(ctx))}}
	return e
}

// orElse gives err, or the refusal when there is none.
func orElse(err error, refusal *errs.Error) error {
	if err != nil {
		return err
	}
	return refusal
}
