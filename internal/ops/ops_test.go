package ops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func openDir(t testing.TB, dir string) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// dirOf is the data directory of a test's database.
func dirOf(t testing.TB, db *store.DB) string {
	t.Helper()
	if db.Dialect() == store.SQLite {
		return filepath.Dir(db.Path())
	}
	return t.TempDir()
}

// target makes room for a restore: a directory, and on PostgreSQL an empty database.
func target(t testing.TB, db *store.DB, dir string) RestoreOptions {
	t.Helper()
	o := RestoreOptions{Data: dir}
	if db.Dialect() == store.Postgres {
		o.DB = emptyDatabase(t)
	}
	return o
}

func emptyDatabase(t testing.TB) string {
	t.Helper()
	c, name := kerneltest.Shared(t), "empty_"+fmt.Sprint(time.Now().UnixNano())
	address, err := c.Create(name, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Drop(name) })
	return address
}

func reopen(t testing.TB, o RestoreOptions) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{URL: o.DB, Dir: o.Data})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestDrill backs up under load, restores, and compares the restored rows with a
// consistent cut of the living database, row for row.
func TestDrill(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		data := dirOf(t, db)
		dataDir(t, data)
		before := sums(t, db, 0)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		var n atomic.Int64
		n.Store(1000)
		for w := range 4 {
			wg.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := addThing(kerneltest.AsSystem(db, int64(1+w%2)), int(n.Add(1))); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		reading, err := store.Open(context.Background(), store.Config{URL: db.Address(), Dir: data, ReadOnly: true}) // as the command does
		if err != nil {
			t.Fatal(err)
		}
		name, err := Backup(context.Background(), reading, data, filepath.Join(data, "backups"))
		_ = reading.Close()
		time.Sleep(50 * time.Millisecond)
		close(stop)
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		o := target(t, db, filepath.Join(t.TempDir(), "data"))
		o.From = name
		r, err := Restore(context.Background(), o)
		if err != nil || !r.Restored || r.Aside != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		restored := reopen(t, o)
		consistent(t, db, restored, before)
		for path, want := range map[string]string{"secret.key": "key", "blobs/objects/ab/ef/abef": "中文", "blobs/uploads/x.part": "", "backups": "", "viva.db-extra": ""} {
			got, err := os.ReadFile(filepath.Join(o.Data, path))
			if string(got) != want || (want == "") != (err != nil) {
				t.Errorf("%s: %q, %v", path, got, err)
			}
		}
		if err := addThing(kerneltest.AsSystem(restored, 1), 1); err != nil { // it works on
			t.Error(err)
		}
	}, fixture)
}

// consistent: what was there before the backup is there, the four tables of one Write
// agree, and every row equals the living one.
func consistent(t *testing.T, db, restored *store.DB, before map[string]string) {
	t.Helper()
	ctx := store.AcrossTenants(kerneltest.AsSystem(restored, 1), "test: counts")
	counts := func(ctx context.Context) (n [4]int64) {
		for i, q := range []string{"thing", "detail", "outbox_event", "audit_log"} {
			n[i], _, _ = store.Get[int64](ctx, store.Generated("SELECT COUNT(*) FROM "+q), nil)
		}
		return n
	}
	if n := counts(ctx); n[0] < 40 || n[0] != n[1] || n[0] != n[2] || n[0] != n[3] {
		t.Errorf("a torn cut: %v", n)
	} else {
		t.Logf("%d writes in the backup, %d in the end", n[0], counts(store.AcrossTenants(kerneltest.AsSystem(db, 1), "test: counts"))[0])
	}
	if got := sums(t, restored, 40); !maps.Equal(got, before) {
		t.Errorf("rows from before the backup differ:\n%v\n%v", before, got)
	}
	ids, err := store.Select[int64](ctx, `SELECT id FROM thing`, nil)
	if err != nil {
		t.Fatal(err)
	}
	living := store.AcrossTenants(kerneltest.AsSystem(db, 1), "test: rows")
	const row = `SELECT t.id, t.title, t.cents, t.share, t.open, t.tags, t.tenant_id, t.creator, t.create_time, t.updater, t.update_time, t.deleted, t.version
 FROM thing t WHERE t.id IN (:ids) ORDER BY t.id`
	a, err := store.Select[thing](ctx, row, store.Args{"ids": ids})
	if err != nil {
		t.Fatal(err)
	}
	b, err := store.Select[thing](living, row, store.Args{"ids": ids})
	if err != nil || len(a) != len(b) {
		t.Fatalf("%d and %d rows, %v", len(a), len(b), err)
	}
	for i := range a {
		if show(a[i]) != show(b[i]) {
			t.Fatalf("row %s was restored as %s", show(b[i]), show(a[i]))
		}
	}
}

