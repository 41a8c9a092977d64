package workflow

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func (w *desk) begin(who, definition string, in body, code int) kerneltest.Answer {
	w.t.Helper()
	m := body{"processDefinitionId": definition}
	for k, v := range in {
		m[k] = v
	}
	return w.call(who, "POST", "/process-instance/create", m, code)
}

// form is a form record with the fields day and note.
func (w *desk) form() int64 {
	w.t.Helper()
	return w.create("form", body{"name": "表单", "conf": "{}", "status": 0, "fields": []string{`{"type":"input","field":"day","title":"天数"}`, `{"type":"input","field":"note","title":"事由"}`}})
}

// TestCreate: who may start what, the title, reserved names, and what the lists show.
func TestCreate(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		def := w.publish("p", line(w.task("a", StrategyUser, "{ann}")), changes{"formType": 10, "formId": w.form(), "startUserIds": w.ids("starter", "ann"),
			"titleSetting": body{"enable": true, "title": "{PROCESS_START_USER_ID}的{PROCESS_DEFINITION_NAME}（{day}天）{missing}"}, "summarySetting": body{"enable": true, "summary": []string{"note", "PROCESS_START_USER_ID"}}})
		id := into[string](w.office, w.begin("starter", def, body{"variables": body{"day": 3, "note": "看\n病<b>", "initiator": 5, "_FLOWABLE_SKIP_EXPRESSION_ENABLED": true}}, 0))
		w.begin("bob", def, nil, errStartNotAllowed.Num)
		w.begin("alien", def, nil, errDefinitionMissing.Num)
		w.begin("starter", "p:9:x", nil, errDefinitionMissing.Num)
		w.begin("starter", "", nil, errs.CodeInvalid)
		w.begin("", def, nil, errs.CodeUnauthenticated)
		page := into[store.Page[InstanceView]](w.office, w.call("starter", "GET", "/process-instance/my-page", nil, 0))
		if page.Total != 1 {
			t.Fatalf("%+v", page)
		}
		row := page.List[0]
		if row.ID != id || row.Name != "STARTER的流程 p（3天）" || row.Status != 1 || row.Result != 1 || row.CategoryName != "Finance" || len(row.Tasks) != 1 || row.Tasks[0].AssigneeUser.Nickname != "ANN" ||
			len(row.Summary) != 1 || row.Summary[0] != (SummaryItem{"事由", "看 病<b>"}) || row.StartUser.DeptName != "institute" || row.StartTime != row.CreateTime {
			t.Errorf("%+v", row)
		}
		if vars := documentVars(w.view(id).State.Instance.Vars); vars["initiator"] != nil || vars["_FLOWABLE_SKIP_EXPRESSION_ENABLED"] != nil || vars[varStarter] != w.who["starter"] {
			t.Errorf("%v", vars)
		}
		w.call("admin", "PUT", "/model/update-state", body{"id": "1", "state": 2}, 0)
		w.begin("starter", def, nil, errDefinitionPaused.Num)

		w.publish("d", line(w.task("a", StrategyUser, "{ann}")), changes{"startDeptIds": []int64{w.depts["college"]}})
		d := into[DefinitionDetail](w.office, w.call("admin", "GET", "/process-definition/get?key=d", nil, 0)).ID
		w.begin("dean", d, nil, 0)
		w.begin("starter", d, nil, errStartNotAllowed.Num)
		w.sound()
	})
}

// TestStarterPicks: people for the tasks on the way, under both names of the member.
func TestStarterPicks(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		content := `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><exclusiveGateway id="x" default="f3"/><sequenceFlow id="f2" sourceRef="x" targetRef="long"><conditionExpression xsi:type="tFormalExpression">${day &gt; 3}</conditionExpression></sequenceFlow><sequenceFlow id="f3" sourceRef="x" targetRef="short"/>` +
			w.task("long", StrategyStarterPicks, "") + w.task("short", StrategyStarterPicks, "", allSign)
		def := w.publish("p", content)
		pick := func(member, task string, who []int64) body {
			return body{"variables": body{"day": 2}, member: body{task: who}}
		}
		w.begin("starter", def, body{"variables": body{"day": 2}}, errPickMissing.Num)
		w.begin("starter", def, pick("startUserSelectAssignees", "long", w.ids("ann")), errPickMissing.Num)
		a := w.begin("starter", def, pick("startUserSelectAssignees", "short", w.ids("ann", "gone")), errPickUnknown.Num)
		if !strings.Contains(a.Msg, fmt.Sprint(w.who["gone"])) {
			t.Errorf("%s", a.Msg)
		}
		w.begin("starter", def, pick("startUserSelectAssignees", "short", []int64{w.alien}), errPickUnknown.Num)
		for _, member := range []string{"startUserSelectAssignees", "assignee"} {
			id := into[string](w.office, w.begin("starter", def, pick(member, "short", w.ids("bob", "ann")), 0))
			w.want(member, w.state(id), "short bob, short ann")
		}
		w.sound()
	})
}

