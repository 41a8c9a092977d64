package workflow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// TestStrategies: each strategy finds these people, in the order in which a sequential
// task asks them; disabled and foreign users are never among them.
func TestStrategies(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.s.RegisterAssignRule("DEAN", "院长|dean", func(_ context.Context, f AssignFacts) ([]int64, error) {
			if f.Process != "p" || f.Task != "check" || f.Starter != w.who["starter"] || f.BusinessID != "b" || f.Vars["amount"] == nil {
				return nil, fmt.Errorf("facts %+v", f)
			}
			return w.ids(f.Param, "gone", "cid"), nil
		})
		vars := map[string]any{"amount": int64(5), "handler": w.who["bob"], "handlers": fmt.Sprintf("%d,%d", w.who["cid"], w.who["ann"]), "people": []any{w.who["bob"], w.who["gone"], w.alien},
			"where": w.depts["college"], varStarterPicks: map[string]any{"check": []any{w.who["cid"]}}, varDeciderPicks: map[string]any{"check": []any{w.who["ann"], w.who["bob"]}}}
		college, institute := w.depts["college"], w.depts["institute"]
		for _, c := range []struct{ strategy, param, want string }{
			{StrategyRole, fmt.Sprint(w.role), "ann bob"},
			{StrategyRole, fmt.Sprint(w.role + 900), ""},
			{StrategyDeptMember, fmt.Sprint(institute), "head starter"},
			{StrategyDeptMember, fmt.Sprint(college), "dean"},
			{StrategyDeptLeader, fmt.Sprintf("%d,%d", college, institute), "dean head"},
			{StrategyPost, fmt.Sprint(w.post), "ann bob"},
			{StrategyLeadersAbove, fmt.Sprintf("%d|2", institute), "head dean"},
			{StrategyLeadersAbove, fmt.Sprintf("%d|9", institute), "head dean rector"},
			{StrategyUser, fmt.Sprintf("%d,%d,%d,%d", w.who["bob"], w.who["gone"], w.alien, w.who["ann"]), "bob ann"},
			{StrategyStarter, "", "starter"},
			{StrategyStarterPicks, "", "cid"},
			{StrategyApproverPicks, "", "ann bob"},
			{StrategyStarterLeader, "1", "head"},
			{StrategyStarterLeader, "2", "dean"},
			{StrategyStarterLeader, "7", "rector"},
			{StrategyStarterLeaders, "2", "head dean"},
			{StrategyStarterLeaders, "20", "head dean rector"},
			{StrategyUserGroup, fmt.Sprint(w.group), "cid ann"},
			{StrategyFormUser, "handler", "bob"},
			{StrategyFormUser, "handlers", "cid ann"},
			{StrategyFormUser, "people", "bob"},
			{StrategyFormUser, "nothing", ""},
			{StrategyFormLeader, "where|2", "dean rector"},
			{StrategyExpression, "${handler}", "bob"},
			{StrategyExpression, "${handlers}", "cid ann"},
			{StrategyExpression, "${amount > 3 ? people : handler}", "bob"},
			{StrategyExpression, "${initiator}", "starter"},
			{StrategyExpression, "${execution.getVariable('handler')}", "bob"},
			{StrategyExpression, "${bpmTaskAssignStartUserExpression.calculateUsers(execution)}", "starter"},
			{StrategyExpression, "${bpmTaskAssignLeaderExpression.calculateUsers(execution, 2)}", "dean"},
			{"DEAN", "dean", "dean cid"},
			{"VANISHED", "x", ""},
		} {
			v := w.view(w.started1("p", w.task("check", onlyStarter, "")))
			at, _ := v.Process.Node("check")
			in := v.State.Instance
			in.BusinessID = "b"
			q := &question{instance: in, process: v.Process, node: &v.Process.Nodes[at], vars: vars, plan: &plan{known: true, rules: map[string]AssignRule{"check": {Candidates: store.JSON[[]Candidate]{V: []Candidate{{c.strategy, c.param}}}}}}}
			ids, known, err := w.s.candidates(kerneltest.AsSystem(w.db, 1), q)
			names := make([]string, len(ids))
			for i, id := range ids {
				names[i] = w.name(id)
			}
			if have := strings.Join(names, " "); err != nil || !known || have != c.want {
				t.Errorf("%s(%s): %q %v, want %q", c.strategy, c.param, have, err, c.want)
			}
		}
	})
}

