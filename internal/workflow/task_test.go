package workflow

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// taskOf is the wire id of the open task of an element with the person ("" is anybody).
func (w *desk) taskOf(instance, element, name string) string {
	w.t.Helper()
	for _, k := range w.view(instance).State.Tasks {
		if k.Element == element && (name == "" || k.AssigneeID == w.who[name] || k.AssigneeID == 0 && k.OwnerID == w.who[name]) {
			return runtime.ExecutionID(instance, k.ID)
		}
	}
	w.t.Fatalf("%s has no task %s in %q", name, element, w.state(instance))
	return ""
}

// act makes a changing call about a task.
func (w *desk) act(who, action, task string, in body, code int) kerneltest.Answer {
	w.t.Helper()
	m := body{"id": task}
	for k, v := range in {
		m[k] = v
	}
	method := "PUT"
	if action == "delete-sign" {
		method = "DELETE"
	}
	return w.call(who, method, "/task/"+action, m, code)
}

func (w *desk) approve(who, instance, element string, more ...body) {
	w.t.Helper()
	in := body{"reason": "同意"}
	for _, m := range more {
		for k, v := range m {
			in[k] = v
		}
	}
	w.act(who, "approve", w.taskOf(instance, element, who), in, 0)
}

// three people one after another.
func (w *desk) chain(key string, inner ...string) {
	w.t.Helper()
	w.publish(key, line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}", inner...), w.task("c", StrategyUser, "{cid}")))
}

// TestWhoMayDecide: the assignee, and nobody else, whatever his permissions.
func TestWhoMayDecide(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		task := w.taskOf(id, "a", "ann")
		why := body{"reason": "理由"}
		acts := map[string]body{"approve": why, "reject": why, "transfer": {"assigneeUserId": w.who["cid"], "reason": "x"}, "update-assignee": {"assigneeUserId": w.who["cid"]},
			"delegate": {"delegateUserId": w.who["cid"], "reason": "x"}, "return": {"targetDefinitionKey": "a", "reason": "x"}, "create-sign": {"userIds": w.ids("cid"), "type": "before", "reason": "x"}}
		for action, in := range acts {
			for _, who := range []string{"starter", "bob", "outsider", "admin"} {
				w.act(who, action, task, in, errNotYourTask.Num)
			}
			for _, who := range []string{"alien", "admin2"} {
				w.act(who, action, task, in, errTaskMissing.Num)
			}
			w.act("", action, task, in, errs.CodeUnauthenticated)
			for _, bad := range []string{"nothing", id, id + ".0", id + ".999", id + ".-1", "x.1", strings.Repeat("9", 90) + ".1"} {
				w.act("ann", action, bad, in, errTaskMissing.Num)
			}
		}
		w.want("untouched", w.state(id), "a ann")
		w.approve("ann", id, "a")
		w.act("ann", "approve", task, nil, errTaskMissing.Num) // done
		w.want("next", w.state(id), "b bob")
		w.act("bob", "transfer", w.taskOf(id, "b", "bob"), body{"assigneeUserId": w.who["dean"], "reason": "出差"}, 0)
		w.act("bob", "approve", w.taskOf(id, "b", "dean"), nil, errNotYourTask.Num) // former assignee
		w.approve("dean", id, "b")
		w.act("cid", "reject", w.taskOf(id, "c", "cid"), body{}, errs.CodeInvalid)
		w.act("cid", "reject", w.taskOf(id, "c", "cid"), body{"reason": "材料不全"}, 0)
		w.want("rejected", w.state(id), "ended 3")
		w.want("rejected", w.history(id), "a ann 2, b dean 2, c cid 3")
		if w.got("starter", msgRejected) != 1 || w.got("dean", msgAssigned) != 1 {
			t.Error("messages")
		}
		w.sound()
	})
}

// TestTwoDeciders: of two decisions at once exactly one counts, whichever they are.
func TestTwoDeciders(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		for range 5 {
			id := w.start("p", nil)
			task := w.taskOf(id, "a", "ann")
			codes := make([]int, 6)
			var all sync.WaitGroup
			for i := range codes {
				all.Go(func() {
					action := []string{"approve", "reject", "transfer"}[i%3]
					in := body{"id": task, "reason": "x", "assigneeUserId": w.who["cid"]}
					codes[i] = kerneltest.Scenario{Method: "PUT", URL: "/bpm/task/" + action, As: w.tokens["ann"], Body: in}.Call(t, w.h).Code
				})
			}
			all.Wait()
			won := 0
			for _, code := range codes {
				switch code {
				case 0:
					won++
				case errTaskMissing.Num, errNotYourTask.Num, errTransferSelf.Num:
				default:
					t.Errorf("code %d", code)
				}
			}
			if won != 1 {
				t.Errorf("%d decisions counted: %v", won, codes)
			}
		}
		w.sound()
	})
}

