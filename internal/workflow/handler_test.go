package workflow

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/workflow/runtime"
)

func noticeFields(to, text string) string {
	return `<flowable:field name="to" stringValue="` + to + `"/><flowable:field name="text"><flowable:expression>` + text + `</flowable:expression></flowable:field>`
}

// TestNotify: the message goes out from a service task and from listeners of both kinds,
// with an evaluated text; users who cannot act any more are passed over.
func TestNotify(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		ids := w.ids("bob", "gone")
		people := strings.Trim(text(ids), "[]")
		w.publish("p", line(
			w.task("a", StrategyUser, "{ann}", `<flowable:taskListener event="assignment" class="notify">`+noticeFields("assignee", "已到达")+`</flowable:taskListener>`),
			`<serviceTask id="tell" flowable:class="notify"><extensionElements>`+noticeFields(people, "金额 ${amount}")+`</extensionElements></serviceTask>`,
			w.task("b", StrategyUser, "{bob}", `<flowable:executionListener event="start" class="notify">`+noticeFields("starter", "到了 b")+`</flowable:executionListener>`)))
		id := w.start("p", map[string]any{"amount": 30})
		if n := w.got("ann", msgNotice); n != 1 {
			t.Errorf("the assignee got %d", n)
		}
		w.approve("ann", id, "a")
		for name, want := range map[string]int64{"bob": 1, "gone": 0, "starter": 1, "ann": 1} {
			if n := w.got(name, msgNotice); n != want {
				t.Errorf("%s got %d, want %d", name, n, want)
			}
		}
		w.sound()
	})
}

// A receiver that names nobody fails the command, and nothing of it stays.
func TestNotify_nobody(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		for _, to := range []string{"everybody", "assignee"} {
			w.publish(to, line(w.task("a", StrategyUser, "{ann}"), `<serviceTask id="tell" name="通知" flowable:class="notify"><extensionElements>`+noticeFields(to, "x")+`</extensionElements></serviceTask>`))
			id := w.start(to, nil)
			before := w.state(id)
			a := kerneltest.Scenario{Method: "PUT", URL: "/bpm/task/approve", As: w.tokens["ann"], Body: body{"id": w.taskOf(id, "a", "ann"), "reason": "同意"}}.Call(t, w.h)
			if a.Code == 0 || !strings.Contains(a.Msg, "notify:") {
				t.Errorf("%s: %d %s", to, a.Code, a.Msg)
			}
			w.want(to, w.state(id), before)
		}
		w.sound()
	})
}

func TestHandlers_listed(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.s.RegisterAssignRule("DEAN", "院长|dean", nobodyKnown)
		for lang, title := range map[string]string{"zh": "发送站内信", "en": "Send an internal message"} {
			a := kerneltest.Scenario{URL: "/bpm/model/handlers", As: w.tokens["admin"], Lang: lang}.Call(t, w.h)
			var list []HandlerView
			if err := json.Unmarshal(a.Data, &list); err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(list, func(h HandlerView) bool { return h.Name == "notify" })
			if at < 0 || list[at].Title != title || len(list[at].Fields) != 2 || !slices.Contains(list[at].Uses, runtime.ForTask) {
				t.Errorf("%s: %+v", lang, list)
			}
			rule := map[string]string{"zh": "院长", "en": "dean"}[lang]
			if !slices.ContainsFunc(list, func(h HandlerView) bool { return h.Kind == "rule" && h.Name == "DEAN" && h.Title == rule }) {
				t.Errorf("%s: the rule is missing in %+v", lang, list)
			}
		}
		w.call("ann", "GET", "/model/handlers", nil, 403)
	})
}

// TestScripts: the operator opens them to a tenant, and deploying them needs a permission
// of its own; who starts and decides needs none.
func TestScripts(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		open := "0"
		w.s.ConfigValue = func(_ context.Context, key string) (string, error) {
			if key != keyScriptTenants {
				t.Errorf("asked for %s", key)
			}
			return open, nil
		}
		content := line(`<scriptTask id="double" scriptFormat="javascript" flowable:resultVariable="twice"><script>amount * 2</script></scriptTask>`, w.task("a", StrategyUser, "{ann}"))
		in := body{"key": "p", "name": "流程 p", "category": "finance", "formType": 20, "formCustomCreatePath": "/a", "formCustomViewPath": "/b", "bpmnXml": diagram("p", "流程 p", content)}
		id := into[string](w.office, w.call("admin", "POST", "/model/create", in, 0))
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errDeployProblems.Num)
		open = " 7, 1 "
		auth := w.tokens["admin"]
		w.tokens["admin"] = w.auth.Add(kerneltest.User(1, w.who["rector"], "bpm:model:deploy", "bpm:model:query"))
		w.call("admin", "POST", "/model/deploy?id="+id, nil, errDeployProblems.Num)
		w.tokens["admin"] = auth
		w.call("admin", "POST", "/model/deploy?id="+id, nil, 0)
		instance := w.start("p", map[string]any{"amount": 21})
		w.want("runs", w.state(instance), "a ann")
		open = "2"
		later := w.view(w.start("p", map[string]any{"amount": 1})).State
		if len(later.Tasks) != 0 || len(later.Incidents) != 1 {
			t.Errorf("in a tenant that is closed again: %d tasks, %d incidents", len(later.Tasks), len(later.Incidents))
		}
	})
}
