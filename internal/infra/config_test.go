package infra

import (
	"fmt"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
)

func TestConfigs(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		body := map[string]any{"category": "demo", "name": "欢迎语", "key": "demo.hello", "value": "你好", "visible": true, "remark": "r", "type": 1}
		var id int64
		r.call(t, r.admin, "POST", "/infra/config/create", body, 0).Decode(t, &id)
		var builtin struct{ List []Config }
		r.call(t, r.admin, "GET", "/infra/config/page?type=1&key=init-password", nil, 0).Decode(t, &builtin)
		secret := builtin.List[0].ID
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: fmt.Sprint("/infra/config/get?id=", id), As: r.admin, Contains: []string{`"key":"demo.hello"`, `"type":2`, `"visible":true`, `"value":"你好"`}},
			kerneltest.Scenario{URL: "/infra/config/page?key=demo&name=欢迎&type=2", As: r.admin, Contains: []string{`"total":1`}},
			kerneltest.Scenario{URL: "/infra/config/page?value=x", As: r.admin, Lang: "zh", Code: 400},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key?key=demo.hello", As: r.owner, Contains: []string{`"data":"你好"`}},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key?key=demo.hello", As: r.foreign, Contains: []string{`"data":"你好"`}},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key?key=nothing", As: r.owner, Contains: []string{`"data":null`}},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key?key=" + keyInitPassword, As: r.admin, Code: 1001000004},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key", As: r.admin, Lang: "zh", Code: 400},
			kerneltest.Scenario{URL: "/infra/config/get-value-by-key?key=demo.hello", Code: 401},
			kerneltest.Scenario{Name: "key taken", Method: "POST", URL: "/infra/config/create", As: r.admin, Body: body, Code: 1001000002},
			kerneltest.Scenario{Name: "no value", Method: "POST", URL: "/infra/config/create", As: r.admin, Body: map[string]any{"category": "c", "name": "n", "key": "k", "visible": true}, Code: 400},
			kerneltest.Scenario{Name: "value too long", Method: "POST", URL: "/infra/config/create", As: r.admin, Body: map[string]any{"category": "c", "name": "n", "key": "k", "value": strings.Repeat("x", 501), "visible": true}, Code: 400},
			kerneltest.Scenario{Name: "built-in stays", Method: "DELETE", URL: fmt.Sprint("/infra/config/delete?id=", secret), As: r.admin, Code: 1001000003},
			kerneltest.Scenario{Name: "built-in in a list stays", Method: "DELETE", URL: fmt.Sprint("/infra/config/delete-list?ids=", id, ",", secret), As: r.admin, Code: 1001000003},
			kerneltest.Scenario{Name: "built-in keeps its key", Method: "PUT", URL: "/infra/config/update", As: r.admin, Body: map[string]any{"id": secret, "key": "other"}, Code: 400},
			kerneltest.Scenario{Name: "type cannot be set", Method: "PUT", URL: "/infra/config/update", As: r.admin, Body: map[string]any{"id": id, "type": 1, "value": "再见", "version": 1}},
			kerneltest.Scenario{Name: "stale", Method: "PUT", URL: "/infra/config/update", As: r.admin, Body: map[string]any{"id": id, "value": "x", "version": 1}, Code: 1070000002},
			kerneltest.Scenario{Name: "changed", URL: fmt.Sprint("/infra/config/get?id=", id), As: r.admin, Contains: []string{`"type":2`, `"value":"再见"`}},
			kerneltest.Scenario{Name: "other tenant's list", URL: "/infra/config/page", As: r.foreign, Contains: []string{`"total":0`}},
			kerneltest.Scenario{Name: "other tenant reads", URL: fmt.Sprint("/infra/config/get?id=", id), As: r.foreign, Code: 1070000001},
			kerneltest.Scenario{Name: "other tenant changes", Method: "PUT", URL: "/infra/config/update", As: r.foreign, Body: map[string]any{"id": id, "value": "x"}, Code: 1070000001},
			kerneltest.Scenario{Name: "other tenant creates", Method: "POST", URL: "/infra/config/create", As: r.foreign, Body: map[string]any{"category": "c", "name": "n", "key": "k", "value": "v", "visible": true}, Code: 403},
			kerneltest.Scenario{Name: "student", URL: "/infra/config/page", As: r.owner, Code: 403},
		)
		r.call(t, r.admin, "PUT", "/infra/config/update", map[string]any{"id": secret, "value": "Geheim#2026"}, 0)
		var masked, plain int
		count := func(q string) (n int) {
			if err := r.db.Pool().QueryRow(q).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if r.db.Dialect() == store.SQLite { // the wall hides rows from a bare connection on PostgreSQL
			masked = count(`SELECT COUNT(*) FROM audit_log WHERE before LIKE '%Geheim%' OR after LIKE '%Geheim%'`)
			plain = count(`SELECT COUNT(*) FROM audit_log WHERE before LIKE '%你好%' AND after LIKE '%再见%'`)
			if masked != 0 || plain != 1 {
				t.Errorf("a secret stands %d times in the log, a plain change %d times", masked, plain)
			}
		}
		if got, err := r.s.InitialPassword(kerneltest.AsSystem(r.db, 2)); err != nil || got != "Geheim#2026" {
			t.Errorf("initial password %q, %v", got, err)
		}
		r.call(t, r.admin, "DELETE", fmt.Sprint("/infra/config/delete?id=", id), nil, 0)
		r.call(t, r.admin, "GET", "/infra/config/get-value-by-key?key=demo.hello", nil, 0)
	})
}

func TestConfigPayloads(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for i, p := range []string{`'; DROP TABLE infra_config; --`, `<script>alert(1)</script>`, `=1+1`, `+2+2`, `-3`, `@x`, `%_\`} {
			r.call(t, r.admin, "POST", "/infra/config/create", map[string]any{"category": p, "name": p, "key": fmt.Sprint(p, i), "value": p, "visible": true, "remark": p}, 0)
			for _, name := range []string{"export", "export-excel"} {
				rows := r.sheet(t, r.admin, "/infra/config/"+name+"?name="+escape(p))
				if len(rows) != 2 || rows[1][4] != p || rows[0][0] != "参数配置序号" {
					t.Errorf("%q: sheet %v", p, rows)
				}
			}
		}
	})
}

func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func TestSeedConfigs(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		r.s.Modules = func() []*module.Module {
			return []*module.Module{{Configs: []module.Config{{Category: "thesis", Name: "n", Key: "thesis.x", Value: "1", Visible: true}, {Category: "t", Name: "n", Key: keyQuota, Value: "9"}}}}
		}
		ctx := kerneltest.AsSystem(r.db, 1)
		for range 2 {
			if err := store.Write(ctx, r.s.seedConfigs); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := ConfigValue(ctx, "thesis.x"); err != nil || v != "1" {
			t.Errorf("%q %v", v, err)
		}
		if n, err := number(ctx, keyQuota, 5); err != nil || n != 1024 {
			t.Errorf("the first declaration counts: %d %v", n, err)
		}
		if n, err := number(ctx, "system.user.register-enabled", 5); err != nil || n != 5 {
			t.Errorf("a value that is no number: %d %v", n, err)
		}
	})
}
