package engine

import (
	"errors"
	"strconv"
	"strings"

	"viva/internal/kernel/errs"
)

// between stands between the Chinese and the English half of a message that is kept for
// readers of both.
const between = " / "

// inBoth tells what went wrong at an element, in Chinese and in English where the error
// has both.
func inBoth(element string, err error) string {
	var spoken errs.Spoken
	if !errors.As(err, &spoken) {
		return element + ": " + err.Error()
	}
	zh, en := oneHalf(spoken.Text("zh")), oneHalf(spoken.Text("en"))
	if zh == en {
		return element + ": " + zh
	}
	return element + "：" + zh + between + element + ": " + en
}

// oneHalf keeps a text from looking like two.
func oneHalf(text string) string { return strings.ReplaceAll(text, between, "/") }

// Text gives the half of the message for readers of "zh" or "en".
func (s *stall) Text(lang string) string {
	zh, en, both := strings.Cut(s.message, between)
	if both && lang == "en" {
		return en
	}
	return zh
}

func itoa(n int) string { return strconv.Itoa(n) }

// splitList takes a comma list apart.
func splitList(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
