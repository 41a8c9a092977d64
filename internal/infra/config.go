package infra

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Config is a parameter of the installation, shared by all tenants. Type 1 is built in
// and stays. An invisible one is never given out by its key; its value may be a secret,
// so that the audit log masks it.
type Config struct {
	ID       int64  `json:"id" label:"参数配置序号|Id"`
	Category string `json:"category" label:"参数分类|Category" in:"required,max=50"`
	Name     string `json:"name" label:"参数名称|Name" in:"required,max=100" q:"like"`
	Key      string `json:"key" label:"参数键名|Key" in:"required,max=100" q:"like" db:"config_key"`
	Value    string `json:"value" label:"参数键值|Value" in:"required,max=500" audit:"-"`
	Type     int    `json:"type" label:"参数类型|Type" in:"-,dict=infra_config_type" q:"eq"`
	Visible  bool   `json:"visible" label:"是否可见|Visible" in:"required"`
	Remark   string `json:"remark" label:"备注|Remark" in:"kind=longtext,max=500"`
	crud.Shared
}

const (
	builtIn = 1
	custom  = 2
)

const (
	sqlConfigKeyed = `SELECT COUNT(*) FROM infra_config WHERE deleted = false AND config_key = :key AND id <> :id`
	sqlConfigByKey = `SELECT value, visible FROM infra_config WHERE deleted = false AND config_key = :key`
	sqlConfigKeys  = `SELECT config_key FROM infra_config`
)

func (s *Service) mountConfigs(m *web.Module) {
	s.configs = crud.Mount[Config](m, "config", "参数配置|Parameter")
	s.configs.Scope = func(ctx context.Context, q *store.Query) {
		q.If(actor.From(ctx).TenantID != web.Operator, " AND 1 = 0", "", nil)
	}
	s.configs.BeforeSave = checkConfig
	s.configs.AfterSave = auditVisible
	s.configs.BeforeDelete = func(ctx context.Context, row Config) error {
		if row.Type == builtIn {
			return errConfigBuiltIn.With()
		}
		return web.OperatorOnly(ctx)
	}
	web.Get(m, "/config/get-value-by-key", web.SignedIn, valueByKey, web.Title("按键名读取参数值"))
}

func checkConfig(ctx context.Context, old, row *Config) error {
	if err := web.OperatorOnly(ctx); err != nil {
		return err
	}
	if old == nil {
		row.Type = custom
	}
	if old != nil && old.Type == builtIn && old.Key != row.Key { // the program asks for it by this key
		return errs.Field("key", i18n.Pick(ctx, "系统内置参数的键名不能修改", "The key of a built-in parameter cannot be changed"))
	}
	n, _, err := store.Get[int64](ctx, sqlConfigKeyed, store.Args{"key": row.Key, "id": row.ID})
	if err == nil && n > 0 {
		err = errConfigTaken.With()
	}
	return err
}

// auditVisible adds the plain values to the log where they are no secret.
func auditVisible(ctx context.Context, old, row *Config) error {
	if old == nil || old.Value == row.Value || !old.Visible || !row.Visible {
		return nil
	}
	return audit.Record(ctx, audit.Entry{Table: "infra_config", Title: "参数配置", RowID: row.ID, Op: audit.Updated,
		Before: map[string]any{"value": old.Value}, After: map[string]any{"value": row.Value}})
}

type keyIn struct {
	Key string `query:"key" required:"true" minLength:"1" maxLength:"100" doc:"参数键名|Key"`
}

type configValue struct {
	Value   string
	Visible bool
}

// valueByKey gives the value, null for an unknown key.
func valueByKey(ctx context.Context, in keyIn) (*string, error) {
	row, ok, err := store.Get[configValue](ctx, sqlConfigByKey, store.Args{"key": in.Key})
	if err != nil || !ok {
		return nil, err
	}
	if !row.Visible {
		return nil, errConfigHidden.With()
	}
	return &row.Value, nil
}

// ConfigValue reads a parameter for the program itself, whether it is visible or not;
// empty when there is none.
func ConfigValue(ctx context.Context, key string) (string, error) {
	row, _, err := store.Get[configValue](ctx, sqlConfigByKey, store.Args{"key": key})
	return row.Value, err
}

// InitialPassword gives the first password of imported users, empty when none is set.
func (s *Service) InitialPassword(ctx context.Context) (string, error) {
	return ConfigValue(ctx, keyInitPassword)
}

// number reads a whole-number parameter; a value that is none counts as the fallback.
func number(ctx context.Context, key string, fallback int64) (int64, error) {
	text, err := ConfigValue(ctx, key)
	if err != nil {
		return 0, err
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && n >= 0 {
		return n, nil
	}
	return fallback, nil
}

// seedConfigs writes the parameters of all modules that were never there.
func (s *Service) seedConfigs(ctx context.Context) error {
	known := map[string]bool{}
	keys, err := store.Select[string](ctx, sqlConfigKeys, nil)
	if err != nil {
		return err
	}
	for _, k := range keys {
		known[k] = true
	}
	list := []*module.Module{{Configs: configs}}
	if s.Modules != nil {
		list = append(list, s.Modules()...)
	}
	for _, m := range list {
		for _, c := range m.Configs {
			if known[c.Key] {
				continue
			}
			known[c.Key] = true
			row := Config{Category: c.Category, Name: c.Name, Key: c.Key, Value: c.Value, Type: builtIn, Visible: c.Visible, Remark: c.Remark}
			if err := s.configs.Table.Insert(ctx, &row); err != nil {
				return fmt.Errorf("infra: seed parameter %s: %w", c.Key, err)
			}
		}
	}
	return nil
}
