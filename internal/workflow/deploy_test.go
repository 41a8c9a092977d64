package workflow

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
)

const assigned = `<userTask id="check" name="审核" camunda:assignee="${initiator}"/>`

func (w *studio) deploy(in body, code int) (string, kerneltest.Answer) {
	w.t.Helper()
	id := w.model("admin", in)
	return id, w.call("admin", "POST", "/model/deploy?id="+id, nil, code)
}

// TestDeployRefused: each flaw gives its code, and the list names the element.
func TestDeployRefused(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		d := func(content string) body { return body{"bpmnXml": diagram("k", "请假", content)} }
		task := func(attributes string) body {
			return d(line(assigned, `<userTask id="second" name="复核" `+attributes+`/>`))
		}
		n := 0
		for name, c := range map[string]struct {
			change  body
			code    int
			problem string // code in the list
			element string
		}{
			"no diagram":            {body{"bpmnXml": nil}, errModelFile.Num, "empty", ""},
			"no start event":        {d(assigned), errDeployStart.Num, "no-start", "k"},
			"start in a child only": {d(`<subProcess id="sub">` + line(assigned) + `</subProcess>`), errDeployStart.Num, "no-start", "k"},
			"task without name":     {d(line(`<userTask id="check" camunda:assignee="${initiator}"/>`)), errDeployName.Num, "no-name", "check"},
			"task with blank name":  {d(line(`<userTask id="check" name=" " camunda:assignee="${initiator}"/>`)), errDeployName.Num, "no-name", "check"},
			"no form":               {body{"formType": nil, "bpmnXml": diagram("k", "请假", line(assigned))}, errDeployForm.Num, "no-form", ""},
			"no assignment":         {d(line(plainTask)), errDeployRule.Num, "no-assignment", "check"},
			"in a sub-process":      {d(line(assigned, `<subProcess id="sub"><startEvent id="s2"/><userTask id="inner" name="内审"/><sequenceFlow id="x" sourceRef="s2" targetRef="inner"/></subProcess>`)), errDeployRule.Num, "no-assignment", "inner"},
			"approver picks first":  {d(line(`<userTask id="check" name="审核" flowable:candidateStrategy="34"/>`)), errDeployPicks.Num, "first-task-picks", "check"},
			"disabled role":         {task(fmt.Sprintf(`flowable:candidateStrategy="10" flowable:candidateParam="%d"`, w.off)), errDeployRule.Num, "assignment", "second"},
			"unknown user":          {task(`flowable:candidateStrategy="30" flowable:candidateParam="900000"`), errDeployRule.Num, "assignment", "second"},
			"no ids":                {task(`flowable:candidateStrategy="22"`), errDeployRule.Num, "assignment", "second"},
			"unknown strategy":      {task(`flowable:candidateStrategy="THESIS_DEAN"`), errDeployRule.Num, "assignment", "second"},
			"unknown number":        {task(`flowable:candidateStrategy="99"`), errDeployRule.Num, "assignment", "second"},
			"no level":              {task(`flowable:candidateStrategy="37"`), errDeployRule.Num, "assignment", "second"},
			"level 21":              {task(`flowable:candidateStrategy="38" flowable:candidateParam="21"`), errDeployRule.Num, "assignment", "second"},
			"level of departments":  {task(fmt.Sprintf(`flowable:candidateStrategy="23" flowable:candidateParam="%d"`, w.dept)), errDeployRule.Num, "assignment", "second"},
			"no field":              {task(`flowable:candidateStrategy="50" flowable:candidateParam=""`), errDeployRule.Num, "assignment", "second"},
			"field without level":   {task(`flowable:candidateStrategy="51" flowable:candidateParam="dept"`), errDeployRule.Num, "assignment", "second"},
			"faulty expression":     {task(`flowable:candidateStrategy="60" flowable:candidateParam="${a +}"`), errDeployRule.Num, "assignment", "second"},
			"bare expression":       {task(`flowable:candidateStrategy="60" flowable:candidateParam="user1"`), errDeployRule.Num, "assignment", "second"},
			"other key":             {body{"bpmnXml": diagram("other", "请假", line(assigned))}, errDefinitionKey.Num, "key", "other"},
			"other name":            {body{"bpmnXml": diagram("k", "年假", line(assigned))}, errDefinitionName.Num, "name", "k"},
			"unknown handler":       {d(line(assigned, `<serviceTask id="post" camunda:class="com.acme.Post"/>`)), errDeployProblems.Num, "unknown-service", "post"},
			"unknown listener":      {d(line(`<userTask id="check" name="审核" camunda:assignee="${initiator}"><extensionElements><camunda:taskListener event="create" class="com.acme.Note"/></extensionElements></userTask>`)), errDeployProblems.Num, "unknown-task", "check"},
			"unknown bean":          {d(line(`<userTask id="check" name="审核" camunda:assignee="${ldap.find(1)}"/>`)), errDeployProblems.Num, "unknown-call", "check"},
			"script switched off":   {d(line(assigned, `<scriptTask id="run" scriptFormat="javascript"><script>1</script></scriptTask>`)), errDeployProblems.Num, "scripts-off", "run"},
			"unsupported element":   {d(line(assigned, `<transaction id="tx"/>`)), errDeployProblems.Num, "unsupported", "tx"},
			"two processes":         {body{"bpmnXml": strings.Replace(diagram("k", "请假", line(assigned)), "</definitions>", `<process id="b" isExecutable="true"><startEvent id="s9"/></process></definitions>`, 1)}, errDeployProblems.Num, "several-processes", "b"},
			"not executable":        {body{"bpmnXml": strings.Replace(diagram("k", "请假", line(assigned)), `isExecutable="true"`, `isExecutable="false"`, 1)}, errDeployProblems.Num, "not-executable", "k"},
		} {
			n++
			key := fmt.Sprint("k", n)
			in := changes(c.change).on(w.good())
			in["key"] = key
			if xml, ok := in["bpmnXml"].(string); ok {
				in["bpmnXml"] = strings.ReplaceAll(xml, `<process id="k"`, `<process id="`+key+`"`)
			}
			id, a := w.deploy(in, c.code)
			list := into[problemList](w.office, a).Problems
			element := c.element
			if element == "k" {
				element = key
			}
			at := slices.IndexFunc(list, func(p DeployProblem) bool { return p.Code == c.problem })
			if at < 0 || list[at].ElementID != element || list[at].Severity != string(bpmn.Error) {
				t.Errorf("%s: %+v", name, list)
				continue
			}
			if p := list[at]; !strings.ContainsFunc(p.Zh, isHan) || p.En == "" || strings.ContainsFunc(strings.NewReplacer("审核", "", "复核", "", "请假", "", "年假", "", "内审", "").Replace(p.En), isHan) || element != "" && p.Line == 0 {
				t.Errorf("%s: texts %+v", name, p)
			}
			en := kerneltest.Scenario{Method: "POST", URL: "/bpm/model/deploy?id=" + id, As: w.tokens["admin"], Lang: "en"}.Call(t, w.h)
			if en.Code != c.code || strings.ContainsFunc(strings.NewReplacer("审核", "", "复核", "", "请假", "", "年假", "", "内审", "").Replace(en.Msg), isHan) {
				t.Errorf("%s: in English %d %s", name, en.Code, en.Msg)
			}
			if same := into[[]DeployProblem](w.office, w.call("reader", "GET", "/model/problems?id="+id, nil, 0)); text(same) != text(list) {
				t.Errorf("%s: the check before says %+v", name, same)
			}
		}
		if n := into[store.Page[body]](w.office, w.call("admin", "GET", "/process-definition/page", nil, 0)).Total; n != 0 {
			t.Errorf("%d definitions after refusals", n)
		}
	})
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// TestDeployOrder: the code is that of the first check that fails; mending one after
// another walks through them all, and every answer lists what is still wrong.
func TestDeployOrder(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", body{"key": "leave", "name": "请假"})
		for i, step := range []struct {
			change body
			code   int
			listed int
		}{
			{body{}, errModelFile.Num, 1},
			{body{"bpmnXml": diagram("wrong", "别名", `<userTask id="check"/><serviceTask id="x" camunda:class="A"/>`)}, errDeployStart.Num, 7},
			{body{"bpmnXml": diagram("wrong", "别名", line(`<userTask id="check"/>`, `<serviceTask id="x" camunda:class="A"/>`))}, errDeployName.Num, 6},
			{body{"bpmnXml": diagram("wrong", "别名", line(plainTask, `<serviceTask id="x" camunda:class="A"/>`))}, errDeployForm.Num, 5},
			{body{"formType": 10, "formId": w.form}, errDeployRule.Num, 4},
			{body{"bpmnXml": diagram("wrong", "别名", line(assigned, `<serviceTask id="x" camunda:class="A"/>`))}, errDefinitionKey.Num, 3},
			{body{"bpmnXml": diagram("leave", "别名", line(assigned, `<serviceTask id="x" camunda:class="A"/>`))}, errDefinitionName.Num, 2},
			{body{"bpmnXml": diagram("leave", "请假", line(assigned, `<serviceTask id="x" camunda:class="A"/>`))}, errDeployProblems.Num, 1},
			{body{"bpmnXml": diagram("leave", "请假", line(assigned))}, 0, 0},
			{body{}, errNothingChanged.Num, 1},
		} {
			step.change["id"] = id
			w.call("admin", "PUT", "/model/update", step.change, 0)
			a := w.call("admin", "POST", "/model/deploy?id="+id, nil, step.code)
			if step.code == 0 {
				continue
			}
			wrong := slices.DeleteFunc(into[problemList](w.office, a).Problems, func(p DeployProblem) bool { return p.Severity != string(bpmn.Error) })
			if len(wrong) != step.listed {
				t.Errorf("step %d: %d problems, want %d: %+v", i, len(wrong), step.listed, wrong)
			}
		}
	})
}

