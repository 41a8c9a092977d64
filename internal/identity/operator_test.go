package identity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/module"
)

// shared is a module with pages that tenants share; marked says whether it keeps what
// changes them to the operator.
func shared(marked bool) *module.Module {
	page := module.Menu{Name: "共用字典", Path: "/shared", Component: "shared/index", Perms: perms("shared:dict", "query", "create")}
	whole := module.Menu{Name: "共用任务", Path: "/shared-work", Children: []module.Menu{
		{Name: "任务", Path: "job", Component: "shared/job", Permission: "shared:job:list", Perms: perms("shared:job", "query", "trigger")}}}
	if marked {
		page.Operator, whole.OperatorOnly = perms("shared:dict", "create"), true
	}
	return &module.Module{Name: "shared", Menus: []module.Menu{page, whole},
		Roles: []module.Role{{Code: "college_secretary", Perms: []string{"shared:dict:create", "shared:dict:query"}}}}
}

func TestOperator_keepsWhatAllShare(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, before := w.system(1), w.s.modules
		all := []string{"shared:dict:create", "shared:dict:query", "shared:job:list", "shared:job:query", "shared:job:trigger"}
		held := func(token string) []string {
			t.Helper()
			info := decoded[PermissionInfo](t, w.call(token, "GET", "/system/auth/get-permission-info", nil, 0))
			return slices.Sorted(slices.Values(slices.DeleteFunc(info.Permissions, func(p string) bool { return !strings.HasPrefix(p, "shared:") })))
		}
		boss, keeper, theirs := w.tokens(w.other, "admin").AccessToken, w.token("keeper01"), w.tokens(w.other, "secretary01").AccessToken
		w.must(w.s.Seed(ctx, append(slices.Clone(before), shared(false))))
		if got := held(boss); !slices.Equal(got, all) {
			t.Fatalf("unmarked: %v", got)
		}
		w.must(w.s.Seed(ctx, append(slices.Clone(before), shared(true)))) // the next version of the program
		if got := held(boss); !slices.Equal(got, []string{"shared:dict:query"}) {
			t.Errorf("administrator of a tenant: %v", got)
		}
		if got := held(theirs); !slices.Equal(got, []string{"shared:dict:query"}) {
			t.Errorf("secretary of a tenant: %v", got)
		}
		if got := held(keeper); !slices.Equal(got, all) {
			t.Errorf("administrator of the operator's tenant: %v", got)
		}
		for _, url := range []string{"/system/auth/list-menus", "/system/menu/simple-list", "/system/menu/list"} {
			if a := w.call(boss, "GET", url, nil, 0); strings.Contains(string(a.Raw), "共用任务") || strings.Contains(string(a.Raw), "shared:dict:create") {
				t.Errorf("%s shows what is the operator's: %s", url, a.Raw)
			}
			if a := w.call(keeper, "GET", url, nil, 0); !strings.Contains(string(a.Raw), "共用任务") {
				t.Errorf("%s hides from the operator", url)
			}
		}
		// Neither a package nor a role brings them back.
		ids := []int64{w.menuOf("shared:dict:create"), w.menuOf("shared:job:trigger"), w.menuOf("shared:dict:query"), w.menuOf("system:permission:assign-role-menu"),
			w.menuOf("system:role:query"), w.menuOf("system:role:create")}
		pack := decoded[int64](t, w.call(w.token("admin"), "POST", "/system/tenant-package/create", map[string]any{"name": "手选套餐", "status": 0, "menuIds": ids}, 0))
		w.call(w.token("admin"), "PUT", "/system/tenant/update", map[string]any{"id": w.other, "packageId": pack}, 0)
		role := w.newRole(boss, "helper")
		w.call(boss, "POST", "/system/permission/assign-role-menu", map[string]any{"roleId": role, "menuIds": ids[:3]}, 0)
		got := decoded[[]int64](t, w.call(boss, "GET", fmt.Sprint("/system/permission/list-role-menus?roleId=", role), nil, 0))
		if slices.Contains(got, ids[0]) || slices.Contains(got, ids[1]) || !slices.Contains(got, ids[2]) {
			t.Errorf("a role of a tenant got %v of %v", got, ids[:3])
		}
		if got := held(boss); !slices.Equal(got, []string{"shared:dict:query"}) {
			t.Errorf("with a package chosen by hand: %v", got)
		}
		wrong := shared(true)
		wrong.Menus[0].Operator = []string{"shared:dict:craete"}
		if err := w.s.Seed(ctx, append(slices.Clone(before), wrong)); err == nil || !strings.Contains(err.Error(), "craete") {
			t.Errorf("a misspelt mark: %v", err)
		}
	})
}
