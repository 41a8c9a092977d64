package identity

import (
	"context"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

const (
	sqlRoleMenus    = `SELECT menu_id FROM system_role_menu WHERE tenant_id = :tenant AND role_id = :role ORDER BY menu_id`
	sqlAddRoleMenus = `INSERT INTO system_role_menu (tenant_id, role_id, menu_id) SELECT :tenant, r.id, m.id FROM system_role r
 JOIN system_menu m ON m.deleted = false WHERE r.tenant_id = :tenant AND r.id = :role AND m.id IN (:menus)
 ON CONFLICT (tenant_id, role_id, menu_id) DO NOTHING`
	sqlDropRoleMenus = `DELETE FROM system_role_menu WHERE tenant_id = :tenant AND role_id = :role AND menu_id IN (:menus)`
	sqlUserRoles     = `SELECT role_id FROM system_user_role WHERE tenant_id = :tenant AND user_id = :user ORDER BY role_id`
	sqlAddUserRoles  = `INSERT INTO system_user_role (tenant_id, user_id, role_id) SELECT :tenant, u.id, r.id FROM system_users u
 JOIN system_role r ON r.tenant_id = u.tenant_id WHERE u.tenant_id = :tenant AND u.id = :user AND r.id IN (:roles)
 ON CONFLICT (tenant_id, user_id, role_id) DO NOTHING`
	sqlDropUserRoles = `DELETE FROM system_user_role WHERE tenant_id = :tenant AND user_id = :user AND role_id IN (:roles)`
	sqlRolesByCode   = `SELECT id FROM system_role WHERE tenant_id = :tenant AND deleted = false AND code IN (:codes) ORDER BY id`
)

func (s *Service) mountPermissions() {
	assignMenu := web.Perm("system:permission:assign-role-menu")
	for _, name := range []string{"list-role-menus", "list-role-resources"} {
		web.Get(s.m, "/permission/"+name, assignMenu, s.roleMenus, web.Title("角色的菜单"))
	}
	web.Post(s.m, "/permission/assign-role-menu", assignMenu, s.assignRoleMenu, web.Title("设置角色菜单"))
	web.Post(s.m, "/permission/assign-role-data-scope", web.Perm("system:permission:assign-role-data-scope"), s.assignDataScope, web.Title("设置角色数据范围"))
	web.Get(s.m, "/permission/list-user-roles", web.Perm("system:permission:assign-user-role"), s.userRoles, web.Title("用户的角色"))
	web.Post(s.m, "/permission/assign-user-role", web.Perm("system:permission:assign-user-role"), s.assignUserRole, web.Title("设置用户角色"))
}

type roleInput struct {
	RoleID int64 `query:"roleId" required:"true" minimum:"1" doc:"角色|Role"`
}

func (s *Service) roleMenus(ctx context.Context, in roleInput) ([]int64, error) {
	role, err := roleTable.Get(ctx, in.RoleID)
	if err != nil {
		return nil, err
	}
	if role.Code != roleSuper {
		return store.Select[int64](ctx, sqlRoleMenus, store.Args{"role": role.ID})
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]int64, 0, len(tree.list))
	for _, m := range tree.list {
		all = append(all, m.ID)
	}
	return all, nil
}

type roleMenuInput struct {
	RoleID  int64   `json:"roleId" required:"true" minimum:"1" doc:"角色|Role"`
	MenuIDs []int64 `json:"menuIds" maxItems:"5000" doc:"菜单|Menus"`
}

