package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // a line per call would hide the failures
	os.Exit(m.Run())
}

// identityTables are the tables of people below this module.
var identityTables = os.DirFS("../identity/migrations")

// office is one tenant's administration, with a second tenant beside it.
type office struct {
	t      *testing.T
	db     *store.DB
	app    *web.App
	h      http.Handler
	s      *Service
	tokens map[string]string
	users  []int64
	alien  int64 // a user of tenant 2
}

func each(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, newOffice(t, db)) }, Migrations(), runtime.Migrations, identityTables)
}

func newOffice(t *testing.T, db *store.DB) *office {
	t.Helper()
	o := &office{t: t, db: db, app: web.New(db, web.Options{UserRate: -1}), s: New(), tokens: map[string]string{}}
	auth := kerneltest.NewAuth()
	o.app.SetAuthenticator(auth)
	o.app.Dictionary = func(_ context.Context, dict string) (map[string]string, error) {
		return map[string]map[string]string{
			"common_status":                   {"0": "开启", "1": "关闭"},
			"bpm_process_listener_type":       {"execution": "执行监听器", "task": "任务监听器"},
			"bpm_process_listener_value_type": {"class": "Java 类", "expression": "表达式", "delegateExpression": "代理表达式"},
		}[dict], nil
	}
	nothing := func(context.Context, *runtime.Call) (engine.Outcome, error) { return engine.Outcome{}, nil }
	o.s.Register(runtime.Handler{Name: "remindAssignee", Uses: []runtime.Use{runtime.ForTask}, Func: nothing})
	o.s.Register(runtime.Handler{Name: "writeTrace", Uses: []runtime.Use{runtime.ForTask, runtime.ForExecution}, Func: nothing})
	o.s.Mount(o.app)
	o.h = o.app.Handler("/")
	for name, a := range map[string]actor.Actor{
		"admin": kerneltest.Admin(1), "admin2": kerneltest.Admin(2), "student": kerneltest.Student(1, 41), "nobody": kerneltest.User(1, 42),
		"reader": kerneltest.User(1, 43, "bpm:category:query", "bpm:form:query", "bpm:user-group:query", "bpm:process-expression:query", "bpm:process-listener:query"),
	} {
		o.tokens[name] = auth.Add(a)
	}
	o.users = []int64{o.user(1, "u1"), o.user(1, "u2"), o.user(1, "u3")}
	o.alien = o.user(2, "u9")
	return o
}