const onlyStarter = StrategyStarter

// started1 gives the instance of a one-task process, which is deployed the first time.
func (w *desk) started1(key, task string) string {
	w.t.Helper()
	if w.started == 0 {
		w.publish(key, line(task))
	}
	return w.start(key, nil)
}

// TestAssignExpression_fails: the command is refused with the name of the task, and
// nothing is left of it.
func TestAssignExpression_fails(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("check", StrategyExpression, "${days / 0}")))
		_, err := w.s.Start(w.as("starter"), StartIn{Process: "p", BusinessID: "1", Vars: map[string]any{"days": 1}})
		var refusal *errs.Error
		if !errors.As(err, &refusal) || refusal.Code.Num != errAssignExpression.Num || !strings.Contains(refusal.Text("en"), "任务 check") {
			t.Errorf("%v", err)
		}
		if n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM wf_instance WHERE tenant_id = :tenant`, nil); err != nil || n != 0 {
			t.Errorf("%d instances %v", n, err)
		}
	})
}

// TestOnePerson: a task with several candidates gets one of them, the same at every look,
// and over many instances everybody gets some.
func TestOnePerson(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("check", StrategyUser, "{ann},{bob},{cid}")))
		seen := map[string]int{}
		for range 12 {
			seen[w.state(w.start("p", nil))]++
		}
		for have := range seen {
			if have != "check ann" && have != "check bob" && have != "check cid" {
				t.Errorf("%v", seen)
			}
		}
		w.sound()
	})
	counts := map[int64]int{}
	for task := range int64(3000) {
		id := chosen([]int64{30, 10, 20}, "instance", task)
		if id != chosen([]int64{10, 20, 30}, "instance", task) {
			t.Fatal("the order of the candidates matters")
		}
		counts[id]++
	}
	for _, id := range []int64{10, 20, 30} {
		if counts[id] < 800 {
			t.Errorf("unfair: %v", counts)
		}
	}
}

// TestEverybody: the multi-instance ways of asking several people.
func TestEverybody(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		three := "{ann},{bob},{gone},{cid}"
		w.publish("all", line(w.task("check", StrategyUser, three, allSign)))
		id := w.start("all", nil)
		w.want("all at once", w.state(id), "check ann, check bob, check cid")
		w.complete(id, "bob")
		w.complete(id, "ann")
		w.want("two of three", w.state(id), "check cid")
		w.complete(id, "cid")
		w.want("all", w.state(id), "ended 2")

		w.publish("any", line(w.task("check", StrategyUser, three, anyOne)))
		id = w.start("any", nil)
		w.complete(id, "bob")
		w.want("any one", w.history(id), "check ann 4, check bob 2, check cid 4")

		w.publish("turn", line(w.task("check", StrategyUser, "{cid},{ann},{gone},{bob}", oneByOne)))
		id = w.start("turn", nil)
		for _, name := range []string{"cid", "ann", "bob"} {
			w.want("in turn", w.state(id), "check "+name)
			w.complete(id, name)
		}
		w.want("in turn", w.state(id), "ended 2")

		w.publish("upward", line(w.task("check", StrategyStarterLeaders, "20", oneByOne)))
		id = w.start("upward", nil)
		for _, name := range []string{"head", "dean", "rector"} {
			w.want("upward", w.state(id), "check "+name)
			w.complete(id, name)
		}
		if n := w.got("dean", msgAssigned); n != 1 {
			t.Errorf("%d messages", n)
		}
		if n := w.got("starter", msgApproved); n != 4 {
			t.Errorf("the starter heard of %d ends", n)
		}
		w.sound()
	})
}

// TestDiagramPeople: the diagram's own attributes name people when there is no rule.
func TestDiagramPeople(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		task := func(attributes string) string {
			for name, id := range w.who {
				attributes = strings.ReplaceAll(attributes, "{"+name+"}", fmt.Sprint(id))
			}
			return `<userTask id="check" name="审核" ` + attributes + `/>`
		}
		for i, c := range []struct{ attributes, want string }{
			{`camunda:assignee="${initiator}"`, "check starter"},
			{`camunda:assignee="{bob}"`, "check bob"},
			{`flowable:assignee="dean"`, "check dean"},
			{`camunda:assignee="{gone}"`, "check -"},
			{fmt.Sprintf(`camunda:assignee="%d"`, w.alien), "check -"},
			{`camunda:candidateUsers="ann,{bob}"`, "check -"},
			{`camunda:candidateUsers="ann,gone"`, "check ann"},
			{`camunda:candidateGroups="reviewer"`, "check -"},
		} {
			key := fmt.Sprint("p", i)
			w.publish(key, line(task(c.attributes)))
			id := w.start(key, nil)
			w.want(c.attributes, w.state(id), c.want)
			list, err := w.s.engine.Candidates(kerneltest.AsSystem(w.db, 1), id, w.view(id).State.Tasks[0].ID)
			if several := i == 5 || i == 7; err != nil || several != (len(list) == 2) {
				t.Errorf("%s: candidates %v %v", c.attributes, list, err)
			}
		}
	})
}

// TestPolicies: nobody found, the starter among the people, and approval without asking.
func TestPolicies(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		empty := func(value string, more ...string) []string {
			return append([]string{setting("assignEmptyHandlerType", value)}, more...)
		}
		starter := func(value string) []string { return []string{setting("assignStartUserHandlerType", value)} }
		for i, c := range []struct {
			strategy, param string
			settings        []string
			state, history  string
		}{
			{StrategyUser, "{gone}", nil, "check -", "check - 1"},
			{StrategyUser, "{gone}", empty("1"), "ended 2", "check - 2"},
			{StrategyUser, "{gone}", empty("2"), "ended 3", "check - 3"},
			{StrategyUser, "{gone}", empty("3", setting("assignEmptyUserIds", "{gone},{bob}")), "check bob", "check bob 1"},
			{StrategyUser, "{gone}", empty("3"), "check -", "check - 1"},
			{StrategyUser, "{gone}", empty("4"), "check cid", "check cid 1"},
			{StrategyStarter, "", nil, "check starter", "check starter 1"},
			{StrategyStarter, "", starter("1"), "check starter", "check starter 1"},
			{StrategyStarter, "", starter("2"), "ended 2", "check - 2"},
			{StrategyUser, "{starter},{ann}", starter("2"), "check ann", "check ann 1"},
			{StrategyStarter, "", starter("3"), "check head", "check head 1"},
			{StrategyUser, "{ann}", []string{setting("approveType", "2")}, "ended 2", "check - 2"},
			{StrategyUser, "{ann}", []string{setting("approveType", "3")}, "ended 3", "check - 3"},
			{StrategyUser, "{ann}", []string{setting("approveType", "1")}, "check ann", "check ann 1"},
			{StrategyUser, "{gone}", empty("1", allSign), "ended 2", "check - 2"},
			{StrategyUser, "{gone}", empty("2", allSign), "ended 3", "check - 3"},
			{StrategyUser, "{gone}", []string{allSign}, "check -", "check - 1"},
			{StrategyUser, "{starter},{ann}", append(starter("2"), allSign), "check ann", "check ann 1"},
			{StrategyUser, "{starter},{ann}", append(starter("3"), oneByOne), "check head", "check head 1"},
			{StrategyStarter, "", append(starter("2"), allSign), "ended 2", "check - 2"},
			{StrategyUser, "{ann}", []string{setting("approveType", "2"), allSign}, "ended 2", "check - 2"},
		} {
			key := fmt.Sprint("p", i)
			w.publish(key, line(w.task("first", StrategyUser, "{ann}"), w.task("check", c.strategy, strings.ReplaceAll(c.param, "{gone}", "{ann}"), c.settings...)), changes{"managerUserIds": w.ids("cid")})
			if strings.Contains(c.param, "{gone}") { // a deployment wants somebody usable, who leaves afterwards
				w.raw("UPDATE bpm_task_assign_rule SET candidates = replace(candidates, '\"%d\"', '\"%d\"') WHERE task_definition_key = 'check'", w.who["ann"], w.who["gone"])
			}
			id := w.start(key, nil)
			w.complete(id, "ann")
			w.want(fmt.Sprint(i, " ", c.strategy, c.settings), w.state(id), c.state)
			w.want(fmt.Sprint(i, " ", c.strategy, c.settings), w.history(id), "first ann 2, "+c.history)
		}
		w.raw("UPDATE system_dept SET leader_user_id = %d WHERE id = %d", w.who["starter"], w.depts["institute"])
		id := w.start("p10", nil)
		w.complete(id, "ann")
		w.want("a starter who is the head himself", w.state(id), "check starter")
		w.raw("UPDATE system_dept SET leader_user_id = 0 WHERE id = %d", w.depts["institute"])
		id = w.start("p10", nil)
		w.complete(id, "ann")
		w.want("a department without head", w.state(id), "ended 2")
		if n := w.got("rector", msgAssigned); n != 0 {
			t.Errorf("%d messages for a task that nobody was asked", n)
		}
		w.sound()
	})
}

// TestRepeats: who approved before is not asked twice, if the model says so.
func TestRepeats(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		for _, c := range []struct {
			how  int
			want string
		}{
			{0, "a ann 2, b bob 2, c ann 1"}, {1, "a ann 2, b bob 2, c ann 2, d ann 2, z cid 1"}, {2, "a ann 2, b bob 2, c ann 1"},
		} {
			key := fmt.Sprint("p", c.how)
			w.publish(key, line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}"), w.task("c", StrategyUser, "{ann}"), w.task("d", StrategyUser, "{ann}"), w.task("z", StrategyUser, "{cid}")),
				changes{"autoApprovalType": c.how})
			id := w.start(key, nil)
			w.complete(id, "ann")
			w.complete(id, "bob")
			w.want(key, w.history(id), c.want)
			if c.how == 2 {
				w.complete(id, "ann")
				w.want("two in a row", w.history(id), "a ann 2, b bob 2, c ann 2, d ann 2, z cid 1")
			}
		}
		if n := w.got("ann", msgAssigned); n != 5 { // twice without the setting, once, twice
			t.Errorf("ann heard %d times", n)
		}
		w.sound()
	})
}

// TestEndlessApproval: a circle of tasks that decide themselves is refused, not run.
func TestEndlessApproval(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="m"/><exclusiveGateway id="m"/><sequenceFlow id="f2" sourceRef="m" targetRef="check"/>`+
			w.task("check", StrategyUser, "{ann}", setting("approveType", "2"))+`<sequenceFlow id="f3" sourceRef="check" targetRef="m"/>`)
		_, err := w.s.Start(w.as("starter"), StartIn{Process: "p", BusinessID: "1"})
		if !errs.Is(err, engine.ErrTooLong) {
			t.Errorf("%v", err)
		}
	})
}

