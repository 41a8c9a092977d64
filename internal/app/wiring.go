package app

import (
	"context"

	"viva/internal/academic"
	"viva/internal/identity"
	"viva/internal/infra"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/system"
	"viva/internal/thesis"
	"viva/internal/workflow"
)

// thesisDeps lends the thesis module what lower modules know.
func (a *App) thesisDeps() thesis.Deps {
	return thesis.Deps{
		Notify:        system.Notify,
		UsersWithRole: a.Identity.UsersWithRole,
		GrantRoles:    a.Identity.GrantRoles,
		DeptSubtree:   a.Identity.DeptSubtree,
		FileOf: func(ctx context.Context, id int64) (thesis.File, error) {
			f, err := infra.FileOf(ctx, id)
			return thesis.File{ID: f.ID, Name: f.Name, Size: f.Size, SHA256: f.SHA256, Mime: f.Type, Slot: f.Slot}, err
		},
		Workflow: a.Workflow,
		Attach:   infra.Attach,
		Release:  infra.Release,
		OnAccess: func(owner string, fn func(context.Context, int64) (bool, error)) {
			infra.OnAccess(owner, fn)
		},
	}
}

// workflowFiles lets files of decisions be read by whoever may read the instance.
func (a *App) workflowFiles() {
	a.Workflow.Files = &workflow.Files{
		Attach:  infra.Attach,
		Release: infra.Release,
		Of: func(ctx context.Context, id int64) (workflow.AttachedFile, error) {
			f, err := infra.FileOf(ctx, id)
			return workflow.AttachedFile{ID: f.ID, Name: f.Name, Size: f.Size}, err
		},
	}
	infra.OnAccess(workflow.OwnerOfFiles, a.Workflow.MayReadFiles)
}

// account finds or makes the system user of a new student. An account of staff that has
// the name by chance is never bound to him.
func (a *App) account(ctx context.Context, in academic.Account) (int64, error) {
	id, found, err := a.Identity.UserIDByName(ctx, in.Username)
	if err != nil {
		return 0, err
	}
	if found {
		known, err := a.Identity.UsersByID(ctx, []int64{id})
		if err == nil && known[id].UserType != in.UserType {
			err = errs.Field("studentNo", i18n.Pick(ctx, "与学号同名的账号“"+in.Username+"”是教职工账号；请核对学号，或先由管理员修改该账号的用户名",
				"the account named \""+in.Username+"\" belongs to staff; check the student number, or let an administrator rename that account first"))
		}
		return id, err
	}
	return a.Identity.CreateUser(ctx, identity.NewUser{
		Username: in.Username, Nickname: in.Nickname, PasswordHash: noPassword, Type: in.UserType, Sex: in.Sex,
		DeptID: in.DeptID, Mobile: in.Mobile, Email: in.Email,
	})
}

// noPassword matches no password: the account waits for an administrator to set one.
const noPassword = "!"

// completeSession adds the academic part of the session answer.
func (a *App) completeSession(ctx context.Context, info *identity.PermissionInfo) error {
	student, err := a.School.StudentSession(ctx, info.User.ID)
	if err != nil {
		return err
	}
	if student != nil {
		info.StudentDto, info.User.AdvisorID = student, &student.AdvisorID
	}
	teacher, err := a.School.TeacherSession(ctx, info.User.ID)
	if err != nil {
		return err
	}
	if teacher != nil {
		info.TeacherDto, info.User.AdvisorID = teacher, &teacher.ID
	}
	return nil
}
