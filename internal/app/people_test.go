package app

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
)

// TestDemoIsWholeOrNothing: a filling that fails in either university leaves no trace, and
// the next one completes both.
func TestDemoIsWholeOrNothing(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := open(t, db)
		ctx := store.Use(context.Background(), db)
		if err := u.Prepare(ctx); err != nil {
			t.Fatal(err)
		}
		raw := u.raw()
		count := func(query string) (n int) {
			t.Helper()
			if err := raw.QueryRow(query).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, tenant := range []string{"tenant_id = 1", "tenant_id > 1"} { // notices come last: the second one of the tenant fails
			if _, err := raw.Exec("CREATE UNIQUE INDEX fault ON system_notice (tenant_id) WHERE " + tenant); err != nil {
				t.Fatal(err)
			}
			if _, err := u.Demo(ctx); err == nil {
				t.Fatalf("%s: the fault was not met", tenant)
			}
			if n := count("SELECT (SELECT COUNT(*) FROM system_users) + (SELECT COUNT(*) FROM thesis_student) + (SELECT COUNT(*) FROM system_tenant WHERE id > 1)"); n != 0 {
				t.Errorf("%s: %d rows are left of a failed filling", tenant, n)
			}
			if _, err := raw.Exec("DROP INDEX fault"); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the second time there is nothing to do
			if _, err := u.Demo(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if n := count("SELECT COUNT(DISTINCT tenant_id) FROM system_notice"); n != 2 || count("SELECT COUNT(*) FROM thesis_record") != 330 {
			t.Errorf("%d universities, %d theses", n, count("SELECT COUNT(*) FROM thesis_record"))
		}
		u.signIn(1, "admin")
		u.signIn(count("SELECT MAX(id) FROM system_tenant"), "student01")
	})
}

// small is the application with an administrator, one college and what a test adds.
func small(t *testing.T, db *store.DB, users ...identity.PlanUser) (university, identity.Organisation) {
	t.Helper()
	u := open(t, db)
	ctx := store.Use(context.Background(), db)
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	hash, err := password.Hash(ctx, DemoPassword)
	if err != nil {
		t.Fatal(err)
	}
	plan := identity.Plan{PasswordHash: hash, Depts: []identity.PlanDept{{Name: "信息学院"}}, Users: append(users, identity.PlanUser{Username: "admin", Nickname: "管理员", Dept: "信息学院", Roles: []string{"super_admin"}})}
	org, err := u.Identity.DemoOrganisation(actor.AsSystem(ctx, SystemTenant), plan)
	if err != nil {
		t.Fatal(err)
	}
	return u, org
}

// must makes a call of the administrator and wants the code.
func (u university) must(method, path, body string, code int) kerneltest.Answer {
	u.t.Helper()
	a := u.call(u.signIn(SystemTenant, "admin"), method, path, body)
	if a.Code != code {
		u.t.Fatalf("%s %s: %d, want %d: %s", method, path, a.Code, code, a.Raw)
	}
	return a
}

// TestAdvisorGetsHisPages: an account without any role becomes an advisor's and has the
// teacher's pages from then on.
func TestAdvisorGetsHisPages(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u, org := small(t, db, identity.PlanUser{Username: "chen", Nickname: "陈远", Dept: "信息学院"})
		token := u.signIn(SystemTenant, "chen")
		pages := func() bool {
			return strings.Contains(string(u.call(token, "GET", "/system/auth/get-permission-info", "").Raw), "teacher/todo")
		}
		if pages() {
			t.Fatal("a member of staff has the pages of advisors")
		}
		u.must("POST", "/thesis/advisor/create", fmt.Sprintf(`{"staffNo":"T1001","name":"陈远","deptId":%d,"titleRank":1,"isEnable":1,"userId":%d}`, org.Depts["信息学院"], org.Users["chen"]), 0)
		if !pages() {
			t.Error("the new advisor does not have his pages")
		}
		if a := u.call(token, "GET", "/thesis/students-subject/todo-count", ""); a.Code != 0 {
			t.Errorf("his list: %s", a.Raw)
		}
	})
}

// TestStudentIsNeverGivenAnAccountOfStaff: a number that is the user name of staff refuses
// the student, one that is a student's account is his.
func TestStudentIsNeverGivenAnAccountOfStaff(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u, org := small(t, db, identity.PlanUser{Username: "20250001", Nickname: "陈远", Dept: "信息学院"},
			identity.PlanUser{Username: "20250002", Nickname: "林小满", Dept: "信息学院", Type: actor.Student})
		dept := org.Depts["信息学院"]
		var major int64
		u.must("POST", "/thesis/major/create", fmt.Sprintf(`{"code":"0812","name":"计算机","deptId":%d,"degreeType":1,"isEnable":1}`, dept), 0).Decode(t, &major)
		student := func(no string) string {
			return fmt.Sprintf(`{"studentNo":%q,"name":"林小满","sex":1,"deptId":%d,"majorId":%d,"degreeLevel":3,"degreeType":1,"studyMode":1,"entryYear":2025,"baseMonths":36,"maxMonths":60,"lifeState":1}`, no, dept, major)
		}
		a := u.must("POST", "/thesis/students/create", student("20250001"), errs.CodeInvalid)
		if len(a.Fields) != 1 || a.Fields[0].Name != "studentNo" || !strings.Contains(a.Fields[0].Msg, "教职工") {
			t.Errorf("the refusal: %s", a.Raw)
		}
		var id int64
		u.must("POST", "/thesis/students/create", student("20250002"), 0).Decode(t, &id)
		var row struct{ UserID int64 }
		u.must("GET", fmt.Sprint("/thesis/students/get?id=", id), "", 0).Decode(t, &row)
		if row.UserID != org.Users["20250002"] {
			t.Errorf("account %d, want %d", row.UserID, org.Users["20250002"])
		}
	})
}
