package cron

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

var shanghai = mustZone("Asia/Shanghai")

func mustZone(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return loc
}

func at(s string) time.Time {
	t, err := time.ParseInLocation(time.DateTime, s, shanghai)
	if err != nil {
		panic(err)
	}
	return t
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ expr, after, want string }{
		{"0 0 12 * * ?", "2026-03-01 12:00:00", "2026-03-02 12:00:00"},
		{"0 0 12 * * ?", "2026-03-01 11:59:59", "2026-03-01 12:00:00"},
		{"* * * * * ?", "2026-12-31 23:59:59", "2027-01-01 00:00:00"},
		{"0/15 * * * * *", "2026-03-01 00:00:14", "2026-03-01 00:00:15"},
		{"0 10/20 8-9 * * ?", "2026-03-01 08:50:00", "2026-03-01 09:10:00"},
		{"0 0 22-2 * * ?", "2026-03-01 02:00:00", "2026-03-01 22:00:00"},
		{"0 0 8 ? * MON-FRI", "2026-03-06 08:00:00", "2026-03-09 08:00:00"}, // Friday to Monday
		{"0 0 8 ? * 2", "2026-03-06 08:00:00", "2026-03-09 08:00:00"},       // 2 is Monday
		{"0 0 8 ? * 1", "2026-03-06 08:00:00", "2026-03-08 08:00:00"},       // 1 is Sunday
		{"0 0 8 ? * L", "2026-03-01 08:00:00", "2026-03-07 08:00:00"},       // Saturday
		{"0 0 8 ? * FRI-SUN", "2026-03-01 08:00:00", "2026-03-06 08:00:00"}, // wraps
		{"0 0 8 L * ?", "2026-02-01 00:00:00", "2026-02-28 08:00:00"},
		{"0 0 8 L * ?", "2028-02-01 00:00:00", "2028-02-29 08:00:00"},
		{"0 0 8 L-2 * ?", "2026-02-01 00:00:00", "2026-02-26 08:00:00"},
		{"0 0 8 LW * ?", "2026-02-01 00:00:00", "2026-02-27 08:00:00"}, // 28th is a Saturday
		{"0 0 8 LW * ?", "2026-05-01 00:00:00", "2026-05-29 08:00:00"}, // 31st is a Sunday
		{"0 0 8 15W * ?", "2026-08-01 00:00:00", "2026-08-14 08:00:00"},
		{"0 0 8 1W * ?", "2026-08-01 00:00:00", "2026-08-03 08:00:00"}, // never leaves the month
		{"0 0 8 ? * 6L", "2026-03-01 00:00:00", "2026-03-27 08:00:00"}, // last Friday
		{"0 0 8 ? * FRI#3", "2026-03-01 00:00:00", "2026-03-20 08:00:00"},
		{"0 0 8 ? * 6#5", "2026-03-01 00:00:00", "2026-05-29 08:00:00"},
		{"0 0 0 29 2 ?", "2026-03-01 00:00:00", "2028-02-29 00:00:00"},
		{"0 0 0 29 2 ?", "2097-03-01 00:00:00", "2104-02-29 00:00:00"},
		{"0 0 0 31 * ?", "2026-03-31 00:00:00", "2026-05-31 00:00:00"},
		{"0 0 0 1 JAN ? 2030", "2026-03-01 00:00:00", "2030-01-01 00:00:00"},
		{"0 0 0 1 1 ? 2028/4", "2029-03-01 00:00:00", "2032-01-01 00:00:00"},
		{"0 59 23 ? 2 1#5", "2026-03-01 00:00:00", "2032-02-29 23:59:00"},
		{"59 59 23 31 12 ? *", "2026-12-31 23:59:58", "2026-12-31 23:59:59"},
	} {
		got, err := Next(c.expr, at(c.after), shanghai)
		if err != nil || !got.Equal(at(c.want)) {
			t.Errorf("Next(%q, %s) = %v, %v; want %s", c.expr, c.after, got, err, c.want)
		}
	}
}

