package field

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/store"
)

// dict is a value of a dictionary: a number in the table, or text where the column is
// text. That the value exists is checked by the caller, who knows the tenant.
type dict struct{}

func (dict) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	if v.Kind() == reflect.String {
		return text{}.Decode(f, raw, v)
	}
	return integer{}.Decode(f, raw, v)
}

func (dict) Parse(f *Field, s string, v reflect.Value) *Refusal {
	if v.Kind() == reflect.String {
		return setText(f, s, v)
	}
	return integer{}.Parse(f, s, v)
}

func (dict) Schema(f *Field) *huma.Schema {
	if f.valueType.Kind() == reflect.String {
		return &huma.Schema{Type: "string"}
	}
	return &huma.Schema{Type: "integer"}
}

func (dict) Cell(v reflect.Value) any { return fmt.Sprint(v.Interface()) }

// ref is the id of another row, 0 for none. That the row exists in the tenant is
// checked by the caller.
type ref struct{}

func (ref) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	if r := (integer{}).Decode(f, raw, v); r != nil {
		return refuse("选择不正确", "is not a valid choice")
	}
	return checkRef(f, v)
}

func (ref) Parse(f *Field, s string, v reflect.Value) *Refusal {
	if r := (integer{}).Parse(f, s, v); r != nil {
		return refuse("应为已有的名称", "must be an existing name")
	}
	return checkRef(f, v)
}

func checkRef(f *Field, v reflect.Value) *Refusal {
	if v.Kind() == reflect.Pointer {
		return nil
	}
	if v.Int() < 0 {
		return refuse("选择不正确", "is not a valid choice")
	}
	if v.Int() == 0 {
		return f.missing()
	}
	return nil
}

func (ref) Schema(*Field) *huma.Schema { return &huma.Schema{Type: "integer", Format: "int64"} }

func (ref) Cell(v reflect.Value) any { return integer{}.Cell(v) }

// refs is a list of ids, stored as JSON (field type store.JSON[[]int64]).
type refs struct{}

const defaultRefsMax = 500

func (refs) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	var ids []int64
	if err := json.Unmarshal(raw, &ids); err != nil {
		return refuse("选择不正确", "is not a valid choice")
	}
	limit := int64(defaultRefsMax)
	if f.Max != nil {
		limit = *f.Max
	}
	if int64(len(ids)) > limit {
		return refuse("最多 %d 项", "may have at most %d entries", limit)
	}
	if len(ids) == 0 && f.Required {
		return refuse("不能为空", "is required")
	}
	seen := map[int64]bool{}
	for _, id := range ids {
		if id <= 0 || id > maxSafe || seen[id] {
			return refuse("选择不正确", "is not a valid choice")
		}
		seen[id] = true
	}
	list, ok := v.Addr().Interface().(*store.JSON[[]int64])
	if !ok {
		return refuse("不可填写", "cannot be set")
	}
	list.V = ids
	return nil
}

func (refs) Parse(f *Field, s string, v reflect.Value) *Refusal {
	return refs{}.Decode(f, json.RawMessage("["+s+"]"), v)
}

func (refs) Schema(*Field) *huma.Schema {
	return &huma.Schema{Type: "array", Items: &huma.Schema{Type: "integer", Format: "int64"}}
}

func (refs) Cell(v reflect.Value) any {
	b, _ := json.Marshal(v.Interface())
	return strings.Trim(string(b), "[]")
}

// names is a list of short texts, stored as JSON (field type store.JSON[[]string]).
type names struct{}

func (names) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return refuse("应为列表", "must be a list")
	}
	if len(list) > 50 {
		return refuse("最多 50 项", "may have at most 50 entries")
	}
	for _, s := range list {
		if len([]rune(s)) > defaultTextMax {
			return refuse("每项最多 %d 个字", "an entry may have at most %d characters", defaultTextMax)
		}
	}
	p, ok := v.Addr().Interface().(*store.JSON[[]string])
	if !ok {
		return refuse("不可填写", "cannot be set")
	}
	p.V = list
	return nil
}

func (names) Parse(f *Field, s string, v reflect.Value) *Refusal {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '，' || r == ';' || r == '、' })
	raw, _ := json.Marshal(parts)
	return names{}.Decode(f, raw, v)
}

func (names) Schema(*Field) *huma.Schema {
	return &huma.Schema{Type: "array", Items: &huma.Schema{Type: "string"}}
}

func (names) Cell(v reflect.Value) any {
	if p, ok := v.Interface().(store.JSON[[]string]); ok {
		return strings.Join(p.V, "、")
	}
	return ""
}
