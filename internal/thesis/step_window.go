package thesis

import (
	"context"
	"fmt"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// StepWindow is the time in which a step may be handed in, for a semester and a scope
// (0 stands for any college or level); the most specific one counts.
type StepWindow struct {
	ID           int64    `json:"id"`
	Semester     string   `json:"semester" label:"学年学期|Semester" in:"required,dict=academic_year_semesters" q:"eq"`
	StepCode     StepCode `json:"stepCode" label:"环节|Step" in:"required,dict=thesis_step" q:"eq"`
	DeptID       int64    `json:"deptId" label:"学院|College" in:"ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	DegreeLevel  int      `json:"degreeLevel" label:"培养层次(0 不限)|Degree level (0 any)" in:"min=0,max=3" q:"eq"`
	OpenAt       int64    `json:"openAt" label:"开放时间|Opens" in:"required,kind=time"`
	CloseAt      int64    `json:"closeAt" label:"截止时间|Closes" in:"required,kind=time"`
	LateMode     int      `json:"lateMode" label:"逾期处理|After the close" in:"required,dict=thesis_late_mode"`
	GraceMinutes int      `json:"graceMinutes" label:"宽限分钟|Grace minutes" in:"min=0,max=1440"`
	crud.Meta
}

var windows = table.New[StepWindow]("thesis_step_window", "环节窗口")

const (
	// windowScope: a college reads the windows of all and its own.
	windowScope   = ` AND (t.dept_id = 0 OR t.dept_id IN (:scope_depts))`
	sqlWindowSame = `SELECT COUNT(*) FROM thesis_step_window WHERE tenant_id = :tenant AND deleted = false AND id <> :id AND semester = :semester
 AND step_code = :step AND dept_id = :dept AND degree_level = :level`
	sqlWindowsOf = `SELECT * FROM thesis_step_window WHERE tenant_id = :tenant AND deleted = false AND semester = :semester ORDER BY id`
)

func mountWindows(m *web.Module) {
	r := crud.Mount[StepWindow](m, "step-window", "环节窗口|Step window", crud.Order("t.semester DESC, t.step_code, t.id"))
	r.Scope = func(ctx context.Context, q *store.Query) {
		if academic.Scoped(ctx, q) {
			q.Add(windowScope)
		}
	}
	r.BeforeSave = checkWindow
	r.BeforeDelete = func(ctx context.Context, row StepWindow) error { return ownWindow(ctx, row.DeptID) }
	web.Post(m, "/step-window/copy-semester", web.Perm("thesis:step-window:create"), copyWindows, web.Title("复制学期的环节窗口"))
}

func checkWindow(ctx context.Context, old, row *StepWindow) error {
	if row.CloseAt <= row.OpenAt {
		return errs.Field("closeAt", i18n.Pick(ctx, "截止时间应晚于开放时间", "the close must be after the opening"))
	}
	if _, ok := ruleOf(row.StepCode); !ok {
		return errs.Field("stepCode", i18n.Pick(ctx, "没有这个环节", "there is no such step"))
	}
	if err := ownWindow(ctx, row.DeptID); err != nil {
		return err
	}
	if old != nil {
		if err := ownWindow(ctx, old.DeptID); err != nil {
			return err
		}
	}
	n, _, err := store.Get[int64](ctx, sqlWindowSame, store.Args{"id": row.ID, "semester": row.Semester, "step": row.StepCode, "dept": row.DeptID, "level": row.DegreeLevel})
	if err == nil && n > 0 {
		return errs.Field("stepCode", i18n.Pick(ctx, "该学期、环节和范围已有窗口，请修改已有的一条", "a window for this semester, step and scope exists; change that one"))
	}
	return err
}

// ownWindow lets a college change the windows of its own departments only.
func ownWindow(ctx context.Context, deptID int64) error {
	a := actor.From(ctx)
	if academic.WholeTenant(a) {
		return nil
	}
	for _, d := range a.Scope.Depts {
		if d == deptID {
			return nil
		}
	}
	return errs.Field("deptId", i18n.Pick(ctx, "请选择您数据范围内的学院", "choose a college inside your data scope"))
}

type copyIn struct {
	From      string `json:"from" required:"true" maxLength:"11" doc:"来源学期|From"`
	To        string `json:"to" required:"true" maxLength:"11" doc:"目标学期|To"`
	ShiftDays int    `json:"shiftDays" minimum:"-730" maximum:"730" doc:"顺延天数|Days to shift"`
}

// copyWindows copies a semester's windows with shifted dates; existing ones stay.
func copyWindows(ctx context.Context, in copyIn) (int, error) {
	list, err := store.Select[StepWindow](ctx, sqlWindowsOf, store.Args{"semester": in.From})
	if err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return 0, errs.Field("from", fmt.Sprintf(i18n.Pick(ctx, "%s 没有环节窗口", "%s has no windows"), in.From))
	}
	n := 0
	for _, w := range list {
		if ownWindow(ctx, w.DeptID) != nil {
			continue
		}
		same, _, err := store.Get[int64](ctx, sqlWindowSame, store.Args{"id": 0, "semester": in.To, "step": w.StepCode, "dept": w.DeptID, "level": w.DegreeLevel})
		if err != nil {
			return n, err
		}
		if same > 0 {
			continue
		}
		next := w
		next.ID, next.Semester = 0, in.To
		next.OpenAt += int64(in.ShiftDays) * day
		next.CloseAt += int64(in.ShiftDays) * day
		if err := windows.Insert(ctx, &next); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

const day = 24 * 3600 * 1000
