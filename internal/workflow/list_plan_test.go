package workflow

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/workflow/runtime"
)

// TestListPlans: the lists answer from an index, in its order, whatever their filters; no
// statement about tasks or instances reads a table from end to end.
func TestListPlans(t *testing.T) {
	w := newDesk(t, kerneltest.Open(t, Migrations(), runtime.Migrations, identityTables, systemTables))
	w.chain("p")
	id := w.start("p", nil)
	w.act("ann", "copy", w.taskOf(id, "a", "ann"), body{"copyUserIds": w.ids("bob")}, 0)
	w.approve("ann", id, "a")
	w.act("bob", "return", w.taskOf(id, "b", "bob"), body{"targetDefinitionKey": "a", "reason": "x"}, 0)
	times := "createTime[0]=2020-01-01+00:00:00&createTime[1]=2090-01-01+00:00:00"
	more := "&processDefinitionKey=p&category=finance&" + times
	ofTasks, ofInstances := "?name="+url.QueryEscape("任务")+more, "?name="+url.QueryEscape("流程")+more
	inOrder := map[string]bool{}
	for _, call := range []string{"ann /task/todo-page", "ann /task/todo-page" + ofTasks, "ann /task/done-page", "ann /task/done-page" + ofTasks, "admin /task/manager-page", "admin /task/manager-page" + ofTasks,
		"starter /process-instance/my-page", "starter /process-instance/my-page" + ofInstances, "admin /process-instance/manager-page", "admin /process-instance/manager-page" + ofInstances,
		"bob /process-instance/copy/page", "starter /oa/leave/page", "ann /task/claimable-page",
		"admin /incident/page", "admin /incident/page?name=x&kind=flow&processDefinitionKey=p&" + times} {
		before := w.db.Texts()
		who, path, _ := strings.Cut(call, " ")
		w.call(who, "GET", path, nil, 0)
		for _, text := range w.db.Texts() {
			if slices.Contains(before, text) {
				continue
			}
			inOrder[text] = strings.Contains(text, "ORDER BY") && strings.Contains(text, "LIMIT") && !strings.Contains(call, "claimable")
		}
	}
	for _, path := range []string{"/process-instance/get-approval-detail?processInstanceId=", "/process-instance/get-bpmn-model-view?id=", "/comment/list-by-process-instance-id?processInstanceId=", "/activity/list?processInstanceId="} {
		w.call("bob", "GET", path+id, nil, 0)
	}
	large := []string{"wf_task", "wf_instance", "wf_event", "wf_activity", "wf_task_candidate", "bpm_comment", "bpm_process_instance_copy", "bpm_oa_leave", "wf_incident", "t", "i", "k", "c", "x"}
	explained := 0
	for _, text := range w.db.Texts() {
		if !strings.HasPrefix(strings.TrimSpace(strings.ToUpper(text)), "SELECT") || !strings.Contains(text, "wf_") && !strings.Contains(text, "bpm_comment") && !strings.Contains(text, "_copy") && !strings.Contains(text, "leave") {
			continue
		}
		explained++
		for _, step := range w.plan(text) {
			words := strings.Fields(step)
			if words[0] == "SCAN" && slices.Contains(large, words[1]) && !strings.Contains(step, "USING") {
				t.Errorf("full scan: %s\n%s", step, text)
			}
			if inOrder[text] && strings.Contains(step, "TEMP B-TREE FOR ORDER BY") {
				t.Errorf("sorted by hand: %s\n%s", step, text)
			}
		}
	}
	ordered := 0
	for _, yes := range inOrder {
		if yes {
			ordered++
		}
	}
	if explained < 20 || ordered < 8 {
		t.Errorf("%d statements explained, %d of them pages", explained, ordered)
	}
}

func (w *desk) plan(text string) []string {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	rows, err := raw.Query("EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...)
	if err != nil {
		w.t.Fatalf("%v: %s", err, text)
	}
	defer func() { _ = rows.Close() }()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			w.t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	return steps
}
