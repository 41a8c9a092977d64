package identity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func tenantBody(pack int64) map[string]any {
	return map[string]any{"name": "东湖学院", "contactName": "王主任", "contactMobile": "13800000000", "status": 0, "websites": []string{"east.example.edu:8443"},
		"packageId": pack, "expireTime": clock.Millis() + 3600_000, "accountCount": 10, "username": "boss01", "password": secret}
}

func TestTenant_createdWithItsAdministrator(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		pack, err := w.s.StandardPackage(w.system(1))
		w.must(err)
		id := decoded[int64](t, w.call(admin, "POST", "/system/tenant/create", tenantBody(pack), 0))
		tok := decoded[Tokens](t, w.signIn("boss01", secret, tenantHeader(id)))
		info := decoded[PermissionInfo](t, w.call(tok.AccessToken, "GET", "/system/auth/get-permission-info", nil, 0))
		if !slices.Equal(info.Roles, []string{"tenant_admin"}) || !slices.Contains(info.Permissions, "system:user:create") ||
			slices.Contains(info.Permissions, "system:tenant:query") || slices.Contains(info.Permissions, "system:menu:create") {
			t.Errorf("%v %v", info.Roles, info.Permissions)
		}
		for _, url := range []string{"/system/tenant/page", "/system/tenant-package/page"} {
			w.call(tok.AccessToken, "GET", url, nil, 403)
		}
		if list := w.call(tok.AccessToken, "GET", "/system/tenant-package/get-simple-list", nil, 0); string(list.Data) != "[]" {
			t.Errorf("%s", list.Raw)
		}
		w.call(tok.AccessToken, "GET", fmt.Sprint("/system/user/get?id=", w.org.Users["plain01"]), nil, 1070000001)
		for _, c := range []struct {
			name, set string
			value     any
			code      int
		}{
			{"same name", "websites", []string{}, 1002015004},
			{"same site", "name", "西湖学院", 1002015005},
			{"bad site", "websites", []string{"https://x/"}, 400},
			{"no package", "packageId", 0, 400},
			{"unknown package", "packageId", 999, 1002016000},
			{"weak password", "password", "password", 400},
			{"no user", "username", "", 400},
			{"no quota", "accountCount", 0, 400},
			{"bad mobile", "contactMobile", "1", 400},
		} {
			body := tenantBody(pack)
			body[c.set] = c.value
			if c.name != "same name" {
				body["name"] = "西湖学院"
			}
			if c.name != "same site" && c.name != "bad site" {
				body["websites"] = []string{}
			}
			if a := (kerneltest.Scenario{Method: "POST", URL: "/system/tenant/create", Body: body, As: admin}).Call(t, w.h); a.Code != c.code {
				t.Errorf("%s: %s", c.name, a.Raw)
			}
		}
		w.call(admin, "PUT", "/system/tenant/update", map[string]any{"id": 1, "name": "x"}, 1002015003)
		w.call(admin, "DELETE", "/system/tenant/delete?id=1", nil, 1002015003)
		w.call(admin, "DELETE", fmt.Sprint("/system/tenant-package/delete?id=", pack), nil, 1002016001)
		w.call(admin, "DELETE", fmt.Sprint("/system/tenant/delete?id=", id), nil, 0)
		w.call(tok.AccessToken, "GET", "/system/user/profile/get", nil, 401)
	})
}

func TestTenant_publicCalls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		pack, err := w.s.StandardPackage(w.system(1))
		w.must(err)
		id := decoded[int64](t, w.call(w.token("admin"), "POST", "/system/tenant/create", tenantBody(pack), 0))
		for url, want := range map[string]string{
			"/system/tenant/get-id-by-name?name=%E9%9D%92%E5%B2%9A%E5%A4%A7%E5%AD%A6":    "1",
			"/system/tenant/get-id-by-name?name=nobody":                                  "null",
			"/system/tenant/get-id-by-name?name=%27%20OR%201=1":                          "null",
			"/system/tenant/get-by-website?website=EAST.example.edu:8443":                fmt.Sprintf(`{"id":%d,"name":"东湖学院"}`, id),
			"/system/tenant/get-by-website?website=example.edu:8443":                     "null",
			"/system/tenant/get-by-website?website=127.0.0.1:8080":                       "null",
			"/system/tenant/get-id-by-name?name=%E4%B8%9C%E6%B9%96%E5%AD%A6%E9%99%A2%20": fmt.Sprint(id),
		} {
			a := w.call("", "GET", url, nil, 0)
			if strings.TrimSpace(string(a.Data)) != want {
				t.Errorf("%s: %s", url, a.Raw)
			}
		}
		w.call("", "GET", "/system/tenant/get-by-website?website=x%20y", nil, 400)
		w.call("", "GET", "/system/tenant/get-id-by-name?name=", nil, 0)
		list := decoded[[]map[string]any](t, w.call("", "GET", "/system/tenant/simple-list", nil, 0))
		if len(list) != 3 || len(list[0]) != 2 {
			t.Errorf("%+v", list)
		}
	})
}

