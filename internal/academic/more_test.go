package academic

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestMajors(t *testing.T) {
	eachSchool(t, func(w *school) {
		body := map[string]any{"code": "0899", "name": "新专业", "deptId": w.dept[0], "degreeType": 1, "isEnable": 1, "degreeLevels": []int{2, 3}}
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/major/create", body, 0))
		w.call("admin", http.MethodPost, "/thesis/major/create", body, errs.CodeInvalid)
		for name, change := range map[string]map[string]any{
			"no code":        {"code": ""},
			"short code":     {"code": "1"},
			"long name":      {"code": "0900", "name": strings.Repeat("长", 61)},
			"no college":     {"code": "0900", "deptId": 0},
			"foreign dept":   {"code": "0900", "deptId": w.foreign},
			"unknown dept":   {"code": "0900", "deptId": 4711},
			"wrong type":     {"code": "0900", "degreeType": 7},
			"levels are ids": {"code": "0900", "degreeLevels": []int{-1}},
			"type as text":   {"code": "0900", "degreeType": "博士"},
		} {
			bad := map[string]any{}
			for k, v := range body {
				bad[k] = v
			}
			for k, v := range change {
				bad[k] = v
			}
			if a := w.call("admin", http.MethodPost, "/thesis/major/create", bad, errs.CodeInvalid); len(a.Fields) == 0 {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, map[string]any{"majorId": id}), 0)
		w.call("admin", http.MethodDelete, fmt.Sprintf("/thesis/major/delete?id=%d", id), nil, errMajorUsed.Num)
		w.call("admin", http.MethodPut, "/thesis/major/update", map[string]any{"id": id, "isEnable": 0}, 0)
		list := into[[]simpleMajor](w, w.call("nobody", http.MethodGet, "/thesis/major/list-all-simple", nil, 0))
		if len(list) != 2 {
			t.Errorf("selectors show %+v", list)
		}
		a := w.call("admin2", http.MethodGet, "/thesis/major/list-all-simple", nil, 0)
		if string(a.Data) != "[]" {
			t.Errorf("another tenant sees %s", a.Data)
		}
		w.call("admin2", http.MethodPut, "/thesis/major/update", map[string]any{"id": id, "name": "改名"}, errs.ErrNoRecord.Num)
		w.call("admin2", http.MethodDelete, fmt.Sprintf("/thesis/major/delete?id=%d", id), nil, errs.ErrNoRecord.Num)
	})
}