// TestRead: an instance is shown to whoever is concerned, and exists for nobody else.
func TestRead(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}")), changes{"managerUserIds": w.ids("dean")})
		id := w.start("p", map[string]any{"day": 2})
		for range 2 { // the second time it is nothing new
			w.act("ann", "copy", w.taskOf(id, "a", "ann"), body{"copyUserIds": w.ids("rector"), "reason": "请知悉"}, 0)
		}
		lines := into[[]CommentView](w.office, w.call("starter", "GET", "/comment/list-by-process-instance-id?processInstanceId="+id, nil, 0))
		if len(lines) != 1 || lines[0].Type != commentCopied || lines[0].Message != "抄送 RECTOR：请知悉" || lines[0].User.Nickname != "ANN" {
			t.Errorf("%+v", lines)
		}
		calls := []string{"/process-instance/get?id=" + id, "/process-instance/get-approval-detail?processInstanceId=" + id, "/process-instance/get-bpmn-model-view?id=" + id,
			"/process-instance/get-print-data?processInstanceId=" + id, "/activity/list?processInstanceId=" + id, "/task/list-by-process-instance-id?processInstanceId=" + id,
			"/comment/list-by-process-instance-id?processInstanceId=" + id}
		for _, call := range calls {
			for _, who := range []string{"starter", "ann", "dean", "rector", "admin"} {
				w.call(who, "GET", call, nil, 0)
			}
			for _, who := range []string{"bob", "outsider", "alien", "admin2"} {
				w.call(who, "GET", call, nil, errInstanceMissing.Num)
			}
			w.call("", "GET", call, nil, errs.CodeUnauthenticated)
		}
		w.approve("ann", id, "a")
		w.call("bob", "GET", calls[0], nil, 0) // his turn
		detail := into[InstanceDetail](w.office, w.call("starter", "GET", calls[0], nil, 0))
		if detail.BusinessKey != "1" || fmt.Sprint(detail.FormVariables) != "map[day:2]" || !strings.Contains(detail.ProcessDefinition.BpmnXML, "<process") || *detail.ProcessDefinition.FormType != 20 {
			t.Errorf("%+v", detail)
		}
		copies := into[store.Page[CopyView]](w.office, w.call("rector", "GET", "/process-instance/copy/page?processInstanceName=p", nil, 0))
		if copies.Total != 1 || copies.List[0].ActivityID != "a" || copies.List[0].CreateUser.Nickname != "ANN" || copies.List[0].Reason != "请知悉" || copies.List[0].ProcessInstanceStartTime == 0 {
			t.Errorf("%+v", copies)
		}
		if n := into[store.Page[CopyView]](w.office, w.call("dean", "GET", "/process-instance/cc/my-page", nil, 0)).Total; n != 0 {
			t.Errorf("dean has %d copies", n)
		}
		w.call("ann", "POST", "/process-instance/cc/create", body{"taskId": w.first(id), "userIds": w.ids("rector", "cid"), "reason": "x"}, 0)
		w.call("ann", "POST", "/process-instance/cc/create", body{"taskId": w.first(id)}, errs.CodeInvalid)
		w.call("ann", "POST", "/process-instance/cc/create", body{"taskId": w.first(id), "userIds": []int64{w.alien}}, errs.CodeInvalid)
		w.call("bob", "POST", "/process-instance/cc/create", body{"taskId": w.first(id), "userIds": w.ids("cid")}, errNotYourTask.Num)
		w.call("outsider", "POST", "/process-instance/cc/create", body{"taskId": w.first(id), "userIds": w.ids("cid")}, errTaskMissing.Num)
		if n := into[store.Page[CopyView]](w.office, w.call("rector", "GET", "/process-instance/cc/my-page", nil, 0)).Total; n != 1 {
			t.Errorf("the rector has %d copies of one task", n)
		}
		w.call("rector", "POST", "/comment/create", body{"taskId": w.first(id), "message": " 已阅 "}, 0)
		w.call("cid", "POST", "/comment/create", body{"taskId": w.first(id), "message": strings.Repeat("长", 501)}, errs.CodeInvalid)
		w.call("outsider", "POST", "/comment/create", body{"taskId": w.first(id), "message": "x"}, errTaskMissing.Num)
		list := into[[]CommentView](w.office, w.call("starter", "GET", calls[6], nil, 0))
		if last := list[len(list)-1]; last.Message != "已阅" || last.User.Nickname != "RECTOR" || last.Task.TaskDefinitionKey != "a" || last.Type != commentText {
			t.Errorf("%+v", list)
		}
	})
}

