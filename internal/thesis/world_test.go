package thesis

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow"
	"viva/internal/workflow/runtime"
)

// identityTables are the tables of people and departments below this module.
var identityTables = os.DirFS("../identity/migrations")

// message is one internal message that was written.
type message struct {
	to       int64
	template string
	params   map[string]any
}

// world is a tenant with two colleges, two advisors, secretaries and students over HTTP
// with invented sessions; tenant 2 has one college and one student of its own.
type world struct {
	t       *testing.T
	db      *store.DB
	app     *web.App
	h       http.Handler
	auth    *kerneltest.Auth
	school  *academic.Service
	s       *Service
	flow    *workflow.Service
	lock    sync.Mutex
	inbox   []message
	files   map[int64]File
	owners  map[int64]int64 // file → user
	bound   map[int64]int64 // file → record or feedback
	college map[string]int64
	tokens  map[string]string
	users   map[string]actor.Actor
	ids     map[string]int64 // student and advisor rows by name
	fail    error            // what Notify answers, to inject a fault
}

// Users of the worlds. The number is the user id.
const (
	uAdvisor1, uAdvisor2                        = 101, 102
	uSecretary1, uSecretary1b, uSecretary2      = 201, 202, 203
	uDegree, uTraining                          = 301, 302
	uStudent1, uStudent2, uStudent3, uForeigner = 401, 402, 403, 901
)

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	w := &world{t: t, db: db, auth: kerneltest.NewAuth(), files: map[int64]File{}, owners: map[int64]int64{}, bound: map[int64]int64{}, college: map[string]int64{}, tokens: map[string]string{},
		users: map[string]actor.Actor{}, ids: map[string]int64{}}
	w.app = web.New(db, web.Options{UserRate: -1})
	w.app.SetAuthenticator(w.auth)
	w.app.Dictionary = func(_ context.Context, _ string) (map[string]string, error) {
		m := map[string]string{"2025-2026-1": "a", "2025-2026-2": "b", "2026-2027-1": "c"}
		for i := range 120 {
			m[fmt.Sprint(i)] = fmt.Sprint("v", i)
		}
		return m, nil
	}
	w.school, w.flow = academic.New(w.app, academic.Deps{}), workflow.New()
	w.s = New(w.app, w.school, Deps{
		Notify: w.notify, UsersWithRole: w.usersWithRole, DeptSubtree: w.subtree, FileOf: w.fileOf, Attach: w.attach, Release: w.release, Workflow: w.flow,
	})
	w.school.Mount(w.app)
	w.s.Mount(w.app)
	w.flow.Mount(w.app)
	w.h = w.app.Handler("/")
	w.people()
	return w
}

func eachWorld(t *testing.T, test func(w *world)) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(newWorld(t, db)) }, academic.Migrations(), Migrations(), workflow.Migrations(), runtime.Migrations, identityTables)
}

func (w *world) notify(_ context.Context, to []int64, template string, params map[string]any) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.fail != nil {
		return w.fail
	}
	if !slices.ContainsFunc(templates, func(t module.Template) bool { return t.Code == template }) {
		return fmt.Errorf("no template %s", template)
	}
	for _, id := range to {
		w.inbox = append(w.inbox, message{id, template, params})
	}
	return nil
}

// got counts the messages of a template to a user and forgets all.
func (w *world) got(user int64, template string) int {
	w.lock.Lock()
	defer w.lock.Unlock()
	n := 0
	for _, m := range w.inbox {
		if m.to == user && m.template == template {
			n++
		}
	}
	return n
}

func (w *world) usersWithRole(ctx context.Context, role string, depts []int64) ([]int64, error) {
	var list []int64
	for _, u := range w.users {
		if u.TenantID == actor.From(ctx).TenantID && slices.Contains(u.Roles, role) && (depts == nil || slices.Contains(depts, u.DeptID)) {
			list = append(list, u.UserID)
		}
	}
	return list, nil
}

func (w *world) subtree(_ context.Context, id int64) ([]int64, error) { return []int64{id}, nil }

func (w *world) fileOf(_ context.Context, id int64) (File, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if f, ok := w.files[id]; ok {
		return f, nil
	}
	return File{}, errs.ErrNoRecord.With()
}

func (w *world) attach(ctx context.Context, ids []int64, _ string, owner int64) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, id := range ids {
		if w.owners[id] != actor.From(ctx).UserID {
			return errs.ErrNoRecord.With()
		}
		store.AfterCommit(ctx, func() { w.bound[id] = owner })
	}
	return nil
}

func (w *world) release(ctx context.Context, ids []int64, _ string, owner int64) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, id := range ids {
		if w.bound[id] != owner {
			return errs.ErrNoRecord.With()
		}
		store.AfterCommit(ctx, func() { delete(w.bound, id) })
	}
	return nil
}

