package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
)

func TestDept_tree(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		create := func(name string, parent int64, code int) int64 {
			t.Helper()
			a := w.call(admin, "POST", "/system/dept/create", map[string]any{"name": name, "parentId": parent, "sort": 5, "status": 0}, code)
			var id int64
			_ = json.Unmarshal(a.Data, &id)
			return id
		}
		update := func(id int64, body map[string]any, code int) {
			t.Helper()
			body["id"] = id
			w.call(admin, "PUT", "/system/dept/update", body, code)
		}
		science, physics := w.org.Depts["理学院"], w.org.Depts["物理系"]
		id := create("化学系", science, 0)
		create("化学系", science, 1002004000)
		create("化学系", w.org.Depts["文学院"], 0)
		create("", science, 400)
		create("孤儿", 99999, 1002004001)
		update(science, map[string]any{"parentId": science}, 1002004004)
		update(science, map[string]any{"parentId": physics}, 1002004007)
		update(id, map[string]any{"parentId": physics, "leaderUserId": w.org.Users["advisor01"], "email": "c@example.edu"}, 0)
		update(id, map[string]any{"leaderUserId": w.theirs.Users["advisor01"]}, 400)
		update(id, map[string]any{"email": "x"}, 400)
		w.call(admin, "DELETE", fmt.Sprint("/system/dept/delete?id=", science), nil, 1002004003)
		w.call(admin, "DELETE", fmt.Sprint("/system/dept/delete?id=", w.org.Depts["文学院"]), nil, 1002004003)
		w.call(admin, "DELETE", fmt.Sprint("/system/dept/delete?id=", id), nil, 0)
		w.call(admin, "DELETE", fmt.Sprint("/system/dept/delete?id=", physics), nil, 1002004005)
		w.call(admin, "DELETE", fmt.Sprint("/system/dept/delete?id=", w.theirs.Depts["理学院"+kerneltest.MarkerB]), nil, 1070000001)
		list := decoded[[]Dept](t, w.call(admin, "GET", "/system/dept/list?name=%E5%AD%A6%E9%99%A2&status=0", nil, 0))
		if len(list) != 2 || list[0].Name != "文学院" {
			t.Errorf("%+v", list)
		}
		sub, err := w.s.DeptSubtree(w.system(1), science)
		up, err2 := w.s.DeptAncestors(w.system(1), physics)
		if err != nil || err2 != nil || !slices.Equal(sub, []int64{science, physics}) || !slices.Equal(up, []int64{physics, science, w.org.Depts["大学"]}) {
			t.Errorf("%v %v", sub, up)
		}
	})
}

func TestPost_usedOnesStay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		w.call(admin, "DELETE", fmt.Sprint("/system/post/delete?id=", w.org.Posts["dean"]), nil, 1002005900)
		body := map[string]any{"name": "院长", "code": "other", "sort": 1, "status": 0}
		w.call(admin, "POST", "/system/post/create", body, 1002005002)
		body["name"], body["code"] = "书记", "dean"
		w.call(admin, "POST", "/system/post/create", body, 1002005003)
		body["code"] = "clerk"
		id := decoded[int64](t, w.call(admin, "POST", "/system/post/create", body, 0))
		w.call(admin, "DELETE", fmt.Sprint("/system/post/delete?id=", id), nil, 0)
		list := w.call(w.token("student01"), "GET", "/system/post/list-all-simple", nil, 0)
		if !strings.Contains(string(list.Data), "院长") {
			t.Errorf("%s", list.Raw)
		}
	})
}

func TestDirectory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := w.system(1)
		briefs, err := w.s.UsersByID(ctx, []int64{w.org.Users["advisor01"], w.org.Users["advisor01"], w.theirs.Users["plain01"], 99999})
		if err != nil || len(briefs) != 1 || briefs[w.org.Users["advisor01"]].DeptName != "物理系" {
			t.Errorf("%+v %v", briefs, err)
		}
		for _, c := range []struct {
			role  string
			depts []int64
			want  []string
		}{
			{"college_secretary", nil, []string{"secretary01"}},
			{"college_secretary", []int64{w.org.Depts["物理系"]}, []string{"secretary01"}},
			{"college_secretary", []int64{w.org.Depts["文学院"]}, nil},
			{"college_secretary", []int64{}, nil},
			{"student", []int64{w.org.Depts["物理系"]}, []string{"student01"}},
			{"no_such_role", nil, nil},
		} {
			got, err := w.s.UsersWithRole(ctx, c.role, c.depts)
			var want []int64
			for _, name := range c.want {
				want = append(want, w.org.Users[name])
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of %v: %v, %v", c.role, c.depts, got, err)
			}
		}
	})
}