// TestWrongState: ended, cancelled and suspended instances take no decision.
func TestWrongState(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		task := w.taskOf(id, "a", "ann")
		suspend := func(do engine.Action) {
			t.Helper()
			if _, err := w.s.engine.Do(w.as("starter"), runtime.Command{Instance: id, Action: do}); err != nil {
				t.Fatal(err)
			}
		}
		suspend(&engine.Suspend{})
		w.act("ann", "approve", task, nil, errInstanceSuspended.Num)
		w.act("ann", "delegate", task, body{"delegateUserId": w.who["bob"], "reason": "x"}, errInstanceSuspended.Num)
		if n := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/todo-page", nil, 0)).Total; n != 0 {
			t.Errorf("%d tasks of a suspended instance to do", n)
		}
		w.call("starter", "DELETE", "/process-instance/cancel", body{"id": id, "reason": "x"}, errCancelNotRunning.Num)
		suspend(&engine.Resume{})
		w.call("starter", "DELETE", "/process-instance/cancel", body{"id": id, "reason": "不请了"}, 0)
		w.act("ann", "approve", task, nil, errTaskMissing.Num)
		w.want("cancelled", w.history(id), "a ann 4")
		w.act("ann", "approve-by-admin", task, body{"reason": "x"}, errs.CodeForbidden)
		w.act("admin", "approve-by-admin", task, body{"reason": "x"}, errTaskMissing.Num)
	})
}

// TestDelegate: the delegate advises, the owner decides.
func TestDelegate(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		for _, advice := range []string{"approve", "reject"} {
			id := w.start("p", nil)
			task := w.taskOf(id, "a", "ann")
			w.act("ann", "delegate", task, body{"delegateUserId": w.who["ann"], "reason": "x"}, errDelegateSelf.Num)
			for _, nobody := range []int64{w.who["gone"], w.alien, 900_000} {
				w.act("ann", "delegate", task, body{"delegateUserId": nobody, "reason": "x"}, errDelegateWhom.Num)
			}
			w.act("ann", "delegate", task, body{"delegateUserId": w.who["bob"], "reason": "请看看"}, 0)
			w.want("delegated", w.state(id), "a bob")
			w.act("ann", "approve", task, nil, errNotYourTask.Num)
			for action, in := range map[string]body{"delegate": {"delegateUserId": w.who["cid"], "reason": "x"}, "return": {"targetDefinitionKey": "a", "reason": "x"},
				"create-sign": {"userIds": w.ids("cid"), "type": "after", "reason": "x"}} {
				w.act("bob", action, task, in, errTaskDelegated.Num)
			}
			w.act("bob", "transfer", task, body{"assigneeUserId": w.who["dean"]}, 0) // the advice, not the decision
			rows := into[[]InstanceTask](w.office, w.call("ann", "GET", "/task/list-by-process-instance-id?processInstanceId="+id, nil, 0))
			if rows[0].Result != resultDelegated || rows[0].Status != 1 || rows[0].OwnerUser.ID != w.who["ann"] {
				t.Errorf("%+v", rows[0].TaskView)
			}
			w.act("dean", advice, task, body{"reason": "我看可以"}, 0)
			w.want("handed back", w.state(id), "a ann")
			w.approve("ann", id, "a")
			w.want("decided", w.state(id), "b bob")
			var said []string
			for _, c := range into[[]CommentView](w.office, w.call("starter", "GET", "/comment/list-by-process-instance-id?processInstanceId="+id, nil, 0)) {
				said = append(said, fmt.Sprint(c.Type, " ", c.User.Nickname))
			}
			w.want("comments", strings.Join(said, ", "), "5 ANN, 7 BOB, 6 DEAN, 1 ANN")
		}
		w.sound()
	})
}