func TestNextNever(t *testing.T) {
	for _, expr := range []string{"0 0 0 30 2 ?", "0 0 0 31 4,6,9,11 ?", "0 0 0 * * ? 2020", "* * * 31W 2 ?"} {
		start := time.Now()
		if got, err := Next(expr, at("2026-03-01 00:00:00"), shanghai); !errors.Is(err, ErrNever) {
			t.Errorf("Next(%q) = %v, %v", expr, got, err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%q took %v", expr, d)
		}
	}
}

func TestNextIgnoresFractions(t *testing.T) {
	after := at("2026-03-01 00:00:00").Add(300 * time.Millisecond)
	got, err := Next("* * * * * ?", after, shanghai)
	if err != nil || !got.Equal(at("2026-03-01 00:00:01")) {
		t.Errorf("%v %v", got, err)
	}
}

func TestNextDaylightSaving(t *testing.T) {
	zone := mustZone("Europe/Berlin")
	spring := time.Date(2026, 3, 28, 3, 0, 0, 0, zone)
	for _, expr := range []string{"0 30 2 * * ?", "0 30 3 * * ?", "0 0 * * * ?", "0 0/30 * * * ?"} {
		last := spring
		for range 200 {
			next, err := Next(expr, last, zone)
			if err != nil || !next.After(last) {
				t.Fatalf("%q after %v: %v, %v", expr, last, next, err)
			}
			last = next
		}
	}
}

func TestValidate(t *testing.T) {
	for _, expr := range []string{
		"0 0 12 * * ?", "0 0 12 ? * *", "0 0 12 * * *", " 0  0 12 1,15 * ? ", "0 0/5 14,18 * * ?", "0 0-5 14 * * ?",
		"0 10,44 14 ? 3 WED", "0 15 10 ? * 6L 2002-2035", "0 0 0 l * ?", "0 0 0 lw jan ?", "0 0 0 L-27 * ?",
		"*/7 * * * * ?", "1-50/7 * * * * ?", "0 0 0 ? * 7#1", "0 0 0 ? * sat#5",
	} {
		if err := Validate(expr); err != nil {
			t.Errorf("%q: %v", expr, err)
		}
	}
	for _, expr := range []string{
		"", "*", "* * * * *", "* * * * * * * *", "60 * * * * ?", "* 60 * * * ?", "* * 24 * * ?", "* * * 0 * ?", "* * * 32 * ?",
		"* * * * 13 ?", "* * * * 0 ?", "* * * ? * 0", "* * * ? * 8", "* * * * * ? 1969", "* * * * * ? 99999", "* * * ? * ?",
		"* * * 1 * 1", "* * * L * 6L", "? * * * * ?", "*,x * * * * ?", "5,99 * * * * ?", "1, * * * * ?", ",1 * * * * ?",
		"*/0 * * * * ?", "*/ * * * * ?", "/5 * * * * ?", "1- * * * * ?", "-1 * * * * ?", "+1 * * * * ?", "1--2 * * * * ?",
		"1/2/3 * * * * ?", "0x1 * * * * ?", "* * * 0W * ?", "* * * 32W * ?", "* * * W * ?", "* * * WL * ?", "* * * L-0 * ?",
		"* * * L-31 * ?", "* * * L,1 * ?", "* * * 1W,2 * ?", "* * * ? * 6#0", "* * * ? * 6#6", "* * * ? * #2", "* * * ? * 8L",
		"* * * ? * 1#", "* * * ? * MONDAY", "* * * * FOO ?", "@daily", "* * * * * ? 2030-2020", "\x00 * * * * ?",
		strings.Repeat("1,", 200) + "1 * * * * ?",
	} {
		if err := Validate(expr); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", expr, err)
		}
	}
}

// oracle answers whether t matches by reading the expression afresh, in the
// plainest way, without the tables of the package.
func oracle(expr string, t time.Time) bool {
	f := strings.Fields(expr)
	if len(f) == 6 {
		f = append(f, "*")
	}
	plain := func(text string, v, first, last int) bool {
		for item := range strings.SplitSeq(text, ",") {
			span, step, hasStep := strings.Cut(item, "/")
			lo, hi := first, last
			if span != "*" {
				a, b, isRange := strings.Cut(span, "-")
				lo, _ = strconv.Atoi(a)
				if hi = lo; isRange {
					hi, _ = strconv.Atoi(b)
				} else if hasStep {
					hi = last
				}
			}
			by := 1
			if hasStep {
				by, _ = strconv.Atoi(step)
			}
			for x := lo; x <= hi; x += by {
				if x == v {
					return true
				}
			}
		}
		return false
	}
	return plain(f[0], t.Second(), 0, 59) && plain(f[1], t.Minute(), 0, 59) && plain(f[2], t.Hour(), 0, 23) &&
		plain(f[4], int(t.Month()), 1, 12) && plain(f[6], t.Year(), 1970, 2199) &&
		oracleDay(f[3], f[5], t, plain)
}

