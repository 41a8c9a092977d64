package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func (w *world) role(code string) int64 {
	w.t.Helper()
	r, ok, err := roleByCode(w.system(1), code)
	if err != nil || !ok {
		w.t.Fatalf("role %s: %v", code, err)
	}
	return r.ID
}

func (w *world) newRole(token, code string) int64 {
	w.t.Helper()
	return decoded[int64](w.t, w.call(token, "POST", "/system/role/create", map[string]any{"name": "角色" + code, "code": code, "sort": 50, "status": 0}, 0))
}

// menuOf finds a menu by its permission, outside the branches of students.
func (w *world) menuOf(permission string) int64 {
	w.t.Helper()
	tree, err := w.s.menuTree(w.system(1))
	w.must(err)
	for i := range tree.list {
		if m := &tree.list[i]; m.Permission == permission && !isStudentMenu(tree.root(m).Path) {
			return m.ID
		}
	}
	w.t.Fatalf("no menu carries %s", permission)
	return 0
}

func (w *world) perms(username string) []string {
	w.t.Helper()
	return decoded[PermissionInfo](w.t, w.call(w.token(username), "GET", "/system/auth/get-permission-info", nil, 0)).Permissions
}

func TestRole_calls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		id := w.newRole(admin, "clerk")
		got := decoded[Role](t, w.call(admin, "GET", fmt.Sprint("/system/role/get?id=", id), nil, 0))
		if got.Type != custom || got.DataScope != scopeAll || got.Status != 0 {
			t.Errorf("%+v", got)
		}
		for _, c := range []struct {
			body map[string]any
			code int
		}{
			{map[string]any{"name": "x", "code": "super_admin"}, 1002002005},
			{map[string]any{"name": "x", "code": "Admin"}, 1002002005},
			{map[string]any{"name": "x", "code": "ROLE_DEFAULT"}, 1002002005},
			{map[string]any{"name": "x", "code": "clerk"}, 1002002002},
			{map[string]any{"name": "角色clerk", "code": "y"}, 1002002001},
			{map[string]any{"name": "", "code": "y"}, 400},
		} {
			w.call(admin, "POST", "/system/role/create", c.body, c.code)
		}
		w.call(admin, "PUT", "/system/role/update", map[string]any{"id": id, "type": 1, "dataScope": 1, "name": "文员"}, 0)
		w.call(admin, "PUT", "/system/role/update-status", map[string]any{"id": id, "status": 1}, 0)
		list := decoded[[]Role](t, w.call(admin, "GET", "/system/role/simple-list", nil, 0))
		if slices.ContainsFunc(list, func(r Role) bool { return r.ID == id }) || len(list) == 0 {
			t.Errorf("%+v", list)
		}
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": w.org.Users["plain01"], "roleIds": []int64{id}}, 1002002004)
		for _, code := range []string{"super_admin", "tenant_admin", "student", "teacher"} {
			w.call(admin, "PUT", "/system/role/update", map[string]any{"id": w.role(code), "name": "x"}, 1002002003)
			w.call(admin, "DELETE", fmt.Sprint("/system/role/delete?id=", w.role(code)), nil, 1002002003)
		}
		w.call(admin, "PUT", "/system/role/update-status", map[string]any{"id": w.role("teacher"), "status": 1}, 1002002003)
		w.call(admin, "DELETE", fmt.Sprint("/system/role/delete?id=", id), nil, 0)
		w.call(admin, "DELETE", fmt.Sprint("/system/role/delete?id=", id), nil, 1070000001)
		a := kerneltest.Scenario{URL: "/system/role/export", As: admin}.Call(t, w.h)
		if a.Code > 0 {
			t.Errorf("%s", a.Raw)
		}
	})
}

func TestPermission_rolesAndMenusReachTheUserAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, plain := w.token("admin"), w.token("plain01")
		user := w.org.Users["plain01"]
		info := decoded[PermissionInfo](t, w.call(plain, "GET", "/system/auth/get-permission-info", nil, 0))
		if len(info.Roles)+len(info.Permissions)+len(info.Menus) != 0 || info.Roles == nil || info.Menus == nil {
			t.Errorf("%+v", info)
		}
		role := w.newRole(admin, "clerk")
		query := w.menuOf("system:post:query")
		tree, _ := w.s.menuTree(w.system(1))
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": append(tree.withAncestors([]int64{query}), 99999)}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 403)
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": user, "roleIds": []int64{role}}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 0)
		info = decoded[PermissionInfo](t, w.call(plain, "GET", "/system/auth/get-permission-info", nil, 0))
		if len(info.Menus) != 1 || info.Menus[0].Path != "/system" || len(info.Menus[0].Children) != 1 || info.Menus[0].Children[0].Children != nil ||
			*info.Menus[0].Children[0].Component != "system/post/index" || !slices.Equal(info.Permissions, []string{"system:post:query"}) {
			t.Errorf("%+v", info)
		}
		ids := decoded[[]int64](t, w.call(admin, "GET", fmt.Sprint("/system/permission/list-role-menus?roleId=", role), nil, 0))
		if len(ids) != 3 {
			t.Errorf("%v", ids)
		}
		page := tree.byID[query].ParentID
		w.call(admin, "PUT", "/system/menu/update", map[string]any{"id": page, "status": 1}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 403)
		w.call(admin, "PUT", "/system/menu/update", map[string]any{"id": page, "status": 0}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 0)
		w.call(admin, "PUT", "/system/role/update-status", map[string]any{"id": role, "status": 1}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 403)
		w.call(admin, "PUT", "/system/role/update-status", map[string]any{"id": role, "status": 0}, 0)
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": []int64{}}, 0)
		w.call(plain, "GET", "/system/post/page", nil, 403)
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": user, "roleIds": []int64{}}, 0)
		if roles := decoded[[]int64](t, w.call(admin, "GET", fmt.Sprint("/system/permission/list-user-roles?userId=", user), nil, 0)); len(roles) != 0 {
			t.Errorf("%v", roles)
		}
	})
}

func TestPermission_studentsHaveExactlyTheirs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if len(StudentPermissions) != 33 {
			t.Fatalf("%d strings", len(StudentPermissions))
		}
		want := slices.Sorted(slices.Values(StudentPermissions))
		info := decoded[PermissionInfo](t, w.call(w.token("student01"), "GET", "/system/auth/get-permission-info", nil, 0))
		if !slices.Equal(info.Permissions, want) || !slices.Equal(info.Roles, []string{"student"}) || info.User.Type != 1 {
			t.Errorf("%+v", info)
		}
		if len(info.Menus) != 1 || info.Menus[0].Path != "/myThesis" {
			t.Errorf("menus %+v", info.Menus)
		}
		admin := w.token("admin")
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": w.org.Users["student01"], "roleIds": []int64{w.role("teacher")}}, 1002002903)
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": w.org.Users["plain01"], "roleIds": []int64{w.role("student")}}, 1002002903)
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("student"), "menuIds": []int64{}}, 1002002003)
		// Staff with one of the students' strings do not see the students' pages.
		secretary := decoded[PermissionInfo](t, w.call(w.token("secretary01"), "GET", "/system/auth/get-permission-info", nil, 0))
		if slices.ContainsFunc(secretary.Menus, func(n *MenuNode) bool { return isStudentMenu(n.Path) }) || len(secretary.Menus) != 2 {
			t.Errorf("%+v", secretary.Menus)
		}
		super := decoded[PermissionInfo](t, w.call(admin, "GET", "/system/auth/get-permission-info", nil, 0))
		if !slices.Contains(super.Permissions, actor.Super) || !slices.Contains(super.Permissions, "thesis:topic:create") ||
			slices.ContainsFunc(super.Menus, func(n *MenuNode) bool { return isStudentMenu(n.Path) }) {
			t.Errorf("%v", super.Permissions)
		}
	})
}

// limited makes plain01 a user who may administer people and holds little else; called
// again, it brings him back to exactly that.
func (w *world) limited(extra ...string) (username string) {
	w.t.Helper()
	admin := w.token("admin")
	role, exists, err := store.Get[int64](w.system(1), sqlRoleByName, store.Args{"name": "角色helpdesk"})
	w.must(err)
	if !exists {
		role = w.newRole(admin, "helpdesk")
	}
	var ids []int64
	for _, p := range append([]string{"system:user:query", "system:user:create", "system:user:update", "system:user:delete", "system:user:update-password", "system:role:query",
		"system:role:create", "system:role:update", "system:role:delete", "system:permission:assign-role-menu", "system:permission:assign-user-role",
		"system:permission:assign-role-data-scope", "system:menu:query"}, extra...) {
		ids = append(ids, w.menuOf(p))
	}
	tree, err := w.s.menuTree(w.system(1))
	w.must(err)
	w.call(admin, "PUT", "/system/role/update", map[string]any{"id": role, "status": 0}, 0)
	w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": tree.withAncestors(ids)}, 0)
	w.call(admin, "POST", "/system/permission/assign-role-data-scope", map[string]any{"roleId": role, "dataScope": 1}, 0)
	w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": w.org.Users["plain01"], "roleIds": []int64{role}}, 0)
	return "plain01"
}

