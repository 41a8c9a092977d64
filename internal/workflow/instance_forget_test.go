package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/runtime"
)

func TestHistoryTTL(t *testing.T) {
	now := time.Date(2026, 3, 31, 9, 0, 0, 0, clock.Shanghai)
	for text, want := range map[string]string{"1": "2026-03-30", "30": "2026-03-01", "P7D": "2026-03-24", "P1Y": "2025-03-31", "0": "", "": "", "soon": "", "-3": ""} {
		before, ok := runtime.Limited{HistoryTTL: text}.Before(now)
		have := ""
		if ok {
			have = before.Format(time.DateOnly)
		}
		if have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

// TestForget: what ended longer ago than its definition keeps goes with everything of
// its; running instances and those of other definitions stay.
func TestForget(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		// The clock moves without the queue, whose schedule would run the job by itself.
		var now atomic.Int64
		now.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, clock.Shanghai).UnixMilli())
		t.Cleanup(clock.Set(func() time.Time { return time.UnixMilli(now.Load()) }))
		pass := func(d time.Duration) { now.Add(d.Milliseconds()) }
		released := []int64{}
		w.s.Files = &Files{
			Attach: func(context.Context, []int64, string, int64) error { return nil },
			Release: func(_ context.Context, ids []int64, owner string, _ int64) error {
				if released = append(released, ids...); ids[0] == 2 {
					return errs.ErrNoRecord.With() // gone meanwhile
				}
				return nil
			},
			Of: func(_ context.Context, id int64) (AttachedFile, error) { return AttachedFile{ID: id}, nil },
		}
		limited := func(key, ttl, content string) {
			w.publish(key, "", changes{"processIdRule": body{"enable": true, "prefix": key, "length": 3},
				"bpmnXml": strings.Replace(diagram(key, "流程 "+key, content), `<process id="`+key+`"`, `<process flowable:historyTimeToLive="`+ttl+`" id="`+key+`"`, 1)})
		}
		one := fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}"))
		w.publish("inner", one)
		limited("short", "P10D", one)
		limited("outer", "10", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="a"/><callActivity id="a" calledElement="inner"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/><endEvent id="e"/>`)
		w.publish("ever", one)
		for key, want := range map[string]bool{"short": true, "ever": false} {
			url := fmt.Sprint("/model/problems?id=", w.count("SELECT id FROM bpm_model WHERE key = '"+key+"'"))
			told := slices.ContainsFunc(into[[]DeployProblem](w.office, w.call("admin", "GET", url, nil, 0)), func(p DeployProblem) bool { return p.Code == "history-ttl" })
			if told != want {
				t.Errorf("%s: told of its time to live: %v", key, told)
			}
		}
		ids := map[string]string{}
		for _, key := range []string{"short", "ever"} {
			ids[key] = w.start(key, nil)
			w.act("ann", "copy", w.taskOf(ids[key], "a", "ann"), body{"copyUserIds": w.ids("bob")}, 0)
			w.approve("ann", ids[key], "a", body{"attachments": []string{"/infra/file/download?id=1", "/infra/file/download?id=2"}})
		}
		ids["outer"], ids["runs"] = w.start("outer", nil), w.start("short", nil)
		inner := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/todo-page?processDefinitionKey=inner", nil, 0)).List[0]
		w.act("ann", "approve", inner.ID, body{"reason": "同意"}, 0)
		w.want("the outer one", w.state(ids["outer"]), "ended 2")
		ctx, opened := kerneltest.AsSystem(w.db, 1), "1"
		w.s.ConfigValue = func(_ context.Context, key string) (string, error) {
			return map[string]string{keyForgetTenants: opened}[key], nil
		}
		forget := func(want int) {
			t.Helper()
			if n, err := w.s.forget(ctx); err != nil || n != want {
				t.Errorf("%d forgotten, want %d: %v", n, want, err)
			}
		}
		forget(0)
		pass(9 * 24 * time.Hour)
		forget(0)
		late := w.start("short", nil)
		w.approve("ann", late, "a")
		pass(2 * 24 * time.Hour)
		opened = "2"
		forget(0)
		opened = "3, 1"
		forget(2)
		forget(0)
		for name, id := range map[string]string{"short": ids["short"], "outer": ids["outer"], "inner": inner.ProcessInstanceID} {
			if _, err := w.s.engine.Load(ctx, id); !errs.Is(err, runtime.ErrNoInstance) {
				t.Errorf("%s is still there: %v", name, err)
			}
		}
		for _, id := range []string{ids["ever"], ids["runs"], late} {
			w.view(id)
		}
		if fmt.Sprint(released) != "[1 2]" {
			t.Errorf("released %v", released)
		}
		left := int64(0)
		for _, table := range []string{"wf_event.instance_id", "wf_activity.instance_id", "wf_task.instance_id", "wf_task_candidate.instance_id", "wf_incident.instance_id", "wf_subscription.owner_id", "bpm_comment.instance_id", "bpm_process_instance_copy.process_instance_id", "bpm_process_number.instance_id"} {
			name, column, _ := strings.Cut(table, ".")
			left += w.count(fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s IN ('%s', '%s', '%s')", name, column, ids["short"], ids["outer"], inner.ProcessInstanceID))
			if name == "wf_task" && w.count(fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s IN ('%s')", name, column, ids["ever"])) != 1 {
				t.Error("what is kept lost its task")
			}
		}
		if left != 0 {
			t.Errorf("%d rows are left", left)
		}
		if n := w.count("SELECT COUNT(*) FROM audit_log WHERE action = '清理到期的流程记录'"); n != 2 {
			t.Errorf("%d lines of audit", n)
		}
		w.sound()
	})
}
