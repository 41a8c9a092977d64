package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

var errBoom = errors.New("boom")

func TestWrite_rollback(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		fired := false
		err := store.Write(ctx, func(ctx context.Context) error {
			store.AfterCommit(ctx, func() { fired = true })
			if err := addNote(ctx, "gone"); err != nil {
				return err
			}
			return errBoom
		})
		if !errors.Is(err, errBoom) || count(t, ctx) != 0 || fired {
			t.Errorf("%v, %d notes, after commit %v", err, count(t, ctx), fired)
		}
	})
}

func TestWrite_panic(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		err := store.Write(ctx, func(ctx context.Context) error {
			if err := addNote(ctx, "gone"); err != nil {
				return err
			}
			panic("bad code")
		})
		if err == nil || !strings.Contains(err.Error(), "bad code") || count(t, ctx) != 0 {
			t.Errorf("%v, %d notes", err, count(t, ctx))
		}
		seed(t, ctx, "next")
	})
}

func TestWrite_nested(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		err := store.Write(ctx, func(ctx context.Context) error {
			if !store.InWrite(ctx) {
				t.Error("not in a Write")
			}
			if err := store.Write(ctx, func(ctx context.Context) error { return addNote(ctx, "inner") }); err != nil {
				return err
			}
			if n := count(t, ctx); n != 1 {
				t.Errorf("own write invisible: %d", n)
			}
			return errBoom
		})
		if !errors.Is(err, errBoom) || count(t, ctx) != 0 {
			t.Errorf("inner write survived: %v, %d", err, count(t, ctx))
		}
	})
}

// TestWrite_outerContext: on SQLite this would stop the writer for ever.
func TestWrite_outerContext(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	outer := kerneltest.AsSystem(db, 1)
	err := store.Write(outer, func(context.Context) error {
		return store.Write(outer, func(ctx context.Context) error { return addNote(ctx, "x") })
	})
	if !errors.Is(err, store.ErrOuterContext) {
		t.Error(err)
	}
	seed(t, outer, "next")
}

func TestWrite_afterCommit(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var seen []int64
		mustWrite(t, ctx, func(ctx context.Context) error {
			store.AfterCommit(ctx, func() { seen = append(seen, -1) })
			return store.Write(ctx, func(ctx context.Context) error {
				store.AfterCommit(ctx, func() { seen = append(seen, -2) })
				return addNote(ctx, "a")
			})
		})
		mustWrite(t, ctx, func(inner context.Context) error {
			store.AfterCommit(inner, func() { // may write by itself: it runs outside the writer
				mustWrite(t, ctx, func(ctx context.Context) error { return addNote(ctx, "c") })
				seen = append(seen, count(t, ctx))
			})
			return addNote(inner, "b")
		})
		store.AfterCommit(ctx, func() { seen = append(seen, 99) })
		if fmt.Sprint(seen) != "[-1 -2 3 99]" {
			t.Error(seen)
		}
	})
}

func TestWrite_groupCommit(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	var commits, largest atomic.Int64
	db.GroupSize = func(n int) {
		commits.Add(1)
		largest.Store(max(largest.Load(), int64(n)))
	}
	block, entered := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = store.Write(ctx, func(context.Context) error { close(entered); <-block; return nil })
	})
	<-entered
	const n = 200
	failed := [n]error{}
	var queued sync.WaitGroup
	for i := range n {
		queued.Add(1)
		wg.Go(func() {
			queued.Done()
			failed[i] = store.Write(ctx, func(ctx context.Context) error {
				if err := addNote(ctx, fmt.Sprint(i)); err != nil {
					return err
				}
				switch i % 10 {
				case 3:
					return errBoom
				case 7:
					panic("bad")
				case 9:
					return addNote(ctx, fmt.Sprint(i)) // violates the unique index
				}
				return nil
			})
		})
	}
	queued.Wait()
	time.Sleep(20 * time.Millisecond)
	close(block)
	wg.Wait()
	for i, err := range failed {
		kept, _, _ := store.Get[int64](ctx, countTitles, store.Args{"title": fmt.Sprint(i)})
		bad := i%10 == 3 || i%10 == 7 || i%10 == 9
		if bad != (err != nil) || bad != (kept == 0) {
			t.Errorf("%d: %v, kept %d", i, err, kept)
		}
	}
	if largest.Load() < 2 || largest.Load() > 32 || commits.Load() > n {
		t.Errorf("%d commits, the largest of %d closures", commits.Load(), largest.Load())
	}
}

