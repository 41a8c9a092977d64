// Package event tells other modules, after the commit, that something happened.
//
//	event.Publish(ctx, "thesis.proposal.approved", approved{ID: id})   // inside a Write
//	bus.Handle("thesis.proposal.approved", "notify", notifyStudent)    // start-up
//
// Publish writes an outbox row in the transaction of the change: both exist or neither.
// The bus turns each row into one job per consumer (package job), in one transaction.
// A consumer runs inside a Write as the system in the event's tenant, and its job is
// marked done in that same Write, so its changes to the database happen exactly once.
// It must not do network or file I/O; for that it enqueues a job. There is no order
// among events. A consumer that fails ten times is dead and visible among the runs of
// package job, where it can be started again.
package event

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
)

// Migrations creates the outbox.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Event is what a consumer gets. ID is the same at every delivery.
type Event struct {
	ID       int64           `json:"id"`
	TenantID int64           `json:"tenantId"`
	Name     string          `json:"name"`
	Payload  json.RawMessage `json:"payload"`
	UserID   int64           `json:"userId"` // who published, 0 for the system
	TraceID  string          `json:"traceId"`
	Time     time.Time       `json:"time"`
}

// Decode reads the payload into v.
func (e Event) Decode(v any) error {
	if err := json.Unmarshal(e.Payload, v); err != nil {
		return job.Permanent(fmt.Errorf("event %s: %w", e.Name, err))
	}
	return nil
}

const (
	topic      = "event"
	sqlPublish = `INSERT INTO outbox_event (tenant_id, name, payload, user_id, trace_id, create_time)
 VALUES (:tenant, :name, :payload, :user, :trace, :now)`
	sqlOpen = `SELECT * FROM outbox_event WHERE dispatched = false AND (name IN (:known) OR create_time < :stale)
 ORDER BY id LIMIT :most FOR UPDATE SKIP LOCKED`
	sqlDispatch = `UPDATE outbox_event SET dispatched = true WHERE id IN (:ids) AND dispatched = false`
	sqlPurge    = `DELETE FROM outbox_event WHERE dispatched = true AND create_time < :before`
	sqlLag      = `SELECT COALESCE(MIN(create_time), 0) FROM outbox_event WHERE dispatched = false AND name IN (:known)`
)

// Publish writes the event into the current transaction, for the actor's tenant.
func Publish(ctx context.Context, name string, payload any) error {
	body, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("event: payload of %s: %w", name, err)
	}
	who := actor.From(ctx)
	err = store.Later(ctx, sqlPublish, store.Args{"tenant": who.TenantID, "name": name, "payload": string(body),
		"user": who.UserID, "trace": actor.RequestOf(ctx).ID, "now": clock.Millis()})
	if err != nil {
		return err
	}
	return store.Wake(ctx, topic)
}

// Func is a consumer's reaction; see the package for its transaction.
type Func func(ctx context.Context, e Event) error

// Bus knows the consumers and turns outbox rows into jobs.
type Bus struct {
	queue     *job.Queue
	consumers map[string][]string // event → job names
	quit      chan struct{}
	once      sync.Once
	done      sync.WaitGroup
}

// NewBus makes a bus whose deliveries run on the queue.
func NewBus(queue *job.Queue) *Bus {
	b := &Bus{queue: queue, consumers: map[string][]string{}, quit: make(chan struct{})}
	queue.Every("event.purge", "0 40 3 * * ?", purge, job.Titled("清理已投递事件"))
	return b
}

// Handle registers a consumer of the events of that name. consumer is unique per event
// and stays the same for ever, since waiting deliveries carry it.
func (b *Bus) Handle(name, consumer string, fn Func) {
	work := "event " + name + " " + consumer
	b.queue.Handle(work, func(ctx context.Context, r *job.Run) error {
		var e Event
		if err := r.Decode(&e); err != nil {
			return err
		}
		return store.Write(ctx, func(ctx context.Context) error {
			if err := fn(ctx, e); err != nil {
				return err
			}
			return r.Finish(ctx)
		})
	}, job.Timeout(25*time.Second))
	b.consumers[name] = append(b.consumers[name], work)
}

