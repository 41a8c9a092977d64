package thesis

import (
	"context"
	"embed"
	"io/fs"

	"viva/internal/academic"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
	"viva/internal/workflow"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Deps are what the module needs of others, as functions: messages, roles, departments
// and files.
type Deps struct {
	// Notify writes internal messages into the current transaction.
	Notify func(ctx context.Context, to []int64, template string, params map[string]any) error
	// UsersWithRole lists the enabled users who hold a role, of the departments or above (nil: any).
	UsersWithRole func(ctx context.Context, role string, deptIDs []int64) ([]int64, error)
	// GrantRoles adds roles by code to a user.
	GrantRoles func(ctx context.Context, user int64, codes ...string) error
	// DeptSubtree lists a department and those below.
	DeptSubtree func(ctx context.Context, id int64) ([]int64, error)
	// FileOf describes a file of the tenant, errs.ErrNoRecord when there is none.
	FileOf func(ctx context.Context, id int64) (File, error)
	// Attach binds files of the caller to a row; files of others are refused.
	Attach func(ctx context.Context, ids []int64, owner string, ownerID int64) error
	// Release undoes Attach for files that the row no longer shows.
	Release func(ctx context.Context, ids []int64, owner string, ownerID int64) error
	// OnAccess registers who may read the files of an owner.
	OnAccess func(owner string, fn func(ctx context.Context, ownerID int64) (bool, error))
	// Workflow runs the approvals.
	Workflow *workflow.Service
}

// Service is the module.
type Service struct {
	app      *web.App
	deps     Deps
	records  *crud.Resource[Record]
	topics   *crud.Resource[Topic]
	subjects *crud.Resource[Subject]
	feedback *crud.Resource[Feedback]
}

// New makes the module over the people of the school, whose changes it follows.
func New(app *web.App, school *academic.Service, deps Deps) *Service {
	s := &Service{app: app, deps: deps}
	school.OnStudentChanged(s.studentChanged)
	school.OnStudentInUse(s.studentInUse)
	school.OnStudentDto(s.completeDto)
	school.OnAdvisorAppointed(func(ctx context.Context, user int64) error { return deps.GrantRoles(ctx, user, roleTeacher) })
	s.assignRules()
	s.ownProcesses()
	if deps.OnAccess != nil {
		deps.OnAccess(ownerRecord, s.fileAccess)
		deps.OnAccess(ownerFeedback, s.feedbackAccess)
	}
	return s
}

// Migrations are the SQL files of the module.
func Migrations() fs.FS { return migrations }

// Mount declares the calls.
func (s *Service) Mount(app *web.App) {
	m := app.Module("thesis")
	s.mountRecords(m)
	s.mountTopics(m)
	s.mountSubjects(m)
	s.mountMyStudents(m)
	s.mountFeedback(m)
	mountWindows(m)
	mountPolicies(m)
}

// Module describes the module to the app.
func (s *Service) Module() *module.Module {
	return &module.Module{Name: "thesis", Migrations: []fs.FS{migrations}, Mount: s.Mount, Work: s.Work,
		Menus: menus, Dicts: dicts, Roles: roles, Templates: templates}
}

// completeDto adds the thesis to the student part of the session answer.
func (s *Service) completeDto(ctx context.Context, dto *academic.StudentDto) error {
	rec, found, err := recordOfStudent(ctx, dto.ID)
	if found {
		dto.RecordID, dto.CurrentStep, dto.LatestEndDate = rec.ID, int(rec.CurrentStep), rec.LatestEndDate
	}
	return err
}
