package system

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestParams(t *testing.T) {
	for content, want := range map[string][]string{
		"": {}, "plain": {}, "{a}{b}{a}": {"a", "b"}, "{}{1}{a b}{{x}}": {"x"}, "{name_2}，您好": {"name_2"},
	} {
		if got := paramsOf(content); !slices.Equal(got, want) {
			t.Errorf("%q has %v, want %v", content, got, want)
		}
	}
	tpl := NotifyTemplate{Content: "{a}/{b}/{a}"}
	if text, missing := tpl.fill(map[string]any{"a": "{b}", "b": 2}); text != "{b}/2/{b}" || missing != "" {
		t.Errorf("%q %q", text, missing)
	}
	if text, missing := tpl.fill(map[string]any{"a": nil}); text != "//" || missing != "a" {
		t.Errorf("%q %q", text, missing)
	}
	if text, _ := tpl.fill(map[string]any{"a": strings.Repeat("长", maxMessage), "b": ""}); len([]rune(text)) != maxMessage {
		t.Errorf("a long message has %d characters", len([]rune(text)))
	}
}

func TestNotifyTemplates(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		body := map[string]any{"name": "提醒", "code": "remind_once", "type": 2, "nickname": "系统", "content": "您好{name}，{thing}还有{days}天。", "status": 0, "remark": ""}
		id := r.create(t, r.admin, "/system/notify-template/create", body)
		send := func(user int64, code string, params map[string]any) map[string]any {
			return map[string]any{"userId": user, "userType": 1, "templateCode": code, "templateParams": params}
		}
		all := map[string]any{"name": "<b>张</b>", "thing": "开题", "days": 3}
		const post = "/system/notify-template/send-notify"
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: fmt.Sprint("/system/notify-template/get?id=", id), As: r.admin, Contains: []string{`"params":["name","thing","days"]`}},
			kerneltest.Scenario{Name: "code taken", Method: "POST", URL: "/system/notify-template/create", As: r.admin, Body: body, Code: 1002026001},
			kerneltest.Scenario{Name: "bad code", Method: "POST", URL: "/system/notify-template/create", As: r.admin, Body: with(body, "code", "a b"), Code: 400},
			kerneltest.Scenario{Name: "other tenant", Method: "POST", URL: "/system/notify-template/create", As: r.foreign, Body: with(body, "code", "x"), Code: 403},
			kerneltest.Scenario{Name: "other tenant deletes", Method: "DELETE", URL: fmt.Sprint("/system/notify-template/delete?id=", id), As: r.foreign, Code: 403},
			kerneltest.Scenario{Name: "seeded by a module", URL: "/system/notify-template/page?code=thesis_step_open", As: r.admin, Contains: []string{`"total":1`, `"params":["step","deadline"]`}},
			kerneltest.Scenario{Name: "simple list", URL: "/system/notify-template/simple-list", As: r.plain, Contains: []string{"remind_once"}},
			kerneltest.Scenario{Name: "missing parameter", Method: "POST", URL: post, As: r.admin, Body: send(readerID, "remind_once", map[string]any{"name": "张", "days": 3}), Code: 1002028000, Contains: []string{"thing"}},
			kerneltest.Scenario{Name: "nested parameter", Method: "POST", URL: post, As: r.admin, Body: send(readerID, "remind_once", with(all, "name", []int{1})), Code: 400},
			kerneltest.Scenario{Name: "endless parameter", Method: "POST", URL: post, As: r.admin, Lang: "en", Body: send(readerID, "remind_once", with(all, "name", strings.Repeat("x", 1001))), Code: 400},
			kerneltest.Scenario{Name: "no template", Method: "POST", URL: post, As: r.admin, Body: send(readerID, "nothing", all), Code: 1002026000},
			kerneltest.Scenario{Name: "to another tenant's user", Method: "POST", URL: post, As: r.admin, Body: send(foreignID, "remind_once", all), Code: 1070000001},
			kerneltest.Scenario{Name: "without permission", Method: "POST", URL: post, As: r.reader, Body: send(otherID, "remind_once", all), Code: 403},
			kerneltest.Scenario{Name: "sent", Method: "POST", URL: post, As: r.admin, Body: send(readerID, "remind_once", all)},
			kerneltest.Scenario{Name: "arrived", URL: "/system/notify-message/get-unread-list", As: r.reader, Contains: []string{"您好<b>张</b>，开题还有3天。", `"templateNickname":"系统"`, `"readStatus":false`, `"readTime":null`}},
		)
		r.call(t, r.admin, "PUT", "/system/notify-template/update", map[string]any{"id": id, "status": 1}, 0)
		if a := r.call(t, r.admin, "POST", post, send(readerID, "remind_once", all), 0); string(a.Data) != "null" {
			t.Errorf("a disabled template answers %s", a.Data)
		}
	})
}