func (o *office) user(tenant int64, name string) (id int64) {
	o.t.Helper()
	const insert = `INSERT INTO system_users (tenant_id, username, nickname, password, create_time, update_time) VALUES (:tenant, :name, :name, '!', 1, 1) RETURNING id`
	err := store.Write(kerneltest.AsSystem(o.db, tenant), func(ctx context.Context) (err error) {
		id, _, err = store.Get[int64](store.ByTable(ctx), insert, store.Args{"name": name})
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}

type body = map[string]any

// changes are members of a body to replace; nil leaves one out.
type changes body

func (b changes) on(base body) body {
	m := body{}
	for k, v := range base {
		m[k] = v
	}
	for k, v := range b {
		if m[k] = v; v == nil {
			delete(m, k)
		}
	}
	return m
}

func (o *office) call(who, method, url string, in any, code int) kerneltest.Answer {
	o.t.Helper()
	a := kerneltest.Scenario{Method: method, URL: "/bpm" + url, As: o.tokens[who], Body: in}.Call(o.t, o.h)
	if a.Code != code {
		o.t.Fatalf("%s %s %s: code %d, want %d: %.400s", who, method, url, a.Code, code, a.Raw)
	}
	return a
}

func (o *office) create(entity string, in any) int64 {
	o.t.Helper()
	return into[int64](o, o.call("admin", "POST", "/"+entity+"/create", in, 0))
}

func into[T any](o *office, a kerneltest.Answer) T {
	o.t.Helper()
	var v T
	a.Decode(o.t, &v)
	return v
}

// samples is a good row of each entity.
func (o *office) samples() map[string]body {
	return map[string]body{
		"category":           {"name": "Finance", "code": "finance", "description": "报销", "status": 0, "sort": 3},
		"form":               {"name": "请假", "conf": `{"form":{}}`, "fields": []string{`{"type":"input","field":"reason","title":"事由"}`}, "status": 0, "remark": "备注"},
		"user-group":         {"name": "评议组", "description": "三人", "memberUserIds": o.users[:2], "status": 0},
		"process-expression": {"name": "三天以上", "status": 0, "expression": "${day > 3}"},
		"process-listener":   {"name": "催办", "type": "task", "event": "create", "valueType": "expression", "value": "${day > 3}", "status": 0},
	}
}

// TestRows: each entity is created, read, listed, changed and deleted, with times and
// version, and nobody else may.
func TestRows(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for entity, sample := range o.samples() {
			id := o.create(entity, sample)
			one := fmt.Sprintf("/%s/get?id=%d", entity, id)
			row := into[body](o, o.call("reader", "GET", one, nil, 0))
			for member, want := range sample {
				if have, wanted := text(row[member]), text(want); have != wanted {
					t.Errorf("%s.%s: %s, want %s", entity, member, have, wanted)
				}
			}
			if row["createTime"] == nil || text(row["version"]) != "1" {
				t.Errorf("%s: %v", entity, row)
			}
			page := into[store.Page[body]](o, o.call("reader", "GET", "/"+entity+"/page?pageNo=1&pageSize=10&name="+sample["name"].(string), nil, 0))
			if page.Total != 1 || text(page.List[0]["id"]) != fmt.Sprint(id) {
				t.Errorf("%s: page %+v", entity, page)
			}
			o.call("admin", "PUT", "/"+entity+"/update", body{"id": id, "version": 1, "status": 1}, 0)
			o.call("admin", "PUT", "/"+entity+"/update", body{"id": id, "version": 1, "status": 0}, errs.ErrStale.Num)
			row = into[body](o, o.call("reader", "GET", one, nil, 0))
			if text(row["status"]) != "1" || text(row["name"]) != text(sample["name"]) || text(row["version"]) != "2" {
				t.Errorf("%s after a change: %v", entity, row)
			}
			for _, who := range []string{"student", "nobody"} {
				o.call(who, "GET", "/"+entity+"/page", nil, errs.CodeForbidden)
				o.call(who, "GET", one, nil, errs.CodeForbidden)
			}
			for _, who := range []string{"student", "nobody", "reader"} {
				o.call(who, "POST", "/"+entity+"/create", sample, errs.CodeForbidden)
				o.call(who, "PUT", "/"+entity+"/update", body{"id": id, "status": 0}, errs.CodeForbidden)
				o.call(who, "DELETE", fmt.Sprintf("/%s/delete?id=%d", entity, id), nil, errs.CodeForbidden)
			}
			o.call("", "GET", one, nil, errs.CodeUnauthenticated)
			o.call("admin", "DELETE", fmt.Sprintf("/%s/delete?id=%d", entity, id), nil, 0)
			o.call("admin", "GET", one, nil, errs.ErrNoRecord.Num)
			o.create(entity, sample) // names and codes of deleted rows are free
		}
	})
}

