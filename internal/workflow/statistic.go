package workflow

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"viva/internal/identity"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/runtime"
)

const (
	// maxDays bounds the period of one answer, usualDays is the one without a choice.
	maxDays, usualDays = 366, 30
	// maxPeople bounds the list of those who have most to do.
	maxPeople = 50
)

// PeriodStatistics tell what happened in a period; durations are in milliseconds. Median
// and p90 are at most 2.5 % off, the counts are exact.
type PeriodStatistics struct {
	From  string           `json:"from"`
	To    string           `json:"to"`
	Steps []StepStatistics `json:"steps"`
	Days  []DayStatistics  `json:"days"`
	// People are those who decided most, most first.
	People []PersonStatistics `json:"people"`
}

// StepStatistics tell how long the decisions at one step took.
type StepStatistics struct {
	ProcessDefinitionKey string `json:"processDefinitionKey"`
	ProcessName          string `json:"processName"`
	ElementID            string `json:"elementId"`
	Name                 string `json:"name"`
	Tasks                int64  `json:"tasks"`
	Late                 int64  `json:"late"`
	Median               int64  `json:"median"`
	P90                  int64  `json:"p90"`
	Mean                 int64  `json:"mean"`
}

// DayStatistics count the instances that began and ended on a day.
type DayStatistics struct {
	Day       string `json:"day"`
	Started   int64  `json:"started"`
	Approved  int64  `json:"approved"`
	Rejected  int64  `json:"rejected"`
	Cancelled int64  `json:"cancelled"`
}

// PersonStatistics tell what somebody decided.
type PersonStatistics struct {
	User  *identity.UserBrief `json:"user"`
	Tasks int64               `json:"tasks"`
	Late  int64               `json:"late"`
	Mean  int64               `json:"mean"`
}

func (s *Service) mountStatistics(m *web.Module) {
	web.Get(m, "/statistics/period", web.Perm(permInstances), s.periodStatistics, web.Title("流程统计：一段时间"))
	web.Get(m, "/statistics/present", web.Perm(permInstances), s.presentStatistics, web.Title("流程统计：当前待办"))
}

