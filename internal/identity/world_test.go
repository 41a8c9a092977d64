package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/id"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// The password of every user of these tests, hashed once.
const secret = "Correct-Horse-7"

var secretHash = sync.OnceValue(func() string {
	hash, err := password.Hash(context.Background(), secret)
	if err != nil {
		panic(err)
	}
	return hash
})

// world is two universities: tenant 1 is the system tenant, tenant 2 has the standard
// package and carries kerneltest.MarkerB in every text.
type world struct {
	t      *testing.T
	db     *store.DB
	app    *web.App
	s      *Service
	h      http.Handler
	org    Organisation
	other  int64
	theirs Organisation
}

// thesisLike stands for the modules above: student pages, a staff page with some of the
// same permissions, and roles that hold them.
var thesisLike = &module.Module{Name: "thesis", Menus: []module.Menu{
	{Name: "我的论文", NameEn: "My thesis", Path: "/myThesis", Children: []module.Menu{
		{Name: "选题申报", Path: "students-subject", Component: "myThesis/students-subject", Permission: "thesis:students-subject:query", Perms: []string{"thesis:students-subject:submit"}},
	}},
	{Name: "论文过程", Path: "/process", Children: []module.Menu{
		{Name: "选题", Path: "subject", Component: "thesis/subject/index", Perms: []string{"thesis:students-subject:query", "thesis:students-subject:update", "thesis:students-subject:export"}},
	}},
}, Roles: []module.Role{
	{Code: "college_secretary", Perms: []string{"thesis:students-subject:query", "thesis:students-subject:update", "system:user:query", "system:dept:query"}},
	{Code: "teacher", Perms: []string{"thesis:topic:query", "thesis:topic:create"}},
}}

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	return newWorldWith(t, db, Options{CaptchaOff: true})
}

func newWorldWith(t *testing.T, db *store.DB, o Options) *world {
	t.Helper()
	w := &world{t: t, db: db, app: web.New(db, web.Options{UserRate: -1})}
	o.TenantName = "青岚大学"
	w.s = New(w.app, o)
	t.Cleanup(w.s.Close)
	m := w.s.Module()
	m.Mount(w.app)
	modules := []*module.Module{m, thesisLike}
	w.must(w.s.Seed(store.Use(context.Background(), db), modules))
	w.h = w.app.Handler("/")
	plan := func(mark string) Plan {
		return Plan{PasswordHash: secretHash(),
			Depts: []PlanDept{{Name: "大学" + mark}, {Name: "文学院" + mark, Parent: "大学" + mark}, {Name: "理学院" + mark, Parent: "大学" + mark, Sort: 1},
				{Name: "物理系" + mark, Parent: "理学院" + mark}},
			Posts: []Post{{Code: "dean", Name: "院长" + mark}},
			Users: []PlanUser{
				{Username: "advisor01", Nickname: "导师" + mark, Dept: "物理系" + mark, Roles: []string{"teacher"}},
				{Username: "secretary01", Nickname: "秘书" + mark, Dept: "理学院" + mark, Roles: []string{"college_secretary"}, Posts: []string{"dean"}},
				{Username: "student01", Nickname: "学生" + mark, Dept: "物理系" + mark, Type: actor.Student, Email: fmt.Sprintf("s%d@example.edu", len(mark))},
				{Username: "plain01", Nickname: "职员" + mark, Dept: "文学院" + mark},
			}}
	}
	var err error
	one := plan("")
	one.Users = append(one.Users, PlanUser{Username: "admin", Nickname: "管理员", Dept: "大学", Roles: []string{roleSuper}},
		PlanUser{Username: "keeper01", Nickname: "租户管理员", Dept: "大学", Roles: []string{roleTenantAdmin}})
	w.org, err = w.s.DemoOrganisation(w.system(1), one)
	w.must(err)
	pack, err := w.s.StandardPackage(w.system(1))
	w.must(err)
	w.other, err = w.s.CreateTenant(w.system(1), NewTenant{Tenant: Tenant{Name: "临川理工", ContactName: "联系人",
		PackageID: pack, AccountCount: 50, ExpireTime: clock.Millis() + 3600_000}, Username: "admin", PasswordHash: secretHash()})
	w.must(err)
	w.theirs, err = w.s.DemoOrganisation(w.system(w.other), plan(kerneltest.MarkerB))
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) system(tenant int64) context.Context { return kerneltest.AsSystem(w.db, tenant) }

