package thesis

import (
	"context"
	"fmt"
	"slices"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
)

// Roles that decide.
const (
	roleSecretary   = "college_secretary"
	roleDegree      = "grad_degree"
	roleTenantAdmin = "tenant_admin"
	roleSuperAdmin  = "super_admin"
)

// errOwnStudent: nobody decides on a student he supervises, except as advisor.
var errOwnStudent = errs.Define(1070004001, errs.Forbidden, "存在回避关系：您是该学生的导师，本级审批须由其他人办理", "Conflict of interest: you supervise this student; somebody else must decide at this level")

// errDecided: the four eyes of two levels are those of two persons. The texts name the
// level and who can decide there instead.
var errDecided = errs.Define(1070004003, errs.Forbidden, "您已在另一级同意过本次申报，同一人不能审批两级；{}", "You approved this submission on another level, and nobody decides on two levels; {}")

// sqlDeciders are the persons who approved since the form was handed in, the change of its
// title was asked for, or the approval went back to an earlier level, last. It stays true when a supervision or role ends.
const sqlDeciders = `SELECT DISTINCT tr.actor_user_id FROM thesis_transition tr WHERE tr.tenant_id = :tenant AND tr.form_id = :form AND ` + decidedSince

// decidedSince limits transitions tr to the approvals of the present round of a form.
const decidedSince = `tr.actor_kind = 1 AND tr.event IN ('approveTask', 'approveChange') AND tr.id > (SELECT COALESCE(MAX(b.id), 0)
 FROM thesis_transition b WHERE b.tenant_id = tr.tenant_id AND b.form_id = tr.form_id AND b.event IN ('submit', 'changeTitle', 'moveBackProcess'))`

// barred says why the caller must leave the present level of a form to somebody else
// although it would be his; nil when nothing speaks against him.
func (s *Service) barred(ctx context.Context, row Subject, st academic.Student, r rights) error {
	if slices.Contains(r.conflict, row.Level) {
		return errOwnStudent.With()
	}
	if !r.may(row.Level) {
		return nil
	}
	decided, err := store.Select[int64](ctx, sqlDeciders, store.Args{"form": row.ID})
	if err != nil || !slices.Contains(decided, actor.From(ctx).UserID) {
		return err
	}
	others, err := s.candidates(ctx, row, st)
	if err != nil {
		return err
	}
	who := levelNames[row.Level]
	if len(others) == 0 {
		return errDecided.With(i18n.Pick(ctx, "目前没有其他可办理的"+who[0]+"，请联系管理员指定", "there is no other "+who[1]+", ask an administrator to appoint one"))
	}
	return errDecided.With(i18n.Pick(ctx, fmt.Sprintf("请由其他%s（%d 人）办理", who[0], len(others)), fmt.Sprintf("another %s must decide (%d can)", who[1], len(others))))
}

// levelNames are those who decide on a level.
var levelNames = map[Level][2]string{LevelAdvisor: {"导师", "advisor"}, LevelCollege: {"学院秘书", "college secretary"}, LevelGraduate: {"研究生院老师", "member of the degree office"}}

// holds reports whether the actor has exactly this role; a super administrator does not
// decide by being one.
func holds(a actor.Actor, role string) bool { return slices.Contains(a.Roles, role) }

// rights are the levels on which the caller may decide about one student.
type rights struct {
	levels   []Level
	conflict []Level // would be his, were he not the student's advisor
}

func (r rights) may(l Level) bool { return slices.Contains(r.levels, l) }
func (r rights) any() bool        { return len(r.levels)+len(r.conflict) > 0 }

// rightsOn derives the caller's levels: advisor by the main supervision, secretary by
// role and department, degree office by role.
func (s *Service) rightsOn(ctx context.Context, st academic.Student) (rights, error) {
	var r rights
	me := actor.From(ctx)
	if me.Kind != actor.User || me.UserType == actor.Student {
		return r, nil
	}
	advisor, found, err := academic.MainAdvisor(ctx, st.ID)
	if err != nil {
		return r, err
	}
	if found && advisor.UserID == me.UserID {
		r.levels = append(r.levels, LevelAdvisor)
	}
	var roles []Level
	covered, err := s.covers(ctx, st.DeptID)
	if err != nil {
		return r, err
	}
	if covered {
		roles = append(roles, LevelCollege)
	}
	if holds(me, roleDegree) {
		roles = append(roles, LevelGraduate)
	}
	if len(roles) == 0 {
		return r, nil
	}
	conflict, err := academic.Supervises(ctx, me.UserID, st.ID)
	if conflict {
		r.conflict = roles
	} else {
		r.levels = append(r.levels, roles...)
	}
	return r, err
}

// colleges are the departments whose secretary the caller is: his own and those below.
func (s *Service) colleges(ctx context.Context) ([]int64, error) {
	me := actor.From(ctx)
	if !holds(me, roleSecretary) || me.DeptID == 0 {
		return nil, nil
	}
	return s.deps.DeptSubtree(ctx, me.DeptID)
}

func (s *Service) covers(ctx context.Context, deptID int64) (bool, error) {
	list, err := s.colleges(ctx)
	return slices.Contains(list, deptID), err
}

const sqlAdvisorUsers = `SELECT a.user_id FROM thesis_supervision s JOIN thesis_advisor a ON a.id = s.advisor_id AND a.tenant_id = s.tenant_id
 WHERE s.tenant_id = :tenant AND s.deleted = false AND s.student_id = :student AND s.end_date = ''`

// candidates are the users who are told that they may decide on a form at its level:
// never one who supervises the student, except on the advisor's level, nor one who has
// decided on another level of this submission.
func (s *Service) candidates(ctx context.Context, row Subject, st academic.Student) ([]int64, error) {
	level := row.Level
	if level == LevelAdvisor {
		advisor, found, err := academic.MainAdvisor(ctx, st.ID)
		if !found || advisor.UserID == 0 {
			return nil, err
		}
		return []int64{advisor.UserID}, err
	}
	var list []int64
	var err error
	if level == LevelCollege {
		list, err = s.deps.UsersWithRole(ctx, roleSecretary, []int64{st.DeptID})
	} else {
		list, err = s.deps.UsersWithRole(ctx, roleDegree, nil)
	}
	if err != nil {
		return nil, err
	}
	barred, err := store.Select[int64](ctx, sqlAdvisorUsers, store.Args{"student": row.StudentID})
	if err != nil {
		return nil, err
	}
	decided, err := store.Select[int64](ctx, sqlDeciders, store.Args{"form": row.ID})
	barred = append(barred, decided...)
	return slices.DeleteFunc(slices.Clone(list), func(id int64) bool { return slices.Contains(barred, id) }), err
}

// administrators are told what nobody else can act on. The first tenant's hold
// super_admin, those of other tenants tenant_admin.
func (s *Service) administrators(ctx context.Context) ([]int64, error) {
	list, err := s.deps.UsersWithRole(ctx, roleTenantAdmin, nil)
	if err != nil {
		return nil, err
	}
	super, err := s.deps.UsersWithRole(ctx, roleSuperAdmin, nil)
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(list, super)))), err
}
