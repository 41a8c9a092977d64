package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
)

// studentRoots are the branches of the navigation that belong to students (specification
// §2). The role student owns them as a whole and no other role gets them through a
// permission, since staff pages carry some of the same strings.
var studentRoots = []string{"/study", "/studentEnd", "/myThesis", "/student", "/withdrawal", "/feedback"}

func isStudentMenu(root string) bool { return slices.Contains(studentRoots, root) }

const (
	sqlSeed     = `SELECT fingerprint, content FROM system_seed WHERE scope = :scope`
	sqlKeepSeed = `INSERT INTO system_seed (scope, fingerprint, content) VALUES (:scope, :fingerprint, :content)
 ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, content = excluded.content`
	sqlStandard = `SELECT * FROM system_tenant_package WHERE deleted = false AND standard = true ORDER BY id`
)

type seedMark struct{ Fingerprint, Content string }

// Seed brings an installation up to the program: the system tenant, the menus, and in
// every tenant the roles and what the modules seed. Where nothing changed it costs two
// queries per tenant. ctx carries the database.
func (s *Service) Seed(ctx context.Context, modules []*module.Module) error {
	ctx = actor.AsSystem(ctx, 0)
	ids, err := store.Select[int64](ctx, sqlTenantIDs, nil)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		name := s.options.TenantName
		first := Tenant{Name: name, ContactName: name, AccountCount: 1_000_000, Websites: store.JSON[[]string]{V: []string{}},
			ExpireTime: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()}
		err := store.Write(ctx, func(ctx context.Context) error {
			if err := tenants.Insert(ctx, &first); err != nil {
				return err
			}
			return s.rightsChanged(ctx)
		})
		if err != nil {
			return err
		}
		ids = []int64{first.ID}
	}
	for _, id := range ids {
		if err := s.SeedTenant(actor.AsSystem(ctx, id), modules); err != nil {
			return err
		}
	}
	return nil
}

// SeedTenant seeds the shared menus, the roles of the tenant of ctx and what the modules
// write into a tenant. It is repeatable, keeps what administrators changed, and does
// nothing while the lists of the modules are the same as last time.
func (s *Service) SeedTenant(ctx context.Context, modules []*module.Module) error {
	marks, err := operatorMarksOf(modules)
	if err != nil {
		return err
	}
	s.modules, s.operator = modules, marks
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	if err != nil {
		return err
	}
	return s.seedInto(ctx, state.row.PackageID)
}

// seedInto seeds one tenant from the modules given last.
func (s *Service) seedInto(ctx context.Context, packageID int64) error {
	print, err := fingerprint(s.modules)
	if err != nil {
		return err
	}
	scope := "tenant " + strconv.FormatInt(actor.From(ctx).TenantID, 10)
	last, _, err := store.Get[seedMark](ctx, sqlSeed, store.Args{"scope": scope})
	if err != nil || last.Fingerprint == print {
		return err
	}
	return store.Write(ctx, func(ctx context.Context) error {
		if err := s.seedMenus(ctx, print); err != nil {
			return err
		}
		content, err := s.seedRoles(ctx, packageID, last.Content)
		if err != nil {
			return err
		}
		for _, m := range s.modules {
			if m.Seed == nil {
				continue
			}
			if err := m.Seed(ctx); err != nil {
				return err
			}
		}
		if err := keepSeed(ctx, scope, print, content); err != nil {
			return err
		}
		return s.rightsChanged(ctx)
	})
}

func keepSeed(ctx context.Context, scope, print, content string) error {
	_, err := store.Exec(ctx, sqlKeepSeed, store.Args{"scope": scope, "fingerprint": print, "content": content})
	return err
}

