package academic

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Semester is one academic term; its wire value is Code, "2025-2026-1".
type Semester struct {
	ID           int64  `json:"id"`
	AcademicYear string `json:"academicYear" label:"学年|Academic year" in:"required,max=9" q:"eq"`
	Item         int    `json:"item" label:"学期|Term" in:"required,dict=semester_items" q:"eq"`
	StartDate    string `json:"startDate" label:"开始日期|Starts" in:"required,kind=date"`
	EndDate      string `json:"endDate" label:"结束日期|Ends" in:"required,kind=date"`
	WeekCount    int    `json:"weekCount" label:"教学周数|Weeks" in:"min=1,max=52"`
	IsCurrent    bool   `json:"isCurrent" label:"当前学期|Current" q:"eq"`
	crud.Meta
}

// Code is the dictionary value of academic_year_semesters.
func (s Semester) Code() string { return s.AcademicYear + "-" + strconv.Itoa(s.Item) }

var semesters = table.New[Semester]("thesis_semester", "学期")

const (
	sqlSemesterCurrent = `SELECT * FROM thesis_semester WHERE tenant_id = :tenant AND deleted = false AND is_current = true`
	sqlSemesterOverlap = `SELECT academic_year || '-' || item FROM thesis_semester WHERE tenant_id = :tenant AND deleted = false AND id <> :id
 AND start_date <= :end AND end_date >= :start ORDER BY start_date LIMIT 1`
	sqlSemestersAll = `SELECT id, academic_year, item, start_date, end_date, is_current FROM thesis_semester WHERE tenant_id = :tenant AND deleted = false
 ORDER BY academic_year DESC, item DESC LIMIT 200`
	sqlSemesterSame = `SELECT COUNT(*) FROM thesis_semester WHERE tenant_id = :tenant AND deleted = false AND id <> :id AND academic_year = :year AND item = :item`
)

var (
	errSemesterCurrent = errs.Define(1070008002, errs.Conflict, "当前学期不能删除，请先把另一个学期设为当前学期", "The current semester cannot be deleted; make another one current first")
	yearForm           = regexp.MustCompile(`^(\d{4})-(\d{4})$`)
)

// CurrentSemester gives the current term; ok is false when none is set.
func CurrentSemester(ctx context.Context) (Semester, bool, error) {
	return store.Get[Semester](ctx, sqlSemesterCurrent, nil)
}

type simpleSemester struct {
	ID           int64  `json:"id"`
	AcademicYear string `json:"academicYear"`
	Item         int    `json:"item"`
	StartDate    string `json:"startDate"`
	EndDate      string `json:"endDate"`
	IsCurrent    bool   `json:"isCurrent"`
	Code         string `json:"code" db:"-"`
}

type idQuery struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

func mountSemesters(m *web.Module) {
	r := crud.Mount[Semester](m, "semester", "学期|Semester", crud.Order("t.academic_year DESC, t.item DESC"),
		crud.Simple("academicYear", "item"), crud.Without("list-all-simple", "simple-list"))
	r.BeforeSave = func(ctx context.Context, _, row *Semester) error { return checkSemester(ctx, row) }
	r.BeforeDelete = func(_ context.Context, row Semester) error {
		if row.IsCurrent {
			return errSemesterCurrent.With()
		}
		return nil
	}
	for _, path := range []string{"/semester/list-all-simple", "/semester/simple-list"} {
		web.Get(m, path, web.SignedIn, listSemesters, web.Title("学期精简列表"))
	}
	web.Put(m, "/semester/set-current", web.Perm("thesis:semester:update"), setCurrentSemester, web.Title("设为当前学期"))
}

func listSemesters(ctx context.Context, _ web.None) ([]simpleSemester, error) {
	list, err := store.Select[simpleSemester](ctx, sqlSemestersAll, nil)
	for i := range list {
		list[i].Code = list[i].AcademicYear + "-" + strconv.Itoa(list[i].Item)
	}
	return list, err
}

func checkSemester(ctx context.Context, row *Semester) error {
	m := yearForm.FindStringSubmatch(row.AcademicYear)
	if m == nil {
		return errs.Field("academicYear", text(ctx, "学年应写作 2025-2026", "the academic year is written 2025-2026"))
	}
	from, _ := strconv.Atoi(m[1])
	to, _ := strconv.Atoi(m[2])
	if to != from+1 {
		return errs.Field("academicYear", text(ctx, "学年应为相邻的两年", "the two years must follow each other"))
	}
	if row.EndDate <= row.StartDate {
		return errs.Field("endDate", text(ctx, "结束日期应晚于开始日期", "the end must be after the start"))
	}
	if n, _, err := store.Get[int64](ctx, sqlSemesterSame, store.Args{"id": row.ID, "year": row.AcademicYear, "item": row.Item}); err != nil || n > 0 {
		return orField(err, "item", text(ctx, "该学年的这个学期已存在", "this term of the year exists already"))
	}
	other, found, err := store.Get[string](ctx, sqlSemesterOverlap, store.Args{"id": row.ID, "start": row.StartDate, "end": row.EndDate})
	if err != nil || found {
		return orField(err, "startDate", fmt.Sprintf(text(ctx, "与学期 %s 的日期重叠", "overlaps with term %s"), other))
	}
	return nil
}

// orField gives err, or a refusal of the field when there is none.
func orField(err error, name, msg string) error {
	if err != nil {
		return err
	}
	return errs.Field(name, msg)
}

// setCurrentSemester moves the mark; the unique index keeps two from being current.
func setCurrentSemester(ctx context.Context, in idQuery) (bool, error) {
	next, err := semesters.Get(ctx, in.ID)
	if err != nil {
		return false, err
	}
	old, found, err := CurrentSemester(ctx)
	if err != nil || found && old.ID == next.ID {
		return err == nil, err
	}
	if found {
		if _, err := semesters.Change(ctx, old.ID, func(s *Semester) error { s.IsCurrent = false; return nil }); err != nil {
			return false, err
		}
	}
	_, err = semesters.Change(ctx, next.ID, func(s *Semester) error { s.IsCurrent = true; return nil })
	return err == nil, err
}
