package system

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// rig is the module over one database with people of two tenants signed in.
type rig struct {
	db      *store.DB
	app     *web.App
	s       *Service
	h       http.Handler
	admin   string // tenant 1
	foreign string // administrator of tenant 2
	plain   string // staff of tenant 1 without permissions
	reader  string // student 21 of tenant 1 with the notice permission
	other   string // student 22 of tenant 1
}

const (
	adminID   = 1001
	foreignID = 2001
	plainID   = 11
	readerID  = 21
	otherID   = 22
)

// declared stands for the lists of other modules.
var declared = []*module.Module{{
	Dicts:     []module.Dict{{Type: "thesis_extra", Name: "附加字典", Entries: []module.Entry{{Value: "1", Label: "甲", LabelEn: "First", Color: "success"}}}},
	Templates: []module.Template{{Code: "thesis_step_open", Name: "环节开放", Nickname: "论文管理", Content: "{step}已开放，请在{deadline}前办理。", Type: 2}},
}}

func open(t *testing.T, db *store.DB) *rig {
	t.Helper()
	r := &rig{db: db, app: web.New(db, web.Options{UserRate: -1})}
	auth := kerneltest.NewAuth()
	r.app.SetAuthenticator(auth)
	r.s = New(r.app, func() []*module.Module { return append(declared, r.s.Module()) })
	m := r.s.Module()
	m.Mount(r.app)
	for tenant := int64(1); tenant <= 2; tenant++ {
		if err := store.Write(kerneltest.AsSystem(db, tenant), m.Seed); err != nil {
			t.Fatal(err)
		}
	}
	reader := kerneltest.Student(1, readerID)
	reader.Perms = map[string]bool{"system:notice:query": true}
	r.admin, r.foreign = auth.Add(kerneltest.Admin(1)), auth.Add(kerneltest.Admin(2))
	r.plain, r.reader, r.other = auth.Add(kerneltest.User(1, plainID)), auth.Add(reader), auth.Add(kerneltest.Student(1, otherID))
	people(t, db, 1, adminID, plainID, readerID, otherID)
	people(t, db, 2, foreignID)
	r.h = r.app.Handler("/")
	return r
}

// identityTables are the tables below this module.
var identityTables = os.DirFS("../identity/migrations")

// each runs a test on both databases with the tables of identity, on which this module stands.
func each(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, open(t, db)) }, migrations, identityTables)
}

const sqlPerson = `INSERT INTO system_users (id, tenant_id, username, password, nickname, user_type, create_time, update_time)
 VALUES (:id, :tenant, :name, '', :nickname, :type, 1, 1)`

