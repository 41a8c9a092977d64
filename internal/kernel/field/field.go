package field

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/store"
)

// Field is one parsed field of an entity; it is also its description for the web page.
type Field struct {
	Name      string `json:"name"`
	Label     string `json:"label"`
	LabelEn   string `json:"labelEn"`
	Kind      string `json:"kind"`
	Dict      string `json:"dict,omitempty"`
	Ref       string `json:"ref,omitempty"`
	Required  bool   `json:"required,omitempty"`
	Max       *int64 `json:"max,omitempty"`
	Min       *int64 `json:"min,omitempty"`
	Filter    string `json:"filter,omitempty"`
	Sortable  bool   `json:"sortable,omitempty"`
	Input     bool   `json:"input"`
	Output    bool   `json:"output"`
	Unique    string `json:"-"`
	RefTable  string `json:"-"`
	Column    string `json:"-"`
	View      bool   `json:"-"`
	Index     []int  `json:"-"`
	kind      Kind
	valueType reflect.Type
}

// Kind is the behaviour of one kind of field. Texts of refusals are in Chinese and
// English, without the label, which the caller puts in front.
type Kind interface {
	// Decode reads a JSON value that is neither absent nor null into v.
	Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal
	// Parse reads a spreadsheet cell or query value that is not empty.
	Parse(f *Field, text string, v reflect.Value) *Refusal
	// Schema describes the JSON value.
	Schema(f *Field) *huma.Schema
	// Cell is the value for a spreadsheet: string, int64, float64, time.Time or bool.
	Cell(v reflect.Value) any
}

// Refusal says why a value is not taken.
type Refusal struct{ Zh, En string }

func refuse(zh, en string, args ...any) *Refusal {
	return &Refusal{Zh: fmt.Sprintf(zh, args...), En: fmt.Sprintf(en, args...)}
}

var kinds = map[string]Kind{
	"text": text{}, "longtext": text{}, "richtext": richText{}, "email": email{}, "mobile": mobile{}, "url": webURL{},
	"int": integer{}, "money": integer{}, "bool": boolean{}, "dict": dict{}, "ref": ref{}, "refs": refs{}, "file": ref{}, "files": refs{},
	"date": date{}, "time": instant{}, "names": names{},
}

// Parse reads the fields of an entity struct; it panics on a tag it does not know.
func Parse(t reflect.Type) []*Field {
	var list []*Field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() || f.Name == "TenantID" {
			continue
		}
		if parsed := parseField(t, f); parsed != nil {
			list = append(list, parsed)
		}
	}
	return list
}

func parseField(t reflect.Type, sf reflect.StructField) *Field {
	f := &Field{Index: sf.Index, valueType: sf.Type, Column: sf.Tag.Get("db"), Filter: sf.Tag.Get("q"), Unique: sf.Tag.Get("unique"), View: sf.Tag.Get("view") != ""}
	f.Name, _, _ = strings.Cut(sf.Tag.Get("json"), ",")
	f.Output = f.Name != "-" && f.Name != ""
	if f.Column == "" {
		f.Column = store.Snake(sf.Name)
	}
	f.Label, f.LabelEn, _ = strings.Cut(sf.Tag.Get("label"), "|")
	in := sf.Tag.Get("in")
	f.Input = in != "" && in != "-" && !strings.HasPrefix(in, "-,")
	for _, word := range strings.Split(in, ",") {
		f.word(t, sf, word)
	}
	if f.Name == "-" || f.Name == "" {
		return nil
	}
	if f.Kind == "" {
		f.Kind = defaultKind(sf.Type)
	}
	if f.kind = kinds[f.Kind]; f.kind == nil {
		panic(fmt.Sprintf("field: %s.%s: unknown kind %q", t, sf.Name, f.Kind))
	}
	if f.Input && f.Label == "" {
		panic(fmt.Sprintf("field: %s.%s: an input needs a label", t, sf.Name))
	}
	switch f.Filter {
	case "", "like", "eq", "range", "in":
	default:
		panic(fmt.Sprintf("field: %s.%s: unknown q %q", t, sf.Name, f.Filter))
	}
	f.Sortable = f.Output && !f.View && f.Kind != "longtext" && f.Kind != "richtext" && f.Kind != "refs" && f.Kind != "files" && f.Kind != "names"
	return f
}

func (f *Field) word(t reflect.Type, sf reflect.StructField, word string) {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "", "-":
	case "optional":
	case "required":
		f.Required = true
	case "max", "min":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("field: %s.%s: %s", t, sf.Name, word))
		}
		if key == "max" {
			f.Max = &n
		} else {
			f.Min = &n
		}
	case "dict":
		f.Kind, f.Dict = "dict", value
	case "kind":
		f.Kind = value
	case "ref":
		f.RefTable, f.Ref, _ = strings.Cut(value, ":")
		if f.Kind == "" {
			f.Kind = "ref"
		}
	case "as":
		f.Name = value
	default:
		panic(fmt.Sprintf("field: %s.%s: unknown word %q in tag in", t, sf.Name, word))
	}
}

func defaultKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64, reflect.Int32:
		return "int"
	}
	return "names"
}

// Decode reads the JSON value into the field of row (a struct value). Absent and null
// give the zero value, refused when required.
func (f *Field) Decode(raw json.RawMessage, row reflect.Value) *Refusal {
	v := row.FieldByIndex(f.Index)
	if len(raw) == 0 || string(raw) == "null" {
		v.SetZero()
		return f.missing()
	}
	return f.kind.Decode(f, raw, v)
}

// ParseText reads a spreadsheet cell into the field of row.
func (f *Field) ParseText(text string, row reflect.Value) *Refusal {
	v := row.FieldByIndex(f.Index)
	text = strings.TrimSpace(text)
	if text == "" {
		v.SetZero()
		return f.missing()
	}
	return f.kind.Parse(f, text, v)
}

// ParseFilter reads one query value as the Go value bound to the statement.
func (f *Field) ParseFilter(text string) (any, *Refusal) {
	if f.Kind == "refs" || f.Kind == "files" || f.Kind == "names" || f.Filter == "like" {
		return text, nil
	}
	v := reflect.New(f.valueType).Elem()
	if f.valueType.Kind() == reflect.Pointer {
		v = reflect.New(f.valueType.Elem()).Elem()
	}
	probe := *f
	probe.Min, probe.Max, probe.Required = nil, nil, false
	if r := f.kind.Parse(&probe, text, v); r != nil {
		return nil, r
	}
	return v.Interface(), nil
}

func (f *Field) missing() *Refusal {
	if f.Required {
		return refuse("不能为空", "is required")
	}
	return nil
}

// Schema describes the JSON value of the field.
func (f *Field) Schema() *huma.Schema {
	s := f.kind.Schema(f)
	s.Title = f.Label
	return s
}

// Cell is the spreadsheet value of the field of row.
func (f *Field) Cell(row reflect.Value) any { return f.kind.Cell(row.FieldByIndex(f.Index)) }

// Text is the field's label in the language.
func (f *Field) Text(lang string) string {
	if lang == "en" && f.LabelEn != "" {
		return f.LabelEn
	}
	if f.Label == "" {
		return f.Name
	}
	return f.Label
}

// In gives the refusal's text in the language.
func (r *Refusal) In(lang string) string {
	if lang == "en" {
		return r.En
	}
	return r.Zh
}
