package field

import (
	"encoding/json"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/richtext"
)

// text is one or several lines; max counts characters. It is stored as given: markup
// in it is data and is shown as text everywhere.
type text struct{}

const defaultTextMax = 200

func (text) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return refuse("应为文字", "must be text")
	}
	return setText(f, s, v)
}

func (text) Parse(f *Field, s string, v reflect.Value) *Refusal { return setText(f, s, v) }

func setText(f *Field, s string, v reflect.Value) *Refusal {
	s = strings.TrimSpace(s)
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return refuse("含有无法保存的字符", "holds characters that cannot be stored")
	}
	n := int64(utf8.RuneCountInString(s))
	limit := int64(defaultTextMax)
	if f.Max != nil {
		limit = *f.Max
	}
	switch {
	case n == 0 && f.Required:
		return refuse("不能为空", "is required")
	case n > limit:
		return refuse("最多 %d 个字，现在有 %d 个", "may have at most %d characters; it has %d", limit, n)
	case f.Min != nil && n < *f.Min && n > 0:
		return refuse("至少 %d 个字，现在有 %d 个", "needs at least %d characters; it has %d", *f.Min, n)
	}
	v.SetString(s)
	return nil
}

func (text) Schema(f *Field) *huma.Schema {
	s := &huma.Schema{Type: "string"}
	limit := defaultTextMax
	if f.Max != nil {
		limit = int(*f.Max)
	}
	s.MaxLength = &limit
	return s
}

func (text) Cell(v reflect.Value) any { return v.String() }

// richText is HTML from the editor, sanitised before it is stored; max counts the
// characters of the HTML.
type richText struct{ text }

func (richText) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	if r := (text{}).Decode(f, raw, v); r != nil {
		return r
	}
	v.SetString(richtext.Sanitize(v.String()))
	return nil
}

func (richText) Parse(f *Field, s string, v reflect.Value) *Refusal {
	return setText(f, richtext.Sanitize(s), v)
}

func (richText) Cell(v reflect.Value) any { return richtext.Text(v.String()) }

var (
	emailForm  = regexp.MustCompile(`^[^@\s]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	mobileForm = regexp.MustCompile(`^(?:\+?0{0,2}86)?1(?:3\d|4[014-9]|5[0-35-9]|6[25-7]|7[0-8]|8\d|9[0-35-9])\d{8}$`)
)

var (
	badEmail  = &Refusal{Zh: "格式不正确，例如 name@example.edu", En: "is not an e-mail address"}
	badMobile = &Refusal{Zh: "应为 11 位手机号码", En: "is not a mobile number"}
)

type email struct{ text }

func (email) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	return formed((text{}).Decode(f, raw, v), v, emailForm, badEmail)
}

func (email) Parse(f *Field, s string, v reflect.Value) *Refusal {
	return formed(setText(f, s, v), v, emailForm, badEmail)
}

// mobile follows the pattern of contract system.md §6.1.
type mobile struct{ text }

func (mobile) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	return formed((text{}).Decode(f, raw, v), v, mobileForm, badMobile)
}

func (mobile) Parse(f *Field, s string, v reflect.Value) *Refusal {
	return formed(setText(f, s, v), v, mobileForm, badMobile)
}

func formed(r *Refusal, v reflect.Value, form *regexp.Regexp, otherwise *Refusal) *Refusal {
	if r != nil || v.String() == "" || form.MatchString(v.String()) {
		return r
	}
	return otherwise
}

type webURL struct{ text }

func (webURL) Decode(f *Field, raw json.RawMessage, v reflect.Value) *Refusal {
	if r := (text{}).Decode(f, raw, v); r != nil {
		return r
	}
	return checkURL(v.String())
}

func (webURL) Parse(f *Field, s string, v reflect.Value) *Refusal {
	if r := setText(f, s, v); r != nil {
		return r
	}
	return checkURL(v.String())
}

func checkURL(s string) *Refusal {
	if s == "" || strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return refuse("应为 http 或 https 网址", "must be an http or https address")
	}
	return nil
}
