package system

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

func TestSeedFile(t *testing.T) {
	list, err := readTSV(dictsTSV)
	if err != nil {
		t.Fatal(err)
	}
	names, keys := map[string]string{}, map[string]bool{}
	for _, e := range list {
		key := e.dictType + "=" + e.Value
		switch {
		case keys[key]:
			t.Errorf("%s stands twice", key)
		case e.Label == "" || e.LabelEn == "" || e.Value == "":
			t.Errorf("%s lacks a text", key)
		case !dictTypeForm.MatchString(e.dictType):
			t.Errorf("%s is no type", e.dictType)
		case names[e.name] != "" && names[e.name] != e.dictType:
			t.Errorf("%s and %s are both called %s", e.dictType, names[e.name], e.name)
		}
		keys[key], names[e.name] = true, e.dictType
	}
	// The keys of the specification §3.
	for _, typ := range []string{"user_type", "common_status", "terminal", "system_user_sex", "system_menu_type", "system_role_type", "system_data_scope",
		"system_notice_type", "system_operate_type", "system_login_type", "system_login_result", "system_sms_channel_code", "system_sms_template_type",
		"system_sms_send_status", "system_sms_receive_status", "system_error_code_type", "system_oauth2_grant_type", "system_mail_send_status",
		"system_notify_template_type", "infra_job_status", "infra_job_log_status", "infra_config_type", "infra_file_storage", "infra_codegen_scene",
		"bpm_model_category", "bpm_model_form_type", "bpm_task_assign_rule_type", "bpm_process_instance_status", "bpm_process_instance_result", "bpm_oa_leave_type",
		"pay_channel_code", "pay_order_status", "pay_refund_order_status", "pay_notify_status", "mp_message_type", "mp_auto_reply_request_match", "product_spu_status",
		"trade_after_sale_status", "trade_after_sale_way", "trade_after_sale_type", "trade_order_type", "trade_order_status", "promotion_discount_type",
		"promotion_product_scope", "promotion_coupon_template_validity_type", "promotion_coupon_status", "promotion_coupon_take_type", "promotion_activity_status",
		"promotion_condition_type", "thesis_grade", "approval_status", "change_type", "thesis_source", "thesis_type", "student_subject_audit_state",
		"semester_items", "schedu_status", "course_nature", "course_type", "certificate_template_type", "font_type", "is_enable",
		"abnormal_student_operation", "question_level", "question_type", "answer_option"} {
		found := false
		for key := range keys {
			found = found || strings.HasPrefix(key, typ+"=")
		}
		if !found {
			t.Errorf("%s is missing", typ)
		}
	}
	if !keys["user_type=1"] || len(semesters(2026)) != 2*(2026+4-2023+1) {
		t.Error("user types or semesters are wrong")
	}
	for _, bad := range []string{"a\nb", "m\tt\tn\tv\tl\te\tsort\tc\ts\tst\nx\tx\tx\tx\tx\tx\tNaN\tx\tx\t0"} {
		if _, err := readTSV(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestSeedIsRepeatable(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		counts := func() string {
			var out string
			for _, q := range []string{"system_dict_type", "system_dict_data", "system_notify_template"} {
				var n int
				if err := r.db.Pool().QueryRow("SELECT COUNT(*) FROM " + q).Scan(&n); err != nil {
					t.Fatal(err)
				}
				out += fmt.Sprint(q, n, " ")
			}
			return out
		}
		before := counts()
		// what an administrator changed or deleted stays so
		var page struct {
			List []DictData `json:"list"`
		}
		r.call(t, r.admin, "GET", "/system/dict-data/page?dictType=terminal&pageSize=50", nil, 0).Decode(t, &page)
		first, second := page.List[0], page.List[1]
		r.call(t, r.admin, "DELETE", fmt.Sprint("/system/dict-data/delete?id=", first.ID), nil, 0)
		r.call(t, r.admin, "PUT", "/system/dict-data/update", map[string]any{"id": second.ID, "label": "改过", "version": second.Version}, 0)
		start := time.Now()
		if err := store.Write(kerneltest.AsSystem(r.db, 1), r.s.seed); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("a repeated seed took %s", took)
		}
		if after := counts(); after != before {
			t.Errorf("rows %s, were %s", after, before)
		}
		a := r.call(t, r.admin, "GET", "/system/dict-data/type/terminal", nil, 0)
		if text := string(a.Data); !strings.Contains(text, "改过") || strings.Contains(text, `"`+first.Value+`"`) {
			t.Errorf("the seed undid a change: %s", text)
		}
	})
}