// assignRoleMenu replaces the menus of a role. The caller may tick and untick only what
// he owns himself, within the tenant's package.
func (s *Service) assignRoleMenu(ctx context.Context, in roleMenuInput) (bool, error) {
	role, err := roleTable.Lock(ctx, in.RoleID)
	if err != nil {
		return false, err
	}
	if role.Code == roleSuper || role.Code == roleStudent {
		return false, errRoleBuiltIn.With()
	}
	wanted, err := s.grantable(ctx, in.MenuIDs)
	if err != nil {
		return false, err
	}
	before, err := store.Select[int64](ctx, sqlRoleMenus, store.Args{"role": role.ID})
	if err != nil {
		return false, err
	}
	added, removed := difference(before, wanted)
	if err := s.mustOwn(ctx, append(slices.Clone(added), removed...)); err != nil {
		return false, err
	}
	if err := addRoleMenus(ctx, role.ID, added); err != nil {
		return false, err
	}
	if _, err := store.Exec(ctx, sqlDropRoleMenus, store.Args{"role": role.ID, "menus": removed}); err != nil {
		return false, err
	}
	if len(added)+len(removed) > 0 {
		err = audit.Record(ctx, audit.Entry{Table: "system_role", Title: "角色", RowID: role.ID, Op: audit.Updated, Action: "设置角色“" + role.Name + "”的菜单",
			Before: map[string]any{"removed": removed}, After: map[string]any{"added": added}})
	}
	return true, either(err, s.rightsChanged(ctx))
}

func either(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// grantable drops what does not exist or is outside the tenant's package.
func (s *Service) grantable(ctx context.Context, ids []int64) ([]int64, error) {
	tree, err := s.menuTree(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	return slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id int64) bool {
		return tree.byID[id] == nil || state.menus != nil && !state.menus[id]
	}), err
}

// difference gives what is in b only and in a only.
func difference(a, b []int64) (added, removed []int64) {
	inA, inB := setOf(a), setOf(b)
	added, removed = []int64{}, []int64{}
	for _, id := range b {
		if !inA[id] {
			added = append(added, id)
		}
	}
	for _, id := range a {
		if !inB[id] {
			removed = append(removed, id)
		}
	}
	return added, removed
}

// mustOwn refuses menus that the caller does not own.
func (s *Service) mustOwn(ctx context.Context, ids []int64) error {
	who := actor.From(ctx)
	if who.Can(actor.Super) || len(ids) == 0 {
		return nil
	}
	g, err := s.grantOf(ctx, who.TenantID, who.UserID)
	if err != nil {
		return err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if m := tree.byID[id]; m != nil && !g.menus[id] {
			return errNotHeld.With(i18n.Pick(ctx, m.Name, m.NameEn))
		}
	}
	return nil
}

func addRoleMenus(ctx context.Context, role int64, menuIDs []int64) error {
	if len(menuIDs) == 0 {
		return nil
	}
	_, err := store.Exec(ctx, sqlAddRoleMenus, store.Args{"role": role, "menus": menuIDs})
	return err
}

type dataScopeInput struct {
	RoleID           int64   `json:"roleId" required:"true" minimum:"1" doc:"角色|Role"`
	DataScope        int     `json:"dataScope" required:"true" minimum:"1" maximum:"5" doc:"数据范围|Data scope"`
	DataScopeDeptIDs []int64 `json:"dataScopeDeptIds" maxItems:"500" doc:"部门|Departments"`
}

// assignDataScope is open to callers who see all data: a narrower one could widen his
// own view through a role he holds.
func (s *Service) assignDataScope(ctx context.Context, in dataScopeInput) (bool, error) {
	if !wide(actor.From(ctx)) {
		return false, errWiderScope.With()
	}
	listed := []int64{}
	if in.DataScope == scopeListed {
		listed = slices.Compact(slices.Sorted(slices.Values(in.DataScopeDeptIDs)))
		tree, err := readDeptTree(ctx)
		if err != nil {
			return false, err
		}
		for _, id := range listed {
			if _, ok := tree.parent[id]; !ok {
				return false, say(ctx, "dataScopeDeptIds", "部门不存在", "no such department")
			}
		}
	}
	_, err := roleTable.Change(ctx, in.RoleID, func(r *Role) error {
		if r.Code == roleSuper || r.Code == roleStudent {
			return errRoleBuiltIn.With()
		}
		r.DataScope, r.DataScopeDeptIDs.V = in.DataScope, listed
		return nil
	})
	return true, either(err, s.rightsChanged(ctx))
}

