package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// studio is an office with people to model with.
type studio struct {
	*office
	role, off, dept, post, group, expression, form int64
}

const (
	allModel = "bpm:model:query,bpm:model:create,bpm:model:update,bpm:model:deploy,bpm:model:delete,bpm:model:import"
	allRule  = "bpm:task-assign-rule:query,bpm:task-assign-rule:create,bpm:task-assign-rule:update"
)

func eachStudio(t *testing.T, test func(t *testing.T, w *studio)) {
	t.Helper()
	each(t, func(t *testing.T, o *office) {
		w := &studio{office: o}
		o.s.RegisterAssignRule("THESIS_ADVISOR", "论文导师|thesis advisor", nobodyKnown)
		o.s.RegisterAssignRule("THESIS_COLLEGE_ROLE", "学院角色|role of the college", nobodyKnown)
		o.s.RegisterAssignRule("THESIS_TENANT_ROLE", "学校角色|role of the university", nobodyKnown)
		auth := kerneltest.NewAuth()
		o.app.SetAuthenticator(auth)
		perms := append(strings.Split(allModel, ","), strings.Split(allRule, ",")...)
		member := kerneltest.User(1, o.users[1])
		w.role, w.off = w.row("INSERT INTO system_role (tenant_id, name, code, create_time, update_time) VALUES (1, '培养办', 'grad_training', 1, 1)"), w.row("INSERT INTO system_role (tenant_id, name, code, status, create_time, update_time) VALUES (1, '停用', 'off', 1, 1, 1)")
		w.dept = w.row("INSERT INTO system_dept (tenant_id, name, create_time, update_time) VALUES (1, '信息学院', 1, 1)")
		w.post = w.row("INSERT INTO system_post (tenant_id, name, code, create_time, update_time) VALUES (1, '院长', 'dean', 1, 1)")
		member.DeptID = w.dept
		for name, a := range map[string]actor.Actor{"admin": kerneltest.Admin(1), "admin2": kerneltest.Admin(2), "student": kerneltest.Student(1, 41), "nobody": kerneltest.User(1, 42),
			"owner": kerneltest.User(1, o.users[0], perms...), "other": kerneltest.User(1, o.users[2], perms...), "member": member,
			"reader": kerneltest.User(1, 43, "bpm:model:query", "bpm:process-definition:query", "bpm:task-assign-rule:query")} {
			o.tokens[name] = auth.Add(a)
		}
		w.group = o.create("user-group", o.samples()["user-group"])
		w.expression = o.create("process-expression", body{"name": "经办人", "status": 0, "expression": "${handler}"})
		w.form = o.create("form", o.samples()["form"])
		o.create("category", o.samples()["category"])
		test(t, w)
	})
}