func TestDictTypes(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		body := func(name, typ string) map[string]any {
			return map[string]any{"name": name, "type": typ, "status": 0, "remark": "r"}
		}
		id := r.create(t, r.admin, "/system/dict-type/create", body("学院类别", "college_kind"))
		entry := map[string]any{"sort": 2, "label": "理科", "labelEn": "Science", "value": "1", "dictType": "college_kind", "status": 0, "colorType": "success", "cssClass": ""}
		data := r.create(t, r.admin, "/system/dict-data/create", entry)
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{Name: "name taken", Method: "POST", URL: "/system/dict-type/create", As: r.admin, Body: body("学院类别", "other_kind"), Code: 1002006003},
			kerneltest.Scenario{Name: "type taken", Method: "POST", URL: "/system/dict-type/create", As: r.admin, Body: body("另一个", "college_kind"), Code: 1002006004},
			kerneltest.Scenario{Name: "bad type", Method: "POST", URL: "/system/dict-type/create", As: r.admin, Body: body("另一个", "a b;c"), Code: 400},
			kerneltest.Scenario{Name: "bad type in English", Method: "POST", URL: "/system/dict-type/create", As: r.admin, Lang: "en", Body: body("x", "a b;c"), Code: 400},
			kerneltest.Scenario{Name: "status outside the dictionary", Method: "POST", URL: "/system/dict-type/create", As: r.admin, Body: map[string]any{"name": "n", "type": "n", "status": 7}, Code: 400},
			kerneltest.Scenario{Name: "in use", Method: "DELETE", URL: fmt.Sprint("/system/dict-type/delete?id=", id), As: r.admin, Code: 1002006005},
			kerneltest.Scenario{Name: "renamed in use", Method: "PUT", URL: "/system/dict-type/update", As: r.admin, Body: map[string]any{"id": id, "type": "renamed"}, Code: 1002006005},
			kerneltest.Scenario{Name: "value taken", Method: "POST", URL: "/system/dict-data/create", As: r.admin, Body: entry, Code: 1002007003},
			kerneltest.Scenario{Name: "no type", Method: "POST", URL: "/system/dict-data/create", As: r.admin, Body: with(entry, "dictType", "nowhere"), Code: 1002006001},
			kerneltest.Scenario{Name: "colour", Method: "POST", URL: "/system/dict-data/create", As: r.admin, Body: with(with(entry, "value", "9"), "colorType", "url(x)"), Code: 400},
			kerneltest.Scenario{Name: "css", Method: "POST", URL: "/system/dict-data/create", As: r.admin, Body: with(with(entry, "value", "9"), "cssClass", "a{b}"), Code: 400},
			kerneltest.Scenario{Name: "label too long", Method: "POST", URL: "/system/dict-data/create", As: r.admin, Body: with(with(entry, "value", "9"), "label", strings.Repeat("长", 101)), Code: 400},
			kerneltest.Scenario{Name: "stale", Method: "PUT", URL: "/system/dict-data/update", As: r.admin, Body: map[string]any{"id": data, "label": "x", "version": 99}, Code: 1070000002},
			kerneltest.Scenario{Name: "other tenant creates", Method: "POST", URL: "/system/dict-type/create", As: r.foreign, Body: body("b", "b"), Code: 403},
			kerneltest.Scenario{Name: "other tenant changes", Method: "PUT", URL: "/system/dict-data/update", As: r.foreign, Body: map[string]any{"id": data, "label": "x"}, Code: 403},
			kerneltest.Scenario{Name: "other tenant deletes", Method: "DELETE", URL: fmt.Sprint("/system/dict-data/delete?id=", data), As: r.foreign, Code: 403},
			kerneltest.Scenario{Name: "other tenant reads", URL: "/system/dict-data/page?dictType=college_kind", As: r.foreign, Contains: []string{"理科"}, Lang: "zh"},
			kerneltest.Scenario{Name: "simple list", URL: "/system/dict-type/simple-list", As: r.plain, Contains: []string{`"college_kind"`}},
			kerneltest.Scenario{Name: "simple list, older name", URL: "/system/dict-type/list-all-simple", As: r.plain, Contains: []string{`"college_kind"`}},
		)
		r.call(t, r.admin, "PUT", "/system/dict-type/update", map[string]any{"id": id, "status": 1}, 0)
		r.call(t, r.admin, "POST", "/system/dict-data/create", with(entry, "value", "2"), 1002006002)
		if got := r.call(t, r.plain, "GET", "/system/dict-data/type/college_kind", nil, 0); string(got.Data) != "[]" {
			t.Errorf("a disabled type still shows %s", got.Data)
		}
		r.call(t, r.admin, "DELETE", fmt.Sprint("/system/dict-data/delete-list?ids=", data), nil, 0)
		r.call(t, r.admin, "DELETE", fmt.Sprint("/system/dict-type/delete?id=", id), nil, 0)
		r.create(t, r.admin, "/system/dict-type/create", body("学院类别", "college_kind")) // free again
	})
}