func TestMenu_rules(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		create := func(body map[string]any, code int) int64 {
			t.Helper()
			a := w.call(admin, "POST", "/system/menu/create", body, code)
			var id int64
			_ = json.Unmarshal(a.Data, &id)
			return id
		}
		dir := create(map[string]any{"name": "自建", "type": 1, "sort": 1, "parentId": 0, "path": "/own", "visible": true, "keepAlive": true, "alwaysShow": true}, 0)
		page := create(map[string]any{"name": "页面", "type": 2, "sort": 1, "parentId": dir, "path": "page", "component": "own/page", "componentName": "OwnPage"}, 0)
		button := create(map[string]any{"name": "按钮", "type": 3, "sort": 1, "parentId": page, "permission": "own:page:query", "path": "dropped"}, 0)
		for _, c := range []struct {
			body map[string]any
			code int
		}{
			{map[string]any{"name": "页面", "type": 2, "parentId": dir, "path": "other"}, 1002001000},
			{map[string]any{"name": "x", "type": 2, "parentId": dir, "path": "x", "componentName": "OwnPage"}, 1002001006},
			{map[string]any{"name": "x", "type": 2, "parentId": 99999, "path": "x"}, 1002001001},
			{map[string]any{"name": "x", "type": 2, "parentId": button, "path": "x"}, 1002001005},
			{map[string]any{"name": "x", "type": 2, "parentId": 0, "path": "x"}, 400},
			{map[string]any{"name": "x", "type": 2, "parentId": dir, "path": "/x"}, 400},
			{map[string]any{"name": "x", "type": 2, "parentId": dir, "path": ""}, 400},
			{map[string]any{"name": "x", "type": 9, "parentId": dir, "path": "x"}, 400},
		} {
			create(c.body, c.code)
		}
		w.call(admin, "PUT", "/system/menu/update", map[string]any{"id": dir, "parentId": page, "path": "own"}, 1002001002)
		got := decoded[Menu](t, w.call(admin, "GET", fmt.Sprint("/system/menu/get?id=", button), nil, 0))
		if got.Path != "" || got.Permission != "own:page:query" {
			t.Errorf("%+v", got)
		}
		if !slices.Contains(w.perms("admin"), "own:page:query") {
			t.Error("a super administrator lacks the new permission")
		}
		w.call(admin, "DELETE", fmt.Sprint("/system/menu/delete?id=", dir), nil, 1002001004)
		w.call(admin, "DELETE", fmt.Sprint("/system/menu/delete?id=", button), nil, 0)
		list := decoded[[]Menu](t, w.call(admin, "GET", "/system/menu/list?name=%E7%94%A8%E6%88%B7%E7%AE%A1%E7%90%86", nil, 0))
		if len(list) != 1 || list[0].Permission != "system:user:list" {
			t.Errorf("%+v", list)
		}
		simple := decoded[[]MenuName](t, w.call(w.tokens(w.other, "admin").AccessToken, "GET", "/system/menu/simple-list", nil, 0))
		if len(simple) == 0 || slices.ContainsFunc(simple, func(m MenuName) bool { return m.Name == "租户列表" || m.Name == "自建" }) {
			t.Errorf("%+v", simple)
		}
		w.call(w.tokens(w.other, "admin").AccessToken, "PUT", "/system/menu/update", map[string]any{"id": page, "name": "x"}, 403)
	})
}

// Seeding again changes nothing, a changed program adds what is new, and what an
// administrator changed or removed stays so.
func TestSeed_isRepeatable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := w.system(1)
		state := func() string {
			tree, err := w.s.menuTree(ctx)
			w.must(err)
			var b strings.Builder
			for _, m := range tree.list {
				_, _ = fmt.Fprintln(&b, m.ID, m.Name, m.Permission, m.Version)
			}
			for _, role := range []string{"college_secretary", "teacher", "tenant_admin", "student"} {
				_, _ = fmt.Fprintln(&b, role, decoded[[]int64](t, w.call(w.token("admin"), "GET", fmt.Sprint("/system/permission/list-role-menus?roleId=", w.role(role)), nil, 0)))
			}
			return b.String()
		}
		first := state()
		modules := w.s.modules
		w.must(w.s.Seed(ctx, modules))
		if again := state(); again != first {
			t.Errorf("seeding again changed\n%s\nto\n%s", first, again)
		}
		admin := w.token("admin")
		w.call(admin, "PUT", "/system/menu/update", map[string]any{"id": w.menuOf("system:user:query"), "name": "看用户"}, 0)
		export := w.menuOf("thesis:students-subject:export")
		w.call(admin, "DELETE", fmt.Sprint("/system/menu/delete?id=", export), nil, 0)
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("college_secretary"), "menuIds": []int64{}}, 0)
		grown := &module.Module{Name: "more", Menus: []module.Menu{{Name: "系统管理", Path: "/system", Children: []module.Menu{
			{Name: "字典管理", Path: "dict", Component: "system/dict/index", Perms: []string{"system:dict:query"}}}}},
			Roles: []module.Role{{Code: "college_secretary", Perms: []string{"system:dict:query"}}}}
		w.must(w.s.Seed(ctx, append(slices.Clone(modules), grown)))
		tree, err := w.s.menuTree(ctx)
		w.must(err)
		if tree.byID[w.menuOf("system:user:query")].Name != "看用户" || tree.byID[export] != nil {
			t.Error("seeding undid what the administrator did")
		}
		if got := w.perms("secretary01"); !slices.Equal(got, []string{"system:dict:query"}) {
			t.Errorf("secretary: %v", got)
		}
		if system := slices.IndexFunc(tree.list, func(m Menu) bool { return m.Name == "系统管理" }); tree.list[system].Icon != "ep:tools" {
			t.Errorf("%+v", tree.list[system])
		}
		theirs := decoded[PermissionInfo](t, w.call(w.tokens(w.other, "admin").AccessToken, "GET", "/system/auth/get-permission-info", nil, 0))
		if !slices.Contains(theirs.Permissions, "system:dict:query") {
			t.Error("the standard package did not follow the program")
		}
	})
}