// row runs an INSERT of tenant 1 that is not made through this module.
func (w *studio) row(insert string) (id int64) {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if err := raw.QueryRow(insert + " RETURNING id").Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// diagram wraps the content of a process in a BPMN file.
func diagram(id, name, content string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
		` xmlns:flowable="http://flowable.org/bpmn" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="t"><process id="` + id + `" name="` + name + `" isExecutable="true">` + content + `</process></definitions>`
}

// line is a process of the elements one after another, between a start and an end.
func line(tasks ...string) string {
	out, last := `<startEvent id="s"/>`, "s"
	for i, task := range append(tasks, `<endEvent id="e"/>`) {
		_, id, _ := strings.Cut(task, ` id="`)
		id, _, _ = strings.Cut(id, `"`)
		out += task + fmt.Sprintf(`<sequenceFlow id="f%d" sourceRef="%s" targetRef="%s"/>`, i, last, id)
		last = id
	}
	return out
}

const plainTask = `<userTask id="check" name="审核"/>`

func (w *studio) good() body {
	return body{"key": "leave", "name": "请假", "description": "说明", "category": "finance", "formType": 20, "formCustomCreatePath": "/bpm/oa/leave/create", "formCustomViewPath": "/bpm/oa/leave/detail",
		"bpmnXml": diagram("leave", "请假", line(plainTask))}
}

func (w *studio) model(who string, in body) string {
	w.t.Helper()
	return into[string](w.office, w.call(who, "POST", "/model/create", in, 0))
}

func (w *studio) rule(model, task string, ruleType int, options ...int64) int64 {
	w.t.Helper()
	return into[int64](w.office, w.call("admin", "POST", "/task-assign-rule/create", body{"modelId": model, "taskDefinitionKey": task, "type": ruleType, "options": options}, 0))
}

// TestModelLife goes from an empty model to a second deployed version and its end.
func TestModelLife(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", body{"key": "leave", "name": "请假", "description": "说明"})
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errModelFile.Num)
		in := w.good()
		in["id"] = id
		w.call("admin", "PUT", "/model/update", in, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errDeployRule.Num)
		rule := w.rule(id, "check", 10, w.role)
		row := into[body](w.office, w.call("reader", "GET", "/model/get?id="+id, nil, 0))
		if row["id"] != id || row["bpmnXml"] != in["bpmnXml"] || row["processDefinition"] != nil || row["categoryName"] != "Finance" || row["visible"] != true {
			t.Fatalf("model %v", row)
		}
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errNothingChanged.Num)
		first := w.newest("leave")
		if first.Version != 1 || first.SuspensionState != Active || first.ModelID != ModelID(modelID(id)) || !strings.HasPrefix(first.ID, "leave:1:") || first.DeploymentTime == 0 {
			t.Fatalf("first version %+v", first)
		}
		w.call("admin", "PUT", "/task-assign-rule/update", body{"id": rule, "type": 22, "options": []int64{w.post}}, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		list := into[store.Page[DefinitionView]](w.office, w.call("reader", "GET", "/process-definition/page?key=leave", nil, 0)).List
		if len(list) != 2 || list[0].Version != 2 || list[0].SuspensionState != Active || list[1].SuspensionState != Suspended {
			t.Fatalf("versions %+v", list)
		}
		if xml := into[string](w.office, w.call("reader", "GET", "/process-definition/get-bpmn-xml?id="+first.ID, nil, 0)); xml != in["bpmnXml"] {
			t.Errorf("diagram of version 1: %s", xml)
		}
		old, now := w.rules("processDefinitionId="+first.ID), w.rules("processDefinitionId="+list[0].ID)
		if *old[0].Type != 10 || !slices.Equal(old[0].Options, []int64{w.role}) || *now[0].Type != 22 || *old[0].ID == rule {
			t.Errorf("rules %+v then %+v", old[0], now[0])
		}
		w.call("admin", "PUT", "/task-assign-rule/update", body{"id": *old[0].ID, "type": 22, "options": []int64{w.post}}, errRuleNotModel.Num)
		w.call("admin", "PUT", "/model/update-state", body{"id": id, "state": 2}, 0)
		if n := len(into[[]body](w.office, w.call("student", "GET", "/process-definition/list", nil, 0))); n != 0 {
			t.Errorf("%d startable while suspended", n)
		}
		w.call("admin", "PUT", "/model/update-state", body{"id": id, "state": 1}, 0)
		page := into[store.Page[ModelView]](w.office, w.call("reader", "GET", "/model/page?category=finance&name=%E8%AF%B7", nil, 0))
		if page.Total != 1 || page.List[0].ProcessDefinition.Version != 2 || page.List[0].ProcessDefinition.SuspensionState != Active || *page.List[0].FormType != 20 {
			t.Errorf("page %+v", page)
		}
		w.call("admin", "DELETE", "/model/delete?id="+id, nil, 0)
		w.call("admin", "GET", "/model/get?id="+id, nil, errModelMissing.Num)
		if d := w.newest("leave"); d.SuspensionState != Suspended {
			t.Errorf("definition of a deleted model: %+v", d)
		}
		again := w.model("admin", w.good()) // the key is free, the numbers go on
		w.rule(again, "check", 10, w.role)
		w.call("admin", "POST", "/model/deploy?id="+again, nil, 0)
		if d := w.newest("leave"); d.Version != 3 || d.SuspensionState != Active {
			t.Errorf("after a new model %+v", d)
		}
	})
}

