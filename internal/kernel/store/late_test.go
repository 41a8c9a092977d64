package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const (
	lateNote  = `INSERT INTO note (tenant_id, title) VALUES (:tenant, :title)`
	renameAll = `UPDATE note SET title = title || :more WHERE tenant_id = :tenant`
	noteNames = `SELECT title FROM note WHERE tenant_id = :tenant ORDER BY id`
)

func late(t *testing.T, ctx context.Context, title string) {
	t.Helper()
	if err := store.Later(ctx, lateNote, store.Args{"title": title}); err != nil {
		t.Errorf("later %s: %v", title, err)
	}
}

// Statements keep their order whichever way they are given, and a query sees those before it.
func TestLater_order(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		mustWrite(t, ctx, func(ctx context.Context) error {
			late(t, ctx, "a")
			if n := count(t, ctx); n != 1 {
				t.Errorf("a query sees %d rows", n)
			}
			late(t, ctx, "b")
			if n, err := store.Exec(ctx, renameAll, store.Args{"more": "1"}); n != 2 || err != nil {
				t.Errorf("a change touched %d rows, %v", n, err)
			}
			late(t, ctx, "c")
			return nil
		})
		names, err := store.Select[string](ctx, noteNames, nil)
		if err != nil || fmt.Sprint(names) != "[a1 b1 c]" {
			t.Errorf("%v, %v", names, err)
		}
	})
}

// What fails late undoes the whole transaction and is told by its commit or by the
// statement that took it along.
func TestLater_fails(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "taken")
		err := store.Write(ctx, func(ctx context.Context) error {
			late(t, ctx, "fresh")
			return store.Later(ctx, lateNote, store.Args{"title": "taken"})
		})
		if !errors.Is(err, store.ErrUnique) {
			t.Errorf("the commit says %v", err)
		}
		err = store.Write(ctx, func(ctx context.Context) error {
			if err := store.Later(ctx, lateNote, store.Args{"title": "taken"}); err != nil {
				return err
			}
			_, err := store.Exec(ctx, renameAll, store.Args{"more": "2"})
			return err
		})
		if !errors.Is(err, store.ErrUnique) {
			t.Errorf("the next statement says %v", err)
		}
		if n := count(t, ctx); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

// The walls are asked when the statement is given: the tenant is the one of that moment.
func TestLater_walls(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		one, two := kerneltest.AsSystem(db, 1), kerneltest.AsSystem(db, 2)
		mustWrite(t, one, func(ctx context.Context) error {
			late(t, ctx, "mine")
			if err := store.Later(ctx, `UPDATE note SET body = 'x' WHERE title = 'mine'`, nil); err == nil {
				t.Error("a change of all tenants passed")
			}
			return nil
		})
		if a, b := count(t, one), count(t, two); a != 1 || b != 0 {
			t.Errorf("%d and %d rows", a, b)
		}
	}, fixture)
}

// TestLater_many sends more than may wait.
func TestLater_many(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		mustWrite(t, ctx, func(ctx context.Context) error {
			for i := range 250 {
				late(t, ctx, fmt.Sprint("n", i))
			}
			return nil
		})
		if n := count(t, ctx); n != 250 {
			t.Errorf("%d rows", n)
		}
	})
}

// A Write that went on after a failed statement is not durable and must not say so.
func TestWrite_goesOnAfterFailure(t *testing.T) {
	kerneltest.NeedPostgres(t)
	ctx := kerneltest.AsSystem(kerneltest.OpenPostgres(t, fixture), 1)
	seed(t, ctx, "taken")
	err := store.Write(ctx, func(ctx context.Context) error {
		_ = addNote(ctx, "taken")
		return nil
	})
	if err == nil {
		t.Error("the commit of a failed transaction says nothing")
	}
	mustWrite(t, ctx, func(ctx context.Context) error { return addNote(ctx, "next") })
}

// TestLater_trips counts exchanges: a change with two late ones before and after it is
// two, BEGIN and COMMIT included.
func TestLater_trips(t *testing.T) {
	kerneltest.NeedPostgres(t)
	trips := &atomic.Int64{}
	ctx := kerneltest.AsSystem(counted(t, kerneltest.OpenPostgres(t, fixture), trips), 1)
	for round := range 5 {
		before := trips.Load()
		mustWrite(t, ctx, func(ctx context.Context) error {
			late(t, ctx, fmt.Sprint(round, "-early"))
			if err := addNote(ctx, fmt.Sprint(round, "-row")); err != nil {
				return err
			}
			late(t, ctx, fmt.Sprint(round, "-audit"))
			late(t, ctx, fmt.Sprint(round, "-key"))
			return nil
		})
		if n := trips.Load() - before; round > 0 && n != 2 {
			t.Errorf("round %d: %d exchanges", round, n)
		}
	}
}

// A batch that waits tells in the caller's words why it failed, at the end on PostgreSQL
// and at once on SQLite.
func TestBatch_later(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "taken")
		errMine := errors.New("mine")
		explain := func(err error) error {
			var at *store.BatchError
			if !errors.As(err, &at) || at.At != 1 || !errors.Is(err, store.ErrUnique) {
				t.Errorf("to explain: %v", err)
			}
			return errMine
		}
		for _, titles := range [][2]string{{"a", "b"}, {"c", "taken"}} {
			err := store.Write(ctx, func(ctx context.Context) error {
				late(t, ctx, "before "+titles[0])
				var b store.Batch
				b.Exec(lateNote, store.Args{"title": titles[0]})
				b.Exec(lateNote, store.Args{"title": titles[1]})
				return b.Later(ctx, explain)
			})
			if good := titles[1] == "b"; good && err != nil || !good && !errors.Is(err, errMine) {
				t.Errorf("%v: %v", titles, err)
			}
		}
		if n := count(t, ctx); n != 4 {
			t.Errorf("%d rows", n)
		}
	})
}