func TestNotify(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		ctx := kerneltest.AsSystem(r.db, 1)
		notify := func(to []int64, code string, params map[string]any) error {
			return store.Write(ctx, func(ctx context.Context) error { return Notify(ctx, to, code, params) })
		}
		count := func(token string) (n int) {
			r.call(t, token, "GET", "/system/notify-message/get-unread-count", nil, 0).Decode(t, &n)
			return n
		}
		// repeated, unknown and foreign receivers, a parameter that the text does not know, one that is missing
		err := notify([]int64{readerID, readerID, 987654, foreignID, otherID}, "thesis_step_open", map[string]any{"step": "开题", "else": 1})
		if err != nil || count(r.reader) != 1 || count(r.other) != 1 || count(r.foreign) != 0 || count(r.plain) != 0 {
			t.Fatalf("%v: %d %d %d %d", err, count(r.reader), count(r.other), count(r.foreign), count(r.plain))
		}
		if err := notify([]int64{readerID}, "never_declared", nil); !errs.Is(err, errTemplateMissing) {
			t.Errorf("an unknown code gives %v", err)
		}
		if err := notify(nil, "thesis_step_open", nil); err != nil {
			t.Error(err)
		}
		// a failed change takes its messages along
		_ = store.Write(ctx, func(ctx context.Context) error {
			if err := Notify(ctx, []int64{readerID}, "thesis_step_open", nil); err != nil {
				t.Error(err)
			}
			return errs.ErrStale.With()
		})
		if n := count(r.reader); n != 1 {
			t.Errorf("%d messages after an undone change", n)
		}
		var page struct{ List []NotifyTemplate }
		r.call(t, r.admin, "GET", "/system/notify-template/page?code=thesis_step_open", nil, 0).Decode(t, &page)
		r.call(t, r.admin, "DELETE", fmt.Sprint("/system/notify-template/delete?id=", page.List[0].ID), nil, 0)
		if err := notify([]int64{readerID}, "thesis_step_open", nil); err != nil || count(r.reader) != 1 {
			t.Errorf("a removed template: %v, %d messages", err, count(r.reader))
		}
	})
}