func TestGrant_nobodyGivesWhatHeLacks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		desk := w.token(w.limited())
		me, boss, teacher, student := w.org.Users["plain01"], w.org.Users["admin"], w.org.Users["advisor01"], w.org.Users["student01"]
		role := w.newRole(desk, "mine")
		for _, c := range []struct {
			name, method, path string
			body               map[string]any
			code               int
		}{
			{"a menu he lacks", "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": []int64{w.menuOf("system:post:query")}}, 1002002900},
			{"a menu he has", "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": []int64{w.menuOf("system:user:query")}}, 0},
			{"super to himself", "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": []int64{w.role("super_admin")}}, 1002002900},
			{"tenant administrator to himself", "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": []int64{w.role("tenant_admin")}}, 1002002900},
			{"teacher to himself", "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": []int64{w.role("teacher")}}, 1002002900},
			{"the boss's password", "PUT", "/system/user/update-password", map[string]any{"id": boss, "password": "Another-Horse-8"}, 1002002902},
			{"the boss's name", "PUT", "/system/user/update", map[string]any{"id": boss, "username": "renamed"}, 1002002902},
			{"the boss's status", "PUT", "/system/user/update-status", map[string]any{"id": boss, "status": 1}, 1002002902},
			{"a teacher's password", "PUT", "/system/user/update-password", map[string]any{"id": teacher, "password": "Another-Horse-8"}, 1002002902},
			{"a student's password", "PUT", "/system/user/update-password", map[string]any{"id": student, "password": "Another-Horse-8"}, 0},
			{"emptying the boss's roles", "POST", "/system/permission/assign-user-role", map[string]any{"userId": boss, "roleIds": []int64{}}, 1002002902},
			{"emptying the teachers' role", "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("teacher"), "menuIds": []int64{}}, 1002002900},
			{"a menu of his own", "POST", "/system/menu/create", map[string]any{"name": "x", "type": 3, "parentId": 0, "permission": "*:*:*"}, 403},
		} {
			if a := (kerneltest.Scenario{Method: c.method, URL: c.path, Body: c.body, As: desk}).Call(t, w.h); a.Code != c.code {
				t.Errorf("%s: %s", c.name, a.Raw)
			}
		}
		if a := (kerneltest.Scenario{Method: "DELETE", URL: fmt.Sprint("/system/user/delete?id=", boss), As: desk}).Call(t, w.h); a.Code != 1002002902 {
			t.Errorf("deleting the boss: %s", a.Raw)
		}
		admin := w.token("admin")
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": boss, "roleIds": []int64{}}, 1002003902)
		// keeper01 holds all that a tenant may have, and still no menu may be altered.
		keeper := w.token("keeper01")
		w.call(keeper, "POST", "/system/menu/create", map[string]any{"name": "x", "type": 3, "parentId": 0}, 403)
		w.call(keeper, "GET", "/system/tenant/page", nil, 403)
		w.call(keeper, "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": []int64{w.role("super_admin")}}, 1002002900)
		w.call(keeper, "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": []int64{w.role("teacher"), w.role("college_secretary")}}, 0)
	})
}