// text is a value as JSON.
func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestForeignTenant: an id of another tenant is like one that does not exist.
func TestForeignTenant(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for entity, sample := range o.samples() {
			id := o.create(entity, changes{"name": "甲校" + kerneltest.MarkerB}.on(sample))
			o.call("admin2", "GET", fmt.Sprintf("/%s/get?id=%d", entity, id), nil, errs.ErrNoRecord.Num)
			o.call("admin2", "PUT", "/"+entity+"/update", body{"id": id, "status": 1}, errs.ErrNoRecord.Num)
			o.call("admin2", "DELETE", fmt.Sprintf("/%s/delete?id=%d", entity, id), nil, errs.ErrNoRecord.Num)
			o.call("admin2", "DELETE", fmt.Sprintf("/%s/delete-list?ids=%d", entity, id), nil, errs.ErrNoRecord.Num)
			a := o.call("admin2", "GET", "/"+entity+"/page", nil, 0)
			kerneltest.NoMarker(t, kerneltest.MarkerB, entity, a.Raw)
			if n := into[store.Page[body]](o, a).Total; n != 0 {
				t.Errorf("%s: another tenant counts %d", entity, n)
			}
		}
		id := o.create("category", body{"name": "另一类", "code": "more", "status": 0, "sort": 1})
		o.call("admin2", "PUT", fmt.Sprintf("/category/update-sort-batch?ids=%d", id), nil, errs.ErrNoRecord.Num)
		foreign := changes{"memberUserIds": []int64{o.alien}}.on(o.samples()["user-group"])
		if a := o.call("admin", "POST", "/user-group/create", foreign, errs.CodeInvalid); a.Fields[0].Name != "memberUserIds" {
			t.Errorf("a user of another tenant: %s", a.Raw)
		}
	})
}

// TestSimpleLists: enabled rows only, for everybody signed in, under both names.
func TestSimpleLists(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for entity, want := range map[string][]string{"category": {"code", "id", "name"}, "form": {"id", "name"}, "user-group": {"id", "name"}} {
			sample := o.samples()[entity]
			o.create(entity, sample)
			o.create(entity, changes{"name": "停用", "code": "off", "status": 1}.on(sample))
			for _, call := range []string{"list-all-simple", "simple-list"} {
				list := into[[]body](o, o.call("student", "GET", "/"+entity+"/"+call, nil, 0))
				if len(list) != 1 || list[0]["name"] != sample["name"] {
					t.Fatalf("%s/%s: %v", entity, call, list)
				}
				var members []string
				for m := range list[0] {
					members = append(members, m)
				}
				if slices.Sort(members); !slices.Equal(members, want) {
					t.Errorf("%s/%s shows %v", entity, call, members)
				}
				o.call("", "GET", "/"+entity+"/"+call, nil, errs.CodeUnauthenticated)
				if other := into[[]body](o, o.call("admin2", "GET", "/"+entity+"/"+call, nil, 0)); len(other) != 0 {
					t.Errorf("%s/%s of another tenant: %v", entity, call, other)
				}
			}
		}
	})
}

// TestAccepted: what the rules must not refuse.
func TestAccepted(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for entity, list := range map[string][]changes{
			"category": {{"name": strings.Repeat("长", 64), "code": "a"}, {"name": "<b>&", "code": "1"}, {"name": "x", "code": "A"}},
			"form": {{"fields": []string{}}, {"conf": ` {"a":"\u0000"} `}, {"fields": []string{`{"title":{"a":1}}`, `{"title":{"a":1},"children":"text"}`}},
				{"conf": strings.Repeat(`{"a":`, 32) + "1" + strings.Repeat("}", 32)}, {"fields": slices.Repeat([]string{"{}"}, 300)}},
			"user-group":         {{"memberUserIds": nil, "userIds": o.users}, {"userIds": o.users[:2]}},
			"process-expression": {{"expression": "${a.b[0].c}"}, {"expression": "${bean.calculate(execution, 1)}"}, {"expression": "${a}-${b}"}},
			"process-listener": {{"valueType": "delegateExpression", "value": "${remind}"}, {"valueType": "class", "value": "remindAssignee"},
				{"type": "execution", "event": "take", "valueType": "class", "value": "writeTrace"}},
		} {
			for _, c := range list {
				o.create(entity, c.on(o.samples()[entity]))
			}
		}
	})
}

