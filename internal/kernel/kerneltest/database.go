package kerneltest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Kernel are the migrations that every database of a test has.
func Kernel() []fs.FS {
	return []fs.FS{audit.Migrations, web.Migrations, event.Migrations, job.Migrations}
}

// Each runs the test on SQLite and on PostgreSQL, each time in a fresh database with the
// kernel's tables and those of the migrations given.
func Each(t *testing.T, test func(t *testing.T, db *store.DB), migrations ...fs.FS) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, Open(t, migrations...)) })
	t.Run("postgres", func(t *testing.T) { test(t, OpenPostgres(t, migrations...)) })
}

// Open gives a fresh SQLite database, closed at the end of the test.
func Open(t testing.TB, migrations ...fs.FS) *store.DB {
	t.Helper()
	modules := withKernel(migrations)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "viva.db"), sqliteTemplate(t, modules), 0o600); err != nil {
		t.Fatal(err)
	}
	return Again(t, store.Config{Dir: dir})
}

// OpenPostgres gives a fresh PostgreSQL database, dropped at the end of the test.
func OpenPostgres(t testing.TB, migrations ...fs.FS) *store.DB {
	t.Helper()
	c := Shared(t)
	name := databaseName()
	address, err := c.Create(name, postgresTemplate(t, c, withKernel(migrations)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Drop(name); err != nil {
			t.Error(err)
		}
	})
	return Again(t, store.Config{URL: address})
}

var databases atomic.Int64

func databaseName() string { return fmt.Sprintf("test_%d", databases.Add(1)) }

// Again opens a database that exists, closed at the end of the test.
func Again(t testing.TB, c store.Config) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), c)
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func withKernel(migrations []fs.FS) []fs.FS {
	all := Kernel()
next:
	for _, m := range migrations {
		for _, known := range all {
			if reflect.TypeOf(m).Comparable() && m == known {
				continue next
			}
		}
		all = append(all, m)
	}
	return all
}

type template struct {
	once  sync.Once
	bytes []byte // SQLite
	name  string // PostgreSQL
	err   error
}

var templates sync.Map // "dialect hash" → *template

func templateFor(t testing.TB, dialect string, modules []fs.FS) *template {
	t.Helper()
	sum := sha256.New()
	for _, m := range modules {
		err := fs.WalkDir(m, ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := fs.ReadFile(m, path)
			_, _ = fmt.Fprintf(sum, "%s %d ", path, len(text))
			sum.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	made, _ := templates.LoadOrStore(dialect+hex.EncodeToString(sum.Sum(nil)), &template{})
	return made.(*template)
}

func migrate(c store.Config, modules []fs.FS) error {
	ctx := context.Background()
	db, err := store.Open(ctx, c)
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx, modules...); err != nil {
		_ = db.Close()
		return err
	}
	return db.Close()
}

func sqliteTemplate(t testing.TB, modules []fs.FS) []byte {
	t.Helper()
	tpl := templateFor(t, "sqlite", modules)
	tpl.once.Do(func() {
		dir, err := os.MkdirTemp("", "viva-template-")
		if err != nil {
			tpl.err = err
			return
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if tpl.err = migrate(store.Config{Dir: dir}, modules); tpl.err == nil {
			tpl.bytes, tpl.err = os.ReadFile(filepath.Join(dir, "viva.db"))
		}
	})
	if tpl.err != nil {
		t.Fatal(tpl.err)
	}
	return tpl.bytes
}

func postgresTemplate(t testing.TB, c *Cluster, modules []fs.FS) string {
	t.Helper()
	tpl := templateFor(t, "postgres", modules)
	tpl.once.Do(func() {
		tpl.name = "template_" + databaseName()
		var address string
		if address, tpl.err = c.Create(tpl.name, ""); tpl.err == nil {
			tpl.err = migrate(store.Config{URL: address}, modules)
		}
	})
	if tpl.err != nil {
		t.Fatal(tpl.err)
	}
	return tpl.name
}