func (w *world) file(id, owner int64, content string) {
	w.files[id] = File{ID: id, Name: fmt.Sprintf("附件%d.pdf", id), Size: int64(len(content)), SHA256: content, Mime: "application/pdf", Slot: slotDocument}
	w.owners[id] = owner
}

func (w *world) ctx(who actor.Actor) context.Context { return kerneltest.As(w.db, who) }

func (w *world) system(tenant int64) context.Context { return kerneltest.AsSystem(w.db, tenant) }

func (w *world) write(tenant int64, fn func(ctx context.Context) error) {
	w.t.Helper()
	if err := store.Write(w.system(tenant), fn); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) user(name string, a actor.Actor) {
	a.Kind, a.Username, a.Nickname = actor.User, name, name
	if a.TenantID == 0 {
		a.TenantID = 1
	}
	w.users[name], w.tokens[name] = a, w.auth.Add(a)
}

func held(lists ...[]string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lists {
		for _, p := range l {
			m[p] = true
		}
	}
	return m
}

func permsOf(code string) []string {
	for _, r := range roles {
		if r.Code == code {
			return r.Perms
		}
	}
	return nil
}

var studentPerms = []string{"thesis:students-subject:query", "thesis:students-subject:submit", "thesis:feedback:create", "thesis:feedback:query"}

const insertDept = `INSERT INTO system_dept (tenant_id, name, create_time, update_time) VALUES (:tenant, :name, 1, 1) RETURNING id`

const insertTenant = `INSERT INTO system_tenant (id, name, expire_time, create_time, update_time) VALUES (:of, :name, 9999999999999, 1, 1)`

func (w *world) people() {
	w.write(1, func(ctx context.Context) error {
		for id := range 2 {
			if _, err := store.Exec(store.ByTable(ctx), insertTenant, store.Args{"of": id + 1, "name": fmt.Sprint("学校", id+1)}); err != nil {
				return err
			}
		}
		return nil
	})
	w.write(1, func(ctx context.Context) error {
		for _, name := range []string{"信息学院", "机械学院"} {
			id, _, err := store.Get[int64](store.ByTable(ctx), insertDept, store.Args{"name": name})
			if err != nil {
				return err
			}
			w.college[name] = id
		}
		return nil
	})
	info, mech := w.college["信息学院"], w.college["机械学院"]
	staff := func(id, dept int64, roles ...string) actor.Actor {
		return actor.Actor{UserID: id, UserType: actor.Teacher, DeptID: dept, Roles: roles, Perms: held(permsOf(roles[0])), Scope: actor.Scope{Self: true}}
	}
	w.user("advisor1", staff(uAdvisor1, info, "teacher"))
	w.user("advisor2", staff(uAdvisor2, info, "teacher"))
	for name, id := range map[string]int64{"secretary1": uSecretary1, "secretary1b": uSecretary1b} {
		a := staff(id, info, roleSecretary)
		a.Scope = actor.Scope{Depts: []int64{info}}
		w.user(name, a)
	}
	a := staff(uSecretary2, mech, roleSecretary)
	a.Scope = actor.Scope{Depts: []int64{mech}}
	w.user("secretary2", a)
	for name, id := range map[string]int64{"degree": uDegree, "training": uTraining} {
		a := staff(id, 0, map[string]string{"degree": roleDegree, "training": "grad_training"}[name])
		a.Scope = actor.Scope{All: true}
		w.user(name, a)
	}
	for name, id := range map[string]int64{"student1": uStudent1, "student2": uStudent2, "student3": uStudent3} {
		w.user(name, actor.Actor{UserID: id, UserType: actor.Student, DeptID: info, Roles: []string{"student"}, Perms: held(studentPerms)})
	}
	w.user("foreigner", actor.Actor{UserID: uForeigner, UserType: actor.Student, TenantID: 2, Roles: []string{"student"}, Perms: held(studentPerms)})
	w.user("admin2", kerneltest.Admin(2))
	w.user("nobody", kerneltest.User(1, 999))
	w.academics()
}

