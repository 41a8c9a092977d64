package juel

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLimits_ofTheSource(t *testing.T) {
	deep := func(n int) string { return "${" + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + "}" }
	for _, c := range []struct {
		name, good, bad, words string
	}{
		{"bytes", "${'" + strings.Repeat("a", 4096-5) + "'}", "${'" + strings.Repeat("a", 4096-4) + "'}", "4096 bytes"},
		{"bytes of a text", strings.Repeat("a", 64<<10), strings.Repeat("a", 64<<10+1), "65536 bytes"},
		{"parentheses", deep(60), deep(200), "nested"},
		{"signs", "${" + strings.Repeat("-", 60) + "1}", "${" + strings.Repeat("-", 90) + "1}", "nested"},
		{"sum", "${1" + strings.Repeat("+1", 60) + "}", "${1" + strings.Repeat("+1", 64) + "}", "nested"},
		{"members", "${a" + strings.Repeat(".a", 60) + "}", "${a" + strings.Repeat(".a", 70) + "}", "nested"},
		{"choices", "${" + strings.Repeat("a?b:", 60) + "c}", "${" + strings.Repeat("a?b:", 70) + "c}", "nested"},
		{"alternatives", "${a==1" + strings.Repeat("||a==1", 160) + "}", "${a==1" + strings.Repeat("||a==1", 170) + "}", "500 operations"},
	} {
		if _, err := Parse(c.good); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		_, err := Parse(c.bad)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Text("en"), c.words) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Parse("${'\xff'}"); err == nil {
		t.Error("not UTF-8, but accepted")
	}
}

func nested(depth int) any {
	v := any("x")
	for range depth {
		v = []any{v}
	}
	return v
}

func TestLimits_ofAnEvaluation(t *testing.T) {
	long := make([]any, 15_000)
	object := map[string]any{}
	for i := range long {
		long[i] = int64(i)
		object[fmt.Sprint(i)] = int64(i)
	}
	w := &world{vars: map[string]any{"long": long, "copy": append([]any{}, long...), "object": object, "same": object,
		"text": strings.Repeat("a", 40_000), "deep": nested(50_000), "deeper": nested(50_000), "few": long[:3]}}
	for source, want := range map[string]string{
		"${contains(long, -1)}":                         "false",
		"${contains(long, -1) || contains(long, -2)}":   "20000 steps",
		"${long == copy}":                               "true",
		"${long == copy && long == copy}":               "20000 steps",
		"${object == same}":                             "20000 steps",
		"${deep == deeper}":                             "20000 steps",
		"a${deep}":                                      "20000 steps",
		"${sum(long) + sum(long)}":                      "20000 steps",
		"${max(long) > 1 && max(long) > 1}":             "20000 steps",
		"${size(split(text, 'a'))}":                     "20000 steps",
		"${join(long, text)}":                           "65536 bytes",
		"${text}${text}":                                "65536 bytes",
		"${concat(text, text)}":                         "65536 bytes",
		"${replace(text, 'a', 'aa')}":                   "65536 bytes",
		"${replace(text, 'a', text)}":                   "65536 bytes",
		"${formatDate(now(), replace(text, 'a', '年'))}": "65536 bytes",
		"${size(replace(text, 'a', ''))}":               "0",
		"x${long}":                                      "65536 bytes",
	} {
		v, err := parse(t, source).Eval(w)
		var failed *EvalError
		if errors.As(err, &failed) && strings.Contains(failed.Text("en"), want) {
			continue
		}
		if err != nil || render(v) != want {
			t.Errorf("%s: %.60v, %v", source, v, err)
		}
	}
}

// An Expr may be shared, and the same variables give the same result and the same
// error each time, though maps have no order.
func TestExpr_sharedAndDeterministic(t *testing.T) {
	for _, source := range []string{"x${map}${i / 7}", "${map == obj || map.deep.x[0] + missing}", "${map == map && word + 1}"} {
		e, want := parse(t, source), outcome(source, variables())
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for range 50 {
					v, err := e.Eval(variables())
					got := render(v)
					var failed *EvalError
					if errors.As(err, &failed) {
						got = "! " + failed.ReasonEn
					}
					if got != want {
						t.Errorf("%s: %s, not %s", source, got, want)
					}
				}
			})
		}
		wait.Wait()
	}
}

// FuzzParse: no panic, no long run, no foreign error, and a second reading agrees.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"${days > 3 && type == 'x'}", "A-${x}-#{y}", "${a ? var:get(b) : c.d(e)[0].f}", "${-'1e5' * list(1, [)}", "${plus(now(),'P1M')}",
		"${word.substring(1,i).equals(list[0])}", "\\${a}", "${'\\''}", "${((((", "${1e400 / 3 % 7}", "${formatDate(t,'yyyy年')}",
		"${join(split(word,'b'),list)}", "${map == map || list < t}", "${round(-d,20)}", "${empty not a.b}", "${9e6144*10}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		start := time.Now()
		e, err := Parse(source)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Column < 1 || syntax.Column > len(source)+1 || syntax.ReasonEn == "" {
				t.Fatalf("%q: %#v", source, err)
			}
			return
		}
		first, again := outcome(source, variables()), outcome(source, variables())
		if first != again || strings.HasPrefix(first, "a foreign") {
			t.Fatalf("%q: %s, then %s", source, first, again)
		}
		if _, err := e.Bool(variables()); err != nil {
			var failed *EvalError
			if !errors.As(err, &failed) || failed.Column < 1 {
				t.Fatalf("%q: %#v", source, err)
			}
		}
		if elapsed := time.Since(start); elapsed > 2*time.Second {
			t.Fatalf("%q took %v", source, elapsed)
		}
	})
}

func BenchmarkCondition(b *testing.B) {
	e := parse(b, "${days > 3 && type == 'x'}")
	w := &world{vars: map[string]any{"days": int64(500), "type": "x"}}
	for b.Loop() {
		if ok, err := e.Bool(w); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkRatio(b *testing.B) {
	e := parse(b, "${nrOfCompletedInstances/nrOfInstances >= 0.6}")
	w := &world{vars: map[string]any{"nrOfCompletedInstances": int64(2), "nrOfInstances": int64(3)}}
	for b.Loop() {
		if ok, err := e.Bool(w); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("${days > 3 && type == 'x'}"); err != nil {
			b.Fatal(err)
		}
	}
}
