package identity

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Role types of the family.
const (
	builtIn = 1
	custom  = 2
)

// Data scopes (contract §6.3).
const (
	scopeAll    = 1
	scopeListed = 2
	scopeDept   = 3
	scopeBelow  = 4
	scopeSelf   = 5
)

// Role bundles menus and a data scope. Built-in roles are read-only but for their menus.
type Role struct {
	ID               int64               `json:"id"`
	Name             string              `json:"name" label:"角色名称|Role" in:"required,max=30" q:"like"`
	Code             string              `json:"code" label:"角色标识|Code" in:"required,max=100" q:"like"`
	Sort             int                 `json:"sort" label:"显示顺序|Order" in:"min=0,max=99999"`
	Status           int                 `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	Type             int                 `json:"type" label:"角色类型|Type" in:"-,dict=system_role_type"`
	Remark           string              `json:"remark" label:"备注|Remark" in:"max=500"`
	DataScope        int                 `json:"dataScope" label:"数据范围|Data scope" in:"-,dict=system_data_scope"`
	DataScopeDeptIDs store.JSON[[]int64] `json:"dataScopeDeptIds" db:"data_scope_dept_ids" in:"-,kind=refs"`
	table.Meta
}

var roleTable = table.New[Role]("system_role", "角色")

const (
	sqlRoleByCode  = `SELECT * FROM system_role WHERE tenant_id = :tenant AND deleted = false AND code = :code`
	sqlRoleByName  = `SELECT id FROM system_role WHERE tenant_id = :tenant AND deleted = false AND name = :name`
	sqlRolesByID   = `SELECT * FROM system_role WHERE tenant_id = :tenant AND deleted = false AND id IN (:ids) ORDER BY sort, id`
	sqlRolesOfUser = `SELECT r.* FROM system_role r JOIN system_user_role ur ON ur.role_id = r.id
 WHERE r.tenant_id = :tenant AND ur.tenant_id = :tenant AND r.deleted = false AND ur.user_id = :user ORDER BY r.sort, r.id`
	sqlDropRoleUsers  = `DELETE FROM system_user_role WHERE tenant_id = :tenant AND role_id = :role`
	sqlClearRoleMenus = `DELETE FROM system_role_menu WHERE tenant_id = :tenant AND role_id = :role`
)

func roleByCode(ctx context.Context, code string) (Role, bool, error) {
	return store.Get[Role](ctx, sqlRoleByCode, store.Args{"code": code})
}

func (s *Service) mountRoles() {
	r := crud.Mount[Role](s.m, "role", "角色|Role", crud.Order("t.sort, t.id"),
		crud.Simple("name", "code", "sort", "status", "type", "remark", "dataScope", "dataScopeDeptIds", "createTime"))
	r.BeforeSave = s.checkRole
	r.AfterSave = func(ctx context.Context, _, _ *Role) error { return s.rightsChanged(ctx) }
	r.BeforeDelete = s.deleteRole
	web.Put(s.m, "/role/update-status", web.Perm("system:role:update"), func(ctx context.Context, in statusInput) (bool, error) {
		old, err := roleTable.Lock(ctx, in.ID)
		if err != nil {
			return false, err
		}
		row := old
		row.Status = in.Status
		return true, r.Save(ctx, &old, &row)
	}, web.Title("修改角色状态"))
}

type statusInput struct {
	ID     int64 `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Status int   `json:"status" required:"true" enum:"0,1" doc:"状态|Status"`
}

// reserved are codes that clients or code treat as more than a name.
var reserved = []string{roleSuper, "admin", "role_default"}

func (s *Service) checkRole(ctx context.Context, old, row *Role) error {
	if old != nil && old.Type == builtIn {
		return errRoleBuiltIn.With()
	}
	if slices.Contains(reserved, strings.ToLower(row.Code)) {
		return fielded(ctx, errRoleCode.With(row.Code), "code")
	}
	id, ok, err := store.Get[int64](ctx, sqlRoleByName, store.Args{"name": row.Name})
	if err != nil || ok && id != row.ID {
		return orElse(err, fielded(ctx, errRoleNameTaken.With(row.Name), "name"))
	}
	other, ok, err := roleByCode(ctx, row.Code)
	if err != nil || ok && other.ID != row.ID {
		return orElse(err, fielded(ctx, errRoleCodeTaken.With(row.Code), "code"))
	}
	if old == nil {
		row.Type, row.DataScope, row.DataScopeDeptIDs.V = custom, scopeAll, []int64{}
		if !wide(actor.From(ctx)) {
			row.DataScope = scopeSelf
		}
		return nil
	}
	if old.Status != 0 && row.Status == 0 { // its holders gain what it carries
		return s.mayGrantRoles(ctx, []Role{*row})
	}
	return nil
}

func (s *Service) deleteRole(ctx context.Context, row Role) error {
	if row.Type == builtIn {
		return errRoleBuiltIn.With()
	}
	if _, err := store.Exec(ctx, sqlDropRoleUsers, store.Args{"role": row.ID}); err != nil {
		return err
	}
	if _, err := store.Exec(ctx, sqlClearRoleMenus, store.Args{"role": row.ID}); err != nil {
		return err
	}
	return s.rightsChanged(ctx)
}

// rolesByID gives all roles of the ids, or errs.ErrNoRecord when one is missing.
func rolesByID(ctx context.Context, ids []int64) ([]Role, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	list, err := store.Select[Role](ctx, sqlRolesByID, store.Args{"ids": ids})
	if err == nil && len(list) != len(ids) {
		err = errs.ErrNoRecord.With()
	}
	return list, err
}
