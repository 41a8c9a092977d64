package workflow

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// TestFormFilter: lists are narrowed by what stands in the form, on both databases alike.
func TestFormFilter(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.publish("p", line(w.task("a", StrategyUser, "{ann}")))
		ids := map[string]string{}
		for name, vars := range map[string]map[string]any{
			"one":   {"reason": "Sick", "day": int64(1), "ok": true, "note": `a "quoted" 100% _x\ <b>`},
			"two":   {"reason": "sick leave", "day": int64(12), "ok": false, "items": []any{map[string]any{"city": "上海"}}},
			"three": {"reason": "marriage", "day": "1", "note": `{"day":12}`},
		} {
			ids[name] = w.start("p", vars)
		}
		name := func(id string) string {
			for name, known := range ids {
				if known == id {
					return name
				}
			}
			return id
		}
		for _, c := range []struct{ filter, want string }{
			{`{"reason":"sick"}`, "one"}, {`{"reason":"sick leave"}`, "two"}, {`{"reason":"sic"}`, ""}, {`{"day":1}`, "one three"}, {`{"day":"1"}`, "one three"}, {`{"day":12}`, "two"},
			{`{"ok":true}`, "one"}, {`{"ok":"false"}`, "two"}, {`{"city":"上海"}`, "two"}, {`{"note":"a \"quoted\" 100% _x\\ <b>"}`, "one"}, {`{"note":"a%"}`, ""},
			{`{"reason":"marriage","day":1}`, "three"}, {`{"reason":"marriage","day":12}`, ""}, {`{"reason":"","day":null}`, "one three two"}, {`{}`, "one three two"},
			{`{"reason":"marriage","day":1,"ok":null}`, "three"}, {`{"a":1,"b":2,"c":3,"d":4,"e":5}`, ""},
		} {
			query := "?pageSize=50&formFieldsParams=" + url.QueryEscape(c.filter)
			for _, call := range []string{"starter /process-instance/my-page", "admin /process-instance/manager-page"} {
				who, path, _ := strings.Cut(call, " ")
				var have []string
				for _, v := range into[store.Page[InstanceView]](w.office, w.call(who, "GET", path+query, nil, 0)).List {
					have = append(have, name(v.ID))
				}
				w.want(call+c.filter, sorted(have), c.want)
			}
			for _, call := range []string{"ann /task/todo-page", "admin /task/manager-page"} {
				who, path, _ := strings.Cut(call, " ")
				var have []string
				for _, v := range into[store.Page[TaskView]](w.office, w.call(who, "GET", path+query, nil, 0)).List {
					have = append(have, name(v.ProcessInstanceID))
				}
				w.want(call+c.filter, sorted(have), c.want)
			}
		}
		for _, bad := range []string{"reason", "[1]", `"x"`, `{"a":{}}`, `{"a":[1]}`, `{"PROCESS_START_USER_ID":1}`, `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`,
			`{"a":"` + strings.Repeat("x", 201) + `"}`, `{"` + strings.Repeat("x", 65) + `":1}`} {
			for _, call := range []string{"starter /process-instance/my-page", "ann /task/todo-page"} {
				who, path, _ := strings.Cut(call, " ")
				a := w.call(who, "GET", path+"?formFieldsParams="+url.QueryEscape(bad), nil, errs.CodeInvalid)
				if len(a.Fields) == 0 || a.Fields[0].Name != "formFieldsParams" {
					t.Errorf("%s: %s", bad, a.Raw)
				}
			}
		}
	})
}

func sorted(list []string) string {
	slices.Sort(list)
	return strings.Join(list, " ")
}
