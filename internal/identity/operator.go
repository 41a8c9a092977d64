package identity

import (
	"fmt"
	"slices"

	"viva/internal/kernel/module"
)

// operatorMarks are the menus and permission strings that modules keep to the operator's
// tenant: what stands behind them is shared by all tenants, and the calls refuse others.
// A tenant never holds them, whatever its package or its roles name.
type operatorMarks struct {
	keys  map[string]bool // of whole nodes
	perms map[string]bool
}

// operatorMarksOf collects the marks and names one that marks nothing.
func operatorMarksOf(modules []*module.Module) (operatorMarks, error) {
	marks := operatorMarks{keys: map[string]bool{}, perms: map[string]bool{}}
	for _, m := range modules {
		if err := marks.add("", m.Menus, false); err != nil {
			return marks, fmt.Errorf("module %s: %w", m.Name, err)
		}
	}
	return marks, nil
}

func (marks operatorMarks) add(above string, list []module.Menu, inherited bool) error {
	for _, m := range list {
		key, whole := above+m.Name, inherited || m.OperatorOnly
		for _, p := range m.Operator {
			if !slices.Contains(m.Perms, p) {
				return fmt.Errorf("menu %s has no button %s to keep to the operator", key, p)
			}
			marks.perms[p] = true
		}
		if whole {
			marks.keys[key] = true
			for _, p := range append(slices.Clone(m.Perms), m.Permission) {
				marks.perms[p] = p != ""
			}
		}
		if err := marks.add(key+"/", m.Children, whole); err != nil {
			return err
		}
	}
	return nil
}

// of reports whether a menu, or one above it, is marked; buttons made by hand count by
// their permission.
func (marks operatorMarks) of(t *menuTree, m *Menu) bool {
	if marks.perms[m.Permission] {
		return true
	}
	for ; m != nil; m = t.byID[m.ParentID] {
		if marks.keys[m.SeedKey] {
			return true
		}
	}
	return false
}
