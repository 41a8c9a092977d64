package academic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// identityTables are the tables of people and departments below this module.
var identityTables = os.DirFS("../identity/migrations")

type school struct {
	t       *testing.T
	db      *store.DB
	h       http.Handler
	s       *Service
	auth    *kerneltest.Auth
	tokens  map[string]string
	dept    [2]int64 // colleges of tenant 1
	foreign int64    // college of tenant 2
	major   [2]int64
	lock    sync.Mutex
	changed []int64
	next    int64
}

func eachSchool(t *testing.T, test func(w *school)) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(newSchool(t, db)) }, Migrations(), identityTables)
}

func newSchool(t *testing.T, db *store.DB) *school {
	t.Helper()
	w := &school{t: t, db: db, auth: kerneltest.NewAuth(), tokens: map[string]string{}, next: 7000}
	app := web.New(db, web.Options{UserRate: -1})
	app.SetAuthenticator(w.auth)
	app.Dictionary = func(_ context.Context, dict string) (map[string]string, error) {
		if dict == "thesis_degree_level" {
			return map[string]string{"2": "博士", "3": "硕士"}, nil
		}
		return map[string]string{"0": "无", "1": "一", "2": "二", "3": "三"}, nil
	}
	w.s = New(app, Deps{Account: func(_ context.Context, a Account) (int64, error) {
		w.lock.Lock()
		defer w.lock.Unlock()
		w.next++
		return w.next, nil
	}})
	w.s.OnStudentChanged(func(_ context.Context, id int64) error {
		w.lock.Lock()
		defer w.lock.Unlock()
		w.changed = append(w.changed, id)
		return nil
	})
	w.s.Mount(app)
	w.h = app.Handler("/")
	w.seed()
	return w
}