func show(v thing) string {
	cents, share := "-", "-"
	if v.Cents != nil {
		cents, share = fmt.Sprint(*v.Cents), fmt.Sprint(*v.Share)
	}
	v.Cents, v.Share = nil, nil
	return fmt.Sprintf("%+v %s %s", v, cents, share)
}

func TestRestore_swap(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	seed(t, db)
	data := filepath.Dir(db.Path())
	dataDir(t, data)
	ctx := context.Background()
	name, err := Backup(ctx, db, data, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	second, err := Backup(ctx, db, data, filepath.Dir(name)) // in the same second
	if err != nil || second == name {
		t.Errorf("%s, %v", second, err)
	}
	if err := addThing(kerneltest.AsSystem(db, 1), 99); err != nil {
		t.Fatal(err)
	}
	o := RestoreOptions{From: name, Data: data}
	if _, err := Restore(ctx, o); !errors.Is(err, ErrInUse) {
		t.Errorf("restored under a working server: %v", err)
	}
	o.CheckOnly = true
	r, err := Restore(ctx, o)
	if err != nil || r.Restored || !strings.Contains(r.String(), "verified") || !strings.Contains(r.String(), "thing") {
		t.Errorf("%v, %v", r, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	o.CheckOnly = false
	r, err = Restore(ctx, o)
	if err != nil || !r.Restored || r.Aside == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	count := func(dir string) int64 {
		db := openDir(t, dir)
		defer func() { _ = db.Close() }()
		n, _, err := store.Get[int64](store.AcrossTenants(kerneltest.AsSystem(db, 1), "test: counts"), `SELECT COUNT(*) FROM thing`, nil)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	if now, old := count(data), count(r.Aside); now != 40 || old != 41 {
		t.Errorf("%d rows now, %d aside", now, old)
	}
	left, _ := filepath.Glob(data + ".restoring*")
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestRestore_damage: whatever is wrong with a backup is found before anything changes.
func TestRestore_damage(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	seed(t, db)
	data := filepath.Dir(db.Path())
	dataDir(t, data)
	for name, damage := range map[string]func(dir string) error{
		"flipped byte in the database": func(dir string) error { return flip(filepath.Join(dir, databaseLite)) },
		"flipped byte in a blob":       func(dir string) error { return flip(filepath.Join(dir, filesDir, "blobs/objects/ab/ef/abef")) },
		"missing file":                 func(dir string) error { return os.Remove(filepath.Join(dir, filesDir, "secret.key")) },
		"no manifest":                  func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"broken manifest":              func(dir string) error { return os.WriteFile(filepath.Join(dir, manifestName), []byte("{"), 0o600) },
		"future format":                func(dir string) error { return edit(dir, `"format": 1`, `"format": 2`) },
		"counts":                       func(dir string) error { return edit(dir, `"1": 20`, `"1": 21`) },
		"path outside":                 func(dir string) error { return edit(dir, `"files/secret.key"`, `"../secret.key"`) },
	} {
		t.Run(name, func(t *testing.T) {
			backup, err := Backup(context.Background(), db, data, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(backup); err != nil {
				t.Fatal(err)
			}
			fresh := filepath.Join(t.TempDir(), "data")
			for _, check := range []bool{true, false} {
				if r, err := Restore(context.Background(), RestoreOptions{From: backup, Data: fresh, CheckOnly: check}); err == nil || r.Restored {
					t.Errorf("restored: %v", err)
				}
			}
			if _, err := os.Stat(fresh); err == nil {
				t.Error("something was written")
			}
		})
	}
}

func flip(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 1
	return os.WriteFile(path, text, 0o600)
}

func edit(dir, old, new string) error {
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), old) {
		return errors.New("nothing to edit: " + old)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o600)
}

func TestRestore_wrongPlace(t *testing.T) {
	db := kerneltest.OpenPostgres(t, fixture)
	seed(t, db)
	backup, err := Backup(context.Background(), db, t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"no address": "", "a database with tables": db.Address()} {
		o := RestoreOptions{From: backup, Data: filepath.Join(t.TempDir(), "data"), DB: address}
		if r, err := Restore(context.Background(), o); err == nil || r.Restored {
			t.Errorf("%s: restored", name)
		}
	}
}

func TestBackup_leavesNothingHalf(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	to := t.TempDir()
	if _, err := Backup(ctx, db, filepath.Dir(db.Path()), to); err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(to); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestExchangeByRename(t *testing.T) {
	dir := t.TempDir()
	a, b, aside := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "aside")
	_ = os.Mkdir(b, 0o700)
	if err := exchangeByRename(a, b, aside); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(b); err != nil {
		t.Error("the data directory is gone:", err)
	}
	_ = os.Mkdir(a, 0o700)
	if err := exchangeByRename(a, b, aside); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(aside); err != nil {
		t.Error(err)
	}
}
