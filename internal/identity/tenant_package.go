package identity

import (
	"context"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// TenantPackage is the set of menus that its tenants may use. The standard package
// follows the program: menus of new modules join it by themselves.
type TenantPackage struct {
	ID       int64               `json:"id"`
	Name     string              `json:"name" label:"套餐名称|Package" in:"required,max=30" q:"like"`
	Status   int                 `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	Remark   string              `json:"remark" label:"备注|Remark" in:"max=256" q:"like"`
	MenuIDs  store.JSON[[]int64] `json:"menuIds" db:"menu_ids" label:"菜单|Menus" in:"required,kind=refs,max=5000"`
	Standard bool                `json:"standard"`
	table.Stamp
}

var packages = table.New[TenantPackage]("system_tenant_package", "租户套餐")

const (
	sqlPackageByName = `SELECT id FROM system_tenant_package WHERE deleted = false AND name = :name`
	sqlTenantCount   = `SELECT COUNT(*) FROM system_tenant WHERE deleted = false AND package_id = :package`
	sqlTrimRoles     = `DELETE FROM system_role_menu WHERE tenant_id = :tenant AND menu_id NOT IN (:menus)`
)

func (s *Service) mountPackages() {
	r := crud.Mount[TenantPackage](s.m, "tenant-package", "租户套餐|Tenant package", crud.Simple("name"), crud.Alias("simple-list", "get-simple-list"))
	r.Scope = s.platformOnly
	r.BeforeSave = s.checkPackage
	r.AfterSave = s.packageChanged
	r.BeforeDelete = func(ctx context.Context, row TenantPackage) error {
		n, _, err := store.Get[int64](ctx, sqlTenantCount, store.Args{"package": row.ID})
		if err != nil || n > 0 {
			return orElse(err, errPackageUsed.With())
		}
		return nil
	}
}

func (s *Service) checkPackage(ctx context.Context, old, row *TenantPackage) error {
	if ok, err := s.platform(ctx); err != nil || !ok {
		return orElse(err, errs.ErrForbidden.With())
	}
	id, ok, err := store.Get[int64](ctx, sqlPackageByName, store.Args{"name": row.Name})
	if err != nil || ok && id != row.ID {
		return orElse(err, fielded(ctx, errPackageName.With(), "name"))
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return err
	}
	for _, id := range row.MenuIDs.V {
		if tree.byID[id] == nil {
			return say(ctx, "menuIds", "选择的菜单不存在，请刷新后重试", "a chosen menu does not exist; reload and try again")
		}
	}
	row.MenuIDs.V = tree.admissible(tree.withAncestors(row.MenuIDs.V))
	if old != nil && !slices.Equal(old.MenuIDs.V, row.MenuIDs.V) {
		row.Standard = false // chosen by hand from now on
	}
	return nil
}

func (s *Service) packageChanged(ctx context.Context, old, row *TenantPackage) error {
	if old == nil || slices.Equal(old.MenuIDs.V, row.MenuIDs.V) {
		return s.rightsChanged(ctx)
	}
	ids, err := store.Select[int64](ctx, sqlTenantsOf, store.Args{"package": row.ID})
	if err != nil {
		return err
	}
	for _, tenant := range ids {
		if err := s.applyPackage(ctx, tenant, row.ID); err != nil {
			return err
		}
	}
	return s.rightsChanged(ctx)
}

// applyPackage gives a tenant's administrator role exactly the package's menus and
// takes the others from all its roles.
func (s *Service) applyPackage(ctx context.Context, tenant, packageID int64) error {
	p, err := packages.Get(ctx, packageID)
	if err != nil {
		return err
	}
	inside := actor.AsSystem(ctx, tenant)
	trimmed, err := store.Exec(inside, sqlTrimRoles, store.Args{"menus": p.MenuIDs.V})
	if err != nil {
		return err
	}
	if err := grantTenantAdmin(inside, p.MenuIDs.V); err != nil {
		return err
	}
	return audit.Record(ctx, audit.Entry{Table: "system_tenant", Title: "租户", RowID: tenant, Op: audit.Event, Tenant: actor.From(ctx).TenantID,
		Action: "按套餐“" + p.Name + "”调整角色菜单", After: map[string]any{"packageId": p.ID, "removed": trimmed}})
}

// grantTenantAdmin makes the menus of the tenant's administrator role exactly these.
func grantTenantAdmin(ctx context.Context, menuIDs []int64) error {
	role, ok, err := roleByCode(ctx, roleTenantAdmin)
	if err != nil || !ok {
		return err
	}
	if _, err := store.Exec(ctx, sqlClearRoleMenus, store.Args{"role": role.ID}); err != nil {
		return err
	}
	return addRoleMenus(ctx, role.ID, menuIDs)
}
