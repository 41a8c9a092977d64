package event_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

var fixture fs.FS = fstest.MapFS{"9000_ledger.sql": {Data: []byte(`-- +goose Up
CREATE TABLE ledger (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, consumer TEXT NOT NULL, event_id BIGINT NOT NULL);
`)}}

const (
	insertLedger = `INSERT INTO ledger (tenant_id, consumer, event_id) VALUES (:tenant, :consumer, :event)`
	countLedger  = `SELECT COUNT(*) FROM ledger WHERE tenant_id = :tenant AND consumer = :consumer`
	countTwice   = `SELECT COUNT(*) FROM (SELECT event_id FROM ledger WHERE tenant_id = :tenant GROUP BY consumer, event_id HAVING COUNT(*) > 1) twice`
)

func each(t *testing.T, test func(t *testing.T, ctx context.Context)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, kerneltest.AsSystem(db, 1)) }, fixture)
}

// node starts a queue and a bus whose consumers write a ledger row.
func node(t testing.TB, ctx context.Context, consumers map[string]event.Func) *event.Bus {
	t.Helper()
	q := job.New(job.Options{Poll: 20 * time.Millisecond, Lease: 500 * time.Millisecond})
	b := event.NewBus(q)
	for name, fn := range consumers {
		b.Handle("happened", name, fn)
	}
	if err := q.Start(ctx); err != nil {
		t.Fatal(err)
	}
	b.Start(ctx)
	t.Cleanup(func() {
		b.Stop()
		limit, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = q.Stop(limit)
	})
	return b
}

func note(consumer string) event.Func {
	return func(ctx context.Context, e event.Event) error {
		_, err := store.Exec(ctx, insertLedger, store.Args{"consumer": consumer, "event": e.ID})
		return err
	}
}

func publish(t testing.TB, ctx context.Context, n int) {
	t.Helper()
	err := store.Write(ctx, func(ctx context.Context) error {
		for i := range n {
			if err := event.Publish(ctx, "happened", map[string]any{"n": i, "text": "内容"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func entries(t testing.TB, ctx context.Context, consumer string) int {
	t.Helper()
	n, err := store.One[int](ctx, countLedger, store.Args{"consumer": consumer})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("never: " + what)
}

func TestPublish_needsWrite(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		if err := event.Publish(ctx, "happened", nil); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		if err := event.Publish(ctx, "happened", make(chan int)); err == nil {
			t.Error("a channel is no payload")
		}
	})
}

func TestBus_delivers(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		got := make(chan event.Event, 1)
		var inWrite, tenant atomic.Int64
		b := node(t, ctx, map[string]event.Func{
			"first": note("first"),
			"second": func(ctx context.Context, e event.Event) error {
				if store.InWrite(ctx) {
					inWrite.Add(1)
				}
				tenant.Store(actor.From(ctx).TenantID)
				got <- e
				return note("second")(ctx, e)
			},
		})
		who := kerneltest.User(2, 77)
		two := actor.WithRequest(actor.With(ctx, who), actor.Request{ID: "trace"})
		began := time.Now()
		publish(t, two, 1)
		e := <-got
		if d := time.Since(began); d > 3*time.Second {
			t.Errorf("took %v", d)
		}
		var payload struct{ Text string }
		if err := e.Decode(&payload); err != nil || payload.Text != "内容" || e.TenantID != 2 || e.UserID != 77 || e.TraceID != "trace" || e.Name != "happened" || e.ID == 0 {
			t.Errorf("%+v %+v %v", e, payload, err)
		}
		eventually(t, "both consumers", func() bool { return entries(t, two, "first") == 1 && entries(t, two, "second") == 1 })
		if inWrite.Load() == 0 || tenant.Load() != 2 || entries(t, ctx, "first") != 0 {
			t.Error("wrong context")
		}
		if lag, err := b.Lag(ctx); err != nil || lag != 0 {
			t.Errorf("lag %v, %v", lag, err)
		}
		if c := b.Consumers()["happened"]; len(c) != 2 {
			t.Error(c)
		}
	})
}

func TestBus_rolledBack(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		node(t, ctx, map[string]event.Func{"c": note("c")})
		boom := errors.New("boom")
		err := store.Write(ctx, func(ctx context.Context) error {
			if err := event.Publish(ctx, "happened", 1); err != nil {
				return err
			}
			return boom
		})
		publish(t, ctx, 1)
		eventually(t, "the second", func() bool { return entries(t, ctx, "c") > 0 })
		time.Sleep(50 * time.Millisecond)
		if !errors.Is(err, boom) || entries(t, ctx, "c") != 1 {
			t.Errorf("%v, %d", err, entries(t, ctx, "c"))
		}
	})
}

