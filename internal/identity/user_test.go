package identity

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

func (w *world) userBody(username string) map[string]any {
	return map[string]any{"username": username, "nickname": "新人", "password": secret, "deptId": w.org.Depts["物理系"], "postIds": []int64{w.org.Posts["dean"]},
		"email": username + "@example.edu", "mobile": "", "sex": 1, "remark": "备注"}
}

func TestUser_roundTrip(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		id := decoded[int64](t, w.call(admin, "POST", "/system/user/create", w.userBody("fresh01"), 0))
		got := decoded[User](t, w.call(admin, "GET", fmt.Sprint("/system/user/get?id=", id), nil, 0))
		if got.Nickname != "新人" || got.DeptName != "物理系" || got.Type != 2 || got.Status != 0 || !slices.Equal(got.PostIDs.V, []int64{w.org.Posts["dean"]}) {
			t.Errorf("%+v", got)
		}
		a := w.call(admin, "GET", fmt.Sprint("/system/user/get?id=", id), nil, 0)
		for _, bad := range []string{"argon2", "password", "tenantId"} {
			if strings.Contains(string(a.Raw), bad) {
				t.Errorf("%s in %s", bad, a.Raw)
			}
		}
		w.call(admin, "PUT", "/system/user/update", map[string]any{"id": id, "version": got.Version, "nickname": "改名", "password": "hacked", "type": 1, "status": 1}, 0)
		w.call(admin, "PUT", "/system/user/update", map[string]any{"id": id, "version": got.Version, "nickname": "又改"}, 1070000002)
		got = decoded[User](t, w.call(admin, "GET", fmt.Sprint("/system/user/get?id=", id), nil, 0))
		if got.Nickname != "改名" || got.Type != 2 || got.Status != 0 {
			t.Errorf("bound what may not be: %+v", got)
		}
		if a := w.signIn("fresh01", secret, nil); a.Code != 0 {
			t.Errorf("%s", a.Raw)
		}
		page := decoded[store.Page[UserRow]](t, w.call(admin, "GET", fmt.Sprintf("/system/user/page?deptId=%d&username=FRESH", w.org.Depts["理学院"]), nil, 0))
		if page.Total != 1 || page.List[0].Dept == nil || page.List[0].LoginDate == nil || page.List[0].LoginIP == "" {
			t.Errorf("%+v", page)
		}
		w.call(admin, "GET", fmt.Sprintf("/system/user/list?ids=%d,%d", id, 99999), nil, 0)
		w.call(admin, "DELETE", fmt.Sprint("/system/user/delete-list?ids=", id), nil, 0)
		w.call(admin, "GET", fmt.Sprint("/system/user/get?id=", id), nil, 1070000001)
		w.call(admin, "POST", "/system/user/create", w.userBody("fresh01"), 0)
		rows, err := store.Select[audit.Row](w.system(1), `SELECT * FROM audit_log WHERE tenant_id = :tenant AND entity = 'system_users' ORDER BY id`, nil)
		w.must(err)
		for _, row := range rows {
			if strings.Contains(row.Before+row.After, "argon2") {
				t.Fatalf("a hash in the audit: %+v", row)
			}
		}
	})
}