func oracleDay(day, week string, t time.Time, plain func(string, int, int, int) bool) bool {
	last := time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	weekday := int(t.Weekday()) + 1
	switch {
	case day == "L":
		return t.Day() == last
	case strings.HasSuffix(day, "W") && day != "LW":
		n, _ := strconv.Atoi(strings.TrimSuffix(day, "W"))
		if n > last {
			return false
		}
		for _, d := range []int{n, n - 1, n + 1, n - 2, n + 2} {
			w := time.Date(t.Year(), t.Month(), d, 0, 0, 0, 0, time.UTC).Weekday()
			if d >= 1 && d <= last && w != time.Saturday && w != time.Sunday {
				return t.Day() == d
			}
		}
		return false
	case day == "LW":
		for d := last; ; d-- {
			if w := time.Date(t.Year(), t.Month(), d, 0, 0, 0, 0, time.UTC).Weekday(); w != time.Saturday && w != time.Sunday {
				return t.Day() == d
			}
		}
	case strings.HasPrefix(day, "L-"):
		n, _ := strconv.Atoi(day[2:])
		return t.Day() == last-n
	case day != "?" && day != "*":
		return plain(day, t.Day(), 1, 31)
	}
	switch {
	case week == "?" || week == "*":
		return true
	case strings.HasSuffix(week, "L"):
		n, _ := strconv.Atoi(strings.TrimSuffix(week, "L"))
		return weekday == n && t.Day()+7 > last
	case strings.Contains(week, "#"):
		n, k, _ := strings.Cut(week, "#")
		return strconv.Itoa(weekday) == n && strconv.Itoa((t.Day()-1)/7+1) == k
	}
	return plain(week, weekday, 1, 7)
}

// randomExpr draws from the grammar; minutes and seconds are rare enough that
// the oracle can walk by the minute.
func randomExpr(r *rand.Rand) string {
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	n := func(lo, hi int) string { return strconv.Itoa(lo + r.IntN(hi-lo+1)) }
	span := func(lo, hi int) string {
		a := lo + r.IntN(hi-lo)
		return fmt.Sprintf("%d-%d", a, a+r.IntN(hi-a+1))
	}
	field := func(lo, hi int) string {
		return pick("*", n(lo, hi), n(lo, hi)+","+n(lo, hi), span(lo, hi), span(lo, hi)+"/"+n(1, 5), n(lo, hi)+"/"+n(1, min(9, hi)), "*/"+n(1, min(9, hi)))
	}
	day, week := pick(field(1, 31), "L", "LW", n(1, 31)+"W", "L-"+n(1, 27)), "?"
	if r.IntN(2) == 0 {
		day, week = "?", pick(field(1, 7), n(1, 7)+"L", n(1, 7)+"#"+n(1, 5))
	}
	year := pick("", "", "", " "+n(2026, 2032), " 2026-2030/2", " 2027/3")
	return strings.Join([]string{"0", field(0, 59), field(0, 23), day, field(1, 12), week}, " ") + year
}

func TestNextAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
		expr := randomExpr(r)
		after := at("2026-01-01 00:00:00").Add(time.Duration(r.Int64N(int64(3 * 365 * 24 * time.Hour)))).Truncate(time.Second)
		got, err := Next(expr, after, shanghai)
		want, found := search(expr, after, after.AddDate(8, 0, 0))
		if found && (err != nil || !got.Equal(want)) {
			t.Errorf("Next(%q, %v) = %v, %v; want %v", expr, after, got, err, want)
		}
		if !found && err == nil && got.Before(after.AddDate(8, 0, 0)) {
			t.Errorf("Next(%q, %v) = %v; the search found none", expr, after, got)
		}
	}
}

// search walks day by day, then minute by minute through the matching day.
func search(expr string, after, until time.Time) (time.Time, bool) {
	f := strings.Fields(expr)
	dayOnly := "* * * " + strings.Join(f[3:], " ")
	day := time.Date(after.Year(), after.Month(), after.Day(), 0, 0, 0, 0, shanghai)
	for ; day.Before(until); day = day.AddDate(0, 0, 1) {
		if !oracle(dayOnly, day) {
			continue
		}
		for m := range 24 * 60 {
			if c := day.Add(time.Duration(m) * time.Minute); c.After(after) && oracle(expr, c) {
				return c, true
			}
		}
	}
	return time.Time{}, false
}

func FuzzNext(f *testing.F) {
	for _, s := range []string{"0 0 12 * * ?", "0 15 10 ? * 6L 2002-2035", "0 0 0 LW * ?", "0 0 0 ? * 6#3", "*/7 1-50/3 22-2 L-3 JAN-DEC ?"} {
		f.Add(s, int64(1_770_000_000))
	}
	f.Fuzz(func(t *testing.T, expr string, unix int64) {
		after := time.Unix(((unix%4_000_000_000)+4_000_000_000)%4_000_000_000, 0)
		err := Validate(expr)
		next, nextErr := Next(expr, after, shanghai)
		switch {
		case err != nil:
			if !errors.Is(err, ErrInvalid) || nextErr == nil {
				t.Fatalf("%q: %v, %v", expr, err, nextErr)
			}
		case nextErr == nil:
			if !next.After(after) || next.Nanosecond() != 0 {
				t.Fatalf("%q after %v: %v", expr, after, next)
			}
		case !errors.Is(nextErr, ErrNever):
			t.Fatalf("%q: %v", expr, nextErr)
		}
	})
}
