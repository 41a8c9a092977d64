package identity

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
)

const sqlSeededMenus = `SELECT * FROM system_menu WHERE seed_key <> ''`

// verbs name the buttons of a page by the last word of their permission.
var verbs = map[string][2]string{
	"query": {"查询", "Query"}, "list": {"列表", "List"}, "page": {"列表", "List"}, "create": {"新增", "Create"}, "update": {"修改", "Update"},
	"delete": {"删除", "Delete"}, "export": {"导出", "Export"}, "import": {"导入", "Import"}, "submit": {"提交", "Submit"}, "download": {"下载", "Download"},
	"update-password": {"重置密码", "Reset password"}, "assign-role-menu": {"设置角色菜单权限", "Assign role menus"},
	"assign-role-data-scope": {"设置角色数据权限", "Assign data scope"}, "assign-user-role": {"设置用户角色", "Assign user roles"},
	"approve": {"审批", "Approve"}, "reply": {"回复", "Reply"}, "send": {"发送", "Send"}, "publish": {"发布", "Publish"},
	"upload": {"上传", "Upload"}, "enter": {"录入", "Enter"}, "trigger": {"执行", "Run"}, "retry": {"重新执行", "Retry"}, "visit": {"切换", "Visit"},
	"getStudentAllCourse": {"我的课程", "My courses"}, "gotoRoom": {"进入学习室", "Enter room"}, "getPage": {"播放记录", "Playback"},
	"dropOut": {"退学申请", "Withdraw"}, "getStudentCourseScore": {"我的成绩", "My scores"},
}

// menuSeeder inserts what is missing and corrects what code relies on.
type menuSeeder struct {
	known map[string]*Menu
	fresh []int64
	// left are buttons by permission that the modules no longer declare where they stand.
	left map[string]*Menu
}

// seedMenus merges the menus of all modules into the shared table. A menu is recognised
// by its key, the names above it, so that renaming, moving or deleting one by hand lasts.
func (s *Service) seedMenus(ctx context.Context, print string) error {
	last, _, err := store.Get[seedMark](ctx, sqlSeed, store.Args{"scope": "menus"})
	if err != nil || last.Fingerprint == print {
		return err
	}
	list, err := store.Select[Menu](ctx, sqlSeededMenus, nil)
	if err != nil {
		return err
	}
	b := &menuSeeder{known: make(map[string]*Menu, len(list))}
	for i := range list {
		b.known[list[i].SeedKey] = &list[i]
	}
	b.left = leftButtons(b.known, s.modules)
	for _, m := range s.modules {
		if err := b.branch(ctx, nil, m.Menus); err != nil {
			return err
		}
	}
	if err := s.seedLoose(ctx, b); err != nil {
		return err
	}
	if err := s.extendStandard(ctx, b.fresh); err != nil {
		return err
	}
	return keepSeed(ctx, "menus", print, "")
}

// leftButtons finds the seeded buttons that no module declares on their page.
func leftButtons(known map[string]*Menu, modules []*module.Module) map[string]*Menu {
	declared := map[string]bool{}
	var walk func(above string, list []module.Menu)
	walk = func(above string, list []module.Menu) {
		for _, m := range list {
			key := above + m.Name
			for _, p := range m.Perms {
				declared[key+"/#"+p] = true
			}
			walk(key+"/", m.Children)
		}
	}
	for _, m := range modules {
		walk("", m.Menus)
	}
	left := map[string]*Menu{}
	for _, key := range sortedKeys(known) {
		m := known[key]
		if m.Type != module.Button || declared[key] {
			continue
		}
		if other := left[m.Permission]; other == nil || other.Deleted {
			left[m.Permission] = m
		}
	}
	return left
}

func (b *menuSeeder) branch(ctx context.Context, parent *Menu, list []module.Menu) error {
	for _, m := range list {
		row := Menu{Name: m.Name, NameEn: m.NameEn, Permission: m.Permission, Type: module.Page, Sort: m.Sort, Path: m.Path, Icon: m.Icon,
			Component: m.Component, ComponentName: m.ComponentName, Visible: !m.Hidden, KeepAlive: !m.NoCache, AlwaysShow: true}
		if m.Component == "" && len(m.Children) > 0 {
			row.Type = module.Directory
		}
		placed, err := b.place(ctx, parent, m.Name, row)
		if err != nil {
			return err
		}
		if placed.Deleted {
			continue
		}
		for i, p := range m.Perms {
			if err := b.button(ctx, placed, p, i+1, true); err != nil {
				return err
			}
		}
		if err := b.branch(ctx, placed, m.Children); err != nil {
			return err
		}
	}
	return nil
}

