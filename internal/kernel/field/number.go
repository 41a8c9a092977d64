package field

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// maxSafe is the largest integer that JSON numbers carry exactly in browsers.
const maxSafe = 1<<53 - 1

// integer is a whole number, also money in cents; numeric strings are accepted.
type integer struct{}

func (integer) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	s := strings.Trim(string(raw), `"`)
	if s == "" {
		v.SetZero()
		return f.missing()
	}
	return integer{}.Parse(f, s, v)
}

func (integer) Parse(f *Field, s string, v reflect.Value) *Refusal {
	n, err := strconv.ParseInt(strings.TrimSuffix(s, ".0"), 10, 64)
	if err != nil || n > maxSafe || n < -maxSafe {
		return refuse("应为整数", "must be a whole number")
	}
	if f.Min != nil && n < *f.Min {
		return refuse("不能小于 %d", "must be at least %d", *f.Min)
	}
	limit := int64(math.MaxInt32)
	if f.Max != nil {
		limit = *f.Max
	} else if f.Kind == "ref" || f.Kind == "file" || f.Kind == "time" || f.Kind == "money" || f.Kind == "date" {
		limit = maxSafe
	}
	if n > limit {
		return refuse("不能大于 %d", "must be at most %d", limit)
	}
	if v.Kind() == reflect.Pointer {
		p := reflect.New(v.Type().Elem())
		p.Elem().SetInt(n)
		v.Set(p)
		return nil
	}
	v.SetInt(n)
	return nil
}

func (integer) Schema(f *Field) *huma.Schema {
	s := &huma.Schema{Type: "integer", Format: "int64"}
	if f.Min != nil {
		m := float64(*f.Min)
		s.Minimum = &m
	}
	if f.Max != nil {
		m := float64(*f.Max)
		s.Maximum = &m
	}
	return s
}

func (integer) Cell(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	return v.Int()
}

// boolean is true or false; "是"/"否" in spreadsheets.
type boolean struct{}

func (boolean) Decode(_ *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	switch strings.Trim(string(raw), `"`) {
	case "true", "1":
		v.SetBool(true)
	case "false", "0", "":
		v.SetBool(false)
	default:
		return refuse("应为是或否", "must be yes or no")
	}
	return nil
}

func (boolean) Parse(_ *Field, s string, v reflect.Value) *Refusal {
	switch strings.ToLower(s) {
	case "true", "1", "是", "yes":
		v.SetBool(true)
	case "false", "0", "否", "no":
		v.SetBool(false)
	default:
		return refuse("应为是或否", "must be yes or no")
	}
	return nil
}

func (boolean) Schema(*Field) *huma.Schema { return &huma.Schema{Type: "boolean"} }

func (boolean) Cell(v reflect.Value) any {
	if v.Bool() {
		return "是"
	}
	return "否"
}
