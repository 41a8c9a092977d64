package workflow

import (
	"fmt"
	"testing"

	"viva/internal/identity"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const dayLong = int64(24 * 3600 * 1000)

func (w *desk) leave(who string, days int64, code int, more ...body) int64 {
	w.t.Helper()
	in := body{"startTime": 1_760_000_000_000, "endTime": 1_760_000_000_000 + days*dayLong, "type": 1, "reason": "看病"}
	for _, m := range more {
		in = changes(m).on(in)
	}
	a := w.call(who, "POST", "/oa/leave/create", in, code)
	if code != 0 {
		return 0
	}
	return into[int64](w.office, a)
}

func (w *desk) readLeave(who string, id int64) LeaveView {
	w.t.Helper()
	return into[LeaveView](w.office, w.call(who, "GET", fmt.Sprint("/oa/leave/get?id=", id), nil, 0))
}

// leaveModel is the demo's: the head decides, and the dean too beyond three days.
func (w *desk) leaveModel() {
	w.t.Helper()
	flow := func(id, from, to, inner string) string {
		return fmt.Sprintf(`<sequenceFlow id="%s" sourceRef="%s" targetRef="%s">%s</sequenceFlow>`, id, from, to, inner)
	}
	w.publish(leaveProcess, `<startEvent id="s"/>`+flow("f1", "s", "leader", "")+w.task("leader", StrategyStarterLeader, "1")+flow("f2", "leader", "x", "")+`<exclusiveGateway id="x" default="f4"/>`+
		flow("f3", "x", "hr", `<conditionExpression xsi:type="tFormalExpression">${day &gt; 3}</conditionExpression>`)+flow("f4", "x", "e", "")+w.task("hr", StrategyUser, "{dean}")+flow("f5", "hr", "e", "")+`<endEvent id="e"/>`,
		changes{"startUserIds": w.ids("starter", "cid")})
}

// TestLeave: the application and its process are one, from the first step to the last.
func TestLeave(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.leave("starter", 1, errDefinitionMissing.Num)
		w.leaveModel()
		w.leave("bob", 1, errStartNotAllowed.Num)
		w.leave("starter", -1, errs.CodeInvalid)
		w.leave("starter", 1, errs.CodeInvalid, body{"startTime": nil})
		w.leave("", 1, errs.CodeUnauthenticated)
		if n := into[store.Page[LeaveView]](w.office, w.call("starter", "GET", "/oa/leave/page", nil, 0)).Total; n != 0 {
			t.Fatalf("%d applications are left of refusals", n)
		}
		short, long, third := w.leave("starter", 3, 0), w.leave("starter", 4, 0), w.leave("starter", 9, 0)
		row := w.readLeave("starter", long)
		if row.Day != 4 || row.Status != 1 || row.Result != 1 || row.ProcessInstanceID == "" || row.Reason != "看病" || row.CreateTime == 0 {
			t.Errorf("%+v", row)
		}
		detail := into[InstanceDetail](w.office, w.call("head", "GET", "/process-instance/get?id="+row.ProcessInstanceID, nil, 0))
		if detail.BusinessKey != fmt.Sprint(long) || fmt.Sprint(detail.FormVariables["day"]) != "4" {
			t.Errorf("%+v", detail)
		}
		w.readLeave("head", long) // who decides it reads it
		for _, who := range []string{"dean", "outsider", "alien", "admin2"} {
			w.call(who, "GET", fmt.Sprint("/oa/leave/get?id=", long), nil, errLeaveMissing.Num)
		}
		for _, id := range []int64{short, long, third} {
			w.approve("head", w.readLeave("starter", id).ProcessInstanceID, "leader")
		}
		w.approve("dean", row.ProcessInstanceID, "hr")
		w.act("dean", "reject", w.taskOf(w.readLeave("starter", third).ProcessInstanceID, "hr", "dean"), body{"reason": "太久"}, 0)
		cancelled := w.leave("starter", 1, 0)
		w.call("starter", "DELETE", "/process-instance/cancel", body{"id": w.readLeave("starter", cancelled).ProcessInstanceID, "reason": "不去了"}, 0)
		for id, want := range map[int64]int{short: 2, long: 2, third: 3, cancelled: 4} {
			if have := w.readLeave("starter", id); have.Status != want || have.Result != want {
				t.Errorf("%d: %+v, want %d", id, have, want)
			}
		}
		for query, want := range map[string]int64{"": 4, "?status=2": 2, "?result=3": 1, "?type=2": 0, "?reason=%E7%97%85": 4, "?reason=x": 0} {
			if n := into[store.Page[LeaveView]](w.office, w.call("starter", "GET", "/oa/leave/page"+query, nil, 0)).Total; n != want {
				t.Errorf("%q: %d, want %d", query, n, want)
			}
		}
		if n := into[store.Page[LeaveView]](w.office, w.call("head", "GET", "/oa/leave/page", nil, 0)).Total; n != 0 {
			t.Error("the head sees applications of others")
		}
		def := into[DefinitionDetail](w.office, w.call("admin", "GET", "/process-definition/get?key=oa_leave", nil, 0)).ID
		w.begin("starter", def, nil, errStartNotAllowed.Num) // without an application
		w.sound()
	})
}