// TestTransfer: the task is the other's for good, and its first assignee its owner.
func TestTransfer(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		task := w.taskOf(id, "a", "ann")
		w.act("ann", "transfer", task, body{"assigneeUserId": w.who["ann"], "reason": "x"}, errTransferSelf.Num)
		for _, nobody := range []int64{w.who["gone"], w.alien, 900_000} {
			w.act("ann", "transfer", task, body{"assigneeUserId": nobody, "reason": "x"}, errTransferWhom.Num)
		}
		w.act("ann", "transfer", task, body{"assigneeUserId": w.who["bob"], "reason": "出差"}, 0)
		w.act("bob", "update-assignee", task, body{"assigneeUserId": w.who["cid"]}, 0)
		k := w.view(id).State.Tasks[0]
		if k.AssigneeID != w.who["cid"] || k.OwnerID != w.who["ann"] || w.got("cid", msgAssigned) != 1 {
			t.Errorf("%+v", k)
		}
		w.act("cid", "transfer", task, body{"assigneeUserId": w.who["ann"]}, 0)
		w.approve("ann", id, "a")
		w.sound()
	})
}

// TestReturn: back to decided steps on the way, to the same person; what lies between is
// ended and asked again.
func TestReturn(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann},{dean},{rector}"), w.task("b", StrategyUser, "{bob}"), w.task("c", StrategyUser, "{cid}")), changes{"autoApprovalType": 1})
		id := w.start("p", nil)
		first := w.name(w.view(id).State.Tasks[0].AssigneeID)
		w.approve(first, id, "a")
		w.approve("bob", id, "b")
		task := w.taskOf(id, "c", "cid")
		for _, name := range []string{"return-list?taskId=", "get-return-list?taskId=", "list-by-return?id="} {
			list := into[[]ReturnTarget](w.office, w.call("cid", "GET", "/task/"+name+task, nil, 0))
			if len(list) != 2 || list[0].DefinitionKey != "a" || list[1].TaskDefinitionKey != "b" || list[0].Name != "任务 a" {
				t.Errorf("%s: %+v", name, list)
			}
		}
		if list := into[[]ReturnTarget](w.office, w.call("starter", "GET", "/task/return-list?taskId="+task, nil, 0)); len(list) != 0 {
			t.Errorf("the starter may return to %+v", list)
		}
		w.call("outsider", "GET", "/task/return-list?taskId="+task, nil, errTaskMissing.Num)
		for target, code := range map[string]int{"c": errNotReachable.Num, "s": errNoTarget.Num, "nowhere": errNoTarget.Num, "": errNoTarget.Num} {
			w.act("cid", "return", task, body{"targetDefinitionKey": target, "reason": "x"}, code)
		}
		w.act("cid", "return", task, body{"targetTaskDefinitionKey": "a", "reason": "请补充"}, 0)
		w.want("returned", w.state(id), "a "+first)
		w.approve(first, id, "a")
		w.want("asked again, though he approved before", w.state(id), "b bob")
		w.approve("bob", id, "b")
		w.approve("cid", id, "c")
		w.want("in the end", w.history(id), fmt.Sprintf("a %s 2, b bob 2, c cid 5, a %s 2, b bob 2, c cid 2", first, first))
		w.sound()
	})
}

// forked is a, then b and c side by side, then d.
func (w *desk) forked(key string) {
	w.t.Helper()
	flow := func(n int, from, to string) string {
		return fmt.Sprintf(`<sequenceFlow id="f%d" sourceRef="%s" targetRef="%s"/>`, n, from, to)
	}
	w.publish(key, `<startEvent id="s"/>`+w.task("a", StrategyUser, "{ann}")+`<parallelGateway id="split"/>`+w.task("b", StrategyUser, "{bob}")+w.task("b2", StrategyUser, "{dean}")+
		w.task("c", StrategyUser, "{cid}")+`<parallelGateway id="join"/>`+w.task("d", StrategyUser, "{rector}")+`<endEvent id="e"/>`+
		flow(1, "s", "a")+flow(2, "a", "split")+flow(3, "split", "b")+flow(4, "b", "b2")+flow(5, "b2", "join")+flow(6, "split", "c")+flow(7, "c", "join")+flow(8, "join", "d")+flow(9, "d", "e"))
}

