package infra

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestJobs(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		r.queue.Handle("demo.report", func(_ context.Context, run *job.Run) error { run.Logf("param %s", run.Param()); return nil })
		r.queue.Handle("demo.other", func(context.Context, *job.Run) error { return nil })
		body := map[string]any{"name": "演示=1+1", "handlerName": "demo.report", "handlerParam": "<x>", "cronExpression": "0 0 3 * * ?", "retryCount": 2, "retryInterval": 1000, "monitorTimeout": 0}
		var id int64
		r.call(t, r.admin, "POST", "/infra/job/create", body, 0).Decode(t, &id)
		with := func(key string, value any) map[string]any {
			out := map[string]any{"id": id}
			for k, v := range body {
				out[k] = v
			}
			out[key] = value
			return out
		}
		one := fmt.Sprint("?id=", id)
		status := func(n int) string { return fmt.Sprint("/infra/job/update-status", one, "&status=", n) }
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: "/infra/job/get" + one, As: r.admin, Contains: []string{`"status":1`, `"handlerName":"demo.report"`, `"cronExpression":"0 0 3 * * ?"`, `"retryInterval":1000`}},
			kerneltest.Scenario{URL: "/infra/job/page?name=演示&handlerName=demo&status=1", As: r.admin, Contains: []string{`"total":1`}},
			kerneltest.Scenario{URL: "/infra/job/page?status=2", As: r.admin, Contains: []string{`"total":0`}},
			kerneltest.Scenario{URL: fmt.Sprint("/infra/job/list?ids=", id, ",99999"), As: r.admin, Contains: []string{"demo.report"}},
			kerneltest.Scenario{URL: "/infra/job/handlers", As: r.admin, Contains: []string{`"audit.seal"`, `"demo.other"`}},
			kerneltest.Scenario{URL: "/infra/job/get_next_times" + one + "&count=3", As: r.admin, Check: threeTimes},
			kerneltest.Scenario{URL: "/infra/job/get-next-times" + one + "&count=3", As: r.admin, Check: threeTimes},
			kerneltest.Scenario{URL: "/infra/job/get_next_times" + one + "&count=51", As: r.admin, Lang: "zh", Code: 400},
			kerneltest.Scenario{Name: "handler taken", Method: "POST", URL: "/infra/job/create", As: r.admin, Body: body, Code: 1001001001},
			kerneltest.Scenario{Name: "no handler", Method: "POST", URL: "/infra/job/create", As: r.admin, Body: with("handlerName", "rm -rf"), Code: 1001001006},
			kerneltest.Scenario{Name: "bad cron", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("cronExpression", "* * * *"), Code: 1001001005},
			kerneltest.Scenario{Name: "cron without a time", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("cronExpression", "0 0 0 30 2 ?"), Code: 1001001005},
			kerneltest.Scenario{Name: "too many tries", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("retryCount", 101), Code: 400},
			kerneltest.Scenario{Name: "missing name, in English", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("name", ""), Code: 400},
			kerneltest.Scenario{Name: "the handler stays", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("handlerName", "demo.other")},
			kerneltest.Scenario{Name: "it stayed", URL: "/infra/job/get" + one, As: r.admin, Contains: []string{"demo.report"}},
			kerneltest.Scenario{Name: "same status", Method: "PUT", URL: status(1), As: r.admin, Code: 1001001003},
			kerneltest.Scenario{Name: "unknown status", Method: "PUT", URL: status(0), As: r.admin, Code: 1001001002},
			kerneltest.Scenario{Name: "paused", Method: "PUT", URL: status(2), As: r.admin},
			kerneltest.Scenario{Name: "paused ones do not change", Method: "PUT", URL: "/infra/job/update", As: r.admin, Body: with("name", "x"), Code: 1001001004},
			kerneltest.Scenario{Name: "resumed", Method: "PUT", URL: status(1), As: r.admin},
			kerneltest.Scenario{Name: "unknown", Method: "PUT", URL: "/infra/job/trigger?id=99999", As: r.admin, Code: 1001001000},
			kerneltest.Scenario{Name: "another tenant", URL: "/infra/job/page", As: r.foreign, Code: 403},
			kerneltest.Scenario{Name: "another tenant triggers", Method: "PUT", URL: "/infra/job/trigger" + one, As: r.foreign, Code: 403},
			kerneltest.Scenario{Name: "another tenant's logs", URL: "/infra/job-log/page", As: r.foreign, Code: 403},
			kerneltest.Scenario{Name: "student", Method: "PUT", URL: "/infra/job/trigger" + one, As: r.owner, Code: 403},
		)
		rows := r.sheet(t, r.admin, "/infra/job/export-excel?name=演示")
		if len(rows) != 2 || rows[1][1] != "演示=1+1" || rows[1][4] != "<x>" {
			t.Errorf("sheet %v", rows)
		}
		r.run(t, one)
		r.call(t, r.admin, "DELETE", "/infra/job/delete"+one, nil, 0)
		r.call(t, r.admin, "GET", "/infra/job/get"+one, nil, 1001001000)
		r.call(t, r.admin, "DELETE", fmt.Sprint("/infra/job/delete-list?ids=", id), nil, 1001001000)
	})
}

