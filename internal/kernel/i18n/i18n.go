// Package i18n carries the reader's language through a context. The product
// speaks Chinese first and English second; every text a user may see is given
// in both, side by side, where it is used: i18n.Pick(ctx, "不存在", "not found").
package i18n

import (
	"context"
	"strconv"
	"strings"
)

// The languages of the product. ZH is the default.
const (
	ZH = "zh"
	EN = "en"
)

type key struct{}

// With returns a context whose reader wants lang; anything but ZH and EN
// counts as ZH.
func With(ctx context.Context, lang string) context.Context {
	if lang != EN {
		lang = ZH
	}
	return context.WithValue(ctx, key{}, lang)
}

// Lang returns the language set by With, ZH without one.
func Lang(ctx context.Context) string {
	if lang, ok := ctx.Value(key{}).(string); ok {
		return lang
	}
	return ZH
}

// Pick returns the text for the reader of ctx. A missing English text falls
// back to the Chinese one.
func Pick(ctx context.Context, zh, en string) string {
	if Lang(ctx) == EN && en != "" {
		return en
	}
	return zh
}

// maxHeader is how much of an Accept-Language header is looked at.
const maxHeader = 256

// FromHeader chooses the language for an Accept-Language header: the known
// language of the highest weight, the first of equals, ZH when the header is
// absent, malformed or names none we speak. "*" stands for ZH.
func FromHeader(acceptLanguage string) string {
	if len(acceptLanguage) > maxHeader {
		acceptLanguage = acceptLanguage[:maxHeader]
	}
	best, bestWeight := ZH, 0.0
	for part := range strings.SplitSeq(acceptLanguage, ",") {
		tag, params, _ := strings.Cut(part, ";")
		lang := known(strings.TrimSpace(tag))
		if w := weight(params); lang != "" && w > bestWeight {
			best, bestWeight = lang, w
		}
	}
	return best
}

// known maps a language tag to one of ours, "" for a foreign one.
func known(tag string) string {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	switch primary {
	case "zh", "*":
		return ZH
	case "en":
		return EN
	}
	return ""
}

// weight reads "q=0.8"; an absent weight is 1, a malformed one 0.
func weight(params string) float64 {
	params = strings.TrimSpace(params)
	if params == "" {
		return 1
	}
	value, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
	if !ok {
		return 0
	}
	w, err := strconv.ParseFloat(value, 64)
	if err != nil || !(w >= 0 && w <= 1) {
		return 0
	}
	return w
}
