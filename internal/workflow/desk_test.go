package workflow

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// systemTables are those of dictionaries and messages below this module.
var systemTables = os.DirFS("../system/migrations")

// desk is a university with a line of departments in which people start and decide
// processes: the starter works in an institute (head) of a college (dean) of the
// university (rector); ann, bob and cid hold role and post; gone is disabled.
type desk struct {
	*office
	who               map[string]int64
	depts             map[string]int64
	role, post, group int64
	started           int
	auth              *kerneltest.Auth
}

var deskPerms = []string{"bpm:process-instance:query", "bpm:process-instance:create", "bpm:process-instance:cancel", "bpm:task:query", "bpm:task:update",
	"bpm:process-instance-cc:query", "bpm:process-instance-cc:create", "bpm:oa-leave:create", "bpm:oa-leave:query"}

func eachDesk(t *testing.T, test func(t *testing.T, w *desk)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, newDesk(t, db)) }, Migrations(), runtime.Migrations, identityTables, systemTables)
}

// nobodyKnown is a rule that finds nobody.
func nobodyKnown(context.Context, AssignFacts) ([]int64, error) { return nil, nil }

func newDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	w := &desk{office: newOffice(t, db), who: map[string]int64{}, depts: map[string]int64{}}
	auth := kerneltest.NewAuth()
	w.auth = auth
	w.app.SetAuthenticator(auth)
	for _, d := range []struct{ name, above string }{{"university", ""}, {"college", "university"}, {"institute", "college"}} {
		w.depts[d.name] = w.row("INSERT INTO system_dept (tenant_id, name, parent_id, create_time, update_time) VALUES (1, '%s', %d, 1, 1)", d.name, w.depts[d.above])
	}
	w.role = w.row("INSERT INTO system_role (tenant_id, name, code, create_time, update_time) VALUES (1, '评审', 'reviewer', 1, 1)")
	w.post = w.row("INSERT INTO system_post (tenant_id, name, code, create_time, update_time) VALUES (1, '秘书', 'secretary', 1, 1)")
	homes := map[string]string{"starter": "institute", "head": "institute", "dean": "college", "rector": "university"}
	for _, name := range []string{"head", "starter", "dean", "rector", "ann", "bob", "cid", "gone", "outsider"} {
		dept := homes[name]
		posts := "[]"
		if slices.Contains([]string{"ann", "bob", "gone"}, name) {
			posts = fmt.Sprintf("[%d]", w.post)
		}
		status := 0
		if name == "gone" {
			status = 1
		}
		w.who[name] = w.row("INSERT INTO system_users (tenant_id, username, nickname, password, dept_id, post_ids, status, create_time, update_time) VALUES (1, '%s', '%s', '!', %d, '%s', %d, 1, 1)",
			name, strings.ToUpper(name), w.depts[dept], posts, status)
		a := kerneltest.User(1, w.who[name], deskPerms...)
		a.DeptID = w.depts[dept]
		w.tokens[name] = auth.Add(a)
	}
	w.tokens["admin"], w.tokens["admin2"] = auth.Add(kerneltest.Admin(1)), auth.Add(kerneltest.Admin(2))
	w.tokens["alien"] = auth.Add(kerneltest.User(2, w.alien, deskPerms...))
	for dept, leader := range map[string]string{"university": "rector", "college": "dean", "institute": "head"} {
		w.raw("UPDATE system_dept SET leader_user_id = %d WHERE id = %d", w.who[leader], w.depts[dept])
	}
	for _, name := range []string{"ann", "bob", "gone"} {
		w.raw("INSERT INTO system_user_role (tenant_id, user_id, role_id) VALUES (1, %d, %d)", w.who[name], w.role)
	}
	w.group = w.create("user-group", body{"name": "小组", "userIds": w.ids("cid", "ann"), "status": 0})
	w.create("category", w.samples()["category"])
	for _, m := range templates {
		w.raw("INSERT INTO system_notify_template (name, code, type, nickname, content, create_time, update_time) VALUES ('%s', '%s', 2, '流程', '%s', 1, 1)", m.Name, m.Code, m.Content)
	}
	return w
}

// raw runs a statement of tenant 1 that is not made through this module.
func (w *desk) raw(format string, args ...any) {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if _, err := raw.Exec(fmt.Sprintf(format, args...)); err != nil {
		w.t.Fatal(err)
	}
}

// row is raw for an INSERT and gives the id.
func (w *desk) row(format string, args ...any) (id int64) {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if err := raw.QueryRow(fmt.Sprintf(format, args...) + " RETURNING id").Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *desk) ids(names ...string) []int64 {
	out := make([]int64, len(names))
	for i, name := range names {
		if out[i] = w.who[name]; out[i] == 0 {
			w.t.Fatalf("nobody is called %s", name)
		}
	}
	return out
}

// name is the reverse of ids; "-" is nobody.
func (w *desk) name(id int64) string {
	for name, known := range w.who {
		if known == id {
			return name
		}
	}
	if id == 0 {
		return "-"
	}
	return fmt.Sprint("user ", id)
}

// as is a context of a person.
func (w *desk) as(name string) context.Context {
	a := kerneltest.User(1, w.who[name], deskPerms...)
	return kerneltest.As(w.db, a)
}