// TestDeployAccepted: what must not be refused, and the warnings that come with it.
func TestDeployAccepted(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		n := 0
		for name, c := range map[string]struct {
			task, warning string
		}{
			"BPMN potential owner":  {`<userTask id="check" name="审核"><potentialOwner><resourceAssignmentExpression><formalExpression>group(deans)</formalExpression></resourceAssignmentExpression></potentialOwner></userTask>`, ""},
			"candidate groups":      {`<userTask id="check" name="审核" camunda:candidateGroups="deans"/>`, ""},
			"approves itself":       {`<userTask id="check" name="审核"><extensionElements><flowable:approveType>2</flowable:approveType></extensionElements></userTask>`, ""},
			"rule as element":       {`<userTask id="check" name="审核"><extensionElements><flowable:candidateStrategy>36</flowable:candidateStrategy></extensionElements></userTask>`, ""},
			"registered rule":       {`<userTask id="check" name="审核" flowable:candidateStrategy="THESIS_COLLEGE_ROLE" flowable:candidateParam="college_secretary"/>`, ""},
			"starter picks":         {`<userTask id="check" name="审核" flowable:candidateStrategy="35"/>`, ""},
			"approver picks second": {assigned + "\n" + `<userTask id="next" name="复核" flowable:candidateStrategy="34"/>`, ""},
			"levels":                {fmt.Sprintf(`<userTask id="check" name="审核" flowable:candidateStrategy="23" flowable:candidateParam="%d|3"/>`, w.dept), ""},
			"form fields":           {`<userTask id="check" name="审核" flowable:candidateStrategy="51" flowable:candidateParam="dept|2"/>`, ""},
			"expression":            {`<userTask id="check" name="审核" flowable:candidateStrategy="60" flowable:candidateParam="${handler}"/>`, ""},
			"one role of two":       {fmt.Sprintf(`<userTask id="check" name="审核" flowable:candidateStrategy="10" flowable:candidateParam="%d,%d"/>`, w.off, w.role), "assignment"},
			"unknown called":        {assigned + "\n" + `<callActivity id="call" calledElement="nowhere"/>`, "unknown-process"},
		} {
			n++
			key := fmt.Sprint("k", n)
			id, _ := w.deploy(changes{"key": key, "bpmnXml": diagram(key, "请假", line(strings.Split(c.task, "\n")...))}.on(w.good()), 0)
			list := into[[]DeployProblem](w.office, w.call("reader", "GET", "/model/problems?id="+id, nil, 0))
			list = slices.DeleteFunc(list, func(p DeployProblem) bool { return p.Code == "unchanged" })
			if c.warning == "" && len(list) > 0 || c.warning != "" && (len(list) != 1 || list[0].Code != c.warning || list[0].Severity != string(bpmn.Warning)) {
				t.Errorf("%s: %+v", name, list)
			}
		}
	})
}

