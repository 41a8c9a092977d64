package crud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// post is the entity of these tests: one of each interesting tag.
type post struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" label:"岗位名称|Post name" in:"required,max=50" q:"like"`
	Code   string `json:"code" label:"岗位编码|Code" in:"required,max=64" q:"like" unique:"tenant"`
	Sort   int    `json:"sort" label:"排序|Order" in:"min=0,max=9999"`
	Status int    `json:"status" label:"状态|Status" in:"dict=common_status" q:"eq"`
	Intro  string `json:"intro" label:"说明|Intro" in:"kind=richtext,max=2000"`
	Boss   int64  `json:"boss" label:"上级|Boss" in:"ref=test_post:/test/post/list-all-simple"`
	Secret string `json:"-" db:"secret" label:"口令|Secret" in:"as=secret,max=20" audit:"-"`
	Hidden string `json:"hidden"`
	crud.Meta
}

var schema = fstest.MapFS{"9001_post.sql": {Data: []byte(`-- +goose Up
CREATE TABLE test_post (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, sort INTEGER NOT NULL,
 status INTEGER NOT NULL, intro TEXT NOT NULL, boss BIGINT NOT NULL, secret TEXT NOT NULL, hidden TEXT NOT NULL DEFAULT '',
 creator TEXT NOT NULL, create_time BIGINT NOT NULL, updater TEXT NOT NULL, update_time BIGINT NOT NULL,
 deleted BOOLEAN NOT NULL DEFAULT false, version INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX uk_test_post_code ON test_post (tenant_id, code) WHERE deleted = false;
`)}}

// people is an authenticator whose tokens are "tenant-user-perm,perm".
type people struct{}

func (people) Actor(_ context.Context, token string) (actor.Actor, error) {
	var a actor.Actor
	var perms string
	if n, _ := fmt.Sscanf(token, "%d-%d-%s", &a.TenantID, &a.UserID, &perms); n < 2 {
		return a, errs.ErrUnauthenticated.With()
	}
	a.Kind, a.UserType, a.Perms, a.Username = actor.User, actor.Teacher, map[string]bool{}, fmt.Sprint("u", a.UserID)
	for _, p := range strings.Split(perms, ",") {
		a.Perms[p] = true
	}
	return a, nil
}

func (people) Tenant(context.Context, int64) error { return nil }

type server struct {
	t        testing.TB
	app      *web.App
	db       *store.DB
	handler  http.Handler
	resource *crud.Resource[post]
}

const admin = "1-7-*:*:*"

func start(t testing.TB) *server {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	app := web.New(db, web.Options{UserRate: -1})
	app.SetAuthenticator(people{})
	app.Dictionary = func(context.Context, string) (map[string]string, error) {
		return map[string]string{"0": "开启", "1": "关闭"}, nil
	}
	r := crud.Mount[post](app.Module("test"), "post", "岗位|Post", crud.Simple("name", "code"), crud.Import)
	if err := db.Migrate(ctx, audit.Migrations, web.Migrations, schema); err != nil {
		t.Fatal(err)
	}
	return &server{t: t, app: app, db: db, handler: app.Handler("/"), resource: r}
}

type answer struct {
	Code   int               `json:"code"`
	Data   json.RawMessage   `json:"data"`
	Msg    string            `json:"msg"`
	Fields []errs.FieldError `json:"fields"`
	raw    *httptest.ResponseRecorder
}

func (s *server) call(token, method, path, body string) answer {
	s.t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req := httptest.NewRequest(method, "/admin-api"+path, r)
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return s.send(req)
}

func (s *server) send(req *http.Request) answer {
	s.t.Helper()
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, req)
	a := answer{raw: rec}
	if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil {
			s.t.Fatalf("%s: %v in %s", req.URL, err, rec.Body)
		}
	}
	return a
}

func (s *server) want(a answer, code int) answer {
	s.t.Helper()
	if a.Code != code {
		s.t.Fatalf("code %d, want %d: %s", a.Code, code, a.raw.Body)
	}
	return a
}

func (s *server) create(token, name, code string) string {
	s.t.Helper()
	body := fmt.Sprintf(`{"name":%q,"code":%q,"sort":1,"status":0}`, name, code)
	return string(s.want(s.call(token, "POST", "/test/post/create", body), 0).Data)
}