// TestReturn_branches: within a branch, never across a gateway that runs branches side by
// side; the other branch goes on undisturbed. Out of a multi-instance step all its tasks
// end together.
func TestReturn_branches(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.forked("p")
		id := w.start("p", nil)
		w.approve("ann", id, "a")
		w.act("bob", "return", w.taskOf(id, "b", "bob"), body{"targetDefinitionKey": "a", "reason": "x"}, errNotReachable.Num)
		w.approve("bob", id, "b")
		w.act("dean", "return", w.taskOf(id, "b2", "dean"), body{"targetDefinitionKey": "c", "reason": "x"}, errNotReachable.Num)
		w.act("dean", "return", w.taskOf(id, "b2", "dean"), body{"targetDefinitionKey": "b", "reason": "再看"}, 0)
		w.want("the other branch stays", w.state(id), "c cid, b bob")
		w.approve("bob", id, "b")
		w.approve("dean", id, "b2")
		w.approve("cid", id, "c")
		w.act("rector", "return", w.taskOf(id, "d", "rector"), body{"targetDefinitionKey": "b2", "reason": "x"}, errNotReachable.Num)
		w.approve("rector", id, "d")
		w.want("joined", w.state(id), "ended 2")

		w.publish("m", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob},{cid},{dean}", allSign), w.task("c", StrategyUser, "{rector}")))
		id = w.start("m", nil)
		w.approve("ann", id, "a")
		w.approve("bob", id, "b")
		w.act("cid", "return", w.taskOf(id, "b", "cid"), body{"targetDefinitionKey": "a", "reason": "x"}, 0)
		w.want("out of a multi-instance step", w.history(id), "a ann 2, b bob 2, b cid 5, b dean 4, a ann 1")
		w.approve("ann", id, "a")
		for _, name := range []string{"bob", "cid", "dean"} {
			w.approve(name, id, "b")
		}
		w.act("rector", "return", w.taskOf(id, "c", "rector"), body{"targetDefinitionKey": "b", "reason": "x"}, 0)
		w.want("into one", w.state(id), "b bob, b cid, b dean")
		w.sound()
	})
}

// TestReturn_subProcess: out of a sub-process to what stands before it, not into one.
func TestReturn_subProcess(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		sub := `<subProcess id="sub"><startEvent id="s2"/><sequenceFlow id="g1" sourceRef="s2" targetRef="b"/>` + w.task("b", StrategyUser, "{bob}") + `<sequenceFlow id="g2" sourceRef="b" targetRef="e2"/><endEvent id="e2"/></subProcess>`
		w.publish("p", line(w.task("a", StrategyUser, "{ann}"), sub, w.task("c", StrategyUser, "{cid}")))
		id := w.start("p", nil)
		w.approve("ann", id, "a")
		w.act("bob", "return", w.taskOf(id, "b", "bob"), body{"targetDefinitionKey": "a", "reason": "x"}, 0)
		w.want("out", w.state(id), "a ann")
		w.approve("ann", id, "a")
		w.approve("bob", id, "b")
		w.act("cid", "return", w.taskOf(id, "c", "cid"), body{"targetDefinitionKey": "b", "reason": "x"}, errNotReachable.Num)
		w.act("cid", "return", w.taskOf(id, "c", "cid"), body{"targetDefinitionKey": "a", "reason": "x"}, 0)
		w.want("over it", w.state(id), "a ann")
		w.sound()
	})
}

// TestReject_returns: a model may turn a rejection into a way back; one that leads
// nowhere ends the process.
func TestReject_returns(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p", setting("rejectHandlerType", "2"), setting("rejectReturnTaskId", "a"))
		id := w.start("p", nil)
		w.approve("ann", id, "a")
		w.act("bob", "reject", w.taskOf(id, "b", "bob"), body{"reason": "重写"}, 0)
		w.want("back", w.history(id), "a ann 2, b bob 3, a ann 1")
		w.chain("q", setting("rejectHandlerType", "2"), setting("rejectReturnTaskId", "nowhere"))
		id = w.start("q", nil)
		w.approve("ann", id, "a")
		w.act("bob", "reject", w.taskOf(id, "b", "bob"), body{"reason": "重写"}, 0)
		w.want("nowhere", w.state(id), "ended 3")
		w.publish("m", line(w.task("b", StrategyUser, "{bob},{cid},{dean}", allSign)))
		id = w.start("m", nil)
		w.act("cid", "reject", w.taskOf(id, "b", "cid"), body{"reason": "不行"}, 0)
		w.want("one of several", w.history(id), "b bob 4, b cid 3, b dean 4")
		w.sound()
	})
}

