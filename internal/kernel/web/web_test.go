package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

type scenario = kerneltest.Scenario

func TestEnvelope_errors(t *testing.T) {
	quiet(t)
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	web.Get(s.app.Module("demo"), "/panic", web.SignedIn, func(context.Context, web.None) (string, error) { panic("bad code") })
	admin := s.token["admin"]
	never := []string{"secret", "goroutine", ".go:"}
	for _, c := range []struct {
		kind         string
		code, status int
		contains     string
	}{
		{"invalid", 400, 0, `"fields":[{"name":"name","message":"不好"}]`},
		{"unauthenticated", 401, 0, ""},
		{"forbidden", 403, 0, ""},
		{"not-found", 1070000001, 0, ""},
		{"conflict", 1099000001, 0, `"data":["guard"]`},
		{"stale", 1070000002, 0, ""},
		{"limit", 429, 429, ""},
		{"too-large", 413, 413, "1 MB"},
		{"unavailable", 503, 503, ""},
		{"internal", 500, 0, ""},
		{"unscoped", 500, 0, ""},
		{"cancelled", 500, 0, ""},
	} {
		list := []string{`"data":`}
		if c.contains != "" {
			list = append(list, c.contains)
		}
		lang := ""
		if c.kind == "invalid" { // its text is the caller's own
			lang = "zh"
		}
		kerneltest.Run(t, s.h, scenario{Name: c.kind, URL: "/demo/fail?kind=" + c.kind, As: admin, Lang: lang, Code: c.code, Status: c.status, Contains: list, Absent: never,
			Check: func(t *testing.T, a kerneltest.Answer) {
				if c.code == 500 && !strings.Contains(a.Msg, a.Header.Get("Trace-Id")) {
					t.Errorf("%q does not name the trace %q", a.Msg, a.Header.Get("Trace-Id"))
				}
			}})
	}
	kerneltest.Run(t, s.h,
		scenario{Name: "success", URL: "/demo/signed-in", As: admin, Contains: []string{`{"code":0,"data":"ok","msg":""}`}},
		scenario{Name: "panic while reading", URL: "/demo/panic", As: admin, Code: 500, Absent: never},
		scenario{Name: "panic while changing", Method: "POST", URL: "/demo/item/create", As: admin, Body: map[string]any{"name": "panic"}, Code: 500, Absent: never},
		scenario{Name: "refused", Method: "POST", URL: "/demo/item/create", As: admin, Body: map[string]any{"name": "refused"}, Code: 1099000001},
		scenario{Name: "file", URL: "/demo/file", As: admin, Contains: []string{"a,b\n"}, Check: func(t *testing.T, a kerneltest.Answer) {
			if d := a.Header.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment; filename*=utf-8''") || !strings.Contains(a.Header.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%s %s", d, a.Header.Get("Content-Security-Policy"))
			}
		}},
		scenario{Name: "file that fails early", URL: "/demo/file?kind=not-found", As: admin, Code: 1070000001},
	)
	if n := s.count(t); n != 0 {
		t.Errorf("%d rows of refused calls", n)
	}
}

func TestAccess(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	kerneltest.Matrix(t, s.app, s.token, "testdata/matrix.golden", nil)
	for name, c := range map[string]scenario{
		"unknown token":        {URL: "/demo/signed-in", As: "no-such-token", Code: 401},
		"public, closed":       {URL: "/demo/public", Headers: map[string]string{"tenant-id": "9"}, Code: 400, Lang: "zh"},
		"public, no tenant":    {URL: "/demo/open", Headers: map[string]string{"tenant-id": "9"}},
		"public with a caller": {URL: "/demo/whoami", As: s.token["creator"], Contains: []string{"100010"}},
		"public, wrong tenant": {URL: "/demo/whoami", As: s.token["creator"], Headers: map[string]string{"tenant-id": "2"}, Contains: []string{":200000,"}},
		"own tenant":           {URL: "/demo/signed-in", As: s.token["admin"], Headers: map[string]string{"tenant-id": "1"}},
		"bare token":           {URL: "/demo/signed-in", Headers: map[string]string{"Authorization": s.token["admin"]}},
		"lower-case bearer":    {URL: "/demo/signed-in", Headers: map[string]string{"Authorization": "bearer " + s.token["admin"]}},
		"token in the query":   {URL: "/demo/signed-in?token=" + s.token["admin"]},
		"wrong in the query":   {URL: "/demo/signed-in?token=no-such-token", Code: 401},
		"the header wins":      {URL: "/demo/signed-in?token=" + s.token["admin"], As: "no-such-token", Code: 401},
		"query, changing":      {Method: "POST", URL: "/demo/item/create?token=" + s.token["admin"], Body: map[string]string{"name": "n"}, Code: 401},
		"visit own tenant":     {URL: "/demo/signed-in", As: s.token["admin"], Headers: map[string]string{"visit-tenant-id": "1"}},
		"visit another":        {URL: "/demo/signed-in", As: s.token["admin"], Headers: map[string]string{"visit-tenant-id": "2"}, Code: 403, Lang: "zh"},
		"encrypted body":       {URL: "/demo/signed-in", As: s.token["admin"], Headers: map[string]string{"X-Api-Encrypt": "true"}, Code: 400},
		"empty bearer":         {URL: "/demo/signed-in", Headers: map[string]string{"Authorization": "Bearer "}, Code: 401},
	} {
		c.Name = name
		kerneltest.Run(t, s.h, c)
	}
	s.auth.Refuse(1)
	kerneltest.Run(t, s.h, scenario{Name: "suspended tenant", URL: "/demo/signed-in", As: s.token["admin"], Lang: "zh", Code: 400})
}