type periodIn struct {
	ProcessDefinitionKey string `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
	From                 string `query:"from" maxLength:"10" doc:"从哪天|From"`
	To                   string `query:"to" maxLength:"10" doc:"到哪天|To"`
}

// span reads the days of the period; without them it is the last thirty up to today.
func (in periodIn) span() (first, last day, err error) {
	last = dayOf(clock.Millis())
	first = last - usualDays + 1
	for name, at := range map[string]*day{"from": &first, "to": &last} {
		text := map[string]string{"from": in.From, "to": in.To}[name]
		if text == "" {
			continue
		}
		t, err := time.ParseInLocation(time.DateOnly, text, clock.Shanghai)
		if err != nil {
			return 0, 0, errs.Field(name, "日期格式不正确，例如 2026-11-21", "not a date such as 2026-11-21")
		}
		*at = dayOf(t.UnixMilli())
	}
	if in.From == "" {
		first = min(first, last)
	}
	if last < first || last-first >= maxDays {
		return 0, 0, errs.Field("to", "请选择不超过一年的时间段，结束不早于开始", "choose a period of at most a year that does not end before it begins")
	}
	return first, last, nil
}

const (
	sqlStepDays = `SELECT t.process_key, t.element, t.name, t.tasks, t.late, t.total_ms, t.buckets FROM bpm_statistic_step t
 WHERE t.tenant_id = :tenant AND t.day >= :first AND t.day <= :last`
	sqlPersonDays   = `SELECT t.process_key, t.user_id, t.tasks, t.late, t.total_ms FROM bpm_statistic_person t WHERE t.tenant_id = :tenant AND t.day >= :first AND t.day <= :last`
	sqlInstanceDays = `SELECT t.day, t.started, t.approved, t.rejected, t.cancelled FROM bpm_statistic_instance t
 WHERE t.tenant_id = :tenant AND t.day >= :first AND t.day <= :last`
	clauseOfKey = ` AND t.process_key = :key`
	byDay       = ` ORDER BY t.day`
)

// periodStatistics adds up the closed days of the period and reads the days since then,
// usually today alone, from the tasks and instances by the time they ended.
func (s *Service) periodStatistics(ctx context.Context, in periodIn) (PeriodStatistics, error) {
	first, last, err := in.span()
	if err != nil {
		return PeriodStatistics{}, err
	}
	folded, known, err := foldedDay(ctx)
	if err != nil {
		return PeriodStatistics{}, err
	}
	live := first
	sum, days := newFigures(), map[day]*instanceFigures{}
	if known && folded >= first {
		live = min(folded, last) + 1
		if err := (closedDays{first, live - 1, in.ProcessDefinitionKey}).read(ctx, sum, days); err != nil {
			return PeriodStatistics{}, err
		}
	}
	if live <= last {
		since, err := happened(ctx, live, last, in.ProcessDefinitionKey)
		if err != nil {
			return PeriodStatistics{}, err
		}
		sum.add(since, days)
	}
	return s.told(ctx, sum, days, first, last)
}

// closedDays are the closed days of a period, of one process unless key is empty.
type closedDays struct {
	first, last day
	key         string
}

// read adds closed days to the figures.
func (c closedDays) read(ctx context.Context, sum *figures, days map[day]*instanceFigures) error {
	build := func(q *store.Query) *store.Query {
		return q.If(c.key != "", clauseOfKey, "key", c.key).Add(byDay)
	}
	args := func() store.Args { return store.Args{"first": int64(c.first), "last": int64(c.last)} }

	type stepRow struct {
		ProcessKey, Element, Name string
		Tasks, Late, TotalMs      int64
		Buckets                   store.JSON[lengths]
	}
	q := build(store.Build(sqlStepDays, args()))
	if err := store.Each(ctx, q.SQL(), q.Args(), func(r stepRow) error {
		sum.step(stepKey{r.ProcessKey, r.Element}, stepFigures{Name: r.Name, Tasks: r.Tasks, Late: r.Late, TotalMs: r.TotalMs, Lengths: r.Buckets.V})
		return nil
	}); err != nil {
		return err
	}
	type personRow struct {
		ProcessKey                   string
		UserID, Tasks, Late, TotalMs int64
	}
	q = build(store.Build(sqlPersonDays, args()))
	if err := store.Each(ctx, q.SQL(), q.Args(), func(r personRow) error {
		sum.person(personKey{r.ProcessKey, r.UserID}, personFigures{r.Tasks, r.Late, r.TotalMs})
		return nil
	}); err != nil {
		return err
	}
	type instanceRow struct {
		Day, Started, Approved, Rejected, Cancelled int64
	}
	q = build(store.Build(sqlInstanceDays, args()))
	return store.Each(ctx, q.SQL(), q.Args(), func(r instanceRow) error {
		of(days, day(r.Day)).add(instanceFigures{r.Started, r.Approved, r.Rejected, r.Cancelled})
		return nil
	})
}

// add takes the figures of single days into the sum.
func (f *figures) add(byDay map[day]*figures, days map[day]*instanceFigures) {
	for d, more := range byDay {
		for key, s := range more.steps {
			f.step(key, *s)
		}
		for key, p := range more.people {
			f.person(key, *p)
		}
		for _, i := range more.instances {
			of(days, d).add(*i)
		}
	}
}

// told puts figures into words and order: the slowest steps first, the busiest people
// first, every day of the period.
func (s *Service) told(ctx context.Context, sum *figures, days map[day]*instanceFigures, first, last day) (PeriodStatistics, error) {
	out := PeriodStatistics{From: first.String(), To: last.String(), Steps: []StepStatistics{}, Days: []DayStatistics{}, People: []PersonStatistics{}}
	for key, f := range sum.steps {
		process, name, err := s.stepNames(ctx, key, f.Name)
		if err != nil {
			return out, err
		}
		out.Steps = append(out.Steps, StepStatistics{ProcessDefinitionKey: key.process, ProcessName: process, ElementID: key.element, Name: name, Tasks: f.Tasks, Late: f.Late,
			Median: f.Lengths.quantile(0.5), P90: f.Lengths.quantile(0.9), Mean: f.TotalMs / f.Tasks})
	}
	slices.SortFunc(out.Steps, func(a, b StepStatistics) int {
		return cmp.Or(cmp.Compare(b.Median, a.Median), cmp.Compare(b.Tasks, a.Tasks), cmp.Compare(a.ProcessDefinitionKey, b.ProcessDefinitionKey), cmp.Compare(a.ElementID, b.ElementID))
	})
	for d := first; d <= last; d++ {
		i := of(days, d)
		out.Days = append(out.Days, DayStatistics{Day: d.String(), Started: i.Started, Approved: i.Approved, Rejected: i.Rejected, Cancelled: i.Cancelled})
	}
	var err error
	out.People, err = busiest(ctx, sum)
	return out, err
}

// busiest lists who decided most, over all processes of the figures.
func busiest(ctx context.Context, sum *figures) ([]PersonStatistics, error) {
	whole := map[int64]*personFigures{}
	for key, p := range sum.people {
		w := of(whole, key.user)
		w.Tasks, w.Late, w.TotalMs = w.Tasks+p.Tasks, w.Late+p.Late, w.TotalMs+p.TotalMs
	}
	ids := slices.SortedFunc(maps.Keys(whole), func(a, b int64) int {
		return cmp.Or(cmp.Compare(whole[b].Tasks, whole[a].Tasks), cmp.Compare(a, b))
	})
	ids = ids[:min(len(ids), maxPeople)]
	known, err := usersOf(ctx, ids)
	out := []PersonStatistics{}
	for _, id := range ids {
		w := whole[id]
		out = append(out, PersonStatistics{User: known.of(id), Tasks: w.Tasks, Late: w.Late, Mean: w.TotalMs / w.Tasks})
	}
	return out, err
}

// stepNames are the names of a process and a step today; one that the newest version has
// no more keeps the name it had.
func (s *Service) stepNames(ctx context.Context, key stepKey, known string) (process, name string, err error) {
	d, err := s.engine.Latest(ctx, key.process)
	if errs.Is(err, runtime.ErrNoDefinition) {
		return key.process, known, nil
	}
	if err != nil {
		return "", "", err
	}
	p, err := s.engine.Process(ctx, d.ID)
	if err != nil {
		return "", "", err
	}
	if n := nodeOf(p, key.element); n != nil && n.Name != "" {
		known = n.Name
	}
	return d.Name, known, nil
}
