package thesis

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"viva/internal/academic"
	"viva/internal/identity"
	"viva/internal/infra"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/system"
	"viva/internal/workflow"
	"viva/internal/workflow/runtime"
)

// product is the modules below and this one put together as the app does it, with the
// demo university, real sessions, messages and files.
type product struct {
	t      *testing.T
	h      http.Handler
	tokens map[string]string
}

const demoPassword = "Viva@2026"

func newProduct(t *testing.T, db *store.DB) *product {
	t.Helper()
	blobs, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := web.New(db, web.Options{UserRate: -1})
	people := identity.New(app, identity.Options{CaptchaOff: true})
	t.Cleanup(people.Close)
	var modules []*module.Module
	sys := system.New(app, func() []*module.Module { return modules })
	files := infra.New(app, blobs, job.New(job.Options{}))
	school := academic.New(app, academic.Deps{})
	flow := workflow.New()
	s := New(app, school, Deps{Workflow: flow, Notify: system.Notify, UsersWithRole: people.UsersWithRole, GrantRoles: people.GrantRoles, DeptSubtree: people.DeptSubtree, Attach: infra.Attach, Release: infra.Release,
		FileOf: func(ctx context.Context, id int64) (File, error) {
			f, err := infra.FileOf(ctx, id)
			return File{ID: f.ID, Name: f.Name, Size: f.Size, SHA256: f.SHA256, Mime: f.Type, Slot: f.Slot}, err
		},
		OnAccess: func(owner string, fn func(context.Context, int64) (bool, error)) { infra.OnAccess(owner, fn) },
	})
	people.OnPermissionInfo(func(ctx context.Context, info *identity.PermissionInfo) error {
		dto, err := school.StudentSession(ctx, info.User.ID)
		if dto != nil {
			info.StudentDto = dto
		}
		return err
	})
	modules = []*module.Module{people.Module(), sys.Module(), files.Module(), flow.Module(), school.Module(), s.Module()}
	for _, m := range modules {
		m.Mount(app)
	}
	p := &product{t: t, h: app.Handler("/"), tokens: map[string]string{}}
	ctx := store.Use(context.Background(), db)
	if err := people.Seed(ctx, modules); err != nil {
		t.Fatal(err)
	}
	p.seed(kerneltest.AsSystem(db, 1), people, school, s)
	return p
}

func (p *product) seed(ctx context.Context, people *identity.Service, school *academic.Service, s *Service) {
	p.t.Helper()
	hash, err := password.Hash(ctx, demoPassword)
	if err != nil {
		p.t.Fatal(err)
	}
	started := time.Now()
	plan := academic.NewDemo(1) // the small one
	wanted := plan.Organisation()
	wanted.PasswordHash = hash
	org, err := people.DemoOrganisation(ctx, wanted)
	if err == nil {
		err = school.DemoSeed(ctx, plan, org)
	}
	if err == nil {
		err = s.DemoSeed(ctx, plan)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Logf("demo with accounts in %s", time.Since(started))
}

// call makes a call as a named account, which signs in when it calls first.
func (p *product) call(who, method, url string, body any, code int) kerneltest.Answer {
	p.t.Helper()
	if p.tokens[who] == "" {
		a := kerneltest.Scenario{Method: http.MethodPost, URL: "/system/auth/login", Body: map[string]any{"username": who, "password": demoPassword}}.Call(p.t, p.h)
		var tokens struct{ AccessToken string }
		a.Decode(p.t, &tokens)
		p.tokens[who] = tokens.AccessToken
	}
	a := kerneltest.Scenario{Method: method, URL: url, As: p.tokens[who], Body: body}.Call(p.t, p.h)
	if a.Code != code {
		p.t.Fatalf("%s %s %s: code %d, want %d: %.500s", who, method, url, a.Code, code, a.Raw)
	}
	return a
}

// upload sends a file by the chunk protocol and gives its id.
func (p *product) upload(who, name, content string) int64 {
	p.t.Helper()
	var begun struct{ UploadID string }
	p.call(who, http.MethodPost, "/infra/file/upload-begin", map[string]any{"name": name, "size": len(content), "slot": "document"}, 0).Decode(p.t, &begun)
	a := kerneltest.Scenario{Method: http.MethodPut, URL: fmt.Sprintf("/infra/file/upload-chunk?uploadId=%s&offset=0", begun.UploadID), As: p.tokens[who], Body: content,
		Headers: map[string]string{"Content-Type": "application/octet-stream"}}.Call(p.t, p.h)
	if a.Code != 0 {
		p.t.Fatalf("chunk: %s", a.Raw)
	}
	var file struct{ ID int64 }
	p.call(who, http.MethodPost, "/infra/file/upload-finish", map[string]any{"uploadId": begun.UploadID}, 0).Decode(p.t, &file)
	return file.ID
}

func (p *product) unread(who string) int {
	p.t.Helper()
	var n int
	p.call(who, http.MethodGet, "/system/notify-message/get-unread-count", nil, 0).Decode(p.t, &n)
	return n
}

const smallPDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

// TestTheWholePath is the path of the product: sign in as the named accounts, attach a
// file, submit, decide twice, see messages and the file.
func TestTheWholePath(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		p := newProduct(t, db)
		var info struct {
			Permissions []string
			StudentDto  academic.StudentDto
		}
		p.call("student01", http.MethodGet, "/system/auth/get-permission-info", nil, 0).Decode(t, &info)
		if len(info.Permissions) != 33 || info.StudentDto.RecordID == 0 || info.StudentDto.CurrentStep != 20 || info.StudentDto.AdvisorName == "" {
			t.Fatalf("session: %d permissions, %+v", len(info.Permissions), info.StudentDto)
		}
		file := p.upload("student01", "选题论证.pdf", smallPDF)
		before := p.unread("advisor01")
		body := form(map[string]any{"attachments": []int64{file}})
		var done Submitted
		p.call("student01", http.MethodPost, "/thesis/students-subject/submit", body, 0).Decode(t, &done)
		if n := p.unread("advisor01"); n != before+1 {
			t.Errorf("the advisor has %d unread messages, had %d", n, before)
		}
		p.readers(t, file)
		p.decide("advisor01", done.ID)
		p.decide("secretary01", done.ID)
		var my MySubject
		p.call("student01", http.MethodGet, "/thesis/students-subject/my", nil, 0).Decode(t, &my)
		if my.Form.AuditState != AuditPassed || len(my.Files) != 1 || len(my.History) < 4 {
			t.Fatalf("at the end: %+v", my)
		}
		if !slices.ContainsFunc(my.History, func(h HistoryIn) bool { return h.Event == EvSubmit && len(h.Files) == 1 }) {
			t.Error("the history does not show the file")
		}
		if p.unread("student01") < 2 {
			t.Error("the student was not told")
		}
		p.seeded(t)
	}, fsOf()...)
}

