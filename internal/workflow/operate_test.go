package workflow

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// divide fails while the variable by is zero or text.
func divide(id, more string) string {
	return fmt.Sprintf(`<serviceTask id="%s" name="计算" flowable:expression="${10 / by}" flowable:resultVariable="share" %s/>`, id, more)
}

func (w *desk) incidents(query string) store.Page[IncidentView] {
	w.t.Helper()
	return into[store.Page[IncidentView]](w.office, w.call("admin", "GET", "/incident/page"+query, nil, 0))
}

func (w *desk) manage(id string) ManageDetail {
	w.t.Helper()
	return into[ManageDetail](w.office, w.call("admin", "GET", "/process-instance/get-manage-detail?id="+id, nil, 0))
}

func (w *desk) audits(action string) int64 {
	w.t.Helper()
	n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND action = :action AND after LIKE '%reason%'`, store.Args{"action": action})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestIncident: a step that fails waits for an administrator, who sees why, mends the
// variable and tries again; the second try of two at once finds it dealt with.
func TestIncident(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(divide("calc", ""), w.task("a", StrategyUser, "{ann}")), changes{"managerUserIds": w.ids("dean", "rector")})
		id := w.start("p", map[string]any{"by": 0, "note": " 两个 空格 "})
		good := w.start("p", map[string]any{"by": 4})
		w.want("good", w.state(good), "a ann")
		page := w.incidents("?processDefinitionKey=p&kind=expression&name=" + url.QueryEscape("流程 p"))
		if page.Total != 1 {
			t.Fatalf("%+v", page)
		}
		if w.got("dean", msgIncident) != 1 || w.got("rector", msgIncident) != 1 || w.got("ann", msgIncident) != 0 {
			t.Error("the managers of the model do not know")
		}
		x := page.List[0]
		if x.ProcessInstanceID != id || x.ElementID != "calc" || x.ElementName != "计算" || x.ElementType != "serviceTask" || x.Version != 1 || !strings.Contains(x.Message, "calc") {
			t.Errorf("%+v", x)
		}
		for _, none := range []string{"?kind=job", "?processDefinitionKey=other", "?createTime[0]=2020-01-01+00:00:00&createTime[1]=2020-01-02+00:00:00"} {
			if n := w.incidents(none).Total; n != 0 {
				t.Errorf("%s: %d incidents", none, n)
			}
		}
		detail := into[IncidentDetail](w.office, w.call("admin", "GET", "/incident/get?id="+x.ID, nil, 0))
		if len(detail.Attempts) != 1 || detail.Detail != "${10 / by}" || detail.ResolveTime != nil {
			t.Errorf("%+v", detail)
		}
		retry := func(code int) RetryOutcome {
			a := w.call("admin", "PUT", "/incident/retry", body{"id": x.ID, "reason": "再试一次"}, code)
			if code != 0 {
				return RetryOutcome{}
			}
			return into[RetryOutcome](w.office, a)
		}
		again := retry(0)
		if again.Pending || again.Again == "" || again.Again == x.ID {
			t.Fatalf("%+v", again)
		}
		retry(errIncidentMissing.Num)
		x = w.incidents("").List[0]
		if detail := into[IncidentDetail](w.office, w.call("admin", "GET", "/incident/get?id="+x.ID, nil, 0)); len(detail.Attempts) != 2 {
			t.Errorf("%+v", detail)
		}
		w.setVar(id, body{"name": "by", "type": "integer", "value": "5", "before": "0"}, 0)
		var group sync.WaitGroup
		codes := make(chan int, 4)
		for range 4 {
			group.Go(func() {
				codes <- kerneltest.Scenario{Method: "PUT", URL: "/bpm/incident/retry", As: w.tokens["admin"], Body: body{"id": x.ID, "reason": "r"}}.Call(t, w.h).Code
			})
		}
		group.Wait()
		close(codes)
		won := 0
		for code := range codes {
			if code == 0 {
				won++
			} else if code != errIncidentMissing.Num {
				t.Errorf("code %d", code)
			}
		}
		if won != 1 {
			t.Errorf("%d of 4 retries won", won)
		}
		w.want("mended", w.state(id), "a ann")
		if n := w.incidents("").Total; n != 0 {
			t.Errorf("%d incidents left", n)
		}
		if done := into[IncidentDetail](w.office, w.call("admin", "GET", "/incident/get?id="+x.ID, nil, 0)); done.ResolveTime == nil {
			t.Errorf("%+v", done)
		}
		if w.audits("重试异常") != 2 || w.audits("修改流程变量") != 1 {
			t.Errorf("audits %d %d", w.audits("重试异常"), w.audits("修改流程变量"))
		}
		w.sound()
	})
}

func (w *desk) setVar(id string, in body, code int) kerneltest.Answer {
	w.t.Helper()
	return w.call("admin", "PUT", "/process-instance/update-variable", changes(in).on(body{"id": id, "reason": "改正"}), code)
}

// TestIncident_tries: the tries of background work are listed, a retry starts it anew,
// and where no way could be chosen an administrator chooses.
func TestIncident_tries(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.travel()
		w.publish("slow", line(`<serviceTask id="calc" name="计算" flowable:expression="${1}" flowable:async="true"><extensionElements><flowable:failedJobRetryTimeCycle>R3/PT10M</flowable:failedJobRetryTimeCycle></extensionElements></serviceTask>`, w.task("a", StrategyExpression, "${ann / by}")))
		w.publish("fork", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><exclusiveGateway id="x" name="选路"/>
<sequenceFlow id="f2" name="大" sourceRef="x" targetRef="a"><conditionExpression xsi:type="tFormalExpression">${n &gt; 3}</conditionExpression></sequenceFlow>
<sequenceFlow id="f3" sourceRef="x" targetRef="b"><conditionExpression xsi:type="tFormalExpression">${n &lt; 0}</conditionExpression></sequenceFlow>`+
			w.task("a", StrategyUser, "{ann}")+w.task("b", StrategyUser, "{bob}"))
		slow, fork := w.start("slow", map[string]any{"by": 0, "ann": w.who["ann"]}), w.start("fork", map[string]any{"n": 1})
		for range 4 {
			pass(11 * time.Minute)
		}
		var job, flow IncidentView
		for _, x := range w.incidents("").List {
			if x.ProcessInstanceID == slow {
				job = x
			} else {
				flow = x
			}
		}
		get := func(id string) IncidentDetail {
			return into[IncidentDetail](w.office, w.call("admin", "GET", "/incident/get?id="+id, nil, 0))
		}
		if d := get(flow.ID); flow.Kind != "flow" || len(d.Flows) != 2 || d.Flows[0].Name != "大" || d.Flows[1].TargetName != "任务 b" {
			t.Errorf("%+v", d)
		}
		w.call("admin", "PUT", "/incident/skip", body{"id": flow.ID, "reason": "走 b"}, errs.CodeInvalid)
		w.call("admin", "PUT", "/incident/skip", body{"id": flow.ID, "reason": "走 b", "flow": "f1"}, engine.ErrMove.Num)
		w.call("admin", "PUT", "/incident/skip", body{"id": flow.ID, "reason": "走 b", "flow": "f3"}, 0)
		w.want("chosen", w.state(fork), "b bob")
		w.call("admin", "PUT", "/incident/skip", body{"id": flow.ID, "reason": "x", "flow": "f3"}, errIncidentMissing.Num)
		if job.ID == "" {
			t.Fatalf("no incident of %s: %s", slow, w.state(slow))
		}
		w.setVar(slow, body{"name": "by", "type": "decimal", "value": "1.0", "before": "0"}, 0)
		if d := get(job.ID); job.Kind != "job" || len(d.Attempts) != 3 || d.Attempts[0].Time >= d.Attempts[1].Time || !strings.Contains(d.Attempts[2].Message, "任务 a") {
			t.Errorf("%+v", d)
		}
		w.call("admin", "PUT", "/incident/retry", body{"id": job.ID, "reason": "再试"}, 0)
		pass(time.Minute)
		w.want("retried", w.state(slow), "a ann")
		w.sound()
	})
}