// TestSignBefore: the signers first, then the assignee again.
func TestSignBefore(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		task := w.taskOf(id, "a", "ann")
		sign := func(who, task, kind string, users []int64, code int) {
			t.Helper()
			w.act(who, "create-sign", task, body{"userIds": users, "type": kind, "reason": "请会签"}, code)
		}
		sign("ann", task, "before", nil, errs.CodeInvalid)
		sign("ann", task, "beside", w.ids("bob"), errs.CodeInvalid)
		sign("ann", task, "before", w.ids("gone"), errSignWhom.Num)
		sign("ann", task, "before", []int64{w.alien}, errSignWhom.Num)
		sign("ann", task, "before", w.ids("bob", "ann"), errSignTwice.Num)
		sign("ann", task, "before", w.ids("bob", "cid"), 0)
		w.want("waiting", w.state(id), "a - 0, +a bob, +a cid")
		w.act("ann", "approve", task, nil, errNotYourTask.Num)
		sign("ann", task, "before", w.ids("dean"), errNotYourTask.Num)
		sign("bob", w.taskOf(id, "a", "bob"), "before", w.ids("cid"), errSignTwice.Num)
		sign("bob", w.taskOf(id, "a", "bob"), "before", w.ids("dean"), 0) // a tree
		w.want("tree", w.state(id), "a - 0, +a - 0, +a cid, +a dean")
		rows := into[[]InstanceTask](w.office, w.call("starter", "GET", "/task/list-by-process-instance-id?processInstanceId="+id, nil, 0))
		if len(rows) != 1 || rows[0].Result != resultWaitsBefore || len(rows[0].Children) != 2 || len(rows[0].Children[1].Children)+len(rows[0].Children[0].Children) != 1 {
			t.Errorf("%+v", rows)
		}
		w.approve("dean", id, "a")
		w.want("back to the middle", w.state(id), "a - 0, +a bob, +a cid")
		w.approve("cid", id, "a")
		w.approve("bob", id, "a")
		w.want("back to the top", w.state(id), "a ann")
		sign("ann", task, "after", w.ids("bob"), 0) // the earlier signers are done
		w.approve("ann", id, "a")
		w.approve("bob", id, "a")
		w.want("on", w.state(id), "b bob")
		w.sound()
	})
}

// TestSignAfter: the assignee first, then the signers; the task ends with the last one.
func TestSignAfter(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		task := w.taskOf(id, "a", "ann")
		w.act("ann", "create-sign", task, body{"userIdList": w.ids("bob", "cid"), "type": "after", "reason": "x"}, 0)
		w.want("before the decision", w.state(id), "a ann, +a - 0, +a - 0")
		w.act("bob", "approve", w.taskOf(id, "a", "bob"), nil, errNotYourTask.Num)
		w.act("ann", "create-sign", task, body{"userIds": w.ids("dean"), "type": "before", "reason": "x"}, errSignMixed.Num)
		w.act("ann", "create-sign", task, body{"userIds": w.ids("bob"), "type": "after", "reason": "x"}, errSignTwice.Num)
		w.act("ann", "create-sign", task, body{"userIds": w.ids("dean"), "type": "after", "reason": "x"}, 0)
		if w.got("bob", msgAssigned) != 0 {
			t.Error("bob was told before his turn")
		}
		w.approve("ann", id, "a")
		w.want("approving", w.state(id), "a ann 7, +a bob, +a cid, +a dean")
		if w.got("bob", msgAssigned) != 1 {
			t.Error("bob was not told")
		}
		w.act("ann", "approve", task, nil, errNotYourTask.Num)
		w.act("bob", "create-sign", w.taskOf(id, "a", "bob"), body{"userIds": w.ids("rector"), "type": "after", "reason": "x"}, 0)
		w.approve("bob", id, "a")
		w.approve("cid", id, "a")
		w.approve("dean", id, "a")
		w.want("a tree", w.state(id), "a ann 7, +a bob 7, +a rector")
		w.approve("rector", id, "a")
		w.want("upward", w.state(id), "b bob")
		w.want("upward", w.history(id), "a ann 2, a bob 2, a cid 2, a dean 2, a rector 2, b bob 1")

		id = w.start("p", nil)
		w.act("ann", "create-sign", w.taskOf(id, "a", "ann"), body{"userIds": w.ids("bob"), "type": "before", "reason": "x"}, 0)
		w.act("bob", "create-sign", w.taskOf(id, "a", "bob"), body{"userIds": w.ids("cid"), "type": "before", "reason": "x"}, 0)
		w.act("cid", "reject", w.taskOf(id, "a", "cid"), body{"reason": "不同意"}, 0)
		w.want("a signer rejects", w.history(id), "a - 3, a - 4, a cid 3")
		w.want("a signer rejects", w.state(id), "ended 3")
		w.sound()
	})
}

