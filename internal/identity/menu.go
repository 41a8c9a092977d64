package identity

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Menu is a directory, page or button of the application; buttons and pages carry the
// permission strings. Menus are shared by all tenants.
type Menu struct {
	ID            int64  `json:"id"`
	Name          string `json:"name" label:"菜单名称|Menu" in:"required,max=50" q:"like"`
	NameEn        string `json:"nameEn" label:"英文名称|English name" in:"max=100"`
	Permission    string `json:"permission" label:"权限标识|Permission" in:"max=100"`
	Type          int    `json:"type" label:"菜单类型|Type" in:"required,dict=system_menu_type,min=1,max=3"`
	Sort          int    `json:"sort" label:"显示顺序|Order" in:"min=0,max=99999"`
	ParentID      int64  `json:"parentId" label:"上级菜单|Parent" in:"min=0"`
	Path          string `json:"path" label:"路由地址|Path" in:"max=200"`
	Icon          string `json:"icon" label:"菜单图标|Icon" in:"max=100"`
	Component     string `json:"component" label:"组件路径|Component" in:"max=200"`
	ComponentName string `json:"componentName" label:"组件名称|Component name" in:"max=100"`
	Status        int    `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	Visible       bool   `json:"visible" label:"是否显示|Visible" in:"optional"`
	KeepAlive     bool   `json:"keepAlive" label:"是否缓存|Keep alive" in:"optional"`
	AlwaysShow    bool   `json:"alwaysShow" label:"总是显示|Always show" in:"optional"`
	SeedKey       string `json:"-"`
	table.Stamp
}

var menuTable = table.New[Menu]("system_menu", "菜单")

const (
	sqlMenus       = `SELECT * FROM system_menu WHERE deleted = false ORDER BY sort, id`
	sqlDropMenu    = `DELETE FROM system_role_menu WHERE menu_id = :menu`
	maxMenuDepth   = 10
	menuIDsOfRoot  = 0
	menuSnapshotID = 0
)

// menuTree is the whole of the menus in memory, ordered by sort.
type menuTree struct {
	list     []Menu
	byID     map[int64]*Menu
	children map[int64][]*Menu
	marks    operatorMarks
}

func (s *Service) menuTree(ctx context.Context) (*menuTree, error) {
	return s.state.menus.get(ctx, menuSnapshotID, func(ctx context.Context) (*menuTree, error) {
		list, err := store.Select[Menu](ctx, sqlMenus, nil)
		return newMenuTree(list, s.operator), err
	})
}

func newMenuTree(list []Menu, marks operatorMarks) *menuTree {
	t := &menuTree{list: list, marks: marks, byID: make(map[int64]*Menu, len(list)), children: map[int64][]*Menu{}}
	for i := range list {
		t.byID[list[i].ID] = &list[i]
		t.children[list[i].ParentID] = append(t.children[list[i].ParentID], &list[i])
	}
	return t
}

// enabled reports whether the menu and all above it are switched on.
func (t *menuTree) enabled(id int64) bool {
	for depth := 0; depth < maxMenuDepth; depth++ {
		m := t.byID[id]
		if m == nil || m.Status != 0 {
			return false
		}
		if m.ParentID == menuIDsOfRoot {
			return true
		}
		id = m.ParentID
	}
	return false
}

// withAncestors completes a choice by the directories and pages above it, in order of id.
func (t *menuTree) withAncestors(ids []int64) []int64 {
	set := map[int64]bool{}
	for _, id := range ids {
		for m := t.byID[id]; m != nil && !set[m.ID]; m = t.byID[m.ParentID] {
			set[m.ID] = true
		}
	}
	all := make([]int64, 0, len(set))
	for id := range set {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// root is the top of the branch that holds the menu.
func (t *menuTree) root(m *Menu) *Menu {
	for t.byID[m.ParentID] != nil {
		m = t.byID[m.ParentID]
	}
	return m
}

// MenuNode is a menu as the family's clients build their routes from it. Leaf children
// are null: an empty list would become an empty folder.
type MenuNode struct {
	ID            int64       `json:"id"`
	ParentID      int64       `json:"parentId"`
	Name          string      `json:"name"`
	Path          string      `json:"path"`
	Component     *string     `json:"component" nullable:"true"`
	ComponentName *string     `json:"componentName" nullable:"true"`
	Icon          string      `json:"icon"`
	Visible       bool        `json:"visible"`
	KeepAlive     bool        `json:"keepAlive"`
	AlwaysShow    bool        `json:"alwaysShow"`
	Children      []*MenuNode `json:"children" nullable:"true"`
}

// nodes are the directories and pages below parent that the caller owns.
func (t *menuTree) nodes(ctx context.Context, parent int64, owned func(int64) bool) []*MenuNode {
	var list []*MenuNode
	for _, m := range t.children[parent] {
		if m.Type == module.Button || m.Status != 0 || !owned(m.ID) {
			continue
		}
		n := &MenuNode{ID: m.ID, ParentID: m.ParentID, Name: i18n.Pick(ctx, m.Name, m.NameEn), Path: m.Path, Component: optional(m.Component),
			ComponentName: optional(m.ComponentName), Icon: m.Icon, Visible: m.Visible, KeepAlive: m.KeepAlive, AlwaysShow: m.AlwaysShow,
			Children: t.nodes(ctx, m.ID, owned)}
		if m.Type == module.Directory && n.Children == nil {
			continue // nothing in it that the caller may open
		}
		list = append(list, n)
	}
	return list
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (s *Service) mountMenus() {
	r := crud.Mount[Menu](s.m, "menu", "菜单|Menu", crud.Without("page", "export-excel"), crud.Order("t.sort, t.id"))
	r.BeforeSave = s.checkMenu
	r.AfterSave = func(ctx context.Context, _, _ *Menu) error { return s.rightsChanged(ctx) }
	r.BeforeDelete = s.deleteMenu
	web.Get(s.m, "/menu/list", web.Perm("system:menu:query"), s.menuList, web.Title("菜单列表"))
	for _, name := range []string{"list-all-simple", "simple-list"} {
		web.Get(s.m, "/menu/"+name, web.Staff, s.menuSimple, web.Title("可授权的菜单"))
	}
}

// menuEditor refuses everybody but super administrators of the system tenant.
func (s *Service) menuEditor(ctx context.Context) error {
	ok, err := s.platform(ctx)
	if err != nil || !ok || !actor.From(ctx).Can(actor.Super) {
		return orElse(err, errMenuPlatform.With())
	}
	return nil
}

func (s *Service) checkMenu(ctx context.Context, old, row *Menu) error {
	if err := s.menuEditor(ctx); err != nil {
		return err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return err
	}
	if row.Type == module.Button {
		row.Path, row.Icon, row.Component, row.ComponentName = "", "", "", ""
	}
	if err := tree.checkPlace(ctx, row); err != nil {
		return err
	}
	if old != nil && row.Type == module.Button && len(tree.children[row.ID]) > 0 {
		return fielded(ctx, errMenuParentKind.With(), "type")
	}
	for _, other := range tree.list {
		switch {
		case other.ID == row.ID:
		case other.ParentID == row.ParentID && other.Name == row.Name:
			return fielded(ctx, errMenuDuplicate.With(), "name")
		case row.ComponentName != "" && other.ComponentName == row.ComponentName:
			return fielded(ctx, errMenuComponent.With(), "componentName")
		}
	}
	return checkMenuPath(ctx, row)
}

func (t *menuTree) checkPlace(ctx context.Context, row *Menu) error {
	if row.ParentID == menuIDsOfRoot {
		return nil
	}
	parent := t.byID[row.ParentID]
	if parent == nil {
		return fielded(ctx, errMenuParent.With(), "parentId")
	}
	if parent.Type == module.Button {
		return fielded(ctx, errMenuParentKind.With(), "parentId")
	}
	depth := 1
	for m := parent; m != nil; m = t.byID[m.ParentID] {
		if m.ID == row.ID && row.ID != 0 {
			return fielded(ctx, errMenuSelf.With(), "parentId")
		}
		if depth++; depth > maxMenuDepth {
			return say(ctx, "parentId", "菜单最多 10 层", "menus nest 10 levels at most")
		}
	}
	return nil
}

// checkMenuPath keeps the clients' route rule: the top level starts with /, others do not.
func checkMenuPath(ctx context.Context, row *Menu) error {
	external := strings.HasPrefix(row.Path, "http://") || strings.HasPrefix(row.Path, "https://")
	switch {
	case row.Type == module.Button || external:
		return nil
	case row.Path == "":
		return say(ctx, "path", "路由地址 不能为空", "a path is required")
	case row.ParentID == menuIDsOfRoot && !strings.HasPrefix(row.Path, "/"):
		return say(ctx, "path", "顶级菜单的路由地址必须以 / 开头", "a top-level path starts with /")
	case row.ParentID != menuIDsOfRoot && strings.HasPrefix(row.Path, "/"):
		return say(ctx, "path", "下级菜单的路由地址不能以 / 开头", "the path of a lower menu does not start with /")
	}
	return nil
}

func (s *Service) deleteMenu(ctx context.Context, row Menu) error {
	if err := s.menuEditor(ctx); err != nil {
		return err
	}
	tree, err := s.menuTree(ctx)
	if err != nil || len(tree.children[row.ID]) > 0 {
		return orElse(err, errMenuChildren.With())
	}
	across := store.AcrossTenants(ctx, "identity: take a deleted menu from the roles of every tenant")
	if _, err := store.Exec(across, sqlDropMenu, store.Args{"menu": row.ID}); err != nil {
		return err
	}
	return s.rightsChanged(ctx)
}

type menuFilter struct {
	Name   string `query:"name" maxLength:"100" doc:"菜单名称|Menu"`
	Status string `query:"status" enum:"0,1" doc:"状态|Status"`
}

func (s *Service) menuList(ctx context.Context, in menuFilter) ([]Menu, error) {
	tree, err := s.menuTree(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	if err != nil {
		return nil, err
	}
	list := []Menu{}
	for _, m := range tree.list {
		if (in.Name == "" || strings.Contains(strings.ToLower(m.Name), strings.ToLower(in.Name))) &&
			(in.Status == "" || in.Status == "0" == (m.Status == 0)) && (state.menus == nil || state.menus[m.ID]) {
			list = append(list, m)
		}
	}
	return list, nil
}

// MenuName is a menu in the trees where rights are ticked.
type MenuName struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	ParentID int64  `json:"parentId"`
	Type     int    `json:"type"`
}

// menuSimple lists what can be granted in the caller's tenant.
func (s *Service) menuSimple(ctx context.Context, _ web.None) ([]MenuName, error) {
	tree, err := s.menuTree(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.tenant(ctx, actor.From(ctx).TenantID)
	list := []MenuName{}
	for _, m := range tree.list {
		if tree.enabled(m.ID) && (state.menus == nil || state.menus[m.ID]) {
			list = append(list, MenuName{ID: m.ID, Name: i18n.Pick(ctx, m.Name, m.NameEn), ParentID: m.ParentID, Type: m.Type})
		}
	}
	return list, err
}
