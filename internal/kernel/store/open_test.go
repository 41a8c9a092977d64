package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestReadOnly opens a database a second time, beside the one who works on it.
func TestReadOnly(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.Config{URL: db.Address(), ReadOnly: true}
		if db.Dialect() == store.SQLite {
			c.Dir = filepath.Dir(db.Path())
		}
		second, err := store.Open(context.Background(), c)
		if err == nil {
			err = second.RefreshCatalogue(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		own, ctx := kerneltest.AsSystem(db, 1), kerneltest.AsSystem(second, 1)
		mustWrite(t, own, func(ctx context.Context) error { return addNote(ctx, "one") })
		if n := count(t, ctx); n != 1 {
			t.Errorf("%d notes", n)
		}
		if err := store.Write(ctx, func(ctx context.Context) error { return addNote(ctx, "two") }); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("Write: %v", err)
		}
		if err := second.Migrate(context.Background(), fixture); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("Migrate: %v", err)
		}
		whole, err := second.OpenWhole()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := whole.Exec("DELETE FROM country"); err == nil {
			t.Error("a raw connection may write")
		}
		if err := errors.Join(whole.Close(), second.Close()); err != nil {
			t.Error(err)
		}
		mustWrite(t, own, func(ctx context.Context) error { return addNote(ctx, "three") })
		if n := count(t, own); n != 2 {
			t.Errorf("%d notes", n)
		}
	}, fixture)
}

func TestReadOnly_nothingThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	if db, err := store.Open(context.Background(), store.Config{Dir: dir, ReadOnly: true}); err == nil {
		_ = db.Close()
		t.Error("opened what is not there")
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}

// An ANALYZE by hand leaves counts, which are kept, and samples, which cost a new plan for
// every statement.
func TestOpen_forgetsSamples(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	dir := filepath.Dir(db.Path())
	mustWrite(t, kerneltest.AsSystem(db, 1), func(ctx context.Context) error { return addNote(ctx, "one") })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", filepath.Join(dir, "viva.db"))
	if err == nil {
		_, err = raw.Exec("ANALYZE")
	}
	kept := func(table string) (n int) {
		if err := raw.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	if err != nil || kept("sqlite_stat4") == 0 {
		t.Fatalf("nothing to forget: %v", err)
	}
	if err := kerneltest.Again(t, store.Config{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	if counts, samples := kept("sqlite_stat1"), kept("sqlite_stat4"); counts == 0 || samples != 0 {
		t.Errorf("%d counts, %d samples", counts, samples)
	}
	if err := raw.Close(); err != nil {
		t.Error(err)
	}
}