func with(m map[string]any, key string, value any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = v
	}
	out[key] = value
	return out
}

func TestListAllSimple(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for _, path := range []string{"/system/dict-data/list-all-simple", "/system/dict-data/simple-list"} {
			r.call(t, "", "GET", path, nil, 401)
			zh, en := r.fetch(t, path, "zh-CN", nil), r.fetch(t, path, "en-US", nil)
			for _, want := range []string{`"code":0`, `{"dictType":"user_type","value":"1","label":"学生","colorType":"primary","cssClass":""}`, `"thesis_extra"`, `2029-2030-2`} {
				if !strings.Contains(zh.body, want) {
					t.Errorf("%s is missing", want)
				}
			}
			if !strings.Contains(en.body, `"label":"Student"`) || en.etag == zh.etag {
				t.Error("the English list is not English")
			}
			packed := r.fetch(t, path, "zh-CN", map[string]string{"Accept-Encoding": "br, gzip"})
			if packed.encoding != "gzip" || packed.body != zh.body || packed.size*4 > len(zh.body) {
				t.Errorf("compressed: %q, %d of %d bytes", packed.encoding, packed.size, len(zh.body))
			}
			if again := r.fetch(t, path, "zh-CN", map[string]string{"If-None-Match": zh.etag}); again.status != 304 || again.size != 0 {
				t.Errorf("an unchanged list answers %d with %d bytes", again.status, again.size)
			}
			if plain := r.fetch(t, path, "zh-CN", map[string]string{"Accept-Encoding": "gzip;q=0"}); plain.encoding != "" {
				t.Error("a refused coding was used")
			}
		}
	})
}

type fetched struct {
	status               int
	etag, encoding, body string
	size                 int
}

