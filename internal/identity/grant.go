package identity

import (
	"context"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// grant is what one user is and may do, as of the last change. It is shared between
// requests: nobody alters it.
type grant struct {
	user  User
	roles []Role
	menus map[int64]bool // owned, enabled, within the package; nil for super administrators
	actor actor.Actor
}

const sqlMenusOfRoles = `SELECT DISTINCT menu_id FROM system_role_menu WHERE tenant_id = :tenant AND role_id IN (:roles)`

// grantOf gives what the user holds now; errs.ErrNoRecord when there is no such user.
func (s *Service) grantOf(ctx context.Context, tenant, user int64) (*grant, error) {
	return s.state.grants.get(ctx, person{tenant, user}, func(ctx context.Context) (*grant, error) {
		return s.readGrant(actor.AsSystem(ctx, tenant), user)
	})
}

func (s *Service) readGrant(ctx context.Context, id int64) (*grant, error) {
	user, err := users.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	user.Password = ""
	g := &grant{user: user, actor: actor.Actor{Kind: actor.User, UserID: user.ID, UserType: user.Type, TenantID: user.TenantID,
		Username: user.Username, Nickname: user.Nickname, DeptID: user.DeptID, Perms: map[string]bool{}}}
	if user.Type == actor.Student {
		return g, s.readStudent(ctx, g)
	}
	assigned, err := store.Select[Role](ctx, sqlRolesOfUser, store.Args{"user": id})
	if err != nil {
		return nil, err
	}
	g.roles = slices.DeleteFunc(assigned, func(r Role) bool { return r.Status != 0 || r.Code == roleStudent })
	for _, r := range g.roles {
		g.actor.Roles = append(g.actor.Roles, r.Code)
	}
	tree, err := readDeptTree(ctx)
	if err != nil {
		return nil, err
	}
	g.actor.Scope = scopeOf(g.roles, user.DeptID, tree)
	if slices.Contains(g.actor.Roles, roleSuper) {
		g.actor.Perms[actor.Super] = true
		return g, nil
	}
	return g, s.readMenus(ctx, g, g.roles, true)
}

// readStudent gives a student the fixed role with its fixed rights; menus are those of
// the role, which decide what the navigation shows.
func (s *Service) readStudent(ctx context.Context, g *grant) error {
	g.actor.Roles, g.actor.Scope = []string{roleStudent}, actor.Scope{Self: true}
	if role, ok, err := roleByCode(ctx, roleStudent); err != nil {
		return err
	} else if ok {
		g.roles = []Role{role}
	}
	if err := s.readMenus(ctx, g, g.roles, false); err != nil {
		return err
	}
	for _, p := range StudentPermissions {
		g.actor.Perms[p] = true
	}
	return nil
}

func (s *Service) readMenus(ctx context.Context, g *grant, from []Role, permissions bool) error {
	owned, err := s.menusOf(ctx, from)
	if err != nil {
		return err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return err
	}
	g.menus = map[int64]bool{}
	for _, id := range owned {
		if !tree.enabled(id) {
			continue
		}
		g.menus[id] = true
		if p := tree.byID[id].Permission; permissions && p != "" {
			g.actor.Perms[p] = true
		}
	}
	return nil
}

// menusOf are the menus of the roles that the tenant's package admits.
func (s *Service) menusOf(ctx context.Context, from []Role) ([]int64, error) {
	ids := make([]int64, len(from))
	for i, r := range from {
		ids[i] = r.ID
	}
	owned, err := store.Select[int64](ctx, sqlMenusOfRoles, store.Args{"roles": ids})
	if err != nil {
		return nil, err
	}
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	if err != nil || state.menus == nil {
		return owned, err
	}
	return slices.DeleteFunc(owned, func(id int64) bool { return !state.menus[id] }), nil
}

// scopeOf unites the data scopes of enabled roles for a user of the department.
func scopeOf(list []Role, dept int64, tree deptTree) actor.Scope {
	scope := actor.Scope{Self: len(list) == 0}
	seen := map[int64]bool{}
	add := func(ids ...int64) {
		for _, id := range ids {
			if id != 0 && !seen[id] {
				seen[id] = true
				scope.Depts = append(scope.Depts, id)
			}
		}
	}
	for _, r := range list {
		switch r.DataScope {
		case scopeAll:
			return actor.Scope{All: true}
		case scopeListed:
			add(r.DataScopeDeptIDs.V...)
			add(dept)
		case scopeDept:
			add(dept)
		case scopeBelow:
			add(tree.subtree(dept)...)
		case scopeSelf:
			scope.Self = true
		}
	}
	return scope
}

// holdings are the permission strings that roles would give, disabled menus included:
// they may be switched on later.
func (s *Service) holdings(ctx context.Context, from []Role) ([]string, error) {
	if slices.ContainsFunc(from, func(r Role) bool { return r.Code == roleSuper }) {
		return []string{actor.Super}, nil
	}
	owned, err := s.menusOf(ctx, from)
	if err != nil {
		return nil, err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, id := range owned {
		if m := tree.byID[id]; m != nil && m.Permission != "" {
			list = append(list, m.Permission)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// mayGrantRoles refuses when the caller lacks something the roles carry.
func (s *Service) mayGrantRoles(ctx context.Context, list []Role) error {
	missing, err := s.missing(ctx, list)
	if err != nil || missing == "" {
		return err
	}
	return errNotHeld.With(missing)
}

// plainRoles are the built-in roles that decide nothing; the others name people by whom
// modules let approve, so that holding their permission strings is not enough to give them.
var plainRoles = []string{"common", "teacher", roleStudent}

// missing names the first right of the roles that the caller does not hold: a deciding
// role, unless he holds it or administers the tenant, or a permission.
func (s *Service) missing(ctx context.Context, list []Role) (string, error) {
	who := actor.From(ctx)
	if who.Can(actor.Super) || len(list) == 0 {
		return "", nil
	}
	for _, r := range list {
		if r.Type == builtIn && !slices.Contains(plainRoles, r.Code) && !slices.Contains(who.Roles, r.Code) && !slices.Contains(who.Roles, roleTenantAdmin) {
			return r.Name, nil
		}
	}
	rights, err := s.holdings(ctx, list)
	if err != nil {
		return "", err
	}
	for _, p := range rights {
		if !who.Can(p) {
			return p, nil
		}
	}
	return "", nil
}

// mayManage refuses changes to a user who holds rights, or sees rows, that the caller lacks: whoever
// may set a password may sign in with it. Students are exempt, their rights touch own
// rows only. Disabled roles count, they may be switched on later.
func (s *Service) mayManage(ctx context.Context, target User) error {
	who := actor.From(ctx)
	if target.Type == actor.Student || target.ID == who.UserID || who.Kind == actor.System {
		return nil
	}
	assigned, err := store.Select[Role](ctx, sqlRolesOfUser, store.Args{"user": target.ID})
	if err != nil {
		return err
	}
	missing, err := s.missing(ctx, assigned)
	if err != nil {
		return err
	}
	if missing != "" {
		return errOutranked.With(missing)
	}
	return s.mayGrantScope(ctx, assigned, target.DeptID)
}

// mayGrantScope refuses roles that would show a user of the department rows which the
// caller cannot see.
func (s *Service) mayGrantScope(ctx context.Context, list []Role, dept int64) error {
	who := actor.From(ctx)
	if wide(who) || len(list) == 0 {
		return nil
	}
	tree, err := readDeptTree(ctx)
	if err != nil {
		return err
	}
	scope := scopeOf(list, dept, tree)
	if scope.All || slices.ContainsFunc(scope.Depts, func(id int64) bool { return !slices.Contains(who.Scope.Depts, id) }) {
		return errWiderScope.With()
	}
	return nil
}

// Actor resolves a bearer token; part of web.Authenticator.
func (s *Service) Actor(ctx context.Context, token string) (actor.Actor, error) {
	found, err := s.sessionOf(ctx, token)
	if err != nil {
		return actor.Actor{}, err
	}
	g, err := s.grantOf(ctx, found.TenantID, found.UserID)
	if errs.Is(err, errs.ErrNoRecord) || err == nil && g.user.Status != 0 {
		return actor.Actor{}, errs.ErrUnauthenticated.With()
	}
	if err != nil {
		return actor.Actor{}, err
	}
	who := g.actor
	who.SessionID = found.ID
	return who, nil
}
