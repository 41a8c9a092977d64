package academic

import (
	"context"
	"embed"
	"io/fs"
	"strconv"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/module"
	"viva/internal/kernel/web"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Account is the system user that a new student needs.
type Account struct {
	Username, Nickname string
	DeptID             int64
	UserType, Sex      int
	Mobile, Email      string
}

// Deps are what the module needs of others. Account finds the user of that name or
// makes one without a usable password; nil leaves students without accounts (tests).
type Deps struct {
	Account func(ctx context.Context, a Account) (int64, error)
}

// Service is the module.
type Service struct {
	deps         Deps
	app          *web.App
	students     *crud.Resource[Student]
	supervisions *crud.Resource[Supervision]
	onChange     []func(ctx context.Context, studentID int64) error
	onDto        []func(ctx context.Context, dto *StudentDto) error
	onAppointed  []func(ctx context.Context, userID int64) error
	inUse        []func(ctx context.Context, studentID int64) (bool, error)
}

// New makes the module.
func New(app *web.App, deps Deps) *Service { return &Service{app: app, deps: deps} }

// OnStudentChanged registers what happens, in the same transaction, after a student or
// his supervision changed. Call it before the server starts.
func (s *Service) OnStudentChanged(fn func(ctx context.Context, studentID int64) error) {
	s.onChange = append(s.onChange, fn)
}

// OnAdvisorAppointed registers what happens, in the same transaction, when an account
// becomes that of an advisor.
func (s *Service) OnAdvisorAppointed(fn func(ctx context.Context, userID int64) error) {
	s.onAppointed = append(s.onAppointed, fn)
}

// OnStudentDto registers who completes the student part of the session answer.
func (s *Service) OnStudentDto(fn func(ctx context.Context, dto *StudentDto) error) {
	s.onDto = append(s.onDto, fn)
}

// OnStudentInUse registers a test that keeps a student from being deleted.
func (s *Service) OnStudentInUse(fn func(ctx context.Context, studentID int64) (bool, error)) {
	s.inUse = append(s.inUse, fn)
}

func (s *Service) changed(ctx context.Context, studentID int64) error {
	for _, fn := range s.onChange {
		if err := fn(ctx, studentID); err != nil {
			return err
		}
	}
	return nil
}

// Migrations are the SQL files of the module.
func Migrations() fs.FS { return migrations }

// Mount declares the calls.
func (s *Service) Mount(app *web.App) {
	m := app.Module("thesis")
	mountMajors(m)
	mountSemesters(m)
	s.mountAdvisors(m)
	s.mountStudents(m)
	s.mountSupervisions(m)
}

// Module describes the module to the app.
func (s *Service) Module() *module.Module {
	return &module.Module{
		Name: "academic", Migrations: []fs.FS{migrations}, Mount: s.Mount,
		Menus: menus, Dicts: dicts, Roles: roles,
	}
}

// found formats the id of a row that was looked for.
func found[T ~int64](id T, ok bool, err error) (string, error) {
	if err != nil || !ok {
		return "", err
	}
	return strconv.FormatInt(int64(id), 10), nil
}