// TestSeam: a business row has one running process, hears its end in the transaction of
// the decision, and a failing listener undoes the decision.
func TestSeam(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("check", StrategyUser, "{ann}")))
		var heard []Outcome
		var fail error
		w.s.OnResult("p", func(_ context.Context, o Outcome) error {
			heard = append(heard, o)
			return fail
		})
		in := StartIn{Process: "p", BusinessID: "77", Title: "林小满的申请", Vars: map[string]any{"day": 2, "initiator": 1, "PROCESS_START_USER_ID": 9, "_ACTIVITI_SKIP_EXPRESSION_ENABLED": true}}
		id, err := w.s.Start(w.as("starter"), in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.s.Start(w.as("bob"), in); !errs.Is(err, runtime.ErrBusinessBusy) {
			t.Errorf("a second process of the row: %v", err)
		}
		if v := w.view(id); v.State.Instance.Name != "林小满的申请" || v.State.Instance.StarterID != w.who["starter"] {
			t.Errorf("%+v", v.State.Instance)
		}
		fail = errors.New("the row cannot change")
		task := w.view(id).State.Tasks[0].ID
		if _, err := w.s.engine.Do(w.as("ann"), runtime.Command{Instance: id, Action: &engine.CompleteTask{Task: task}}); !errors.Is(err, fail) {
			t.Errorf("%v", err)
		}
		w.want("after a failing listener", w.state(id), "check ann")
		fail, heard = nil, nil
		w.complete(id, "ann")
		if len(heard) != 1 || heard[0].BusinessID != "77" || heard[0].Result != engine.Approved || heard[0].Instance != id || len(heard[0].Vars) != 1 || heard[0].Starter != w.who["starter"] {
			t.Errorf("%+v", heard)
		}
		if _, err := w.s.Start(w.as("starter"), in); err != nil {
			t.Errorf("again after the end: %v", err)
		}
		for name, bad := range map[string]StartIn{"no process": {BusinessID: "1"}, "no row": {Process: "p"}, "unknown": {Process: "q", BusinessID: "1"}} {
			if _, err := w.s.Start(w.as("starter"), bad); err == nil {
				t.Error(name)
			}
		}
		w.sound()
	})
}