func TestUser_refusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		closed := decoded[int64](t, w.call(admin, "POST", "/system/dept/create", map[string]any{"name": "停用系", "parentId": 0, "sort": 1, "status": 1}, 0))
		for _, c := range []struct {
			name  string
			set   string
			value any
			code  int
			field string
		}{
			{"short name", "username", "abc", 400, "username"},
			{"name with blanks", "username", "a b c d", 400, "username"},
			{"sql in the name", "username", "x'; DROP TABLE system_users; --", 400, "username"},
			{"taken name in other letters", "username", "ADMIN", 1002003000, "username"},
			{"weak password", "password", "12345678", 400, "password"},
			{"short password", "password", "aB3$", 400, "password"},
			{"name in the password", "password", "xx-fresh02-yy", 400, "password"},
			{"no password", "password", nil, 400, "password"},
			{"bad e-mail", "email", "nobody", 400, "email"},
			{"taken e-mail", "email", "S0@EXAMPLE.EDU", 1002003002, "email"},
			{"bad mobile", "mobile", "123", 400, "mobile"},
			{"unknown department", "deptId", 99999, 400, "deptId"},
			{"closed department", "deptId", closed, 1002004006, "deptId"},
			{"department of another tenant", "deptId", w.theirs.Depts["理学院"+kerneltest.MarkerB], 400, "deptId"},
			{"unknown post", "postIds", []int64{99999}, 400, "postIds"},
			{"post of another tenant", "postIds", []int64{w.theirs.Posts["dean"]}, 400, "postIds"},
			{"unknown sex", "sex", 7, 400, "sex"},
			{"unknown type", "type", 3, 400, "type"},
			{"foreign avatar", "avatar", "https://evil.example/x.png", 400, "avatar"},
			{"script avatar", "avatar", "javascript:alert(1)", 400, "avatar"},
			{"avatar upwards", "avatar", "/infra/file/../../etc", 400, "avatar"},
		} {
			body := w.userBody("fresh02")
			body[c.set] = c.value
			a := kerneltest.Scenario{Method: "POST", URL: "/system/user/create", Body: body, As: admin}.Call(t, w.h)
			if a.Code != c.code || len(a.Fields) != 1 || a.Fields[0].Name != c.field {
				t.Errorf("%s: %s", c.name, a.Raw)
			}
		}
		for _, body := range []any{"", "[]", "null", "{", `"x"`} {
			w.call(admin, "POST", "/system/user/create", body, 400)
		}
		for _, id := range []int64{0, -1, 99999, w.theirs.Users["plain01"]} {
			for _, call := range []kerneltest.Scenario{
				{URL: fmt.Sprint("/system/user/get?id=", id)},
				{Method: "DELETE", URL: fmt.Sprint("/system/user/delete?id=", id)},
				{Method: "PUT", URL: "/system/user/update", Body: map[string]any{"id": id, "nickname": "x"}},
				{Method: "PUT", URL: "/system/user/update-password", Body: map[string]any{"id": id, "password": secret}},
				{Method: "PUT", URL: "/system/user/update-status", Body: map[string]any{"id": id, "status": 1}},
				{URL: fmt.Sprint("/system/permission/list-user-roles?userId=", id)},
				{Method: "POST", URL: "/system/permission/assign-user-role", Body: map[string]any{"userId": id, "roleIds": []int64{}}},
			} {
				call.As = admin
				if a := call.Call(t, w.h); a.Code != 1070000001 && a.Code != 400 {
					t.Errorf("%s with id %d: %s", call.URL, id, a.Raw)
				}
			}
		}
		w.call(admin, "DELETE", fmt.Sprint("/system/user/delete?id=", w.org.Users["admin"]), nil, 1002003900)
		for url, code := range map[string]int{
			"/system/user/page?pageSize=501": 400, "/system/user/page?pageNo=0": 400, "/system/user/page?status=7": 400, "/system/user/page?deptId=x": 400,
			"/system/user/page?deptId=99999": 0, "/system/user/page?password=x": 0, "/system/user/page?createTime[0]=2020-01-01%2000:00:00": 0,
			"/system/user/page?createTime[0]=nonsense": 400, "/system/user/page?username=%25_%5C": 0, "/system/user/page?status=&username=": 0,
		} {
			w.call(admin, "GET", url, nil, code)
		}
	})
}

func TestUser_quota(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	w.must(store.Write(w.system(1), func(ctx context.Context) error {
		n, _, err := store.Get[int64](w.inside(ctx), sqlUserCount, nil)
		if err != nil {
			return err
		}
		_, err = tenants.Change(ctx, w.other, func(t *Tenant) error { t.AccountCount = int(n) + 1; return nil })
		return either(err, w.s.rightsChanged(ctx))
	}))
	admin := w.tokens(w.other, "admin").AccessToken
	body := map[string]any{"username": "extra01", "nickname": "x", "password": secret}
	w.call(admin, "POST", "/system/user/create", body, 0)
	body["username"] = "extra02"
	w.call(admin, "POST", "/system/user/create", body, 1002003008)
}

func (w *world) inside(ctx context.Context) context.Context { return actor.AsSystem(ctx, w.other) }