func TestAdvisors(t *testing.T) {
	eachSchool(t, func(w *school) {
		body := map[string]any{"staffNo": "T1", "name": "王老师", "deptId": w.dept[0], "titleRank": 1, "isEnable": 1, "disciplines": []string{"计算机"}, "external": false}
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/advisor/create", body, 0))
		row := into[Advisor](w, w.call("secretary", http.MethodGet, fmt.Sprintf("/thesis/advisor/get?id=%d", id), nil, 0))
		if row.DeptName != "信息学院" || len(row.Disciplines.V) != 1 || row.Students != 0 {
			t.Errorf("%+v", row)
		}
		for name, change := range map[string]map[string]any{
			"taken number":    {},
			"six disciplines": {"staffNo": "T2", "disciplines": []string{"1", "2", "3", "4", "5", "6"}},
			"bad mail":        {"staffNo": "T2", "email": "not an address"},
			"quota":           {"staffNo": "T2", "quotaPerYear": 31},
			"foreign college": {"staffNo": "T2", "deptId": w.foreign},
			"unknown account": {"staffNo": "T2", "userId": 4711},
		} {
			bad := map[string]any{}
			for k, v := range body {
				bad[k] = v
			}
			for k, v := range change {
				bad[k] = v
			}
			if a := w.call("admin", http.MethodPost, "/thesis/advisor/create", bad, errs.CodeInvalid); len(a.Fields) == 0 {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		other := w.advisor("T8", 1, 81)
		w.call("secretary", http.MethodGet, fmt.Sprintf("/thesis/advisor/get?id=%d", other), nil, errs.ErrNoRecord.Num)
		w.call("teacher", http.MethodGet, "/thesis/advisor/page", nil, errs.CodeForbidden)
		simple := into[[]simpleAdvisor](w, w.call("nobody", http.MethodGet, "/thesis/advisor/simple-list", nil, 0))
		if len(simple) != 2 || simple[0].StaffNo != "T1" {
			t.Errorf("selectors show %+v", simple)
		}
	})
}

func TestBatchAssign(t *testing.T) {
	eachSchool(t, func(w *school) {
		a := w.advisor("T1", 0, 31)
		var ids []int64
		for i := range 3 {
			ids = append(ids, into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student(fmt.Sprintf("202500010%d", i), 0, nil), 0)))
		}
		other := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000200", 1, nil), 0))
		w.call("secretary", http.MethodPost, "/thesis/students/batch-assign", map[string]any{"studentIds": append(ids, other), "advisorId": a}, errs.ErrNoRecord.Num)
		page := into[store.Page[Supervision]](w, w.call("admin", http.MethodGet, "/thesis/supervision/page", nil, 0))
		if page.Total != 0 {
			t.Fatalf("a refused batch left %d relations", page.Total)
		}
		if n := into[int](w, w.call("secretary", http.MethodPost, "/thesis/students/batch-assign", map[string]any{"studentIds": ids, "advisorId": a}, 0)); n != 3 {
			t.Errorf("assigned %d", n)
		}
		w.call("secretary", http.MethodPost, "/thesis/students/batch-assign", map[string]any{"studentIds": []int64{}, "advisorId": a}, errs.CodeInvalid)
		w.call("secretary", http.MethodPost, "/thesis/students/batch-assign", map[string]any{"studentIds": ids, "advisorId": 4711}, errs.ErrNoRecord.Num)
		w.call("admin", http.MethodPut, "/thesis/advisor/update", map[string]any{"id": a, "isEnable": 0}, 0)
		fresh := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000300", 0, nil), 0))
		w.call("secretary", http.MethodPut, "/thesis/students/assign-advisor", map[string]any{"studentId": fresh, "advisorId": a}, errs.CodeInvalid)
	})
}

func TestEndSupervision(t *testing.T) {
	eachSchool(t, func(w *school) {
		a := w.advisor("T1", 0, 31)
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		link := into[int64](w, w.call("admin", http.MethodPost, "/thesis/supervision/create", map[string]any{"studentId": id, "advisorId": a, "role": 1}, 0))
		w.call("admin2", http.MethodPut, "/thesis/supervision/end", map[string]any{"id": link, "reason": "退休"}, errs.ErrNoRecord.Num)
		w.call("secretary", http.MethodPut, "/thesis/supervision/end", map[string]any{"id": link, "reason": ""}, errs.CodeInvalid)
		w.changed = nil
		for range 2 { // ending twice is ending once
			w.call("secretary", http.MethodPut, "/thesis/supervision/end", map[string]any{"id": link, "reason": "退休"}, 0)
		}
		if len(w.changed) != 1 {
			t.Errorf("told %v", w.changed)
		}
		if _, found, err := MainAdvisor(kerneltest.AsSystem(w.db, 1), id); found || err != nil {
			t.Errorf("still supervised: %v", err)
		}
		w.call("admin", http.MethodPost, "/thesis/supervision/create", map[string]any{"studentId": id, "advisorId": a, "role": 2}, 0)
		ctx := kerneltest.AsSystem(w.db, 1)
		if own, err := Supervises(ctx, 31, id); !own || err != nil {
			t.Errorf("a co-advisor counts for conflicts: %v %v", own, err)
		}
		if own, err := Supervises(ctx, 0, id); own || err != nil {
			t.Errorf("nobody supervises: %v %v", own, err)
		}
	})
}

// TestInUse: what a higher module refuses is not deleted.
func TestInUse(t *testing.T) {
	eachSchool(t, func(w *school) {
		busy := true
		w.s.OnStudentInUse(func(context.Context, int64) (bool, error) { return busy, nil })
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/students/create", w.student("2025000001", 0, nil), 0))
		w.call("admin", http.MethodDelete, fmt.Sprintf("/thesis/students/delete?id=%d", id), nil, errStudentBusy.Num)
		busy = false
		w.call("admin", http.MethodDelete, fmt.Sprintf("/thesis/students/delete?id=%d", id), nil, 0)
		w.call("admin", http.MethodGet, fmt.Sprintf("/thesis/students/get?id=%d", id), nil, errs.ErrNoRecord.Num)
	})
}