// Changing what a package holds, or the package of a tenant, trims the roles.
func TestPackage_trimsRoles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		tree, err := w.s.menuTree(w.system(1))
		w.must(err)
		small := tree.withAncestors([]int64{w.menuOf("system:user:query"), w.menuOf("system:post:query")})
		create := func(name string, ids []int64, code int) kerneltest.Answer {
			t.Helper()
			return w.call(admin, "POST", "/system/tenant-package/create", map[string]any{"name": name, "status": 0, "menuIds": ids}, code)
		}
		pack := decoded[int64](t, create("小套餐", []int64{w.menuOf("system:user:query"), w.menuOf("system:post:query")}, 0))
		create("小套餐", small, 1002016003)
		create("空套餐", nil, 400)
		create("坏套餐", []int64{99999}, 400)
		theirs := w.tokens(w.other, "secretary01").AccessToken
		boss := w.tokens(w.other, "admin").AccessToken
		info := func(token string) []string {
			t.Helper()
			return decoded[PermissionInfo](t, w.call(token, "GET", "/system/auth/get-permission-info", nil, 0)).Permissions
		}
		if got := info(theirs); len(got) != 5 {
			t.Fatalf("before: %v", got)
		}
		w.call(admin, "PUT", "/system/tenant/update", map[string]any{"id": w.other, "packageId": pack}, 0)
		if got := info(theirs); !slices.Equal(got, []string{"system:user:list", "system:user:query"}) {
			t.Errorf("secretary: %v", got)
		}
		if got := info(boss); !slices.Equal(got, []string{"system:post:query", "system:user:list", "system:user:query"}) {
			t.Errorf("administrator: %v", got)
		}
		w.call(boss, "GET", "/system/dept/list", nil, 403)
		w.call(admin, "PUT", "/system/tenant-package/update", map[string]any{"id": pack, "menuIds": tree.withAncestors([]int64{w.menuOf("system:dept:query")})}, 0)
		if got := info(boss); !slices.Equal(got, []string{"system:dept:query"}) {
			t.Errorf("administrator: %v", got)
		}
		if got := info(theirs); len(got) != 0 {
			t.Errorf("secretary: %v", got)
		}
		w.call(boss, "GET", "/system/dept/list", nil, 0)
		w.call(admin, "PUT", "/system/tenant-package/update", map[string]any{"id": pack, "status": 1}, 0)
		standard, err := w.s.StandardPackage(w.system(1))
		w.must(err)
		w.call(admin, "PUT", "/system/tenant/update", map[string]any{"id": w.other, "packageId": standard}, 0)
		w.call(admin, "PUT", "/system/tenant/update", map[string]any{"id": w.other, "packageId": pack}, 1002016002)
	})
}

// Other tenants' people and the platform's own are invisible, whoever asks.
func TestTenant_wall(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		boss := w.tokens(w.other, "admin").AccessToken
		for _, c := range []kerneltest.Scenario{
			{URL: "/system/user/page?pageSize=500"}, {URL: "/system/dept/list"}, {URL: "/system/role/page"}, {URL: "/system/post/page"},
			{URL: "/system/oauth2-token/page"}, {URL: "/system/user/simple-list"}, {URL: "/system/dept/simple-list"},
		} {
			c.As, c.Foreign = w.token("admin"), kerneltest.MarkerB
			c.Run(t, w.h)
			c.As, c.Foreign, c.Absent = boss, "never", []string{"keeper01", `"管理员"`}
			c.Run(t, w.h)
		}
		mine := decoded[store.Page[SessionRow]](t, w.call(w.token("admin"), "GET", "/system/oauth2-token/page?username=admin", nil, 0))
		w.call(boss, "DELETE", "/system/oauth2-token/delete?accessToken="+mine.List[0].AccessToken, nil, 1070000001)
		for _, handle := range []string{"0", "-1", "x", "99999", strings.Repeat("a", 64)} {
			w.call(w.token("admin"), "DELETE", "/system/oauth2-token/delete?accessToken="+handle, nil, 1070000001)
		}
		w.call(boss, "POST", "/system/permission/assign-user-role", map[string]any{"userId": w.theirs.Users["plain01"], "roleIds": []int64{w.role("teacher")}}, 1070000001)
		w.call(boss, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": w.role("teacher"), "menuIds": []int64{}}, 1070000001)
		w.call(boss, "GET", fmt.Sprint("/system/permission/list-role-menus?roleId=", w.role("teacher")), nil, 1070000001)
		w.call(boss, "POST", "/system/dept/create", map[string]any{"name": "x", "parentId": w.org.Depts["大学"], "sort": 1, "status": 0}, 1002004001)
	})
}
