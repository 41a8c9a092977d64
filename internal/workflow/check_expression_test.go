package workflow

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
)

func TestCheckExpression(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		ask := func(source, lang string) ExpressionCheck {
			t.Helper()
			a := kerneltest.Scenario{URL: "/bpm/model/check-expression?expression=" + url.QueryEscape(source), As: w.tokens["admin"], Lang: lang}.Call(t, w.h)
			var out ExpressionCheck
			if err := json.Unmarshal(a.Data, &out); err != nil {
				t.Fatalf("%q: %d %s", source, a.Code, a.Msg)
			}
			return out
		}
		for source, want := range map[string]ExpressionCheck{
			"":                     {Valid: true, Literal: true},
			"7":                    {Valid: true, Literal: true},
			"${day > 3 && ok}":     {Valid: true},
			"A-${day}":             {Valid: true},
			"${unknownBean.go(1)}": {Valid: true},
		} {
			if got := ask(source, "zh"); got != want {
				t.Errorf("%s: %+v, want %+v", source, got, want)
			}
		}
		for source, column := range map[string]int{"${day >}": 8, "${}": 1, "${a": 1, "${nothingKnown(1)}": 3} {
			zh, en := ask(source, "zh"), ask(source, "en")
			if zh.Valid || zh.Column != column || en.Column != column {
				t.Errorf("%s: %+v, want column %d", source, zh, column)
			}
			if !strings.HasPrefix(zh.Message, "第 ") || !strings.HasPrefix(en.Message, "column ") {
				t.Errorf("%s: %q and %q", source, zh.Message, en.Message)
			}
		}
		long := url.QueryEscape(strings.Repeat("字", 4097))
		if a := (kerneltest.Scenario{URL: "/bpm/model/check-expression?expression=" + long, As: w.tokens["admin"]}).Call(t, w.h); a.Code == 0 {
			t.Error("a text beyond the limit was read")
		}
		w.call("ann", "GET", "/model/check-expression?expression=1", nil, 403)
	})
}
