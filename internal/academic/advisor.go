package academic

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Advisor is a teacher who may supervise students.
type Advisor struct {
	ID               int64                `json:"id"`
	UserID           int64                `json:"userId" label:"账号|Account" in:"ref=system_users:/system/user/list-all-simple" q:"eq"`
	StaffNo          string               `json:"staffNo" label:"工号|Staff no." in:"required,max=20" q:"like" unique:"tenant"`
	Name             string               `json:"name" label:"姓名|Name" in:"required,max=40" q:"like"`
	DeptID           int64                `json:"deptId" label:"学院|College" in:"required,ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	DeptName         string               `json:"deptName" label:"学院名称|College name" view:"join"`
	TitleRank        int                  `json:"titleRank" label:"职称|Title" in:"required,dict=thesis_title_rank" q:"eq"`
	AdvisorLevels    store.JSON[[]string] `json:"advisorLevels" label:"导师类别|Advisor levels" in:"kind=names"`
	QuotaPerYear     int                  `json:"quotaPerYear" label:"每年指标|Quota a year" in:"min=0,max=30"`
	Students         int64                `json:"students" label:"在读学生|Students" view:"join"`
	Disciplines      store.JSON[[]string] `json:"disciplines" label:"学科|Disciplines" in:"kind=names"`
	ResearchKeywords store.JSON[[]string] `json:"researchKeywords" label:"研究方向|Research keywords" in:"kind=names"`
	Employer         string               `json:"employer" label:"工作单位|Employer" in:"max=100"`
	External         bool                 `json:"external" label:"校外|External" in:"optional" q:"eq"`
	Email            string               `json:"email" label:"邮箱|E-mail" in:"kind=email,max=100"`
	OfficeHours      string               `json:"officeHours" label:"答疑时间|Office hours" in:"max=100"`
	IsEnable         int                  `json:"isEnable" label:"启用|Enabled" in:"required,dict=is_enable" q:"eq"`
	crud.Meta
}

var advisors = table.New[Advisor]("thesis_advisor", "导师")

const (
	advisorScope = ` AND (t.dept_id IN (:scope_depts) OR t.user_id = :scope_user)`

	sqlAdvisorsSimple = `SELECT t.id, t.name, t.staff_no, t.dept_id FROM thesis_advisor t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.is_enable = 1
 ORDER BY t.staff_no LIMIT 5000`
	sqlAdvisorOfUser = `SELECT * FROM thesis_advisor WHERE tenant_id = :tenant AND deleted = false AND user_id = :user`
	sqlAdvisorByNo   = `SELECT * FROM thesis_advisor WHERE tenant_id = :tenant AND deleted = false AND staff_no = :no`
	sqlUserType      = `SELECT user_type FROM system_users WHERE tenant_id = :tenant AND deleted = false AND id = :user`
	sqlAdvisorBusy   = `SELECT COUNT(*) FROM thesis_supervision WHERE tenant_id = :tenant AND deleted = false AND advisor_id = :id AND end_date = ''`
)

var errAdvisorBusy = errs.Define(1070008003, errs.Conflict, "该导师仍有 {} 名在读学生，请先更换导师", "This advisor still has {} students; change their advisor first")

type simpleAdvisor struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	StaffNo string `json:"staffNo"`
	DeptID  int64  `json:"deptId"`
}

func (s *Service) mountAdvisors(m *web.Module) {
	r := crud.Mount[Advisor](m, "advisor", "导师|Advisor", crud.Order("t.staff_no"), crud.Import,
		crud.Simple("name", "staffNo", "deptId"), crud.Without("list-all-simple", "simple-list"))
	r.View = crud.View{
		Columns: `, COALESCE(d.name, '') AS dept_name, (SELECT COUNT(*) FROM thesis_supervision c WHERE c.tenant_id = t.tenant_id
 AND c.advisor_id = t.id AND c.end_date = '' AND c.deleted = false) AS students`,
		Joins: " LEFT JOIN system_dept d ON d.id = t.dept_id AND d.tenant_id = t.tenant_id",
	}
	r.Scope = func(ctx context.Context, q *store.Query) {
		if Scoped(ctx, q) {
			q.Add(advisorScope)
		}
	}
	r.BeforeSave, r.AfterSave = checkAdvisor, s.appointed
	r.BeforeDelete = func(ctx context.Context, row Advisor) error {
		n, _, err := store.Get[int64](ctx, sqlAdvisorBusy, store.Args{"id": row.ID})
		if err == nil && n > 0 {
			return errAdvisorBusy.With(n)
		}
		return err
	}
	for _, path := range []string{"/advisor/list-all-simple", "/advisor/simple-list"} {
		web.Get(m, path, web.SignedIn, func(ctx context.Context, _ web.None) ([]simpleAdvisor, error) {
			return store.Select[simpleAdvisor](ctx, sqlAdvisorsSimple, nil)
		}, web.Title("导师精简列表"))
	}
}

// appointed tells the modules above of an account that became an advisor's.
func (s *Service) appointed(ctx context.Context, old, row *Advisor) error {
	if row.UserID == 0 || old != nil && old.UserID == row.UserID {
		return nil
	}
	for _, fn := range s.onAppointed {
		if err := fn(ctx, row.UserID); err != nil {
			return err
		}
	}
	return nil
}

func checkAdvisor(ctx context.Context, old, row *Advisor) error {
	if len(row.Disciplines.V) > 5 {
		return errs.Field("disciplines", text(ctx, "学科最多 5 个", "at most 5 disciplines"))
	}
	if len(row.ResearchKeywords.V) > 20 {
		return errs.Field("researchKeywords", text(ctx, "研究方向最多 20 个", "at most 20 keywords"))
	}
	if err := inScope(ctx, row.DeptID); err != nil {
		return err
	}
	if row.UserID == 0 || old != nil && old.UserID == row.UserID {
		return nil
	}
	kind, _, err := store.Get[int](ctx, sqlUserType, store.Args{"user": row.UserID})
	if err != nil || kind == actor.Student {
		return orField(err, "userId", text(ctx, "这是学生的账号，导师须使用教职工账号", "this is a student's account; an advisor needs one of staff"))
	}
	other, found, err := AdvisorOfUser(ctx, row.UserID)
	if err != nil || found && other.ID != row.ID {
		return orField(err, "userId", text(ctx, "该账号已是另一位导师", "this account belongs to another advisor"))
	}
	return nil
}

// AdvisorOfUser finds the advisor row of a user; ok is false when there is none.
func AdvisorOfUser(ctx context.Context, userID int64) (Advisor, bool, error) {
	if userID <= 0 {
		return Advisor{}, false, nil
	}
	return store.Get[Advisor](ctx, sqlAdvisorOfUser, store.Args{"user": userID})
}

// AdvisorByID reads an advisor of the tenant.
func AdvisorByID(ctx context.Context, id int64) (Advisor, error) { return advisors.Get(ctx, id) }

// Scoped binds :scope_depts and :scope_user for a clause that limits rows to what the
// actor may see, and reports whether the clause is needed: not for the whole tenant.
// Students get no departments, nobody sees nothing.
func Scoped(ctx context.Context, q *store.Query) bool {
	a := actor.From(ctx)
	if WholeTenant(a) {
		return false
	}
	depts := a.Scope.Depts
	if a.UserType == actor.Student {
		depts = nil
	}
	q.Args()["scope_depts"], q.Args()["scope_user"] = depts, a.UserID
	return true
}

// WholeTenant reports whether the actor sees every row of his tenant: the system, or
// staff with data scope "all". Students never do.
func WholeTenant(a actor.Actor) bool {
	return a.Kind == actor.System || a.Kind == actor.User && a.Scope.All && a.UserType != actor.Student
}

// inScope refuses to put a row into a department that the actor does not see.
func inScope(ctx context.Context, deptID int64) error {
	a := actor.From(ctx)
	if WholeTenant(a) {
		return nil
	}
	for _, d := range a.Scope.Depts {
		if d == deptID {
			return nil
		}
	}
	return errs.Field("deptId", text(ctx, "该学院不在您的数据范围内", "this college is outside your data scope"))
}

func text(ctx context.Context, zh, en string) string { return i18n.Pick(ctx, zh, en) }