// TestDeleteSign: whoever added a signer may remove him, with all that hangs below.
func TestDeleteSign(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		for _, kind := range []string{"before", "after"} {
			id := w.start("p", nil)
			task := w.taskOf(id, "a", "ann")
			remove := func(who, task string, code int) {
				t.Helper()
				w.act(who, "delete-sign", task, body{"reason": "不需要了"}, code)
			}
			remove("ann", task, errNotSigned.Num)
			w.act("ann", "create-sign", task, body{"userIds": w.ids("bob", "cid"), "type": kind, "reason": "x"}, 0)
			bob, cid := w.taskOf(id, "a", "bob"), w.taskOf(id, "a", "cid")
			for _, name := range []string{"children-list?parentId=", "list-by-parent-task-id?parentTaskId="} {
				if list := into[[]TaskView](w.office, w.call("ann", "GET", "/task/"+name+task, nil, 0)); len(list) != 2 || list[0].AssigneeUser == nil {
					t.Errorf("%s%+v", name, list)
				}
				w.call("outsider", "GET", "/task/"+name+task, nil, errTaskMissing.Num)
			}
			for _, who := range []string{"bob", "starter", "outsider", "admin"} {
				remove(who, bob, errNotYourTask.Num)
			}
			remove("alien", bob, errTaskMissing.Num)
			if kind == "before" {
				w.act("bob", "create-sign", bob, body{"userIds": w.ids("dean"), "type": "before", "reason": "x"}, 0)
			}
			remove("ann", bob, 0)
			remove("ann", bob, errTaskMissing.Num)
			remove("ann", cid, 0)
			w.want(kind+": nobody left", w.state(id), "a ann")
			w.approve("ann", id, "a")
			w.want(kind, w.state(id), "b bob")
			id = w.start("p", nil)
			w.act("ann", "create-sign", w.taskOf(id, "a", "ann"), body{"userIds": w.ids("bob", "cid"), "type": kind, "reason": "x"}, 0)
			if kind == "after" {
				w.approve("ann", id, "a")
			}
			w.approve("bob", id, "a")
			remove("ann", w.taskOf(id, "a", "cid"), 0)
			w.want(kind+": the last one goes", w.state(id), map[string]string{"before": "a ann", "after": "b bob"}[kind])
		}
		w.sound()
	})
}

// TestWithdraw: while nobody has decided what followed.
func TestWithdraw(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		back := func(who, task string, code int) {
			t.Helper()
			w.call(who, "PUT", "/task/withdraw?taskId="+task, nil, code)
		}
		offered := func(who, process string, want bool) {
			t.Helper()
			found := 0
			for _, k := range into[store.Page[TaskView]](w.office, w.call(who, "GET", "/task/done-page?status=2&processDefinitionKey="+process, nil, 0)).List {
				found++
				if k.MayWithdraw != want {
					t.Errorf("%s in %s: %+v", who, process, k)
				}
			}
			if found == 0 {
				t.Errorf("%s did nothing in %s", who, process)
			}
		}
		w.publish("p", line(w.task("a", StrategyUser, "{ann},{dean}"), w.task("b", StrategyUser, "{bob}"), w.task("c", StrategyUser, "{cid}")))
		id := w.start("p", nil)
		first := w.name(w.view(id).State.Tasks[0].AssigneeID)
		task := w.taskOf(id, "a", first)
		back(first, task, errWithdrawWhat.Num) // not decided yet
		w.approve(first, id, "a")
		for _, who := range []string{"starter", "bob", "outsider", "admin", "alien"} {
			back(who, task, errWithdrawWhat.Num)
		}
		back(first, "nothing", errWithdrawWhat.Num)
		offered(first, "p", true)
		back(first, task, 0)
		w.want("withdrawn", w.history(id), "a "+first+" 2, b bob 4, a "+first+" 1")
		back(first, task, errWithdrawLate.Num)
		w.approve(first, id, "a")
		w.approve("bob", id, "b")
		back(first, task, errWithdrawLate.Num)
		mine := ""
		for _, k := range into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/done-page?status=2", nil, 0)).List {
			mine = k.ID
		}
		back("bob", mine, 0)
		w.want("from the middle", w.state(id), "b bob")
		w.approve("bob", id, "b")
		w.approve("cid", id, "c")
		back("bob", mine, errWithdrawEnded.Num)
		offered("bob", "p", false)

		w.publish("q", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}")), changes{"allowWithdrawTask": false})
		id = w.start("q", nil)
		task = w.taskOf(id, "a", "ann")
		w.approve("ann", id, "a")
		back("ann", task, errWithdrawMay.Num)
		offered("ann", "q", false)

		w.forked("f")
		id = w.start("f", nil)
		task = w.taskOf(id, "a", "ann")
		w.approve("ann", id, "a")
		back("ann", task, errWithdrawLate.Num) // two branches follow: not one task after another
		w.sound()
	})
}