func (r *rig) fetch(t *testing.T, path, lang string, headers map[string]string) fetched {
	t.Helper()
	req := httptest.NewRequest("GET", web.Prefix+path, nil)
	req.Header.Set("Authorization", "Bearer "+r.plain)
	req.Header.Set("Accept-Language", lang)
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	r.h.ServeHTTP(w, req)
	out := fetched{status: w.Code, etag: w.Header().Get("ETag"), encoding: w.Header().Get("Content-Encoding"), size: w.Body.Len()}
	if out.encoding != "gzip" {
		out.body = w.Body.String()
		return out
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out.body = string(text)
	return out
}

// TestDictionaryCache: a change counts at once here, and elsewhere by signal or after
// lookAgain; an undone one never.
func TestDictionaryCache(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		ctx := kerneltest.AsSystem(r.db, 1)
		label := func(d *dictionary) string {
			labels, err := d.labels(i18n.With(ctx, i18n.ZH), "thesis_extra")
			if err != nil {
				t.Fatal(err)
			}
			return labels["1"]
		}
		now := time.Now()
		defer clock.Set(func() time.Time { return now })()
		deaf := newDictionary(r.db)
		deaf.signals = make(chan string) // a node that hears nothing
		if label(r.s.dict) != "甲" || label(deaf) != "甲" {
			t.Fatal("the seed does not show")
		}
		var page struct{ List []DictData }
		r.call(t, r.admin, "GET", "/system/dict-data/page?dictType=thesis_extra", nil, 0).Decode(t, &page)
		id := page.List[0].ID
		_ = store.Write(ctx, func(ctx context.Context) error {
			_, err := r.s.entries.Table.Change(ctx, id, func(row *DictData) error { row.Label = "没有提交"; return nil })
			if err == nil {
				err = r.s.dict.changed(ctx)
			}
			label(r.s.dict)
			return fmt.Errorf("undone: %w", err)
		})
		if got := label(r.s.dict); got != "甲" {
			t.Errorf("an undone change shows: %s", got)
		}
		r.call(t, r.admin, "PUT", "/system/dict-data/update", map[string]any{"id": id, "label": "乙"}, 0)
		if got := label(r.s.dict); got != "乙" {
			t.Errorf("own change: %s", got)
		}
		if got := label(deaf); got != "甲" {
			t.Errorf("the deaf node knows %s already", got)
		}
		now = now.Add(lookAgain + time.Second)
		if got := label(deaf); got != "乙" {
			t.Errorf("the deaf node still has %s", got)
		}
		if labels, err := r.s.dict.labels(ctx, "no_such_type"); err != nil || labels == nil || len(labels) != 0 {
			t.Errorf("an unknown type has %v, %v", labels, err)
		}
	})
}

func TestDictionarySignal(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		other := newDictionary(r.db)
		ctx := kerneltest.AsSystem(r.db, 1)
		if _, err := other.labels(ctx, "terminal"); err != nil {
			t.Fatal(err)
		}
		r.create(t, r.admin, "/system/dict-data/create", map[string]any{"sort": 9, "label": "鸿蒙 App", "value": "40", "dictType": "terminal", "status": 0})
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			labels, err := other.labels(ctx, "terminal")
			if err != nil {
				t.Fatal(err)
			}
			if labels["40"] != "" {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the signal did not arrive")
			}
		}
	})
}

func TestSemestersGrow(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		year := time.Now().Year()
		defer clock.Set(func() time.Time { return time.Date(year+1, 1, 1, 9, 0, 0, 0, clock.Shanghai) })()
		if err := r.s.addSemesters(kerneltest.AsSystem(r.db, 1), nil); err != nil {
			t.Fatal(err)
		}
		var list []DictEntry
		r.call(t, r.plain, "GET", "/system/dict-data/type/"+semesterType, nil, 0).Decode(t, &list)
		want := fmt.Sprintf("%d-%d-2", year+5, year+6)
		if last := list[len(list)-1]; last.Value != want {
			t.Errorf("last semester %s, want %s", last.Value, want)
		}
	})
}

// TestModuleLists: entries and labels of modules arrive with both languages.
func TestModuleLists(t *testing.T) {
	list := fromModules([]*module.Module{{Dicts: []module.Dict{{Type: "x", Name: "X", Entries: []module.Entry{{Value: "a", Label: "甲", LabelEn: "A"}, {Value: "b", Label: "乙"}}}}}})
	text, err := json.Marshal(list[1].DictData)
	if err != nil || len(list) != 2 || list[1].Sort != 2 || list[0].LabelEn != "A" {
		t.Errorf("%s %v", text, err)
	}
}