// TestIncident_list: several are retried each for itself; what is dealt with already is
// told and stops no other.
func TestIncident_list(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(divide("calc", ""), w.task("a", StrategyUser, "{ann}")))
		mended, broken := w.start("p", map[string]any{"by": 0}), w.start("p", map[string]any{"by": 0})
		w.setVar(mended, body{"name": "by", "type": "integer", "value": "5", "before": "0"}, 0)
		var ids []string
		for _, x := range w.incidents("").List {
			ids = append(ids, x.ID)
		}
		send := func(code int, reason string, ids ...string) (found map[string]RetryResult) {
			t.Helper()
			a := w.call("admin", "PUT", "/incident/retry-list", body{"ids": ids, "reason": reason}, code)
			found = map[string]RetryResult{}
			if code == 0 {
				for _, r := range into[[]RetryResult](w.office, a) {
					instance, _, _ := strings.Cut(r.ID, ".")
					found[instance] = r
				}
			}
			return found
		}
		send(errs.CodeInvalid, " ", ids...)
		send(errs.CodeInvalid, "x")
		found := send(0, "成批重试", append(ids, "none.1")...)
		if len(found) != 3 || found[mended].Again != "" || found[mended].Refused != "" || found[broken].Again == "" || !strings.Contains(found[broken].Message, "calc") || !strings.Contains(found["none"].Refused, "不存在") {
			t.Errorf("%+v", found)
		}
		w.want("mended", w.state(mended), "a ann")
		if again := send(0, "成批重试", ids...); again[mended].Refused == "" || again[broken].Refused == "" {
			t.Errorf("%+v", again)
		}
		w.call("bob", "PUT", "/incident/retry-list", body{"ids": ids, "reason": "x"}, errs.CodeForbidden)
		w.sound()
	})
}

