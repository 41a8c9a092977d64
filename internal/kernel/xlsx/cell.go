package xlsx

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Text marks a value that must stay text even where it is a number, such as a
// student number or a telephone number.
type Text struct{ Value any }

// TimeLayout is how times are written, on the wall clock of Zone.
const TimeLayout = "2006-01-02 15:04:05"

// Zone is the clock of the written times: China has one zone without
// daylight-saving, so that no zone database is needed.
var Zone = time.FixedZone("Asia/Shanghai", 8*60*60)

// maxExact is the largest integer a spreadsheet keeps exactly: cells are
// doubles. Beyond it an integer is written as text.
const maxExact = 1 << 53

// maxCellText is the most UTF-16 units a cell may hold; longer text is cut with
// an ellipsis rather than refused by the reader's program.
const maxCellText = 32767

// cell turns a Go value into one of the four kinds the sheet knows: nil (no
// cell), string (typed text), float64 or int64 (number), bool. No other type
// leaves this function, in particular nothing that could carry a formula.
func cell(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return text(v)
	case bool:
		return v
	case Text:
		return asText(v.Value)
	case time.Time:
		return timeText(v)
	case json.Number:
		return numberText(string(v))
	case driver.Valuer:
		return valuer(v)
	case fmt.Stringer:
		return stringer(v)
	}
	return reflected(reflect.ValueOf(v))
}

// reflected handles named types, pointers and the many widths of numbers.
func reflected(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return cell(v.Elem().Interface())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := v.Int()
		if n > maxExact || n < -maxExact {
			return strconv.FormatInt(n, 10)
		}
		return n
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n := v.Uint()
		if n > maxExact {
			return strconv.FormatUint(n, 10)
		}
		return int64(n)
	case reflect.Float32, reflect.Float64:
		return float(v.Float(), v.Type().Bits())
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return text(v.String())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return text(string(v.Bytes()))
		}
		return text(joined(v))
	}
	return text(fmt.Sprint(v.Interface()))
}

// joined writes a list as its members separated by commas.
func joined(v reflect.Value) string {
	parts := make([]string, v.Len())
	for i := range parts {
		s, _ := asText(v.Index(i).Interface()).(string)
		parts[i] = s
	}
	return strings.Join(parts, ",")
}

func float(f float64, bits int) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil // the format has no such number
	}
	if bits == 32 {
		// through the shortest text, so that 0.1 stays 0.1
		f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	}
	return f
}

func valuer(v driver.Valuer) any {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return nil
	}
	plain, err := v.Value()
	if err != nil {
		return nil
	}
	if _, again := plain.(driver.Valuer); again {
		return text(fmt.Sprint(plain))
	}
	return cell(plain)
}

func stringer(v fmt.Stringer) any {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return nil
	}
	return text(v.String())
}

func timeText(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.In(Zone).Format(TimeLayout)
}

// numberText keeps the digits of a JSON number that a double would change.
func numberText(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return reflected(reflect.ValueOf(n))
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) > 17 {
		return text(s)
	}
	return float(f, 64)
}

func asText(v any) any {
	switch c := cell(v).(type) {
	case nil:
		return nil
	case string:
		return c
	case int64:
		return strconv.FormatInt(c, 10)
	case float64:
		return strconv.FormatFloat(c, 'f', -1, 64)
	default:
		return text(fmt.Sprint(c))
	}
}

// text drops what XML cannot hold or a reader might misuse (controls except
// tab and line ends, non-characters, bidirectional overrides) and cuts to the
// length of a cell. A leading = + - @ stays: the cell is typed text.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return r
		case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xfffe, r == 0xffff,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return cut(s)
}

func cut(s string) string {
	if len(s) <= maxCellText {
		return s
	}
	units := 0
	keep := -1 // byte offset that leaves room for the ellipsis
	for i, r := range s {
		width := 1
		if r > 0xffff {
			width = 2
		}
		if keep < 0 && units+width > maxCellText-1 {
			keep = i
		}
		if units += width; units > maxCellText {
			return s[:keep] + "…"
		}
	}
	return s
}

// width estimates the columns a header takes: a Chinese character takes two.
func width(s string) float64 {
	w := 0
	for _, r := range s {
		if w++; utf8.RuneLen(r) > 2 {
			w++
		}
	}
	return float64(min(max(w+4, 12), 60))
}