// fingerprint changes when any list of a module does.
func fingerprint(modules []*module.Module) (string, error) {
	sum := sha256.New()
	for _, m := range modules {
		err := json.NewEncoder(sum).Encode([]any{m.Name, m.Menus, m.Dicts, m.Roles, m.Templates, m.Configs, StudentPermissions})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func without(list, known []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(p string) bool { return slices.Contains(known, p) })
}

// mergedRoles unites the roles of all modules by code, in the order of their first mention.
func mergedRoles(modules []*module.Module) []module.Role {
	var list []module.Role
	for _, m := range modules {
		for _, r := range m.Roles {
			at := slices.IndexFunc(list, func(known module.Role) bool { return known.Code == r.Code })
			if at < 0 {
				list = append(list, module.Role{Code: r.Code, Name: r.Name, Scope: r.Scope, Perms: slices.Clone(r.Perms)})
				continue
			}
			known := &list[at]
			if known.Name == "" {
				known.Name = r.Name
			}
			if known.Scope == 0 {
				known.Scope = r.Scope
			}
			known.Perms = append(known.Perms, r.Perms...)
		}
	}
	for i := range list {
		slices.Sort(list[i].Perms)
		list[i].Perms = slices.Compact(list[i].Perms)
	}
	return list
}

// seedRoles makes missing roles and grants permissions that were not granted before, so
// that what an administrator took away stays away. It gives what is granted now.
func (s *Service) seedRoles(ctx context.Context, packageID int64, content string) (string, error) {
	granted := map[string][]string{}
	if content != "" {
		if err := json.Unmarshal([]byte(content), &granted); err != nil {
			return "", err
		}
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return "", err
	}
	admitted := tree.ofOperator()
	if packageID != 0 {
		p, err := packages.Get(ctx, packageID)
		if err != nil {
			return "", err
		}
		admitted = setOf(tree.admissible(p.MenuIDs.V))
	}
	for i, r := range mergedRoles(s.modules) {
		if r.Code == roleSuper && packageID != 0 {
			continue
		}
		role, err := ensureRole(ctx, r, i)
		if err != nil {
			return "", err
		}
		if err := seedRole(ctx, tree, role, without(r.Perms, granted[r.Code]), admitted); err != nil {
			return "", err
		}
		granted[r.Code] = r.Perms
	}
	out, err := json.Marshal(granted)
	return string(out), err
}

func ensureRole(ctx context.Context, r module.Role, sort int) (Role, error) {
	role, ok, err := roleByCode(ctx, r.Code)
	if err != nil || ok {
		return role, err
	}
	role = Role{Name: r.Name, Code: r.Code, Sort: sort, Type: builtIn, DataScope: r.Scope, DataScopeDeptIDs: store.JSON[[]int64]{V: []int64{}}}
	if role.Name == "" {
		role.Name = r.Code
	}
	if role.DataScope == 0 {
		role.DataScope = scopeSelf
	}
	return role, roleTable.Insert(ctx, &role)
}

// seedRole grants menus: the student role its branches and nothing else, the tenant's
// administrator all that the tenant may have, others what carries their permissions.
func seedRole(ctx context.Context, tree *menuTree, role Role, fresh []string, admitted map[int64]bool) error {
	var ids []int64
	switch role.Code {
	case roleSuper:
		return nil
	case roleTenantAdmin:
		ids = slices.Sorted(maps.Keys(admitted))
	case roleStudent:
		ids = tree.studentMenus()
	default:
		ids = tree.carrying(fresh)
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return !admitted[id] })
	if role.Code == roleTenantAdmin || role.Code == roleStudent {
		if _, err := store.Exec(ctx, sqlClearRoleMenus, store.Args{"role": role.ID}); err != nil {
			return err
		}
	}
	return addRoleMenus(ctx, role.ID, ids)
}

// admitted are the menus that tenants may have: all but those of the platform and those
// that modules keep to the operator.
func (t *menuTree) admitted() map[int64]bool {
	into := t.ofOperator()
	for i := range t.list {
		if t.marks.of(t, &t.list[i]) {
			delete(into, t.list[i].ID)
		}
	}
	return into
}

// ofOperator are the menus that the administrators of the operator's own tenant may
// have: all but those of the platform, which need a super administrator.
func (t *menuTree) ofOperator() map[int64]bool {
	into := map[int64]bool{}
	for i := range t.list {
		if !t.isPlatform(&t.list[i]) {
			into[t.list[i].ID] = true
		}
	}
	return into
}

// admissible drops the menus that no tenant may have.
func (t *menuTree) admissible(ids []int64) []int64 {
	admitted := t.admitted()
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return !admitted[id] })
}

// platformKeys begin the seed keys of menus that only the system tenant's own
// administrators use; platformPerms are further strings of that kind.
var (
	platformKeys  = []string{"系统管理/租户管理"}
	platformPerms = []string{"system:menu:create", "system:menu:update", "system:menu:delete"}
)

func (t *menuTree) isPlatform(m *Menu) bool {
	return slices.Contains(platformPerms, m.Permission) ||
		slices.ContainsFunc(platformKeys, func(key string) bool { return m.SeedKey == key || strings.HasPrefix(m.SeedKey, key+"/") })
}

// carrying are the menus with one of the permissions, and those above them.
func (t *menuTree) carrying(permissions []string) []int64 {
	wanted := make(map[string]bool, len(permissions))
	for _, p := range permissions {
		wanted[p] = true
	}
	var ids []int64
	for i := range t.list {
		m := &t.list[i]
		if m.Permission != "" && wanted[m.Permission] && !isStudentMenu(t.root(m).Path) {
			ids = append(ids, m.ID)
		}
	}
	return t.withAncestors(ids)
}

// studentMenus are the branches of students.
func (t *menuTree) studentMenus() []int64 {
	var ids []int64
	for i := range t.list {
		if isStudentMenu(t.root(&t.list[i]).Path) {
			ids = append(ids, t.list[i].ID)
		}
	}
	return ids
}

// StandardPackage gives the package that holds every menu a tenant may have and follows
// the program, and makes it when there is none.
func (s *Service) StandardPackage(ctx context.Context) (id int64, err error) {
	err = store.Write(ctx, func(ctx context.Context) error {
		p, ok, err := store.Get[TenantPackage](ctx, sqlStandard, nil)
		if err != nil || ok {
			id = p.ID
			return err
		}
		tree, err := s.menuTree(ctx)
		if err != nil {
			return err
		}
		p = TenantPackage{Name: "标准套餐", Standard: true, Remark: "包含全部业务菜单，随版本更新自动增加"}
		p.MenuIDs.V = slices.Sorted(maps.Keys(tree.admitted()))
		if err := packages.Insert(ctx, &p); err != nil {
			return err
		}
		id = p.ID
		return s.rightsChanged(ctx)
	})
	return id, err
}