// TestVariable: what may be written, and what the administrator must have seen.
func TestVariable(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann},{bob}", allSign)))
		id := w.start("p", map[string]any{"day": 3, "list": []any{1, "x"}, "text": "甲<b>", "big": 9007199254740993})
		read := func() map[string]VariableView {
			out := map[string]VariableView{}
			for _, v := range w.manage(id).Variables {
				if v.Scope == "" {
					out[v.Name] = v
				}
			}
			return out
		}
		have := read()
		if have["day"].Type != "integer" || have["list"].Value != `[1,"x"]` || have["text"].Value != "甲<b>" || have["big"].Value != "9007199254740993" || !have[varStarter].Locked {
			t.Errorf("%+v", have)
		}
		for _, good := range []body{
			{"name": "day", "type": "decimal", "value": "2.50", "before": "3"}, {"name": "list", "type": "list", "value": `[ {"a" : [true]} ]`, "before": `[1,"x"]`},
			{"name": "text", "type": "string", "value": " <i>\n", "before": "甲<b>"}, {"name": "新变量", "type": "object", "value": `{"a":null}`},
			{"name": "flag", "type": "boolean", "value": "true"}, {"name": "none", "type": "null", "value": ""}, {"name": "big", "type": "string", "value": strings.Repeat("x", maxVariable), "before": "9007199254740993"},
		} {
			w.setVar(id, good, 0)
		}
		have = read()
		if have["day"].Type != "decimal" || have["list"].Value != `[{"a":[true]}]` || have["text"].Value != " <i>\n" || have["flag"].Value != "true" || have["none"].Type != "null" || have["新变量"].Value != `{"a":null}` {
			t.Errorf("%+v", have)
		}
		for _, bad := range []struct {
			in   body
			code int
		}{
			{body{"name": "day", "type": "integer", "value": "1.5", "before": have["day"].Value}, errs.CodeInvalid}, {body{"name": "day", "type": "decimal", "value": "1e400", "before": have["day"].Value}, errs.CodeInvalid},
			{body{"name": "day", "type": "list", "value": "{}", "before": have["day"].Value}, errs.CodeInvalid}, {body{"name": "day", "type": "object", "value": `{"a":}`, "before": have["day"].Value}, errs.CodeInvalid},
			{body{"name": "day", "type": "boolean", "value": "yes", "before": have["day"].Value}, errs.CodeInvalid}, {body{"name": "day", "type": "binary", "value": "1", "before": have["day"].Value}, errs.CodeInvalid},
			{body{"name": "${day}", "type": "null", "value": ""}, errs.CodeInvalid}, {body{"name": varStarter, "type": "integer", "value": "1"}, errs.CodeInvalid},
			{body{"name": "day", "type": "string", "value": strings.Repeat("x", maxVariable+1)}, errs.CodeInvalid}, {body{"name": "day", "type": "string", "value": "x", "reason": " "}, errs.CodeInvalid},
			{body{"name": "day", "type": "integer", "value": "1", "before": "3"}, errs.ErrStale.Num}, {body{"name": "day", "type": "integer", "value": "1"}, errs.ErrStale.Num}, {body{"name": "gone", "type": "integer", "value": "1", "before": "2"}, errs.ErrStale.Num},
			{body{"name": "x", "type": "null", "scope": id + ".999"}, errNothingHere.Num}, {body{"name": "x", "type": "null", "scope": "other.1"}, errNothingHere.Num},
			{body{"id": "0", "name": "x", "type": "null"}, errInstanceMissing.Num},
		} {
			w.setVar(id, bad.in, bad.code)
		}
		w.approve("ann", id, "a")
		w.approve("bob", id, "a")
		w.setVar(id, body{"name": "day", "type": "integer", "value": "1", "before": have["day"].Value}, engine.ErrEnded.Num)
		w.sound()
	})
}

