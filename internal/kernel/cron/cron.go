// Package cron reads the schedules administrators write: Quartz expressions of
// six or seven fields,
//
//	second minute hour day-of-month month day-of-week [year]
//
// Every field takes *, numbers, ranges (a wrapping one such as 22-2 too), steps
// (*/5, 3/5, 10-40/5), lists and, where they exist, names (JAN, MON). Days of
// the week count from 1 = SUN to 7 = SAT. One of the two day fields must be ?
// or *. Day of month also takes L (last day), L-3 (third before it), 15W
// (working day nearest the 15th, never leaving the month) and LW (last working
// day); day of week takes 6L (last Friday) and 6#3 (third Friday).
//
// The search for the next time is gronx's. This package adds what that library
// leaves open: strict validation that does not depend on the current time, the
// Quartz numbering of week days, LW and L-n.
package cron

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/adhocore/gronx"
)

// ErrInvalid wraps every complaint about an expression.
var ErrInvalid = errors.New("cron: invalid expression")

// ErrNever says that a valid expression has no time after the given one, such
// as the 30th of February or a year that has passed.
var ErrNever = errors.New("cron: no further time")

// Validate returns nil when Next can work with expr, otherwise an error that
// wraps ErrInvalid and names the field at fault.
func Validate(expr string) error {
	_, err := parse(expr)
	return err
}

// Next returns the first time strictly after after that expr matches, on the
// wall clock of loc and in that location. A time that a daylight-saving change
// skips is taken at the first instant after the gap or on the next match.
func Next(expr string, after time.Time, loc *time.Location) (time.Time, error) {
	s, err := parse(expr)
	if err != nil {
		return time.Time{}, err
	}
	at := after.In(loc)
	horizon := at.AddDate(maxYears, 0, 0)
	for at.Before(horizon) {
		next, err := gronx.NextTickAfter(s.expr, at, false)
		if err != nil || !next.After(at) || !next.After(after) {
			return time.Time{}, fmt.Errorf("%w: %s", ErrNever, expr)
		}
		if s.accept == nil || s.accept(next) {
			return next, nil
		}
		// The whole day is out; go on from its last second.
		at = time.Date(next.Year(), next.Month(), next.Day(), 23, 59, 59, 0, loc)
	}
	return time.Time{}, fmt.Errorf("%w: %s", ErrNever, expr)
}

// maxYears is how far ahead Next looks; the rarest sensible schedule, the fifth
// given week day of February, is up to 40 years away around 2100.
const maxYears = 60

// schedule is an expression in the dialect of gronx, and the test that a day
// must pass besides where that dialect cannot say it.
type schedule struct {
	expr   string
	accept func(time.Time) bool
}

func parse(expr string) (schedule, error) {
	if len(expr) > 256 {
		return schedule{}, fmt.Errorf("%w: longer than 256 characters", ErrInvalid)
	}
	in := strings.Fields(strings.ToUpper(expr))
	if len(in) != 6 && len(in) != 7 {
		return schedule{}, fmt.Errorf("%w: %d fields instead of 6 or 7", ErrInvalid, len(in))
	}
	if len(in) == 6 {
		in = append(in, "*")
	}
	out := make([]string, len(fields))
	for i, f := range fields {
		text, err := f.normalise(in[i])
		if err != nil {
			return schedule{}, fmt.Errorf("%w: %s %q: %w", ErrInvalid, f.name, in[i], err)
		}
		out[i] = text
	}
	day, week := out[dayOfMonth], out[dayOfWeek]
	if day == "?" && week == "?" {
		return schedule{}, fmt.Errorf("%w: both day fields are ?", ErrInvalid)
	}
	if day != "?" && day != "*" && week != "?" && week != "*" {
		return schedule{}, fmt.Errorf("%w: day of month and day of week are both given; put ? in one", ErrInvalid)
	}
	s := schedule{}
	s.accept, out[dayOfMonth] = lastDays(day)
	s.expr = strings.Join(out, " ")
	return s, nil
}

// lastDays turns L-n and LW, which gronx does not know, into a span of days
// that contains the wanted one and a test for it.
func lastDays(day string) (func(time.Time) bool, string) {
	if day == "LW" {
		return func(t time.Time) bool { return t.Day() == lastWorkingDay(t) }, "26-31"
	}
	var back int
	if n, _ := fmt.Sscanf(day, "L-%d", &back); n == 1 {
		return func(t time.Time) bool { return t.Day() == lastDay(t)-back }, fmt.Sprintf("%d-%d", max(1, 28-back), 31-back)
	}
	return nil, day
}

func lastDay(t time.Time) int {
	return time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func lastWorkingDay(t time.Time) int {
	last := time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC)
	switch last.Weekday() {
	case time.Saturday:
		return last.Day() - 1
	case time.Sunday:
		return last.Day() - 2
	}
	return last.Day()
}
