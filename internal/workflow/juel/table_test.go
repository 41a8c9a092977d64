package juel

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// variables of the expression table.
func variables() *world {
	var fromJSON map[string]any
	decoder := json.NewDecoder(strings.NewReader(`{"i":3,"zero":0,"neg":-7,"big":9223372036854775807,
		"huge":123456789012345678901234567890,"d":1.5,"s":"3","sd":"1.5","word":"abc","blank":"","yes":"true","no":"false",
		"T":true,"F":false,"nothing":null,"list":["a","b",3],"none":[],"obj":{},"date":"2026-03-01","变量":1,"_x":7,"$y":8,
		"map":{"k":"v","n":5,"deep":{"x":[1,2]},"class":"三班","中文":"是"}}`))
	decoder.UseNumber()
	if err := decoder.Decode(&fromJSON); err != nil {
		panic(err)
	}
	fromJSON["t"] = time.Date(2026, 3, 1, 8, 0, 0, 0, shanghai)
	fromJSON["wide"] = int32(3)
	fromJSON["real"] = 2.5
	return &world{vars: fromJSON}
}

// render writes a value so that its type shows.
func render(v any) string {
	switch x := v.(type) {
	case Decimal:
		return x.String() + "d"
	case string:
		return "'" + x + "'"
	case time.Time:
		return "@" + x.Format(time.RFC3339)
	case []any, map[string]any:
		text, err := json.Marshal(x)
		if err != nil {
			return err.Error()
		}
		return string(text)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// outcome of a source in the notation of the table.
func outcome(source string, env Env) string {
	e, err := Parse(source)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("? %d %s", syntax.Column, syntax.ReasonEn)
	} else if err != nil {
		return "a foreign error: " + err.Error()
	}
	v, err := e.Eval(env)
	var failed *EvalError
	if errors.As(err, &failed) {
		return "! " + failed.ReasonEn
	} else if err != nil {
		return "a foreign error: " + err.Error()
	}
	return render(v)
}

func agrees(got, want string) bool {
	if strings.HasPrefix(want, "! ") {
		return strings.HasPrefix(got, "! ") && strings.Contains(got, want[2:])
	}
	if strings.HasPrefix(want, "? ") {
		column, words, _ := strings.Cut(want[2:], " ")
		return strings.HasPrefix(got, "? "+column+" ") && strings.Contains(got, words)
	}
	return got == want
}

func TestTable(t *testing.T) {
	text, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	env, cases := variables(), 0
	for number, line := range strings.Split(string(text), "\n") {
		source, want, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "# source") {
			continue
		}
		cases++
		if got := outcome(source, env); !agrees(got, want) {
			t.Errorf("line %d: %s gives %s, not %s", number+1, source, got, want)
		}
	}
	if cases < 300 {
		t.Errorf("only %d cases", cases)
	}
	t.Logf("%d cases", cases)
}