func (w *studio) newest(key string) DefinitionDetail {
	w.t.Helper()
	return into[DefinitionDetail](w.office, w.call("reader", "GET", "/process-definition/get?key="+key, nil, 0))
}

func (w *studio) rules(query string) []TaskRule {
	w.t.Helper()
	return into[[]TaskRule](w.office, w.call("reader", "GET", "/task-assign-rule/list?"+query, nil, 0))
}

// TestModelRefused: nothing of these is stored, and the refusal lands on its field.
func TestModelRefused(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", w.good())
		before := text(into[body](w.office, w.call("admin", "GET", "/model/get?id="+id, nil, 0)))
		for name, c := range map[string]struct {
			change changes
			code   int
			field  string
		}{
			"key taken":               {changes{}, errModelKey.Num, "key"},
			"key begins with a digit": {changes{"key": "1leave"}, errModelKeyForm.Num, "key"},
			"key with a colon":        {changes{"key": "a:b"}, errModelKeyForm.Num, "key"},
			"key with a space":        {changes{"key": "a b"}, errModelKeyForm.Num, "key"},
			"key with a line break":   {changes{"key": "a\nb"}, errModelKeyForm.Num, "key"},
			"no key":                  {changes{"key": nil}, errModelKeyForm.Num, "key"},
			"long key":                {changes{"key": strings.Repeat("k", 65)}, errModelKeyForm.Num, "key"},
			"key is a number":         {changes{"key": 5}, errs.CodeInvalid, "key"},
			"no name":                 {changes{"name": " "}, errs.CodeInvalid, "name"},
			"long name":               {changes{"name": strings.Repeat("名", 101)}, errs.CodeInvalid, "name"},
			"U+0000":                  {changes{"name": "a\x00b"}, errs.CodeInvalid, "name"},
			"long description":        {changes{"description": strings.Repeat("x", 501)}, errs.CodeInvalid, "description"},
			"unknown category":        {changes{"category": "nowhere"}, errs.CodeInvalid, "category"},
			"unknown kind of form":    {changes{"formType": 30}, errs.CodeInvalid, "formType"},
			"no form":                 {changes{"formType": 10}, errs.CodeInvalid, "formId"},
			"unknown form":            {changes{"formType": 10, "formId": 900_000}, errs.CodeInvalid, "formId"},
			"no page":                 {changes{"formCustomViewPath": nil}, errs.CodeInvalid, "formCustomViewPath"},
			"page of another site":    {changes{"formCustomCreatePath": "//evil.example/x"}, errs.CodeInvalid, "formCustomCreatePath"},
			"script as page":          {changes{"formCustomCreatePath": "javascript:alert(1)"}, errs.CodeInvalid, "formCustomCreatePath"},
			"unknown manager":         {changes{"managerUserIds": []int64{w.alien}}, errs.CodeInvalid, "managerUserIds"},
			"unknown starter":         {changes{"startUserIds": []int64{900_000}}, errs.CodeInvalid, "startUserIds"},
			"unknown department":      {changes{"startDeptIds": []int64{900_000}}, errs.CodeInvalid, "startDeptIds"},
			"simple designer":         {changes{"type": 20}, errs.CodeInvalid, "type"},
			"auto approval":           {changes{"autoApprovalType": 3}, errs.CodeInvalid, "autoApprovalType"},
			"number rule":             {changes{"processIdRule": body{"enable": true, "length": 0}}, errs.CodeInvalid, "processIdRule"},
			"title":                   {changes{"titleSetting": body{"enable": true, "title": ""}}, errs.CodeInvalid, "titleSetting"},
			"large settings":          {changes{"printTemplateSetting": body{"template": strings.Repeat("x", 70_000)}}, errs.CodeInvalid, "printTemplateSetting"},
			"no XML":                  {changes{"key": "new", "bpmnXml": "hello"}, errModelFile.Num, "bpmnXml"},
			"HTML":                    {changes{"key": "new", "bpmnXml": "<html></html>"}, errModelFile.Num, "bpmnXml"},
			"open tag":                {changes{"key": "new", "bpmnXml": diagram("new", "请假", "<startEvent>")}, errModelFile.Num, "bpmnXml"},
			"XXE":                     {changes{"key": "new", "bpmnXml": `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + diagram("new", "&x;", "")}, errModelFile.Num, "bpmnXml"},
			"large file":              {changes{"key": "new", "bpmnXml": diagram("new", "n", "<!--"+strings.Repeat("x", maxModelFile)+"-->")}, errModelFile.Num, "bpmnXml"},
			"list for a model":        {changes{"startUserIds": "x"}, errs.CodeInvalid, "startUserIds"},
		} {
			if name != "key taken" && c.change["key"] == nil && c.field != "key" {
				c.change["key"] = "fresh"
			}
			a := w.call("admin", "POST", "/model/create", c.change.on(w.good()), c.code)
			if len(a.Fields) == 0 || a.Fields[0].Name != c.field {
				t.Errorf("%s: fields %v", name, a.Fields)
			}
		}
		for _, bad := range []string{"", "[]", "null", `{"key":`, "5"} {
			w.call("admin", "POST", "/model/create", bad, map[bool]int{true: errModelKeyForm.Num, false: errs.CodeInvalid}[bad == "null"])
		}
		w.call("admin", "PUT", "/model/update", body{"id": id, "version": 7}, errs.ErrStale.Num)
		w.call("admin", "PUT", "/model/update", body{"id": id, "key": "renamed"}, errs.CodeInvalid)
		for _, unknown := range []any{"900000", 900_000, "x", "", -1, nil} {
			w.call("admin", "PUT", "/model/update", body{"id": unknown, "name": "x"}, errModelMissing.Num)
		}
		if after := text(into[body](w.office, w.call("admin", "GET", "/model/get?id="+id, nil, 0))); after != before {
			t.Errorf("a refused change changed\n%s\n%s", before, after)
		}
		if n := into[store.Page[body]](w.office, w.call("admin", "GET", "/model/page", nil, 0)).Total; n != 1 {
			t.Errorf("%d models", n)
		}
	})
}

// TestModelUpdate: absent members stay, and nothing read is written through.
func TestModelUpdate(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		in := w.good()
		in["startUserIds"], in["managerUserIds"] = []int64{w.users[1], w.users[0], w.users[1]}, []int64{w.users[0]}
		in["titleSetting"], in["processBeforeTriggerSetting"] = body{"enable": true, "title": "{name} 的请假"}, body{"url": "https://erp.example/start", "header": []body{{"key": "k", "type": 1, "value": "v"}}}
		id := w.model("owner", in)
		w.call("owner", "PUT", "/model/update", body{"id": id, "version": 1, "name": "年假"}, 0)
		row := into[ModelDetail](w.office, w.call("reader", "GET", "/model/get?id="+id, nil, 0))
		if row.Name != "年假" || row.Description != "说明" || row.BpmnXML != in["bpmnXml"] || !slices.Equal(row.StartUserIDs, slices.Sorted(slices.Values(w.users[:2]))) ||
			row.TitleSetting.Title != "{name} 的请假" || row.ProcessBeforeTriggerSetting.Header[0].Value != "v" || len(row.StartUsers) != 2 || row.StartUsers[0].Nickname == "" || row.Version != 2 {
			t.Fatalf("after a change of the name: %+v", row)
		}
		w.call("owner", "PUT", "/model/update", body{"id": json.Number(id), "startUserIds": []int64{}, "titleSetting": nil, "formType": 10, "formId": w.form}, 0)
		row = into[ModelDetail](w.office, w.call("reader", "GET", "/model/get?id="+id, nil, 0))
		if len(row.StartUserIDs) != 0 || row.TitleSetting != nil || row.FormCustomCreatePath != "" || *row.FormID != w.form || row.FormName != "请假" {
			t.Errorf("after removing: %+v", row)
		}
		w.call("owner", "PUT", "/model/update-bpmn", body{"id": id, "bpmnXml": diagram("leave", "年假", "")}, 0)
		if row = into[ModelDetail](w.office, w.call("reader", "GET", "/model/get?id="+id, nil, 0)); row.BpmnXML != diagram("leave", "年假", "") {
			t.Errorf("diagram %s", row.BpmnXML)
		}
	})
}

// TestModelOwners: a model that names managers is theirs, and the administrators'.
func TestModelOwners(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		in := w.good()
		in["managerUserIds"] = []int64{w.users[0]}
		id := w.model("owner", in)
		for _, c := range [][2]any{{"PUT /model/update", body{"id": id, "name": "x"}}, {"PUT /model/update-bpmn", body{"id": id, "bpmnXml": ""}}, {"PUT /model/update-state", body{"id": id, "state": 2}},
			{"POST /model/deploy?id=" + id, nil}, {"DELETE /model/delete?id=" + id, nil}, {"POST /task-assign-rule/create", body{"modelId": id, "taskDefinitionKey": "check", "type": 10, "options": []int64{w.role}}}} {
			method, url, _ := strings.Cut(c[0].(string), " ")
			if a := w.call("other", method, url, c[1], errModelOwner.Num); !strings.Contains(a.Msg, "请假") {
				t.Errorf("%s: %s", url, a.Msg)
			}
		}
		w.call("admin", "PUT", "/model/update", body{"id": id, "name": "年假"}, 0)
		w.call("owner", "PUT", "/model/update", body{"id": id, "name": "请假"}, 0)
		open := w.model("other", changes{"key": "open"}.on(w.good()))
		w.call("owner", "PUT", "/model/update", body{"id": open, "name": "x"}, 0)
	})
}

// TestModelRights: every call of models, definitions and rules by who may not, and with
// the ids of another tenant.
func TestModelRights(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", changes{"name": "甲校" + kerneltest.MarkerB, "bpmnXml": diagram("leave", "甲校"+kerneltest.MarkerB, line(plainTask))}.on(w.good()))
		rule := w.rule(id, "check", 10, w.role)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		d := w.newest("leave")
		calls := []struct {
			call    string
			body    any
			foreign int
		}{
			{"GET /model/page", nil, 0}, {"GET /model/list", nil, 0}, {"GET /model/get?id=" + id, nil, errModelMissing.Num}, {"GET /model/problems?id=" + id, nil, errModelMissing.Num},
			{"PUT /model/update", body{"id": id, "name": "x"}, errModelMissing.Num}, {"PUT /model/update-bpmn", body{"id": id, "bpmnXml": ""}, errModelMissing.Num},
			{"PUT /model/update-state", body{"id": id, "state": 2}, errModelMissing.Num}, {"PUT /model/update-sort-batch?ids=" + id, nil, errs.ErrNoRecord.Num},
			{"POST /model/deploy?id=" + id, nil, errModelMissing.Num}, {"DELETE /model/delete?id=" + id, nil, errModelMissing.Num},
			{"GET /process-definition/page", nil, 0}, {"GET /process-definition/get-bpmn-xml?id=" + d.ID, nil, errDefinitionMissing.Num},
			{"GET /task-assign-rule/list?modelId=" + id, nil, errModelMissing.Num}, {"GET /task-assign-rule/list?processDefinitionId=" + d.ID, nil, errDefinitionMissing.Num},
			{"POST /task-assign-rule/create", body{"modelId": id, "taskDefinitionKey": "check", "type": 10, "options": []int64{1}}, errModelMissing.Num},
			{"PUT /task-assign-rule/update", body{"id": rule, "type": 10, "options": []int64{1}}, errRuleMissing.Num},
		}
		for _, c := range calls {
			method, url, _ := strings.Cut(c.call, " ")
			w.call("", method, url, c.body, errs.CodeUnauthenticated)
			for _, who := range []string{"student", "nobody"} {
				w.call(who, method, url, c.body, errs.CodeForbidden)
			}
			if method != "GET" {
				w.call("reader", method, url, c.body, errs.CodeForbidden)
			}
			a := w.call("admin2", method, url, c.body, c.foreign)
			kerneltest.NoMarker(t, kerneltest.MarkerB, c.call, a.Raw)
		}
		for _, url := range []string{"/process-definition/list", "/process-definition/simple-list"} {
			a := w.call("admin2", "GET", url, nil, 0)
			kerneltest.NoMarker(t, kerneltest.MarkerB, url, a.Raw)
		}
		w.call("admin2", "GET", "/process-definition/get?id="+d.ID, nil, errDefinitionMissing.Num)
		if d := w.newest("leave"); d.SuspensionState != Active || d.Version != 1 {
			t.Errorf("changed by those who may not: %+v", d)
		}
		foreign := w.row("INSERT INTO system_role (tenant_id, name, code, create_time, update_time) VALUES (2, '外校', 'x', 1, 1)")
		for ruleType, option := range map[int]int64{10: foreign, 30: w.alien} {
			w.call("admin", "PUT", "/task-assign-rule/update", body{"id": rule, "type": ruleType, "options": []int64{option}}, errs.CodeInvalid)
		}
	})
}

// TestStartable: who is offered a process, and who may read its diagram.
func TestStartable(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		for key, settings := range map[string]changes{
			"everybody": {}, "named": {"startUserIds": []int64{w.users[1]}}, "department": {"startDeptIds": []int64{w.dept}}, "hidden": {"visible": false},
			"internal": {"bpmnXml": strings.Replace(diagram("internal", "n", line(`<userTask id="check" name="审核" camunda:assignee="${initiator}"/>`)), `id="internal"`, `id="internal" camunda:isStartableInTasklist="false"`, 1)},
		} {
			in := settings.on(w.good())
			in["key"], in["name"] = key, "n"
			if key != "internal" {
				in["bpmnXml"] = diagram(key, "n", line(`<userTask id="check" name="审核" camunda:assignee="${initiator}"/>`))
			}
			w.call("admin", "POST", "/model/deploy?id="+w.model("admin", in), nil, 0)
		}
		for who, want := range map[string][]string{"member": {"department", "everybody", "named"}, "student": {"everybody"}, "nobody": {"everybody"}} {
			var have []string
			for _, d := range into[[]DefinitionView](w.office, w.call(who, "GET", "/process-definition/list?suspensionState=1", nil, 0)) {
				have = append(have, d.Key)
			}
			if slices.Sort(have); !slices.Equal(have, want) {
				t.Errorf("%s may start %v", who, have)
			}
			for _, key := range []string{"department", "everybody", "hidden", "internal", "named"} {
				code := errDefinitionMissing.Num
				if slices.Contains(want, key) {
					code = 0
				}
				w.call(who, "GET", "/process-definition/get?key="+key, nil, code)
			}
		}
		if n := len(into[[]SimpleDefinition](w.office, w.call("student", "GET", "/process-definition/simple-list", nil, 0))); n != 5 {
			t.Errorf("%d in the simple list", n)
		}
	})
}

func TestModelSort(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		var ids []string
		for i := range 4 {
			ids = append(ids, w.model("admin", changes{"key": fmt.Sprint("m", i)}.on(w.good())))
		}
		order := func() (list []string) {
			for _, m := range into[[]ModelView](w.office, w.call("reader", "GET", "/model/list", nil, 0)) {
				list = append(list, m.Key)
			}
			return list
		}
		if have := order(); !slices.Equal(have, []string{"m3", "m2", "m1", "m0"}) {
			t.Fatalf("at first %v", have)
		}
		w.call("admin", "PUT", "/model/update-sort-batch?ids="+strings.Join([]string{ids[0], ids[3]}, ","), nil, 0)
		if have := order(); !slices.Equal(have, []string{"m0", "m2", "m1", "m3"}) {
			t.Errorf("two changed places: %v", have)
		}
		for bad, code := range map[string]int{"x": errs.CodeInvalid, ids[0] + "," + ids[0]: errs.CodeInvalid, ids[0] + ",900000": errs.ErrNoRecord.Num} {
			w.call("admin", "PUT", "/model/update-sort-batch?ids="+bad, nil, code)
		}
		if have := order(); !slices.Equal(have, []string{"m0", "m2", "m1", "m3"}) {
			t.Errorf("after refusals: %v", have)
		}
	})
}

// TestCategoryOfModels: a category that a model uses stays.
func TestCategoryOfModels(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", w.good())
		category := into[store.Page[Category]](w.office, w.call("admin", "GET", "/category/page", nil, 0)).List[0].ID
		w.call("admin", "DELETE", fmt.Sprint("/category/delete?id=", category), nil, errCategoryUsed.Num)
		w.call("admin", "DELETE", "/model/delete?id="+id, nil, 0)
		w.call("admin", "DELETE", fmt.Sprint("/category/delete?id=", category), nil, 0)
	})
}

// upload posts a multipart body as the import page does.
func (w *studio) upload(fields map[string]string, name string, content []byte) kerneltest.Answer {
	w.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for k, v := range fields {
		_ = form.WriteField(k, v)
	}
	if name != "" {
		part, err := form.CreateFormFile("bpmnFile", name)
		if err != nil {
			w.t.Fatal(err)
		}
		_, _ = part.Write(content)
	}
	_ = form.Close()
	r := httptest.NewRequest("POST", "/admin-api/bpm/model/import", &b)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Authorization", "Bearer "+w.tokens["admin"])
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	a := kerneltest.Answer{Status: rec.Code, Raw: rec.Body.Bytes()}
	var e struct {
		Code   int
		Msg    string
		Data   json.RawMessage
		Fields []errs.FieldError
	}
	if err := json.Unmarshal(a.Raw, &e); err != nil {
		w.t.Fatalf("%d %s: %v", a.Status, a.Raw, err)
	}
	a.Code, a.Msg, a.Data, a.Fields = e.Code, e.Msg, e.Data, e.Fields
	return a
}

func TestModelImport(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		xml := diagram("leave", "请假", line(plainTask))
		gbk, err := simplifiedchinese.GB18030.NewEncoder().String(strings.Replace(xml, "UTF-8", "GBK", 1))
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]string{"key": "leave", "name": "请假", "description": "导入", "category": "finance"}
		a := w.upload(fields, "请假.BPMN", []byte(gbk))
		if a.Code != 0 {
			t.Fatalf("import: %s", a.Raw)
		}
		row := into[ModelDetail](w.office, w.call("admin", "GET", "/model/get?id="+into[string](w.office, a), nil, 0))
		if row.Key != "leave" || row.Name != "请假" || row.Description != "导入" || row.Category != "finance" || row.BpmnXML != xml {
			t.Errorf("imported %+v", row)
		}
		for name, c := range map[string]struct {
			key, file, content string
			code               int
			field              string
		}{
			"key taken":         {"leave", "a.bpmn", xml, errModelKey.Num, "key"},
			"bad key":           {"a b", "a.bpmn", xml, errModelKeyForm.Num, "key"},
			"no file":           {"k", "", "", errs.CodeInvalid, "bpmnFile"},
			"empty file":        {"k", "a.bpmn", " \n", errs.CodeInvalid, "bpmnFile"},
			"other kind":        {"k", "a.docx", xml, errs.CodeInvalid, "bpmnFile"},
			"XXE":               {"k", "a.xml", `<!DOCTYPE a SYSTEM "http://evil.example/a.dtd">` + xml, errModelFile.Num, "bpmnFile"},
			"entity bomb":       {"k", "a.xml", `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + xml, errModelFile.Num, "bpmnFile"},
			"deep":              {"k", "a.xml", strings.Repeat("<a>", 2_000) + strings.Repeat("</a>", 2_000), errModelFile.Num, "bpmnFile"},
			"other XML":         {"k", "a.xml", "<svg/>", errModelFile.Num, "bpmnFile"},
			"wrong bytes":       {"k", "a.bpmn", xml + "\xff", errModelFile.Num, "bpmnFile"},
			"above our limit":   {"k", "a.bpmn", xml + "<!--" + strings.Repeat("x", maxModelFile) + "-->", errModelFile.Num, "bpmnFile"},
			"twenty megabytes":  {"k", "a.bpmn", strings.Repeat("<x/>", 5<<20), errs.CodeTooLarge, ""},
			"unknown character": {"k\x00", "a.bpmn", xml, errModelKeyForm.Num, "key"},
		} {
			fields["key"] = c.key
			a := w.upload(fields, c.file, []byte(c.content))
			if a.Code != c.code || c.field != "" && (len(a.Fields) == 0 || a.Fields[0].Name != c.field) {
				t.Errorf("%s: %d %.300s", name, a.Code, a.Raw)
			}
		}
		if n := into[store.Page[body]](w.office, w.call("admin", "GET", "/model/page", nil, 0)).Total; n != 1 {
			t.Errorf("%d models after the refusals", n)
		}
	})
}

