package bpmn

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"
)

func mustZone(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return loc
}

var (
	shanghai = mustZone("Asia/Shanghai")
	berlin   = mustZone("Europe/Berlin")
	newYork  = mustZone("America/New_York")
)

func in(loc *time.Location, text string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04:05", text, loc)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParsePeriod(t *testing.T) {
	for text, want := range map[string]Period{
		"P1Y": {Years: 1}, "P2M": {Months: 2}, "P3W": {Days: 21}, "P4D": {Days: 4}, "PT5H": {Clock: 5 * time.Hour}, "PT6M": {Clock: 6 * time.Minute},
		"PT7S": {Clock: 7 * time.Second}, "PT0.5S": {Clock: 500 * time.Millisecond}, "PT1,25S": {Clock: 1250 * time.Millisecond}, "P0D": {},
		"P1Y2M3W4DT5H6M7.5S": {Years: 1, Months: 2, Days: 25, Clock: 5*time.Hour + 6*time.Minute + 7500*time.Millisecond},
		"PT36H":              {Clock: 36 * time.Hour}, "P100Y": {Years: 100},
	} {
		if got, err := ParsePeriod(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "P", "PT", "P1", "1D", "P1DT", "PT1D", "P1H", "P-1D", "-P1D", "P1.5D", "PT1.5H", "PTS", "PT.S", "P1D1Y", "PT1S1M", "P1D ", "p1d",
		"P9999999999D", "PT99999999999999999S", "P101Y", "P1201M", "P40000D", "PT999999999H", "PT1e3S", "P١D", "P1D2D"} {
		if got, err := ParsePeriod(text); err == nil {
			t.Errorf("%q is accepted as %+v", text, got)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, c := range []struct {
		kind       TimerKind
		text       string
		loc        *time.Location
		now, first string // wall clock of loc
		repeats    int
	}{
		{TimerDate, "2025-03-01T08:00+08:00", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "2025-03-01T00:00:00Z", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "2025-03-01T08:00:00+0800", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "20250301T080000+0800", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "2025-03-01T08:00:00", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "2025-03-01 08:00", berlin, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 1},
		{TimerDate, "2025-03-01", shanghai, "2025-02-01 00:00:00", "2025-03-01 00:00:00", 1},
		{TimerDate, " 2025-03-01 ", shanghai, "2026-02-01 00:00:00", "2025-03-01 00:00:00", 1}, // passed, due at once
		{TimerDate, "P2D", shanghai, "2025-02-01 09:00:00", "2025-02-03 09:00:00", 1},
		{TimerDuration, "PT1H30M", shanghai, "2025-02-01 23:00:00", "2025-02-02 00:30:00", 1},
		{TimerDuration, "P1M", shanghai, "2025-01-31 09:00:00", "2025-02-28 09:00:00", 1},
		{TimerDuration, "P1M", shanghai, "2028-01-31 09:00:00", "2028-02-29 09:00:00", 1},
		{TimerDuration, "P1M", shanghai, "2025-12-31 09:00:00", "2026-01-31 09:00:00", 1},
		{TimerDuration, "P1Y", shanghai, "2028-02-29 09:00:00", "2029-02-28 09:00:00", 1},
		{TimerDuration, "P1M1D", shanghai, "2025-01-31 09:00:00", "2025-03-01 09:00:00", 1},
		{TimerDuration, "P1W", shanghai, "2025-02-25 09:00:00", "2025-03-04 09:00:00", 1},
		{TimerDuration, "P1D", berlin, "2026-03-28 12:00:00", "2026-03-29 12:00:00", 1},   // a day of 23 hours
		{TimerDuration, "PT24H", berlin, "2026-03-28 12:00:00", "2026-03-29 13:00:00", 1}, // exact time
		{TimerDuration, "P1D", berlin, "2026-03-28 02:30:00", "2026-03-29 03:30:00", 1},   // skipped hour
		{TimerDuration, "P1D", newYork, "2026-03-07 02:30:00", "2026-03-08 03:30:00", 1},
		{TimerDuration, "P1M", newYork, "2026-02-08 02:00:00", "2026-03-08 03:00:00", 1},
		{TimerDuration, "P1D", newYork, "2026-10-31 12:00:00", "2026-11-01 12:00:00", 1}, // a day of 25 hours
		{TimerCycle, "R3/PT1H", shanghai, "2025-02-01 23:30:00", "2025-02-02 00:30:00", 3},
		{TimerCycle, "R/P1D", shanghai, "2025-02-28 08:00:00", "2025-03-01 08:00:00", -1},
		{TimerCycle, "R3/2025-03-01T08:00/P1D", shanghai, "2025-02-01 00:00:00", "2025-03-01 08:00:00", 3},
		{TimerCycle, "R3/2025-03-01T08:00/P1D", shanghai, "2025-03-01 08:00:00", "2025-03-01 08:00:00", 3},
		{TimerCycle, "R3/2025-03-01T08:00/P1D", shanghai, "2025-03-05 09:00:00", "2025-03-06 08:00:00", 3},
		{TimerCycle, "R/P1D/2025-03-01", shanghai, "2025-02-27 08:00:00", "2025-02-28 08:00:00", -1},
		{TimerCycle, "0 0 8 ? * MON-FRI", shanghai, "2026-03-06 08:00:00", "2026-03-09 08:00:00", -1},
	} {
		s, err := ParseTimer(c.kind, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got, ok := s.First(in(c.loc, c.now), c.loc)
		if !ok || !got.Equal(in(c.loc, c.first)) || s.Repeats != c.repeats {
			t.Errorf("%s at %s: %v, %v, repeats %d", c.text, c.now, got, ok, s.Repeats)
		}
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		text, anchor string
		loc          *time.Location
		after        string
		want         string // "" when there is none
	}{
		{"R3/PT1H", "2025-02-01 08:00:00", shanghai, "2025-02-01 09:00:00", "2025-02-01 10:00:00"},
		{"R3/PT1H", "2025-02-01 08:00:00", shanghai, "2025-02-01 18:20:00", "2025-02-01 19:00:00"}, // ten hours missed
		{"R/P1M", "2025-01-31 08:00:00", shanghai, "2025-02-28 08:00:00", "2025-03-31 08:00:00"},   // no drift to the 28th
		{"R/P1M", "2025-01-31 08:00:00", shanghai, "2025-03-31 08:00:00", "2025-04-30 08:00:00"},
		{"R/P1Y", "2028-02-29 08:00:00", shanghai, "2031-03-01 00:00:00", "2032-02-29 08:00:00"},
		{"R/P1D", "2026-03-27 02:30:00", berlin, "2026-03-29 03:30:00", "2026-03-30 02:30:00"}, // back to half past two
		{"R/P1D", "2026-10-24 02:30:00", berlin, "2026-10-25 02:30:00", "2026-10-26 02:30:00"},
		{"R/PT1H", "2026-03-29 00:30:00", berlin, "2026-03-29 01:30:00", "2026-03-29 03:30:00"},
		{"R/2025-03-01T08:00/P1D", "2025-01-01 00:00:00", shanghai, "2025-03-01 08:00:00", "2025-03-02 08:00:00"},
		{"R/P1D/2025-03-01", "2025-02-27 08:00:00", shanghai, "2025-02-28 08:00:00", ""},
		{"R/P1D/2025-03-01T08:00", "2025-02-27 08:00:00", shanghai, "2025-02-28 08:00:00", "2025-03-01 08:00:00"},
		{"0 30 2 * * ?", "2026-03-01 00:00:00", shanghai, "2026-03-01 02:30:00", "2026-03-02 02:30:00"},
		{"0 0 0 1 1 ? 2027", "2026-03-01 00:00:00", shanghai, "2027-01-01 00:00:00", ""},
	} {
		s, err := ParseTimer(TimerCycle, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got, ok := s.Next(in(c.loc, c.anchor), in(c.loc, c.after), c.loc)
		if ok != (c.want != "") || ok && !got.Equal(in(c.loc, c.want)) {
			t.Errorf("%s after %s: %v, %v", c.text, c.after, got, ok)
		}
	}
	once, _ := ParseTimer(TimerDuration, "PT1H")
	if _, ok := once.Next(in(shanghai, "2025-01-01 00:00:00"), in(shanghai, "2025-01-01 00:00:00"), shanghai); ok {
		t.Error("a duration falls due twice")
	}
}

func TestUntilAndAt(t *testing.T) {
	now := in(shanghai, "2025-01-01 00:00:00")
	s, err := ParseTimer(TimerCycle, "R/PT1H")
	if err != nil {
		t.Fatal(err)
	}
	s = s.Until(now.Add(90 * time.Minute))
	first, ok := s.First(now, shanghai)
	if !ok || !first.Equal(now.Add(time.Hour)) {
		t.Errorf("%v %v", first, ok)
	}
	if _, ok := s.Next(now, first, shanghai); ok {
		t.Error("the end is passed")
	}
	if due, ok := At(now).First(now.Add(time.Hour), berlin); !ok || !due.Equal(now) {
		t.Errorf("%v %v", due, ok)
	}
	if at, err := ParseTime("2025-01-01 00:00", shanghai); err != nil || !at.Equal(now) {
		t.Errorf("%v %v", at, err)
	}
}

func TestTimerRefusals(t *testing.T) {
	for text, kind := range map[string]TimerKind{
		"": TimerDate, "2025-13-01": TimerDate, "2025-02-30T08:00": TimerDate, "1899-12-31": TimerDate, "08:00": TimerDate, "now": TimerDate,
		"PT1D": TimerDuration, "2025-03-01": TimerDuration, "R3/PT1H": TimerDuration,
		"PT1H": TimerCycle, "R": TimerCycle, "R3": TimerCycle, "R0/PT1H": TimerCycle, "R-1/PT1H": TimerCycle, "Rx/PT1H": TimerCycle, "R3/PT0S": TimerCycle,
		"R3/PT0.5S": TimerCycle, "R3/2025-03-01": TimerCycle, "R3/a/PT1H": TimerCycle, "R3/PT1H/b": TimerCycle, "R3/PT1H/PT2H": TimerCycle, "R1/2/3/4": TimerCycle,
		"R9999999/PT1H": TimerCycle, "* * * * *": TimerCycle, "@daily": TimerCycle,
	} {
		if s, err := ParseTimer(kind, text); err == nil {
			t.Errorf("%q is accepted: %+v", text, s)
		} else if textOf(err, "en") == "" || textOf(err, "zh") == textOf(err, "en") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParseRetry(t *testing.T) {
	for _, c := range []struct {
		text  string
		tries int
		waits int
	}{{"R5/PT10M", 5, 1}, {"R3", 3, 0}, {"PT10M", 2, 1}, {"PT10M,PT1H, P1D", 4, 3}, {"R1/PT0S", 1, 1}} {
		if r, err := ParseRetry(c.text); err != nil || r.Tries != c.tries || len(r.Waits) != c.waits {
			t.Errorf("%s: %+v %v", c.text, r, err)
		}
	}
	for _, text := range []string{"", "R", "R0/PT1M", "R101/PT1M", "R/PT1M", "5", "R3/x", "PT1M,,PT1M"} {
		if r, err := ParseRetry(text); err == nil {
			t.Errorf("%q is accepted: %+v", text, r)
		}
	}
}

// Whatever the period, the times of a cycle rise and lie on the grid that
// stepping one by one gives.
func TestGridProperty(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	for range 300 {
		p := Period{Years: rnd.IntN(2) * rnd.IntN(2), Months: rnd.IntN(14), Days: rnd.IntN(40), Clock: time.Duration(rnd.IntN(100_000)) * time.Second}
		if p.Zero() {
			continue
		}
		s := Schedule{Kind: TimerCycle, Repeats: -1, period: p}
		loc := []*time.Location{shanghai, berlin, newYork, time.UTC}[rnd.IntN(4)]
		anchor := in(loc, "2024-01-31 02:30:00").Add(time.Duration(rnd.IntN(400*86400)) * time.Second)
		last := anchor
		for n := 1; n <= 40; n++ {
			next, ok := s.Next(anchor, last, loc)
			if !ok || !next.Equal(p.times(anchor, n, loc)) || !next.After(last) {
				t.Fatalf("%+v from %v: step %d is %v, %v", p, anchor, n, next, ok)
			}
			if again, _ := s.Next(anchor, next.Add(-time.Nanosecond), loc); !again.Equal(next) {
				t.Fatalf("%+v: %v just before %v", p, again, next)
			}
			last = next
		}
	}
}
