package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const (
	batchTitles = `SELECT title FROM note WHERE tenant_id = :tenant AND title IN (:titles) ORDER BY title`
	batchNotes  = `SELECT * FROM note WHERE tenant_id = :tenant ORDER BY title`
	batchDone   = `UPDATE note SET done = true, cents = :cents, tags = :tags WHERE tenant_id = :tenant AND title LIKE :title`
)

type mood string

func TestBatch(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		mustWrite(t, ctx, func(ctx context.Context) error {
			var b store.Batch
			ids := store.Read[int64](&b, insertNote, store.Args{"title": "a"})
			b.Exec(`INSERT INTO note (tenant_id, title) VALUES (:tenant, :title)`, store.Args{"title": mood("b")})
			b.Exec(`INSERT INTO note (tenant_id, title) VALUES (:tenant, :title)`, store.Args{"title": "c"})
			changed := b.Exec(batchDone, store.Args{"title": "_", "cents": int64(7), "tags": store.JSON[[]string]{V: []string{"x"}}})
			none := b.Exec(batchDone, store.Args{"title": "nobody", "cents": nil, "tags": "[]"})
			titles := store.Read[string](&b, batchTitles, store.Args{"titles": []string{"c", "a", "z"}})
			notes := store.Read[note](&b, batchNotes, nil)
			if err := b.Send(ctx); err != nil {
				return err
			}
			if len(*ids) != 1 || (*ids)[0] == 0 || *changed != 3 || *none != 0 || fmt.Sprint(*titles) != "[a c]" || len(*notes) != 3 || b.Len() != 7 {
				t.Errorf("ids %v, changed %d and %d, titles %v, %d notes", *ids, *changed, *none, *titles, len(*notes))
			}
			n := (*notes)[1]
			if n.Title != "b" || n.TenantID != 1 || !n.Done || n.Cents == nil || *n.Cents != 7 || fmt.Sprint(n.Tags.V) != "[x]" {
				t.Errorf("%+v", n)
			}
			return nil
		})
		if n := count(t, ctx); n != 3 {
			t.Errorf("%d notes after the commit", n)
		}
	})
}

// A failed statement names its place, leaves nothing, and the connection lives on.
func TestBatch_failure(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "taken")
		for round := range 3 {
			err := store.Write(ctx, func(ctx context.Context) error {
				var b store.Batch
				b.Exec(`INSERT INTO note (tenant_id, title) VALUES (:tenant, :title)`, store.Args{"title": "free"})
				_ = store.Read[int64](&b, insertNote, store.Args{"title": "taken"})
				b.Exec(`INSERT INTO note (tenant_id, title) VALUES (:tenant, :title)`, store.Args{"title": "later"})
				return b.Send(ctx)
			})
			var at *store.BatchError
			if !errors.Is(err, store.ErrUnique) || !errors.As(err, &at) || at.At != 1 {
				t.Fatalf("round %d: %v", round, err)
			}
			if n := count(t, ctx); n != 1 {
				t.Fatalf("round %d: %d notes", round, n)
			}
		}
	})
}

func TestBatch_walls(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		var outside store.Batch
		outside.Exec(`DELETE FROM note WHERE tenant_id = :tenant`, nil)
		if err := outside.Send(ctx); !errors.Is(err, store.ErrNotInWrite) {
			t.Errorf("outside: %v", err)
		}
		for name, add := range map[string]func(b *store.Batch){
			"unbound":  func(b *store.Batch) { b.Exec(`DELETE FROM note`, nil) },
			"read":     func(b *store.Batch) { store.Read[int64](b, `SELECT id FROM note`, nil) },
			"missing":  func(b *store.Batch) { b.Exec(`DELETE FROM note WHERE tenant_id = :tenant AND id = :id`, nil) },
			"foreign":  func(b *store.Batch) { b.Exec(`DELETE FROM note WHERE tenant_id = :tenant`, store.Args{"tenant": 2}) },
			"unscoped": func(b *store.Batch) { b.Exec(`UPDATE note SET title = 'x' WHERE id = 1`, nil) },
		} {
			err := store.Write(ctx, func(ctx context.Context) error {
				var b store.Batch
				add(&b)
				return b.Send(ctx)
			})
			var at *store.BatchError
			if !errors.As(err, &at) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// The second wall follows into other tenants, as for single statements.
func TestBatch_otherTenant(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		one, two := kerneltest.AsSystem(db, 1), kerneltest.AsSystem(db, 2)
		seed(t, one, "mine")
		mustWrite(t, two, func(ctx context.Context) error {
			var b store.Batch
			n := b.Exec(`UPDATE note SET body = 'seen' WHERE tenant_id = :tenant`, nil)
			if err := b.Send(ctx); err != nil || *n != 0 {
				t.Errorf("%d rows, %v", *n, err)
			}
			var all store.Batch
			n = all.Exec(`UPDATE note SET body = 'seen' WHERE title = 'mine'`, nil)
			err := all.Send(store.AcrossTenants(ctx, "test: everybody"))
			if err != nil || *n != 1 {
				t.Errorf("across: %d rows, %v", *n, err)
			}
			return nil
		})
	}, fixture)
}

// TestBatch_trips counts exchanges on the wire: BEGIN with the batch, and COMMIT.
func TestBatch_trips(t *testing.T) {
	kerneltest.NeedPostgres(t)
	trips := &atomic.Int64{}
	ctx := kerneltest.AsSystem(counted(t, kerneltest.OpenPostgres(t, fixture), trips), 1)
	for round := range 5 {
		before := trips.Load()
		mustWrite(t, ctx, func(ctx context.Context) error {
			var b store.Batch
			for i := range 8 {
				_ = store.Read[int64](&b, insertNote, store.Args{"title": fmt.Sprint(round, "-", i)})
			}
			return b.Send(ctx)
		})
		if n := trips.Load() - before; round > 0 && n != 2 {
			t.Errorf("round %d: %d exchanges", round, n)
		}
	}
}

// counted opens the database once more, behind a relay that counts how often the client
// speaks after the server did.
func counted(t *testing.T, db *store.DB, trips *atomic.Int64) *store.DB {
	t.Helper()
	address, err := url.Parse(db.Address())
	if err != nil {
		t.Fatal(err)
	}
	gate, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := address.Host
	t.Cleanup(func() { _ = gate.Close() })
	go func() {
		for {
			client, err := gate.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				return
			}
			var answered atomic.Bool
			answered.Store(true)
			go relay(upstream, client, func() {
				if answered.Swap(false) {
					trips.Add(1)
				}
			})
			go relay(client, upstream, func() { answered.Store(true) })
		}
	}()
	address.Host = gate.Addr().String()
	again, err := store.Open(context.Background(), store.Config{URL: address.String()})
	if err == nil {
		err = again.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return again
}

func relay(to io.WriteCloser, from io.Reader, saw func()) {
	defer func() { _ = to.Close() }()
	chunk := make([]byte, 64<<10)
	for {
		n, err := from.Read(chunk)
		if n > 0 {
			saw()
			if _, err := to.Write(chunk[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
