package juel

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.seed"); f != nil && f.Value.String() == "0" {
		_ = flag.Set("rapid.seed", "20260331") // the same cases in every run
	}
	os.Exit(m.Run())
}

// sample is a random expression, written with as few parentheses as the grammar
// allows, and its value as reckoned beside the parser; ok is false when it has none.
type sample struct {
	text  string
	power int // of the outermost operator; 9 binds tightest
	value any // int64 or bool
	ok    bool
}

func (s sample) within(least int) string {
	if s.power < least {
		return "(" + s.text + ")"
	}
	return s.text
}

func drawNumber(t *rapid.T, depth int) sample {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		n := rapid.Int64Range(0, 9).Draw(t, "n")
		return sample{fmt.Sprint(n), 9, n, true}
	}
	switch op := rapid.SampledFrom([]string{"+", "-", "*", "%", "mod", "neg", "?"}).Draw(t, "op"); op {
	case "neg":
		x := drawNumber(t, depth-1)
		return sample{"- " + x.within(7), 7, -x.value.(int64), x.ok}
	case "?":
		c, x, y := drawTruth(t, depth-1), drawNumber(t, depth-1), drawNumber(t, depth-1)
		text := c.within(1) + " ? " + x.text + " : " + y.text
		if !c.ok {
			return sample{text, 0, int64(0), false}
		}
		if c.value == true {
			return sample{text, 0, x.value, x.ok}
		}
		return sample{text, 0, y.value, y.ok}
	default:
		x, y := drawNumber(t, depth-1), drawNumber(t, depth-1)
		a, b := x.value.(int64), y.value.(int64)
		ok, value, power := x.ok && y.ok, int64(0), 5
		switch op {
		case "+":
			value = a + b
		case "-":
			value = a - b
		case "*":
			value, power = a*b, 6
		default:
			power = 6
			if ok = ok && b != 0; ok {
				value = a % b
			}
		}
		return sample{x.within(power) + " " + op + " " + y.within(power+1), power, value, ok}
	}
}

func drawTruth(t *rapid.T, depth int) sample {
	if depth <= 0 {
		b := rapid.Bool().Draw(t, "b")
		return sample{fmt.Sprint(b), 9, b, true}
	}
	switch op := rapid.SampledFrom([]string{"&&", "or", "!", "<", ">=", "=="}).Draw(t, "op"); op {
	case "!":
		x := drawTruth(t, depth-1)
		return sample{"!" + x.within(7), 7, x.value != true, x.ok}
	case "&&", "or":
		x, y := drawTruth(t, depth-1), drawTruth(t, depth-1)
		power, stops := 2, false
		if op == "or" {
			power, stops = 1, true
		}
		s := sample{x.within(power) + " " + op + " " + y.within(power+1), power, y.value, x.ok && y.ok}
		if x.ok && x.value == stops {
			s.value, s.ok = stops, true
		}
		return s
	default:
		x, y := drawNumber(t, depth-1), drawNumber(t, depth-1)
		a, b, power := x.value.(int64), y.value.(int64), 4
		value := map[string]bool{"<": a < b, ">=": a >= b, "==": a == b}[op]
		if op == "==" {
			power = 3
		}
		return sample{x.within(power) + " " + op + " " + y.within(power+1), power, value, x.ok && y.ok}
	}
}

func TestPrecedence_agreesWithTheTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawTruth(t, rapid.IntRange(1, 5).Draw(t, "depth"))
		source := "${" + s.text + "}"
		e, err := Parse(source)
		if err != nil {
			if len(s.text) > 600 { // may pass the limits
				t.Skip("large")
			}
			t.Fatalf("%s: %v", source, err)
		}
		v, err := e.Eval(&world{})
		if (err == nil) != s.ok || s.ok && v != s.value {
			t.Fatalf("%s is %v (%v), not %v", source, v, err, s.value)
		}
	})
}
