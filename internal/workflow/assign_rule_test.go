package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestRuleChoices: each type stores its options and becomes these candidates.
func TestRuleChoices(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", changes{"bpmnXml": diagram("leave", "请假", line(assigned, `<userTask id="second" name="复核"/>`))}.on(w.good()))
		rule := w.rule(id, "second", 10, w.role)
		ids := func(list ...int64) string { return joinIDs(list) }
		for i, c := range []struct {
			ruleType int
			options  []int64
			want     []Candidate
		}{
			{20, []int64{w.dept}, []Candidate{{StrategyDeptMember, ids(w.dept)}}},
			{21, []int64{w.dept}, []Candidate{{StrategyDeptLeader, ids(w.dept)}}},
			{22, []int64{w.post}, []Candidate{{StrategyPost, ids(w.post)}}},
			{30, []int64{w.users[1], w.users[0], w.users[1]}, []Candidate{{StrategyUser, ids(w.users[0], w.users[1])}}},
			{40, []int64{w.group}, []Candidate{{StrategyUserGroup, ids(w.group)}}},
			{50, []int64{10}, []Candidate{{StrategyStarter, ""}}},
			{50, []int64{21, 20}, []Candidate{{StrategyStarterLeader, "1"}, {StrategyStarterLeader, "2"}}},
			{60, []int64{w.expression}, []Candidate{{StrategyExpression, "${handler}"}}},
			{34, nil, []Candidate{{StrategyApproverPicks, ""}}},
			{35, []int64{7}, []Candidate{{StrategyStarterPicks, ""}}},
			{36, []int64{}, []Candidate{{StrategyStarter, ""}}},
		} {
			w.call("admin", "PUT", "/task-assign-rule/update", body{"id": rule, "type": c.ruleType, "options": c.options}, 0)
			entry := w.rules("modelId=" + id)[1]
			if *entry.ID != rule || *entry.Type != c.ruleType || entry.Options == nil {
				t.Errorf("type %d: %+v", c.ruleType, entry)
			}
			w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
			d := w.newest("leave")
			rules, err := rulesOf(kerneltest.AsSystem(w.db, 1), d.ID)
			if err != nil || d.Version != i+1 || len(rules) != 1 || !slices.Equal(rules["second"].Candidates.V, c.want) {
				t.Errorf("type %d: %+v %v", c.ruleType, rules, err)
			}
		}
		w.call("admin", "PUT", "/process-expression/update", body{"id": w.expression, "expression": "${other}"}, 0)
		w.call("admin", "PUT", "/task-assign-rule/update", body{"id": rule, "type": 60, "options": []int64{w.expression}}, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		w.call("admin", "DELETE", fmt.Sprint("/process-expression/delete?id=", w.expression), nil, 0)
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errDeployRule.Num) // its expression is gone
		rules, err := rulesOf(kerneltest.AsSystem(w.db, 1), w.newest("leave").ID)
		if err != nil || rules["second"].Candidates.V[0].Param != "${other}" {
			t.Errorf("a deployed rule lost its expression: %+v %v", rules, err)
		}
	})
}