// TestOperate: an instance stands still and goes on, moves, and nobody else may do it.
func TestOperate(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann},{cid}", allSign), w.task("b", StrategyUser, "{bob}"), w.task("c", StrategyUser, "{cid}")))
		id := w.start("p", nil)
		state := func(n int, code int) {
			t.Helper()
			w.call("admin", "PUT", "/process-instance/update-state", body{"id": id, "state": n, "reason": "核查"}, code)
		}
		state(2, 0)
		state(2, 0) // what is so already stays
		if m := w.manage(id); !m.Suspended || len(m.Places) != 1 || m.Places[0].Movable {
			t.Errorf("%+v", m)
		}
		w.act("ann", "approve", w.taskOf(id, "a", "ann"), body{"reason": "x"}, errInstanceSuspended.Num)
		state(1, 0)
		state(3, errs.CodeInvalid)
		m := w.manage(id)
		if len(m.Places) != 1 || m.Places[0].ElementID != "a" || strings.Join(m.Places[0].People, " ") != "ANN CID" || !m.Places[0].Movable || m.Places[0].Since == nil || m.Version != 1 {
			t.Fatalf("%+v", m.Places)
		}
		for _, target := range m.Targets {
			if target.ElementID == "s" {
				t.Errorf("the start is offered: %+v", m.Targets)
			}
		}
		move := func(from, to string, code int) {
			t.Helper()
			w.call("admin", "PUT", "/process-instance/move", body{"id": id, "from": []string{from}, "to": to, "reason": "改派"}, code)
		}
		move(m.Places[0].ID, "nowhere", errMoveWhere.Num)
		move(m.Places[0].ID, "s", errMoveWhere.Num)
		move(id+".1", "c", errNothingHere.Num) // the process itself
		move(id+".77", "c", errNothingHere.Num)
		move(m.Places[0].ID, "c", 0)
		w.want("moved", w.state(id), "c cid")
		w.want("cancelled", w.history(id), "a ann 4, a cid 4, c cid 1")
		move(m.Places[0].ID, "c", errNothingHere.Num)
		for who, code := range map[string]int{"bob": errs.CodeForbidden, "starter": errs.CodeForbidden, "alien": errs.CodeForbidden, "admin2": errInstanceMissing.Num, "": errs.CodeUnauthenticated} {
			w.call(who, "PUT", "/process-instance/move", body{"id": id, "from": []string{id + ".2"}, "to": "c", "reason": "x"}, code)
			w.call(who, "PUT", "/process-instance/update-state", body{"id": id, "state": 2, "reason": "x"}, code)
			w.call(who, "PUT", "/process-instance/update-variable", body{"id": id, "name": "x", "type": "null", "reason": "x"}, code)
			w.call(who, "GET", "/process-instance/get-manage-detail?id="+id, nil, code)
			if code == errInstanceMissing.Num {
				code = errIncidentMissing.Num
			}
			w.call(who, "PUT", "/incident/retry", body{"id": id + ".2", "reason": "x"}, code)
			w.call(who, "PUT", "/incident/skip", body{"id": id + ".2", "reason": "x"}, code)
			w.call(who, "GET", "/incident/get?id="+id+".2", nil, code)
		}
		w.approve("cid", id, "c")
		w.want("ended", w.state(id), "ended 2")
		state(2, engine.ErrEnded.Num)
		if w.audits("挂起流程实例") != 2 || w.audits("移动流程位置") != 1 {
			t.Errorf("audits %d %d", w.audits("挂起流程实例"), w.audits("移动流程位置"))
		}
		w.sound()
	})
}

