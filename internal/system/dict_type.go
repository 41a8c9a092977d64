package system

import (
	"context"
	"regexp"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// DictType is a dictionary: the set of values that a kind of field may take.
type DictType struct {
	ID     int64  `json:"id" label:"字典主键|Id"`
	Name   string `json:"name" label:"字典名称|Name" in:"required,max=100" q:"like"`
	Type   string `json:"type" label:"字典类型|Type" in:"required,max=100" q:"like"`
	Status int    `json:"status" label:"状态|Status" in:"required,dict=common_status" q:"eq"`
	Remark string `json:"remark" label:"备注|Remark" in:"kind=longtext,max=500"`
	crud.Shared
}

func (s *Service) mountDictTypes(m *web.Module) {
	s.types = crud.Mount[DictType](m, "dict-type", "字典类型|Dictionary type", crud.Permission("system:dict"), crud.Simple("name", "type"))
	s.types.BeforeSave = s.checkDictType
	s.types.AfterSave = func(ctx context.Context, _, _ *DictType) error { return s.dict.changed(ctx) }
	s.types.BeforeDelete = s.freeDictType
}

var dictTypeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

const (
	sqlTypeNamed    = `SELECT COUNT(*) FROM system_dict_type WHERE deleted = false AND name = :name AND id <> :id`
	sqlTypeTyped    = `SELECT COUNT(*) FROM system_dict_type WHERE deleted = false AND type = :type AND id <> :id`
	sqlTypeEntries  = `SELECT COUNT(*) FROM (SELECT 1 AS one FROM system_dict_data WHERE deleted = false AND dict_type = :type LIMIT 1) found`
	sqlTypeByType   = `SELECT status FROM system_dict_type WHERE deleted = false AND type = :type`
	sqlEntryByValue = `SELECT COUNT(*) FROM system_dict_data WHERE deleted = false AND dict_type = :type AND value = :value AND id <> :id`
)

func (s *Service) checkDictType(ctx context.Context, old, row *DictType) error {
	if err := web.OperatorOnly(ctx); err != nil {
		return err
	}
	if !dictTypeForm.MatchString(row.Type) {
		return errs.Field("type", i18n.Pick(ctx, "字典类型只能含字母、数字和下划线，并以字母开头", "Type may hold letters, digits and underscores and starts with a letter"))
	}
	if n, _, err := store.Get[int64](ctx, sqlTypeNamed, store.Args{"name": row.Name, "id": row.ID}); err != nil || n > 0 {
		return firstError(err, errDictTypeName.With())
	}
	if n, _, err := store.Get[int64](ctx, sqlTypeTyped, store.Args{"type": row.Type, "id": row.ID}); err != nil || n > 0 {
		return firstError(err, errDictTypeTaken.With())
	}
	if old != nil && old.Type != row.Type { // its entries would be left without a type
		return refuseUsedType(ctx, old.Type)
	}
	return nil
}

func (s *Service) freeDictType(ctx context.Context, row DictType) error {
	if err := web.OperatorOnly(ctx); err != nil {
		return err
	}
	if err := refuseUsedType(ctx, row.Type); err != nil {
		return err
	}
	return s.dict.changed(ctx)
}

func refuseUsedType(ctx context.Context, dictType string) error {
	if n, _, err := store.Get[int64](ctx, sqlTypeEntries, store.Args{"type": dictType}); err != nil || n > 0 {
		return firstError(err, errDictTypeInUse.With())
	}
	return nil
}

// firstError gives the failure of a check, or its refusal.
func firstError(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}
