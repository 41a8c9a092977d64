package identity

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// User is an account. Type is 1 student or 2 everybody else, and never changes.
type User struct {
	ID           int64               `json:"id"`
	Username     string              `json:"username" label:"登录账号|User name" in:"required,max=30" q:"like"`
	Password     string              `json:"-" audit:"-"`
	Nickname     string              `json:"nickname" label:"姓名|Name" in:"max=30" q:"like"`
	Type         int                 `json:"type" db:"user_type" label:"用户类型|User type" in:"-,dict=user_type" q:"eq"`
	Remark       string              `json:"remark" label:"备注|Remark" in:"max=500"`
	Introduction string              `json:"introduction" label:"个人简介|Introduction" in:"max=500"`
	DeptID       int64               `json:"deptId" label:"部门|Department" in:"ref=system_dept:/system/dept/simple-list"`
	PostIDs      store.JSON[[]int64] `json:"postIds" db:"post_ids" label:"岗位|Posts" in:"kind=refs,max=50"`
	Email        string              `json:"email" label:"邮箱|E-mail" in:"kind=email,max=50"`
	Mobile       string              `json:"mobile" label:"手机号码|Mobile" in:"kind=mobile" q:"like"`
	Sex          int                 `json:"sex" label:"性别|Sex" in:"min=0,max=2"`
	Avatar       string              `json:"avatar" label:"头像|Avatar" in:"max=512"`
	Status       int                 `json:"status" label:"状态|Status" in:"-,dict=common_status" q:"eq"`
	DeptName     string              `json:"deptName" view:"join" label:"部门名称|Department name" in:"-"`
	LoginIP      string              `json:"loginIp" view:"join" label:"最后登录 IP|Last address" in:"-"`
	LoginDate    *int64              `json:"loginDate" view:"join" label:"最后登录时间|Last sign-in" in:"-,kind=time"`
	table.Meta
}

var users = table.New[User]("system_users", "用户")