func TestCategory_order(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		var ids []int64
		for i := range 5 {
			ids = append(ids, o.create("category", body{"name": fmt.Sprint("类", i), "code": fmt.Sprint("c", i), "status": i % 2, "sort": 0}))
		}
		order := func() (list []int64) {
			for _, c := range into[store.Page[Category]](o, o.call("reader", "GET", "/category/page", nil, 0)).List {
				list = append(list, c.ID)
			}
			return list
		}
		sort := func(query string, code int) {
			o.call("admin", "PUT", "/category/update-sort-batch?ids="+query, nil, code)
		}
		sort(strings.Trim(strings.ReplaceAll(fmt.Sprint([]int64{ids[4], ids[0], ids[2], ids[1], ids[3]}), " ", ","), "[]"), 0)
		if have := order(); !slices.Equal(have, []int64{ids[4], ids[0], ids[2], ids[1], ids[3]}) {
			t.Fatalf("all: %v of %v", have, ids)
		}
		sort(fmt.Sprintf("%d&ids=%d", ids[3], ids[4]), 0) // the first and the last change places
		if have := order(); !slices.Equal(have, []int64{ids[3], ids[0], ids[2], ids[1], ids[4]}) {
			t.Fatalf("two: %v of %v", have, ids)
		}
		if simple := into[[]Category](o, o.call("student", "GET", "/category/simple-list", nil, 0)); len(simple) != 3 || simple[0].ID != ids[0] || simple[2].ID != ids[4] {
			t.Errorf("simple list %+v", simple)
		}
		for _, bad := range []string{"", "0", "-1", "x", fmt.Sprintf("%d,%d", ids[0], ids[0]), strings.Repeat("1,", 500) + "1"} {
			sort(bad, errs.CodeInvalid)
		}
		sort(fmt.Sprintf("%d,900000", ids[0]), errs.ErrNoRecord.Num)
		o.call("reader", "PUT", "/category/update-sort-batch?ids=1", nil, errs.CodeForbidden)
		if have := order(); !slices.Equal(have, []int64{ids[3], ids[0], ids[2], ids[1], ids[4]}) {
			t.Errorf("refused sorting changed the order: %v", have)
		}
	})
}

// TestReordered: the places of the unnamed stay, whatever is named.
func TestReordered(t *testing.T) {
	list := []Category{{ID: 4, Sort: 1}, {ID: 2, Sort: 2}, {ID: 1, Sort: 2}, {ID: 3}} // 3 4 1 2
	for _, c := range []struct {
		ids, want []int64
		ok        bool
	}{
		{[]int64{3, 4, 1, 2}, []int64{3, 4, 1, 2}, true},
		{[]int64{2, 1}, []int64{3, 4, 2, 1}, true},
		{[]int64{2, 3}, []int64{2, 4, 1, 3}, true},
		{[]int64{4}, []int64{3, 4, 1, 2}, true},
		{[]int64{4, 9}, nil, false},
	} {
		if have, ok := reordered(list, c.ids); ok != c.ok || ok && !slices.Equal(have, c.want) {
			t.Errorf("%v: %v %v", c.ids, have, ok)
		}
	}
}

func TestCategory_inUse(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.s.OnCategoryInUse(func(_ context.Context, code string) (bool, error) { return code == "finance", nil })
		id := o.create("category", o.samples()["category"])
		free := o.create("category", body{"name": "空", "code": "free", "status": 0, "sort": 0})
		o.call("admin", "DELETE", fmt.Sprintf("/category/delete?id=%d", id), nil, 1009012003)
		o.call("admin", "DELETE", fmt.Sprintf("/category/delete-list?ids=%d&ids=%d", free, id), nil, 1009012003)
		o.call("admin", "PUT", "/category/update", body{"id": id, "code": "renamed"}, 1009012003)
		o.call("admin", "PUT", "/category/update", body{"id": id, "name": "财务审批", "code": "finance"}, 0)
		o.call("admin", "GET", fmt.Sprintf("/category/get?id=%d", free), nil, 0) // the refused batch took nothing away
		o.call("admin", "PUT", "/category/update", body{"id": free, "code": "renamed"}, 0)
		o.call("admin", "DELETE", fmt.Sprintf("/category/delete?id=%d", free), nil, 0)
	})
}