// token opens a session without the cost of a password.
func (w *world) token(username string) string { return w.tokens(1, username).AccessToken }

func (w *world) tokens(tenant int64, username string) Tokens {
	w.t.Helper()
	ctx := w.system(tenant)
	id, ok, err := w.s.UserIDByName(ctx, username)
	if err != nil || !ok {
		w.t.Fatalf("%s of tenant %d: %v", username, tenant, err)
	}
	var t Tokens
	w.must(store.Write(ctx, func(ctx context.Context) (err error) {
		t, err = w.s.openSession(ctx, id)
		return err
	}))
	return t
}

// call makes one call and wants the code.
func (w *world) call(token, method, url string, body any, code int) kerneltest.Answer {
	w.t.Helper()
	a := kerneltest.Scenario{Method: method, URL: url, Body: body, As: token}.Call(w.t, w.h)
	if a.Code != code {
		w.t.Fatalf("%s %s: code %d, want %d: %.600s", method, url, a.Code, code, a.Raw)
	}
	return a
}

// signIn makes a real sign-in.
func (w *world) signIn(username, pw string, headers map[string]string) kerneltest.Answer {
	w.t.Helper()
	return kerneltest.Scenario{Method: "POST", URL: "/system/auth/login", Body: map[string]any{"username": username, "password": pw,
		"socialType": nil, "socialCode": "", "captchaVerification": ""}, Headers: headers}.Call(w.t, w.h)
}

func tenantHeader(id int64) map[string]string { return map[string]string{"tenant-id": fmt.Sprint(id)} }

func decoded[T any](t *testing.T, a kerneltest.Answer) (v T) {
	t.Helper()
	if err := json.Unmarshal(a.Data, &v); err != nil {
		t.Fatalf("%s: %v", a.Raw, err)
	}
	return v
}

// advance moves the clock for the rest of the test.
func advance(t *testing.T, d time.Duration) {
	t.Helper()
	now := clock.Now()
	start := time.Now()
	restore := clock.Set(func() time.Time { return now.Add(d + time.Since(start)) })
	t.Cleanup(restore)
}

func count(w *world, tenant int64, table string) int64 {
	w.t.Helper()
	queries := map[string]func(ctx context.Context) (int64, bool, error){
		"sessions": func(ctx context.Context) (int64, bool, error) {
			return store.Get[int64](ctx, `SELECT COUNT(*) FROM system_session WHERE tenant_id = :tenant`, nil)
		},
		"events": func(ctx context.Context) (int64, bool, error) {
			return store.Get[int64](ctx, `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND op = 4 AND entity = 'system_session'`, nil)
		},
	}
	n, _, err := queries[table](w.system(tenant))
	w.must(err)
	return n
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, newWorld(t, db)) }, migrations)
}

// bare is an installation before its first administrator.
func bare(t *testing.T, db *store.DB) *world {
	t.Helper()
	w := &world{t: t, db: db, app: web.New(db, web.Options{UserRate: -1})}
	w.s = New(w.app, Options{CaptchaOff: true})
	t.Cleanup(w.s.Close)
	m := w.s.Module()
	m.Mount(w.app)
	w.must(w.s.Seed(store.Use(context.Background(), db), []*module.Module{m}))
	w.h = w.app.Handler("/")
	return w
}

func hashOfToken(token string) string { return id.Hash(token) }