// TestOperate_tree: a called process stands still with its caller, and goes on with it.
func TestOperate_tree(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("inner", line(w.task("i", StrategyUser, "{bob}")))
		w.publish("outer", line(`<callActivity id="c" name="子流程" calledElement="inner"/>`, w.task("a", StrategyUser, "{ann}")))
		id := w.start("outer", nil)
		m := w.manage(id)
		if len(m.Children) != 1 {
			t.Fatalf("%+v", m)
		}
		child := m.Children[0]
		if w.manage(child).ParentID != id {
			t.Errorf("%+v", w.manage(child))
		}
		w.call("admin", "PUT", "/process-instance/update-state", body{"id": id, "state": 2, "reason": "核查"}, 0)
		w.act("bob", "approve", w.taskOf(child, "i", "bob"), body{"reason": "x"}, errInstanceSuspended.Num)
		w.call("admin", "PUT", "/process-instance/update-state", body{"id": id, "state": 1, "reason": "核查"}, 0)
		w.approve("bob", child, "i")
		w.want("went on", w.state(id), "a ann")
		w.call("admin", "DELETE", "/process-instance/cancel-by-admin", body{"id": id, "reason": "终止"}, 0)
		w.want("terminated", w.state(id), "ended 4")
		w.sound()
	})
}

// TestManagerTasks: the list of all tasks says the same of a task whether it reads the
// instances with the tasks or after them.
func TestManagerTasks(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id, standing := w.start("p", map[string]any{"day": 2}), w.start("p", nil)
		w.approve("ann", id, "a")
		w.call("admin", "PUT", "/process-instance/update-state", body{"id": standing, "state": 2, "reason": "核查"}, 0)
		read := func(query string) store.Page[TaskView] {
			return into[store.Page[TaskView]](w.office, w.call("admin", "GET", "/task/manager-page"+query, nil, 0))
		}
		after, joined := read(""), read("?processDefinitionKey=p")
		if after.Total != 3 || text(after) != text(joined) {
			t.Errorf("%s\n%s", text(after), text(joined))
		}
		paused := 0
		for _, row := range after.List {
			if row.SuspensionState == Suspended {
				paused++
			}
			if row.ProcessInstance.StartUser == nil || row.ProcessInstance.StartUser.Nickname != "STARTER" || row.ProcessInstance.Name != "流程 p" || row.ProcessInstance.ProcessDefinitionID == "" {
				t.Errorf("%+v", row.ProcessInstance)
			}
		}
		if paused != 1 {
			t.Errorf("%d tasks stand still", paused)
		}
		if none := read("?status=3"); none.Total != 0 || len(none.List) != 0 {
			t.Errorf("%+v", none)
		}
	})
}
