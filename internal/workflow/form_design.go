package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// The limits of a form's design.
const (
	maxItems     = 300
	maxDesign    = 256 << 10 // bytes of conf and fields together: a page of forms carries them
	maxItemDepth = 32
)

// checkDesign refuses a conf or an item that is no JSON object, and two items that write
// the same variable.
func checkDesign(ctx context.Context, conf string, fields []string) error {
	size := len(conf)
	for _, text := range fields {
		size += len(text)
	}
	switch {
	case size > maxDesign:
		return errs.Field("fields", i18n.Pick(ctx, fmt.Sprintf("表单内容过大，上限 %d KB，现在 %d KB", maxDesign>>10, size>>10),
			fmt.Sprintf("the form is too large: %d KB of %d KB", size>>10, maxDesign>>10)))
	case len(fields) > maxItems:
		return errs.Field("fields", i18n.Pick(ctx, fmt.Sprintf("表单项最多 %d 个，现在 %d 个", maxItems, len(fields)),
			fmt.Sprintf("a form may have %d items; it has %d", maxItems, len(fields))))
	case !isObject(conf):
		return errs.Field("conf", i18n.Pick(ctx, "表单配置应为 JSON 对象", "the configuration must be a JSON object"))
	}
	seen := map[string]string{}
	for i, text := range fields {
		if !isObject(text) {
			return errs.Field("fields", i18n.Pick(ctx, fmt.Sprintf("第 %d 个表单项不是 JSON 对象", i+1), fmt.Sprintf("item %d is not a JSON object", i+1)))
		}
		if err := checkItem(ctx, json.RawMessage(text), seen); err != nil {
			return err
		}
	}
	return nil
}

// checkItem walks an item and those it lays out; seen holds the label of each field name.
// The generations of designers call the same members field and vModel, title and label;
// everything else is theirs.
func checkItem(ctx context.Context, raw json.RawMessage, seen map[string]string) error {
	var item map[string]json.RawMessage
	if json.Unmarshal(raw, &item) != nil { // a layout may hold bare text
		return nil
	}
	name := cmp.Or(textOf(item["field"]), textOf(item["vModel"]))
	if name != "" {
		label := cmp.Or(textOf(item["title"]), textOf(item["label"]), name)
		if other, taken := seen[name]; taken {
			return fielded(ctx, errFormField.With(other, label, name), "fields")
		}
		seen[name] = label
	}
	var children []json.RawMessage
	if json.Unmarshal(item["children"], &children) != nil {
		return nil
	}
	for _, child := range children {
		if err := checkItem(ctx, child, seen); err != nil {
			return err
		}
	}
	return nil
}

// textOf reads a JSON text, empty when it is anything else.
func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// isObject tells whether text is one JSON object, not nested deeper than any designer does.
func isObject(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text)) && depth(text) <= maxItemDepth
}

// depth is how deep valid JSON is nested.
func depth(text string) int {
	deepest, now, quoted, escaped := 0, 0, false, false
	for i := range len(text) {
		switch b := text[i]; {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = b == '\\', b != '"'
		case b == '"':
			quoted = true
		case b == '{' || b == '[':
			now++
			deepest = max(deepest, now)
		case b == '}' || b == ']':
			now--
		}
	}
	return deepest
}
