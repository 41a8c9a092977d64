package workflow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// maxFormFields is how many fields of the form one filter names: each needs a clause of
// its own.
const (
	maxFormFields     = 5
	maxFormFieldText  = 200
	maxFormFieldNames = 64
)

// formFilter reads the contract's formFieldsParams: a JSON object of fields of the form and
// the values wanted of them. A text is compared as a whole, without case, and a number
// also with the text that it is written as. Fields inside rows and groups are found by
// their own name.
func formFilter(q *store.Query, text string) error {
	if text == "" {
		return nil
	}
	refuse := func(zh, en string) error { return errs.Field("formFieldsParams", zh, en) }
	if !json.Valid([]byte(text)) {
		return refuse(`表单筛选应为 JSON 对象，例如 {"reason":"请假"}`, `the filter must be a JSON object such as {"reason":"leave"}`)
	}
	wanted, err := engine.Document(text).Fields()
	if err != nil {
		return refuse(`表单筛选应为 JSON 对象，例如 {"reason":"请假"}`, `the filter must be a JSON object such as {"reason":"leave"}`)
	}
	maps.DeleteFunc(wanted, func(_ string, v any) bool { return v == nil || v == "" })
	if len(wanted) > maxFormFields {
		return refuse(fmt.Sprintf("最多按 %d 个表单字段筛选", maxFormFields), fmt.Sprintf("filter by at most %d fields of the form", maxFormFields))
	}
	var like [maxFormFields][3]string
	for at, field := range slices.Sorted(maps.Keys(wanted)) {
		if reserved(field) || utf8.RuneCountInString(field) > maxFormFieldNames {
			return refuse("没有可筛选的表单字段“"+clip(field)+"”", "the form has no field "+clip(field)+" to filter by")
		}
		asText, bare, ok := spelled(wanted[field])
		if !ok {
			return refuse("字段“"+field+"”的筛选值应为文字、数字或是否", "the value for "+field+" must be a text, a number or a truth value")
		}
		if utf8.RuneCountInString(asText) > maxFormFieldText {
			return refuse(fmt.Sprintf("字段“%s”的筛选值最多 %d 个字", field, maxFormFieldText), fmt.Sprintf("the value for %s has at most %d characters", field, maxFormFieldText))
		}
		name, err := member(field, asText)
		if err != nil {
			return err
		}
		// A number is followed by what follows it: 1 is not 12.
		last, inside := name, name
		if bare != "" {
			key, err := member(field, "")
			if err != nil {
				return err
			}
			key = key[:len(key)-2] + bare
			last, inside = key+"}", key+","
		}
		like[at] = [3]string{store.Contains(name), store.Contains(last), store.Contains(inside)}
	}
	n := len(wanted) // clauses are constants: one for each place
	q.If(n > 0, ` AND (i.vars LIKE :form1a ESCAPE '\' OR i.vars LIKE :form1b ESCAPE '\' OR i.vars LIKE :form1c ESCAPE '\')`, "form1a", like[0][0]).
		If(n > 1, ` AND (i.vars LIKE :form2a ESCAPE '\' OR i.vars LIKE :form2b ESCAPE '\' OR i.vars LIKE :form2c ESCAPE '\')`, "form2a", like[1][0]).
		If(n > 2, ` AND (i.vars LIKE :form3a ESCAPE '\' OR i.vars LIKE :form3b ESCAPE '\' OR i.vars LIKE :form3c ESCAPE '\')`, "form3a", like[2][0]).
		If(n > 3, ` AND (i.vars LIKE :form4a ESCAPE '\' OR i.vars LIKE :form4b ESCAPE '\' OR i.vars LIKE :form4c ESCAPE '\')`, "form4a", like[3][0]).
		If(n > 4, ` AND (i.vars LIKE :form5a ESCAPE '\' OR i.vars LIKE :form5b ESCAPE '\' OR i.vars LIKE :form5c ESCAPE '\')`, "form5a", like[4][0])
	for at := range n {
		q.If(true, "", fmt.Sprintf("form%db", at+1), like[at][1]).If(true, "", fmt.Sprintf("form%dc", at+1), like[at][2])
	}
	return nil
}

// member is how a text stands in the stored document.
func member(field, text string) (string, error) {
	d, err := engine.Object(map[string]any{field: text})
	if err != nil {
		return "", err
	}
	return string(d[1 : len(d)-1]), nil
}

// spelled gives a value as a text and, where it can stand without quotes, so.
func spelled(v any) (asText, bare string, ok bool) {
	switch x := v.(type) {
	case string:
		if _, err := strconv.ParseFloat(x, 64); (err == nil || x == "true" || x == "false") && json.Valid([]byte(x)) {
			bare = x
		}
		return x, bare, true
	case bool:
		return strconv.FormatBool(x), strconv.FormatBool(x), true
	case []any, map[string]any:
		return "", "", false
	}
	text := fmt.Sprint(v)
	return text, text, true
}