func TestForeignTenant_audited(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		s := newSite(t, db, web.Options{})
		a := scenario{URL: "/demo/signed-in", As: s.token["admin"], Headers: map[string]string{"tenant-id": "2"}, Code: 403, Lang: "zh"}.Run(t, s.h)
		rows, err := store.Select[audit.Row](kerneltest.AsSystem(db, 1), `SELECT * FROM audit_log WHERE tenant_id = :tenant`, nil)
		if err != nil || len(rows) != 1 || rows[0].BizID != 2 || rows[0].UserID != 1001 || rows[0].TraceID != a.Header.Get("Trace-Id") {
			t.Errorf("%+v, %v", rows, err)
		}
	}, fixture)
}

func TestTenant_markers(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		s := newSite(t, db, web.Options{})
		create := func(who, name string) scenario {
			return scenario{Method: "POST", URL: "/demo/item/create", As: s.token[who], Body: map[string]string{"name": name}}
		}
		kerneltest.Run(t, s.h, create("admin", kerneltest.MarkerA), create("admin2", kerneltest.MarkerB),
			scenario{URL: "/demo/item/list", As: s.token["admin"], Contains: []string{kerneltest.MarkerA}},
			scenario{URL: "/demo/item/list", As: s.token["admin2"], Contains: []string{kerneltest.MarkerB}, Foreign: kerneltest.MarkerA})
	}, fixture)
}

func TestInput(t *testing.T) { testInput(t, web.Options{}) }

func TestInput_withoutDocument(t *testing.T) {
	testInput(t, web.Options{NoDocument: true})
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{NoDocument: true})
	if n := len(s.app.API.OpenAPI().Paths); n != 0 {
		t.Errorf("%d paths are kept", n)
	}
}

