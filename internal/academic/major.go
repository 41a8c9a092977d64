package academic

import (
	"context"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Major is a discipline of a college that students are enrolled in.
type Major struct {
	ID           int64               `json:"id"`
	Code         string              `json:"code" label:"专业代码|Code" in:"required,min=4,max=10" q:"like" unique:"tenant"`
	Name         string              `json:"name" label:"专业名称|Name" in:"required,max=60" q:"like"`
	DeptID       int64               `json:"deptId" label:"学院|College" in:"required,ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	DeptName     string              `json:"deptName" label:"学院名称|College name" view:"join"`
	DegreeType   int                 `json:"degreeType" label:"学位类型|Degree type" in:"required,dict=thesis_degree_type" q:"eq"`
	DegreeLevels store.JSON[[]int64] `json:"degreeLevels" label:"培养层次|Degree levels" in:"kind=refs,max=3"`
	IsEnable     int                 `json:"isEnable" label:"启用|Enabled" in:"required,dict=is_enable" q:"eq"`
	crud.Meta
}

var majors = table.New[Major]("thesis_major", "专业")

// simpleMajor is what selectors need of a major.
type simpleMajor struct {
	ID     int64  `json:"id"`
	Code   string `json:"code"`
	Name   string `json:"name"`
	DeptID int64  `json:"deptId"`
}

const (
	sqlMajorsSimple = `SELECT id, code, name, dept_id FROM thesis_major WHERE tenant_id = :tenant AND deleted = false AND is_enable = 1 ORDER BY code LIMIT 5000`
	sqlMajorUsed    = `SELECT COUNT(*) FROM thesis_student WHERE tenant_id = :tenant AND deleted = false AND major_id = :id`
	sqlMajorFind    = `SELECT id, code, name, dept_id FROM thesis_major WHERE tenant_id = :tenant AND deleted = false AND (code = :text OR name = :text) ORDER BY id LIMIT 1`
)

var errMajorUsed = errs.Define(1070008001, errs.Conflict, "该专业下还有 {} 名学生，不能删除；可以改为停用", "{} students belong to this major; disable it instead of deleting")

func mountMajors(m *web.Module) {
	r := crud.Mount[Major](m, "major", "专业|Major", crud.Order("t.code"), crud.Import,
		crud.Simple("code", "name", "deptId"), crud.Without("list-all-simple", "simple-list"))
	r.View = crud.View{Columns: ", COALESCE(d.name, '') AS dept_name", Joins: " LEFT JOIN system_dept d ON d.id = t.dept_id AND d.tenant_id = t.tenant_id"}
	r.BeforeDelete = func(ctx context.Context, row Major) error {
		n, _, err := store.Get[int64](ctx, sqlMajorUsed, store.Args{"id": row.ID})
		if err == nil && n > 0 {
			return errMajorUsed.With(n)
		}
		return err
	}
	for _, path := range []string{"/major/list-all-simple", "/major/simple-list"} {
		web.Get(m, path, web.SignedIn, func(ctx context.Context, _ web.None) ([]simpleMajor, error) {
			return store.Select[simpleMajor](ctx, sqlMajorsSimple, nil)
		}, web.Title("专业精简列表"))
	}
}
