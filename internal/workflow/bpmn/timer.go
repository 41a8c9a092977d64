package bpmn

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"viva/internal/kernel/cron"
)

// Schedule is the value of a timer: when it falls due first and, for a cycle,
// when again.
type Schedule struct {
	Kind TimerKind
	// Repeats is how often a cycle falls due, -1 without limit; 1 for a date or
	// duration. The engine counts down.
	Repeats int
	start   moment // date, or start of a cycle
	end     moment // last time of a cycle
	period  Period
	cron    string
}

// moment is a date-time, whose zone is that of the reader when none is written.
type moment struct {
	at    time.Time // in UTC when not zoned
	zoned bool
	set   bool
}

func (m moment) in(loc *time.Location) time.Time {
	if m.zoned {
		return m.at
	}
	t := m.at
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
}

var zonedLayouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04Z0700", "20060102T150405Z0700", "20060102T1504Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07"}

var localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "20060102T150405", "20060102T1504",
	"20060102", time.DateTime, "2006-01-02 15:04"}

func parseMoment(text string) (moment, error) {
	for i, layouts := range [][]string{zonedLayouts, localLayouts} {
		for _, layout := range layouts {
			t, err := time.Parse(layout, text)
			if err == nil && t.Year() >= 1900 && t.Year() <= 9999 {
				return moment{at: t, zoned: i == 0, set: true}, nil
			}
		}
	}
	return moment{}, timeError("时间 "+quoted(text)+" 应写成 2025-03-01T08:00:00+08:00 这样的格式", "the time "+quoted(text)+" is not written like 2025-03-01T08:00:00+08:00")
}

// ParseTime reads a date-time; without a zone it is one of the location.
func ParseTime(text string, loc *time.Location) (time.Time, error) {
	m, err := parseMoment(strings.TrimSpace(text))
	if err != nil {
		return time.Time{}, err
	}
	return m.in(loc), nil
}

// At is the schedule of a known time, for expressions that yield one.
func At(t time.Time) Schedule {
	return Schedule{Kind: TimerDate, Repeats: 1, start: moment{at: t, zoned: true, set: true}}
}

// ParseTimer reads the text of a timer:
//
//   - date: 2025-03-01T08:00+08:00, or without zone, in the reader's location;
//     a duration is accepted too, as due dates are often written so
//   - duration: P1DT2H
//   - cycle: R3/PT1H, R/PT1H, R3/2025-03-01T08:00/P1D (first due at the start),
//     R/P1D/2025-12-31 (none after the end), or a cron expression of
//     kernel/cron (six or seven fields)
func ParseTimer(kind TimerKind, text string) (Schedule, error) {
	text = strings.TrimSpace(text)
	switch kind {
	case TimerDate:
		if !strings.HasPrefix(text, "P") {
			m, err := parseMoment(text)
			return Schedule{Kind: TimerDate, Repeats: 1, start: m}, err
		}
		fallthrough
	case TimerDuration:
		p, err := ParsePeriod(text)
		return Schedule{Kind: TimerDuration, Repeats: 1, period: p}, err
	}
	if strings.HasPrefix(text, "R") {
		return parseCycle(text)
	}
	if strings.HasPrefix(text, "P") {
		return Schedule{}, timeError("周期 "+quoted(text)+" 缺少重复次数，应写成 R3/PT1H 或 R/PT1H", "the cycle "+quoted(text)+" lacks its count; write R3/PT1H or R/PT1H")
	}
	if err := cron.Validate(text); err != nil {
		return Schedule{}, timeError("周期应写成 R3/PT1H 或六段 cron 表达式（"+clip(err.Error())+"）", "a cycle is written R3/PT1H or as a cron expression of six fields ("+clip(err.Error())+")")
	}
	return Schedule{Kind: TimerCycle, Repeats: -1, cron: text}, nil
}

func parseCycle(text string) (Schedule, error) {
	s := Schedule{Kind: TimerCycle, Repeats: -1}
	parts := strings.Split(text, "/")
	if count := parts[0][1:]; count != "" {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > 1_000_000 {
			return s, timeError("重复次数 "+quoted(count)+" 须为正整数", "the count "+quoted(count)+" must be a positive integer")
		}
		s.Repeats = n
	}
	var err error
	switch {
	case len(parts) == 2:
		s.period, err = ParsePeriod(parts[1])
	case len(parts) == 3 && strings.HasPrefix(parts[1], "P"):
		if s.period, err = ParsePeriod(parts[1]); err == nil {
			s.end, err = parseMoment(parts[2])
		}
	case len(parts) == 3:
		if s.start, err = parseMoment(parts[1]); err == nil {
			s.period, err = ParsePeriod(parts[2])
		}
	default:
		err = timeError("周期 "+quoted(text)+" 应写成 R3/PT1H", "the cycle "+quoted(text)+" is not written like R3/PT1H")
	}
	if err == nil && s.period.shortest() < time.Second {
		err = timeError(fmt.Sprintf("周期 %s 的间隔不足 1 秒", quoted(text)), fmt.Sprintf("the interval of %s is below one second", quoted(text)))
	}
	return s, err
}

// Until ends a cycle: it does not fall due after end.
func (s Schedule) Until(end time.Time) Schedule {
	s.end = moment{at: end, zoned: true, set: true}
	return s
}

// First gives the due time of a timer that starts to run now. A date is due even
// when it has passed; a cycle with a start in the past begins with its next time.
func (s Schedule) First(now time.Time, loc *time.Location) (time.Time, bool) {
	switch s.Kind {
	case TimerDate:
		return s.start.in(loc), s.start.set
	case TimerDuration:
		return s.period.After(now, loc), true
	}
	if s.start.set {
		if start := s.start.in(loc); !start.Before(now) {
			return s.within(start, loc)
		}
	}
	return s.Next(now, now, loc)
}

// Next gives the first due time of a cycle after the given time, on the grid that
// the cycle's own start or else the anchor begins; anchor is the time First was
// asked with. Times that passed meanwhile are left out, so that a timer missed
// during a downtime falls due once.
func (s Schedule) Next(anchor, after time.Time, loc *time.Location) (time.Time, bool) {
	if s.Kind != TimerCycle {
		return time.Time{}, false
	}
	if s.cron != "" {
		next, err := cron.Next(s.cron, after, loc)
		if err != nil {
			return time.Time{}, false
		}
		return s.within(next, loc)
	}
	first := 1
	if s.start.set {
		anchor, first = s.start.in(loc), 0
	}
	gone := after.Sub(anchor)
	if gone > 150*365*24*time.Hour {
		return time.Time{}, false
	}
	most := max(0, int(gone/s.period.shortest())) + 2
	n := first + sort.Search(most, func(i int) bool { return s.period.times(anchor, first+i, loc).After(after) })
	return s.within(s.period.times(anchor, n, loc), loc)
}

func (s Schedule) within(t time.Time, loc *time.Location) (time.Time, bool) {
	if s.end.set && t.After(s.end.in(loc)) {
		return time.Time{}, false
	}
	return t, true
}
