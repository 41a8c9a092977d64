package app

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/blob"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// university is the whole application with the demo data of two tenants.
type university struct {
	*App
	t  *testing.T
	db *store.DB
}

func open(t *testing.T, db *store.DB) university {
	t.Helper()
	blobs, err := blob.Open(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	a := New(db, blobs, Options{CaptchaOff: true, UserRate: -1, Version: "1"})
	t.Cleanup(func() { a.Identity.Close(); _ = blobs.Close() })
	return university{App: a, t: t, db: db}
}

func demo(t *testing.T, db *store.DB) university {
	t.Helper()
	u := open(t, db)
	ctx := context.Background()
	if err := u.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Demo(store.Use(ctx, db)); err != nil {
		t.Fatal(err)
	}
	return u
}

// signIn gives the access token of a demo account.
func (u university) signIn(tenant int, username string) string {
	u.t.Helper()
	body := fmt.Sprintf(`{"username":%q,"password":%q}`, username, DemoPassword)
	r := httptest.NewRequest("POST", "/admin-api/system/auth/login", strings.NewReader(body))
	r.Header.Set("tenant-id", fmt.Sprint(tenant))
	w := httptest.NewRecorder()
	u.Web.Handler("/").ServeHTTP(w, r)
	var answer struct{ Data struct{ AccessToken string } }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Data.AccessToken == "" {
		u.t.Fatalf("sign-in of %s: %s", username, w.Body)
	}
	return answer.Data.AccessToken
}

func (u university) call(token, method, path, body string) kerneltest.Answer {
	u.t.Helper()
	r := httptest.NewRequest(method, "/admin-api"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	u.Web.Handler("/").ServeHTTP(w, r)
	a := kerneltest.Answer{Status: w.Code, Raw: w.Body.Bytes()}
	_ = json.Unmarshal(w.Body.Bytes(), &a)
	return a
}

// expired gives a token whose time is over.
func (u university) expired(username string) string {
	restore := clock.Set(func() time.Time { return time.Now().Add(-24 * time.Hour) })
	defer restore()
	return u.signIn(1, username)
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // a line per call would hide the failures
	os.Exit(m.Run())
}

// TestDocuments: the committed documents are what the code says.
func TestDocuments(t *testing.T) {
	u := open(t, kerneltest.Open(t))
	files, err := u.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not current (%v): run make gen", name, err)
		}
	}
}

// TestPublicCalls keeps the list of calls that need no session under review.
func TestPublicCalls(t *testing.T) {
	u := open(t, kerneltest.Open(t))
	var out strings.Builder
	for _, c := range u.Web.Calls() {
		if strings.HasPrefix(c.Access.String(), "public") {
			fmt.Fprintf(&out, "%s  [%s]\n", c.Name(), c.Access)
		}
	}
	kerneltest.Golden(t, "testdata/public.golden", out.String())
}

// TestMatrix makes every call as every kind of caller of the first tenant, while the
// rows of the second carry a marker that must never show.
func TestMatrix(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := demo(t, db)
		u.mark(2)
		// The object is the declaration of student02, which waits for advisor01.
		tokens := map[string]string{
			"anonymous": "", "student, owner": u.signIn(1, "student02"), "student, other": u.signIn(1, "student200"),
			"teacher, other": u.signIn(1, "advisor09"), "advisor of the object": u.signIn(1, "advisor01"),
			"college secretary": u.signIn(1, "secretary01"), "degree office": u.signIn(1, "degree01"), "administrator": u.signIn(1, "admin"),
			"expired session": u.expired("student03"), kerneltest.OtherTenant: u.signIn(2, "admin"), "disabled user": u.disabled("advisor20"),
		}
		classes := kerneltest.Matrix(t, u.Web, tokens, "testdata/matrix.golden", u.object())
		for call, allowed := range ofTheObject {
			for _, name := range slices.Sorted(maps.Keys(tokens)) {
				if class := classes[call][name]; (class == "ok") != slices.Contains(allowed, name) {
					t.Errorf("%s as %s: %s, allowed are %v", call, name, class, allowed)
				}
			}
		}
		u.keepsItsWord(classes, tokens[kerneltest.OtherTenant], kerneltest.OtherTenant)
		if db.Dialect() == store.SQLite {
			u.explain()
		}
	})
}