type userInput struct {
	UserID int64 `query:"userId" required:"true" minimum:"1" doc:"用户|User"`
}

func (s *Service) userRoles(ctx context.Context, in userInput) ([]int64, error) {
	if _, err := s.users.Read(ctx, in.UserID); err != nil {
		return nil, err
	}
	return store.Select[int64](ctx, sqlUserRoles, store.Args{"user": in.UserID})
}

type userRoleInput struct {
	UserID  int64   `json:"userId" required:"true" minimum:"1" doc:"用户|User"`
	RoleIDs []int64 `json:"roleIds" maxItems:"100" doc:"角色|Roles"`
}

func (s *Service) assignUserRole(ctx context.Context, in userRoleInput) (bool, error) {
	target, err := s.users.Read(ctx, in.UserID)
	if err != nil {
		return false, err
	}
	if _, err := users.Lock(ctx, target.ID); err != nil {
		return false, err
	}
	if target.Type == actor.Student {
		return false, errStudentRole.With()
	}
	if err := s.mayManage(ctx, target); err != nil {
		return false, err
	}
	before, err := store.Select[int64](ctx, sqlUserRoles, store.Args{"user": target.ID})
	if err != nil {
		return false, err
	}
	added, removed := difference(before, in.RoleIDs)
	if err := s.checkAdded(ctx, target, added); err != nil {
		return false, err
	}
	if err := s.checkRemoved(ctx, target, removed); err != nil {
		return false, err
	}
	return true, s.replaceRoles(ctx, target.ID, added, removed)
}

func (s *Service) checkAdded(ctx context.Context, target User, added []int64) error {
	list, err := rolesByID(ctx, added)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.Code == roleStudent {
			return errStudentRole.With()
		}
		if r.Status != 0 {
			return errRoleDisabled.With(r.Name)
		}
	}
	if err := s.mayGrantRoles(ctx, list); err != nil {
		return err
	}
	return s.mayGrantScope(ctx, list, target.DeptID)
}

func (s *Service) checkRemoved(ctx context.Context, target User, removed []int64) error {
	list, err := store.Select[Role](ctx, sqlRolesByID, store.Args{"ids": removed})
	if err != nil || !slices.ContainsFunc(list, func(r Role) bool { return r.Code == roleSuper }) {
		return err
	}
	return checkLastSuper(ctx, target.ID)
}

func (s *Service) replaceRoles(ctx context.Context, user int64, added, removed []int64) error {
	if len(added)+len(removed) == 0 {
		return nil
	}
	if _, err := store.Exec(ctx, sqlAddUserRoles, store.Args{"user": user, "roles": added}); err != nil {
		return err
	}
	if _, err := store.Exec(ctx, sqlDropUserRoles, store.Args{"user": user, "roles": removed}); err != nil {
		return err
	}
	err := audit.Record(ctx, audit.Entry{Table: "system_users", Title: "用户", RowID: user, Op: audit.Updated, Action: "设置用户角色",
		Before: map[string]any{"removedRoleIds": removed}, After: map[string]any{"addedRoleIds": added}})
	return either(err, s.userChanged(ctx, actor.From(ctx).TenantID, user))
}

// GrantRoles adds roles by code to a user of the tenant of ctx. It is for modules whose
// own rules give a role (seeding, appointments); people go through assign-user-role.
func (s *Service) GrantRoles(ctx context.Context, user int64, codes ...string) error {
	codes = slices.DeleteFunc(slices.Clone(codes), func(c string) bool { return c == roleStudent })
	if len(codes) == 0 {
		return nil
	}
	return store.Write(ctx, func(ctx context.Context) error {
		ids, err := store.Select[int64](ctx, sqlRolesByCode, store.Args{"codes": codes})
		if err != nil {
			return err
		}
		return s.replaceRoles(ctx, user, ids, nil)
	})
}