func people(t *testing.T, db *store.DB, tenant int64, ids ...int64) {
	t.Helper()
	err := store.Write(store.ByTable(kerneltest.AsSystem(db, tenant)), func(ctx context.Context) error {
		for _, id := range ids {
			kind := actor.Teacher
			if id == readerID || id == otherID {
				kind = actor.Student
			}
			nickname := fmt.Sprint("人员", id)
			if tenant == 2 {
				nickname = kerneltest.MarkerB
			}
			if _, err := store.Exec(ctx, sqlPerson, store.Args{"id": id, "name": fmt.Sprint("u", id), "nickname": nickname, "type": kind}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// call makes one call and gives the answer, which must carry the code.
func (r *rig) call(t *testing.T, token, method, url string, body any, code int) kerneltest.Answer {
	t.Helper()
	a := kerneltest.Scenario{Method: method, URL: url, As: token, Body: body, Lang: "zh"}.Call(t, r.h)
	if a.Code != code {
		t.Fatalf("%s %s: code %d, want %d: %.400s", method, url, a.Code, code, a.Raw)
	}
	return a
}

// create makes a row and gives its id.
func (r *rig) create(t *testing.T, token, url string, body any) int64 {
	t.Helper()
	var id int64
	r.call(t, token, "POST", url, body, 0).Decode(t, &id)
	return id
}

// sheet downloads a workbook, which must hold no formula.
func (r *rig) sheet(t *testing.T, token, url string) [][]string {
	t.Helper()
	a := kerneltest.Scenario{URL: url, As: token, Lang: "zh"}.Call(t, r.h)
	if got := a.Header.Get("Content-Type"); got != web.SheetType {
		t.Fatalf("%s: %s: %.300s", url, got, a.Raw)
	}
	rows, err := xlsx.Read(bytes.NewReader(a.Raw), xlsx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// payloads are texts that must be stored as they are and do nothing anywhere.
var payloads = []string{
	`'; DROP TABLE system_dict_type; --`,
	`<script>alert(1)</script><img src=x onerror=a()>`,
	`=cmd|'/c calc'!A1`, `+1+1`, `-2+3`, `@SUM(1)`, `%_\`, `{{7*7}}${7*7}`,
}

// TestPayloads puts hostile texts into every text field of every entity and looks at
// the list, the filter and the export.
func TestPayloads(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for i, p := range payloads {
			typ := fmt.Sprint("payload_", i)
			r.create(t, r.admin, "/system/dict-type/create", map[string]any{"name": p, "type": typ, "status": 0, "remark": p})
			r.create(t, r.admin, "/system/dict-data/create", map[string]any{"sort": 1, "label": p, "labelEn": p, "value": p, "dictType": typ, "status": 0, "remark": p})
			r.create(t, r.admin, "/system/notice/create", map[string]any{"title": p, "type": 1, "content": p, "status": 0})
			r.create(t, r.admin, "/system/notify-template/create", map[string]any{"name": p, "code": typ, "type": 1, "nickname": p, "content": p + "{x}", "status": 0, "remark": p})
			r.call(t, r.admin, "POST", "/system/notify-template/send-notify", map[string]any{"userId": readerID, "userType": 1, "templateCode": typ, "templateParams": map[string]any{"x": p}}, 0)
			r.call(t, r.admin, "PUT", "/thesis/system-config/update", map[string]any{"name": p, "signDescription": p}, 0)
		}
		rows := r.sheet(t, r.admin, "/system/dict-type/export")
		types, values := fmt.Sprint(rows), fmt.Sprint(r.sheet(t, r.admin, "/system/dict-data/export"))
		actions := fmt.Sprint(r.sheet(t, r.admin, "/system/operate-log/export"))
		for _, p := range payloads {
			if !strings.Contains(types, p) || !strings.Contains(values, p) || !strings.Contains(actions, strings.Join(strings.Fields(p), " ")) {
				t.Errorf("%q did not come out as it went in", p)
			}
			page := struct{ Total int }{}
			r.call(t, r.admin, "GET", "/system/dict-type/page?name="+escape(p), nil, 0).Decode(t, &page)
			if page.Total != 1 {
				t.Errorf("filter %q finds %d rows", p, page.Total)
			}
			r.call(t, r.admin, "GET", "/system/dict-data/page?dictType="+escape(p)+"&label="+escape(p), nil, 0)
			r.call(t, r.admin, "GET", "/system/dict-data/type/"+escape(p), nil, 0)
			r.call(t, r.admin, "GET", "/system/operate-log/page?action="+escape(p)+"&type="+escape(p)+"&subType="+escape(p), nil, 0)
			r.call(t, r.admin, "GET", "/system/notify-message/page?templateCode="+escape(p), nil, 0)
		}
		var page struct{ List []Notice }
		r.call(t, r.admin, "GET", "/system/notice/page?pageSize=100", nil, 0).Decode(t, &page)
		for _, n := range page.List {
			if strings.Contains(n.Content, "<script") || strings.Contains(n.Content, "onerror") {
				t.Errorf("unsanitised content %q", n.Content)
			}
		}
		if len(page.List) != len(payloads) {
			t.Errorf("%d notices", len(page.List))
		}
	})
}

// escape makes one path segment or query value.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// TestRefusals makes every list call with names and values that no list knows.
func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for _, base := range []string{"/system/dict-type/page", "/system/dict-data/page", "/system/notice/page", "/system/notify-template/page"} {
			kerneltest.Run(t, r.h,
				kerneltest.Scenario{URL: base + "?pageSize=501", As: r.admin, Lang: "zh", Code: 400},
				kerneltest.Scenario{URL: base + "?pageNo=0", As: r.admin, Lang: "zh", Code: 400},
				kerneltest.Scenario{URL: base + "?remark=x&content=x&version=1", As: r.admin, Lang: "zh", Code: 400},
				kerneltest.Scenario{URL: base + "?sortingFields[0].field=password&sortingFields[0].order=asc", As: r.admin, Code: 400},
				kerneltest.Scenario{URL: base + "?sortingFields[0].field=id;DROP&sortingFields[0].order=asc", As: r.admin, Code: 400},
				kerneltest.Scenario{URL: base, As: r.plain, Code: 403},
				kerneltest.Scenario{URL: base, Code: 401},
				kerneltest.Scenario{URL: base, As: r.admin, Headers: map[string]string{"tenant-id": "2"}, Code: 403},
			)
		}
		for _, url := range []string{"/system/notify-message/page", "/system/notify-message/my-page", "/system/operate-log/page"} {
			kerneltest.Run(t, r.h,
				kerneltest.Scenario{URL: url + "?pageSize=501", As: r.admin, Lang: "zh", Code: 400},
				kerneltest.Scenario{URL: url + "?createTime=yesterday", As: r.admin, Code: 400},
			)
		}
		for _, url := range []string{"/system/dict-type", "/system/dict-data", "/system/notice", "/system/notify-template", "/system/notify-message", "/system/operate-log"} {
			for _, id := range []string{"0", "-1", "x", "99999999999999999999"} {
				r.call(t, r.admin, "GET", url+"/get?id="+id, nil, 400)
			}
			r.call(t, r.admin, "GET", url+"/get?id=9007199254740000", nil, 1070000001)
		}
	})
}

// TestNUL: a character that no database text can hold is refused or harmless, never a
// failure of the system.
func TestNUL(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for _, url := range []string{
			"/system/dict-type/page?name=%00", "/system/dict-data/page?dictType=a%00", "/system/notify-message/page?templateCode=%00",
			"/system/operate-log/page?type=%00", "/system/dict-data/type/%00",
		} {
			if a := (kerneltest.Scenario{URL: url, As: r.admin, Lang: "en"}).Call(t, r.h); a.Code != 0 && a.Code != 400 {
				t.Errorf("%s: %s", url, a.Raw)
			}
		}
		for url, body := range map[string]map[string]any{
			"/system/notice/create":                {"title": "a\x00b", "type": 1},
			"/system/notify-template/send-notify":  {"userId": readerID, "templateCode": "system_notice_push", "templateParams": map[string]any{"title": "a\x00b"}},
			"/system/notify-template/send-notify?": {"userId": readerID, "templateCode": "a\x00b"},
		} {
			a := kerneltest.Scenario{Method: "POST", URL: url, As: r.admin, Body: body, Lang: "zh"}.Call(t, r.h)
			if a.Code == 500 {
				t.Errorf("%s: %s", url, a.Raw)
			}
		}
		if a := (kerneltest.Scenario{Method: "PUT", URL: "/thesis/system-config/update", As: r.admin, Lang: "zh", Body: map[string]any{"name": "a\x00b", "signDescription": "\x00"}}).Call(t, r.h); a.Code == 500 {
			t.Errorf("site: %s", a.Raw)
		}
	})
}