func TestMyMessages(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		var mine, others []int64
		send := func(token string, user int64) int64 {
			var id int64
			r.call(t, token, "POST", "/system/notify-template/send-notify", map[string]any{"userId": user, "templateCode": "system_notice_push", "templateParams": map[string]any{"title": fmt.Sprint("第", user, "封")}}, 0).Decode(t, &id)
			return id
		}
		for range 4 {
			mine = append(mine, send(r.admin, readerID))
		}
		others = append(others, send(r.admin, otherID), send(r.foreign, foreignID))
		count := func(token string) (n int) {
			r.call(t, token, "GET", "/system/notify-message/get-unread-count", nil, 0).Decode(t, &n)
			return n
		}
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: "/system/notify-message/my-page", As: r.reader, Contains: []string{`"total":4`}, Absent: []string{"第22封"}},
			kerneltest.Scenario{URL: "/system/notify-message/my-page?userId=22", As: r.reader, Contains: []string{`"total":4`}, Absent: []string{"第22封"}},
			kerneltest.Scenario{URL: "/system/notify-message/my-page?createTime[0]=2000-01-01%2000:00:00&createTime[1]=2000-01-02%2000:00:00", As: r.reader, Contains: []string{`"total":0`}},
			kerneltest.Scenario{URL: "/system/notify-message/get-unread-list?size=2", As: r.reader, Contains: []string{fmt.Sprintf(`"id":%d`, mine[3])}, Absent: []string{fmt.Sprintf(`"id":%d`, mine[0])}},
			kerneltest.Scenario{URL: "/system/notify-message/get-unread-list?size=101", As: r.reader, Lang: "zh", Code: 400},
			kerneltest.Scenario{URL: "/system/notify-message/page", As: r.reader, Code: 403},
			kerneltest.Scenario{URL: fmt.Sprint("/system/notify-message/get?id=", mine[0]), As: r.reader, Code: 403},
			kerneltest.Scenario{URL: "/system/notify-message/page?userId=21&templateCode=notice&templateType=1&userType=1", As: r.admin, Contains: []string{`"total":4`, "人员21"}},
			kerneltest.Scenario{URL: fmt.Sprint("/system/notify-message/get?id=", mine[0]), As: r.admin, Contains: []string{`"title":"第21封"`}},
			kerneltest.Scenario{URL: fmt.Sprint("/system/notify-message/get?id=", others[1]), As: r.admin, Code: 1070000001},
			kerneltest.Scenario{URL: "/system/notify-message/get-unread-count", Code: 401},
			kerneltest.Scenario{Name: "no ids", Method: "PUT", URL: "/system/notify-message/update-read", As: r.reader, Code: 400},
			kerneltest.Scenario{Name: "ids of others", Method: "PUT", URL: fmt.Sprintf("/system/notify-message/update-read?ids=%d&ids=%d", others[0], others[1]), As: r.reader},
			kerneltest.Scenario{Name: "repeated ids", Method: "PUT", URL: fmt.Sprintf("/system/notify-message/update-read?ids=%d&ids=%d", mine[0], mine[0]), As: r.reader},
			kerneltest.Scenario{Name: "comma ids", Method: "PUT", URL: fmt.Sprintf("/system/notify-message/update-read?ids=%d,%d", mine[1], mine[2]), As: r.reader},
			kerneltest.Scenario{URL: "/system/notify-message/my-page?readStatus=true", As: r.reader, Contains: []string{`"total":3`}},
			kerneltest.Scenario{URL: "/system/notify-message/my-page?readStatus=false", As: r.reader, Contains: []string{`"total":1`}},
		)
		if count(r.reader) != 1 || count(r.other) != 1 || count(r.foreign) != 1 {
			t.Errorf("unread: %d %d %d", count(r.reader), count(r.other), count(r.foreign))
		}
		r.call(t, r.reader, "PUT", "/system/notify-message/update-all-read", nil, 0)
		if count(r.reader) != 0 || count(r.other) != 1 || count(r.foreign) != 1 {
			t.Errorf("unread after all: %d %d %d", count(r.reader), count(r.other), count(r.foreign))
		}
	})
}

func TestSystemConfig(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		update := func(v map[string]any) map[string]any {
			return with(v, "id", 1)
		}
		const put = "/thesis/system-config/update"
		logo := "/admin-api/infra/file/1/get/20261121/0123abcd.png"
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{Name: "public, without a tenant", URL: "/thesis/system-config/get?id=1", Contains: []string{`"id":1`, defaultName, `"signDescription"`, `"url":""`}},
			kerneltest.Scenario{Name: "other id", URL: "/thesis/system-config/get?id=2", Code: 1070000001},
			kerneltest.Scenario{Name: "unknown tenant", URL: "/thesis/system-config/get?id=1", Headers: map[string]string{"tenant-id": "77"}, Lang: "zh", Code: 400},
			kerneltest.Scenario{Name: "no permission", Method: "PUT", URL: put, As: r.plain, Body: update(map[string]any{"name": "x"}), Code: 403},
			kerneltest.Scenario{Name: "no name", Method: "PUT", URL: put, As: r.admin, Body: update(map[string]any{"name": "  "}), Code: 400},
			kerneltest.Scenario{Name: "foreign logo", Method: "PUT", URL: put, As: r.admin, Body: update(map[string]any{"name": "x", "url": "https://else.where/x.png"}), Code: 400},
			kerneltest.Scenario{Name: "script logo", Method: "PUT", URL: put, As: r.admin, Lang: "en", Body: update(map[string]any{"name": "x", "url": "javascript:alert(1)"}), Code: 400},
			kerneltest.Scenario{Name: "changed", Method: "PUT", URL: put, As: r.admin, Body: update(map[string]any{"name": "<b>青岚</b>论文", "signDescription": "请签名", "url": logo, "version": 1})},
			kerneltest.Scenario{Name: "stale", Method: "PUT", URL: put, As: r.admin, Body: update(map[string]any{"name": "x", "version": 1}), Code: 1070000002},
			kerneltest.Scenario{Name: "shown", URL: "/thesis/system-config/get?id=1", Contains: []string{"<b>青岚</b>论文", "请签名", logo}},
			kerneltest.Scenario{Name: "not in tenant 2", URL: "/thesis/system-config/get?id=1", Headers: map[string]string{"tenant-id": "2"}, Contains: []string{defaultName}, Absent: []string{"青岚"}},
		)
	})
}
