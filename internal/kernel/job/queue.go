package job

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"viva/internal/kernel/cron"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
)

// Options of a Queue; zero values take the defaults.
type Options struct {
	// Workers bounds the runs at the same time of handlers without a lane of their own; 8.
	Workers int
	// Poll is how often the tables are looked at without a signal; 1 s.
	Poll time.Duration
	// Lease is the silence after which a run is taken from its process; 30 s.
	Lease time.Duration
	// KeepDone and KeepLogs are how long ended runs and logs stay; 7 and 90 days. Dead
	// runs stay as long as logs.
	KeepDone, KeepLogs time.Duration
}

// Queue is one node's worker. Declare all handlers, then Start.
type Queue struct {
	options  Options
	handlers map[string]*handler
	lanes    map[string]*lane
	defaults []Schedule
	worker   string

	db      *store.DB
	base    context.Context
	wake    chan struct{}
	quit    chan struct{}
	loops   sync.WaitGroup
	lock    sync.Mutex
	running map[int64]*Run
	runs    sync.WaitGroup
	seen    map[int64]sighting
	started atomic.Bool
	ended   atomic.Bool
}

type handler struct {
	name    string
	title   string
	fn      Func
	timeout time.Duration
	lane    string
	workers int
}

// lane is a set of handlers with a common bound of concurrency.
type lane struct {
	names []string
	size  int
	busy  int
}

// process tells this process's workers from those of one that ended.
var process = id.Token(6)

var workers atomic.Int64

// New makes a queue.
func New(o Options) *Queue {
	if o.Workers <= 0 {
		o.Workers = 8
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Lease <= 0 {
		o.Lease = 30 * time.Second
	}
	if o.KeepDone <= 0 {
		o.KeepDone = 7 * 24 * time.Hour
	}
	if o.KeepLogs <= 0 {
		o.KeepLogs = 90 * 24 * time.Hour
	}
	q := &Queue{
		options: o, handlers: map[string]*handler{}, lanes: map[string]*lane{"": {size: o.Workers}},
		worker: fmt.Sprintf("%s.%d", process, workers.Add(1)), wake: make(chan struct{}, 1), quit: make(chan struct{}),
		running: map[int64]*Run{}, seen: map[int64]sighting{},
	}
	q.Every("job.purge", "0 20 3 * * ?", q.purge, Titled("清理任务记录"))
	return q
}

// HandleOption adjusts a handler.
type HandleOption func(*handler)

// Lane gives a handler, together with the others of that lane, a bound of its own on
// runs at the same time on this node: job.Lane("heavy", 2).
func Lane(name string, workers int) HandleOption {
	return func(h *handler) { h.lane, h.workers = name, workers }
}

// Timeout bounds one run; the default is 30 minutes.
func Timeout(d time.Duration) HandleOption { return func(h *handler) { h.timeout = d } }

// Titled names the handler for administrators.
func Titled(text string) HandleOption { return func(h *handler) { h.title = text } }

// Handle declares who does the jobs of that name. It panics when the name is taken or
// the queue runs already.
func (q *Queue) Handle(name string, fn Func, options ...HandleOption) {
	if q.handlers[name] != nil || q.started.Load() {
		panic("job: " + name + " is declared twice, or after Start")
	}
	h := &handler{name: name, title: name, fn: fn, timeout: 30 * time.Minute}
	for _, o := range options {
		o(h)
	}
	q.handlers[name] = h
	l := q.lanes[h.lane]
	if l == nil {
		l = &lane{}
		q.lanes[h.lane] = l
	}
	l.names = append(l.names, name)
	l.size = max(l.size, h.workers)
}

// Every declares a handler together with its schedule. The cron text counts for the
// first start; afterwards the row in the database does, which administrators edit.
func (q *Queue) Every(name, cronExpr string, fn Func, options ...HandleOption) {
	if err := cron.Validate(cronExpr); err != nil {
		panic(fmt.Sprintf("job: schedule of %s: %v", name, err))
	}
	q.Handle(name, fn, options...)
	q.defaults = append(q.defaults, Schedule{Name: q.handlers[name].title, Handler: name, Cron: cronExpr, Enabled: true})
}

// Handlers lists the declared names: what the page of schedules offers.
func (q *Queue) Handlers() []string { return slices.Sorted(maps.Keys(q.handlers)) }

// Start writes missing schedules and begins to work until Stop. ctx carries the
// database; its end does not stop the queue.
func (q *Queue) Start(ctx context.Context) error {
	if q.started.Swap(true) {
		return fmt.Errorf("job: started twice")
	}
	q.db = store.From(ctx)
	q.base = store.Use(context.WithoutCancel(ctx), q.db)
	if err := q.declareSchedules(q.base); err != nil {
		return err
	}
	signals, unwatch := q.db.Watch(topic)
	q.loops.Go(func() {
		defer unwatch()
		q.loop(q.options.Poll, func() { q.claim() }, signals)
	})
	q.loops.Go(func() { q.loop(min(q.options.Poll, time.Second), q.tick, nil) })
	q.loops.Go(func() { q.loop(q.options.Lease/3, q.beat, nil) })
	return nil
}

// loop does work at once, every so often, and when told.
func (q *Queue) loop(every time.Duration, work func(), signals <-chan string) {
	timer := time.NewTicker(every)
	defer timer.Stop()
	var freed <-chan struct{}
	if signals != nil {
		freed = q.wake
	}
	for {
		work()
		select {
		case <-timer.C:
		case <-signals:
		case <-freed:
		case <-q.quit:
			return
		}
	}
}

// Stop takes no more work and waits for the runs until ctx ends; then their contexts
// end, and what has not finished goes back to the queue.
func (q *Queue) Stop(ctx context.Context) error {
	if !q.started.Load() || q.ended.Swap(true) {
		return nil
	}
	close(q.quit)
	q.loops.Wait()
	idle := make(chan struct{})
	go func() { q.runs.Wait(); close(idle) }()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	q.lock.Lock()
	for _, r := range q.running {
		r.cancel()
	}
	q.lock.Unlock()
	select {
	case <-idle:
		return nil
	case <-time.After(5 * time.Second):
		slog.Warn("job: runs do not end; another process will take them over", "runs", len(q.running))
		return ctx.Err()
	}
}
