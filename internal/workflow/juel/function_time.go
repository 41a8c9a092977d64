package juel

import (
	"strconv"
	"strings"
	"time"
)

// maxAmount bounds what may be added to a time, in any unit.
const maxAmount = 10_000_000

func now(r *run, _ []any) (any, error) { return r.env.Now(), nil }

func today(r *run, _ []any) (any, error) { return startOfDay(r.env.Now()), nil }

func startOfDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// patterns of SimpleDateFormat that formatDate knows.
var patterns = map[string]string{
	"yyyy": "2006", "yy": "06", "MM": "01", "M": "1", "dd": "02", "d": "2",
	"HH": "15", "hh": "03", "mm": "04", "ss": "05", "SSS": "000", "XXX": "-07:00", "a": "PM",
}

func formatDate(r *run, args []any) (any, error) {
	if args[0] == nil {
		return "", nil
	}
	t, err := r.toTime(args[0])
	if err != nil {
		return nil, err
	}
	pattern, err := r.text(args[1])
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i := 0; i < len(pattern); {
		stop := i + 1
		if !letter(pattern[i]) {
			b.WriteByte(pattern[i])
			i = stop
			continue
		}
		for stop < len(pattern) && pattern[stop] == pattern[i] {
			stop++
		}
		layout, ok := patterns[pattern[i:stop]]
		if !ok {
			return nil, refuse("日期格式中不认识 %q，可用 yyyy MM dd HH mm ss", "unknown %q in the date pattern; use yyyy MM dd HH mm ss", pattern[i:stop])
		}
		if layout == "000" {
			layout = t.Format(".000")[1:]
		}
		b.WriteString(t.Format(layout))
		i = stop
	}
	return bounded(b.String())
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// period is an ISO 8601 duration: calendar months and days, then a fixed time.
type period struct {
	months, days int64
	rest         time.Duration
}

// parsePeriod reads P1Y2M3W4DT5H6M7S with an optional sign in front; whole numbers only.
func parsePeriod(s string) (period, bool) {
	var p period
	negative := strings.HasPrefix(s, "-")
	body, ok := strings.CutPrefix(strings.TrimPrefix(s, "-"), "P")
	if !ok || body == "" || strings.HasSuffix(body, "T") {
		return p, false
	}
	clock := false
	order := "YMWD"
	for body != "" {
		if !clock && body[0] == 'T' {
			clock, order, body = true, "HMS", body[1:]
		}
		digits := 0
		for digit(body, digits) {
			digits++
		}
		n, err := strconv.ParseInt(body[:digits], 10, 64)
		if err != nil || n > maxAmount || digits == len(body) {
			return p, false
		}
		unit := body[digits]
		at := strings.IndexByte(order, unit)
		if at < 0 {
			return p, false
		}
		order, body = order[at+1:], body[digits+1:]
		p.add(unit, clock, n)
	}
	if negative {
		p = period{-p.months, -p.days, -p.rest}
	}
	return p, true
}

func (p *period) add(unit byte, clock bool, n int64) {
	switch {
	case unit == 'Y':
		p.months += 12 * n
	case unit == 'M' && !clock:
		p.months += n
	case unit == 'W':
		p.days += 7 * n
	case unit == 'D':
		p.days += n
	case unit == 'H':
		p.rest += time.Duration(n) * time.Hour
	case unit == 'M':
		p.rest += time.Duration(n) * time.Minute
	default:
		p.rest += time.Duration(n) * time.Second
	}
}

// after adds the period. A month that is too short ends the sum at its last day:
// 31 January plus P1M is 28 or 29 February.
func (p period) after(t time.Time) (any, error) {
	first := time.Date(t.Year(), t.Month(), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location()).AddDate(0, int(p.months), 0)
	last := first.AddDate(0, 1, -first.Day()).Day()
	sum := time.Date(first.Year(), first.Month(), min(t.Day(), last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	sum = sum.AddDate(0, 0, int(p.days)).Add(p.rest)
	if sum.Year() < 1 || sum.Year() > 9999 {
		return nil, refuse("日期超出公元 1 到 9999 年", "the date is outside of the years 1 to 9999")
	}
	return sum, nil
}

func plus(r *run, args []any) (any, error) {
	t, err := r.toTime(args[0])
	if err != nil {
		return nil, err
	}
	s, err := r.text(args[1])
	if err != nil {
		return nil, err
	}
	p, ok := parsePeriod(s)
	if !ok {
		return nil, refuse("时长 %q 不正确，应如 P1D、PT2H、P1M", "%q is no duration such as P1D, PT2H, P1M", brief(s))
	}
	return p.after(t)
}

// plusUnit makes a function that adds sign × n units: one of D W M Y, or T and H or M.
func plusUnit(unit string, sign int64) func(*run, []any) (any, error) {
	return func(r *run, args []any) (any, error) {
		t, err := r.toTime(args[0])
		if err != nil {
			return nil, err
		}
		n, err := toInt(args[1])
		if err != nil {
			return nil, err
		}
		if n > maxAmount || n < -maxAmount {
			return nil, refuse("数量 %d 过大", "the amount %d is too large", n)
		}
		var p period
		p.add(unit[len(unit)-1], len(unit) > 1, sign*n)
		return p.after(t)
	}
}

// daysBetween counts midnights from a to b in the zone of the clock.
func daysBetween(r *run, args []any) (any, error) {
	a, b, err := r.times(args)
	if err != nil {
		return nil, err
	}
	return dayNumber(b) - dayNumber(a), nil
}

func dayNumber(t time.Time) int64 {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400
}

// hoursBetween counts whole hours from a to b.
func hoursBetween(r *run, args []any) (any, error) {
	a, b, err := r.times(args)
	if err != nil {
		return nil, err
	}
	return (b.Unix() - a.Unix()) / 3600, nil
}

func (r *run) times(args []any) (a, b time.Time, err error) {
	if a, err = r.toTime(args[0]); err != nil {
		return a, b, err
	}
	zone := r.env.Now().Location()
	b, err = r.toTime(args[1])
	return a.In(zone), b.In(zone), err
}

// part makes a function that gives a field of a time in the zone of the clock.
func part(field string) func(*run, []any) (any, error) {
	return func(r *run, args []any) (any, error) {
		t, err := r.toTime(args[0])
		if err != nil {
			return nil, err
		}
		t = t.In(r.env.Now().Location())
		switch field {
		case "year":
			return int64(t.Year()), nil
		case "month":
			return int64(t.Month()), nil
		case "day":
			return int64(t.Day()), nil
		}
		return int64((t.Weekday()+6)%7 + 1), nil // Monday is 1
	}
}