// keepsItsWord: no call behind a permission that the caller holds answers that he may not;
// each would be a button that can only fail.
func (u university) keepsItsWord(classes map[string]map[string]string, token, name string) {
	u.t.Helper()
	var info struct{ Permissions []string }
	u.call(token, "GET", "/system/auth/get-permission-info", "").Decode(u.t, &info)
	walked := 0
	for _, c := range u.Web.Calls() {
		if !slices.ContainsFunc(c.Access.Permissions(), func(p string) bool { return slices.Contains(info.Permissions, p) }) {
			continue
		}
		walked++
		if classes[c.Name()][name] == "403" {
			u.t.Errorf("%s: %s holds one of %v and is refused", c.Name(), name, c.Access.Permissions())
		}
	}
	if walked < 150 {
		u.t.Errorf("only %d calls behind the %d permissions of %s", walked, len(info.Permissions), name)
	}
	u.t.Logf("%d calls behind %d permissions of %s", walked, len(info.Permissions), name)
}

// ofTheObject says who may make a call about the object, and therefore that nobody else may.
var ofTheObject = map[string][]string{
	"GET /thesis/students-subject/get":      {"student, owner", "advisor of the object", "college secretary", "degree office", "administrator"},
	"PUT /thesis/students-subject/approve":  {"advisor of the object"},
	"PUT /thesis/students-subject/reject":   {"advisor of the object"},
	"PUT /thesis/students-subject/return":   {"advisor of the object"},
	"PUT /thesis/students-subject/withdraw": {"student, owner"},
}

// object gives the ids and the version of the declaration of student02 and of what belongs
// to it, and texts long enough for an opinion.
func (u university) object() kerneltest.Values {
	raw := u.raw()
	find := func(query string) (id int64) {
		if err := raw.QueryRow(query).Scan(&id); err != nil {
			u.t.Fatalf("%v: %s", err, query)
		}
		return id
	}
	const student = ` FROM thesis_student s JOIN system_users u ON u.id = s.user_id WHERE s.tenant_id = 1 AND u.tenant_id = 1 AND u.username = 'student02'`
	of := func(table string) int64 {
		return find("SELECT max(id) FROM " + table + " WHERE tenant_id = 1 AND student_id = (SELECT s.id" + student + ")")
	}
	subject := of("thesis_students_subject")
	byName := map[string]any{
		"studentId": find("SELECT s.id" + student), "userId": find("SELECT s.user_id" + student), "recordId": of("thesis_record"), "subjectId": subject, "formId": subject,
		"stepId":  find(fmt.Sprint("SELECT step_id FROM thesis_students_subject WHERE tenant_id = 1 AND id = ", subject)),
		"opinion": "请补充国内外研究现状后再提交", "reason": "请补充国内外研究现状后再提交",
	}
	version := find(fmt.Sprint("SELECT version FROM thesis_students_subject WHERE tenant_id = 1 AND id = ", subject))
	return func(c *web.Call, name string) any {
		if !strings.HasPrefix(c.Path, "/thesis/") {
			return nil
		}
		declaration := strings.HasPrefix(c.Path, "/thesis/students-subject/")
		switch {
		case name == "id" && declaration:
			return subject
		case name == "version" && declaration:
			return version
		case name == "id" && strings.HasPrefix(c.Path, "/thesis/record/"):
			return byName["recordId"]
		case name == "id" && strings.HasPrefix(c.Path, "/thesis/student/"):
			return byName["studentId"]
		}
		return byName[name]
	}
}

// large tables grow with the university; no statement may read one of them from end to
// end without an index.
var large = []string{"system_users", "system_post", "system_notify_message", "system_login_log", "audit_log", "infra_file",
	"thesis_student", "thesis_supervision", "thesis_record", "thesis_step", "thesis_transition", "thesis_topic", "thesis_students_subject",
	"thesis_feedback", "thesis_file_version", "outbox_event", "job_run", "system_session",
	"wf_instance", "wf_task", "wf_task_candidate", "wf_activity", "wf_event", "bpm_comment", "bpm_process_instance_copy", "bpm_oa_leave",
	"wf_incident", "bpm_migration_item", "bpm_statistic_step", "bpm_statistic_person", "bpm_statistic_instance"}

var aliased = regexp.MustCompile(`(?i)\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?`)

// explain asks SQLite for the plan of every statement the matrix ran.
func (u university) explain() {
	raw, explained := u.raw(), 0
	for _, text := range u.db.Texts() {
		if !strings.HasPrefix(strings.TrimSpace(strings.ToUpper(text)), "SELECT") {
			continue
		}
		names := map[string]bool{}
		for _, m := range aliased.FindAllStringSubmatch(text, -1) {
			if slices.Contains(large, strings.ToLower(m[1])) {
				names[m[1]], names[m[2]] = true, true
			}
		}
		explained++
		for _, step := range u.plan(raw, text) {
			words := strings.Fields(step)
			if words[0] == "SCAN" && names[words[1]] && !strings.Contains(step, "INDEX") {
				u.t.Errorf("full scan: %s\n%s", step, text)
			}
		}
	}
	if explained < 200 {
		u.t.Errorf("only %d statements explained", explained)
	}
}