const (
	userColumns = `, COALESCE(d.name, '') AS dept_name, COALESCE(l.login_ip, '') AS login_ip, l.login_date`
	userJoins   = ` LEFT JOIN system_dept d ON d.tenant_id = t.tenant_id AND d.id = t.dept_id
 LEFT JOIN system_user_login l ON l.tenant_id = t.tenant_id AND l.user_id = t.id`

	sqlUserByName   = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND lower(username) = :username`
	sqlUserByMobile = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND mobile = :mobile`
	sqlUserByEmail  = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND lower(email) = :email`
	sqlUserCount    = `SELECT COUNT(*) FROM system_users WHERE tenant_id = :tenant AND deleted = false`
	sqlPostsByID    = `SELECT * FROM system_post WHERE tenant_id = :tenant AND deleted = false AND id IN (:ids) ORDER BY sort, id`
	sqlDropUser     = `DELETE FROM system_user_role WHERE tenant_id = :tenant AND user_id = :user`
	sqlOtherSupers  = `SELECT COUNT(*) FROM system_users u JOIN system_user_role ur ON ur.user_id = u.id JOIN system_role r ON r.id = ur.role_id
 WHERE u.tenant_id = :tenant AND ur.tenant_id = :tenant AND r.tenant_id = :tenant AND u.deleted = false AND u.status = 0
 AND r.deleted = false AND r.code = 'super_admin' AND u.id <> :user`
	sqlIsSuper = `SELECT COUNT(*) FROM system_user_role ur JOIN system_role r ON r.id = ur.role_id
 WHERE ur.tenant_id = :tenant AND r.tenant_id = :tenant AND r.code = 'super_admin' AND ur.user_id = :user`
)

var errLastSuper = errs.Define(1002003902, errs.Invalid, "这是最后一个可用的超级管理员，不能停用、删除或取消其角色", "This is the last super administrator")

func (s *Service) mountUsers() {
	r := crud.Mount[User](s.m, "user", "用户|User", crud.Table("system_users"), crud.Without("create", "page", "export-excel"))
	r.View = crud.View{Columns: userColumns, Joins: userJoins}
	r.Scope = userScope
	r.BeforeSave = s.checkUser
	r.AfterSave = func(ctx context.Context, _, row *User) error { return s.userChanged(ctx, row.TenantID, row.ID) }
	r.BeforeDelete = s.deleteUser
	s.users = r
	web.Raw(s.m, web.RawCall{Method: http.MethodPost, Path: "/user/create", Access: web.Perm("system:user:create"), Summary: "新增用户",
		In: inputSchema(r.Fields(), "password"), Out: &huma.Schema{Type: "integer"}, Options: []web.Option{web.NoTx}, Fn: s.createUser})
	web.Put(s.m, "/user/update-password", web.Perm("system:user:update-password"), s.resetPassword, web.NoTx, web.Title("重置用户密码"))
	web.Put(s.m, "/user/update-status", web.Perm("system:user:update"), s.setUserStatus, web.Title("启用或停用用户"))
	s.mountUserLists()
	s.mountUserImport()
	describeCalls(s.app, "system/user", "create", "page", "export", "import", "simple")
}

// userScope limits rows to the caller's data scope.
func userScope(ctx context.Context, q *store.Query) {
	who := actor.From(ctx)
	if wide(who) {
		return
	}
	q.Add(" AND (t.dept_id IN (:scope_depts) OR t.id = :scope_self)")
	q.Args()["scope_depts"], q.Args()["scope_self"] = who.Scope.Depts, int64(0)
	if who.Scope.Self {
		q.Args()["scope_self"] = who.UserID
	}
}

func (s *Service) checkUser(ctx context.Context, old, row *User) error {
	if err := checkUsername(ctx, row.Username); err != nil {
		return err
	}
	if row.Nickname == "" {
		row.Nickname = row.Username
	}
	if err := checkAvatar(ctx, row.Avatar); err != nil {
		return err
	}
	if old != nil {
		if err := s.mayManage(ctx, *old); err != nil {
			return err
		}
	} else if err := s.checkQuota(ctx); err != nil {
		return err
	}
	if err := checkUnique(ctx, row); err != nil {
		return err
	}
	if old == nil || old.DeptID != row.DeptID {
		if err := s.checkMove(ctx, old, row.DeptID); err != nil {
			return err
		}
	}
	return checkUserPosts(ctx, old, row)
}

// checkMove admits a department; the roles of a user who moves may show him more there.
func (s *Service) checkMove(ctx context.Context, old *User, dept int64) error {
	if err := checkUserDept(ctx, dept); err != nil || old == nil {
		return err
	}
	assigned, err := store.Select[Role](ctx, sqlRolesOfUser, store.Args{"user": old.ID})
	if err != nil {
		return err
	}
	return s.mayGrantScope(ctx, assigned, dept)
}

func (s *Service) checkQuota(ctx context.Context) error {
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	if err != nil {
		return err
	}
	n, _, err := store.Get[int64](ctx, sqlUserCount, nil)
	if err != nil || n >= int64(state.row.AccountCount) {
		return orElse(err, errUserCount.With(state.row.AccountCount))
	}
	return nil
}

func checkUnique(ctx context.Context, row *User) error {
	id, ok, err := store.Get[int64](ctx, sqlUserByName, store.Args{"username": strings.ToLower(row.Username)})
	if err != nil || ok && id != row.ID {
		return orElse(err, fielded(ctx, errUsernameTaken.With(), "username"))
	}
	if row.Mobile != "" {
		if id, ok, err = store.Get[int64](ctx, sqlUserByMobile, store.Args{"mobile": row.Mobile}); err != nil || ok && id != row.ID {
			return orElse(err, fielded(ctx, errMobileTaken.With(), "mobile"))
		}
	}
	if row.Email != "" {
		if id, ok, err = store.Get[int64](ctx, sqlUserByEmail, store.Args{"email": strings.ToLower(row.Email)}); err != nil || ok && id != row.ID {
			return orElse(err, fielded(ctx, errEmailTaken.With(), "email"))
		}
	}
	return nil
}

// checkUserDept takes enabled departments within the caller's data scope only.
func checkUserDept(ctx context.Context, id int64) error {
	if !withinScope(actor.From(ctx), id) {
		return say(ctx, "deptId", "请选择您管理范围内的部门", "choose a department within your scope")
	}
	if id == 0 {
		return nil
	}
	d, err := depts.Get(ctx, id)
	if errs.Is(err, errs.ErrNoRecord) {
		return say(ctx, "deptId", "部门不存在", "no such department")
	}
	if err == nil && d.Status != 0 {
		return fielded(ctx, errDeptDisabled.With(d.Name), "deptId")
	}
	return err
}

func checkUserPosts(ctx context.Context, old, row *User) error {
	if row.PostIDs.V == nil {
		row.PostIDs.V = []int64{}
	}
	if len(row.PostIDs.V) == 0 || old != nil && slices.Equal(old.PostIDs.V, row.PostIDs.V) {
		return nil
	}
	list, err := store.Select[Post](ctx, sqlPostsByID, store.Args{"ids": row.PostIDs.V})
	if err != nil || len(list) != len(row.PostIDs.V) {
		return orElse(err, say(ctx, "postIds", "岗位不存在", "no such post"))
	}
	for _, p := range list {
		if p.Status != 0 && (old == nil || !slices.Contains(old.PostIDs.V, p.ID)) {
			return fielded(ctx, errPostDisabled.With(p.Name), "postIds")
		}
	}
	return nil
}

func (s *Service) deleteUser(ctx context.Context, row User) error {
	if err := s.checkLeaving(ctx, row); err != nil {
		return err
	}
	if _, err := store.Exec(ctx, sqlDropUser, store.Args{"user": row.ID}); err != nil {
		return err
	}
	return s.EndSessions(ctx, row.ID)
}

// checkLeaving refuses to take away an account that the caller may not touch or that
// nobody could bring back.
func (s *Service) checkLeaving(ctx context.Context, row User) error {
	if row.ID == actor.From(ctx).UserID {
		return errUserSelf.With()
	}
	if err := s.mayManage(ctx, row); err != nil {
		return err
	}
	return checkLastSuper(ctx, row.ID)
}

func checkLastSuper(ctx context.Context, user int64) error {
	is, _, err := store.Get[int64](ctx, sqlIsSuper, store.Args{"user": user})
	if err != nil || is == 0 {
		return err
	}
	others, _, err := store.Get[int64](ctx, sqlOtherSupers, store.Args{"user": user})
	if err != nil || others == 0 {
		return orElse(err, errLastSuper.With())
	}
	return nil
}

// NewUser is an account to be made. Either Password or PasswordHash is given; inside a
// Write only the hash may be. Roles are codes; Type 0 means 2.
type NewUser struct {
	Username, Password, PasswordHash string
	Nickname, Email, Mobile, Avatar  string
	Remark, Introduction             string
	Type, Sex                        int
	DeptID                           int64
	PostIDs                          []int64
	Roles                            []string
}

// CreateUser makes an account in the tenant of ctx with all checks of the create call.
func (s *Service) CreateUser(ctx context.Context, in NewUser) (int64, error) {
	hash, err := hashOf(ctx, in.Username, in.Password, in.PasswordHash)
	if err != nil {
		return 0, err
	}
	row := User{Username: in.Username, Password: hash, Nickname: in.Nickname, Type: in.Type, Remark: in.Remark, Introduction: in.Introduction,
		DeptID: in.DeptID, PostIDs: store.JSON[[]int64]{V: in.PostIDs}, Email: in.Email, Mobile: in.Mobile, Sex: in.Sex, Avatar: in.Avatar}
	if row.Type == 0 {
		row.Type = actor.Teacher
	}
	err = store.Write(ctx, func(ctx context.Context) error {
		if err := s.users.Save(ctx, nil, &row); err != nil {
			return err
		}
		return s.GrantRoles(ctx, row.ID, in.Roles...)
	})
	return row.ID, err
}

func (s *Service) createUser(ctx context.Context, r web.RawRequest) (any, error) {
	var row User
	body, err := decode(ctx, s.users.Fields(), r.Body, &row)
	if err != nil {
		return nil, err
	}
	row.Type = actor.Teacher
	switch string(body["type"]) {
	case "", "null", "2", `"2"`:
	case "1", `"1"`:
		row.Type = actor.Student
	default:
		return nil, say(ctx, "type", "用户类型 应为学生或教师", "the user type is 1 or 2")
	}
	if row.Password, err = hashOf(ctx, row.Username, textOf(body["password"]), ""); err != nil {
		return nil, err
	}
	err = store.Write(ctx, func(ctx context.Context) error { return s.users.Save(ctx, nil, &row) })
	return row.ID, err
}

type passwordInput struct {
	ID       int64  `json:"id" required:"true" minimum:"1" doc:"用户编号|User"`
	Password string `json:"password" required:"true" maxLength:"256" doc:"新密码|New password"`
}

func (s *Service) resetPassword(ctx context.Context, in passwordInput) (bool, error) {
	target, err := s.users.Read(ctx, in.ID)
	if err != nil {
		return false, err
	}
	hash, err := newHash(ctx, "password", target.Username, in.Password)
	if err != nil {
		return false, err
	}
	return true, store.Write(ctx, func(ctx context.Context) error {
		if err := s.mayManage(ctx, target); err != nil {
			return err
		}
		return s.setPassword(ctx, in.ID, hash)
	})
}

// setPassword stores a new hash, lifts a lock and ends every session but the caller's.
func (s *Service) setPassword(ctx context.Context, user int64, hash string) error {
	row, err := users.Change(ctx, user, func(u *User) error {
		u.Password = hash
		return nil
	})
	if err != nil {
		return err
	}
	if err := forgetFailures(ctx, row.Username); err != nil {
		return err
	}
	who := actor.From(ctx)
	if who.UserID != user {
		return s.EndSessions(ctx, user)
	}
	return s.endOtherSessions(ctx, user, who.SessionID)
}

func (s *Service) setUserStatus(ctx context.Context, in statusInput) (bool, error) {
	target, err := s.users.Read(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if in.Status != 0 {
		err = s.checkLeaving(ctx, target)
	} else {
		err = s.mayManage(ctx, target)
	}
	if err != nil {
		return false, err
	}
	if _, err = users.Change(ctx, in.ID, func(u *User) error {
		u.Status = in.Status
		return nil
	}); err != nil {
		return false, err
	}
	if in.Status != 0 {
		if err := s.EndSessions(ctx, in.ID); err != nil {
			return false, err
		}
	}
	return true, s.userChanged(ctx, target.TenantID, in.ID)
}
