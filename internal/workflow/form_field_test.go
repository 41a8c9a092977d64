package workflow

import (
	"fmt"
	"testing"
)

// TestFormFields: fields inside layouts, rows and columns of both generations of designers.
func TestFormFields(t *testing.T) {
	for name, c := range map[string]struct {
		items []string
		want  string
	}{
		"plain":     {[]string{`{"field":"a","title":"A"}`, `{"vModel":"b","label":"B"}`, `{"type":"divider"}`, `"text"`, `{`}, "[{a A} {b B}]"},
		"no label":  {[]string{`{"field":"a","title":{"x":1}}`}, "[{a a}]"},
		"layout":    {[]string{`{"type":"row","children":["text",{"children":[{"field":"a","title":"A"}]},{"field":"b"}]}`}, "[{a A} {b b}]"},
		"rows":      {[]string{`{"type":"group","field":"trips","title":"行程","props":{"rule":[{"field":"city","title":"城市"},{"type":"row","children":[{"field":"cost"}]}]}}`}, "[{trips 行程} {trips.city 行程·城市} {trips.cost 行程·cost}]"},
		"columns":   {[]string{`{"type":"tableForm","field":"trips","props":{"columns":[{"label":"x","rule":[{"field":"city","title":"城市"}]},{"rule":[{"field":"cost","title":"费用"}]}]}}`}, "[{trips trips} {trips.city trips·城市} {trips.cost trips·费用}]"},
		"generator": {[]string{`{"__config__":{"layout":"rowFormItem","children":[{"__config__":{"label":"同意"},"__vModel__":"agree"}]}}`}, "[{agree 同意}]"},
	} {
		if have := fmt.Sprint(formFields(c.items)); have != c.want {
			t.Errorf("%s: %s, want %s", name, have, c.want)
		}
	}
}

func TestValueOf(t *testing.T) {
	vars := map[string]any{"a": "x", "a.b": "dotted", "g": map[string]any{"h": int64(1)}, "rows": []any{map[string]any{"c": "上海", "f": map[string]any{"name": "票.pdf", "url": "/u"}}, map[string]any{"c": ""}, map[string]any{"c": "北京"}, "bare"}}
	for name, want := range map[string]string{"a": "x", "a.b": "dotted", "g.h": "1", "rows.c": "上海、北京", "rows.f": "票.pdf", "rows.none": "", "none.x": "", "a.x": "", "rows": "上海 票.pdf、北京、bare", "g": "1"} {
		if have := shortText(valueOf(vars, name)); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
}

// TestSummary_nested: title and summary reach into rows.
func TestSummary_nested(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		form := w.create("form", changes{"name": "出差", "fields": []string{`{"type":"row","children":[{"type":"input","field":"why","title":"事由"}]}`,
			`{"type":"group","field":"trips","title":"行程","props":{"rule":[{"type":"input","field":"city","title":"城市"}]}}`}}.on(w.samples()["form"]))
		w.publish("p", line(w.task("a", StrategyUser, "{ann}", `<flowable:fieldsPermission field="trips" permission="3"/>`)), changes{"formType": 10, "formId": form,
			"titleSetting": body{"enable": true, "title": "{why}：{trips.city}"}, "summarySetting": body{"enable": true, "summary": []string{"city", "why", "trips.none"}}})
		id := w.start("p", map[string]any{"why": "开会", "trips": []any{map[string]any{"city": "上海"}, map[string]any{"city": "北京"}}})
		mine := into[InstanceDetail](w.office, w.call("starter", "GET", "/process-instance/get?id="+id, nil, 0))
		w.want("title", mine.Name, "开会：上海、北京")
		w.want("summary", fmt.Sprint(mine.Summary), "[{行程·城市 上海、北京} {事由 开会} {trips.none }]")
		w.want("hidden", fmt.Sprint(into[InstanceDetail](w.office, w.call("ann", "GET", "/process-instance/get?id="+id, nil, 0)).Summary), "[{事由 开会}]")
	})
}