// TestUserGroup_names: both names of the members are answered, and a client that sends
// a row back changes it through the name it knows.
func TestUserGroup_names(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		id := o.create("user-group", o.samples()["user-group"])
		read := func() body {
			row := into[body](o, o.call("reader", "GET", fmt.Sprintf("/user-group/get?id=%d", id), nil, 0))
			page := into[store.Page[body]](o, o.call("reader", "GET", fmt.Sprintf("/user-group/page?id=%d&status=0", id), nil, 0))
			if text(row["memberUserIds"]) != text(row["userIds"]) || len(page.List) != 1 || text(page.List[0]["userIds"]) != text(row["userIds"]) {
				t.Fatalf("%v\n%v", row, page)
			}
			return row
		}
		for _, name := range []string{"memberUserIds", "userIds"} {
			for _, want := range [][]int64{o.users, o.users[1:], {o.users[2], o.users[0]}} {
				row := read()
				row[name] = want
				o.call("admin", "PUT", "/user-group/update", row, 0)
				if have := text(read()[name]); have != text(want) {
					t.Errorf("through %s: %s, want %s", name, have, text(want))
				}
			}
		}
		row := read()
		row["memberUserIds"], row["userIds"] = o.users[:1], o.users[1:]
		o.call("admin", "PUT", "/user-group/update", row, errs.CodeInvalid)
		o.call("admin", "PUT", "/user-group/update", body{"id": id, "userIds": []int64{}}, errs.CodeInvalid)
		o.call("admin", "PUT", "/user-group/update", body{"id": id, "name": "新名"}, 0)
		if row := read(); text(row["userIds"]) != text([]int64{o.users[2], o.users[0]}) || row["name"] != "新名" {
			t.Errorf("%v", row)
		}
	})
}

// TestUserGroup_left: a member who left meanwhile does not block a change of the rest.
func TestUserGroup_left(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		id := o.create("user-group", o.samples()["user-group"])
		err := store.Write(kerneltest.AsSystem(o.db, 1), func(ctx context.Context) error {
			_, err := store.Exec(store.ByTable(ctx), `UPDATE system_users SET deleted = true WHERE tenant_id = :tenant AND id = :id`, store.Args{"id": o.users[0]})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		o.call("admin", "PUT", "/user-group/update", body{"id": id, "memberUserIds": o.users}, 0)
		o.call("admin", "PUT", "/user-group/update", body{"id": id, "memberUserIds": o.users[1:]}, 0)
		o.call("admin", "PUT", "/user-group/update", body{"id": id, "memberUserIds": o.users}, errs.CodeInvalid)
	})
}

func TestGiven(t *testing.T) {
	a, b, c := []int64{1}, []int64{2}, []int64{3}
	for _, s := range []struct {
		before, older, newer, want []int64
		ok                         bool
	}{
		{nil, a, nil, a, true}, {nil, nil, a, a, true}, {nil, a, a, a, true}, {nil, a, b, nil, false}, {nil, nil, nil, nil, true},
		{a, b, a, b, true}, {a, a, b, b, true}, {a, b, b, b, true}, {a, b, c, nil, false}, {a, a, a, a, true}, {a, a, nil, a, true}, {a, a, []int64{}, []int64{}, true},
	} {
		if have, ok := given(s.before, s.older, s.newer); ok != s.ok || ok && !slices.Equal(have, s.want) {
			t.Errorf("%+v: %v %v", s, have, ok)
		}
	}
}