// task is a user task with a strategy and settings; further text stands inside it, and
// {name} stands for the id of a person.
func (w *desk) task(id, strategy, param string, inner ...string) string {
	settings := ""
	content := ""
	for _, part := range inner {
		if strings.HasPrefix(part, "<multi") {
			content += part
		} else {
			settings += part
		}
	}
	for name, user := range w.who {
		param, settings = strings.ReplaceAll(param, "{"+name+"}", fmt.Sprint(user)), strings.ReplaceAll(settings, "{"+name+"}", fmt.Sprint(user))
	}
	if settings != "" {
		settings = "<extensionElements>" + settings + "</extensionElements>"
	}
	return fmt.Sprintf(`<userTask id="%s" name="任务 %s" flowable:candidateStrategy="%s" flowable:candidateParam="%s">%s%s</userTask>`, id, id, strategy, param, settings, content)
}

// setting is a text element of the approval settings.
func setting(name, value string) string {
	return "<flowable:" + name + ">" + value + "</flowable:" + name + ">"
}

const (
	allSign  = `<multiInstanceLoopCharacteristics isSequential="false"><completionCondition>${nrOfCompletedInstances/nrOfInstances &gt;= 1}</completionCondition></multiInstanceLoopCharacteristics>`
	anyOne   = `<multiInstanceLoopCharacteristics isSequential="false"><completionCondition>${nrOfCompletedInstances &gt; 0}</completionCondition></multiInstanceLoopCharacteristics>`
	oneByOne = `<multiInstanceLoopCharacteristics isSequential="true"/>`
)

// publish makes and deploys a model with a business form and gives the definition's id.
func (w *desk) publish(key, content string, change ...changes) string {
	w.t.Helper()
	in := body{"key": key, "name": "流程 " + key, "category": "finance", "formType": 20, "formCustomCreatePath": "/a", "formCustomViewPath": "/b",
		"allowWithdrawTask": true, "bpmnXml": diagram(key, "流程 "+key, content)}
	for _, c := range change {
		in = c.on(in)
	}
	id := into[string](w.office, w.call("admin", "POST", "/model/create", in, 0))
	w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
	return into[DefinitionDetail](w.office, w.call("admin", "GET", "/process-definition/get?key="+key, nil, 0)).ID
}

// start begins an instance as the starter through the seam.
func (w *desk) start(key string, vars map[string]any) string {
	w.t.Helper()
	w.started++
	id, err := w.s.Start(w.as("starter"), StartIn{Process: key, BusinessID: fmt.Sprint(w.started), Vars: vars})
	if err != nil {
		w.t.Fatalf("start %s: %v", key, err)
	}
	return id
}

// view is an instance as it is now.
func (w *desk) view(instance string) *runtime.View {
	w.t.Helper()
	v, err := w.s.engine.Load(kerneltest.AsSystem(w.db, 1), instance)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// state tells the open tasks with their people, and the result once it ended.
func (w *desk) state(instance string) string {
	w.t.Helper()
	v := w.view(instance)
	if v.State.Instance.Status == engine.Ended {
		return fmt.Sprint("ended ", int(v.State.Instance.Result))
	}
	var list []string
	for _, k := range v.State.Tasks {
		text := k.Element + " " + w.name(k.AssigneeID)
		if k.Status != engine.TaskOpen {
			text += fmt.Sprint(" ", int(k.Status))
		}
		if k.Parent != 0 {
			text = "+" + text
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// history tells all tasks with their people and status.
func (w *desk) history(instance string) string {
	w.t.Helper()
	tasks, err := w.s.engine.Tasks(kerneltest.AsSystem(w.db, 1), instance)
	if err != nil {
		w.t.Fatal(err)
	}
	list := make([]string, len(tasks))
	for i, k := range tasks {
		list[i] = fmt.Sprintf("%s %s %d", k.Element, w.name(k.AssigneeID), k.Status)
	}
	return strings.Join(list, ", ")
}

// want compares state or history with the wanted text.
func (w *desk) want(what, have, want string) {
	w.t.Helper()
	if have != want {
		w.t.Errorf("%s: %q, want %q", what, have, want)
	}
}

// complete decides the first open task of the person, below the calls.
func (w *desk) complete(instance, name string) {
	w.t.Helper()
	for _, k := range w.view(instance).State.Tasks {
		if k.AssigneeID == w.who[name] {
			if _, err := w.s.engine.Do(w.as(name), runtime.Command{Instance: instance, Action: &engine.CompleteTask{Task: k.ID}}); err != nil {
				w.t.Fatalf("%s completes %s: %v", name, k.Element, err)
			}
			return
		}
	}
	w.t.Fatalf("%s has no task in %s", name, w.state(instance))
}

// got counts the messages of a person from a template.
func (w *desk) got(name, template string) int64 {
	w.t.Helper()
	n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM system_notify_message WHERE tenant_id = :tenant AND user_id = :user AND template_code = :code`,
		store.Args{"user": w.who[name], "code": template})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// sound verifies and replays every instance of the tenant.
func (w *desk) sound() {
	w.t.Helper()
	ctx := kerneltest.AsSystem(w.db, 1)
	ids, err := store.Select[string](ctx, `SELECT id FROM wf_instance WHERE tenant_id = :tenant ORDER BY id`, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, id := range ids {
		for what, check := range map[string]func(context.Context, string) ([]string, error){"verify": w.s.engine.Verify, "replay": w.s.engine.Replay} {
			if found, err := check(ctx, id); err != nil || len(found) > 0 {
				w.t.Errorf("%s %s: %v %s", what, id, err, strings.Join(found, "\n"))
			}
		}
	}
}
