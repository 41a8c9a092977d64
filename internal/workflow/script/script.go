package script

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"viva/internal/workflow/juel"
)

// The limits of a script; doc.go explains them.
const (
	maxSource = 64 << 10
	maxData   = 256 << 10
	maxCalls  = 256
	maxLimit  = 2 * time.Second
	maxWhole  = 1<<53 - 1 // the greatest whole number a double keeps apart from its neighbours
)

// Script is the source of a script task with its scriptFormat.
type Script struct{ Format, Source string }

// Env is what a run may know of the world: the clock of the command, a seed for
// Math.random that replay repeats, and the time it may take (two seconds when 0 or
// more).
type Env struct {
	Now   time.Time
	Seed  int64
	Limit time.Duration
}

const sourceName = "script"

// formats are the values of scriptFormat that mean JavaScript.
var formats = []string{"javascript", "js", "ecmascript"}

//go:embed prelude.js
var preludeSource string

var prelude = goja.MustCompile("prelude", preludeSource, true)

// Check reads a script without running it, for deployment. The error is an *Error.
func Check(format, source string) error {
	if err := accept(format, source); err != nil {
		return err
	}
	return supervise(context.Background(), maxLimit, func(*watch) error {
		_, err := compile(source)
		return explain(err)
	})
}

func accept(format, source string) error {
	if !slices.Contains(formats, strings.ToLower(strings.TrimSpace(format))) {
		return fault(nil, "不支持的脚本格式 %q，只支持 javascript", "script format %q is not supported, only javascript is", brief(format))
	}
	if len(source) > maxSource {
		return fault(nil, "脚本超过 %d KiB", "the script is longer than %d KiB", maxSource>>10)
	}
	return nil
}

// Run runs a script on a copy of the variables. changed holds what it stored with
// setVariable, result the value of its last statement; both are in the types of
// package juel. The error is an *Error, and then nothing is changed.
func Run(ctx context.Context, s Script, vars map[string]any, env Env) (changed map[string]any, result any, err error) {
	if err := accept(s.Format, s.Source); err != nil {
		return nil, nil, err
	}
	input, err := encode(vars)
	if err != nil {
		return nil, nil, err
	}
	if env.Limit <= 0 || env.Limit > maxLimit {
		env.Limit = maxLimit
	}
	output := make(chan string, 1) // not a shared variable: a script left behind may still write
	err = supervise(ctx, env.Limit, func(w *watch) error {
		text, err := evaluate(w, s.Source, input, env)
		output <- text
		return explain(err)
	})
	if err != nil {
		return nil, nil, err
	}
	return decode(<-output)
}

// compile parses apart from goja.Compile, which loses the places of syntax errors and
// reads the file that a sourceMappingURL comment names.
func compile(source string) (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, sourceName, source, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	return goja.CompileAST(tree, false)
}

// evaluate runs the source between the two halves of the prelude and gives the
// outcome as JSON.
func evaluate(w *watch, source, input string, env Env) (string, error) {
	program, err := compile(source)
	if err != nil {
		return "", err
	}
	vm := goja.New()
	if !w.attach(vm) {
		return "", nil // nobody waits any more
	}
	vm.SetMaxCallStackSize(maxCalls)
	vm.SetTimeSource(func() time.Time { return env.Now })
	vm.SetRandSource(rand.New(rand.NewPCG(uint64(env.Seed), 0)).Float64)
	begin, err := vm.RunProgram(prelude)
	if err != nil {
		return "", err
	}
	enter, _ := goja.AssertFunction(begin)
	finish, err := enter(goja.Undefined(), vm.ToValue(input), vm.ToValue(maxData))
	if err != nil {
		return "", err
	}
	value, err := vm.RunProgram(program)
	if err != nil {
		return "", err
	}
	end, _ := goja.AssertFunction(finish)
	out, err := end(goja.Undefined(), value)
	if err != nil {
		return "", err
	}
	return out.String(), nil
}

// encode writes the variables as JSON with the keys in order.
func encode(vars map[string]any) (string, error) {
	text, err := json.Marshal(doubles(juel.Normalize(vars)))
	if err != nil {
		return "", fault(err, "流程变量不能交给脚本：%v", "the variables cannot be handed to a script: %v", err)
	}
	if len(text) > maxData {
		return "", fault(nil, "流程变量超过 %d KiB，不能交给脚本", "the variables are larger than %d KiB and cannot be handed to a script", maxData>>10)
	}
	return string(text), nil
}

// doubles replaces whole numbers that a double would round by their text, in place:
// Normalize made a copy.
func doubles(v any) any {
	switch x := v.(type) {
	case int64:
		if x > maxWhole || x < -maxWhole {
			text, _ := json.Marshal(x)
			return string(text)
		}
	case []any:
		for i, e := range x {
			x[i] = doubles(e)
		}
	case map[string]any:
		for k, e := range x {
			x[k] = doubles(e)
		}
	}
	return v
}

func decode(text string) (map[string]any, any, error) {
	if len(text) > maxData {
		return nil, nil, fault(nil, "脚本的结果超过 %d KiB", "the outcome of the script is larger than %d KiB", maxData>>10)
	}
	var outcome struct {
		Changed map[string]any
		Result  any
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&outcome); err != nil {
		return nil, nil, fault(err, "脚本的结果不能保存：%v", "the outcome of the script cannot be stored: %v", err)
	}
	changed, _ := juel.Normalize(outcome.Changed).(map[string]any)
	return changed, juel.Normalize(outcome.Result), nil
}
