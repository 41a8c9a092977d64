package identity

import (
	"context"
	"reflect"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/web"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// PermissionInfo is the session answer (contract §4.1 and §7): who the caller is, what
// he may do and see. The modules above complete it through OnPermissionInfo.
type PermissionInfo struct {
	User        *InfoUser   `json:"user"`
	Roles       []string    `json:"roles"`
	Permissions []string    `json:"permissions"`
	Menus       []*MenuNode `json:"menus"`
	StudentDto  any         `json:"studentDto"`
	TeacherDto  any         `json:"teacherDto"`
}

// InfoUser is the caller himself. Type is 1 student, 2 teacher and other staff.
type InfoUser struct {
	ID           int64  `json:"id"`
	Username     string `json:"username"`
	UserName     string `json:"userName"`
	Nickname     string `json:"nickname"`
	Avatar       string `json:"avatar"`
	DeptID       int64  `json:"deptId"`
	Email        string `json:"email"`
	Mobile       string `json:"mobile"`
	Sex          int    `json:"sex"`
	Type         int    `json:"type"`
	Introduction string `json:"introduction"`
	AdvisorID    *int64 `json:"advisorId" nullable:"true"`
}

func (s *Service) permissionInfo(ctx context.Context, _ web.None) (PermissionInfo, error) {
	who := actor.From(ctx)
	g, err := s.grantOf(ctx, who.TenantID, who.UserID)
	if err != nil {
		return PermissionInfo{}, err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return PermissionInfo{}, err
	}
	u := g.user
	info := PermissionInfo{
		User: &InfoUser{ID: u.ID, Username: u.Username, UserName: u.Username, Nickname: u.Nickname, Avatar: u.Avatar, DeptID: u.DeptID,
			Email: u.Email, Mobile: u.Mobile, Sex: u.Sex, Type: u.Type, Introduction: u.Introduction},
		Roles: append([]string{}, g.actor.Roles...), Permissions: g.permissions(tree), Menus: g.tree(ctx, tree),
	}
	for _, hook := range s.onInfo {
		if err := hook(ctx, &info); err != nil {
			return info, err
		}
	}
	return info, nil
}

// permissions are the caller's strings; a super administrator gets all of them and the
// one that stands for all.
func (g *grant) permissions(tree *menuTree) []string {
	list := []string{}
	for p := range g.actor.Perms {
		list = append(list, p)
	}
	if g.actor.Perms[actor.Super] {
		for _, m := range tree.list {
			if m.Permission != "" && tree.enabled(m.ID) {
				list = append(list, m.Permission)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tree is the navigation of the caller; never null.
func (g *grant) tree(ctx context.Context, tree *menuTree) []*MenuNode {
	owned := func(id int64) bool { return g.menus[id] }
	if g.actor.Perms[actor.Super] {
		owned = func(id int64) bool { return !isStudentMenu(tree.root(tree.byID[id]).Path) }
	}
	nodes := tree.nodes(ctx, menuIDsOfRoot, owned)
	if nodes == nil {
		return []*MenuNode{}
	}
	return nodes
}

func (s *Service) menusCall(ctx context.Context, _ web.None) ([]*MenuNode, error) {
	info, err := s.permissionInfo(ctx, web.None{})
	return info.Menus, err
}