// A button that the program declares on another page by now stands there, for all who held it.
func TestSeed_buttonsFollowTheProgramToAnotherPage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		base := w.s.modules
		page := func(name, path string, perms ...string) module.Menu {
			return module.Menu{Name: name, Path: path, Component: "more/" + path, Perms: perms}
		}
		seed := func(pages ...module.Menu) {
			t.Helper()
			more := &module.Module{Name: "more", Menus: []module.Menu{{Name: "更多", Path: "/more", Children: pages}}}
			w.must(w.s.Seed(w.system(1), append(slices.Clone(base), more)))
		}
		seed(page("一", "one", "more:thing:query", "more:thing:update"))
		query, update := w.menuOf("more:thing:query"), w.menuOf("more:thing:update")
		admin := w.token("admin")
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("college_secretary"), "menuIds": []int64{query, update}}, 0)
		w.call(admin, "DELETE", fmt.Sprint("/system/menu/delete?id=", update), nil, 0)
		for range 2 {
			seed(page("一", "one"), page("二", "two", "more:thing:query", "more:thing:update"))
			tree, err := w.s.menuTree(w.system(1))
			w.must(err)
			if tree.byID[query] == nil || tree.byID[tree.byID[query].ParentID].Name != "二" || tree.byID[update] != nil {
				t.Fatalf("%+v", tree.byID[query])
			}
			same := 0
			for _, m := range tree.list {
				if strings.HasPrefix(m.Permission, "more:thing:") {
					same++
				}
			}
			if got := w.perms("secretary01"); same != 1 || !slices.Equal(got, []string{"more:thing:query"}) {
				t.Errorf("%d buttons, the secretary may %v", same, got)
			}
		}
	})
}

func TestSeed_permissionsWithoutAMenuGetAHiddenButton(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	tree, err := w.s.menuTree(w.system(1))
	w.must(err)
	m := tree.byID[w.menuOf("thesis:topic:create")]
	if m.Type != module.Button || m.Visible || tree.root(m).Name != "其他权限" {
		t.Errorf("%+v", m)
	}
	keys := map[string]bool{}
	for _, m := range tree.list {
		if m.Type != module.Button && m.ParentID == 0 && !strings.HasPrefix(m.Path, "/") {
			t.Errorf("%s: path %s", m.Name, m.Path)
		}
		if m.ComponentName != "" && keys[m.ComponentName] {
			t.Errorf("component name %s twice", m.ComponentName)
		}
		keys[m.ComponentName] = true
	}
}

// Every call, as each kind of caller, has the outcome that was reviewed.
func TestMatrix(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	disabled := w.token("plain01")
	pack, err := w.s.StandardPackage(w.system(1))
	w.must(err)
	third, err := w.s.CreateTenant(w.system(1), NewTenant{Tenant: Tenant{Name: "第三大学", ContactName: "联系人", PackageID: pack, AccountCount: 5,
		ExpireTime: clock.Millis() + 3600_000}, Username: "admin", PasswordHash: secretHash()})
	w.must(err)
	w.call(w.token("admin"), "PUT", "/system/user/update-status", map[string]any{"id": w.org.Users["plain01"], "status": 1}, 0)
	kerneltest.Matrix(t, w.app, map[string]string{
		"anonymous": "", "administrator": w.token("admin"), "tenant administrator": w.token("keeper01"), "other tenant": w.tokens(third, "admin").AccessToken,
		"student": w.token("student01"), "teacher": w.token("advisor01"), "college secretary": w.token("secretary01"), "disabled user": disabled,
	}, "testdata/matrix.golden", nil)
}