func threeTimes(t *testing.T, a kerneltest.Answer) {
	t.Helper()
	var times []int64
	a.Decode(t, &times)
	if len(times) != 3 || times[1]-times[0] != 24*3600*1000 || times[0] <= time.Now().UnixMilli() {
		t.Errorf("times %v", times)
	}
}

// run triggers the schedule and waits for its log.
func (r *rig) run(t *testing.T, one string) {
	t.Helper()
	ctx := store.Use(context.Background(), r.db)
	if err := r.queue.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.queue.Stop(ctx) }()
	r.call(t, r.admin, "PUT", "/infra/job/trigger"+one, nil, 0)
	var page struct{ List []job.Log }
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		r.call(t, r.admin, "GET", "/infra/job-log/page?handlerName=demo.report&status=1", nil, 0).Decode(t, &page)
		if len(page.List) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the job did not run")
		}
	}
	log := page.List[0]
	if log.Result != "param <x>" || log.Status != 1 {
		t.Errorf("%+v", log)
	}
	kerneltest.Run(t, r.h,
		kerneltest.Scenario{URL: fmt.Sprint("/infra/job-log/get?id=", log.ID), As: r.admin, Contains: []string{`"handlerName":"demo.report"`}},
		kerneltest.Scenario{URL: fmt.Sprint("/infra/job-log/list?ids=", log.ID, ",77777"), As: r.admin, Contains: []string{`"handlerName":"demo.report"`}},
		kerneltest.Scenario{URL: "/infra/job-log/page?beginTime=2000-01-01%2000:00:00&endTime=2000-01-02%2000:00:00", As: r.admin, Contains: []string{`"total":0`}},
		kerneltest.Scenario{URL: fmt.Sprintf("/infra/job-log/page?jobId=%d&beginTime=2000-01-01", log.ScheduleID), As: r.admin, Contains: []string{`"total":1`}},
		kerneltest.Scenario{URL: "/infra/job-log/page?beginTime=yesterday", As: r.admin, Code: 400},
		kerneltest.Scenario{URL: "/infra/job-log/page?status=9", As: r.admin, Lang: "zh", Code: 400},
	)
	rows := r.sheet(t, r.admin, "/infra/job-log/export-excel?handlerName=demo.report")
	if len(rows) != 2 || rows[0][0] != "日志编号" || !strings.Contains(fmt.Sprint(rows[1]), "param <x>") {
		t.Errorf("sheet %v", rows)
	}
}

// TestDeadRuns: a run that failed for good is listed in its tenant and can be retried.
func TestDeadRuns(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		broken := make(chan bool, 10)
		r.queue.Handle("demo.mail", func(context.Context, *job.Run) error {
			select {
			case <-broken:
				return job.Permanent(errors.New("no such mailbox"))
			default:
				return nil
			}
		})
		broken <- true
		ctx := store.Use(context.Background(), r.db)
		err := store.Write(kerneltest.As(r.db, kerneltest.Admin(1)), func(ctx context.Context) error {
			_, err := job.Enqueue(ctx, "demo.mail", map[string]string{"to": "x"}, job.Opts{})
			return err
		})
		if err == nil {
			err = r.queue.Start(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.queue.Stop(ctx) }()
		wait := func(state job.State) job.Record {
			t.Helper()
			for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
				var page struct{ List []job.Record }
				r.call(t, r.admin, "GET", fmt.Sprintf("/infra/job-run/page?name=demo&state=%d", state), nil, 0).Decode(t, &page)
				if len(page.List) > 0 {
					return page.List[0]
				}
				if time.Now().After(deadline) {
					t.Fatalf("no run in state %d", state)
				}
			}
		}
		dead := wait(job.Dead)
		retry := fmt.Sprint("/infra/job-run/retry?id=", dead.ID)
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: "/infra/job-run/page?name=demo", As: r.admin, Contains: []string{"no such mailbox"}},
			kerneltest.Scenario{URL: "/infra/job-run/page?name=demo", As: r.foreign, Contains: []string{`"total":0`}},
			kerneltest.Scenario{Method: "PUT", URL: retry, As: r.foreign, Code: 1070000001},
			kerneltest.Scenario{Method: "PUT", URL: retry, As: r.owner, Code: 403},
			kerneltest.Scenario{Method: "PUT", URL: retry, As: r.admin},
		)
		wait(job.Done)
		r.call(t, r.admin, "PUT", retry, nil, 1070000001)
	})
}