func TestRuleRefused(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", w.good())
		good := body{"modelId": id, "taskDefinitionKey": "check", "type": 10, "options": []int64{w.role}}
		for name, c := range map[string]struct {
			change changes
			code   int
			field  string
		}{
			"unknown model":   {changes{"modelId": "900000"}, errModelMissing.Num, ""},
			"no model":        {changes{"modelId": nil}, errs.CodeInvalid, "modelId"},
			"unknown task":    {changes{"taskDefinitionKey": "nowhere"}, errs.CodeInvalid, "taskDefinitionKey"},
			"start event":     {changes{"taskDefinitionKey": "s"}, errs.CodeInvalid, "taskDefinitionKey"},
			"unknown type":    {changes{"type": 11}, errs.CodeInvalid, "type"},
			"type of a form":  {changes{"type": 51}, errs.CodeInvalid, "type"},
			"no options":      {changes{"options": []int64{}}, errs.CodeInvalid, "options"},
			"missing options": {changes{"options": nil}, errs.CodeInvalid, "options"},
			"disabled role":   {changes{"options": []int64{w.off, w.role}}, errs.CodeInvalid, "options"},
			"unknown post":    {changes{"type": 22, "options": []int64{900_000}}, errs.CodeInvalid, "options"},
			"foreign user":    {changes{"type": 30, "options": []int64{w.alien}}, errs.CodeInvalid, "options"},
			"unknown script":  {changes{"type": 50, "options": []int64{10, 11}}, errRuleScript.Num, ""},
			"many options":    {changes{"options": make([]int64, 501)}, errs.CodeInvalid, "options"},
		} {
			a := w.call("admin", "POST", "/task-assign-rule/create", c.change.on(good), c.code)
			if c.field != "" && (len(a.Fields) == 0 || a.Fields[0].Name != c.field) {
				t.Errorf("%s: %v", name, a.Fields)
			}
		}
		if list := w.rules("modelId=" + id); len(list) != 1 || list[0].ID != nil || list[0].Type != nil {
			t.Fatalf("after refusals: %+v", list)
		}
		rule := w.rule(id, "check", 10, w.role)
		if a := w.call("admin", "POST", "/task-assign-rule/create", good, errRuleExists.Num); !strings.Contains(a.Msg, "请假") || !strings.Contains(a.Msg, "审核") {
			t.Errorf("a second rule: %s", a.Msg)
		}
		w.call("admin", "PUT", "/task-assign-rule/update", body{"id": 900_000, "type": 10, "options": []int64{w.role}}, errRuleMissing.Num)
		w.call("admin", "PUT", "/task-assign-rule/update", body{"id": rule, "type": 30, "options": []int64{w.role + 900_000}}, errs.CodeInvalid)
		if list := w.rules("modelId=" + id); *list[0].Type != 10 {
			t.Errorf("a refused change changed: %+v", list[0])
		}
		w.call("admin", "GET", "/task-assign-rule/list", nil, errModelMissing.Num)
		w.call("admin", "GET", "/task-assign-rule/list?processDefinitionId=leave:1:x", nil, errDefinitionMissing.Num)
	})
}

// TestRuleOfVanishedTask: a rule whose task left the diagram is shown and copied nowhere.
func TestRuleOfVanishedTask(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		id := w.model("admin", changes{"bpmnXml": diagram("leave", "请假", line(plainTask, `<userTask id="gone" name="旧"/>`))}.on(w.good()))
		w.rule(id, "check", 10, w.role)
		w.rule(id, "gone", 10, w.role)
		w.call("admin", "PUT", "/model/update-bpmn", body{"id": id, "bpmnXml": diagram("leave", "请假", line(plainTask))}, 0)
		if list := w.rules("modelId=" + id); len(list) != 1 || list[0].TaskDefinitionKey != "check" {
			t.Errorf("rules of the model: %+v", list)
		}
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		if rules, err := rulesOf(kerneltest.AsSystem(w.db, 1), w.newest("leave").ID); err != nil || len(rules) != 1 {
			t.Errorf("rules of the definition: %+v %v", rules, err)
		}
	})
}

// TestRuleOfDiagram: what the diagram says is shown, and wins over a row.
func TestRuleOfDiagram(t *testing.T) {
	eachStudio(t, func(t *testing.T, w *studio) {
		xml := diagram("leave", "请假", line(`<userTask id="a" name="甲" flowable:candidateStrategy="THESIS_ADVISOR"/>`, `<userTask id="b" name="乙" camunda:assignee="${boss}" camunda:candidateUsers="u1,u2"/>`,
			fmt.Sprintf(`<userTask id="c" name="丙" flowable:candidateStrategy="22" flowable:candidateParam=" %d "/>`, w.post)))
		id := w.model("admin", changes{"bpmnXml": xml}.on(w.good()))
		for _, task := range []string{"a", "b", "c"} {
			w.rule(id, task, 10, w.role)
		}
		list := w.rules("modelId=" + id)
		if list[0].DiagramStrategy != "THESIS_ADVISOR" || list[1].DiagramAssignee != "${boss}, u1, u2" || list[2].DiagramStrategy != "22" {
			t.Fatalf("rules of the model: %+v", list)
		}
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		rules, err := rulesOf(kerneltest.AsSystem(w.db, 1), w.newest("leave").ID)
		if err != nil {
			t.Fatal(err)
		}
		for task, want := range map[string]string{"a": "THESIS_ADVISOR", "b": StrategyRole, "c": StrategyPost} {
			if have := rules[task].Candidates.V; len(have) != 1 || have[0].Strategy != want {
				t.Errorf("%s: %+v", task, have)
			}
		}
		deployed := w.rules("processDefinitionId=" + w.newest("leave").ID)
		if deployed[0].Type != nil || *deployed[2].Type != 22 || !slices.Equal(deployed[2].Options, []int64{w.post}) {
			t.Errorf("rules of the definition: %+v", deployed)
		}
		for lang, title := range map[string]string{"zh": "论文导师", "en": "thesis advisor"} {
			a := kerneltest.Scenario{URL: "/bpm/task-assign-rule/list?modelId=" + id, As: w.tokens["reader"], Lang: lang}.Call(t, w.h)
			if have := into[[]TaskRule](w.office, a)[0].DiagramTitle; have != title {
				t.Errorf("title in %s: %q", lang, have)
			}
		}
	})
}