// A college secretary sees and changes only what lies below the college.
func TestUser_dataScope(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		secretary := w.token("secretary01")
		page := decoded[store.Page[UserRow]](t, w.call(secretary, "GET", "/system/user/page", nil, 0))
		var names []string
		for _, u := range page.List {
			names = append(names, u.Username)
		}
		slices.Sort(names)
		if !slices.Equal(names, []string{"advisor01", "secretary01", "student01"}) {
			t.Errorf("sees %v", names)
		}
		w.call(secretary, "GET", fmt.Sprint("/system/user/get?id=", w.org.Users["plain01"]), nil, 1070000001)
		depts := decoded[[]Dept](t, w.call(secretary, "GET", "/system/dept/list", nil, 0))
		if len(depts) != 2 {
			t.Errorf("departments %+v", depts)
		}
		w.call(secretary, "GET", fmt.Sprint("/system/dept/get?id=", w.org.Depts["文学院"]), nil, 1070000001)
		own := decoded[[]UserName](t, w.call(w.token("student01"), "GET", "/system/user/simple-list", nil, 0))
		if len(own) != 1 {
			t.Errorf("a student sees %+v", own)
		}
		colleagues := decoded[[]UserName](t, w.call(w.token("advisor01"), "GET", "/system/user/list-all-simple", nil, 0))
		if slices.ContainsFunc(colleagues, func(u UserName) bool { return u.Type == actor.Student }) || len(colleagues) != 5 {
			t.Errorf("an advisor sees %+v", colleagues)
		}
		w.call(w.token("advisor01"), "GET", fmt.Sprint("/system/user/get-simple?id=", w.org.Users["student01"]), nil, 1070000001)
		w.call(w.token("advisor01"), "GET", "/system/user/list-by-nickname?nickname=%E7%A7%98%E4%B9%A6", nil, 0)
		for _, call := range []string{"/system/user/page", "/system/user/export-excel", "/system/role/page", "/system/menu/list", "/system/dept/list", "/system/post/page", "/system/tenant/page"} {
			w.call(w.token("student01"), "GET", call, nil, 403)
			w.call("", "GET", call, nil, 401)
		}
	})
}

func (w *world) upload(token, path, field string, content []byte) kerneltest.Answer {
	w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile(field, "x.xlsx")
	_, _ = part.Write(content)
	_ = form.Close()
	r := httptest.NewRequest("POST", web.Prefix+path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+token)
	out := httptest.NewRecorder()
	w.h.ServeHTTP(out, r)
	a := kerneltest.Answer{Status: out.Code, Raw: out.Body.Bytes()}
	w.must(json.Unmarshal(a.Raw, &a))
	return a
}