// Consumers lists the consumers of each event, for the catalogue test.
func (b *Bus) Consumers() map[string][]string { return b.consumers }

// Start dispatches until Stop. ctx carries the database. Start the queue as well.
func (b *Bus) Start(ctx context.Context) {
	db := store.From(ctx)
	base := store.AcrossTenants(store.Use(context.WithoutCancel(ctx), db), "event: the outbox of every tenant")
	signals, unwatch := db.Watch(topic)
	b.done.Go(func() {
		defer unwatch()
		timer := time.NewTicker(time.Second)
		defer timer.Stop()
		for {
			if err := b.drain(base); err != nil {
				slog.Error("event: cannot dispatch", "error", err)
			}
			select {
			case <-signals:
			case <-timer.C:
			case <-b.quit:
				return
			}
		}
	})
}

// Stop ends the dispatching; what is open stays in the outbox.
func (b *Bus) Stop() {
	b.once.Do(func() { close(b.quit) })
	b.done.Wait()
}

type row struct {
	ID         int64
	TenantID   int64
	Name       string
	Payload    string
	UserID     int64
	TraceID    string
	CreateTime int64
	Dispatched bool
}

const (
	batch = 200
	// patience leaves events that this node has no consumer for to a newer node, while
	// an upgrade goes on; later nobody wants them.
	patience = time.Hour
)

func (b *Bus) open(most int) store.Args {
	return store.Args{"most": most, "known": slices.Collect(maps.Keys(b.consumers)), "stale": clock.Now().Add(-patience).UnixMilli()}
}

func (b *Bus) drain(ctx context.Context) error {
	for {
		open, err := store.Select[row](ctx, sqlOpen, b.open(1)) // looks first: idling must not write
		if err != nil || len(open) == 0 {
			return err
		}
		n := 0
		err = store.Write(ctx, func(ctx context.Context) error {
			n, err = b.dispatch(ctx)
			return err
		})
		if err != nil || n < batch {
			return err
		}
	}
}

// dispatch makes the jobs of a batch of events. Rows locked by another node are its.
func (b *Bus) dispatch(ctx context.Context) (int, error) {
	open, err := store.Select[row](ctx, sqlOpen, b.open(batch))
	if err != nil || len(open) == 0 {
		return 0, err
	}
	ids := make([]int64, len(open))
	for i, r := range open {
		ids[i] = r.ID
		e := Event{ID: r.ID, TenantID: r.TenantID, Name: r.Name, Payload: json.RawMessage(r.Payload), UserID: r.UserID, TraceID: r.TraceID,
			Time: time.UnixMilli(r.CreateTime)}
		for _, work := range b.consumers[r.Name] {
			if _, err := job.Enqueue(actor.AsSystem(ctx, r.TenantID), work, e, job.Opts{Key: strconv.FormatInt(r.ID, 10)}); err != nil {
				return 0, err
			}
		}
	}
	_, err = store.Exec(ctx, sqlDispatch, store.Args{"ids": ids})
	return len(open), err
}

// Lag is how long the oldest event with a consumer has waited to be dispatched; for metrics.
func (b *Bus) Lag(ctx context.Context) (time.Duration, error) {
	oldest, _, err := store.Get[int64](store.AcrossTenants(ctx, "event: figures of the outbox"), sqlLag, b.open(0))
	if err != nil || oldest == 0 {
		return 0, err
	}
	return clock.Now().Sub(time.UnixMilli(oldest)), nil
}

const keep = 7 * 24 * time.Hour

func purge(ctx context.Context, r *job.Run) error {
	return store.Write(store.AcrossTenants(ctx, "event: forget what was dispatched"), func(ctx context.Context) error {
		n, err := store.Exec(ctx, sqlPurge, store.Args{"before": clock.Now().Add(-keep).UnixMilli()})
		r.Logf("events %d", n)
		return err
	})
}