// readers: the advisor and the secretary read the file, other students do not.
func (p *product) readers(t *testing.T, file int64) {
	t.Helper()
	for who, ok := range map[string]bool{"student01": true, "advisor01": true, "secretary01": true, "student02": false, "advisor02": false, "secretary02": false} {
		p.call(who, http.MethodGet, "/system/auth/get-permission-info", nil, 0)
		a := kerneltest.Scenario{URL: fmt.Sprintf("/infra/file/download?id=%d", file), As: p.tokens[who]}.Call(t, p.h)
		if got := strings.HasPrefix(string(a.Raw), "%PDF"); got != ok {
			t.Errorf("%s reads the file: %v: %.100s", who, got, a.Raw)
		}
	}
}

func (p *product) decide(who string, id int64) {
	p.t.Helper()
	var page store.Page[Todo]
	p.call(who, http.MethodGet, "/thesis/students-subject/todo-page?pageSize=100", nil, 0).Decode(p.t, &page)
	for _, x := range page.List {
		if x.ID == id {
			p.call(who, http.MethodPut, "/thesis/students-subject/approve", map[string]any{"id": id, "version": x.Version, "opinion": "同意"}, 0)
			return
		}
	}
	p.t.Fatalf("%s does not find %d among %d", who, id, page.Total)
}

// seeded: menus and roles of the lists arrive, the named accounts stand where the README says.
func (p *product) seeded(t *testing.T) {
	t.Helper()
	a := p.call("advisor01", http.MethodGet, "/system/auth/get-permission-info", nil, 0)
	for _, want := range []string{"teacher/desk", "teacher/students", "teacher/topic", "teacher/todo"} {
		if !strings.Contains(string(a.Raw), want) {
			t.Errorf("a teacher has no page %s", want)
		}
	}
	for who, state := range map[string]Audit{"student02": AuditAdvisor, "student03": AuditCollege, "student04": AuditReturned, "student05": AuditPassed} {
		var my MySubject
		p.call(who, http.MethodGet, "/thesis/students-subject/my", nil, 0).Decode(t, &my)
		if my.Form == nil || my.Form.AuditState != state {
			t.Errorf("%s: %+v", who, my.Form)
		}
	}
	p.call("secretary01", http.MethodGet, "/thesis/record/overview", nil, 0)
	p.call("degree01", http.MethodGet, "/thesis/record/page?sortingFields[0].field=recordNo&sortingFields[0].order=asc", nil, 0)
}

// fsOf lists the migrations of the modules below and of this one.
func fsOf() []fs.FS {
	return []fs.FS{identityTables, os.DirFS("../system/migrations"), os.DirFS("../infra/migrations"), workflow.Migrations(), runtime.Migrations, academic.Migrations(), Migrations()}
}
