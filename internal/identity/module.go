package identity

import (
	"context"
	"crypto/rand"
	"embed"
	"io"
	"io/fs"
	"sync"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/event"
	"viva/internal/kernel/field"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The codes of contract system.md §6.8, and from x-900 on our own.
var (
	errBadCredentials = errs.Define(1002000000, errs.Unauthenticated, "账号或密码不正确", "Wrong user name or password")
	errUserDisabled   = errs.Define(1002000001, errs.Forbidden, "账号已停用，请联系管理员", "This account is disabled; ask your administrator")
	errCaptcha        = errs.Define(1002000004, errs.Invalid, "验证码不正确：{}", "Captcha: {}")
	errLocked         = errs.Define(1002000900, errs.Limit, "登录失败次数过多，账号已锁定至 {}，请届时再试或联系管理员", "Too many failures; the account is locked until {}")
	errSetup          = errs.Define(1002000901, errs.Invalid, "初始化链接无效、已使用或已过期，请重启服务取得新的链接", "The set-up link is unknown, used or expired; restart the server for a new one")
	errTooManyTries   = errs.Define(1002000903, errs.Limit, "本网络登录失败次数过多，请 {} 分钟后再试", "Too many failed sign-ins from this network; try again in {} minutes")

	errMenuDuplicate   = errs.Define(1002001000, errs.Invalid, "同级菜单名称已存在", "A menu of this name exists under the parent")
	errMenuParent      = errs.Define(1002001001, errs.Invalid, "上级菜单不存在", "No such parent menu")
	errMenuSelf        = errs.Define(1002001002, errs.Invalid, "上级菜单不能是自己或自己的下级", "A menu cannot lie below itself")
	errMenuChildren    = errs.Define(1002001004, errs.Invalid, "存在下级菜单，无法删除", "The menu has children")
	errMenuParentKind  = errs.Define(1002001005, errs.Invalid, "上级菜单必须是目录或菜单", "The parent must be a directory or a page")
	errMenuComponent   = errs.Define(1002001006, errs.Invalid, "组件名称已被其他菜单使用", "The component name is used by another menu")
	errMenuPlatform    = errs.Define(1002001900, errs.Forbidden, "菜单由所有租户共用，只有系统租户的超级管理员可以修改", "Menus are shared by all tenants; only a super administrator of the system tenant may change them")
	errRoleNameTaken   = errs.Define(1002002001, errs.Invalid, "角色名称“{}”已存在", "A role named {} exists")
	errRoleCodeTaken   = errs.Define(1002002002, errs.Invalid, "角色标识“{}”已存在", "A role with the code {} exists")
	errRoleBuiltIn     = errs.Define(1002002003, errs.Forbidden, "内置角色不可修改或删除", "Built-in roles cannot be changed or deleted")
	errRoleDisabled    = errs.Define(1002002004, errs.Invalid, "角色“{}”已停用", "The role {} is disabled")
	errRoleCode        = errs.Define(1002002005, errs.Invalid, "角色标识“{}”为系统保留，请换一个", "The role code {} is reserved")
	errNotHeld         = errs.Define(1002002900, errs.Forbidden, "您没有“{}”，不能授予他人", "You do not hold {} and cannot grant it")
	errWiderScope      = errs.Define(1002002901, errs.Forbidden, "该数据范围超出您自己的数据范围，不能授予", "That data scope is wider than yours")
	errOutranked       = errs.Define(1002002902, errs.Forbidden, "该用户拥有您没有的权限“{}”，不能由您管理", "That user holds {}, which you do not; you cannot manage the account")
	errStudentRole     = errs.Define(1002002903, errs.Invalid, "学生账号的角色和权限是固定的，不能调整", "The role and rights of student accounts are fixed")
	errUsernameTaken   = errs.Define(1002003000, errs.Invalid, "账号已存在，请换一个", "The user name is taken; choose another")
	errMobileTaken     = errs.Define(1002003001, errs.Invalid, "手机号码已被其他账号使用", "The mobile number is used by another account")
	errEmailTaken      = errs.Define(1002003002, errs.Invalid, "邮箱已被其他账号使用", "The e-mail address is used by another account")
	errOldPassword     = errs.Define(1002003005, errs.Invalid, "原密码不正确", "The old password is wrong")
	errUserCount       = errs.Define(1002003008, errs.Limit, "已达到租户的账号数上限 {}，请联系平台管理员", "The tenant's limit of {} accounts is reached")
	errInitialPassword = errs.Define(1002003009, errs.Invalid, "导入需要初始密码：请在“参数配置”中设置 system.user.init-password", "Set the parameter system.user.init-password before importing")
	errUserSelf        = errs.Define(1002003900, errs.Invalid, "不能停用或删除自己的账号", "You cannot disable or delete your own account")
	errNoAvatarStore   = errs.Define(1002003901, errs.Unavailable, "文件服务未启用，暂时不能上传头像", "The file service is off; avatars cannot be uploaded")
	errDeptDuplicate   = errs.Define(1002004000, errs.Invalid, "同级部门名称已存在", "A department of this name exists under the parent")
	errDeptParent      = errs.Define(1002004001, errs.Invalid, "上级部门不存在", "No such parent department")
	errDeptChildren    = errs.Define(1002004003, errs.Invalid, "存在下级部门，无法删除", "The department has sub-departments")
	errDeptSelf        = errs.Define(1002004004, errs.Invalid, "上级部门不能是自己", "A department cannot be its own parent")
	errDeptUsers       = errs.Define(1002004005, errs.Invalid, "部门中还有 {} 个用户，请先调整他们的部门", "{} users are in the department; move them first")
	errDeptDisabled    = errs.Define(1002004006, errs.Invalid, "部门“{}”已停用，不允许选择", "The department {} is disabled")
	errDeptCycle       = errs.Define(1002004007, errs.Invalid, "上级部门不能是自己的下级部门", "The parent cannot lie below the department")
	errPostDisabled    = errs.Define(1002005001, errs.Invalid, "岗位“{}”已停用，不允许选择", "The post {} is disabled")
	errPostName        = errs.Define(1002005002, errs.Invalid, "岗位名称已存在，请换一个", "A post of this name exists")
	errPostCode        = errs.Define(1002005003, errs.Invalid, "岗位编码已存在，请换一个", "A post with this code exists")
	errPostUsed        = errs.Define(1002005900, errs.Invalid, "岗位仍有 {} 个用户，请先调整", "{} users hold the post; change them first")
	errTenantUnknown   = errs.Define(1002015000, errs.NotFound, "租户不存在", "No such tenant")
	errTenantDisabled  = errs.Define(1002015001, errs.Forbidden, "租户“{}”已停用，请联系平台管理员", "The tenant {} is disabled")
	errTenantExpired   = errs.Define(1002015002, errs.Forbidden, "租户“{}”已过期，请联系平台管理员", "The tenant {} has expired")
	errTenantSystem    = errs.Define(1002015003, errs.Forbidden, "系统租户不能修改或删除", "The system tenant cannot be changed or deleted")
	errTenantName      = errs.Define(1002015004, errs.Invalid, "租户名“{}”已存在", "A tenant named {} exists")
	errTenantWebsite   = errs.Define(1002015005, errs.Invalid, "域名“{}”已被其他租户使用", "The web site {} belongs to another tenant")
	errPackageUnknown  = errs.Define(1002016000, errs.NotFound, "租户套餐不存在", "No such tenant package")
	errPackageUsed     = errs.Define(1002016001, errs.Invalid, "套餐正在被租户使用，请先为其更换套餐", "Tenants use the package; give them another first")
	errPackageDisabled = errs.Define(1002016002, errs.Invalid, "套餐“{}”已停用", "The package {} is disabled")
	errPackageName     = errs.Define(1002016003, errs.Invalid, "套餐名称已存在，请换一个", "A package of this name exists")
	errSocial          = errs.Define(1002018000, errs.Invalid, "本系统没有配置第三方登录，请使用账号密码登录", "No sign-in provider is configured; use your password")
)

// Options are the settings of the module.
type Options struct {
	// CaptchaOff switches the captcha of the sign-in pages off.
	CaptchaOff bool
	// CaptchaThrottled limits the captcha calls of a client, on each node by itself.
	CaptchaThrottled bool
	// IPFailures is how many failed sign-ins one address may have in 15 minutes; 0 means 1000.
	IPFailures int
	// TenantName is what the first tenant, the system tenant, is called when Seed makes it.
	TenantName string
}

// Service is the module; it resolves sessions for the HTTP edge.
type Service struct {
	// InitialPassword gives the password of imported users in the caller's tenant, empty
	// when none is set. The module that keeps configuration sets it.
	InitialPassword func(ctx context.Context) (string, error)
	// StoreAvatar keeps an uploaded picture and gives its address. The module that keeps
	// files sets it.
	StoreAvatar func(ctx context.Context, name string, content io.Reader) (string, error)

	app          *web.App
	m            *web.Module
	options      Options
	state        caches
	ips          *ipFailures
	captcha      *Captcha
	users        *crud.Resource[User]
	tenantFields []*field.Field
	onInfo       []func(context.Context, *PermissionInfo) error
	modules      []*module.Module // as seeded last, for tenants made later
	operator     operatorMarks    // of these modules
	quit         func()
	done         sync.WaitGroup
}

// New makes the module and installs it as the application's authenticator.
func New(app *web.App, o Options) *Service {
	if o.IPFailures == 0 {
		o.IPFailures = 1000
	}
	if o.TenantName == "" {
		o.TenantName = "系统租户"
	}
	s := &Service{app: app, m: app.Module("system"), options: o, state: newCaches(), ips: newIPFailures(o.IPFailures),
		captcha: NewCaptcha(clock.Now, rand.Reader, o.CaptchaThrottled)}
	app.SetAuthenticator(s)
	s.watch()
	return s
}

// Close stops listening to the other nodes and drawing captchas.
func (s *Service) Close() {
	s.quit()
	s.done.Wait()
	s.captcha.Close()
}

// OnPermissionInfo adds a hook that completes the session answer of the caller in ctx.
func (s *Service) OnPermissionInfo(fn func(context.Context, *PermissionInfo) error) {
	s.onInfo = append(s.onInfo, fn)
}

// Module is what the module declares about itself.
func (s *Service) Module() *module.Module {
	return &module.Module{
		Name: "identity", Migrations: []fs.FS{migrations}, Mount: s.mount, Menus: menus, Roles: roles,
		Work: func(queue *job.Queue, _ *event.Bus) {
			queue.Every("identity.purge", "0 7 * * * ?", purge, job.Titled("清理过期会话、验证码和登录失败记录"))
		},
	}
}

func (s *Service) mount(*web.App) {
	s.mountAuth()
	s.mountCaptcha()
	s.mountSessions()
	s.mountTenants()
	s.mountPackages()
	s.mountUsers()
	s.mountProfile()
	s.mountDepts()
	s.mountPosts()
	s.mountRoles()
	s.mountPermissions()
	s.mountMenus()
	s.mountLoginLog()
}

// crud verbs in the order of the family's buttons.
func perms(stem string, verbs ...string) []string {
	list := make([]string, len(verbs))
	for i, v := range verbs {
		list[i] = stem + ":" + v
	}
	return list
}

var menus = []module.Menu{{
	Name: "系统管理", NameEn: "System", Path: "/system", Icon: "ep:tools", Sort: 10,
	Children: []module.Menu{
		{Name: "租户管理", NameEn: "Tenants", Path: "tenant", Icon: "fa-solid:house-user", Sort: 0, Children: []module.Menu{
			{Name: "租户列表", NameEn: "Tenants", Path: "list", Component: "system/tenant/index", ComponentName: "SystemTenant", Icon: "ep:house", Sort: 0,
				Perms: perms("system:tenant", "query", "create", "update", "delete", "export")},
			{Name: "租户套餐", NameEn: "Packages", Path: "package", Component: "system/tenantPackage/index", ComponentName: "SystemTenantPackage", Icon: "fa:bars", Sort: 1,
				Perms: perms("system:tenant-package", "query", "create", "update", "delete", "export")},
		}},
		{Name: "用户管理", NameEn: "Users", Path: "user", Component: "system/user/index", ComponentName: "SystemUser", Icon: "ep:avatar", Sort: 1,
			Permission: "system:user:list", Perms: perms("system:user", "query", "create", "update", "delete", "export", "import", "update-password")},
		{Name: "角色管理", NameEn: "Roles", Path: "role", Component: "system/role/index", ComponentName: "SystemRole", Icon: "ep:user", Sort: 2,
			Perms: append(perms("system:role", "query", "create", "update", "delete", "export"),
				perms("system:permission", "assign-role-menu", "assign-role-data-scope", "assign-user-role")...)},
		{Name: "菜单管理", NameEn: "Menus", Path: "menu", Component: "system/menu/index", ComponentName: "SystemMenu", Icon: "ep:menu", Sort: 3,
			Perms: perms("system:menu", "query", "create", "update", "delete")},
		{Name: "部门管理", NameEn: "Departments", Path: "dept", Component: "system/dept/index", ComponentName: "SystemDept", Icon: "fa:address-card", Sort: 4,
			Perms: perms("system:dept", "query", "create", "update", "delete")},
		{Name: "岗位管理", NameEn: "Posts", Path: "post", Component: "system/post/index", ComponentName: "SystemPost", Icon: "fa:address-book-o", Sort: 5,
			Perms: perms("system:post", "query", "create", "update", "delete", "export")},
		{Name: "OAuth 2.0", NameEn: "OAuth 2.0", Path: "oauth2", Icon: "fa:dashcube", Sort: 10, Children: []module.Menu{
			{Name: "令牌管理", NameEn: "Sessions", Path: "token", Component: "system/oauth2/token/index", ComponentName: "SystemTokenClient", Icon: "fa:key", Sort: 2,
				Perms: perms("system:oauth2-token", "page", "delete")},
		}},
	},
}}

// Codes of the roles that code speaks of.
const (
	roleSuper       = "super_admin"
	roleTenantAdmin = "tenant_admin"
	roleStudent     = "student"
)

// roles are built into every tenant (super_admin into the system tenant only). What
// the academic ones may do is declared by the modules that own the permissions.
var roles = []module.Role{
	{Code: roleSuper, Name: "超级管理员", Scope: 1},
	{Code: roleTenantAdmin, Name: "租户管理员", Scope: 1},
	{Code: "common", Name: "普通角色", Scope: 5},
	{Code: roleStudent, Name: "学生", Scope: 5},
	{Code: "teacher", Name: "教师", Scope: 5},
	{Code: "college_secretary", Name: "学院研究生秘书", Scope: 4},
	{Code: "college_dean", Name: "分管院长", Scope: 4},
	{Code: "grad_training", Name: "研究生院培养办", Scope: 1},
	{Code: "grad_degree", Name: "研究生院学位办", Scope: 1},
	{Code: "archivist", Name: "档案与图书馆", Scope: 1},
	{Code: "inspector", Name: "督导与审计", Scope: 1},
	{Code: "finance", Name: "财务", Scope: 1},
	{Code: "review_operator", Name: "送审专员", Scope: 1},
}

// StudentPermissions is what every student may do, no more and no less (specification
// §2, thesis-domain §2.2). The calls behind them touch the student's own rows only.
var StudentPermissions = append(append(append(append(
	perms("thesis:achievements-student", "query", "create", "update", "delete", "export"),
	perms("thesis:archiving-student", "query", "create", "update", "delete", "export")...),
	perms("thesis:defense-application", "query", "create", "update", "delete", "export")...),
	perms("thesis:pre-defense-application", "query", "create", "update", "delete", "export")...),
	"thesis:students-subject:query", "thesis:students-subject:submit",
	"thesis:students-open-subject:query", "thesis:students-open-subject:submit", "thesis:students-open-subject:download",
	"thesis:students:getStudentAllCourse", "thesis:students:gotoRoom", "thesis:video-playback:getPage",
	"thesis:student-status-change:dropOut", "thesis:course-score:getStudentCourseScore",
	"thesis:feedback:create", "thesis:feedback:query", "system:notice:query")
