package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func wait(t *testing.T, c <-chan string, want string) {
	t.Helper()
	timeout := time.After(5 * time.Second)
	for {
		select {
		case got := <-c:
			if got == want {
				return
			}
		case <-timeout:
			t.Fatalf("no signal %q", want)
		}
	}
}

func TestSignal(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		db := store.From(ctx)
		c, stop := db.Watch("topic")
		other, stopOther := db.Watch("other")
		defer stopOther()
		if err := store.Signal(ctx, "topic", "x"); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		_ = store.Write(ctx, func(ctx context.Context) error {
			if err := store.Signal(ctx, "topic", "rolled back"); err != nil {
				t.Error(err)
			}
			return errBoom
		})
		mustWrite(t, ctx, func(ctx context.Context) error { return store.Signal(ctx, "topic", "内容") })
		got := ""
		for got == "" {
			got = <-c
		}
		if got != "内容" {
			t.Errorf("%q", got)
		}
		stop()
		stop()
		mustWrite(t, ctx, func(ctx context.Context) error { return store.Signal(ctx, "topic", "late") })
		select {
		case got := <-other:
			if got != "" {
				t.Errorf("other topic got %q", got)
			}
		case <-time.After(50 * time.Millisecond):
		}
	})
}

// TestSignal_otherNode: a second DB value on the same database hears the first.
func TestSignal_otherNode(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	node, err := store.Open(ctx, store.Config{URL: db.Address()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = node.Close() }()
	c, stop := node.Watch("topic")
	defer stop()
	wait(t, c, "") // it listens
	start := time.Now()
	mustWrite(t, ctx, func(ctx context.Context) error { return store.Signal(ctx, "topic", "hello") })
	wait(t, c, "hello")
	if d := time.Since(start); d > time.Second {
		t.Errorf("took %v", d)
	}
	// The listening connection is cut; it comes back and says so.
	mustWrite(t, ctx, func(ctx context.Context) error {
		_, _, err := store.Get[bool](ctx, `SELECT COUNT(pg_terminate_backend(pid)) > 0 FROM pg_stat_activity WHERE query = 'LISTEN viva'`, nil)
		return err
	})
	wait(t, c, "")
	mustWrite(t, ctx, func(ctx context.Context) error { return store.Signal(ctx, "topic", "again") })
	wait(t, c, "again")
}

func TestWake(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		c, stop := store.From(ctx).Watch("work")
		defer stop()
		if err := store.Wake(ctx, "work"); !errors.Is(err, store.ErrNotInWrite) {
			t.Error(err)
		}
		if store.From(ctx).Address() != "" {
			wait(t, c, "") // it listens
		}
		_ = store.Write(ctx, func(ctx context.Context) error {
			if err := store.Wake(ctx, "work"); err != nil {
				t.Error(err)
			}
			if len(c) > 0 {
				t.Error("woken before the commit")
			}
			return errBoom
		})
		mustWrite(t, ctx, func(ctx context.Context) error {
			return errors.Join(store.Wake(ctx, "work"), store.Wake(ctx, "work"))
		})
		wait(t, c, "")
	})
}

// TestWake_otherNode: the nodes hear of the work of one another, and of a crowd of commits
// far fewer times than there were.
func TestWake_otherNode(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	node, err := store.Open(ctx, store.Config{URL: db.Address()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = node.Close() }()
	c, stop := node.Watch("work")
	defer stop()
	wait(t, c, "") // it listens
	const commits = 60
	var writers sync.WaitGroup
	for range 6 {
		writers.Go(func() {
			for range commits / 6 {
				mustWrite(t, ctx, func(ctx context.Context) error { return store.Wake(ctx, "work") })
			}
		})
	}
	wait(t, c, "")
	writers.Wait()
	if err := db.Close(); err != nil { // tells what is left to tell
		t.Fatal(err)
	}
	mustWrite(t, store.Use(ctx, node), func(ctx context.Context) error { return store.Signal(ctx, "work", "last") })
	heard := 1
	for last := false; !last; heard++ {
		select {
		case got := <-c:
			last = got == "last"
		case <-time.After(5 * time.Second):
			t.Fatal("the last signal did not come")
		}
	}
	if heard > commits/2 {
		t.Errorf("%d commits were told in %d notifications", commits, heard)
	}
}