func TestGrant_dataScope(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		name := w.limited()
		admin, desk := w.token("admin"), w.token(name)
		wide, narrow := w.newRole(admin, "wide"), w.newRole(admin, "narrow")
		scope := func(token string, role int64, scope int, depts []int64, code int) {
			t.Helper()
			w.call(token, "POST", "/system/permission/assign-role-data-scope", map[string]any{"roleId": role, "dataScope": scope, "dataScopeDeptIds": depts}, code)
		}
		helpdesk, _, err := roleByCode(w.system(1), "helpdesk")
		w.must(err)
		scope(admin, helpdesk.ID, scopeBelow, nil, 0)
		scope(admin, narrow, scopeListed, []int64{w.org.Depts["文学院"]}, 0)
		scope(admin, wide, scopeListed, []int64{w.org.Depts["理学院"]}, 0)
		scope(admin, wide, scopeListed, []int64{w.theirs.Depts["理学院"+kerneltest.MarkerB]}, 400)
		scope(admin, w.role("super_admin"), scopeSelf, nil, 1002002003)
		scope(admin, wide, 9, nil, 400)
		scope(desk, helpdesk.ID, scopeAll, nil, 1002002901)
		me := w.org.Users["plain01"]
		assign := func(code int, roles ...int64) {
			t.Helper()
			w.call(desk, "POST", "/system/permission/assign-user-role", map[string]any{"userId": me, "roleIds": append(roles, helpdesk.ID)}, code)
		}
		assign(1002002901, wide)
		assign(0, narrow)
		// A deciding role is more than its permission strings.
		w.call(admin, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("grad_degree"), "menuIds": []int64{}}, 0)
		assign(1002002900, w.role("grad_degree"))
		fresh := w.newRole(desk, "fresh")
		if r, err := roleTable.Get(w.system(1), fresh); err != nil || r.DataScope != scopeSelf {
			t.Errorf("%+v %v", r, err)
		}
		body := w.userBody("scoped01")
		delete(body, "postIds")
		w.call(desk, "POST", "/system/user/create", body, 400)
		body["deptId"] = w.org.Depts["文学院"]
		other := decoded[int64](t, w.call(desk, "POST", "/system/user/create", body, 0))
		// Of equal permissions but a wider view: his password would give that view away.
		w.call(admin, "POST", "/system/permission/assign-user-role", map[string]any{"userId": other, "roleIds": []int64{wide}}, 0)
		w.call(desk, "PUT", "/system/user/update-password", map[string]any{"id": other, "password": "Another-Horse-8"}, 1002002901)
		w.call(desk, "PUT", "/system/user/update", map[string]any{"id": me, "deptId": w.org.Depts["大学"]}, 400)
	})
}