// TestFirstTasks: those that a token meets first, over gateways, sub-processes and links.
func TestFirstTasks(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for name, c := range map[string]struct{ content, want string }{
			"line":        {line(`<userTask id="a"/>`, `<userTask id="b"/>`), "a"},
			"after work":  {line(`<manualTask id="m"/>`, `<userTask id="b"/>`), "b"},
			"fork":        {`<startEvent id="s"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><sequenceFlow id="1" sourceRef="s" targetRef="g"/><sequenceFlow id="2" sourceRef="g" targetRef="a"/><sequenceFlow id="3" sourceRef="g" targetRef="b"/>`, "a b"},
			"sub-process": {line(`<subProcess id="sub"><startEvent id="s2"/><userTask id="in"/><userTask id="in2"/><sequenceFlow id="x" sourceRef="s2" targetRef="in"/><sequenceFlow id="y" sourceRef="in" targetRef="in2"/></subProcess>`), "in"},
			"link":        {`<startEvent id="s"/><intermediateThrowEvent id="t"><linkEventDefinition name="l"/></intermediateThrowEvent><intermediateCatchEvent id="c"><linkEventDefinition name="l"/></intermediateCatchEvent><userTask id="a"/><sequenceFlow id="1" sourceRef="s" targetRef="t"/><sequenceFlow id="2" sourceRef="c" targetRef="a"/>`, "a"},
			"loop":        {`<startEvent id="s"/><userTask id="a"/><sequenceFlow id="1" sourceRef="s" targetRef="a"/><sequenceFlow id="2" sourceRef="a" targetRef="a"/>`, "a"},
		} {
			file, err := o.s.readFile(kerneltest.AsSystem(o.db, 1), diagram("k", "k", c.content))
			if err != nil || file.unreadable != nil {
				t.Fatalf("%s: %v %v", name, err, file.unreadable)
			}
			p := process(file.doc, "k")
			var have []string
			for _, n := range userTasks(p) {
				if firstTasks(p)[n.Index] {
					have = append(have, n.ID)
				}
			}
			if strings.Join(have, " ") != c.want {
				t.Errorf("%s: %v, want %s", name, have, c.want)
			}
		}
	})
}

// TestKeyForm: NCNames without what a definition id could not carry.
func TestKeyForm(t *testing.T) {
	for key, want := range map[string]bool{"a": true, "_a": true, "请假": true, "a-b_c.d1": true, "": false, "-a": false, ".a": false, "1a": false, "a:b": false, "a b": false, "a/b": false, "a$": false,
		strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a\u200b": false, "a\x00": false} {
		if keyForm(key) != want {
			t.Errorf("%q: %v", key, !want)
		}
	}
}

// TestRegisterAssignRule: a name of its own, with both titles, before the start.
func TestRegisterAssignRule(t *testing.T) {
	s := New()
	s.RegisterAssignRule("X", "甲|x", nobodyKnown)
	for name, title := range map[string]string{"X": "乙|y", "10": "角色|role", "Y": "只有中文"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s registered", name)
				}
			}()
			s.RegisterAssignRule(name, title, nobodyKnown)
		}()
	}
	wrong, err := s.inspectCandidate(store.Use(context.Background(), nil), Candidate{"X", "anything"})
	if wrong != nil || err != nil {
		t.Errorf("a registered rule: %+v %v", wrong, err)
	}
}
