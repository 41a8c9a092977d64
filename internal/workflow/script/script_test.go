package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

var clock = time.Date(2026, 3, 31, 9, 30, 0, 0, time.UTC)

func run(source string, vars map[string]any) (map[string]any, any, error) {
	return Run(context.Background(), Script{"javascript", source}, vars, Env{Now: clock, Seed: 1, Limit: time.Second})
}

// outcome writes what a run gives: changed variables and result as JSON, or the
// English text of the error.
func outcome(source string, vars map[string]any) string {
	changed, result, err := run(source, vars)
	if err != nil {
		var own *Error
		if !errors.As(err, &own) || own.Reason == "" || strings.Contains(err.Error()+own.Text("en"), "%!") {
			return fmt.Sprintf("a foreign error: %v", err)
		}
		return "! " + own.Text("en")
	}
	text, err := json.Marshal([]any{changed, result})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestRun(t *testing.T) {
	vars := func() map[string]any {
		return map[string]any{"days": int64(3), "name": "王", "form": map[string]any{"kind": "x", "rows": []any{int64(1), int64(2)}},
			"big": int64(math.MaxInt64), "rate": json.Number("0.25"), "nothing": nil, "at": clock,
			"execution": map[string]any{"businessKey": "42"}, "with space": true}
	}
	for source, want := range map[string]string{
		"":                                    `[{},null]`,
		"1 + 1":                               `[{},2]`,
		"days * 2.5":                          `[{},7.5]`,
		"0.1 + 0.2":                           `[{},0.30000000000000004]`,
		"rate * 4":                            `[{},1]`,
		"name + days":                         `[{},"王3"]`,
		"form.rows.map(x => x * 2)":           `[{},[2,4]]`,
		"({a: [1, {b: null}], c: 'd'})":       `[{},{"a":[1,{"b":null}],"c":"d"}]`,
		"big":                                 `[{},"9223372036854775807"]`,
		"at":                                  `[{},"2026-03-31T09:30:00Z"]`,
		"nothing":                             `[{},null]`,
		"undefined":                           `[{},null]`,
		"NaN":                                 `[{},null]`,
		"(function () {})":                    `[{},null]`,
		"execution.businessKey":               `[{},"42"]`,
		"execution.getVariable('days')":       `[{},3]`,
		"execution.getVariable('with space')": `[{},true]`,
		"execution.getVariable('missing')":    `[{},null]`,
		"execution.getVariable('toString')":   `[{},null]`,
		"execution.hasVariable('days') && !execution.hasVariable('x')":                             `[{},true]`,
		"Object.keys(execution.getVariables()).length":                                             `[{},9]`,
		"execution.setVariable('days', days + 1)":                                                  `[{"days":4},null]`,
		"execution.setVariable('a', 1); execution.setVariable('a', 2); execution.getVariable('a')": `[{"a":2},2]`,
		"execution.setVariable('a', undefined); execution.setVariable('b', NaN)":                   `[{"a":null,"b":null},null]`,
		"execution.setVariable('a', new Date())":                                                   `[{"a":"2026-03-31T09:30:00.000Z"},null]`,
		"execution.setVariable('__proto__', {x: 1}); ({}).x === undefined":                         `[{"__proto__":{"x":1}},true]`,
		"form.kind = 'changed'; days = 9; form":                                                    `[{},{"kind":"changed","rows":[1,2]}]`,
		"form.rows.push(3); execution.setVariable('form', form)":                                   `[{"form":{"kind":"x","rows":[1,2,3]}},null]`,
		"var o = {x: 1}; execution.setVariable('o', o); o.x = 2; execution.getVariable('o').x":     `[{"o":{"x":1}},1]`,
		"implicit = 5; implicit":                                                                   `[{},5]`,
		"let s = 0; for (const x of form.rows) { s += x } s":                                       `[{},3]`,
		"switch (form.kind) { case 'x': 'yes'; break; default: 'no' }":                             `[{},"yes"]`,
		"'ab'.repeat(3) + 'x'.padStart(3, '0') + 'x'.padEnd(2)":                                    `[{},"ababab00xx "]`,
		"/^(?=.*b)a/.test('ab')":                                                                   `[{},true]`,
		"new Date().getTime() === Date.now() && Date.now()":                                        fmt.Sprintf("[{},%d]", clock.UnixMilli()),
		"throw new Error('no budget')":                                                             "! script line 1 column 7: threw Error: no budget",
		"throw 'x'":                                                                                "! script line 1 column 1: threw x",
		"\n  nosuch.y":                                                                             "! script line 2 column 3: threw ReferenceError: nosuch is not defined",
		"var x = ;":                                                                                "! script line 1 column 9: Unexpected token ;",
		"execution.setVariable('', 1)":                                                             "! script line 1 column 22: threw TypeError: setVariable needs the name of a variable",
		"execution.setVariable('f', () => 1)":                                                      "! script line 1 column 22: threw TypeError: the value of f is not data",
		"var a = {}; a.a = a; execution.setVariable('a', a)":                                       "circular",
		"var a = {}; a.a = a; a":                                                                   "circular",
		"execution = 5; typeof execution":                                                          `[{},"object"]`,
	} {
		got := outcome(source, vars())
		if got != want && (want != "circular" || !strings.HasPrefix(got, "! ") || !strings.Contains(got, "circular")) {
			t.Errorf("%s gives %s, not %s", source, got, want)
		}
	}
}

func TestRun_keepsTheCallersVariables(t *testing.T) {
	vars := map[string]any{"form": map[string]any{"n": int64(math.MaxInt64)}, "list": []any{int64(1)}}
	if got := outcome("form.n = 1; list.push(2); execution.setVariable('list', list); 1", vars); got != `[{"list":[1,2]},1]` {
		t.Error(got)
	}
	if fmt.Sprint(vars) != "map[form:map[n:9223372036854775807] list:[1]]" {
		t.Errorf("changed: %v", vars)
	}
	changed, result, err := run("execution.setVariable('i', 7); execution.setVariable('d', 0.5); 2", nil)
	if err != nil || changed["i"] != int64(7) || result != int64(2) || fmt.Sprintf("%T", changed["d"]) != "juel.Decimal" {
		t.Errorf("%v %v %v", changed, result, err)
	}
}

func TestRun_repeats(t *testing.T) {
	source := "[Math.random(), Math.random(), new Date(), Object.keys(execution.getVariables())]"
	vars := map[string]any{"c": 1, "a": 2, "b": 3}
	first := outcome(source, vars)
	for range 5 {
		if again := outcome(source, vars); again != first {
			t.Fatalf("%s, then %s", first, again)
		}
	}
	_, other, err := Run(context.Background(), Script{"js", source}, vars, Env{Now: clock, Seed: 2})
	if text, _ := json.Marshal([]any{map[string]any{}, other}); err != nil || string(text) == first {
		t.Errorf("another seed gives the same: %s %v", text, err)
	}
}

// A script sees nothing of the host.
func TestRun_hasNoHost(t *testing.T) {
	for _, name := range []string{"require", "process", "global", "window", "fetch", "XMLHttpRequest", "setTimeout", "setInterval", "setImmediate",
		"console", "module", "exports", "Java", "Packages", "load", "print", "eval", "Function", "Promise", "Proxy", "BigInt", "ArrayBuffer",
		"SharedArrayBuffer", "DataView", "Uint8Array", "Float64Array", "WeakRef", "WebAssembly", "importScripts", "Deno"} {
		if got := outcome("typeof "+name, nil); got != `[{},"undefined"]` {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, source := range []string{
		"(function () {}).constructor('return 1')()", "(() => 1).constructor('return 1')()", "(function* () {}).constructor('return 1')()",
		"(async function () {}).constructor('return 1')()", "(async () => 1).constructor('return 1')", "[].map.constructor('return 1')()", "Reflect.construct(Object.constructor, ['return 1'])()",
		"class A {}; A.constructor('return 1')()", "execution.setVariable.constructor('return 1')()", "eval('1')", "(0, eval)('1')", "import('fs')", "new Function('return 1')",
		"Object.getPrototypeOf(function () {}).constructor = 1; Object.defineProperty(Function.prototype, 'constructor', {value: 1})",
		"Object.getPrototypeOf(async function () {}).constructor('return 1')", "new (function () {}).constructor('return 1')", "new Uint8Array(1)",
		"Object.defineProperty((function () {}).__proto__, 'constructor', {value: 1})",
	} {
		if got := outcome(source, nil); !strings.HasPrefix(got, "! ") {
			t.Errorf("%s gives %s", source, got)
		}
	}
}

func TestRun_formats(t *testing.T) {
	for _, format := range []string{"javascript", "JavaScript", "js", " ecmascript "} {
		if err := Check(format, "1"); err != nil {
			t.Errorf("%q: %v", format, err)
		}
	}
	for _, format := range []string{"", "groovy", "python", "juel", "feel", "application/x-sh", strings.Repeat("x", 1000)} {
		err := Check(format, "1")
		_, _, again := Run(context.Background(), Script{format, "1"}, nil, Env{})
		var own *Error
		if !errors.As(err, &own) || !strings.Contains(own.Text("en"), "not supported") || again == nil {
			t.Errorf("%.20q: %v, %v", format, err, again)
		}
	}
}

// A comment may name a source map, which the parser would read from the disk.
func TestCheck_readsNoFile(t *testing.T) {
	for _, name := range []string{"/etc/passwd", "file:///etc/passwd", "testdata/none.map", "http://127.0.0.1:1/x"} {
		if err := Check("js", "1\n//# sourceMappingURL="+name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for source, want := range map[string]string{
		"":                               "",
		"var x = 1;\nx + 1":              "",
		"nosuch.method()":                "",
		"var x = 1;\nvar y = (":          "script line 2 column 10: ",
		"let a; let a":                   "script line 1 column 12: ",
		"break":                          "script line 1 column 1: ",
		"return 1":                       "script line 1 column 1: ",
		"'open":                          "script line 1 column 1: ",
		"/(/":                            "script line 1 ",
		strings.Repeat("x", maxSource+1): "script: the script is longer than 64 KiB",
	} {
		err := Check("js", source)
		var own *Error
		if want == "" && err == nil {
			continue
		}
		if want == "" || !errors.As(err, &own) || !strings.HasPrefix(own.Text("en"), want) || own.Error() == "" {
			t.Errorf("%.40q: %v", source, err)
		}
	}
}

func TestRun_limits(t *testing.T) {
	large := strings.Repeat("x", maxData)
	for _, c := range []struct {
		name, source string
		vars         map[string]any
		want         string
	}{
		{"source", strings.Repeat(" ", maxSource+1), nil, "longer than 64 KiB"},
		{"input", "1", map[string]any{"x": large}, "larger than 256 KiB"},
		{"not data", "1", map[string]any{"x": make(chan int)}, "cannot be handed"},
		{"stored", "execution.setVariable('x', 'x'.repeat(262145))", nil, "more than 262144 bytes"},
		{"stored together", "for (let i = 0; i < 5; i++) execution.setVariable('x', 'x'.repeat(60000))", nil, "more than 262144 bytes"},
		{"characters", "'中'.repeat(100000)", nil, "larger than 256 KiB"},
		{"result", "'x'.repeat(300000)", nil, "more than 262144 bytes"},
		{"recursion", "(function f() { f() })()", nil, "more than 256 nested calls"},
		{"recursion by a callback", "[1].map(function f() { return [1].map(f) })", nil, "more than 256 nested calls"},
		{"recursion by a getter", "var o = {get x() { return o.x }}; o.x", nil, "more than 256 nested calls"},
		{"repeat", "'x'.repeat(1e9)", nil, "longer than 1048576"},
		{"pad", "'x'.padEnd(1e9)", nil, "longer than 1048576"},
	} {
		if got := outcome(c.source, c.vars); !strings.HasPrefix(got, "! ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %.200s", c.name, got)
		}
	}
}

func TestRun_stopsInTime(t *testing.T) {
	for source, want := range map[string]error{
		"while (true) {}":                                         ErrTime,
		"try { while (true) {} } catch (e) { 1 }":                 ErrTime,
		"try { while (true) {} } finally { while (true) {} }":     ErrTime,
		"[1, 2].sort(function () { while (true) {} })":            ErrTime,
		"({toJSON() { while (true) {} }})":                        ErrTime,
		"(async () => { await 1; while (true) {} })()":            ErrTime,
		"/(a+)+\\1$/.test('a'.repeat(25) + 'b'); while (true) {}": ErrTime,
	} {
		start := time.Now()
		_, _, err := Run(context.Background(), Script{"js", source}, nil, Env{Limit: 50 * time.Millisecond})
		if elapsed := time.Since(start); elapsed > 2*time.Second {
			t.Errorf("%s took %v", source, elapsed)
		}
		if !errors.Is(err, want) && !errors.Is(err, ErrStuck) {
			t.Errorf("%s: %v", source, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, _, err := Run(ctx, Script{"js", "while (true) {}"}, nil, Env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestRun_stopsBeforeTheMemoryEnds(t *testing.T) {
	for source, slow := range map[string]bool{"var s = 'x'; while (true) s += s": false, "var a = []; while (true) a = [a]": true} {
		_, _, err := Run(context.Background(), Script{"js", source}, nil, Env{})
		if !errors.Is(err, ErrMemory) && !(slow && errors.Is(err, ErrTime)) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// A built-in that does not stop is left behind, takes one place, and gives it back.
func TestRun_leavesABuiltInBehind(t *testing.T) {
	allPlacesFree(t) // an earlier test may have left one behind, and two would be one too many
	start := time.Now()
	_, _, err := Run(context.Background(), Script{"js", "new Array(4e6).indexOf(1)"}, nil, Env{Limit: 20 * time.Millisecond})
	if !errors.Is(err, ErrStuck) || time.Since(start) > 2*time.Second {
		t.Skipf("the machine was too fast or too slow to see it: %v after %v", err, time.Since(start))
	}
	if got := outcome("1 + 1", nil); got != `[{},2]` {
		t.Errorf("beside it: %s", got)
	}
	allPlacesFree(t)
}

// allPlacesFree waits until every script left behind has given its place back.
func allPlacesFree(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(places) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a place was not given back")
		}
	}
}

func TestRun_twoAtOnce(t *testing.T) {
	for range cap(places) {
		places <- struct{}{}
	}
	_, _, err := Run(context.Background(), Script{"js", "1"}, nil, Env{Limit: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, cancelled := Run(ctx, Script{"js", "1"}, nil, Env{})
	for range cap(places) {
		<-places
	}
	if !errors.Is(err, ErrBusy) || !errors.Is(cancelled, context.Canceled) {
		t.Errorf("%v, %v", err, cancelled)
	}
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			if got := outcome("x * 2", map[string]any{"x": i}); got != fmt.Sprintf("[{},%d]", 2*i) {
				t.Errorf("%d: %s", i, got)
			}
		})
	}
	wait.Wait()
}

// FuzzRun: no panic leaves the package, no run outlasts its time, every error is an *Error.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{"x + 1", "execution.setVariable('y', [x])", "throw {}", "null.x", "for(;;){}", "`${x}`", "class A{#p=1}", "'use strict'; y = 1",
		"JSON.stringify = 1; x", "Object.prototype.toJSON = () => 1; execution.setVariable('a', {})", "Array.prototype.join = 1; x", "delete globalThis.execution",
		"throw {toString(){throw 1}}", "String.prototype.repeat.call(null, 1)", "Object.freeze(globalThis); var z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		start := time.Now()
		_, _, err := Run(context.Background(), Script{"js", source}, map[string]any{"x": 1}, Env{Now: clock, Limit: 100 * time.Millisecond})
		var own *Error
		if err != nil && !errors.As(err, &own) {
			t.Fatalf("%q: %#v", source, err)
		}
		if elapsed := time.Since(start); elapsed > 3*time.Second {
			t.Fatalf("%q took %v", source, elapsed)
		}
	})
}

func BenchmarkRun(b *testing.B) {
	vars := map[string]any{"days": int64(3), "kind": "x"}
	for b.Loop() {
		if _, _, err := Run(context.Background(), Script{"js", "execution.setVariable('long', days > 2 && kind === 'x')"}, vars, Env{Now: clock}); err != nil {
			b.Fatal(err)
		}
	}
}