// TestBus_exactlyOnce: three nodes, consumers that fail half the time before, in and after
// their changes; every event has its effect once per consumer.
func TestBus_exactlyOnce(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		const events = 150
		c := &jumping{}
		defer clock.Set(c.now)()
		var lock sync.Mutex
		tries := map[string]int{}
		flaky := func(name string) event.Func {
			return func(ctx context.Context, e event.Event) error {
				lock.Lock()
				tries[fmt.Sprint(name, e.ID)]++
				try := tries[fmt.Sprint(name, e.ID)]
				lock.Unlock()
				if try == 1 && e.ID%2 == 0 {
					return errors.New("before")
				}
				if err := note(name)(ctx, e); err != nil {
					return err
				}
				switch {
				case try == 2 && e.ID%3 == 0:
					return errors.New("after")
				case try <= 3 && e.ID%5 == 0:
					panic("after")
				}
				return nil
			}
		}
		for range 3 {
			node(t, ctx, map[string]event.Func{"a": flaky("a"), "b": flaky("b")})
		}
		for range events / 10 {
			publish(t, ctx, 10)
		}
		eventually(t, "all delivered", func() bool {
			c.jump(time.Second)
			return entries(t, ctx, "a") >= events && entries(t, ctx, "b") >= events
		})
		twice, err := store.One[int](ctx, countTwice, nil)
		if err != nil || twice != 0 || entries(t, ctx, "a") != events || entries(t, ctx, "b") != events {
			t.Errorf("%d doubled, %d and %d, %v", twice, entries(t, ctx, "a"), entries(t, ctx, "b"), err)
		}
	})
}

// TestBus_poison: a consumer that never succeeds is dead after ten tries and visible,
// and keeps nobody else waiting.
func TestBus_poison(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	c := &jumping{}
	defer clock.Set(c.now)()
	var tries atomic.Int64
	var healed atomic.Bool
	node(t, ctx, map[string]event.Func{
		"good": note("good"),
		"poison": func(ctx context.Context, e event.Event) error {
			if tries.Add(1); !healed.Load() {
				return errors.New("poison")
			}
			return note("poison")(ctx, e)
		},
	})
	publish(t, ctx, 1)
	dead := job.Dead
	var list []job.Record
	eventually(t, "dead", func() bool {
		c.jump(time.Minute)
		p, err := job.Runs(ctx, job.RunFilter{State: &dead}, store.Paging{})
		list = p.List
		return err == nil && len(list) == 1
	})
	if tries.Load() != 10 || list[0].Name != "event happened poison" || list[0].LastError != "poison" || entries(t, ctx, "good") != 1 {
		t.Errorf("%d tries, %+v", tries.Load(), list)
	}
	healed.Store(true)
	if err := store.Write(ctx, func(ctx context.Context) error { return job.Retry(ctx, list[0].ID) }); err != nil {
		t.Fatal(err)
	}
	eventually(t, "healed", func() bool { return entries(t, ctx, "poison") == 1 })
}

// TestBus_unknownEvents: a node without a consumer leaves an event to a newer node for an
// hour.
func TestBus_unknownEvents(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		node(t, ctx, nil)
		publish(t, ctx, 1)
		time.Sleep(100 * time.Millisecond)
		node(t, ctx, map[string]event.Func{"new": note("new")})
		eventually(t, "the newer node delivers", func() bool { return entries(t, ctx, "new") == 1 })
	})
}

type jumping struct {
	lock   sync.Mutex
	offset time.Duration
}

func (c *jumping) now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return time.Now().Add(c.offset)
}

func (c *jumping) jump(d time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.offset += d
}

func TestEvent_Decode(t *testing.T) {
	var n int
	if err := (event.Event{Name: "x", Payload: []byte(`"text"`)}).Decode(&n); err == nil {
		t.Error(fmt.Sprint(n))
	}
}