func (u university) plan(raw *sql.DB, text string) []string {
	rows, err := raw.Query("EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...)
	if err != nil {
		u.t.Errorf("%v: %s", err, text)
		return nil
	}
	defer func() { _ = rows.Close() }()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			u.t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	return steps
}

func (u university) disabled(username string) string {
	token := u.signIn(1, username)
	var info struct{ User struct{ ID int64 } }
	u.call(token, "GET", "/system/auth/get-permission-info", "").Decode(u.t, &info)
	a := u.call(u.signIn(1, "admin"), "PUT", "/system/user/update-status", fmt.Sprintf(`{"id":%d,"status":1}`, info.User.ID))
	if a.Code != 0 {
		u.t.Fatalf("disable: %s", a.Raw)
	}
	return token
}

// TestOtherTenant makes every call as the administrator of the second tenant with the
// ids of the first: nothing of the first may show or change.
func TestOtherTenant(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := demo(t, db)
		u.mark(1)
		before := u.checksums(1)
		token := u.signIn(2, "admin")
		h := kerneltest.Tripwire(t, u.Web.Handler("/"), kerneltest.MarkerB)
		for _, c := range u.Web.Calls() {
			if strings.Contains(c.Path, "/auth/logout") {
				continue
			}
			for _, id := range []int64{1, 2, 5} {
				s := kerneltest.Minimal(u.Web, c, id)
				s.As = token
				w := httptest.NewRecorder()
				h.ServeHTTP(w, s.Request(t, "zh"))
				if strings.Contains(w.Body.String(), `"code":500`) {
					t.Errorf("%s: %s", c.Name(), w.Body)
				}
			}
		}
		if after := u.checksums(1); !maps.Equal(before, after) {
			for name := range before {
				if before[name] != after[name] {
					t.Errorf("the other tenant changed rows of %s", name)
				}
			}
		}
	})
}

// marked are text columns that people read.
var marked = []string{"name", "nickname", "title", "title_zh", "title_en", "content", "reason", "summary", "opinion", "remark", "template_content", "introduction", "action"}

func (u university) raw() *sql.DB {
	raw, err := u.db.OpenWhole()
	if err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() { _ = raw.Close() })
	return raw
}

// mark puts the marker into every readable text of a tenant.
func (u university) mark(tenant int64) {
	raw, n := u.raw(), 0
	for _, table := range u.db.TenantTables() {
		columns := u.columns(raw, table)
		for _, c := range marked {
			if !slices.Contains(columns, c) {
				continue
			}
			if _, err := raw.Exec(fmt.Sprintf("UPDATE %s SET %s = %s || '%s' WHERE tenant_id = %d", table, c, c, kerneltest.MarkerB, tenant)); err != nil {
				u.t.Fatalf("mark %s.%s: %v", table, c, err)
			}
			n++
		}
	}
	if n < 20 {
		u.t.Fatalf("only %d columns marked", n)
	}
}

func (u university) columns(raw *sql.DB, table string) []string {
	rows, err := raw.Query("SELECT * FROM " + table + " LIMIT 0")
	if err != nil {
		u.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		u.t.Fatal(err)
	}
	return names
}

// growing tables may gain rows of a tenant because of others: the trace of a refused
// attempt. Sessions and their like change with time alone.
var growing = []string{"audit_log", "system_login_log", "system_session", "outbox_event", "job_run", "job_log", "job_schedule", "system_login_failure"}

// checksums sums up all rows of a tenant, table by table.
func (u university) checksums(tenant int64) map[string]string {
	raw, sums := u.raw(), map[string]string{}
	for _, table := range u.db.TenantTables() {
		if slices.Contains(growing, table) {
			continue
		}
		rows, err := raw.Query(fmt.Sprintf("SELECT * FROM %s WHERE tenant_id = %d ORDER BY 1, 2, 3", table, tenant))
		if err != nil {
			u.t.Fatal(err)
		}
		sums[table] = digest(u.t, rows)
	}
	return sums
}

func digest(t *testing.T, rows *sql.Rows) string {
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, values...)
	}
	return out.String()
}
