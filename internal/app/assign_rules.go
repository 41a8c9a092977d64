package app

import (
	"context"

	"viva/internal/academic"
	"viva/internal/workflow"
)

// assignRules announces who decides thesis tasks, so that diagrams can name them
// (thesis-domain design §4.8). The student is the starter of the instance.
func (a *App) assignRules() {
	a.Workflow.RegisterAssignRule("THESIS_ADVISOR", "论文导师|thesis advisor", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		return academic.AdvisorUsersOf(ctx, f.Starter)
	})
	a.Workflow.RegisterAssignRule("THESIS_COLLEGE_ROLE", "学生所在学院的角色|role in the student's college", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		known, err := a.Identity.UsersByID(ctx, []int64{f.Starter})
		if err != nil || known[f.Starter].DeptID == 0 {
			return nil, err
		}
		return a.Identity.UsersWithRole(ctx, f.Param, []int64{known[f.Starter].DeptID})
	})
	a.Workflow.RegisterAssignRule("THESIS_TENANT_ROLE", "全校的角色|role of the university", func(ctx context.Context, f workflow.AssignFacts) ([]int64, error) {
		return a.Identity.UsersWithRole(ctx, f.Param, nil)
	})
}