func TestScope_union(t *testing.T) {
	tree := deptTree{parent: map[int64]int64{1: 0, 2: 1, 3: 2, 4: 1}, children: map[int64][]int64{0: {1}, 1: {2, 4}, 2: {3}}}
	listed := Role{DataScope: scopeListed}
	listed.DataScopeDeptIDs.V = []int64{4}
	for _, c := range []struct {
		name  string
		roles []Role
		want  actor.Scope
	}{
		{"no role", nil, actor.Scope{Self: true}},
		{"all wins", []Role{{DataScope: scopeSelf}, {DataScope: scopeAll}}, actor.Scope{All: true}},
		{"listed and own", []Role{listed}, actor.Scope{Depts: []int64{4, 2}}},
		{"own", []Role{{DataScope: scopeDept}}, actor.Scope{Depts: []int64{2}}},
		{"below and self", []Role{{DataScope: scopeBelow}, {DataScope: scopeSelf}}, actor.Scope{Depts: []int64{2, 3}, Self: true}},
	} {
		if got := scopeOf(c.roles, 2, tree); got.All != c.want.All || got.Self != c.want.Self || !slices.Equal(got.Depts, c.want.Depts) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := scopeOf([]Role{{DataScope: scopeDept}}, 0, tree); got.All || len(got.Depts) != 0 {
		t.Errorf("nobody's department: %+v", got)
	}
}

// No sequence of role, menu and user calls raises the rights of the one who makes them.
func TestGrant_noSequenceRaisesTheCaller(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	name := w.limited("system:dept:query")
	token, admin := w.token(name), w.token("admin")
	tree, err := w.s.menuTree(w.system(1))
	w.must(err)
	var menuIDs []int64
	for _, m := range tree.list {
		menuIDs = append(menuIDs, m.ID)
	}
	held := decoded[[]int64](t, w.call(admin, "GET", fmt.Sprint("/system/permission/list-role-menus?roleId=", w.role("helpdesk")), nil, 0))
	carried := map[string]bool{}
	for _, p := range w.perms(name) {
		carried[p] = true
	}
	userIDs := slices.Collect(maps.Values(w.org.Users))
	slices.Sort(userIDs)
	roleIDs := func() []int64 {
		ids, err := store.Select[int64](w.system(1), `SELECT id FROM system_role WHERE tenant_id = :tenant AND deleted = false ORDER BY id`, nil)
		w.must(err)
		return ids
	}
	helpdesk := func() int64 {
		id, _, err := store.Get[int64](w.system(1), sqlRoleByName, store.Args{"name": "角色helpdesk"})
		w.must(err)
		return id
	}
	codes := append([]string{"admin", "super_admin", "dean", "x"}, "teacher", "tenant_admin")
	me, moved := w.org.Users[name], 0
	rapid.Check(t, func(rt *rapid.T) {
		w.limited("system:dept:query")
		pick := func(ids []int64, label string) int64 { return rapid.SampledFrom(ids).Draw(rt, label) }
		some := func(ids []int64, label string) []int64 {
			return rapid.SliceOfN(rapid.SampledFrom(ids), 0, 6).Draw(rt, label)
		}
		send := func(method, path string, body any) {
			if (kerneltest.Scenario{Method: method, URL: path, Body: body, As: token}).Call(t, w.h).Code == 0 {
				moved++
			}
		}
		steps := map[string]func(*rapid.T){
			"roles of a user": func(*rapid.T) {
				send("POST", "/system/permission/assign-user-role", map[string]any{"userId": pick(append(userIDs, me, me, me), "user"), "roleIds": append(some(roleIDs(), "roles"), helpdesk())})
			},
			"menus of a role": func(*rapid.T) {
				send("POST", "/system/permission/assign-role-menu", map[string]any{"roleId": pick(append(roleIDs(), helpdesk(), helpdesk()), "role"), "menuIds": append(some(menuIDs, "menus"), held...)})
			},
			"create role": func(*rapid.T) {
				send("POST", "/system/role/create", map[string]any{"name": rapid.StringMatching(`[a-z]{3}`).Draw(rt, "name"), "code": rapid.SampledFrom(codes).Draw(rt, "code")})
			},
			"update role": func(*rapid.T) {
				send("PUT", "/system/role/update", map[string]any{"id": pick(roleIDs(), "role"), "code": rapid.SampledFrom(codes).Draw(rt, "code"), "type": 1, "status": rapid.IntRange(0, 1).Draw(rt, "status")})
			},
			"role status": func(*rapid.T) {
				send("PUT", "/system/role/update-status", map[string]any{"id": pick(roleIDs(), "role"), "status": rapid.IntRange(0, 1).Draw(rt, "status")})
			},
			"delete role": func(*rapid.T) { send("DELETE", fmt.Sprint("/system/role/delete?id=", pick(roleIDs(), "role")), nil) },
			"data scope": func(*rapid.T) {
				send("POST", "/system/permission/assign-role-data-scope", map[string]any{"roleId": pick(roleIDs(), "role"), "dataScope": rapid.IntRange(1, 5).Draw(rt, "scope")})
			},
			"update user": func(*rapid.T) {
				send("PUT", "/system/user/update", map[string]any{"id": pick(userIDs, "user"), "type": rapid.IntRange(1, 2).Draw(rt, "type"), "nickname": "x"})
			},
			"change menu": func(*rapid.T) {
				send("PUT", "/system/menu/update", map[string]any{"id": pick(menuIDs, "menu"), "permission": "*:*:*", "status": 0})
			},
			"the administrator disables a role": func(*rapid.T) {
				(kerneltest.Scenario{Method: "PUT", URL: "/system/role/update-status", Body: map[string]any{"id": pick(roleIDs(), "role"), "status": 1}, As: admin}).Call(t, w.h)
			},
			"": func(rt *rapid.T) {
				who, err := w.s.Actor(store.Use(t.Context(), w.db), token)
				if err != nil {
					rt.Fatalf("%v", err)
				}
				for p := range who.Perms {
					if !carried[p] {
						rt.Fatalf("gained %s", p)
					}
				}
				if slices.ContainsFunc(who.Roles, func(r string) bool { return strings.EqualFold(r, "admin") || r == roleSuper }) {
					rt.Fatalf("gained a role: %v", who.Roles)
				}
			},
		}
		rt.Repeat(steps)
	})
	if moved < 50 {
		t.Errorf("only %d calls went through: the property says little", moved)
	}
}
