package workflow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func (w *desk) period(query string) PeriodStatistics {
	w.t.Helper()
	return into[PeriodStatistics](w.office, w.call("admin", "GET", "/statistics/period"+query, nil, 0))
}

func (w *desk) present(query string) PresentStatistics {
	w.t.Helper()
	return into[PresentStatistics](w.office, w.call("admin", "GET", "/statistics/present"+query, nil, 0))
}

// week fills three days with instances of two processes; the clock stands at the end of
// the third, 4 March 2026.
func (w *desk) week() (pass func(time.Duration)) {
	pass = w.travel() // 2 March, nine o'clock
	w.publish("p", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}")))
	w.publish("q", line(w.task("a", StrategyUser, "{cid}")))
	slow, quick, refused := w.start("p", nil), w.start("p", nil), w.start("q", nil)
	pass(time.Hour)
	w.approve("ann", quick, "a") // one hour
	pass(time.Hour)
	w.approve("bob", quick, "b") // one hour; ended on the first day
	pass(24 * time.Hour)
	w.approve("ann", slow, "a") // 26 hours
	w.act("cid", "reject", w.taskOf(refused, "a", "cid"), body{"reason": "x"}, 0)
	cancelled := w.start("q", nil)
	pass(14 * time.Hour) // one o'clock on 4 March
	w.call("starter", "DELETE", "/process-instance/cancel", body{"id": cancelled, "reason": "x"}, 0)
	w.start("p", nil)
	return pass
}

// TestStatistics: the figures are right, are the same whether they are read from the rows
// or from the closed days, and belong to one tenant.
func TestStatistics(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.week()
		for _, table := range []string{"fold", "step", "person", "instance"} { // what the schedule closed meanwhile
			w.raw("DELETE FROM bpm_statistic_%s", table)
		}
		live := w.period("?from=2026-03-01&to=2026-03-04")
		if len(live.Days) != 4 || live.Days[1] != (DayStatistics{Day: "2026-03-02", Started: 3, Approved: 1}) || live.Days[2] != (DayStatistics{Day: "2026-03-03", Started: 1, Rejected: 1}) ||
			live.Days[3] != (DayStatistics{Day: "2026-03-04", Started: 1, Cancelled: 1}) {
			t.Errorf("%+v", live.Days)
		}
		hour := int64(time.Hour / time.Millisecond)
		if len(live.Steps) != 3 {
			t.Fatalf("%+v", live.Steps)
		}
		var a StepStatistics
		for _, s := range live.Steps {
			if s.ProcessDefinitionKey == "p" && s.ElementID == "a" {
				a = s
			}
		}
		if a.Tasks != 2 || a.Name != "任务 a" || a.ProcessName != "流程 p" || !near(a.Median, hour) || !near(a.P90, 26*hour) || a.Mean != 27*hour/2 {
			t.Errorf("%+v", a)
		}
		if len(live.People) != 3 || live.People[0].User.Nickname != "ANN" || live.People[0].Tasks != 2 {
			t.Errorf("%+v", live.People)
		}
		if only := w.period("?from=2026-03-02&to=2026-03-02&processDefinitionKey=p"); len(only.Steps) != 2 || only.Days[0].Started != 2 || len(only.People) != 2 {
			t.Errorf("%+v", only)
		}
		fold := func() {
			t.Helper()
			if err := w.s.foldAll(store.Use(context.Background(), w.db), &job.Run{}); err != nil {
				t.Fatal(err)
			}
		}
		fold()
		fold() // a second run finds nothing left
		if days, _, _ := foldedDay(kerneltest.AsSystem(w.db, 1)); days.String() != "2026-03-03" {
			t.Errorf("closed up to %s", days)
		}
		if n := w.count("SELECT COUNT(*) FROM bpm_statistic_step"); n != 4 {
			t.Errorf("%d rows of closed days", n)
		}
		for _, query := range []string{"?from=2026-03-01&to=2026-03-04", "?from=2026-03-03&to=2026-03-03", "?from=2026-03-02&to=2026-03-04&processDefinitionKey=q"} {
			kept := w.period(query)
			w.raw("UPDATE bpm_statistic_fold SET day = 0") // as if nothing were closed
			if rows := w.period(query); text(kept) != text(rows) {
				t.Errorf("%s: kept %s\nread %s", query, text(kept), text(rows))
			}
			w.raw("UPDATE bpm_statistic_fold SET day = %d", int64(dayOf(clock.Millis())-1))
		}
		if text(w.period("?from=2026-03-01&to=2026-03-04")) != text(live) {
			t.Error("closing the days changed the figures")
		}
		if other := into[PeriodStatistics](w.office, w.call("admin2", "GET", "/statistics/period?from=2026-03-01&to=2026-03-04", nil, 0)); len(other.Steps)+len(other.People) != 0 || other.Days[1].Started != 0 {
			t.Errorf("another tenant reads %+v", other)
		}
		pass(time.Minute)
		if n := len(w.period("").Days); n != usualDays {
			t.Errorf("%d days", n)
		}
		for _, bad := range []string{"?from=2026-3-1", "?from=2026-03-02&to=2026-03-01", "?from=2024-03-02&to=2026-03-01"} {
			w.call("admin", "GET", "/statistics/period"+bad, nil, errs.CodeInvalid)
		}
		for _, call := range []string{"/statistics/period", "/statistics/present"} {
			w.call("bob", "GET", call, nil, errs.CodeForbidden)
		}
	})
}

