package identity

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// UserFilter are the filters of the user list; an empty one filters nothing.
type UserFilter struct {
	Username   string   `query:"username" maxLength:"100" doc:"登录账号|User name"`
	Nickname   string   `query:"nickname" maxLength:"100" doc:"姓名|Name"`
	Mobile     string   `query:"mobile" maxLength:"30" doc:"手机号码|Mobile"`
	Status     string   `query:"status" enum:"0,1" doc:"状态|Status"`
	Type       string   `query:"type" enum:"1,2" doc:"用户类型|User type"`
	DeptID     int64    `query:"deptId" doc:"部门|Department"`
	RoleID     int64    `query:"roleId" doc:"角色|Role"`
	CreateTime []string `query:"createTime,explode" maxItems:"2" doc:"创建时间|Created"`
}

type userPageInput struct {
	store.Paging
	UserFilter
}

const (
	userListFrom = `FROM system_users t LEFT JOIN system_dept d ON d.tenant_id = t.tenant_id AND d.id = t.dept_id
 LEFT JOIN system_user_login l ON l.tenant_id = t.tenant_id AND l.user_id = t.id WHERE t.tenant_id = :tenant AND t.deleted = false`
	userListColumns = `t.id, t.username, t.nickname, t.user_type, t.remark, t.introduction, t.dept_id, t.post_ids, t.email, t.mobile, t.sex, t.avatar,
 t.status, t.creator, t.create_time, t.updater, t.update_time, t.version, COALESCE(d.name, '') AS dept_name,
 COALESCE(l.login_ip, '') AS login_ip, l.login_date`
	byRole    = ` AND EXISTS (SELECT 1 FROM system_user_role ur WHERE ur.tenant_id = :tenant AND ur.user_id = t.id AND ur.role_id = :role)`
	maxExport = 50_000
)

// query builds the list query of the filter within the caller's data scope.
func (f UserFilter) query(ctx context.Context) (*store.Query, error) {
	q := store.Build(userListFrom, nil).
		If(f.Username != "", ` AND t.username LIKE :username ESCAPE '\'`, "username", store.Contains(f.Username)).
		If(f.Nickname != "", ` AND t.nickname LIKE :nickname ESCAPE '\'`, "nickname", store.Contains(f.Nickname)).
		If(f.Mobile != "", ` AND t.mobile LIKE :mobile ESCAPE '\'`, "mobile", store.Contains(f.Mobile)).
		If(f.Status == "0", " AND t.status = 0", "", nil).
		If(f.Status == "1", " AND t.status = 1", "", nil).
		If(f.Type == "1", " AND t.user_type = 1", "", nil).
		If(f.Type == "2", " AND t.user_type = 2", "", nil).
		If(f.RoleID != 0, byRole, "role", f.RoleID)
	if f.DeptID != 0 {
		tree, err := readDeptTree(ctx)
		if err != nil {
			return nil, err
		}
		q.If(true, " AND t.dept_id IN (:depts)", "depts", tree.subtree(f.DeptID))
	}
	userScope(ctx, q)
	return q, within(ctx, q, f.CreateTime)
}

// within bounds the creation time of rows t; the end second is inclusive.
func within(ctx context.Context, q *store.Query, bounds []string) error {
	for i, text := range bounds {
		ms, ok := field.ParseTime(text)
		if !ok {
			return say(ctx, "createTime", "时间格式不正确，例如 2026-11-21 14:02:00", "not a time such as 2026-11-21 14:02:00")
		}
		if i == 0 {
			q.If(true, " AND t.create_time >= :time_from", "time_from", ms)
		} else {
			q.If(true, " AND t.create_time <= :time_to", "time_to", ms+999)
		}
	}
	return nil
}

func (s *Service) mountUserLists() {
	query := web.Perm("system:user:query", "system:user:list")
	web.Get(s.m, "/user/page", query, s.userPage, web.Title("用户分页"))
	web.Get(s.m, "/user/list", query, s.userList, web.Title("按编号取用户"))
	for _, name := range []string{"export-excel", "export"} {
		web.Stream(s.m, "/user/"+name, web.Perm("system:user:export"), s.exportUsers, web.Title("导出用户"))
	}
	for _, name := range []string{"list-all-simple", "simple-list"} {
		web.Get(s.m, "/user/"+name, web.SignedIn, s.userNames, web.Title("用户精简列表"))
	}
	web.Get(s.m, "/user/get-simple", web.SignedIn, s.userName, web.Title("用户精简信息"))
	web.Get(s.m, "/user/list-by-nickname", web.SignedIn, s.usersByNickname, web.Title("按姓名找用户"))
}

// UserRow is a user in lists. Dept repeats the department for clients of 2023.
type UserRow struct {
	User
	Dept *DeptBrief `json:"dept"`
}

// DeptBrief is a department in other rows.
type DeptBrief struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func rowOf(u User) UserRow {
	row := UserRow{User: u}
	if u.DeptName != "" {
		row.Dept = &DeptBrief{ID: u.DeptID, Name: u.DeptName}
	}
	return row
}

func (s *Service) userPage(ctx context.Context, in userPageInput) (store.Page[UserRow], error) {
	page := store.Page[UserRow]{List: []UserRow{}}
	q, err := in.query(ctx)
	if err != nil {
		return page, err
	}
	found, err := store.SelectPage[User](ctx, userListColumns, q, "t.id DESC", in.Paging)
	page.Total, page.Capped = found.Total, found.Capped
	for _, u := range found.List {
		page.List = append(page.List, rowOf(u))
	}
	return page, err
}

type idsInput struct {
	IDs []int64 `query:"ids,explode" required:"true" minItems:"1" maxItems:"500" doc:"编号|Ids"`
}

