package juel

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Normalize turns a value, as JSON decoded with UseNumber gives it or as a handler
// returns it, into the types of this package, copying lists and maps. Whole JSON
// numbers become int64, others Decimal. A type that is no value stays as it is and
// is refused when it is used.
func Normalize(v any) any {
	switch x := canonical(v).(type) {
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = Normalize(e)
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(x))
		for k, e := range x {
			m[k] = Normalize(e)
		}
		return m
	default:
		return x
	}
}

// canonical is Normalize without going into lists and maps.
func canonical(v any) any {
	switch x := v.(type) {
	case nil, bool, int64, string, Decimal, time.Time, []any, map[string]any:
		return v
	case json.Number:
		return numberOf(string(x))
	case int:
		return int64(x)
	case int32:
		return int64(x)
	case uint32:
		return int64(x)
	case float64:
		return ofFloat(x, 64)
	case float32:
		return ofFloat(float64(x), 32)
	case []string:
		return widen(x)
	case []int64:
		return widen(x)
	case []map[string]any:
		return widen(x)
	case map[string]string:
		m := make(map[string]any, len(x))
		for k, s := range x {
			m[k] = s
		}
		return m
	}
	return v
}

func widen[T any](list []T) []any {
	wide := make([]any, len(list))
	for i, e := range list {
		wide[i] = e
	}
	return wide
}

// numberOf reads a JSON number; one beyond the range of Decimal stays text.
func numberOf(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	d, err := ParseDecimal(s)
	if err != nil {
		return s
	}
	return d
}

// ofFloat takes the shortest decimal that names the float; NaN and infinities,
// which JSON does not know, become null.
func ofFloat(f float64, bits int) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return numberOf(strconv.FormatFloat(f, 'g', -1, bits))
}

// typeName names the type of a value for messages.
func typeName(v any) (zh, en string) {
	switch x := v.(type) {
	case nil:
		return "空值", "null"
	case *ident:
		return "未定义的变量 " + x.name, "missing variable " + x.name
	case bool:
		return "布尔值", "boolean"
	case int64:
		return "整数", "integer"
	case Decimal:
		return "小数", "decimal"
	case string:
		return "文本", "text"
	case time.Time:
		return "时间", "time"
	case []any:
		return "列表", "list"
	case map[string]any:
		return "对象", "object"
	}
	return "不支持的类型", "unsupported type"
}

func tooLong() error {
	return refuse("结果超过 %d 字节", "the result is longer than %d bytes", maxString)
}

// text gives a value as a string: null as "", lists and objects as JSON with sorted
// keys, times in RFC 3339.
func (r *run) text(v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return "", nil
	case string:
		return x, nil
	case bool:
		return strconv.FormatBool(x), nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	case Decimal:
		return x.String(), nil
	case time.Time:
		return x.Format(time.RFC3339), nil
	}
	var b strings.Builder
	err := r.writeJSON(&b, v)
	return b.String(), err
}

func (r *run) writeJSON(b *strings.Builder, v any) error {
	if err := r.step(1); err != nil {
		return err
	}
	if b.Len() > maxString {
		return tooLong()
	}
	switch x := canonical(v).(type) {
	case nil:
		b.WriteString("null")
	case bool, int64, Decimal:
		s, _ := r.text(x)
		b.WriteString(s)
	case string, time.Time:
		s, _ := r.text(x)
		b.WriteString(quote(s))
	case []any:
		return r.writeList(b, x)
	case map[string]any:
		return r.writeMap(b, x)
	default:
		return typed("%s不能转为文本", "a value of %s cannot be written as text", v)
	}
	return nil
}

func (r *run) writeList(b *strings.Builder, list []any) error {
	b.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := r.writeJSON(b, e); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func (r *run) writeMap(b *strings.Builder, m map[string]any) error {
	if err := r.step(len(m)); err != nil {
		return err
	}
	b.WriteByte('{')
	for i, k := range sortedKeys(m) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(k))
		b.WriteByte(':')
		if err := r.writeJSON(b, m[k]); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// quote writes a JSON string; < and & stay readable.
func quote(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