// count runs a raw count in tenant 1.
func (w *desk) count(query string) (n int64) {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if err := raw.QueryRow(query).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func near(have, want int64) bool {
	return math.Abs(float64(have-want)) <= 0.0251*float64(want)
}

// TestStatistics_present: what is open, by person; overdue and waiting long.
func TestStatistics_present(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.travel()
		due := strings.Replace(w.task("a", StrategyUser, "{ann}"), "<userTask ", `<userTask flowable:dueDate="PT1H" `, 1)
		w.publish("p", line(due, w.task("b", StrategyUser, "{bob}")))
		w.publish("q", line(divide("calc", ""), w.task("a", StrategyUser, "{ann}")))
		w.start("p", nil)
		second := w.start("p", nil)
		w.start("q", map[string]any{"by": 0})
		w.start("q", map[string]any{"by": 1})
		w.approve("ann", second, "a")
		pass(73 * time.Hour)
		w.start("q", map[string]any{"by": 1})
		all := w.present("")
		if all.Tasks != 4 || all.LongWait != 3 || all.Overdue != 1 || all.Incidents != 1 || len(all.People) != 2 {
			t.Fatalf("%+v", all)
		}
		if ann := all.People[0]; ann.User.Nickname != "ANN" || ann.Tasks != 3 || ann.LongWait != 2 || ann.Overdue != 1 || ann.Oldest != clock.Millis()-int64(73*time.Hour/time.Millisecond) {
			t.Errorf("%+v", ann)
		}
		if p := w.present("?processDefinitionKey=p"); p.Tasks != 2 || p.Overdue != 1 || p.Incidents != 0 {
			t.Errorf("%+v", p)
		}
		if q := w.present("?processDefinitionKey=q"); q.Tasks != 2 || q.LongWait != 1 || q.Overdue != 0 || q.Incidents != 1 {
			t.Errorf("%+v", q)
		}
		if other := into[PresentStatistics](w.office, w.call("admin2", "GET", "/statistics/present", nil, 0)); other.Tasks+other.Incidents+int64(len(other.People)) != 0 {
			t.Errorf("another tenant reads %+v", other)
		}
	})
}

// TestLengths: added up in any parts, a quantile is within 2.5 % of the exact one.
func TestLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var exact []int64
		parts := [3]lengths{{}, {}, {}}
		for range 1 + random.IntN(300) {
			ms := int64(math.Exp(random.Float64()*24)) + 1000
			exact = append(exact, ms)
			parts[random.IntN(3)].add(ms)
		}
		slices.Sort(exact)
		f := newFigures()
		for _, p := range parts {
			f.step(stepKey{}, stepFigures{Lengths: p})
		}
		for _, q := range []float64{0.5, 0.9, 1} {
			want := exact[max(int(math.Ceil(q*float64(len(exact)))), 1)-1]
			if have := f.steps[stepKey{}].Lengths.quantile(q); !near(have, want) {
				t.Fatalf("quantile %v of %d: %d, exact %d", q, len(exact), have, want)
			}
		}
	}
	if (lengths{}).quantile(0.5) != 0 {
		t.Error("no tasks, no median")
	}
}

// TestDay: a day begins at midnight of the program's zone.
func TestDay(t *testing.T) {
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, clock.Shanghai).UnixMilli()
	if d := dayOf(midnight); d.start() != midnight || d.String() != "2026-03-02" || dayOf(midnight-1) != d-1 || dayOf(-1).String() != "1970-01-01" {
		t.Error(d, d.start(), midnight)
	}
}

// TestStatisticPlans: no answer reads tasks, instances or closed days from end to end, on
// neither database.
func TestStatisticPlans(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		w.week()
		if err := w.s.foldAll(store.Use(context.Background(), w.db), &job.Run{}); err != nil {
			t.Fatal(err)
		}
		before := w.db.Texts()
		for _, query := range []string{"", "?processDefinitionKey=p"} {
			w.call("admin", "GET", "/statistics/present"+query, nil, 0)
			w.call("admin", "GET", "/statistics/period"+query, nil, 0)
		}
		explained := 0
		for _, text := range w.db.Texts() {
			if slices.Contains(before, text) || !strings.Contains(text, "wf_") && !strings.Contains(text, "bpm_statistic") {
				continue
			}
			explained++
			steps := w.plan
			if w.db.Dialect() == store.Postgres {
				steps = w.planPostgres
			}
			for _, step := range steps(text) {
				if strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "USING") || strings.Contains(step, "Seq Scan on") && !strings.Contains(step, "wf_definition") {
					t.Errorf("%s\n%s", step, text)
				}
			}
		}
		if explained < 10 {
			t.Errorf("%d statements explained", explained)
		}
	})
}

// planPostgres asks for the plan that does not look at the values. The tables of a test
// are small, so that reading them whole is forbidden: it is then done only where no index
// helps.
func (w *desk) planPostgres(text string) (steps []string) {
	w.t.Helper()
	raw, err := w.db.OpenWhole()
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	conn, err := raw.Conn(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	values := ""
	for n := 1; strings.Contains(text, fmt.Sprint("$", n)); n++ {
		values += ", NULL"
	}
	for _, do := range []string{"SET enable_seqscan = off", "SET plan_cache_mode = force_generic_plan", "PREPARE asked AS " + text} {
		if _, err := conn.ExecContext(context.Background(), do); err != nil {
			w.t.Fatalf("%v: %s", err, do)
		}
	}
	rows, err := conn.QueryContext(context.Background(), "EXPLAIN EXECUTE asked("+strings.TrimPrefix(values, ", ")+")")
	if err != nil {
		w.t.Fatalf("%v: %s", err, text)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			w.t.Fatal(err)
		}
		steps = append(steps, line)
	}
	return steps
}