func (w *school) seed() {
	w.t.Helper()
	const insert = `INSERT INTO system_dept (tenant_id, name, create_time, update_time) VALUES (:tenant, :name, 1, 1) RETURNING id`
	add := func(tenant int64, name string) (id int64) {
		err := store.Write(kerneltest.AsSystem(w.db, tenant), func(ctx context.Context) (err error) {
			id, _, err = store.Get[int64](store.ByTable(ctx), insert, store.Args{"name": name})
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
		return id
	}
	w.dept, w.foreign = [2]int64{add(1, "信息学院"), add(1, "机械学院")}, add(2, "外校"+kerneltest.MarkerB)
	secretary := kerneltest.User(1, 21, "thesis:students:query", "thesis:students:create", "thesis:students:update", "thesis:students:import", "thesis:supervision:update", "thesis:supervision:query", "thesis:advisor:query")
	secretary.Scope = actor.Scope{Depts: []int64{w.dept[0]}}
	for name, a := range map[string]actor.Actor{"admin": kerneltest.Admin(1), "admin2": kerneltest.Admin(2), "secretary": secretary,
		"teacher": kerneltest.User(1, 31, "thesis:students:query"), "student": kerneltest.Student(1, 41), "nobody": kerneltest.User(1, 99)} {
		w.tokens[name] = w.auth.Add(a)
	}
	for i := range w.major {
		w.major[i] = into[int64](w, w.call("admin", http.MethodPost, "/thesis/major/create", map[string]any{"code": fmt.Sprintf("081%d", i), "name": fmt.Sprint("专业", i), "deptId": w.dept[i], "degreeType": 1, "isEnable": 1}, 0))
	}
}

func (w *school) call(who, method, url string, body any, code int) kerneltest.Answer {
	w.t.Helper()
	a := kerneltest.Scenario{Method: method, URL: url, As: w.tokens[who], Body: body}.Call(w.t, w.h)
	if a.Code != code {
		w.t.Fatalf("%s %s %s: code %d, want %d: %.400s", who, method, url, a.Code, code, a.Raw)
	}
	return a
}

func into[T any](w *school, a kerneltest.Answer) T {
	w.t.Helper()
	var v T
	if err := json.Unmarshal(a.Data, &v); err != nil {
		w.t.Fatalf("%s: %v", a.Raw, err)
	}
	return v
}

func (w *school) student(no string, college int, more map[string]any) map[string]any {
	m := map[string]any{"studentNo": no, "name": "学生" + no, "sex": 1, "deptId": w.dept[college], "majorId": w.major[college], "degreeLevel": 3, "degreeType": 1, "studyMode": 1,
		"entryYear": 2025, "baseMonths": 36, "maxMonths": 60, "lifeState": 1}
	for k, v := range more {
		m[k] = v
	}
	return m
}

func (w *school) advisor(no string, college int, user int64) int64 {
	w.t.Helper()
	return into[int64](w, w.call("admin", http.MethodPost, "/thesis/advisor/create", map[string]any{"staffNo": no, "name": "导师" + no, "deptId": w.dept[college], "titleRank": 1, "isEnable": 1}, 0)) + w.userOf(no, user)
}

// userOf gives the advisor an account; the reference check of the call needs a real one.
func (w *school) userOf(no string, user int64) int64 {
	w.t.Helper()
	err := store.Write(kerneltest.AsSystem(w.db, 1), func(ctx context.Context) error {
		row, _, err := store.Get[Advisor](ctx, sqlAdvisorByNo, store.Args{"no": no})
		if err != nil {
			return err
		}
		_, err = advisors.Change(ctx, row.ID, func(a *Advisor) error { a.UserID = user; return nil })
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return 0
}

func TestStudents(t *testing.T) {
	eachSchool(t, func(w *school) {
		id := into[int64](w, w.call("secretary", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		row := into[Student](w, w.call("secretary", http.MethodGet, fmt.Sprintf("/thesis/students/get?id=%d", id), nil, 0))
		if row.UserID == 0 || row.DeptName != "信息学院" || row.MajorName != "专业0" || row.LatestEnd() != "2030-09-01" {
			t.Fatalf("%+v", row)
		}
		if len(w.changed) != 1 || w.changed[0] != id {
			t.Errorf("told of %v", w.changed)
		}
		for name, c := range map[string]struct {
			body map[string]any
			code int
		}{
			"taken number":      {w.student("2025000001", 0, nil), errs.CodeInvalid},
			"bad number":        {w.student("2025-1", 0, nil), errs.CodeInvalid},
			"max below base":    {w.student("2025000002", 0, map[string]any{"maxMonths": 24}), errs.CodeInvalid},
			"foreign major":     {w.student("2025000002", 0, map[string]any{"majorId": w.major[1]}), errs.CodeInvalid},
			"other college":     {w.student("2025000002", 1, nil), errs.CodeInvalid},
			"other tenant":      {w.student("2025000002", 0, map[string]any{"deptId": w.foreign}), errs.CodeInvalid},
			"not in dictionary": {w.student("2025000002", 0, map[string]any{"degreeLevel": 9}), errs.CodeInvalid},
		} {
			if a := w.call("secretary", http.MethodPost, "/thesis/students/create", c.body, c.code); len(a.Fields) == 0 {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		w.call("secretary", http.MethodPut, "/thesis/students/update", map[string]any{"id": id, "version": 9, "name": "改名"}, errs.ErrStale.Num)
		w.call("secretary", http.MethodPut, "/thesis/students/set-real-name", map[string]any{"id": id, "state": 1}, 0)
		other := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000009", 1, nil), 0))
		for _, who := range []string{"secretary", "admin2", "teacher"} {
			w.call(who, http.MethodGet, fmt.Sprintf("/thesis/students/get?id=%d", other), nil, errs.ErrNoRecord.Num)
		}
		w.call("nobody", http.MethodGet, "/thesis/students/page", nil, errs.CodeForbidden)
		w.call("student", http.MethodGet, "/thesis/students/page", nil, errs.CodeForbidden)
	})
}

func TestSupervision(t *testing.T) {
	eachSchool(t, func(w *school) {
		a, b := w.advisor("T1", 0, 31), w.advisor("T2", 0, 32)
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		assign := map[string]any{"studentId": id, "advisorId": a, "reason": "入学分配"}
		w.call("secretary", http.MethodPut, "/thesis/students/assign-advisor", assign, 0)
		w.call("admin", http.MethodPost, "/thesis/supervision/create", map[string]any{"studentId": id, "advisorId": b, "role": 1}, errs.CodeInvalid)
		if page := into[store.Page[Student]](w, w.call("teacher", http.MethodGet, "/thesis/students/page", nil, 0)); page.Total != 1 || page.List[0].AdvisorName != "导师T1" {
			t.Fatalf("the advisor sees his students: %+v", page)
		}
		assign["advisorId"] = b
		w.call("secretary", http.MethodPut, "/thesis/students/assign-advisor", assign, 0)
		if n := into[store.Page[Student]](w, w.call("teacher", http.MethodGet, "/thesis/students/page", nil, 0)).Total; n != 0 {
			t.Errorf("the former advisor still sees %d", n)
		}
		ctx := kerneltest.AsSystem(w.db, 1)
		if main, found, err := MainAdvisor(ctx, id); err != nil || !found || main.ID != b {
			t.Errorf("main advisor %+v %v", main, err)
		}
		if own, err := Supervises(ctx, 31, id); err != nil || own {
			t.Errorf("supervises %v %v", own, err)
		}
		w.call("admin", http.MethodDelete, fmt.Sprintf("/thesis/advisor/delete?id=%d", b), nil, errAdvisorBusy.Num)
		if page := into[store.Page[Supervision]](w, w.call("secretary", http.MethodGet, "/thesis/supervision/page", nil, 0)); page.Total != 2 || page.List[1].EndDate == "" {
			t.Errorf("history: %+v", page)
		}
	})
}

// TestTwoAssignments: at most one active main advisor, whoever is faster.
func TestTwoAssignments(t *testing.T) {
	eachSchool(t, func(w *school) {
		a, b := w.advisor("T1", 0, 31), w.advisor("T2", 0, 32)
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		var wait sync.WaitGroup
		for _, advisor := range []int64{a, b} {
			wait.Go(func() {
				kerneltest.Scenario{Method: http.MethodPut, URL: "/thesis/students/assign-advisor", As: w.tokens["admin"], Body: map[string]any{"studentId": id, "advisorId": advisor}}.Call(t, w.h)
			})
		}
		wait.Wait()
		n, _, err := store.Get[int](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM thesis_supervision WHERE tenant_id = :tenant AND student_id = :id AND end_date = '' AND deleted = false`, store.Args{"id": id})
		if err != nil || n != 1 {
			t.Errorf("%d active, %v", n, err)
		}
	})
}

func TestMyMentorAndSession(t *testing.T) {
	eachSchool(t, func(w *school) {
		a := w.advisor("T1", 0, 31)
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		err := store.Write(kerneltest.AsSystem(w.db, 1), func(ctx context.Context) error {
			return w.s.ChangeStudent(ctx, id, func(s *Student) { s.UserID = 41 })
		})
		if err != nil {
			t.Fatal(err)
		}
		if m := into[MyMentor](w, w.call("student", http.MethodGet, "/thesis/supervision/my-mentor", nil, 0)); m.Hint == "" || len(m.Current) != 0 {
			t.Errorf("before: %+v", m)
		}
		w.call("admin", http.MethodPut, "/thesis/students/assign-advisor", map[string]any{"studentId": id, "advisorId": a}, 0)
		if m := into[MyMentor](w, w.call("student", http.MethodGet, "/thesis/supervision/my-mentor", nil, 0)); m.Hint != "" || len(m.Current) != 1 || m.Current[0].DeptName != "信息学院" {
			t.Errorf("after: %+v", m)
		}
		w.call("teacher", http.MethodGet, "/thesis/supervision/my-mentor", nil, errs.CodeForbidden)
		ctx := kerneltest.AsSystem(w.db, 1)
		dto, err := w.s.StudentSession(ctx, 41)
		if err != nil || dto == nil || dto.AdvisorName != "导师T1" || dto.MajorName != "专业0" {
			t.Errorf("student %+v %v", dto, err)
		}
		teacher, err := w.s.TeacherSession(ctx, 31)
		if err != nil || teacher == nil || len(teacher.Identities) != 1 || teacher.DeptName != "信息学院" {
			t.Errorf("teacher %+v %v", teacher, err)
		}
		if none, err := w.s.StudentSession(ctx, 99); none != nil || err != nil {
			t.Errorf("nobody %+v %v", none, err)
		}
	})
}

func TestSemesters(t *testing.T) {
	eachSchool(t, func(w *school) {
		body := func(year string, item int, from, to string) map[string]any {
			return map[string]any{"academicYear": year, "item": item, "startDate": from, "endDate": to, "weekCount": 20}
		}
		create := func(b map[string]any, code int) int64 {
			a := w.call("admin", http.MethodPost, "/thesis/semester/create", b, code)
			if code != 0 {
				return 0
			}
			return into[int64](w, a)
		}
		one := create(body("2025-2026", 1, "2025-09-01", "2026-01-20"), 0)
		two := create(body("2025-2026", 2, "2026-02-20", "2026-07-10"), 0)
		create(body("2025-2026", 2, "2027-02-20", "2027-07-10"), errs.CodeInvalid)
		create(body("2025-2027", 1, "2028-02-20", "2028-07-10"), errs.CodeInvalid)
		create(body("2025年", 1, "2028-02-20", "2028-07-10"), errs.CodeInvalid)
		create(body("2026-2027", 1, "2026-07-01", "2026-12-31"), errs.CodeInvalid)
		create(body("2026-2027", 1, "2026-12-31", "2026-09-01"), errs.CodeInvalid)
		for _, id := range []int64{one, two} {
			w.call("admin", http.MethodPut, fmt.Sprintf("/thesis/semester/set-current?id=%d", id), nil, 0)
		}
		if now, found, err := CurrentSemester(kerneltest.AsSystem(w.db, 1)); err != nil || !found || now.Code() != "2025-2026-2" {
			t.Errorf("current %+v %v", now, err)
		}
		w.call("admin", http.MethodDelete, fmt.Sprintf("/thesis/semester/delete?id=%d", two), nil, errSemesterCurrent.Num)
		w.call("admin2", http.MethodPut, fmt.Sprintf("/thesis/semester/set-current?id=%d", one), nil, errs.ErrNoRecord.Num)
	})
}

// sheet makes an upload of rows.
func (w *school) upload(query string, rows ...[]any) kerneltest.Answer {
	w.t.Helper()
	var file bytes.Buffer
	sheet, err := xlsx.NewWriter(&file, "学生", []string{"学号*", "姓名*", "性别*", "学院*", "专业*", "培养层次*", "学位类型*", "学习方式*", "入学年份*", "基本学制(月)*", "最长年限(月)*", "学籍状态*", "导师工号"})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range rows {
		if err := sheet.Row(r); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := sheet.Close(); err != nil {
		w.t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "students.xlsx")
	_, _ = part.Write(file.Bytes())
	_ = form.Close()
	r := httptest.NewRequest(http.MethodPost, web.Prefix+"/thesis/students/import?"+query, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+w.tokens["secretary"])
	out := httptest.NewRecorder()
	w.h.ServeHTTP(out, r)
	var a kerneltest.Answer
	a.Raw = out.Body.Bytes()
	var e struct {
		Code int
		Data json.RawMessage
	}
	if err := json.Unmarshal(a.Raw, &e); err != nil {
		w.t.Fatal(err)
	}
	a.Code, a.Data = e.Code, e.Data
	return a
}

func TestStudentImport(t *testing.T) {
	eachSchool(t, func(w *school) {
		w.advisor("T1", 0, 31)
		row := func(no, dept, level, advisor string) []any {
			return []any{no, "学生" + no, "一", dept, "专业0", level, "一", "一", 2025, 36, 60, "一", advisor}
		}
		rows := [][]any{row("2025000001", "信息学院", "硕士", "T1"), row("2025000002", "没有的学院", "硕士", ""), row("2025000003", "信息学院", "学士", ""),
			row("2025000004", "机械学院", "硕士", ""), row("2025000005", "信息学院", "博士", "T9"), row("2025000006", "信息学院", "博士", "")}
		tried := into[StudentImport](w, w.upload("dryRun=true", rows...))
		done := into[StudentImport](w, w.upload("", rows...))
		for _, r := range []StudentImport{tried, done} {
			if r.Created != 2 || len(r.Failures) != 4 || r.Failures[0].Row != 3 || r.Failures[0].Fields[0].Name != "deptId" || r.Failures[1].Fields[0].Name != "degreeLevel" ||
				r.Failures[3].Fields[0].Name != "advisorId" {
				t.Fatalf("%+v", r)
			}
		}
		if n := into[store.Page[Student]](w, w.call("admin", http.MethodGet, "/thesis/students/page", nil, 0)).Total; n != 2 || !tried.DryRun {
			t.Errorf("%d students", n)
		}
		if page := into[store.Page[Student]](w, w.call("teacher", http.MethodGet, "/thesis/students/page", nil, 0)); page.Total != 1 || page.List[0].StudentNo != "2025000001" {
			t.Errorf("the advisor column: %+v", page)
		}
		again := into[StudentImport](w, w.upload("", rows[0]))
		update := into[StudentImport](w, w.upload("updateSupport=true", rows[0]))
		if len(again.Failures) != 1 || update.Updated != 1 || len(update.Failures) != 0 {
			t.Errorf("again %+v, update %+v", again, update)
		}
		w.call("admin", http.MethodGet, "/thesis/students/get-import-template", nil, -1)
	})
}

func TestDemoSeedTwice(t *testing.T) {
	eachSchool(t, func(w *school) {
		plan := NewDemo(1)
		o := identity.Organisation{Depts: map[string]int64{}, Users: map[string]int64{}}
		for i, d := range plan.Organisation().Depts {
			o.Depts[d.Name] = int64(100 + i)
		}
		for i, u := range plan.Organisation().Users {
			o.Users[u.Username] = int64(1000 + i)
		}
		ctx := kerneltest.AsSystem(w.db, 2)
		for range 2 {
			if err := w.s.DemoSeed(ctx, plan, o); err != nil {
				t.Fatal(err)
			}
		}
		n, _, err := store.Get[int](ctx, sqlAnyStudent, nil)
		if err != nil || n != 30 {
			t.Errorf("%d students, %v", n, err)
		}
		if _, found, err := CurrentSemester(ctx); err != nil || !found {
			t.Errorf("no current semester: %v", err)
		}
	})
}
