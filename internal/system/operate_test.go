package system

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestOperateLog(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		id := r.create(t, r.admin, "/system/notice/create", map[string]any{"title": "第一稿", "type": 1, "content": "<p>长文</p>", "status": 0})
		r.call(t, r.admin, "PUT", "/system/notice/update", map[string]any{"id": id, "title": "第二稿", "status": 1}, 0)
		r.call(t, r.admin, "PUT", "/system/notice/update", map[string]any{"id": id, "status": 0, "content": "<p>短文</p>"}, 0)
		r.call(t, r.admin, "DELETE", fmt.Sprint("/system/notice/delete?id=", id), nil, 0)
		r.create(t, r.foreign, "/system/notice/create", map[string]any{"title": kerneltest.MarkerB, "type": 1})
		var page struct {
			Total int
			List  []OperateLog
		}
		url := fmt.Sprintf("/system/operate-log/page?bizId=%d&type=公告", id)
		r.call(t, r.admin, "GET", url, nil, 0).Decode(t, &page)
		want := []string{
			"删除通知公告「第二稿」",
			"修改通知公告「第一稿」：公告内容 长文 → 短文；状态 关闭 → 开启",
			"修改通知公告「第一稿」：状态 开启 → 关闭；公告标题 第一稿 → 第二稿",
			"新增通知公告「第一稿」",
		}
		if page.Total != len(want) {
			t.Fatalf("%d rows", page.Total)
		}
		for i, w := range want {
			if page.List[i].Action != w {
				t.Errorf("row %d reads %q, want %q", i, page.List[i].Action, w)
			}
		}
		row := page.List[1]
		if row.UserID != adminID || row.UserName != "admin" || row.UserNickname != "人员1001" || row.RequestMethod != "PUT" || row.TraceID == "" || row.Module != row.Type || row.StartTime != row.CreateTime || row.SubType != "修改" {
			t.Errorf("%+v", row)
		}
		get := fmt.Sprint("/system/operate-log/get?id=", row.ID)
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: get, As: r.admin, Lang: "zh", Contains: []string{`"before":{"content":"\u003cp\u003e长文\u003c/p\u003e","status":1}`, `"after":{"content":"\u003cp\u003e短文\u003c/p\u003e","status":0}`}},
			kerneltest.Scenario{URL: get, As: r.admin, Lang: "en", Contains: []string{"Changed Notice “第一稿”: Content 长文 → 短文; Status Disabled → Enabled"}},
			kerneltest.Scenario{Name: "of another tenant", URL: get, As: r.foreign, Foreign: "第一稿", Code: 1070000001},
			kerneltest.Scenario{Name: "without permission", URL: get, As: r.plain, Code: 403},
			kerneltest.Scenario{Name: "no export permission", URL: "/system/operate-log/export", As: r.plain, Code: 403},
			kerneltest.Scenario{Name: "other names of filters", URL: "/system/operate-log/page?module=公告&userNickname=admin&startTime[0]=2000-01-01%2000:00:00", As: r.admin, Lang: "zh", Contains: []string{"第二稿"}},
			kerneltest.Scenario{Name: "content and operation", URL: "/system/operate-log/page?action=短文&subType=修改&userId=1001&entity=system_notice", As: r.admin, Contains: []string{`"total":1`}},
			kerneltest.Scenario{Name: "nobody", URL: "/system/operate-log/page?userId=7", As: r.admin, Contains: []string{`"total":0`, `"list":[]`}},
		)
		for _, name := range []string{"export-excel", "export"} {
			rows := r.sheet(t, r.admin, fmt.Sprintf("/system/operate-log/%s?bizId=%d&type=公告", name, id))
			if len(rows) != 5 || rows[0][0] != "日志编号" || rows[1][2] != "教师" || !strings.Contains(rows[1][6], "删除通知公告") {
				t.Errorf("sheet %v", rows)
			}
		}
	})
}

func TestVerifyChain(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		r.create(t, r.admin, "/system/notice/create", map[string]any{"title": "一", "type": 1})
		if _, err := audit.Seal(store.Use(context.Background(), r.db)); err != nil {
			t.Fatal(err)
		}
		verify := func(token string) (c Chain) {
			r.call(t, token, "GET", "/system/operate-log/verify-chain", nil, 0).Decode(t, &c)
			return c
		}
		whole := verify(r.admin)
		if !whole.OK || whole.Rows == 0 || whole.Broken != 0 {
			t.Fatalf("%+v", whole)
		}
		ctx := store.AcrossTenants(store.Use(context.Background(), r.db), "test: somebody rewrites history")
		err := store.Write(ctx, func(ctx context.Context) error {
			_, err := store.Exec(ctx, `UPDATE audit_log SET after = 'x' WHERE tenant_id = 1 AND entity = 'system_notice'`, nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if c := verify(r.admin); c.OK || c.Broken == 0 {
			t.Errorf("a rewritten row was not found: %+v", c)
		}
		if c := verify(r.foreign); !c.OK {
			t.Errorf("the other tenant's chain: %+v", c)
		}
		r.call(t, r.plain, "GET", "/system/operate-log/verify-chain", nil, 403)
	})
}

func TestShow(t *testing.T) {
	r := &reader{lang: i18n.ZH, labels: map[string]map[string]string{"common_status": {"0": "开启"}}, entities: map[string]crud.Description{}}
	for _, c := range []struct {
		f    field.Field
		v    any
		want string
	}{
		{field.Field{}, nil, "空"}, {field.Field{}, "", "空"}, {field.Field{}, true, "是"}, {field.Field{}, false, "否"},
		{field.Field{Dict: "common_status"}, json.Number("0"), "开启"}, {field.Field{Dict: "common_status"}, json.Number("5"), "5"},
		{field.Field{Kind: "time"}, json.Number("1795231320000"), "2026-11-21 11:22:00"}, {field.Field{Kind: "richtext"}, "<p>a</p><p>b</p>", "a b"},
		{field.Field{}, []any{json.Number("1"), json.Number("2")}, "[1,2]"}, {field.Field{}, strings.Repeat("长", 100), strings.Repeat("长", 59) + "…"},
	} {
		if got := r.show(&c.f, c.v); got != c.want {
			t.Errorf("%v shows as %q, want %q", c.v, got, c.want)
		}
	}
	if decode("{broken") != nil || nameIn(decode(`{"title":"T","x":1}`)) != "T" {
		t.Error("decode or nameIn")
	}
}

func TestSentencesOfTablesNamedInThePlural(t *testing.T) {
	user := crud.Description{TitleEn: "User", Fields: []*field.Field{{Name: "mobile", Label: "手机号码"}}}
	r := &reader{entities: byTable(map[string]any{"system/user": user, "system/oauth2-client": "not a description"})}
	row := audit.Row{Entity: "system_users", Op: int(audit.Updated), SubType: "修改", Type: "用户", BizID: 7, Before: `{"mobile":"1"}`, After: `{"mobile":"2"}`}
	if got, want := r.action(row, r.title(row)), "修改用户「编号 7」：手机号码 1 → 2"; got != want {
		t.Errorf("reads %q, want %q", got, want)
	}
	if len(r.entities) != 2 {
		t.Errorf("%d tables known", len(r.entities))
	}
}