// TestDemoModels: the demo goes through the calls of everybody, once.
func TestDemoModels(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		w.create("category", body{"name": "学籍", "code": "student_affairs", "status": 0, "sort": 1})
		w.create("category", body{"name": "论文", "code": "thesis", "status": 0, "sort": 1})
		w.create("category", body{"name": "办公", "code": "office", "status": 0, "sort": 1})
		for range 2 {
			if err := w.s.DemoModels(kerneltest.AsSystem(w.db, 1)); err != nil {
				t.Fatal(err)
			}
		}
		for key, want := range map[string]map[string]Candidate{
			"oa_leave":   {"leader": {StrategyStarterLeader, "1"}, "hr": {StrategyRole, fmt.Sprint(w.role)}},
			"seal_apply": {"leader": {StrategyStarterLeader, "1"}, "office": {StrategyRole, fmt.Sprint(w.role)}},
		} {
			d := w.newest(key)
			if d.Version != 1 || d.SuspensionState != Active || !strings.Contains(d.BpmnXML, "BPMNShape") {
				t.Fatalf("%s: %+v", key, d.DefinitionView)
			}
			rules, err := rulesOf(kerneltest.AsSystem(w.db, 1), d.ID)
			if err != nil || len(rules) != len(want) {
				t.Fatalf("%s: %v %v", key, rules, err)
			}
			for task, c := range want {
				if have := rules[task].Candidates.V; len(have) != 1 || have[0] != c {
					t.Errorf("%s %s: %v", key, task, have)
				}
			}
			problems := into[[]DeployProblem](w.office, w.call("admin", "GET", "/model/problems?id="+text(d.ModelID)[1:len(text(d.ModelID))-1], nil, 0))
			if len(problems) != 1 || problems[0].Code != "unchanged" {
				t.Errorf("%s: %+v", key, problems)
			}
		}
	})
}

// TestTwoDeploy: of two who deploy at once one makes the version, the other is told.
func TestTwoDeploy(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", w.good())
		w.rule(id, "check", 10, w.role)
		codes := make(chan int, 4)
		for range cap(codes) {
			go func() {
				codes <- kerneltest.Scenario{Method: "POST", URL: "/bpm/model/deploy?id=" + id, As: w.tokens["admin"]}.Call(t, w.h).Code
			}()
		}
		count := map[int]int{}
		for range cap(codes) {
			count[<-codes]++
		}
		if count[0] != 1 || count[errNothingChanged.Num] != cap(codes)-1 {
			t.Errorf("codes %v", count)
		}
		if n := into[store.Page[body]](w.office, w.call("admin", "GET", "/process-definition/page?key=leave", nil, 0)).Total; n != 1 {
			t.Errorf("%d versions", n)
		}
	})
}