// TestPages: each list shows what is its own, filtered and paged.
func TestPages(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		w.chain("q")
		var ids []string
		for range 3 {
			ids = append(ids, w.start("p", nil))
		}
		other := w.start("q", nil)
		w.approve("ann", ids[0], "a")
		w.call("starter", "DELETE", "/process-instance/cancel-by-start-user", body{"id": ids[1], "reason": "x"}, 0)
		total := func(who, path string) int64 {
			t.Helper()
			return into[store.Page[body]](w.office, w.call(who, "GET", path, nil, 0)).Total
		}
		now := url.QueryEscape("2020-01-01 00:00:00") + "&createTime[1]=" + url.QueryEscape("2099-01-01 00:00:00")
		for path, want := range map[string]int64{
			"ann /task/todo-page": 2, "ann /task/todo-page?processDefinitionKey=q": 1, "ann /task/todo-page?name=" + url.QueryEscape("任务 a"): 2, "ann /task/todo-page?name=%25": 0,
			"ann /task/todo-page?category=finance": 2, "ann /task/todo-page?category=other": 0, "ann /task/todo-page?createTime[0]=" + now: 2, "bob /task/todo-page": 1, "starter /task/todo-page": 0,
			"ann /task/done-page": 2, "ann /task/done-page?status=2": 1, "ann /task/done-page?status=4": 1, "bob /task/done-page": 0,
			"ann /task/done-page?beginCreateTime=2020-01-01+00:00:00&endCreateTime=2020-01-02+00:00:00": 0,
			"admin /task/manager-page": 5, "admin /task/manager-page?status=1": 3,
			"starter /process-instance/my-page": 4, "starter /process-instance/my-page?status=4": 1, "starter /process-instance/my-page?result=1": 3, "starter /process-instance/my-page?processDefinitionKey=q": 1,
			"starter /process-instance/my-page?createTime[0]=" + now: 4, "starter /process-instance/my-page?endTime[0]=" + strings.ReplaceAll(now, "createTime", "endTime"): 1, "ann /process-instance/my-page": 0,
			"admin /process-instance/manager-page": 4, "admin /process-instance/manager-page?name=q": 1, fmt.Sprintf("admin /process-instance/manager-page?startUserId=%d", w.who["ann"]): 0,
			"admin2 /process-instance/manager-page": 0, "admin2 /task/manager-page": 0,
		} {
			who, call, _ := strings.Cut(path, " ")
			if have := total(who, call); have != want {
				t.Errorf("%s: %d, want %d", path, have, want)
			}
		}
		for _, path := range []string{"/process-instance/manager-page", "/task/manager-page"} {
			w.call("starter", "GET", path, nil, errs.CodeForbidden)
		}
		first := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/todo-page?pageSize=1", nil, 0)).List
		second := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/todo-page?pageSize=1&pageNo=2", nil, 0)).List
		if len(first) != 1 || len(second) != 1 || first[0].ProcessInstance.ID != other || second[0].ProcessInstance.ID != ids[2] || first[0].ProcessInstance.StartUserNickname != "STARTER" || first[0].SuspensionState != Active {
			t.Errorf("newest first: %+v %+v", first, second)
		}
		w.call("ann", "GET", "/task/todo-page?pageSize=501", nil, errs.CodeInvalid)
		done := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/done-page?status=2", nil, 0)).List[0]
		if done.EndTime == nil || *done.DurationInMillis != *done.EndTime-done.CreateTime || done.Reason != "同意" || done.Result != 2 {
			t.Errorf("%+v", done)
		}
	})
}