func (b *menuSeeder) button(ctx context.Context, page *Menu, permission string, sort int, visible bool) error {
	verb := permission[strings.LastIndexByte(permission, ':')+1:]
	name, ok := verbs[verb]
	if !ok {
		name = [2]string{verb, verb}
	}
	row := Menu{Name: name[0], NameEn: name[1], Permission: permission, Type: module.Button, Sort: sort, Visible: visible, KeepAlive: true, AlwaysShow: true}
	_, err := b.place(ctx, page, "#"+permission, row)
	return err
}

// place finds or inserts the menu of a key. What people see (name, icon, order) stays as
// administrators left it; what code relies on follows the program.
func (b *menuSeeder) place(ctx context.Context, parent *Menu, name string, row Menu) (*Menu, error) {
	row.SeedKey = name
	if parent != nil {
		row.ParentID, row.SeedKey = parent.ID, parent.SeedKey+"/"+name
	}
	old := b.known[row.SeedKey]
	if old == nil && row.Type == module.Button && b.left[row.Permission] != nil {
		return b.move(ctx, b.left[row.Permission], row)
	}
	if old == nil {
		if err := menuTable.Insert(ctx, &row); err != nil {
			return nil, err
		}
		b.known[row.SeedKey] = &row
		b.fresh = append(b.fresh, row.ID)
		return &row, nil
	}
	if old.Deleted || row.Component == "" && row.Permission == "" && row.Type == old.Type {
		return old, nil // a directory that several modules fill, or one taken away by hand
	}
	next := *old
	next.Permission, next.Path, next.Component, next.ComponentName, next.Type = row.Permission, row.Path, row.Component, row.ComponentName, row.Type
	err := menuTable.Update(ctx, &next)
	b.known[row.SeedKey] = &next
	return &next, err
}

// move puts a button onto the page that declares it by now: as the same row, so that every
// role that holds it keeps the right, and one that was taken away stays away.
func (b *menuSeeder) move(ctx context.Context, button *Menu, row Menu) (*Menu, error) {
	delete(b.known, button.SeedKey)
	delete(b.left, button.Permission)
	next := *button
	next.SeedKey, next.ParentID, next.Sort, next.Visible = row.SeedKey, row.ParentID, row.Sort, row.Visible
	b.known[next.SeedKey] = &next
	if next.Deleted {
		return &next, nil
	}
	return &next, menuTable.Update(ctx, &next)
}

// seedLoose gives each permission of a role that no menu carries a hidden button, so
// that it can be granted: under the page of the same entity, or in a directory of its own.
func (s *Service) seedLoose(ctx context.Context, b *menuSeeder) error {
	carried, pages := map[string]bool{}, map[string]*Menu{}
	byID := map[int64]*Menu{}
	for _, m := range b.known {
		byID[m.ID] = m
	}
	for _, key := range sortedKeys(b.known) {
		m := b.known[key]
		if m.Permission == "" || m.Deleted {
			continue
		}
		carried[m.Permission] = true
		page := m
		if m.Type == module.Button {
			page = byID[m.ParentID]
		}
		if page != nil && pages[stem(m.Permission)] == nil {
			pages[stem(m.Permission)] = page
		}
	}
	wanted := slices.Clone(StudentPermissions)
	for _, r := range mergedRoles(s.modules) {
		wanted = append(wanted, r.Perms...)
	}
	slices.Sort(wanted)
	for i, p := range slices.Compact(wanted) {
		if carried[p] {
			continue
		}
		page := pages[stem(p)]
		if page == nil {
			other, err := b.place(ctx, nil, "其他权限", Menu{Name: "其他权限", NameEn: "Other rights", Type: module.Directory, Path: "/other-rights", Sort: 9999, KeepAlive: true, AlwaysShow: true})
			if err != nil {
				return err
			}
			page = other
		}
		if page.Deleted {
			continue
		}
		if err := b.button(ctx, page, p, 500+i, false); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys(m map[string]*Menu) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// stem is module:entity of a permission.
func stem(permission string) string {
	return permission[:max(0, strings.LastIndexByte(permission, ':'))]
}

// extendStandard adds new menus to the package that follows the program, and takes out
// those that the program keeps to the operator by now.
func (s *Service) extendStandard(ctx context.Context, fresh []int64) error {
	list, err := store.Select[TenantPackage](ctx, sqlStandard, nil)
	if err != nil || len(list) == 0 {
		return err
	}
	tree, err := s.menuTree(ctx)
	if err != nil {
		return err
	}
	admitted := tree.admitted()
	for _, p := range list {
		_, err := packages.Change(ctx, p.ID, func(p *TenantPackage) error {
			ids := slices.DeleteFunc(slices.Concat(p.MenuIDs.V, fresh), func(id int64) bool { return !admitted[id] })
			slices.Sort(ids)
			p.MenuIDs.V = slices.Compact(ids)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