func (s *Service) userList(ctx context.Context, in idsInput) ([]UserRow, error) {
	q, err := UserFilter{}.query(ctx)
	if err != nil {
		return nil, err
	}
	q.If(true, " AND t.id IN (:ids)", "ids", in.IDs)
	rows := []UserRow{}
	err = store.Each(ctx, selectUsers(q).SQL(), q.Args(), func(u User) error {
		rows = append(rows, rowOf(u))
		return nil
	})
	return rows, err
}

// selectUsers makes the whole statement of a list query.
func selectUsers(q *store.Query) *store.Query {
	whole := store.Build("SELECT "+userListColumns+" ", q.Args())
	whole.Add(q.SQL())
	whole.Add(" ORDER BY t.id DESC")
	return whole
}

func (s *Service) exportUsers(ctx context.Context, in UserFilter) (*web.Download, error) {
	q, err := in.query(ctx)
	if err != nil {
		return nil, err
	}
	sexes, err := s.labels(ctx, "system_user_sex", map[string]string{"1": "男", "2": "女"})
	if err != nil {
		return nil, err
	}
	states, err := s.labels(ctx, "common_status", map[string]string{"0": "开启", "1": "关闭"})
	if err != nil {
		return nil, err
	}
	headers := []string{"用户编号", "用户名称", "用户昵称", "部门名称", "用户邮箱", "手机号码", "用户性别", "帐号状态", "最后登录IP", "最后登录时间"}
	return sheet("用户数据", "数据", headers, func(add func(...any) error) error {
		n := 0
		return store.Each(ctx, selectUsers(q).SQL(), q.Args(), func(u User) error {
			if n++; n > maxExport {
				return tooManyRows(ctx)
			}
			return add(u.ID, u.Username, u.Nickname, u.DeptName, u.Email, u.Mobile, sexes[strconv.Itoa(u.Sex)], states[strconv.Itoa(u.Status)], u.LoginIP, timeCell(u.LoginDate))
		})
	}), nil
}

func timeCell(ms *int64) any {
	if ms == nil || *ms == 0 {
		return nil
	}
	return time.UnixMilli(*ms)
}

// sheet is a download of one workbook, streamed row by row.
func sheet(name, title string, headers []string, rows func(add func(...any) error) error) *web.Download {
	return &web.Download{Name: name + "-" + clock.Now().In(clock.Shanghai).Format("20060102-1504") + ".xlsx", Type: web.SheetType,
		Write: func(w io.Writer) error {
			out, err := xlsx.NewWriter(w, title, headers)
			if err != nil {
				return err
			}
			defer out.Abort()
			if err := rows(func(cells ...any) error { return out.Row(cells) }); err != nil {
				return err
			}
			return out.Close()
		}}
}

// labels are the labels of a dictionary, or our own while no module keeps dictionaries.
func (s *Service) labels(ctx context.Context, dict string, own map[string]string) (map[string]string, error) {
	if s.app.Dictionary == nil {
		return own, nil
	}
	found, err := s.app.Dictionary(ctx, dict)
	if len(found) == 0 {
		return own, err
	}
	return found, err
}

// UserName is a user in selectors.
type UserName struct {
	ID       int64  `json:"id"`
	Nickname string `json:"nickname"`
	Avatar   string `json:"avatar"`
	Sex      int    `json:"sex"`
	DeptID   int64  `json:"deptId"`
	DeptName string `json:"deptName"`
	Type     int    `json:"type" db:"user_type"`
}

const (
	sqlUserNames = `SELECT t.id, t.nickname, t.avatar, t.sex, t.dept_id, t.user_type, COALESCE(d.name, '') AS dept_name FROM system_users t
 LEFT JOIN system_dept d ON d.tenant_id = t.tenant_id AND d.id = t.dept_id WHERE t.tenant_id = :tenant AND t.deleted = false AND t.status = 0`
	maxNames = 5000
)

// visibleNames are the colleagues of staff, and students within the data scope;
// students see themselves only.
func visibleNames(ctx context.Context) *store.Query {
	who := actor.From(ctx)
	q := store.Build(sqlUserNames, store.Args{"most": maxNames})
	if who.Kind == actor.User && who.UserType == actor.Student {
		return q.If(true, " AND t.id = :self", "self", who.UserID)
	}
	if !wide(who) {
		q.If(true, " AND (t.user_type = 2 OR t.dept_id IN (:scope_depts))", "scope_depts", who.Scope.Depts)
	}
	return q
}

type namesInput struct {
	DeptID int64 `query:"deptId" doc:"部门|Department"`
}

func (s *Service) userNames(ctx context.Context, in namesInput) ([]UserName, error) {
	q := visibleNames(ctx).If(in.DeptID != 0, " AND t.dept_id = :dept", "dept", in.DeptID).Add(" ORDER BY t.id LIMIT :most")
	return store.Select[UserName](ctx, q.SQL(), q.Args())
}

type idInput struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

func (s *Service) userName(ctx context.Context, in idInput) (UserName, error) {
	q := visibleNames(ctx).If(true, " AND t.id = :id", "id", in.ID).Add(" LIMIT :most")
	return store.One[UserName](ctx, q.SQL(), q.Args())
}

type nicknameInput struct {
	Nickname string `query:"nickname" required:"true" minLength:"1" maxLength:"30" doc:"姓名|Name"`
}

func (s *Service) usersByNickname(ctx context.Context, in nicknameInput) ([]UserName, error) {
	q := visibleNames(ctx).If(true, ` AND t.nickname LIKE :nickname ESCAPE '\'`, "nickname", store.Contains(strings.TrimSpace(in.Nickname))).
		Add(" ORDER BY t.id LIMIT 50")
	delete(q.Args(), "most")
	return store.Select[UserName](ctx, q.SQL(), q.Args())
}