func workbookOf(t *testing.T, rows ...[]any) []byte {
	t.Helper()
	var out bytes.Buffer
	headers := make([]string, len(importColumns))
	for i, c := range importColumns {
		headers[i] = c.header
	}
	sheet, err := xlsx.NewWriter(&out, "用户", headers)
	for _, row := range rows {
		if err == nil {
			err = sheet.Row(row)
		}
	}
	if err == nil {
		err = sheet.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestUserImport_reportsEachRow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.token("admin")
		rows := [][]any{
			{"import01", "张三", fmt.Sprint(w.org.Depts["物理系"]), "i1@example.edu", "13812345678", "男", "开启", "学生"},
			{"import02", "李四", "", "", "", "", "", ""},
			{"", "无名", "", "", "", "", "", ""},
			{"admin", "重名", "", "", "", "", "", ""},
			{"import03", "坏部门", "99999", "", "", "", "", ""},
			{"import04", "坏性别", "", "", "", "不明", "", ""},
			{"import05", "重邮箱", "", "i1@example.edu", "", "", "", ""},
			{"import06", "=cmd|'/c calc'!A1", "", "", "", "", "关闭", ""},
			{"bad name!", "x", "", "", "", "", "", ""},
		}
		if a := w.upload(admin, "/system/user/import", "file", workbookOf(t, rows...)); a.Code != 1002003009 {
			t.Fatalf("without an initial password: %s", a.Raw)
		}
		w.s.InitialPassword = func(context.Context) (string, error) { return "Initial-Horse-1", nil }
		report := decoded[ImportReport](t, w.upload(admin, "/system/user/import", "file", workbookOf(t, rows...)))
		if !slices.Equal(report.CreateUsernames, []string{"import01", "import02", "import06"}) || len(report.Failures) != 6 || len(report.FailureUsernames) != 6 ||
			report.Failures[0].Row != 4 || report.FailureUsernames["admin"] != "账号已存在，请换一个" {
			t.Fatalf("%+v", report)
		}
		if a := w.signIn("import01", "Initial-Horse-1", nil); a.Code != 0 {
			t.Errorf("%s", a.Raw)
		}
		if a := w.signIn("import06", "Initial-Horse-1", nil); a.Code != 1002000001 {
			t.Errorf("%s", a.Raw)
		}
		report = decoded[ImportReport](t, w.upload(admin, "/system/user/import?updateSupport=true", "file",
			workbookOf(t, []any{"import02", "李四改", "", "", "", "", "关闭", "学生"})))
		if !slices.Equal(report.UpdateUsernames, []string{"import02"}) {
			t.Fatalf("%+v", report)
		}
		page := decoded[store.Page[UserRow]](t, w.call(admin, "GET", "/system/user/page?username=import02", nil, 0))
		if u := page.List[0]; u.Nickname != "李四改" || u.Status != 1 || u.Type != 2 {
			t.Errorf("%+v", u)
		}
		for name, content := range map[string][]byte{"not a workbook": []byte("<html>"), "empty": {}, "no rows": workbookOf(t)} {
			if a := w.upload(admin, "/system/user/import", "file", content); a.Code != 400 {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		if a := w.upload(w.token("advisor01"), "/system/user/import", "file", workbookOf(t, rows...)); a.Code != 403 {
			t.Errorf("%s", a.Raw)
		}
		out := kerneltest.Scenario{URL: "/system/user/export?username=import06", As: admin}.Call(t, w.h)
		cells, err := xlsx.Read(bytes.NewReader(out.Raw), xlsx.Limits{})
		if err != nil || len(cells) != 2 || cells[1][1] != "import06" || cells[1][7] != "关闭" {
			t.Errorf("export %v %v", cells, err)
		}
		template := kerneltest.Scenario{URL: "/system/user/get-import-template", As: admin}.Call(t, w.h)
		cells, err = xlsx.Read(bytes.NewReader(template.Raw), xlsx.Limits{})
		if err != nil || cells[0][0] != "登录名称" {
			t.Errorf("template %v %v", cells, err)
		}
	})
}

func TestProfile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		student := w.token("student01")
		p := decoded[Profile](t, w.call(student, "GET", "/system/user/profile/get", nil, 0))
		if p.Username != "student01" || p.Dept == nil || p.Dept.Name != "物理系" || len(p.Roles) != 1 || p.Roles[0].Name != "学生" {
			t.Errorf("%+v", p)
		}
		secretary := decoded[Profile](t, w.call(w.token("secretary01"), "GET", "/system/user/profile/get", nil, 0))
		if len(secretary.Posts) != 1 || secretary.Posts[0].Name != "院长" {
			t.Errorf("%+v", secretary)
		}
		w.call(student, "PUT", "/system/user/profile/update", map[string]any{"nickname": "新名<b>", "email": nil, "sex": 2, "introduction": "你好", "avatar": "/admin-api/infra/file/1/get/a.png",
			"username": "evil", "deptId": 1, "type": 2, "status": 1, "remark": "x"}, 0)
		p = decoded[Profile](t, w.call(student, "GET", "/system/user/profile/get", nil, 0))
		if p.Nickname != "新名<b>" || p.Email != "" || p.Username != "student01" || p.DeptID != w.org.Depts["物理系"] || p.Type != 1 || p.Introduction != "你好" {
			t.Errorf("%+v", p)
		}
		info := decoded[PermissionInfo](t, w.call(student, "GET", "/system/auth/get-permission-info", nil, 0))
		if info.User.Nickname != "新名<b>" || info.User.Introduction != "你好" {
			t.Errorf("the session answer is stale: %+v", info.User)
		}
		for name, body := range map[string]map[string]any{"avatar": {"avatar": "//evil.example/x"}, "email": {"email": "x"}, "mobile": {"mobile": "1"}, "sex": {"sex": "?"}, "nickname": {"nickname": strings.Repeat("长", 31)}} {
			if a := w.call(student, "PUT", "/system/user/profile/update", body, 400); len(a.Fields) != 1 || a.Fields[0].Name != name {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		change := func(old, fresh string, code int) {
			t.Helper()
			w.call(student, "PUT", "/system/user/profile/update-password", map[string]any{"oldPassword": old, "newPassword": fresh}, code)
		}
		change("Wrong-Horse-7", "Another-Horse-8", 1002003005)
		change(secret, "short", 400)
		change(secret, "student01-Horse", 400)
		change(secret, "Another-Horse-8", 0)
		for range 4 {
			change("Wrong-Horse-7", "Another-Horse-9", 1002003005)
		}
		change("Wrong-Horse-7", "Another-Horse-9", 1002003005)
		change("Another-Horse-8", "Another-Horse-9", 1002000900)
		if a := w.upload(student, "/system/user/profile/update-avatar", "avatarFile", []byte("x")); a.Code != 1002003901 {
			t.Errorf("%s", a.Raw)
		}
	})
}

func TestUser_formerPasswordsOfOtherSystems(t *testing.T) {
	w := newWorld(t, kerneltest.Open(t, migrations))
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), bcrypt.MinCost)
	w.must(err)
	w.must(store.Write(w.system(1), func(ctx context.Context) error {
		_, err := users.Change(ctx, w.org.Users["plain01"], func(u *User) error { u.Password = string(hash); return nil })
		return err
	}))
	if a := w.signIn("plain01", secret, nil); a.Code != 0 {
		t.Fatalf("%s", a.Raw)
	}
	u, err := users.Get(w.system(1), w.org.Users["plain01"])
	if err != nil || !strings.HasPrefix(u.Password, "$argon2id$") {
		t.Errorf("not rehashed: %.12s %v", u.Password, err)
	}
}
