package juel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// world is the Env of the tests.
type world struct {
	vars  map[string]any
	calls []string
}

func (w *world) Variable(name string) (any, bool) { v, ok := w.vars[name]; return v, ok }

func (w *world) Call(bean, method string, args []any) (any, error) {
	w.calls = append(w.calls, fmt.Sprintf("%s.%s%v", bean, method, args))
	switch bean + "." + method {
	case "execution.getVariable":
		return w.vars[fmt.Sprint(args[0])], nil
	case "leaders.of":
		return []string{"u1", "u2"}, nil
	case "leaders.contains":
		return true, nil
	}
	return nil, errors.New("no bean " + bean)
}

var shanghai = time.FixedZone("CST", 8*3600)

func (w *world) Now() time.Time { return time.Date(2026, 3, 31, 9, 30, 0, 0, shanghai) }

func parse(t testing.TB, source string) *Expr {
	t.Helper()
	e, err := Parse(source)
	if err != nil {
		t.Fatalf("%.80s: %v", source, err)
	}
	return e
}

func TestExpr_namesAndCalls(t *testing.T) {
	for _, c := range []struct{ source, names, calls, identifier string }{
		{"plain", "[]", "[]", ""},
		{"${a}", "[a]", "[]", "a"},
		{" #{a} ", "[a]", "[]", "a"},
		{"x${a}", "[a]", "[]", ""},
		{"${a.b + a.c[d]}-${c}", "[a d c]", "[]", ""},
		{"${days > 3 && leaders.of(me).contains(me) && names.contains('a') && execution.getVariable('q') > now()}",
			"[days me names]", "[leaders.of execution.getVariable]", ""},
		{"${a.run(b.run(c), b.run(d))}", "[c d]", "[a.run b.run]", ""},
		{"${var:get(a)}${var:get('b')}", "[a b]", "[]", ""},
		{"${size(a) > 1 ? x : y.z()}", "[a x]", "[y.z]", ""},
	} {
		e := parse(t, c.source)
		if fmt.Sprint(e.Names()) != c.names || fmt.Sprint(e.Calls()) != c.calls || e.Identifier() != c.identifier || e.Source() != c.source {
			t.Errorf("%s: names %v, calls %v, identifier %q", c.source, e.Names(), e.Calls(), e.Identifier())
		}
		if e.IsLiteral() != (c.source == "plain") {
			t.Errorf("%s: literal %v", c.source, e.IsLiteral())
		}
	}
}

func TestExpr_Bool(t *testing.T) {
	for source, want := range map[string]string{
		"${T}": "true", "${F}": "false", "${yes}": "true", "${no}": "false", "true": "true", "FALSE": "false", "\n ${i > 2}\n": "true",
		"${i}": "integer", "${d}": "decimal", "${word}": "text", "${blank}": "text", "${nothing}": "null", "${list}": "list",
		"${map}": "object", "${t}": "time", "${missing}": "no variable missing", "${missing.x}": "no variable missing",
		"yes": "text", "": "text", "${1/0}": "division",
	} {
		got, err := parse(t, source).Bool(variables())
		if err == nil {
			if fmt.Sprint(got) != want {
				t.Errorf("%s is %v, not %s", source, got, want)
			}
			continue
		}
		var failed *EvalError
		if !errors.As(err, &failed) || !strings.Contains(failed.Text("en"), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestErrors_inBothLanguages(t *testing.T) {
	_, err := Parse("${变量 = 1}")
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Column != 6 || syntax.Error() != "第 6 个字符：不支持赋值或 “=”；判断相等请写 ==" ||
		syntax.Text("en") != `column 6: assignment and "=" are not supported; write == to compare` {
		t.Errorf("%v", err)
	}
	_, err = parse(t, "A-${i} ${word + 1}").Eval(variables())
	var failed *EvalError
	if !errors.As(err, &failed) || failed.Column != 15 || failed.Error() != `第 15 个字符：文本 "abc" 不是数字` || failed.Text("en") != `column 15: the text "abc" is not a number` {
		t.Errorf("%v", err)
	}
	_, err = parse(t, "${i + nobody.home(word)}").Eval(variables())
	if !errors.As(err, &failed) || failed.Cause == nil || errors.Unwrap(err) != failed.Cause || failed.Text("en") != "column 14: nobody.home failed: no bean nobody" {
		t.Errorf("%v", err)
	}
}

// No message lacks a language or leaves a verb unfilled.
func TestErrors_complete(t *testing.T) {
	for _, file := range []string{"expressions.txt", "payloads.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\t' }) {
			e, err := Parse(field)
			if err == nil {
				_, err = e.Eval(variables())
			}
			bilingual, ok := err.(interface{ Text(lang string) string })
			if err == nil {
				continue
			}
			zh, en := err.Error(), ""
			if ok {
				en = bilingual.Text("en")
			}
			if !ok || !strings.HasPrefix(zh, "第 ") || !strings.HasPrefix(en, "column ") || strings.Contains(zh+en, "%!") {
				t.Errorf("%s: %s / %s", field, zh, en)
			}
		}
	}
}

func TestNormalize(t *testing.T) {
	var decoded any
	decoder := json.NewDecoder(strings.NewReader(`{"i":9007199254740993,"d":0.1,"e":1e2,"far":1e99999,"list":[1,{"x":2.50}],"s":"1","n":null,"b":true}`))
	decoder.UseNumber()
	if err := decoder.Decode(&decoded); err != nil {
		t.Fatal(err)
	}
	m := Normalize(decoded).(map[string]any)
	if m["i"] != int64(9007199254740993) || render(m["d"]) != "0.1d" || render(m["e"]) != "100d" || m["far"] != "1e99999" ||
		render(m["list"]) != `[1,{"x":2.5}]` || m["s"] != "1" || m["n"] != nil || m["b"] != true {
		t.Errorf("%v", m)
	}
	if render(decoded.(map[string]any)["list"]) != `[1,{"x":2.50}]` {
		t.Error("the argument was changed")
	}
	for _, c := range []struct {
		in   any
		want string
	}{
		{1, "1"}, {int32(2), "2"}, {uint32(3), "3"}, {1.0, "1"}, {0.1, "0.1d"}, {float32(0.1), "0.1d"}, {1e21, "1000000000000000000000d"},
		{math.NaN(), "null"}, {math.Inf(1), "null"}, {[]string{"a"}, `["a"]`}, {[]int64{1}, "[1]"},
		{map[string]string{"a": "b"}, `{"a":"b"}`}, {[]map[string]any{{"a": 1}}, `[{"a":1}]`}, {[]any{[]string{"x"}}, `[["x"]]`},
	} {
		if got := render(Normalize(c.in)); got != c.want {
			t.Errorf("%v becomes %s, not %s", c.in, got, c.want)
		}
	}
	w := &world{vars: map[string]any{"odd": struct{}{}}}
	for _, source := range []string{"${odd + 1}", "a${odd}", "${odd > 1}", "${odd && true}", "${odd.x}", "${list(odd).toString()}"} {
		if _, err := parse(t, source).Eval(w); err == nil || !strings.Contains(err.Error(), "不支持的类型") {
			t.Errorf("%s: %v", source, err)
		}
	}
}
