package workflow

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// growth is how much longer the tasks of a bucket may be than those of the one before it:
// a duration read back from its bucket is at most half of that off.
const growth = 1.05

// lengths counts durations by bucket, so that days can be added up and still give a median.
type lengths map[int]int64

func (l lengths) add(ms int64) { l[bucketOf(ms)]++ }

func bucketOf(ms int64) int {
	return int(math.Floor(math.Log(float64(max(ms, 1))) / math.Log(growth)))
}

// quantile is the duration that the share q of all does not exceed, 0 when there are none.
func (l lengths) quantile(q float64) int64 {
	var all, seen int64
	for _, n := range l {
		all += n
	}
	rank := int64(math.Ceil(q * float64(all)))
	for _, bucket := range slices.Sorted(maps.Keys(l)) {
		if seen += l[bucket]; seen >= max(rank, 1) {
			return int64(math.Round(math.Pow(growth, float64(bucket)+0.5)))
		}
	}
	return 0
}

// day is a day of the program's zone, counted from 1970-01-01.
type day int64

const dayMillis = 24 * 60 * 60 * 1000

func dayOf(ms int64) day {
	_, offset := time.UnixMilli(ms).In(clock.Shanghai).Zone()
	return day(math.Floor(float64(ms+int64(offset)*1000) / dayMillis))
}

// start is the first millisecond of the day.
func (d day) start() int64 {
	_, offset := time.UnixMilli(int64(d) * dayMillis).In(clock.Shanghai).Zone()
	return int64(d)*dayMillis - int64(offset)*1000
}

func (d day) String() string {
	return time.UnixMilli(d.start()).In(clock.Shanghai).Format(time.DateOnly)
}

type stepKey struct{ process, element string }

type personKey struct {
	process string
	user    int64
}

// stepFigures tell of the decided tasks of one element.
type stepFigures struct {
	Name    string
	Tasks   int64
	Late    int64
	TotalMs int64
	Lengths lengths
}

// personFigures tell of what one person decided.
type personFigures struct{ Tasks, Late, TotalMs int64 }

// instanceFigures tell of the instances of one process.
type instanceFigures struct{ Started, Approved, Rejected, Cancelled int64 }

// figures are those of one day, or of several added up.
type figures struct {
	steps     map[stepKey]*stepFigures
	people    map[personKey]*personFigures
	instances map[string]*instanceFigures
}

func newFigures() *figures {
	return &figures{steps: map[stepKey]*stepFigures{}, people: map[personKey]*personFigures{}, instances: map[string]*instanceFigures{}}
}

// of gives the entry of a key, made when it is missing.
func of[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

func (f *figures) step(key stepKey, more stepFigures) {
	s := of(f.steps, key)
	if s.Lengths == nil {
		s.Lengths = lengths{}
	}
	s.Name, s.Tasks, s.Late, s.TotalMs = more.Name, s.Tasks+more.Tasks, s.Late+more.Late, s.TotalMs+more.TotalMs
	for bucket, n := range more.Lengths {
		s.Lengths[bucket] += n
	}
}

func (f *figures) person(key personKey, more personFigures) {
	p := of(f.people, key)
	p.Tasks, p.Late, p.TotalMs = p.Tasks+more.Tasks, p.Late+more.Late, p.TotalMs+more.TotalMs
}

func (f *figures) instance(process string, more instanceFigures) {
	of(f.instances, process).add(more)
}

func (i *instanceFigures) add(more instanceFigures) {
	i.Started, i.Approved, i.Rejected, i.Cancelled = i.Started+more.Started, i.Approved+more.Approved, i.Rejected+more.Rejected, i.Cancelled+more.Cancelled
}

// decided is a task that somebody decided.
type decided struct {
	ProcessKey string
	Element    string
	Name       string
	AssigneeID int64
	CreatedAt  int64
	EndedAt    int64
	DueAt      int64
}

func (f *figures) task(t decided) {
	took, late := max(0, t.EndedAt-t.CreatedAt), int64(0)
	if t.DueAt > 0 && t.EndedAt > t.DueAt {
		late = 1
	}
	one := lengths{}
	one.add(took)
	f.step(stepKey{t.ProcessKey, t.Element}, stepFigures{Name: t.Name, Tasks: 1, Late: late, TotalMs: took, Lengths: one})
	if t.AssigneeID > 0 {
		f.person(personKey{t.ProcessKey, t.AssigneeID}, personFigures{Tasks: 1, Late: late, TotalMs: took})
	}
}

const (
	// Approved, rejected or returned: a decision. Cancelled and skipped tasks are none.
	sqlDecided = `SELECT i.process_key, t.element, t.name, t.assignee_id, t.created_at, t.ended_at, t.due_at
 FROM wf_task t JOIN wf_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id
 WHERE t.tenant_id = :tenant AND t.ended_at > 0 AND t.ended_at >= :from AND t.ended_at < :to AND t.status IN (2, 3, 5)`
	// The id of an instance begins with the time it was made, within the slack of its start.
	sqlStartedBetween = `SELECT i.process_key, i.started_at AS at, i.result FROM wf_instance i
 WHERE i.tenant_id = :tenant AND i.parent_instance_id = '' AND i.id >= :first AND i.id < :last AND i.started_at >= :from AND i.started_at < :to`
	sqlEndedBetween = `SELECT i.process_key, i.ended_at AS at, i.result FROM wf_instance i
 WHERE i.tenant_id = :tenant AND i.parent_instance_id = '' AND i.ended_at > 0 AND i.ended_at >= :from AND i.ended_at < :to`
	clauseProcess = ` AND i.process_key = :key`
)

// idSlack is how much later than its start an instance may get its id.
const idSlack = 10 * 60 * 1000

// happened reads what happened in the days [first, last] from tasks and instances; of one
// process, unless key is empty.
func happened(ctx context.Context, first, last day, key string) (map[day]*figures, error) {
	byDay := map[day]*figures{}
	at := func(ms int64) *figures {
		d := dayOf(ms)
		if byDay[d] == nil {
			byDay[d] = newFigures()
		}
		return byDay[d]
	}
	from, to := first.start(), (last + 1).start()
	build := func(q *store.Query) *store.Query { return q.If(key != "", clauseProcess, "key", key) }

	q := build(store.Build(sqlDecided, store.Args{"from": from, "to": to}))
	if err := store.Each(ctx, q.SQL(), q.Args(), func(t decided) error { at(t.EndedAt).task(t); return nil }); err != nil {
		return nil, err
	}
	type instance struct {
		ProcessKey string
		At         int64
		Result     int
	}
	q = build(store.Build(sqlStartedBetween, store.Args{"from": from, "to": to, "first": runtime.FirstID(from), "last": runtime.FirstID(to + idSlack)}))
	if err := store.Each(ctx, q.SQL(), q.Args(), func(i instance) error {
		at(i.At).instance(i.ProcessKey, instanceFigures{Started: 1})
		return nil
	}); err != nil {
		return nil, err
	}
	q = build(store.Build(sqlEndedBetween, store.Args{"from": from, "to": to}))
	err := store.Each(ctx, q.SQL(), q.Args(), func(i instance) error {
		at(i.At).instance(i.ProcessKey, endedWith(engine.Result(i.Result)))
		return nil
	})
	return byDay, err
}

func endedWith(r engine.Result) instanceFigures {
	switch r {
	case engine.Approved:
		return instanceFigures{Approved: 1}
	case engine.Rejected:
		return instanceFigures{Rejected: 1}
	}
	return instanceFigures{Cancelled: 1}
}
