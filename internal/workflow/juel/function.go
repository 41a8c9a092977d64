package juel

import (
	"math"
	"slices"
	"strings"
)

// function is a callable of the language; args are free of unknown variables.
type function struct {
	least, most int
	apply       func(r *run, args []any) (any, error)
}

func (f *function) takes(n int) bool { return n >= f.least && n <= f.most }

// functions are those of doc.go. Parse refuses other names.
var functions = map[string]*function{
	"size":       {1, 1, func(r *run, a []any) (any, error) { return size(a[0]) }},
	"contains":   {2, 2, contains},
	"indexOf":    {2, 2, indexOf},
	"join":       {1, 2, join},
	"split":      {2, 2, split},
	"list":       {0, maxArgs, func(_ *run, a []any) (any, error) { return slices.Clone(a), nil }},
	"first":      {1, 1, func(_ *run, a []any) (any, error) { return border(a[0], false) }},
	"last":       {1, 1, func(_ *run, a []any) (any, error) { return border(a[0], true) }},
	"sum":        {1, 1, sum},
	"min":        {1, maxArgs, func(r *run, a []any) (any, error) { return extreme(r, a, -1) }},
	"max":        {1, maxArgs, func(r *run, a []any) (any, error) { return extreme(r, a, 1) }},
	"abs":        {1, 1, absolute},
	"round":      {1, 2, round},
	"floor":      {1, 1, func(_ *run, a []any) (any, error) { return floor(a[0], false) }},
	"ceil":       {1, 1, func(_ *run, a []any) (any, error) { return floor(a[0], true) }},
	"number":     {1, 1, func(_ *run, a []any) (any, error) { return toNumber(a[0]) }},
	"lower":      {1, 1, textual(func(s []string) any { return strings.ToLower(s[0]) })},
	"upper":      {1, 1, textual(func(s []string) any { return strings.ToUpper(s[0]) })},
	"trim":       {1, 1, textual(func(s []string) any { return strings.TrimSpace(s[0]) })},
	"startsWith": {2, 2, textual(func(s []string) any { return strings.HasPrefix(s[0], s[1]) })},
	"endsWith":   {2, 2, textual(func(s []string) any { return strings.HasSuffix(s[0], s[1]) })},
	"replace":    {3, 3, replace},
	"substring":  {2, 3, substring},
	"concat":     {1, maxArgs, func(r *run, a []any) (any, error) { return glue(r, a, "") }},
	"string":     {1, 1, textual(func(s []string) any { return s[0] })},
	"coalesce":   {1, maxArgs, coalesce},

	"now":          {0, 0, now},
	"dateTime":     {0, 0, now},
	"today":        {0, 0, today},
	"date":         {1, 1, func(r *run, a []any) (any, error) { return r.toTime(a[0]) }},
	"formatDate":   {2, 2, formatDate},
	"plus":         {2, 2, plus},
	"plusDays":     {2, 2, plusUnit("D", 1)},
	"plusHours":    {2, 2, plusUnit("TH", 1)},
	"plusMinutes":  {2, 2, plusUnit("TM", 1)},
	"daysBetween":  {2, 2, daysBetween},
	"hoursBetween": {2, 2, hoursBetween},
	"year":         {1, 1, part("year")},
	"month":        {1, 1, part("month")},
	"day":          {1, 1, part("day")},
	"weekday":      {1, 1, part("weekday")},
}

// textual makes a function of the texts of its arguments.
func textual(f func(s []string) any) func(*run, []any) (any, error) {
	return func(r *run, args []any) (any, error) {
		texts := make([]string, len(args))
		for i, v := range args {
			s, err := r.text(v)
			if err != nil {
				return nil, err
			}
			texts[i] = s
		}
		return bounded(f(texts))
	}
}

func bounded(v any) (any, error) {
	if s, ok := v.(string); ok && len(s) > maxString {
		return nil, tooLong()
	}
	return v, nil
}

// toInt reads a whole number.
func toInt(v any) (int64, error) {
	n, err := toNumber(v)
	if err != nil {
		return 0, err
	}
	if i, ok := n.(int64); ok {
		return i, nil
	}
	if i, ok := n.(Decimal).Int64(); ok {
		return i, nil
	}
	return 0, refuse("%s 不是整数", "%s is not a whole number", n)
}

func replace(r *run, args []any) (any, error) {
	return textual(func(s []string) any {
		if s[1] == "" {
			return s[0]
		}
		if n := strings.Count(s[0], s[1]); len(s[0])+n*(len(s[2])-len(s[1])) > maxString {
			return strings.Repeat(" ", maxString+1) // refused as too long, without making it
		}
		return strings.ReplaceAll(s[0], s[1], s[2])
	})(r, args)
}

// substring counts characters; a border outside of the text is taken to its end.
func substring(r *run, args []any) (any, error) {
	s, err := r.text(args[0])
	if err != nil {
		return nil, err
	}
	chars := []rune(s)
	from, err := toInt(args[1])
	if err != nil {
		return nil, err
	}
	to := int64(math.MaxInt64)
	if len(args) > 2 {
		if to, err = toInt(args[2]); err != nil {
			return nil, err
		}
	}
	to = max(0, min(to, int64(len(chars))))
	from = max(0, min(from, to))
	return bounded(string(chars[from:to]))
}

func coalesce(_ *run, args []any) (any, error) {
	for _, v := range args {
		if v != nil {
			return v, nil
		}
	}
	return nil, nil
}
