package bpmn

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Period is an ISO 8601 duration. Years, months and days follow the calendar of
// the location (P1D is the same wall-clock time tomorrow, P1M the same day of
// the next month or its last day); the rest is exact time.
type Period struct {
	Years, Months, Days int
	Clock               time.Duration
}

// maxSpan keeps sums of periods inside what times can express.
const maxSpan = 100 // years

// ParsePeriod reads PnYnMnWnDTnHnMnS; only the seconds take a fraction.
func ParsePeriod(text string) (Period, error) {
	bad := func() (Period, error) {
		return Period{}, timeError("时长 "+quoted(text)+" 应写成 P1DT2H30M 这样的 ISO 8601 时长", "the duration "+quoted(text)+" is not ISO 8601, such as P1DT2H30M")
	}
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || len(text) > 64 {
		return bad()
	}
	var p Period
	date, clock, timed := strings.Cut(rest, "T")
	if date == "" && clock == "" || timed && clock == "" {
		return bad()
	}
	var weeks int
	if !units(&date, "YMWD", &p.Years, &p.Months, &weeks, &p.Days) || date != "" {
		return bad()
	}
	var hours, minutes int
	if !units(&clock, "HM", &hours, &minutes) {
		return bad()
	}
	p.Days += 7 * weeks
	seconds, ok := seconds(clock)
	if !ok {
		return bad()
	}
	total := float64(hours)*3600 + float64(minutes)*60 + seconds.Seconds()
	years := float64(p.Years) + float64(p.Months)/12 + float64(p.Days)/365 + total/(365*86400)
	if years > maxSpan {
		return Period{}, timeError(fmt.Sprintf("时长 %s 超过 %d 年", quoted(text), maxSpan), fmt.Sprintf("the duration %s is longer than %d years", quoted(text), maxSpan))
	}
	p.Clock = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + seconds
	return p, nil
}

// units reads whole numbers each followed by its letter, in the order of the
// letters, and leaves the rest in text.
func units(text *string, letters string, into ...*int) bool {
	for i := 0; i < len(letters); i++ {
		end := strings.IndexFunc(*text, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 || (*text)[end] != letters[i] {
			continue
		}
		n, err := strconv.Atoi((*text)[:end])
		if err != nil || end > 9 {
			return false
		}
		*into[i] = n
		*text = (*text)[end+1:]
	}
	return true
}

// seconds reads "", "5S" or "1.5S".
func seconds(text string) (time.Duration, bool) {
	if text == "" {
		return 0, true
	}
	number, ok := strings.CutSuffix(strings.Replace(text, ",", ".", 1), "S")
	if !ok || number == "" || strings.Trim(number, "0123456789.") != "" || len(number) > 18 {
		return 0, false
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || value > maxSpan*366*86400 {
		return 0, false
	}
	return time.Duration(math.Round(value * float64(time.Second))), true
}

// Zero reports whether the period has no length.
func (p Period) Zero() bool { return p == Period{} }

// After gives t plus the period, in the calendar of the location.
func (p Period) After(t time.Time, loc *time.Location) time.Time { return p.times(t, 1, loc) }

// Before gives the time that lies the period before t.
func (p Period) Before(t time.Time, loc *time.Location) time.Time { return p.times(t, -1, loc) }

// times gives anchor plus n periods, counted from the anchor so that the end of
// a month does not drift.
func (p Period) times(anchor time.Time, n int, loc *time.Location) time.Time {
	t := anchor.In(loc)
	if months := n * (12*p.Years + p.Months); months != 0 {
		first := time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		t = onWall(first.Year(), first.Month(), min(t.Day(), last), t, loc)
	}
	if days := n * p.Days; days != 0 {
		t = onWall(t.Year(), t.Month(), t.Day()+days, t, loc)
	}
	return t.Add(time.Duration(n) * p.Clock)
}

// onWall gives the day with the wall-clock time of t. A time that a
// daylight-saving change skips is moved behind the gap.
func onWall(year int, month time.Month, day int, t time.Time, loc *time.Location) time.Time {
	hour, minute, second := t.Clock()
	at := time.Date(year, month, day, hour, minute, second, t.Nanosecond(), loc)
	if want := hour*60 + minute; at.Hour()*60+at.Minute() < want && at.Day() == time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day() {
		_, before := at.Zone()
		_, after := at.Add(3 * time.Hour).Zone()
		at = at.Add(time.Duration(after-before) * time.Second)
	}
	return at
}

// shortest is a lower bound of the length of one period.
func (p Period) shortest() time.Duration {
	months := time.Duration(12*p.Years + p.Months)
	return months*28*24*time.Hour + time.Duration(p.Days)*23*time.Hour + p.Clock
}

func timeError(zh, en string) error {
	return &Problem{Severity: Error, Code: "timer", Zh: zh, En: en}
}

// textOf gives the message of an error of this package in the language.
func textOf(err error, lang string) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Text(lang)
	}
	return err.Error()
}

// Retry says how often failed work is tried, and how long to wait in between.
type Retry struct {
	Tries int
	Waits []Period // the last one repeats; none: the default waits
}

// maxTries bounds a retry cycle.
const maxTries = 100

// ParseRetry reads R5/PT10M (five tries, ten minutes apart), R3 alone, or a list
// of waits such as PT10M,PT1H, which makes one more try than waits.
func ParseRetry(text string) (Retry, error) {
	head, tail, cut := strings.Cut(text, "/")
	if count, ok := strings.CutPrefix(strings.TrimSpace(head), "R"); ok {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > maxTries {
			return Retry{}, timeError(fmt.Sprintf("次数须在 1 到 %d 之间", maxTries), fmt.Sprintf("the count must be between 1 and %d", maxTries))
		}
		r := Retry{Tries: n}
		if cut {
			p, err := ParsePeriod(strings.TrimSpace(tail))
			if err != nil {
				return Retry{}, err
			}
			r.Waits = []Period{p}
		}
		return r, nil
	}
	var r Retry
	for part := range strings.SplitSeq(text, ",") {
		p, err := ParsePeriod(strings.TrimSpace(part))
		if err != nil {
			return Retry{}, err
		}
		r.Waits = append(r.Waits, p)
	}
	if r.Tries = len(r.Waits) + 1; r.Tries > maxTries {
		return Retry{}, timeError(fmt.Sprintf("次数超过 %d", maxTries), fmt.Sprintf("more than %d tries", maxTries))
	}
	return r, nil
}