// TestClaim: one of the candidates of the diagram takes the task; only then he decides.
func TestClaim(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(`<userTask id="check" name="审核" camunda:candidateUsers="ann,bob"/>`))
		id := w.start("p", nil)
		task := w.taskOf(id, "check", "")
		claim := func(who string, code int) { t.Helper(); w.call(who, "PUT", "/task/claim?id="+task, nil, code) }
		w.act("ann", "approve", task, nil, errNotYourTask.Num)
		for _, who := range []string{"starter", "cid", "admin"} {
			claim(who, errNotYourTask.Num)
		}
		claim("alien", errTaskMissing.Num)
		if n := into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/claimable-page", nil, 0)).Total; n != 1 {
			t.Errorf("%d claimable", n)
		}
		claim("bob", 0)
		claim("ann", errNotYourTask.Num)
		if n := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/claimable-page", nil, 0)).Total; n != 0 {
			t.Errorf("%d claimable after the claim", n)
		}
		if page := into[store.Page[TaskView]](w.office, w.call("bob", "GET", "/task/todo-page", nil, 0)); page.Total != 1 || page.List[0].ClaimTime == nil {
			t.Errorf("%+v", page)
		}
		w.approve("bob", id, "check")
		w.want("claimed", w.state(id), "ended 2")
		w.sound()
	})
}

// TestAdministrator acts on a task of somebody, or of nobody, with a reason and a trace.
func TestAdministrator(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.chain("p")
		id := w.start("p", nil)
		w.act("admin", "assign-by-admin", w.taskOf(id, "a", "ann"), body{"assigneeUserId": w.who["gone"], "reason": "休假"}, errTransferWhom.Num)
		w.act("admin", "assign-by-admin", w.taskOf(id, "a", "ann"), body{"assigneeUserId": w.who["dean"]}, errs.CodeInvalid)
		w.act("admin", "assign-by-admin", w.taskOf(id, "a", "ann"), body{"assigneeUserId": w.who["dean"], "reason": " "}, errs.CodeInvalid)
		w.act("admin", "assign-by-admin", w.taskOf(id, "a", "ann"), body{"assigneeUserId": w.who["dean"], "reason": "休假"}, 0)
		w.want("assigned", w.state(id), "a dean")
		w.act("admin", "approve-by-admin", w.taskOf(id, "a", "dean"), body{"reason": "授权代办"}, 0)
		w.act("bob", "create-sign", w.taskOf(id, "b", "bob"), body{"userIds": w.ids("cid"), "type": "before", "reason": "x"}, 0)
		w.act("admin", "approve-by-admin", w.taskOf(id, "b", "bob"), body{"reason": "x"}, errSignersFirst.Num)
		w.act("admin", "reject-by-admin", w.taskOf(id, "b", "cid"), body{"reason": "违规"}, 0)
		w.want("rejected", w.state(id), "ended 3")
		for _, action := range []string{"assign-by-admin", "approve-by-admin", "reject-by-admin"} {
			w.act("starter", action, id+".3", body{"assigneeUserId": w.who["dean"], "reason": "x"}, errs.CodeForbidden)
			w.act("admin2", action, id+".3", body{"assigneeUserId": 1, "reason": "x"}, errTaskMissing.Num)
		}
		n, err := store.One[int64](kerneltest.AsSystem(w.db, 1), `SELECT COUNT(*) FROM audit_log WHERE tenant_id = :tenant AND entity = 'wf_task'`, nil)
		if err != nil || n != 3 {
			t.Errorf("%d traces %v", n, err)
		}

		w.publish("q", line(w.task("check", StrategyFormUser, "handler")))
		id = w.start("q", nil)
		task := w.taskOf(id, "check", "")
		for _, who := range []string{"admin", "ann", "starter"} {
			w.act(who, "approve", task, nil, errNotYourTask.Num)
		}
		w.act("admin", "assign-by-admin", task, body{"assigneeUserId": w.who["cid"], "reason": "补位"}, 0)
		w.approve("cid", id, "check")
		w.sound()
	})
}

