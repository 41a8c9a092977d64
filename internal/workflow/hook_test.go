package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// erp is another system that remembers what it was told.
type erp struct {
	*httptest.Server
	lock  sync.Mutex
	calls []erpCall
	fail  map[string]int // path: how many times it answers 500
}

type erpCall struct {
	path, key, header string
	body              map[string]any
}

func newERP(t *testing.T) *erp {
	e := &erp{fail: map[string]int{}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.lock.Lock()
		defer e.lock.Unlock()
		c := erpCall{path: r.URL.Path, key: r.Header.Get("Idempotency-Key"), header: r.Header.Get("X-Reason") + "/" + r.Header.Get("X-Fixed") + "/" + r.Header.Get("tenant-id")}
		if err := json.NewDecoder(r.Body).Decode(&c.body); err != nil {
			t.Error(err)
		}
		e.calls = append(e.calls, c)
		if e.fail[c.path] > 0 {
			e.fail[c.path]--
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"no":"E-1","big":9007199254740993},"left":"x"}`))
	}))
	t.Cleanup(e.Close)
	return e
}

// of are the calls of a path.
func (e *erp) of(path string) []erpCall {
	e.lock.Lock()
	defer e.lock.Unlock()
	var list []erpCall
	for _, c := range e.calls {
		if c.path == path {
			list = append(list, c)
		}
	}
	return list
}

func (e *erp) hook(path string) body {
	return body{"url": e.URL + path, "header": []body{{"key": "X-Reason", "type": 1, "value": "reason"}, {"key": "X-Fixed", "type": 2, "value": "f"}},
		"body":     []body{{"key": "why", "type": 1, "value": "reason"}, {"key": "from", "type": 2, "value": "viva"}},
		"response": []body{{"key": "number" + strings.ReplaceAll(path, "/", "_"), "value": "data.no"}, {"key": "none", "value": "data.none.deeper"}}}
}

func (e *erp) hooks(names ...string) changes {
	in := changes{}
	for _, name := range names {
		in[name+"TriggerSetting"] = e.hook("/" + name)
	}
	return in
}

// hooked publishes a process of one task whose form is a record.
func (w *desk) hooked(e *erp, key string, names ...string) string {
	form := w.create("form", changes{"name": "表单 " + key}.on(w.samples()["form"]))
	return w.publish(key, fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}")), e.hooks(names...), changes{"formType": 10, "formId": form})
}

func eachHooked(t *testing.T, test func(t *testing.T, w *desk, e *erp)) {
	eachDesk(t, func(t *testing.T, w *desk) {
		e := newERP(t)
		host := strings.TrimPrefix(e.URL, "http://")
		w.s.ConfigValue = func(_ context.Context, key string) (string, error) {
			if key == keyInsideHosts {
				return "erp.example, " + host, nil
			}
			return "", nil
		}
		test(t, w, e)
	})
}

// TestHooks: each of the four calls says what it is about, and its answer lands in the form.
func TestHooks(t *testing.T) {
	eachHooked(t, func(t *testing.T, w *desk, e *erp) {
		pass := w.travel()
		definition := w.hooked(e, "p", "processBefore", "processAfter", "taskBefore", "taskAfter")
		id := into[string](w.office, w.call("starter", "POST", "/process-instance/create", body{"processDefinitionId": definition, "variables": body{"reason": "病\r\n假"}}, 0))
		before := e.of("/processBefore")
		if len(before) != 1 || before[0].body["why"] != "病\r\n假" || before[0].body["from"] != "viva" || before[0].header != "病假/f/1" || before[0].body["processDefinitionKey"] != "p" ||
			before[0].body["startUserId"] != float64(w.who["starter"]) || before[0].key == "" {
			t.Errorf("before the process: %+v", before)
		}
		w.want("waits for its call", w.state(id), "a - 0")
		if n := w.got("ann", msgAssigned); n != 0 {
			t.Errorf("%d messages before the task opened", n)
		}
		pass(time.Second)
		w.want("open", w.state(id), "a ann")
		if n := w.got("ann", msgAssigned); n != 1 {
			t.Errorf("%d messages", n)
		}
		if calls := e.of("/taskBefore"); len(calls) != 1 || calls[0].body["taskDefinitionKey"] != "a" || calls[0].body["processInstanceId"] != id || calls[0].key == "" {
			t.Errorf("before the task: %+v", calls)
		}
		w.approve("ann", id, "a")
		if len(e.of("/taskAfter"))+len(e.of("/processAfter")) != 0 {
			t.Error("called inside the transaction")
		}
		pass(time.Second)
		if calls := e.of("/taskAfter"); len(calls) != 1 || calls[0].body["taskStatus"] != float64(2) || calls[0].body["assigneeUserId"] != float64(w.who["ann"]) {
			t.Errorf("after the task: %+v", calls)
		}
		if calls := e.of("/processAfter"); len(calls) != 1 || calls[0].body["status"] != float64(2) {
			t.Errorf("after the process: %+v", calls)
		}
		vars := documentVars(w.view(id).State.Instance.Vars)
		w.want("answers", fmt.Sprintln(vars["number_processBefore"], vars["number_taskBefore"], vars["none"]), "E-1 E-1 <nil>\n")
		w.sound()
	})
}

// TestHooks_fail: a failing call before the start refuses it; a job calls again under the
// same key; a task whose call never succeeds opens all the same.
func TestHooks_fail(t *testing.T) {
	eachHooked(t, func(t *testing.T, w *desk, e *erp) {
		pass := w.travel()
		definition := w.hooked(e, "refused", "processBefore")
		e.fail["/processBefore"] = 1
		in := body{"processDefinitionId": definition, "variables": body{}}
		w.call("starter", "POST", "/process-instance/create", in, 1009004006)
		if n := into[store.Page[InstanceView]](w.office, w.call("starter", "GET", "/process-instance/my-page", nil, 0)).Total; n != 0 {
			t.Errorf("%d instances after a refusal", n)
		}
		first := kerneltest.Scenario{Method: "POST", URL: "/bpm/process-instance/create", As: w.tokens["starter"], Body: in, Headers: map[string]string{"Idempotency-Key": "twice"}}
		one, two := first.Call(t, w.h), first.Call(t, w.h)
		if calls := e.of("/processBefore"); string(one.Raw) != string(two.Raw) || one.Code != 0 || calls[len(calls)-1].key != "twice" {
			t.Errorf("%s and %s: %+v", one.Raw, two.Raw, e.of("/processBefore"))
		}
		w.call("outsider", "POST", "/process-instance/create", body{"processDefinitionId": "nothing"}, 1009003002)

		w.hooked(e, "again", "taskAfter")
		e.fail["/taskAfter"] = 2
		id := w.start("again", nil)
		w.approve("ann", id, "a")
		for range 3 {
			pass(time.Minute)
		}
		keys := []string{}
		for _, c := range e.of("/taskAfter") {
			keys = append(keys, c.key)
		}
		if len(keys) != 3 || len(slices.Compact(keys)) != 1 {
			t.Errorf("tries under %q", keys)
		}

		w.hooked(e, "never", "taskBefore")
		e.fail["/taskBefore"] = 1000
		id = w.start("never", nil)
		for range 12 {
			pass(15 * time.Minute)
		}
		w.want("opens all the same", w.state(id), "a ann")
		if lines := into[[]CommentView](w.office, w.call("ann", "GET", "/comment/list-by-process-instance-id?processInstanceId="+id, nil, 0)); len(lines) != 1 || !strings.Contains(lines[0].Message, "HTTP 500") {
			t.Errorf("history %+v", lines)
		}
		w.sound()
	})
}

// TestHooks_otherwise: a start through the seam is told by a job; an instance cancelled
// meanwhile and a network that nobody listed are left alone.
func TestHooks_otherwise(t *testing.T) {
	eachHooked(t, func(t *testing.T, w *desk, e *erp) {
		pass := w.travel()
		w.hooked(e, "seam", "processBefore")
		id := w.start("seam", map[string]any{"reason": "r"})
		if len(e.of("/processBefore")) != 0 {
			t.Error("called inside the transaction")
		}
		pass(time.Second)
		if calls := e.of("/processBefore"); len(calls) != 1 || calls[0].body["processInstanceId"] != id {
			t.Errorf("by a job: %+v", calls)
		}
		w.want("answer", fmt.Sprint(documentVars(w.view(id).State.Instance.Vars)["number_processBefore"]), "E-1")

		w.hooked(e, "gone", "taskBefore")
		id = w.start("gone", nil)
		w.call("starter", "DELETE", "/process-instance/cancel", body{"id": id, "reason": "x"}, 0)
		pass(time.Second)
		if len(e.of("/taskBefore")) != 0 {
			t.Error("a cancelled task was announced")
		}
		w.s.ConfigValue = nil
		definition := w.hooked(e, "inside", "processBefore")
		a := w.call("starter", "POST", "/process-instance/create", body{"processDefinitionId": definition, "variables": body{}}, 1009004006)
		if !strings.Contains(string(a.Raw), "内网") || len(e.of("/processBefore")) != 1 {
			t.Errorf("%s", a.Raw)
		}
		w.sound()
	})
}

func TestHookSettings(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for name, hook := range map[string]body{
			"scheme": {"url": "ftp://x.example"}, "account": {"url": "http://a:b@x.example"}, "long": {"url": "http://x.example/" + strings.Repeat("x", 1000)},
			"header": {"url": "http://x.example", "header": []body{{"key": "a b", "value": "1"}}}, "host": {"url": "http://x.example", "header": []body{{"key": "host", "value": "1"}}},
			"line break": {"url": "http://x.example", "header": []body{{"key": "a", "value": "1\n2"}}}, "no name": {"url": "http://x.example", "body": []body{{"key": " ", "value": "1"}}},
			"reserved": {"url": "http://x.example", "response": []body{{"key": varStarter, "value": "a"}}},
		} {
			a := o.call("admin", "POST", "/model/create", body{"key": "p", "name": "p", "taskAfterTriggerSetting": hook}, errs.CodeInvalid)
			if len(a.Fields) == 0 || a.Fields[0].Name != "taskAfterTriggerSetting" {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		o.call("admin", "POST", "/model/create", body{"key": "p", "name": "p", "taskAfterTriggerSetting": body{"url": ""}}, 0)
	})
}
