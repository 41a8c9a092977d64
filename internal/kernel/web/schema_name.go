package web

import (
	"path"
	"reflect"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
)

// schemaName names a type in the OpenAPI document by module and type name, so that two
// modules may each have a createIn: system.NotifyMessage → SystemNotifyMessage. Types
// of the kernel go without a prefix, a pointer is Nullable, a slice is List.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return huma.DefaultSchemaNamer(t, hint)
	}
	own := t.Name()
	if !strings.Contains(t.PkgPath(), "/kernel/") && t.PkgPath() != "" {
		own = path.Base(t.PkgPath()) + "." + own
	}
	own = strings.NewReplacer("[]", "list[", "*", "nullable[").Replace(own)
	var name strings.Builder
	for _, part := range strings.FieldsFunc(own, func(r rune) bool { return r == '[' || r == ']' || r == ',' }) {
		kernel := strings.Contains(part, "/kernel/")
		part = part[strings.LastIndexByte(part, '/')+1:]
		words := strings.Split(part, ".")
		if kernel {
			words = words[len(words)-1:]
		}
		for _, w := range words {
			name.WriteString(upperFirst(strings.Map(wordRune, w)))
		}
	}
	return name.String()
}

// wordRune drops what generic instances of local types carry, such as middle dots.
func wordRune(r rune) rune {
	if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