// TestDeployForm: the form is kept as it was, and its change alone is worth a version.
func TestDeployForm(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id, _ := w.deploy(changes{"formType": 10, "formId": w.form, "bpmnXml": diagram("leave", "请假", line(assigned))}.on(w.good()), 0)
		before := w.newest("leave")
		w.call("admin", "PUT", "/form/update", body{"id": w.form, "fields": []string{`{"type":"input","field":"days","title":"天数"}`}}, 0)
		if now := w.newest("leave"); !slices.Equal(now.FormFields, before.FormFields) || now.FormConf != `{"form":{}}` || now.FormName != "请假" {
			t.Errorf("the form of version 1 changed: %+v", now.DefinitionView)
		}
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		if now := w.newest("leave"); now.Version != 2 || !strings.Contains(now.FormFields[0], "days") {
			t.Errorf("version 2: %+v", now.DefinitionView)
		}
		w.call("admin", "PUT", "/model/update", body{"id": id, "visible": false}, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		w.call("admin", "DELETE", fmt.Sprint("/form/delete?id=", w.form), nil, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errDeployForm.Num)
	})
}

// TestSuspension: the engine knows what the page says, and the change leaves a trace.
func TestSuspension(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id, _ := w.deploy(w.withTask(), 0)
		w.call("admin", "PUT", "/model/update-state", body{"id": id, "state": 3}, errs.CodeInvalid)
		draft := w.model("admin", changes{"key": "draft"}.on(w.good()))
		w.call("admin", "PUT", "/model/update-state", body{"id": draft, "state": 2}, errDefinitionMissing.Num)
		for _, state := range []int{2, 2, 1, 1} {
			w.call("admin", "PUT", "/model/update-state", body{"id": id, "state": state}, 0)
			d, err := w.s.engine.Latest(kerneltest.AsSystem(w.db, 1), "leave")
			if err != nil || d.Suspended != (state == Suspended) || w.newest("leave").SuspensionState != state {
				t.Fatalf("state %d: %+v %v", state, d, err)
			}
		}
		const trace = `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'bpm_process_definition_info' AND op = :op`
		n, _, err := store.Get[int](kerneltest.AsSystem(w.db, 1), trace, store.Args{"op": audit.Updated})
		if err != nil || n != 2 {
			t.Errorf("%d traces, %v", n, err)
		}
	})
}

func (w *studio) withTask() body {
	return changes{"bpmnXml": diagram("leave", "请假", line(assigned))}.on(w.good())
}