func TestCrud_roundTrip(t *testing.T) {
	s := start(t)
	id := s.create(admin, "讲师", "lecturer")
	got := s.want(s.call(admin, "GET", "/test/post/get?id="+id, ""), 0)
	if !strings.Contains(string(got.Data), `"name":"讲师"`) || !strings.Contains(string(got.Data), `"version":1`) {
		t.Fatalf("get: %s", got.Data)
	}
	s.want(s.call(admin, "PUT", "/test/post/update", `{"id":`+id+`,"name":"教授","version":1}`), 0)
	s.want(s.call(admin, "PUT", "/test/post/update", `{"id":`+id+`,"name":"又改","version":1}`), 1070000002)
	page := s.want(s.call(admin, "GET", "/test/post/page?name=教&status=0&sortingFields%5B0%5D.field=code&sortingFields%5B0%5D.order=asc", ""), 0)
	if !strings.Contains(string(page.Data), `"total":1`) || !strings.Contains(string(page.Data), "教授") {
		t.Fatalf("page: %s", page.Data)
	}
	s.want(s.call(admin, "DELETE", "/test/post/delete?id="+id, ""), 0)
	s.want(s.call(admin, "GET", "/test/post/get?id="+id, ""), 1070000001)
}

func TestCrud_access(t *testing.T) {
	s := start(t)
	id := s.create(admin, "讲师", "a")
	s.want(s.call("", "GET", "/test/post/get?id="+id, ""), 401)
	s.want(s.call("1-8-test:post:query", "GET", "/test/post/get?id="+id, ""), 0)
	s.want(s.call("1-8-test:post:query", "DELETE", "/test/post/delete?id="+id, ""), 403)
	for _, path := range []string{"/test/post/get?id=" + id, "/test/post/get?id=0", "/test/post/get?id=-1", "/test/post/get?id=999999"} {
		a := s.call("2-9-*:*:*", "GET", path, "")
		if a.Code == 0 || strings.Contains(a.raw.Body.String(), "讲师") {
			t.Errorf("%s leaked: %s", path, a.raw.Body)
		}
	}
	s.want(s.call("2-9-*:*:*", "PUT", "/test/post/update", `{"id":`+id+`,"name":"x"}`), 1070000001)
	s.want(s.call("2-9-*:*:*", "DELETE", "/test/post/delete-list?ids="+id, ""), 1070000001)
	s.want(s.call("2-9-*:*:*", "POST", "/test/post/create", `{"name":"x","code":"a","boss":`+id+`}`), 400)
}

func TestCrud_refusals(t *testing.T) {
	s := start(t)
	s.create(admin, "讲师", "a")
	cases := []struct{ name, body, field, says string }{
		{"missing name", `{"code":"b"}`, "name", "岗位名称 不能为空"},
		{"too long", `{"name":"` + strings.Repeat("长", 51) + `","code":"b"}`, "name", "最多 50 个字"},
		{"not text", `{"name":5,"code":"b"}`, "name", "应为文字"},
		{"not a number", `{"name":"n","code":"b","sort":"x"}`, "sort", "应为整数"},
		{"too small", `{"name":"n","code":"b","sort":-1}`, "sort", "不能小于 0"},
		{"not in dictionary", `{"name":"n","code":"b","status":7}`, "status", "不在可选范围内"},
		{"duplicate", `{"name":"n","code":"a"}`, "code", "已存在"},
		{"unknown reference", `{"name":"n","code":"b","boss":99}`, "boss", "不存在"},
	}
	for _, c := range cases {
		a := s.call(admin, "POST", "/test/post/create", c.body)
		if a.Code != 400 || len(a.Fields) != 1 || a.Fields[0].Name != c.field || !strings.Contains(a.Fields[0].Msg, c.says) {
			t.Errorf("%s: %s", c.name, a.raw.Body)
		}
	}
	for _, body := range []string{"", "[]", "null", "{", `"x"`} {
		s.want(s.call(admin, "POST", "/test/post/create", body), 400)
	}
}

func TestCrud_neverBindsForeignMembers(t *testing.T) {
	s := start(t)
	body := `{"id":55,"tenantId":2,"creator":"evil","createTime":1,"deleted":true,"version":9,"hidden":"x","name":"n","code":"c"}`
	id := string(s.want(s.call(admin, "POST", "/test/post/create", body), 0).Data)
	got := s.want(s.call(admin, "GET", "/test/post/get?id="+id, ""), 0)
	for _, bad := range []string{"evil", `"createTime":1,`, `"version":9`, `"hidden":"x"`, `"id":55`} {
		if strings.Contains(string(got.Data), bad) {
			t.Errorf("bound %s: %s", bad, got.Data)
		}
	}
}

