package cron

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Positions of the two fields that need each other.
const (
	dayOfMonth = 3
	dayOfWeek  = 5
)

// field describes one position of an expression.
type field struct {
	name     string
	min, max int
	names    []string // of the values from min on
	question bool     // ? allowed
	special  func(item string) (string, error)
	shift    int // added to each value for gronx, whose week starts at 0
}

var fields = []field{
	{name: "second", max: 59},
	{name: "minute", max: 59},
	{name: "hour", max: 23},
	{name: "day of month", min: 1, max: 31, question: true, special: specialDay},
	{name: "month", min: 1, max: 12,
		names: []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}},
	{name: "day of week", min: 1, max: 7, question: true, special: specialWeekday, shift: -1,
		names: weekDays},
	{name: "year", min: 1970, max: 2199},
}

var weekDays = []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}

var errSyntax = errors.New("not understood")

// normalise checks text and returns it for gronx: *, ?, one special item or a
// sorted list of plain numbers, so that no rule of that library for ranges,
// steps and names comes into play.
func (f field) normalise(text string) (string, error) {
	if text == "*" || (text == "?" && f.question) {
		return text, nil
	}
	if f.special != nil && strings.ContainsAny(text, "LW#") {
		if out, err := f.special(text); err == nil {
			return out, nil
		} else if !errors.Is(err, errSyntax) {
			return "", err
		}
	}
	seen := map[int]bool{}
	for item := range strings.SplitSeq(text, ",") {
		if err := f.expand(item, seen); err != nil {
			return "", err
		}
	}
	if len(seen) == f.max-f.min+1 {
		return "*", nil
	}
	values := make([]int, 0, len(seen))
	for v := range seen {
		values = append(values, v+f.shift)
	}
	slices.Sort(values)
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strconv.Itoa(v)
	}
	return strings.Join(out, ","), nil
}

// expand adds the values of one list item to seen.
func (f field) expand(item string, seen map[int]bool) error {
	span, stepText, stepped := strings.Cut(item, "/")
	step := 1
	if stepped {
		var err error
		if step, err = number(stepText); err != nil || step < 1 || step > f.max {
			return fmt.Errorf("step %q is not between 1 and %d", stepText, f.max)
		}
	}
	from, to, err := f.span(span, stepped)
	if err != nil {
		return err
	}
	size := f.max - f.min + 1
	if to < from {
		if f.name == "year" {
			return errors.New("the range ends before it begins")
		}
		to += size
	}
	for v := from; v <= to; v += step {
		seen[f.min+(v-f.min)%size] = true
	}
	return nil
}

// span reads *, a number or name, or a range. A single number with a step runs
// to the end of the field.
func (f field) span(text string, stepped bool) (from, to int, err error) {
	if text == "*" {
		return f.min, f.max, nil
	}
	first, second, ranged := strings.Cut(text, "-")
	if from, err = f.value(first); err != nil {
		return 0, 0, err
	}
	switch {
	case ranged:
		to, err = f.value(second)
	case stepped:
		to = f.max
	default:
		to = from
	}
	return from, to, err
}

func (f field) value(text string) (int, error) {
	if i := slices.Index(f.names, text); i >= 0 {
		return f.min + i, nil
	}
	v, err := number(text)
	if err != nil {
		return 0, err
	}
	if v < f.min || v > f.max {
		return 0, fmt.Errorf("%d is not between %d and %d", v, f.min, f.max)
	}
	return v, nil
}

// number reads plain decimal digits: no sign, no blank, no other base.
func number(text string) (int, error) {
	if text == "" || len(text) > 4 || strings.Trim(text, "0123456789") != "" {
		return 0, errSyntax
	}
	return strconv.Atoi(text)
}

// specialDay reads L, LW, L-n and nW.
func specialDay(item string) (string, error) {
	if item == "L" || item == "LW" {
		return item, nil
	}
	if rest, ok := strings.CutPrefix(item, "L-"); ok {
		n, err := number(rest)
		if err != nil || n < 1 || n > 27 {
			return "", errors.New("the n of L-n lies between 1 and 27")
		}
		return fmt.Sprintf("L-%d", n), nil
	}
	if rest, ok := strings.CutSuffix(item, "W"); ok {
		n, err := number(rest)
		if err != nil || n < 1 || n > 31 {
			return "", errors.New("nW needs n between 1 and 31")
		}
		return fmt.Sprintf("%dW", n), nil
	}
	return "", errSyntax
}

// specialWeekday reads L (Saturday), nL and n#k, by number or by name.
func specialWeekday(item string) (string, error) {
	week := field{min: 1, max: 7, names: weekDays}
	if item == "L" {
		return "6", nil
	}
	if day, nth, ok := strings.Cut(item, "#"); ok {
		d, err := week.value(day)
		if err != nil {
			return "", err
		}
		n, err := number(nth)
		if err != nil || n < 1 || n > 5 {
			return "", errors.New("n#k needs k between 1 and 5")
		}
		return fmt.Sprintf("%d#%d", d-1, n), nil
	}
	if day, ok := strings.CutSuffix(item, "L"); ok {
		d, err := week.value(day)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%dL", d-1), nil
	}
	return "", errSyntax
}
