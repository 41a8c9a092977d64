package system

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestNotices(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		body := func(title string, status int) map[string]any {
			return map[string]any{"title": title, "type": 1, "status": status,
				"content": `<p onclick="x()">正文<script>alert(1)</script><img src="/admin-api/infra/file/1/get/20261121/a.png"><img src="https://else.where/x.png"></p>`}
		}
		shown := r.create(t, r.admin, "/system/notice/create", body("开放选题", 0))
		hidden := r.create(t, r.admin, "/system/notice/create", body("草稿公告", 1))
		foreign := r.create(t, r.foreign, "/system/notice/create", body(kerneltest.MarkerB+"公告", 0))
		get := func(id int64) string { return fmt.Sprint("/system/notice/get?id=", id) }
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{Name: "reader's list", URL: "/system/notice/page", As: r.reader, Contains: []string{"开放选题", `"total":1`}, Absent: []string{"草稿公告"}},
			kerneltest.Scenario{Name: "reader asks for disabled ones", URL: "/system/notice/page?status=1", As: r.reader, Contains: []string{`"total":0`}},
			kerneltest.Scenario{Name: "reader opens", URL: get(shown), As: r.reader, Contains: []string{"正文", "/admin-api/infra/file/1/get/20261121/a.png"}, Absent: []string{"script", "onclick", "else.where"}},
			kerneltest.Scenario{Name: "reader opens a disabled one", URL: get(hidden), As: r.reader, Code: 1070000001},
			kerneltest.Scenario{Name: "reader of another tenant's", URL: get(foreign), As: r.reader, Code: 1070000001},
			kerneltest.Scenario{Name: "student without the permission", URL: "/system/notice/page", As: r.other, Code: 403},
			kerneltest.Scenario{Name: "everybody's list", URL: "/system/notice/my-page?type=1&title=选题", As: r.plain, Contains: []string{"开放选题", `"excerpt":"正文"`, `"total":1`}},
			kerneltest.Scenario{Name: "everybody's list for an editor", URL: "/system/notice/my-page", As: r.admin, Contains: []string{`"total":1`}, Absent: []string{"草稿公告"}},
			kerneltest.Scenario{Name: "everybody opens", URL: fmt.Sprint("/system/notice/my-get?id=", shown), As: r.other, Contains: []string{"正文"}},
			kerneltest.Scenario{Name: "nobody opens a disabled one here", URL: fmt.Sprint("/system/notice/my-get?id=", hidden), As: r.admin, Code: 1070000001},
			kerneltest.Scenario{Name: "nor another tenant's", URL: fmt.Sprint("/system/notice/my-get?id=", foreign), As: r.plain, Code: 1070000001},
			kerneltest.Scenario{Name: "reader changes", Method: "PUT", URL: "/system/notice/update", As: r.reader, Body: map[string]any{"id": shown, "title": "x"}, Code: 403},
			kerneltest.Scenario{Name: "reader pushes", Method: "POST", URL: fmt.Sprint("/system/notice/push?id=", shown), As: r.reader, Code: 403},
			kerneltest.Scenario{Name: "editor's list", URL: "/system/notice/page?title=公告", As: r.admin, Contains: []string{"草稿公告", `"total":1`}},
			kerneltest.Scenario{Name: "foreign change", Method: "PUT", URL: "/system/notice/update", As: r.admin, Body: map[string]any{"id": foreign, "title": "x"}, Code: 1070000001},
			kerneltest.Scenario{Name: "foreign removal", Method: "DELETE", URL: fmt.Sprint("/system/notice/delete?id=", foreign), As: r.admin, Code: 1070000001},
			kerneltest.Scenario{Name: "foreign in a list", Method: "DELETE", URL: fmt.Sprint("/system/notice/delete-list?ids=", shown, ",", foreign), As: r.admin, Code: 1070000001},
			kerneltest.Scenario{Name: "still there", URL: get(shown), As: r.reader},
			kerneltest.Scenario{Name: "title too long", Method: "POST", URL: "/system/notice/create", As: r.admin, Body: body(strings.Repeat("长", 51), 0), Code: 400},
			kerneltest.Scenario{Name: "no title, in English", Method: "POST", URL: "/system/notice/create", As: r.admin, Lang: "en", Body: body("", 0), Code: 400},
			kerneltest.Scenario{Name: "unknown type", Method: "POST", URL: "/system/notice/create", As: r.admin, Body: map[string]any{"title": "t", "type": 9}, Code: 400},
			kerneltest.Scenario{Name: "push a disabled one", Method: "POST", URL: fmt.Sprint("/system/notice/push?id=", hidden), As: r.admin, Code: 400},
			kerneltest.Scenario{Name: "push a foreign one", Method: "POST", URL: fmt.Sprint("/system/notice/push?id=", foreign), As: r.admin, Code: 1070000001},
		)
	})
}

// TestPush: every enabled user of the tenant gets one message, however often the button
// is pressed while the job waits.
func TestPush(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		id := r.create(t, r.admin, "/system/notice/create", map[string]any{"title": "答辩安排", "type": 1, "status": 0})
		for range 3 {
			r.call(t, r.admin, "POST", fmt.Sprint("/system/notice/push?id=", id), nil, 0)
		}
		queue := job.New(job.Options{Poll: 20 * time.Millisecond})
		r.s.work(queue, event.NewBus(queue))
		ctx := store.Use(context.Background(), r.db)
		if err := queue.Start(ctx); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = queue.Stop(ctx) }()
		count := func(token string) (n int) {
			r.call(t, token, "GET", "/system/notify-message/get-unread-count", nil, 0).Decode(t, &n)
			return n
		}
		for deadline := time.Now().Add(10 * time.Second); count(r.reader) == 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("no message came")
			}
		}
		for name, n := range map[string]int{"admin": count(r.admin), "plain": count(r.plain), "reader": count(r.reader), "other": count(r.other)} {
			if n != 1 {
				t.Errorf("%s has %d messages", name, n)
			}
		}
		if n := count(r.foreign); n != 0 {
			t.Errorf("the other tenant got %d", n)
		}
		a := r.call(t, r.reader, "GET", "/system/notify-message/get-unread-list", nil, 0)
		if !strings.Contains(string(a.Data), "【通知公告】答辩安排") {
			t.Errorf("the message says %s", a.Data)
		}
	})
}