// TestForm_update: absent members stay, present ones are checked like new ones.
func TestForm_update(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		sample := o.samples()["form"]
		id := o.create("form", sample)
		url := fmt.Sprintf("/form/get?id=%d", id)
		o.call("admin", "PUT", "/form/update", body{"id": id, "name": " 请假单 ", "remark": nil}, 0)
		row := into[body](o, o.call("reader", "GET", url, nil, 0))
		if row["name"] != "请假单" || row["conf"] != sample["conf"] || text(row["fields"]) != text(sample["fields"]) || row["remark"] != "备注" {
			t.Errorf("%v", row)
		}
		o.call("admin", "PUT", "/form/update", body{"id": id, "conf": `{"x":1}`, "fields": []string{}, "remark": ""}, 0)
		row = into[body](o, o.call("reader", "GET", url, nil, 0))
		if row["conf"] != `{"x":1}` || text(row["fields"]) != "[]" || row["remark"] != "" {
			t.Errorf("%v", row)
		}
		o.call("admin", "PUT", "/form/update", body{"id": id, "conf": "1"}, errs.CodeInvalid)
		o.call("admin", "PUT", "/form/update", body{"id": id, "name": ""}, errs.CodeInvalid)
		o.call("admin", "PUT", "/form/update", body{"id": 0, "name": "x"}, errs.CodeInvalid)
		o.call("admin", "PUT", "/form/update", body{"id": 900_000, "name": "x"}, errs.ErrNoRecord.Num)
	})
}

func TestDescriptions(t *testing.T) {
	o := newOffice(t, kerneltest.Open(t, Migrations(), identityTables))
	form := o.app.Entities["bpm/form"].(crud.Description)
	if !slices.Contains(form.Calls, "create") || !slices.Contains(form.Calls, "update") || !slices.IsSorted(form.Calls) {
		t.Errorf("calls of forms: %v", form.Calls)
	}
	for _, f := range o.app.Entities["bpm/user-group"].(crud.Description).Fields {
		if f.Name == "userIds" || f.Name == "memberUserIds" && !f.Required {
			t.Errorf("%+v", f)
		}
	}
}

// TestDemo: the demonstration rows pass the checks of the calls, and are written once.
func TestDemo(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		org := identity.Organisation{Users: map[string]int64{"degree01": o.users[0], "training01": o.users[1], "advisor01": o.users[2]}}
		for range 2 {
			if err := o.s.DemoSeed(kerneltest.AsSystem(o.db, 1), org); err != nil {
				t.Fatal(err)
			}
		}
		for entity, want := range map[string]int64{"category": 3, "user-group": 2, "process-expression": 2, "form": 1, "process-listener": 0} {
			page := into[store.Page[body]](o, o.call("admin", "GET", "/"+entity+"/page", nil, 0))
			if int64(page.Total) != want {
				t.Errorf("%d rows of %s", page.Total, entity)
			}
			for _, row := range page.List {
				row["remark"], row["description"] = "改", "改"
				o.call("admin", "PUT", "/"+entity+"/update", row, 0)
			}
		}
	})
}

func FuzzCheckDesign(f *testing.F) {
	for _, seed := range []string{`{}`, `{"field":"a","children":[{"field":"a"}]}`, `{"children":"x"}`, `{"a":"\"{["}`, `[`, ` {"field":1}`} {
		f.Add(`{"form":{}}`, seed)
	}
	f.Fuzz(func(t *testing.T, conf, item string) {
		if err := checkDesign(context.Background(), conf, []string{item}); err != nil {
			return
		}
		for _, text := range []string{conf, item} {
			var object map[string]json.RawMessage
			if json.Unmarshal([]byte(text), &object) != nil || object == nil || strings.ContainsRune(text, 0) {
				t.Errorf("accepted %q", text)
			}
		}
		if err := checkDesign(context.Background(), conf, []string{item, item}); err == nil {
			var object map[string]json.RawMessage
			if _ = json.Unmarshal([]byte(item), &object); textOf(object["field"]) != "" {
				t.Errorf("accepted %q twice", item)
			}
		}
	})
}
