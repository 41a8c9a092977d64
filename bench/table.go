package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

type line struct{ db, what, floor, ours, cpu, p99, ratio, gate, verdict string }

// table collects the figures.
type table struct{ lines []line }

// ratio adds a comparison; ours must reach gate times the floor's rate.
func (t *table) ratio(db, what string, floor, ours result, gate float64) {
	r := ours.perSecond / floor.perSecond
	l := line{
		db: db, what: what, floor: fmt.Sprintf("%.0f/s", floor.perSecond), ours: fmt.Sprintf("%.0f/s", ours.perSecond),
		cpu: fmt.Sprintf("%s / %s", micros(floor.cpu), micros(ours.cpu)), p99: ours.p99.Round(100 * time.Microsecond).String(),
		ratio: fmt.Sprintf("%.2f", r), gate: fmt.Sprintf(">= %.2f", gate), verdict: verdict(r >= gate),
	}
	if floor.failures+ours.failures > 0 {
		l.verdict = fmt.Sprintf("FAILED requests: floor %d, ours %d: %s%s", floor.failures, ours.failures, floor.first, ours.first)
	}
	t.lines = append(t.lines, l)
}

// fact adds a single figure with its limit.
func (t *table) fact(db, what, value, limit string, ok bool) {
	t.lines = append(t.lines, line{db: db, what: what, ours: value, gate: limit, verdict: verdict(ok)})
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "MISSED"
}

func micros(d time.Duration) string { return fmt.Sprintf("%d µs", d.Microseconds()) }

func (t *table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "database\twhat\tfloor\tours\tCPU/op floor/ours\tp99\tratio\tgate\t")
	for _, l := range t.lines {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.db, l.what, l.floor, l.ours, l.cpu, l.p99, l.ratio, l.gate, l.verdict)
	}
	_ = w.Flush()
}