// TestCancel: by the starter where the model allows it, by administrators always; called
// processes end with their caller and not by themselves.
func TestCancel(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		cancel := func(who, call, id string, code int) {
			t.Helper()
			w.call(who, "DELETE", "/process-instance/"+call, body{"id": id, "reason": "有变"}, code)
		}
		w.publish("p", line(w.task("a", StrategyUser, "{ann}")), changes{"allowCancelRunningProcess": false})
		offered := func(process string) string {
			var list []bool
			for _, row := range into[store.Page[InstanceView]](w.office, w.call("starter", "GET", "/process-instance/my-page?processDefinitionKey="+process, nil, 0)).List {
				list = append(list, row.MayCancel)
			}
			return fmt.Sprint(list)
		}
		id := w.start("p", nil)
		w.want("not offered", offered("p"), "[false]")
		cancel("starter", "cancel", id, errCancelNotAllowed.Num)
		for _, who := range []string{"ann", "outsider", "admin"} {
			cancel(who, "cancel", id, errCancelNotYours.Num)
		}
		cancel("alien", "cancel", id, errInstanceMissing.Num)
		cancel("starter", "cancel-by-admin", id, errs.CodeForbidden)
		cancel("admin2", "cancel-by-admin", id, errInstanceMissing.Num)
		w.call("admin", "DELETE", "/process-instance/cancel-by-admin", body{"id": id}, errs.CodeInvalid)
		cancel("admin", "cancel-by-admin", id, 0)
		cancel("admin", "cancel-by-admin", id, errCancelNotRunning.Num)
		w.want("cancelled", w.history(id), "a ann 4")
		if n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'wf_instance'`, nil); err != nil || n != 1 {
			t.Errorf("%d traces %v", n, err)
		}
		if w.got("starter", msgApproved)+w.got("starter", msgRejected) != 0 {
			t.Error("a message about a cancelled instance")
		}

		w.publish("child", line(w.task("inner", StrategyUser, "{bob}")))
		w.publish("parent", line(`<callActivity id="call" name="子流程" calledElement="child"/>`, w.task("after", StrategyUser, "{cid}")))
		id = w.start("parent", nil)
		inner := into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/todo-page", nil, 0)).List[0]
		if n := into[store.Page[body]](w.office, w.call("starter", "GET", "/process-instance/my-page?processDefinitionKey=child", nil, 0)).Total; n != 0 {
			t.Error("a called process stands in the list")
		}
		cancel("starter", "cancel", inner.ProcessInstanceID, errChildInstance.Num)
		cancel("admin", "cancel-by-admin", inner.ProcessInstanceID, errChildInstance.Num)
		w.want("offered", offered("parent"), "[true]")
		cancel("starter", "cancel", id, 0)
		w.want("not again", offered("parent"), "[false]")
		w.want("the child too", w.state(inner.ProcessInstanceID), "ended 4")

		id = w.start("parent", nil)
		inner = into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/todo-page", nil, 0)).List[0]
		w.act("bob", "reject", inner.ID, body{"reason": "不行"}, 0)
		w.want("a rejected child rejects its caller", w.state(id), "ended 3")
		id = w.start("parent", nil)
		inner = into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/todo-page", nil, 0)).List[0]
		w.act("bob", "approve", inner.ID, nil, 0)
		w.want("an approved one goes on", w.state(id), "after cid")
		w.sound()
	})
}

// TestDetail: done, open and predicted steps, with people, for both kinds of callers.
func TestDetail(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		flow := func(id, from, to, inner string) string {
			return fmt.Sprintf(`<sequenceFlow id="%s" sourceRef="%s" targetRef="%s">%s</sequenceFlow>`, id, from, to, inner)
		}
		def := w.publish("p", `<startEvent id="s"/>`+flow("f1", "s", "a", "")+w.task("a", StrategyUser, "{ann}", `<flowable:fieldsPermission field="day" permission="2"/>`)+flow("f2", "a", "x", "")+
			`<exclusiveGateway id="x" default="f4"/>`+flow("f3", "x", "long", `<conditionExpression xsi:type="tFormalExpression">${day &gt; 3}</conditionExpression>`)+flow("f4", "x", "short", "")+
			w.task("long", StrategyStarterLeader, "2")+w.task("short", StrategyStarterLeader, "1")+flow("f5", "long", "e", "")+flow("f6", "short", "e", "")+`<endEvent id="e"/>`)
		path := func(d ApprovalDetail) string {
			var list []string
			for _, n := range d.ActivityNodes {
				text := fmt.Sprint(n.ID, " ", n.Status)
				for _, u := range n.CandidateUsers {
					text += " " + strings.ToLower(u.Nickname)
				}
				list = append(list, text)
			}
			return strings.Join(list, ", ")
		}
		detail := func(who, query string) ApprovalDetail {
			t.Helper()
			return into[ApprovalDetail](w.office, w.call(who, "GET", "/process-instance/get-approval-detail?"+query, nil, 0))
		}
		days := func(n int) string { return "&processVariablesStr=" + url.QueryEscape(fmt.Sprintf(`{"day":%d}`, n)) }
		w.want("to start, long", path(detail("starter", "processDefinitionId="+def+days(5))), "s -1, a -1 ann, long -1 dean, e -1")
		w.want("to start, short", path(detail("starter", "processDefinitionId="+def+days(1))), "s -1, a -1 ann, short -1 head, e -1")
		w.call("starter", "GET", "/process-instance/get-approval-detail?processDefinitionId="+def+"&processVariablesStr=%5B1", nil, errs.CodeInvalid)
		w.call("starter", "GET", "/process-instance/get-approval-detail", nil, errDefinitionMissing.Num)
		id := w.start("p", map[string]any{"day": 5})
		w.want("running", path(detail("starter", "processInstanceId="+id)), "s 2, a 1, long -1 dean, e -1")
		d := detail("ann", "taskId="+w.first(id))
		if d.TodoTask == nil || d.TodoTask.ID != w.first(id) || d.FormFieldsPermission["day"] != fieldWrite || d.Status != 1 {
			t.Errorf("%+v", d)
		}
		if d := detail("starter", "processInstanceId="+id); d.TodoTask != nil {
			t.Errorf("the starter has to do %+v", d.TodoTask)
		}
		next := into[[]ApprovalNode](w.office, w.call("ann", "GET", "/process-instance/get-next-approval-nodes?taskId="+w.first(id)+days(1), nil, 0))
		if len(next) != 1 || next[0].ID != "short" || !slices.Equal(next[0].CandidateUserIDs, w.ids("head")) {
			t.Errorf("next %+v", next)
		}
		w.approve("ann", id, "a")
		w.act("dean", "reject", w.taskOf(id, "long", "dean"), body{"reason": "太久"}, 0)
		w.want("rejected", path(detail("starter", "processInstanceId="+id)), "s 2, a 2, long 3, EndEvent 3")
		v := into[InstanceDiagram](w.office, w.call("starter", "GET", "/process-instance/get-bpmn-model-view?id="+id, nil, 0))
		if fmt.Sprint(v.FinishedTaskActivityIDs, v.UnfinishedTaskActivityIDs, v.RejectedTaskActivityIDs, v.FinishedSequenceFlowActivityIDs) != "[s a x] [] [long] [f1 f2 f3]" {
			t.Errorf("%v %v %v %v", v.FinishedTaskActivityIDs, v.UnfinishedTaskActivityIDs, v.RejectedTaskActivityIDs, v.FinishedSequenceFlowActivityIDs)
		}
		var keys []string
		for _, a := range into[[]ActivityView](w.office, w.call("starter", "GET", "/activity/list?processInstanceId="+id, nil, 0)) {
			if keys = append(keys, a.Key+":"+a.Type); a.EndTime == nil || (a.Type == "userTask") != (a.TaskID != "") {
				t.Errorf("%+v", a)
			}
		}
		w.want("activities", strings.Join(keys, " "), "s:startEvent f1:sequenceFlow a:userTask f2:sequenceFlow x:exclusiveGateway f3:sequenceFlow long:userTask")
		print := into[PrintData](w.office, w.call("starter", "GET", "/process-instance/get-print-data?processInstanceId="+id, nil, 0))
		if len(print.Tasks) != 2 || print.Tasks[0].Description != "ANN 审批通过 同意" || print.Tasks[1].Description != "DEAN 审批不通过 太久" {
			t.Errorf("%+v", print.Tasks)
		}
		w.publish("m", line(w.task("b", StrategyUser, "{bob},{cid}", allSign)))
		id = w.start("m", nil)
		w.approve("bob", id, "b")
		w.want("several", path(detail("starter", "processInstanceId="+id)), "s 2, b 1, e -1")
		w.approve("cid", id, "b")
		w.want("all of them", path(detail("starter", "processInstanceId="+id)), "s 2, b 2, EndEvent 2")
	})
}

// TestHiddenFields: what a step hides is hidden from its people everywhere, and from those
// to whom they copy the instance; the starter wrote it and sees it.
func TestHiddenFields(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		hidden := `<flowable:fieldsPermission field="note" permission="3"/>`
		def := w.publish("p", line(w.task("a", StrategyUser, "{ann}", hidden), w.task("b", StrategyUser, "{bob}")), changes{"formType": 10, "formId": w.form()})
		id := into[string](w.office, w.begin("starter", def, body{"variables": body{"day": 3, "note": "私密内容"}}, 0))
		w.act("ann", "copy", w.taskOf(id, "a", "ann"), body{"copyUserIds": w.ids("cid")}, 0)
		see := func(who string, want bool) {
			t.Helper()
			for _, call := range []string{"/process-instance/get?id=" + id, "/process-instance/get-approval-detail?processInstanceId=" + id, "/process-instance/get-bpmn-model-view?id=" + id,
				"/process-instance/get-print-data?processInstanceId=" + id, "/task/list-by-process-instance-id?processInstanceId=" + id, "/task/todo-page", "/task/done-page", "/process-instance/copy/page"} {
				a := w.call(who, "GET", call, nil, 0)
				if !want && strings.Contains(string(a.Raw), "私密内容") {
					t.Errorf("%s sees it in %s", who, call)
				}
				if want && strings.HasPrefix(call, "/process-instance/get?") && !strings.Contains(string(a.Raw), "私密内容") {
					t.Errorf("%s does not see it", who)
				}
			}
		}
		see("ann", false)
		see("cid", false)
		see("starter", true)
		see("admin", true)
		w.approve("ann", id, "a")
		see("ann", false)
		see("bob", true)
	})
}

// TestUrge: the starter reminds whoever it waits for, not too often.
func TestUrge(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("b", StrategyUser, "{bob},{cid}", allSign)))
		id := w.start("p", nil)
		urge := func(who string, code int) {
			t.Helper()
			w.call(who, "PUT", "/task/urge", body{"processInstanceId": id, "reason": "急"}, code)
		}
		urge("bob", errUrgeNotYours.Num)
		urge("outsider", errInstanceMissing.Num)
		urge("starter", 0)
		urge("starter", errUrgedAlready.Num)
		if w.got("bob", msgUrged) != 1 || w.got("cid", msgUrged) != 1 {
			t.Error("who waits was not told once")
		}
		id = w.start("p", nil)
		w.act("cid", "reject", w.taskOf(id, "b", "cid"), body{"reason": "x"}, 0)
		urge("starter", errNobodyToUrge.Num)
	})
}

// TestHostileText: what people type comes back as they typed it, or is refused.
func TestHostileText(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		def := w.publish("p", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{ann}")), changes{"titleSetting": body{"enable": true, "title": "{note}"}})
		for _, text := range []string{`'; DROP TABLE wf_task; --<script>alert(1)</script>`, "${7*7}{{7*7}}%s", "💥\u202e", "a\x00b", strings.Repeat("长", 3000)} {
			id := into[string](w.office, w.begin("starter", def, body{"variables": body{"note": text}}, 0))
			a := kerneltest.Scenario{Method: "PUT", URL: "/bpm/task/approve", As: w.tokens["ann"], Body: body{"id": w.first(id), "reason": text}}.Call(t, w.h)
			if a.Code == 0 {
				rows := into[[]InstanceTask](w.office, w.call("starter", "GET", "/task/list-by-process-instance-id?processInstanceId="+id, nil, 0))
				if rows[1].Reason != text {
					t.Errorf("%q became %q", text, rows[1].Reason)
				}
			} else if a.Code != errs.CodeInvalid {
				t.Errorf("%q: %s", text, a.Raw)
			}
			if a := w.call("starter", "GET", "/process-instance/my-page", nil, 0); strings.Contains(string(a.Raw), "49{{") {
				t.Error("a title was evaluated")
			}
		}
	})
}
