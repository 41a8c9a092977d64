package juel

import (
	"errors"
	"math"
	"strings"
	"time"
)

// truth reads the text of a boolean.
func truth(s string) (value, ok bool) {
	switch {
	case strings.EqualFold(s, "true"):
		return true, true
	case strings.EqualFold(s, "false"):
		return false, true
	}
	return false, false
}

// toBool is EL §1.18.5 without its guess that any other text is false.
func toBool(v any) (bool, error) {
	switch x := v.(type) {
	case nil:
		return false, nil
	case bool:
		return x, nil
	case *ident:
		return false, x.unknown()
	case string:
		if b, ok := truth(x); ok || x == "" {
			return b, nil
		}
		return false, refuse("文本 %q 不是 true 或 false", "the text %q is neither true nor false", brief(x))
	}
	return false, typed("%s不能当作真假值，请写出比较", "a %s is no truth value; write a comparison", v)
}

// toNumber is EL §1.18.3: int64 or Decimal; null and "" count as 0.
func toNumber(v any) (any, error) {
	switch x := v.(type) {
	case int64, Decimal:
		return v, nil
	case nil:
		return int64(0), nil
	case *ident:
		return nil, x.unknown()
	case string:
		s := strings.TrimSpace(x)
		if s == "" {
			return int64(0), nil
		}
		if _, text := numberOf(s).(string); !text {
			return numberOf(s), nil
		}
		return nil, refuse("文本 %q 不是数字", "the text %q is not a number", brief(x))
	}
	return nil, typed("%s不能当作数字", "a %s is not a number", v)
}

// brief shortens a text for a message.
func brief(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

func toDecimal(n any) Decimal {
	if d, ok := n.(Decimal); ok {
		return d
	}
	return decimalOf(n.(int64))
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, Decimal:
		return true
	}
	return false
}

var errOverflow = refuse("计算结果超出范围", "the result is out of range")

// calculate is EL §1.7 with exact decimals in place of doubles.
func calculate(op byte, a, b any) (any, error) {
	if a == nil && b == nil {
		return int64(0), nil
	}
	x, err := toNumber(a)
	if err != nil {
		return nil, err
	}
	y, err := toNumber(b)
	if err != nil {
		return nil, err
	}
	i, whole := x.(int64)
	j, alsoWhole := y.(int64)
	if (op == '/' || op == '%') && toDecimal(y).Sign() == 0 {
		return nil, refuse("除数为零", "division by zero")
	}
	if whole && alsoWhole && op != '/' {
		n, ok := integers(op, i, j)
		if !ok {
			return nil, errOverflow
		}
		return n, nil
	}
	d, err := decimals(op, toDecimal(x), toDecimal(y))
	if errors.Is(err, errRange) {
		return nil, errOverflow
	}
	return d, err
}

func integers(op byte, i, j int64) (int64, bool) {
	switch op {
	case '+':
		n := i + j
		return n, (n > i) == (j > 0)
	case '-':
		n := i - j
		return n, (n < i) == (j > 0)
	case '*':
		if i == 0 || j == 0 {
			return 0, true
		}
		n := i * j
		return n, n/j == i && !(i == -1 && j == math.MinInt64) && !(j == -1 && i == math.MinInt64)
	}
	return i % j, true
}

func decimals(op byte, x, y Decimal) (Decimal, error) {
	switch op {
	case '+':
		return x.Add(y)
	case '-':
		return x.Add(y.Neg())
	case '*':
		return x.Mul(y)
	case '/':
		return x.Quo(y)
	}
	return x.Rem(y)
}

func negate(v any) (any, error) {
	n, err := toNumber(v)
	if err != nil {
		return nil, err
	}
	switch x := n.(type) {
	case Decimal:
		return x.Neg(), nil
	default:
		i := n.(int64)
		if i == math.MinInt64 {
			return nil, errOverflow
		}
		return -i, nil
	}
}

// layouts of a time as text; those without a zone are local to the clock of Env.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02 15:04:05", "2006/01/02 15:04", "2006/01/02",
}

// toTime reads a time: one, its text, or milliseconds since 1970.
func (r *run) toTime(v any) (time.Time, error) {
	switch x := v.(type) {
	case time.Time:
		return x, nil
	case int64:
		return time.UnixMilli(x).In(r.env.Now().Location()), nil
	case string:
		for _, layout := range layouts {
			if t, err := time.ParseInLocation(layout, strings.TrimSpace(x), r.env.Now().Location()); err == nil {
				return t, nil
			}
		}
		return time.Time{}, refuse("文本 %q 不是日期或时间，应如 2026-03-01 或 2026-03-01 08:00", "the text %q is no date or time such as 2026-03-01 or 2026-03-01 08:00", brief(x))
	}
	return time.Time{}, typed("%s不能当作时间", "a %s is not a time", v)
}