func TestCrud_queryNames(t *testing.T) {
	s := start(t)
	s.create(admin, "讲师", "a")
	for path, code := range map[string]int{
		"/test/post/page?hidden=x":                                          400,
		"/test/post/page?sort=1":                                            400,
		"/test/post/page?nonsense=x":                                        0,
		"/test/post/page?pageSize=501":                                      400,
		"/test/post/page?pageSize=0":                                        400,
		"/test/post/page?pageNo=-1":                                         400,
		"/test/post/page?pageSize=500":                                      0,
		"/test/post/page?status=abc":                                        400,
		"/test/post/page?sortingFields[0].field=secret":                     400,
		"/test/post/page?sortingFields[0].field=id;drop":                    400,
		"/test/post/page?sortingFields[0].field=name":                       0,
		"/test/post/page?createTime[0]=x":                                   400,
		"/test/post/page?createTime[0]=2020-01-01%2000:00:00":               0,
		"/test/post/page?createTime[0]=2020-01-01&createTime[1]=2020-01-02": 0,
	} {
		if a := s.call(admin, "GET", path, ""); a.Code != code {
			t.Errorf("%s: %d, want %d (%s)", path, a.Code, code, a.Msg)
		}
	}
}

// Hostile texts are stored as data and come back as data, and LIKE wildcards are literal.
func TestCrud_hostileText(t *testing.T) {
	s := start(t)
	texts := []string{`'; DROP TABLE test_post; --`, `<script>alert(1)</script>`, `=HYPERLINK("http://x")`, `%_\`, `" OR 1=1`, "\u202eevil", "{{7*7}}", "${jndi:ldap://x}"}
	for i, text := range texts {
		id := s.create(admin, text, fmt.Sprint("c", i))
		var row post
		if err := json.Unmarshal(s.want(s.call(admin, "GET", "/test/post/get?id="+id, ""), 0).Data, &row); err != nil || row.Name != text {
			t.Errorf("%q came back as %q (%v)", text, row.Name, err)
		}
	}
	page := s.want(s.call(admin, "GET", "/test/post/page?name=%25_", ""), 0)
	if !strings.Contains(string(page.Data), `"total":1`) {
		t.Errorf("wildcards are not literal: %s", page.Data)
	}
	rich := s.want(s.call(admin, "POST", "/test/post/create", `{"name":"r","code":"rich","intro":"<p>好<script>x</script><img src=x onerror=y></p>"}`), 0)
	got := s.want(s.call(admin, "GET", "/test/post/get?id="+string(rich.Data), ""), 0)
	if strings.Contains(string(got.Data), "script") || strings.Contains(string(got.Data), "onerror") {
		t.Errorf("rich text: %s", got.Data)
	}
}

func TestCrud_exportIsFormulaSafe(t *testing.T) {
	s := start(t)
	s.create(admin, "=1+1", "a")
	a := s.call(admin, "GET", "/test/post/export-excel?status=0", "")
	if a.raw.Header().Get("Content-Type") != web.SheetType {
		t.Fatalf("%v %s", a.raw.Header(), a.raw.Body)
	}
	rows, err := xlsx.Read(bytes.NewReader(a.raw.Body.Bytes()), xlsx.Limits{})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %v", rows, err)
	}
	line := strings.Join(rows[1], "|")
	if !strings.Contains(line, "1+1") || !strings.Contains(line, "开启") || strings.Contains(strings.Join(rows[0], "|"), "口令") {
		t.Errorf("export: %v", rows)
	}
	s.want(s.call(admin, "GET", "/test/post/export?hidden=1", ""), 400)
}

func (s *server) upload(rows [][]any, query string) answer {
	s.t.Helper()
	var sheet bytes.Buffer
	w, err := xlsx.NewWriter(&sheet, "岗位", []string{"岗位名称*", "岗位编码*", "排序", "状态", "上级"})
	for _, row := range rows {
		if err == nil {
			err = w.Row(row)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "x.xlsx")
	_, _ = part.Write(sheet.Bytes())
	_ = form.Close()
	req := httptest.NewRequest("POST", "/admin-api/test/post/import"+query, &body)
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+admin)
	return s.send(req)
}

func TestCrud_importReportsEachRow(t *testing.T) {
	s := start(t)
	s.create(admin, "讲师", "a")
	a := s.want(s.upload([][]any{{"教授", "b", 1, "开启"}, {"", "c", 1, "开启"}, {"重复", "a", 1, "关闭"}, {"坏", "d", "x", "开启"}, {"状态", "e", 1, "没有"}}, ""), 0)
	var report crud.ImportReport
	if err := json.Unmarshal(a.Data, &report); err != nil {
		t.Fatal(err)
	}
	if report.Created != 1 || len(report.Failures) != 4 || report.Failures[0].Row != 3 || report.Failures[1].Row != 4 {
		t.Fatalf("%+v", report)
	}
	a = s.want(s.upload([][]any{{"新名", "a", 5, "关闭"}}, "?updateSupport=true"), 0)
	if !strings.Contains(string(a.Data), `"updated":1`) {
		t.Fatalf("%s", a.Data)
	}
}

func TestCrud_importFindsReferencesByName(t *testing.T) {
	s := start(t)
	s.create(admin, "教授", "a")
	s.create("2-9-"+strings.SplitN(admin, "-", 3)[2], "外校教授", "a")
	s.create(admin, "同名", "b")
	s.create(admin, "同名", "c")
	var report crud.ImportReport
	a := s.want(s.upload([][]any{{"讲师", "d", 1, "开启", "教授"}, {"甲", "e", 1, "开启", "外校教授"}, {"乙", "f", 1, "开启", "同名"}}, ""), 0)
	if err := json.Unmarshal(a.Data, &report); err != nil {
		t.Fatal(err)
	}
	if report.Created != 1 || len(report.Failures) != 2 || report.Failures[0].Fields[0].Name != "boss" {
		t.Fatalf("%+v", report)
	}
	boss, _, err := store.Get[int64](actor.AsSystem(store.Use(t.Context(), s.db), 1), `SELECT boss FROM test_post WHERE tenant_id = :tenant AND code = 'd'`, nil)
	if err != nil || boss == 0 {
		t.Fatalf("boss %d, %v", boss, err)
	}
}

func TestCrud_auditsEachChangeAndMasksSecrets(t *testing.T) {
	s := start(t)
	id := string(s.want(s.call(admin, "POST", "/test/post/create", `{"name":"n","code":"c","secret":"pw-123"}`), 0).Data)
	s.want(s.call(admin, "PUT", "/test/post/update", `{"id":`+id+`,"name":"m","secret":"pw-456"}`), 0)
	s.want(s.call(admin, "PUT", "/test/post/update", `{"id":`+id+`,"name":"m"}`), 0)
	s.want(s.call(admin, "DELETE", "/test/post/delete?id="+id, ""), 0)
	ctx := actor.AsSystem(store.Use(t.Context(), s.db), 1)
	rows, err := store.Select[audit.Row](ctx, `SELECT * FROM audit_log WHERE tenant_id = :tenant ORDER BY id`, nil)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if rows[1].Before != `{"name":"n","secret":"***"}` || rows[1].After != `{"name":"m","secret":"***"}` || rows[1].UserID != 7 {
		t.Errorf("update audited as %+v", rows[1])
	}
	if n, err := audit.Seal(ctx); n != 3 || err != nil {
		t.Errorf("sealed %d, %v", n, err)
	}
	if n, broken, err := audit.Verify(ctx); n != 3 || broken != 0 || err != nil {
		t.Errorf("verify %d %d %v", n, broken, err)
	}
}

func TestCrud_simpleListsEnabledRowsWithChosenFields(t *testing.T) {
	s := start(t)
	s.create(admin, "讲师", "a")
	s.want(s.call(admin, "POST", "/test/post/create", `{"name":"停","code":"b","status":1}`), 0)
	for _, name := range []string{"list-all-simple", "simple-list"} {
		a := s.want(s.call("1-8-none", "GET", "/test/post/"+name, ""), 0)
		if strings.Contains(string(a.Data), "停") || strings.Contains(string(a.Data), "status") || !strings.Contains(string(a.Data), `"code":"a"`) {
			t.Errorf("%s: %s", name, a.Data)
		}
	}
}

func TestCrud_idempotencyKey(t *testing.T) {
	s := start(t)
	send := func(key, body string) answer {
		req := httptest.NewRequest("POST", "/admin-api/test/post/create", strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+admin)
		req.Header.Set("Idempotency-Key", key)
		return s.send(req)
	}
	first := s.want(send("k1", `{"name":"n","code":"c"}`), 0)
	again := s.want(send("k1", `{"name":"n","code":"c"}`), 0)
	if string(first.Data) != string(again.Data) {
		t.Errorf("%s, then %s", first.Data, again.Data)
	}
	s.want(send("k1", `{"name":"other","code":"d"}`), 1070000004)
	s.want(send("k2", `{"name":"n","code":"c"}`), 400)
}