func TestRefusalsSpeakBothLanguages(t *testing.T) {
	eachSchool(t, func(w *school) {
		for _, s := range []kerneltest.Scenario{
			{Name: "number", Method: "POST", URL: "/thesis/students/create", Body: w.student("1", 0, nil), Code: errs.CodeInvalid},
			{Name: "years", Method: "POST", URL: "/thesis/students/create", Body: w.student("2025000001", 0, map[string]any{"maxMonths": 12}), Code: errs.CodeInvalid},
			{Name: "major", Method: "POST", URL: "/thesis/students/create", Body: w.student("2025000001", 0, map[string]any{"majorId": w.major[1]}), Code: errs.CodeInvalid},
			{Name: "semester", Method: "POST", URL: "/thesis/semester/create", Body: map[string]any{"academicYear": "2025", "item": 1, "startDate": "2025-09-01", "endDate": "2026-01-01", "weekCount": 20}, Code: errs.CodeInvalid},
			{Name: "semester order", Method: "POST", URL: "/thesis/semester/create", Body: map[string]any{"academicYear": "2025-2026", "item": 1, "startDate": "2026-09-01", "endDate": "2026-01-01", "weekCount": 20}, Code: errs.CodeInvalid},
			{Name: "disciplines", Method: "POST", URL: "/thesis/advisor/create", Body: map[string]any{"staffNo": "T", "name": "王", "deptId": w.dept[0], "titleRank": 1, "isEnable": 1, "disciplines": []string{"1", "2", "3", "4", "5", "6"}}, Code: errs.CodeInvalid},
			{Name: "unknown student", Method: "PUT", URL: "/thesis/students/assign-advisor", Body: map[string]any{"studentId": 4711, "advisorId": 1}, Code: errs.ErrNoRecord.Num},
		} {
			s.As = w.tokens["admin"]
			for _, lang := range []string{"zh", "en"} {
				s.Lang = lang
				t.Run(s.Name+" "+lang, func(t *testing.T) { s.Run(t, w.h) })
			}
		}
	})
}

// TestImportRefusals: a sheet that is none, too short, or without its columns.
func TestImportRefusals(t *testing.T) {
	eachSchool(t, func(w *school) {
		if a := w.upload(""); a.Code != errs.CodeInvalid {
			t.Errorf("no rows: %s", a.Raw)
		}
		formula := []any{"=1+1", "=cmd|' /C calc'!A0", "一", "信息学院", "专业0", "硕士", "一", "一", 2025, 36, 60, "一", ""}
		if r := into[StudentImport](w, w.upload("", formula)); r.Created != 0 || len(r.Failures) != 1 {
			t.Errorf("a formula as number: %+v", r)
		}
		named := []any{"2025000001", "=HYPERLINK(\"x\")", "一", "信息学院", "专业0", "硕士", "一", "一", 2025, 36, 60, "一", ""}
		if r := into[StudentImport](w, w.upload("", named)); r.Created != 1 {
			t.Errorf("a formula as name is text: %+v", r)
		}
		page := into[store.Page[Student]](w, w.call("admin", http.MethodGet, "/thesis/students/page", nil, 0))
		if page.Total != 1 || page.List[0].Name != "=HYPERLINK(\"x\")" {
			t.Errorf("%+v", page)
		}
		a := kerneltest.Scenario{Method: http.MethodPost, URL: "/thesis/students/import", As: w.tokens["student"], Body: map[string]any{}}.Call(t, w.h)
		if a.Code != errs.CodeForbidden {
			t.Errorf("a student imports: %s", a.Raw)
		}
	})
}

// TestScopes: what each kind of caller is limited to.
func TestScopes(t *testing.T) {
	for name, c := range map[string]struct {
		who   actor.Actor
		whole bool
	}{
		"system":             {actor.Actor{Kind: actor.System, TenantID: 1}, true},
		"administrator":      {kerneltest.Admin(1), true},
		"nobody":             {actor.Actor{}, false},
		"staff":              {kerneltest.User(1, 5), false},
		"student with all":   {actor.Actor{Kind: actor.User, UserType: actor.Student, Scope: actor.Scope{All: true}}, false},
		"anonymous with all": {actor.Actor{Scope: actor.Scope{All: true}}, false},
	} {
		if WholeTenant(c.who) != c.whole {
			t.Errorf("%s: %v", name, !c.whole)
		}
		q := store.Build("SELECT 1", nil)
		limited := Scoped(actor.With(context.Background(), c.who), q)
		if limited == c.whole {
			t.Errorf("%s: limited %v", name, limited)
		}
		if depts, _ := q.Args()["scope_depts"].([]int64); c.who.UserType == actor.Student && depts != nil {
			t.Errorf("%s: a student has departments %v", name, depts)
		}
	}
}

