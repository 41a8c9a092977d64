package workflow

import (
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// refusal is a change that makes a good row a bad one, and the field that must say so.
type refusal struct {
	name, entity string
	change       changes
	code         int
	field        string
}

func long(n int) string { return strings.Repeat("长", n) }

var refusals = []refusal{
	{"no name", "category", changes{"name": nil}, errs.CodeInvalid, "name"},
	{"blank name", "category", changes{"name": "  "}, errs.CodeInvalid, "name"},
	{"long name", "category", changes{"name": long(65)}, errs.CodeInvalid, "name"},
	{"NUL in name", "category", changes{"name": "分\x00类"}, errs.CodeInvalid, "name"},
	{"no code", "category", changes{"code": ""}, errs.CodeInvalid, "code"},
	{"long code", "category", changes{"code": long(65)}, errs.CodeInvalid, "code"},
	{"long description", "category", changes{"description": long(256)}, errs.CodeInvalid, "description"},
	{"no status", "category", changes{"status": nil}, errs.CodeInvalid, "status"},
	{"unknown status", "category", changes{"status": 2}, errs.CodeInvalid, "status"},
	{"negative order", "category", changes{"sort": -1}, errs.CodeInvalid, "sort"},
	{"order is text", "category", changes{"sort": "first"}, errs.CodeInvalid, "sort"},
	{"taken name", "category", changes{"code": "other"}, 1009012001, "name"},
	{"taken code", "category", changes{"name": "另一个"}, 1009012002, "code"},

	{"no name", "form", changes{"name": nil}, errs.CodeInvalid, "name"},
	{"blank name", "form", changes{"name": " \t"}, errs.CodeInvalid, "name"},
	{"long name", "form", changes{"name": long(65)}, errs.CodeInvalid, "name"},
	{"NUL in name", "form", changes{"name": "表\x00单"}, errs.CodeInvalid, "name"},
	{"NUL in remark", "form", changes{"remark": "\x00"}, errs.CodeInvalid, "remark"},
	{"long remark", "form", changes{"remark": long(256)}, errs.CodeInvalid, "remark"},
	{"unknown status", "form", changes{"status": 7}, errs.CodeInvalid, "status"},
	{"no conf", "form", changes{"conf": nil}, errs.CodeInvalid, "conf"},
	{"conf is an object, not text", "form", changes{"conf": body{}}, errs.CodeInvalid, "conf"},
	{"conf is not JSON", "form", changes{"conf": "{form:1}"}, errs.CodeInvalid, "conf"},
	{"conf is a list", "form", changes{"conf": "[]"}, errs.CodeInvalid, "conf"},
	{"conf is two objects", "form", changes{"conf": "{}{}"}, errs.CodeInvalid, "conf"},
	{"conf with NUL", "form", changes{"conf": "{\"a\":\"\x00\"}"}, errs.CodeInvalid, "conf"},
	{"conf too deep", "form", changes{"conf": strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33)}, errs.CodeInvalid, "conf"},
	{"no fields", "form", changes{"fields": nil}, errs.CodeInvalid, "fields"},
	{"fields is text", "form", changes{"fields": "[]"}, errs.CodeInvalid, "fields"},
	{"a field is no text", "form", changes{"fields": []any{1}}, errs.CodeInvalid, "fields[0]"},
	{"a field is not JSON", "form", changes{"fields": []string{"{}", "{"}}, errs.CodeInvalid, "fields"},
	{"a field is null", "form", changes{"fields": []string{"null"}}, errs.CodeInvalid, "fields"},
	{"too many fields", "form", changes{"fields": slices.Repeat([]string{"{}"}, 301)}, errs.CodeInvalid, "fields"},
	{"too large", "form", changes{"fields": []string{`{"a":"` + strings.Repeat("x", 256<<10) + `"}`}}, errs.CodeInvalid, "fields"},
	{"the same field twice", "form", changes{"fields": []string{`{"field":"a","title":"First"}`, `{"field":"a","title":"Second"}`}}, 1009010001, "fields"},
	{"the same field below a layout", "form", changes{"fields": []string{`{"field":"a"}`, `{"children":["text",{"children":[{"vModel":"a"}]}]}`}}, 1009010001, "fields"},

	{"no name", "user-group", changes{"name": ""}, errs.CodeInvalid, "name"},
	{"long description", "user-group", changes{"description": long(256)}, errs.CodeInvalid, "description"},
	{"NUL in description", "user-group", changes{"description": "a\x00"}, errs.CodeInvalid, "description"},
	{"no members", "user-group", changes{"memberUserIds": nil}, errs.CodeInvalid, "memberUserIds"},
	{"empty members", "user-group", changes{"memberUserIds": []int64{}}, errs.CodeInvalid, "memberUserIds"},
	{"unknown member", "user-group", changes{"memberUserIds": []int64{900_000}}, errs.CodeInvalid, "memberUserIds"},
	{"the same member twice", "user-group", changes{"memberUserIds": []int64{1, 1}}, errs.CodeInvalid, "memberUserIds"},
	{"members are text", "user-group", changes{"memberUserIds": "1,2"}, errs.CodeInvalid, "memberUserIds"},
	{"two lists", "user-group", changes{"userIds": []int64{900_001}}, errs.CodeInvalid, "memberUserIds"},

	{"no expression", "process-expression", changes{"expression": ""}, errs.CodeInvalid, "expression"},
	{"plain text", "process-expression", changes{"expression": "day > 3"}, errs.CodeInvalid, "expression"},
	{"text in front", "process-expression", changes{"expression": "a ${day}"}, errs.CodeInvalid, "expression"},
	{"open expression", "process-expression", changes{"expression": "${day > 3"}, errs.CodeInvalid, "expression"},
	{"half an expression", "process-expression", changes{"expression": "${day > }"}, errs.CodeInvalid, "expression"},
	{"assignment", "process-expression", changes{"expression": "${day = 3}"}, errs.CodeInvalid, "expression"},
	{"unknown function", "process-expression", changes{"expression": "${exec('ls')}"}, errs.CodeInvalid, "expression"},
	{"NUL", "process-expression", changes{"expression": "${a == '\x00'}"}, errs.CodeInvalid, "expression"},
	{"long", "process-expression", changes{"expression": "${'" + long(1020) + "'}"}, errs.CodeInvalid, "expression"},

	{"unknown type", "process-listener", changes{"type": "process"}, errs.CodeInvalid, "type"},
	{"event of the other type", "process-listener", changes{"event": "take"}, errs.CodeInvalid, "event"},
	{"unknown event", "process-listener", changes{"type": "execution", "event": "create"}, errs.CodeInvalid, "event"},
	{"unknown kind", "process-listener", changes{"valueType": "script"}, errs.CodeInvalid, "valueType"},
	{"no expression", "process-listener", changes{"value": "remind"}, 1009013003, "value"},
	{"bad expression", "process-listener", changes{"value": "${a b}"}, 1009013003, "value"},
	{"no delegate expression", "process-listener", changes{"valueType": "delegateExpression", "value": "bean"}, 1009013003, "value"},
	{"class nobody registered", "process-listener", changes{"valueType": "class", "value": "java.lang.Runtime"}, 1009013001, "value"},
	{"class of the other type", "process-listener", changes{"type": "execution", "event": "start", "valueType": "class", "value": "remindAssignee"}, 1009013002, "value"},
}

// TestRefusals: bad input lands on its field, in the reader's language, and leaves
// nothing behind.
func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for entity, sample := range o.samples() {
			o.create(entity, sample)
			for _, r := range refusals {
				if r.entity != entity {
					continue
				}
				for _, lang := range []string{"zh", "en"} {
					s := kerneltest.Scenario{Method: "POST", URL: "/bpm/" + entity + "/create", As: o.tokens["admin"], Body: r.change.on(sample), Lang: lang, Code: r.code}
					s.Check = func(t *testing.T, a kerneltest.Answer) {
						if len(a.Fields) == 0 || a.Fields[0].Name != r.field || a.Fields[0].Msg == "" {
							t.Errorf("lands on %v, want %s: %.300s", a.Fields, r.field, a.Raw)
						}
					}
					t.Run(entity+" "+r.name+" "+lang, func(t *testing.T) { s.Run(t, o.h) })
				}
			}
			if n := into[store.Page[body]](o, o.call("admin", "GET", "/"+entity+"/page", nil, 0)).Total; n != 1 {
				t.Errorf("%s: %d rows after refusals", entity, n)
			}
		}
	})
}