func testInput(t *testing.T, o web.Options) {
	s := newSite(t, kerneltest.Open(t, fixture), o)
	admin := s.token["admin"]
	nested := func(depth int) string {
		return `{"name":"n","tree":` + strings.Repeat(`[`, depth-1) + strings.Repeat(`]`, depth-1) + `}`
	}
	post := func(name string, body any, code int, contains ...string) scenario {
		return scenario{Name: name, Method: "POST", URL: "/demo/item/create", As: admin, Body: body, Code: code, Contains: contains}
	}
	english := post("English", `{"name":""}`, 400)
	english.Lang = "en"
	english.Check = func(t *testing.T, a kerneltest.Answer) {
		if len(a.Fields) != 1 || a.Fields[0].Name != "name" || !strings.Contains(a.Msg, "Name expected length >= 1") {
			t.Errorf("%s", a.Raw)
		}
	}
	kerneltest.Run(t, s.h,
		scenario{Name: "page size 500", URL: "/demo/page?pageSize=500", As: admin},
		scenario{Name: "page size 501", URL: "/demo/page?pageSize=501", As: admin, Lang: "zh", Code: 400, Contains: []string{`"name":"pageSize"`, "不能大于 500"}},
		scenario{Name: "page 0", URL: "/demo/page?pageNo=0", As: admin, Lang: "zh", Code: 400},
		scenario{Name: "page text", URL: "/demo/page?pageNo=one", As: admin, Lang: "zh", Code: 400, Contains: []string{"应为整数"}},
		post("depth 32", nested(32), 0),
		post("depth 33", nested(33), 400, "嵌套过深"),
		post("depth in text", `{"name":"[[[[[[[[[[[[[[[[[[\"{{{{{{"}`, 0),
		post("torn", `{"name":`, 400, "JSON 格式不正确"),
		post("empty", nil, 400),
		post("missing", `{}`, 400, `{"name":"name","message":"名称 不能为空"}`),
		post("null is absent", `{"name":"a","size":null}`, 0),
		post("null is missing", `{"name":null}`, 400),
		post("too long", map[string]any{"name": strings.Repeat("长", 31)}, 400, "名称 长度不能超过 30"),
		post("longest", map[string]any{"name": strings.Repeat("长", 30)}, 0),
		post("wrong type", `{"name":"a","size":"big"}`, 400, "大小 应为整数"),
		post("out of range", `{"name":"a","size":10}`, 400, "大小 不能大于 9"),
		post("enum", `{"name":"a","kind":"c"}`, 400, "种类 只能是其中之一"),
		post("several", `{"size":0,"kind":"c"}`, 400, `"name":"name"`, `"name":"size"`, `"name":"kind"`),
		post("unknown members are ignored", `{"name":"mass","id":4711,"tenantId":2,"creator":"x","deleted":true,"version":9}`, 0),
		scenario{Name: "1 MB", Method: "POST", URL: "/demo/item/create", As: admin, Body: `{"name":"a","tree":"` + strings.Repeat("x", 1<<20-30) + `"}`},
		scenario{Name: "over 1 MB", Method: "POST", URL: "/demo/item/create", As: admin, Body: `{"name":"a","tree":"` + strings.Repeat("x", 1<<20) + `"}`, Status: 413, Code: 413},
		scenario{Name: "raw over 1 MB", Method: "POST", URL: "/demo/raw", As: admin, Body: `"` + strings.Repeat("x", 1<<20) + `"`, Status: 413, Code: 413},
		scenario{Name: "raw depth 33", Method: "POST", URL: "/demo/raw", As: admin, Body: nested(33), Code: 400},
		scenario{Name: "stream over its limit", Method: "POST", URL: "/demo/upload", As: admin, Body: strings.Repeat("x", 2<<20+1), Status: 413, Code: 413},
		scenario{Name: "stream", Method: "POST", URL: "/demo/upload", As: admin, Body: strings.Repeat("x", 2<<20), Contains: []string{"2097152"}},
		english,
	)
	rows, err := store.Select[item](kerneltest.AsSystem(s.db, 1), `SELECT * FROM item WHERE tenant_id = :tenant AND name = 'mass'`, nil)
	if err != nil || len(rows) != 1 || rows[0].ID == 4711 || rows[0].Creator != "1001" || rows[0].Version != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestQuery_forms(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	want := `"IDs":[1,2,3],"Name":"论 文","Range":["2026-01-01 00:00:00","2026-01-31 23:59:59"],"Inner":"x, y"`
	tail := "&name=%E8%AE%BA+%E6%96%87&createTime[0]=2026-01-01%2000:00:00&createTime[1]=2026-01-31+23:59:59&filter.name=x,+y"
	for _, ids := range []string{"ids=1,2,3", "ids=1&ids=2&ids=3", "ids[]=1&ids[]=2&ids[]=3", "ids[0]=1&ids[1]=2&ids[2]=3", "ids%5B0%5D=1&ids%5B1%5D=2&ids%5B2%5D=3", "ids=1%2C2%2C3", "ids%5b%5d=1&ids=2,3"} {
		scenario{URL: "/demo/page?" + ids + tail, As: s.token["admin"], Contains: []string{want}}.Run(t, s.h)
	}
	scenario{URL: "/demo/page?pageNo=&pageSize=&name=&ids=&createTime[0]=", As: s.token["admin"], Contains: []string{`"PageNo":1,"PageSize":20`, `"Name":""`}}.Run(t, s.h)
	scenario{URL: "/demo/page?name=a,b", As: s.token["admin"], Contains: []string{`"Name":"a,b"`}}.Run(t, s.h)
	scenario{URL: "/demo/page?name=%zz&pageNo=2&x=1,2", As: s.token["admin"], Contains: []string{`"PageNo":2`}}.Run(t, s.h)
}

func FuzzQuery(f *testing.F) {
	for _, q := range []string{"ids[0]=1", "a.b=c&&=&", "%", "a[%5D=1,2", "ids=1,2,,3"} {
		f.Add(q)
	}
	s := newSite(f, kerneltest.Open(f, fixture), web.Options{})
	f.Fuzz(func(t *testing.T, q string) {
		r := scenario{URL: "/demo/page", As: s.token["admin"]}.Request(t, "zh")
		r.URL.RawQuery = q
		w := httptest.NewRecorder()
		s.h.ServeHTTP(w, r)
		if w.Code != 200 || strings.Contains(w.Body.String(), `"code":500`) {
			t.Errorf("%q: %d %s", q, w.Code, w.Body)
		}
	})
}

func TestRoutes(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	for _, c := range []scenario{
		{Name: "no such call", URL: "/demo/nothing", Code: 404},
		{Name: "no such module", Method: "POST", URL: "/nothing", Code: 404},
		{Name: "wrong method", Method: "DELETE", URL: "/demo/public", Code: 405},
		{Name: "other case", URL: "/Demo/public", Code: 404},
		{Name: "dots", URL: "/demo/x/../nothing", Status: 307, Code: 0, Lang: "zh"},
		{Name: "reading by POST", Method: "POST", URL: "/demo/item/list", As: s.token["admin"], Code: 405},
	} {
		kerneltest.Run(t, s.h, c)
	}
	below := s.app.Handler("/viva/")
	r := httptest.NewRequest("GET", "/viva/admin-api/demo/open", nil)
	w := httptest.NewRecorder()
	below.ServeHTTP(w, r)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"code":0`) {
		t.Errorf("base path: %d %s", w.Code, w.Body)
	}
	names := []string{}
	for _, c := range s.app.Calls() {
		names = append(names, c.Name())
	}
	if !slices.IsSortedFunc(names, func(a, b string) int {
		return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1])
	}) || len(names) != 13 {
		t.Error(names)
	}
	for name, declare := range map[string]func(){
		"no access rule":   func() { web.Get(s.app.Module("x"), "/y", web.Access{}, none) },
		"empty permission": func() { web.Get(s.app.Module("x"), "/y", web.Perm(""), none) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: declared", name)
				}
			}()
			declare()
		}()
	}
}

func none(context.Context, web.None) (string, error) { return "", nil }

func TestHeaders(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	s.app.Handle("GET /page.html", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<p>")) }))
	var out strings.Builder
	for _, c := range []struct{ name, url, token string }{
		{"success", "/admin-api/demo/signed-in", s.token["admin"]}, {"refusal", "/admin-api/demo/signed-in", ""},
		{"no route", "/admin-api/nothing", ""}, {"page", "/page.html", ""},
	} {
		r := httptest.NewRequest("GET", c.url, nil)
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		s.h.ServeHTTP(w, r)
		_, _ = fmt.Fprintf(&out, "%s %d\n", c.name, w.Code)
		if w.Header().Get("Trace-Id") != "" {
			w.Header().Set("Trace-Id", "…")
		}
		var lines []string
		for k, v := range w.Header() {
			lines = append(lines, "  "+k+": "+strings.Join(v, " | "))
		}
		slices.Sort(lines)
		out.WriteString(strings.Join(lines, "\n") + "\n")
	}
	kerneltest.Golden(t, "testdata/headers.golden", out.String())
}

func TestLimit(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{UserRate: 1})
	me := scenario{URL: "/demo/signed-in", As: s.token["admin"], Lang: "zh"}
	for range 4 {
		me.Run(t, s.h)
	}
	me.Status, me.Code = 429, 429
	if a := me.Run(t, s.h); a.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	scenario{URL: "/demo/signed-in", As: s.token["nobody"], Lang: "zh"}.Run(t, s.h) // others are not punished
}

func TestOpenAPI(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{Version: "1"})
	text, err := json.MarshalIndent(s.app.API.OpenAPI(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"x-permission": "demo:item:create"`, `"/demo/item/create"`, `"x-permission": "public"`, `"新建条目"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestSameTimeStamps(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	seen, lock, wg := map[string]bool{}, sync.Mutex{}, sync.WaitGroup{}
	for range 50 {
		wg.Go(func() {
			a := scenario{URL: "/demo/open"}.Call(t, s.h)
			lock.Lock()
			defer lock.Unlock()
			if trace := a.Header.Get("Trace-Id"); len(trace) != 16 || seen[trace] {
				t.Errorf("trace %q", trace)
			}
			seen[a.Header.Get("Trace-Id")] = true
		})
	}
	wg.Wait()
}