// TestDemoPlan: sizes, named accounts, unique names.
func TestDemoPlan(t *testing.T) {
	for index, want := range []struct{ teachers, students, colleges int }{{40, 300, 6}, {8, 30, 2}} {
		p := NewDemo(index)
		if len(p.Teachers) != want.teachers || len(p.Students) != want.students || len(p.colleges) != want.colleges {
			t.Errorf("plan %d: %d teachers, %d students, %d colleges", index, len(p.Teachers), len(p.Students), len(p.colleges))
		}
		seen, numbers := map[string]bool{}, map[string]bool{}
		org := p.Organisation()
		for _, u := range org.Users {
			if seen[u.Username] || u.Nickname == "" || u.Dept == "" {
				t.Errorf("plan %d: account %+v", index, u)
			}
			seen[u.Username] = true
		}
		for _, name := range []string{"student01", "student05", "advisor01", "advisor02", "secretary01", "degree01", "training01"} {
			if !seen[name] {
				t.Errorf("plan %d has no %s", index, name)
			}
		}
		without := 0
		for _, s := range p.Students {
			if numbers[s.No] || !studentNoForm.MatchString(s.No) {
				t.Errorf("plan %d: number %s", index, s.No)
			}
			numbers[s.No] = true
			if s.Advisor < 0 {
				without++
			} else if a := p.Teachers[s.Advisor]; !a.Advisor || a.College != s.College {
				t.Errorf("plan %d: %s of college %d is supervised by %+v", index, s.Username, s.College, a)
			}
		}
		if without != demoSizes[index].withoutAdvisor {
			t.Errorf("plan %d: %d without advisor", index, without)
		}
	}
	majors := 0
	for _, c := range demoColleges[0] {
		majors += len(c.majors)
	}
	if majors != 18 {
		t.Errorf("%d majors", majors)
	}
}

// TestAppointment: the modules above hear of an account when it becomes an advisor's, once;
// an account of a student never does.
func TestAppointment(t *testing.T) {
	eachSchool(t, func(w *school) {
		var appointed []int64
		w.s.OnAdvisorAppointed(func(_ context.Context, user int64) error {
			appointed = append(appointed, user)
			return nil
		})
		account := func(name string, kind int) (id int64) {
			err := store.Write(kerneltest.AsSystem(w.db, 1), func(ctx context.Context) (err error) {
				id, _, err = store.Get[int64](store.ByTable(ctx), `INSERT INTO system_users (tenant_id, username, password, nickname, user_type, dept_id, create_time, update_time)
 VALUES (:tenant, :name, '!', :name, :kind, :dept, 1, 1) RETURNING id`, store.Args{"name": name, "kind": kind, "dept": w.dept[0]})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		one, two, student := account("one", actor.Teacher), account("two", actor.Teacher), account("three", actor.Student)
		body := map[string]any{"staffNo": "T1", "name": "陈远", "deptId": w.dept[0], "titleRank": 1, "isEnable": 1}
		id := into[int64](w, w.call("admin", http.MethodPost, "/thesis/advisor/create", body, 0))
		if len(appointed) != 0 {
			t.Errorf("without an account: %v", appointed)
		}
		change := func(user int64, code int) {
			t.Helper()
			w.call("admin", http.MethodPut, "/thesis/advisor/update", map[string]any{"id": id, "userId": user}, code)
		}
		change(student, errs.CodeInvalid)
		change(one, 0)
		w.call("admin", http.MethodPut, "/thesis/advisor/update", map[string]any{"id": id, "name": "陈远之"}, 0)
		change(two, 0)
		if !slices.Equal(appointed, []int64{one, two}) {
			t.Errorf("appointed %v, want %v", appointed, []int64{one, two})
		}
	})
}