// TestWrite_callerLeaves: a caller that goes away neither breaks the group nor learns of
// a rollback that did not happen.
func TestWrite_callerLeaves(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		if err := store.Write(canceled(ctx), func(ctx context.Context) error { return addNote(ctx, "never") }); !errs.Is(err, errs.ErrUnavailable) {
			t.Errorf("%v", err)
		}
		if n := count(t, ctx); n != 0 {
			t.Errorf("%d notes", n)
		}
		leaving, cancel := context.WithCancel(ctx)
		err := store.Write(leaving, func(ctx context.Context) error {
			if err := addNote(ctx, "half"); err != nil {
				return err
			}
			cancel()
			return addNote(ctx, "whole")
		})
		if n := count(t, ctx); (err == nil) != (n == 2) || (err != nil) != (n == 0) {
			t.Errorf("%v with %d notes", err, n)
		}
	})
}

func TestWrite_concurrentCounters(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		mustWrite(t, ctx, func(ctx context.Context) error {
			_, err := store.Exec(ctx, `INSERT INTO note (tenant_id, title, cents) VALUES (:tenant, 'n', 0)`, nil)
			return err
		})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					err := store.Write(ctx, func(ctx context.Context) error {
						n, err := store.One[int64](ctx, `SELECT cents FROM note WHERE tenant_id = :tenant FOR UPDATE`, nil)
						if err != nil {
							return err
						}
						_, err = store.Exec(ctx, `UPDATE note SET cents = :n WHERE tenant_id = :tenant`, store.Args{"n": n + 1})
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n, _ := store.One[int64](ctx, `SELECT cents FROM note WHERE tenant_id = :tenant`, nil); n != 200 {
			t.Errorf("%d of 200", n)
		}
	})
}

// TestWrite_deadlock: PostgreSQL ends one of two closures that lock crosswise; it is
// tried again and both succeed.
func TestWrite_deadlock(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	seed(t, ctx, "a", "b")
	const lock = `UPDATE note SET body = body || '.' WHERE tenant_id = :tenant AND title = :title`
	var wg sync.WaitGroup
	var tries atomic.Int64
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			err := store.Write(ctx, func(ctx context.Context) error {
				tries.Add(1)
				for _, title := range order {
					if _, err := store.Exec(ctx, lock, store.Args{"title": title}); err != nil {
						return err
					}
					time.Sleep(100 * time.Millisecond)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if tries.Load() < 3 {
		t.Errorf("%d tries: no deadlock happened", tries.Load())
	}
	if bodies, _ := store.Select[string](ctx, `SELECT body FROM note WHERE tenant_id = :tenant ORDER BY id`, nil); fmt.Sprint(bodies) != "[.. ..]" {
		t.Error(bodies)
	}
}

func TestWrite_closed(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		db := store.From(ctx)
		if err := db.Ping(ctx); err != nil {
			t.Error(err)
		}
		var wg sync.WaitGroup
		var done, refused atomic.Int64
		for i := range 50 {
			wg.Go(func() {
				switch err := store.Write(ctx, func(ctx context.Context) error { return addNote(ctx, fmt.Sprint(i)) }); {
				case err == nil:
					done.Add(1)
				case errs.Is(err, errs.ErrUnavailable) || strings.Contains(err.Error(), "closed"):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		time.Sleep(2 * time.Millisecond)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if done.Load()+refused.Load() != 50 {
			t.Errorf("%d done, %d refused", done.Load(), refused.Load())
		}
		if err := db.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	})
}

func TestSQLite_walStaysSmall(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	body := strings.Repeat("x", 1000)
	var wg sync.WaitGroup
	for worker := range 20 {
		wg.Go(func() {
			for i := range 1000 {
				err := store.Write(ctx, func(ctx context.Context) error {
					_, err := store.Exec(ctx, `INSERT INTO note (tenant_id, title, body) VALUES (:tenant, :title, :body)`,
						store.Args{"title": fmt.Sprint(worker, "-", i), "body": body})
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	info, err := os.Stat(db.Path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if count(t, ctx) != 20_000 || info.Size() > 16<<20 {
		t.Errorf("%d rows, WAL of %d bytes", count(t, ctx), info.Size())
	}
}

func TestSQLite_settings(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx := kerneltest.AsSystem(db, 1)
	want := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "query_only": "0"}
	mustWrite(t, ctx, func(ctx context.Context) error {
		for name, value := range want {
			if got, _, err := store.Get[string](ctx, store.Generated("PRAGMA "+name), nil); err != nil || got != value {
				t.Errorf("writer: %s = %s, %v", name, got, err)
			}
		}
		return nil
	})
	if got, _, err := store.Get[string](ctx, "PRAGMA query_only", nil); err != nil || got != "1" {
		t.Errorf("readers may write: %s, %v", got, err)
	}
}