// TestDecisionInput: signature, opinion, form values, and people for the next task.
func TestDecisionInput(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		fields := `<flowable:fieldsPermission field="day" permission="2"/><flowable:fieldsPermission field="secret" permission="3"/><flowable:fieldsPermission field="note" permission="1"/>`
		w.publish("p", line(w.task("a", StrategyUser, "{ann}", setting("signEnable", "true"), setting("reasonRequire", "true"), fields), w.task("b", StrategyApproverPicks, ""), w.task("c", StrategyUser, "{cid}")))
		id := w.start("p", map[string]any{"day": 1, "secret": "s", "note": "n"})
		task := w.taskOf(id, "a", "ann")
		sign := "/infra/file/1"
		w.act("ann", "approve", task, body{"reason": "同意"}, errSignature.Num)
		w.act("ann", "approve", task, body{"reason": " ", "signPicUrl": sign}, errOpinion.Num)
		w.act("ann", "approve", task, body{"reason": "同意", "signPicUrl": "javascript:alert(1)"}, errs.CodeInvalid)
		w.act("ann", "approve", task, body{"reason": "同意", "signPicUrl": sign, "attachments": []string{"data:x"}}, errs.CodeInvalid)
		w.act("ann", "approve", task, body{"reason": "同意", "signPicUrl": sign}, errNextPeople.Num)
		w.act("ann", "approve", task, body{"reason": "同意", "signPicUrl": sign, "nextAssignees": body{"b": w.ids("gone")}}, errPickUnknown.Num)
		if next := into[[]ApprovalNode](w.office, w.call("ann", "GET", "/process-instance/get-next-approval-nodes?taskId="+task, nil, 0)); len(next) != 1 || next[0].ID != "b" || *next[0].CandidateStrategy != 34 {
			t.Errorf("next %+v", next)
		}
		shown := into[InstanceDetail](w.office, w.call("ann", "GET", "/process-instance/get?id="+id, nil, 0)).FormVariables
		if _, there := shown["secret"]; there || shown["note"] != "n" {
			t.Errorf("ann sees %v", shown)
		}
		w.approve("ann", id, "a", body{"signPicUrl": sign, "attachments": []string{"https://x.example/a.pdf"}, "nextAssignees": body{"b": w.ids("bob"), "c": w.ids("bob")},
			"variables": body{"day": 9, "note": "changed", "secret": "known", "initiator": 1, "PROCESS_START_USER_ID": 7}})
		w.want("picked", w.state(id), "b bob")
		vars := documentVars(w.view(id).State.Instance.Vars)
		if fmt.Sprint(vars["day"], vars["note"], vars["secret"], vars["initiator"], vars[varStarter]) != fmt.Sprint(int64(9), "n", "s", nil, w.who["starter"]) {
			t.Errorf("variables %v", vars)
		}
		rows := into[[]InstanceTask](w.office, w.call("starter", "GET", "/task/list-by-process-instance-id?processInstanceId="+id, nil, 0))
		if last := rows[len(rows)-1]; last.SignPicURL != sign || len(last.Attachments) != 1 || last.Reason != "同意" {
			t.Errorf("%+v", last.TaskView)
		}
		w.approve("bob", id, "b")
		w.want("not his to pick", w.state(id), "c cid")
	})
}

// TestRepeatedRequest: the same key gives the first answer, and nothing happens twice.
func TestRepeatedRequest(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{ann}")))
		id := w.start("p", nil)
		for range 3 {
			s := kerneltest.Scenario{Method: "PUT", URL: "/bpm/task/approve", As: w.tokens["ann"], Headers: map[string]string{"Idempotency-Key": "k1"}, Body: body{"id": w.first(id), "reason": "同意"}}
			if a := s.Call(t, w.h); a.Code != 0 {
				t.Fatalf("%s", a.Raw)
			}
		}
		w.want("once", w.history(id), "a ann 2, b ann 1")
	})
}

// first is the wire id of the first task of an instance.
func (w *desk) first(instance string) string {
	w.t.Helper()
	tasks, err := w.s.engine.Tasks(kerneltest.AsSystem(w.db, 1), instance)
	if err != nil || len(tasks) == 0 {
		w.t.Fatal(err)
	}
	return runtime.ExecutionID(instance, tasks[0].ID)
}