func (w *world) academics() {
	info := w.college["信息学院"]
	w.write(1, func(ctx context.Context) error {
		if err := openTerm(ctx); err != nil {
			return err
		}
		for i, name := range []string{"advisor1", "advisor2"} {
			id, err := academic.AddAdvisor(ctx, academic.Advisor{UserID: int64(uAdvisor1 + i), StaffNo: "T00" + fmt.Sprint(i), Name: name, DeptID: info, TitleRank: 1, IsEnable: 1})
			if err != nil {
				return err
			}
			w.ids[name] = id
		}
		major, err := academic.AddMajor(ctx, academic.Major{Code: "0812", Name: "计算机", DeptID: info, DegreeType: 1, IsEnable: 1})
		if err != nil {
			return err
		}
		for i, name := range []string{"student1", "student2", "student3"} {
			level := academic.LevelMaster
			if name == "student3" {
				level = academic.LevelDoctor
			}
			st := academic.Student{UserID: int64(uStudent1 + i), StudentNo: "202500000" + fmt.Sprint(i), Name: name, Sex: 1, DeptID: info, MajorID: major, DegreeLevel: level,
				DegreeType: 1, StudyMode: 1, EntryYear: clock.Now().Year() - 1, BaseMonths: 36, MaxMonths: 60, LifeState: 1, RealNameState: 1}
			id, err := w.school.AddStudent(ctx, st, w.ids["advisor1"])
			if err != nil {
				return err
			}
			w.ids[name] = id
		}
		return nil
	})
	w.write(2, func(ctx context.Context) error {
		id, _, err := store.Get[int64](store.ByTable(ctx), insertDept, store.Args{"name": "外校学院" + kerneltest.MarkerB})
		if err != nil {
			return err
		}
		if err := openTerm(ctx); err != nil {
			return err
		}
		w.ids["foreigner"], err = w.school.AddStudent(ctx, academic.Student{UserID: uForeigner, StudentNo: "2025999999", Name: "外校" + kerneltest.MarkerB, Sex: 1, DeptID: id, MajorID: 1,
			DegreeLevel: 3, DegreeType: 1, StudyMode: 1, EntryYear: clock.Now().Year() - 1, BaseMonths: 36, MaxMonths: 60, LifeState: 1, RealNameState: 1}, 0)
		return err
	})
}

// openTerm makes a current semester whose topic window is open for ten days.
func openTerm(ctx context.Context) error {
	today := clock.Now().In(clock.Shanghai)
	if _, err := academic.AddSemester(ctx, academic.Semester{AcademicYear: "2025-2026", Item: 2, StartDate: today.AddDate(0, -2, 0).Format(time.DateOnly),
		EndDate: today.AddDate(0, 3, 0).Format(time.DateOnly), WeekCount: 20, IsCurrent: true}); err != nil {
		return err
	}
	win := StepWindow{Semester: "2025-2026-2", StepCode: StepSubject, OpenAt: now() - 10*day, CloseAt: now() + 10*day, LateMode: lateRefuse, GraceMinutes: 10}
	return windows.Insert(ctx, &win)
}

// form is a complete declaration; changes adjust it.
func form(changes map[string]any) map[string]any {
	f := map[string]any{"selfProposed": true, "titleZh": "面向边缘设备的模型压缩方法研究", "titleEn": "Model compression", "thesisType": 2, "thesisSource": 8,
		"reason": strings.Repeat("研究背景与意义充分，", 15)}
	for k, v := range changes {
		if v == nil {
			delete(f, k)
		} else {
			f[k] = v
		}
	}
	return f
}

// call makes a call as a user and wants the code.
func (w *world) call(who, method, url string, body any, code int) kerneltest.Answer {
	w.t.Helper()
	a := kerneltest.Scenario{Method: method, URL: url, As: w.tokens[who], Body: body, Lang: "zh"}.Call(w.t, w.h)
	if a.Code != code {
		w.t.Fatalf("%s %s %s: code %d (%s), want %d: %.400s", who, method, url, a.Code, a.Msg, code, a.Raw)
	}
	return a
}

func into[T any](w *world, a kerneltest.Answer) T {
	w.t.Helper()
	var v T
	if err := json.Unmarshal(a.Data, &v); err != nil {
		w.t.Fatalf("%s: %v", a.Data, err)
	}
	return v
}

// submitted lets a student hand the form in and gives the answer.
func (w *world) submitted(who string, changes map[string]any) Submitted {
	w.t.Helper()
	return into[Submitted](w, w.call(who, http.MethodPost, "/thesis/students-subject/submit", form(changes), 0))
}

// my reads the student's page.
func (w *world) my(who string) MySubject {
	w.t.Helper()
	return into[MySubject](w, w.call(who, http.MethodGet, "/thesis/students-subject/my", nil, 0))
}

// verdict lets a user decide on a student's declaration with its current version.
func (w *world) verdict(who, call string, id int64, opinion string, code int) kerneltest.Answer {
	w.t.Helper()
	row, err := subjects.Get(w.system(1), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.call(who, http.MethodPut, "/thesis/students-subject/"+call, map[string]any{"id": id, "version": row.Version, "opinion": opinion}, code)
}
