package workflow

import (
	"cmp"
	"encoding/json"
	"strings"
)

// formField is a field of a form. The field of a row is named by its way: trips.city.
type formField struct {
	name, title string
}

// formFields lists the fields of a form in their order, those inside layouts and rows as
// well. The generations of designers place the same members differently.
func formFields(items []string) []formField {
	var list []formField
	for _, text := range items {
		list = fieldsIn(list, json.RawMessage(text), "", "")
	}
	return list
}

// formItem holds the members of an item that tell what it is and what it lays out.
type formItem struct {
	Field, VModel, Title, Label any
	VModelToo                   any `json:"__vModel__"`
	Children                    []json.RawMessage
	Config                      struct {
		Label    any
		Children []json.RawMessage
	} `json:"__config__"`
	Props struct {
		Rule    []json.RawMessage
		Columns []struct{ Rule []json.RawMessage }
	}
}

func fieldsIn(list []formField, raw json.RawMessage, above, aboveTitle string) []formField {
	var item formItem
	_ = json.Unmarshal(raw, &item) // a layout may hold bare text; members of other types stay empty
	name := cmp.Or(asText(item.Field), asText(item.VModel), asText(item.VModelToo))
	if name != "" {
		title := cmp.Or(asText(item.Title), asText(item.Label), asText(item.Config.Label), name)
		name, title = above+name, aboveTitle+title
		list = append(list, formField{name, title})
		rows := item.Props.Rule
		for _, column := range item.Props.Columns {
			rows = append(rows, column.Rule...)
		}
		for _, child := range rows {
			list = fieldsIn(list, child, name+".", title+"·")
		}
	}
	for _, child := range append(item.Children, item.Config.Children...) {
		list = fieldsIn(list, child, above, aboveTitle)
	}
	return list
}

func asText(v any) string {
	text, _ := v.(string)
	return text
}

// valueOf reads a field of the form: by its name, or by its way through groups and rows,
// of which each row gives its value.
func valueOf(vars map[string]any, name string) any {
	if v, ok := vars[name]; ok {
		return v
	}
	head, rest, nested := strings.Cut(name, ".")
	if !nested {
		return nil
	}
	switch x := vars[head].(type) {
	case map[string]any:
		return valueOf(x, rest)
	case []any:
		var list []any
		for _, row := range x {
			if fields, ok := row.(map[string]any); ok {
				if v := valueOf(fields, rest); v != nil && v != "" {
					list = append(list, v)
				}
			}
		}
		return list
	}
	return nil
}
