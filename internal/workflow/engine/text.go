package engine

import (
	"strconv"
	"strings"
)

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