// TestLeave_undone: when the process refuses, no application is left.
func TestLeave_undone(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish(leaveProcess, line(w.task("check", StrategyExpression, "${day / 0}")))
		w.leave("starter", 1, errAssignExpression.Num)
		if n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM bpm_oa_leave WHERE tenant_id = :tenant`, nil); err != nil || n != 0 {
			t.Errorf("%d rows %v", n, err)
		}
	})
}

// TestLeave_atOnce: a process that decides itself leaves a decided application behind.
func TestLeave_atOnce(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish(leaveProcess, line(w.task("check", StrategyUser, "{ann}", setting("approveType", "2"))))
		if row := w.readLeave("starter", w.leave("starter", 1, 0)); row.Status != 2 || row.ProcessInstanceID == "" {
			t.Errorf("%+v", row)
		}
	})
}

// TestDemoLeaves: the demo holds applications at every place where one can stand, once.
func TestDemoLeaves(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		office := w.row("INSERT INTO system_role (tenant_id, name, code, create_time, update_time) VALUES (1, '培养办', 'grad_training', 1, 1)")
		w.raw("INSERT INTO system_user_role (tenant_id, user_id, role_id) VALUES (1, %d, %d)", w.who["dean"], office)
		for _, code := range []string{"student_affairs", "thesis", "office"} {
			w.create("category", body{"name": code, "code": code, "status": 0, "sort": 1})
		}
		for _, rule := range []string{"THESIS_ADVISOR", "THESIS_COLLEGE_ROLE", "THESIS_TENANT_ROLE"} {
			w.s.RegisterAssignRule(rule, "无|none", nobodyKnown)
		}
		ctx := kerneltest.AsSystem(w.db, 1)
		org := identity.Organisation{Users: map[string]int64{"advisor01": w.who["starter"], "advisor02": w.who["starter"], "secretary01": w.who["starter"],
			"dean01": w.who["head"], "training01": w.who["dean"]}}
		for range 2 {
			if err := w.s.DemoModels(ctx); err != nil {
				t.Fatal(err)
			}
			if err := w.s.DemoLeaves(ctx, org); err != nil {
				t.Fatal(err)
			}
		}
		count := func(who, path string) int64 {
			t.Helper()
			return into[store.Page[body]](w.office, w.call(who, "GET", path, nil, 0)).Total
		}
		for path, want := range map[string]int64{"?status=1": 3, "?status=2": 2, "?status=3": 1, "?status=4": 1, "": 7} {
			if n := count("starter", "/oa/leave/page"+path); n != want {
				t.Errorf("%d applications %s, want %d", n, path, want)
			}
		}
		for _, c := range []struct {
			who, path string
			want      int64
		}{{"head", "/task/todo-page", 2}, {"head", "/task/done-page?status=2", 3}, {"dean", "/task/todo-page", 2}, {"dean", "/task/done-page", 1}, {"starter", "/process-instance/copy/page", 1}} {
			if n := count(c.who, c.path); n != c.want {
				t.Errorf("%s %s: %d, want %d", c.who, c.path, n, c.want)
			}
		}
		named := into[store.Page[InstanceView]](w.office, w.call("starter", "GET", "/process-instance/my-page?name=%E4%BD%93%E6%A3%80", nil, 0)).List
		if len(named) != 1 || named[0].Name != "请假申请：1 天，年度体检" {
			t.Errorf("%+v", named)
		}
		w.sound()
	})
}
