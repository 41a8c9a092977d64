package field

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/clock"
)

// instant is a point in time: epoch milliseconds in JSON, local text in queries and
// spreadsheets (contract system.md §1.5).
type instant struct{}

func (instant) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	return instant{}.Parse(f, strings.Trim(string(raw), `"`), v)
}

func (instant) Parse(f *Field, s string, v reflect.Value) *Refusal {
	if s == "" {
		v.SetZero()
		return f.missing()
	}
	ms, ok := ParseTime(s)
	if !ok {
		return refuse("时间格式不正确，例如 2026-11-21 14:02:00", "is not a time such as 2026-11-21 14:02:00")
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.ValueOf(&ms))
		return nil
	}
	v.SetInt(ms)
	return nil
}

func (instant) Schema(*Field) *huma.Schema {
	return &huma.Schema{Type: "integer", Format: "int64", Description: "epoch milliseconds"}
}

func (instant) Cell(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Int() == 0 {
		return ""
	}
	return time.UnixMilli(v.Int())
}

// ParseTime reads epoch milliseconds, or a date with optional time in the zone
// Asia/Shanghai, as epoch milliseconds.
func ParseTime(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && (n > 9999 || n == 0) {
		if len(strings.TrimPrefix(s, "-")) <= 10 && n != 0 { // ten digits are seconds (specification §9)
			n *= 1000
		}
		return n, n >= 0 && n < 32503680000000
	}
	for _, layout := range []string{time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, clock.Shanghai); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// date is a calendar day as text yyyy-MM-dd.
type date struct{}

func (date) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	return date{}.Parse(f, strings.Trim(string(raw), `"`), v)
}

func (date) Parse(f *Field, s string, v reflect.Value) *Refusal {
	if s == "" {
		v.SetZero()
		return f.missing()
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return refuse("日期格式不正确，例如 2026-11-21", "is not a date such as 2026-11-21")
	}
	v.SetString(s)
	return nil
}

func (date) Schema(*Field) *huma.Schema { return &huma.Schema{Type: "string", Format: "date"} }

func (date) Cell(v reflect.Value) any { return v.String() }
