package web

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	indexed = regexp.MustCompile(`\[\d*\]$`)
	dotted  = regexp.MustCompile(`^([A-Za-z]\w*)\.([A-Za-z]\w*)$`)
	numbers = regexp.MustCompile(`^\d+(,\d+)+$`)
)

// canonicalQuery rewrites the families' spellings into one: a[0]= and a[]= become
// repeated a=, a.b= becomes a[b]=, comma lists of numbers in …ids become repeated,
// and empty values disappear (an empty filter is no filter).
func canonicalQuery(raw string) string {
	if raw == "" || !strings.ContainsAny(raw, "[.,") && !strings.Contains(raw, "%5B") && !strings.Contains(raw, "%5b") &&
		!strings.Contains(raw, "%2C") && !strings.Contains(raw, "=&") && !strings.HasSuffix(raw, "=") {
		return raw
	}
	out := url.Values{}
	for _, pair := range strings.Split(raw, "&") {
		k, v, _ := strings.Cut(pair, "=")
		key, err1 := url.QueryUnescape(k)
		value, err2 := url.QueryUnescape(v)
		if err1 != nil || err2 != nil || value == "" || key == "" {
			continue
		}
		key = indexed.ReplaceAllString(key, "")
		if m := dotted.FindStringSubmatch(key); m != nil {
			key = m[1] + "[" + m[2] + "]"
		}
		if isIDs(key) && numbers.MatchString(value) {
			for _, n := range strings.Split(value, ",") {
				out.Add(key, n)
			}
			continue
		}
		out.Add(key, value)
	}
	return out.Encode()
}

func isIDs(key string) bool { return key == "ids" || strings.HasSuffix(key, "Ids") }
