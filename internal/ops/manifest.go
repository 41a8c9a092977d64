package ops

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viva/internal/kernel/store"
)

const (
	manifestName   = "manifest.json"
	manifestFormat = 1
	databaseLite   = "viva.db"
	databaseDump   = "database.dump"
	filesDir       = "files"
)

// Manifest tells what a backup holds.
type Manifest struct {
	Format  int           `json:"format"`
	Time    int64         `json:"time"`
	Dialect store.Dialect `json:"dialect"`
	Schema  int64         `json:"schema"` // the newest migration
	Tables  []Table       `json:"tables"`
	Files   []File        `json:"files"`
}

// Table counts rows by tenant; tenant 0 stands for tables and rows of no tenant.
type Table struct {
	Name    string          `json:"name"`
	Tenants map[int64]int64 `json:"tenants"`
}

// Rows is the number over all tenants.
func (t Table) Rows() (n int64) {
	for _, rows := range t.Tenants {
		n += rows
	}
	return n
}

// File is one file of the backup, by its path from the backup's directory.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func readManifest(dir string) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, os.ErrNotExist) {
		return m, fmt.Errorf("ops: %s holds no complete backup: %s is missing", dir, manifestName)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("ops: %s: %w", manifestName, err)
	}
	if m.Format != manifestFormat {
		return m, fmt.Errorf("ops: the backup has format %d; this program reads %d", m.Format, manifestFormat)
	}
	return m, nil
}

// verify compares every file with its checksum. Paths cannot lead out of the backup.
func (m Manifest) verify(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, f := range m.Files {
		in, err := root.Open(f.Path)
		if err != nil {
			return fmt.Errorf("ops: the backup lacks a file: %w", err)
		}
		sum := sha256.New()
		n, err := io.Copy(sum, in)
		_ = in.Close()
		if err != nil {
			return err
		}
		if n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return fmt.Errorf("ops: %s is damaged: its checksum differs from the manifest", f.Path)
		}
	}
	return nil
}

func (m Manifest) database() string {
	if m.Dialect == store.SQLite {
		return databaseLite
	}
	return databaseDump
}

// copyFile writes to with a checksum, durably.
func copyFile(from, to string) (size int64, sum string, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = in.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return 0, "", err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(out, hash), bufio.NewReaderSize(in, 1<<20))
	if err == nil {
		err = out.Sync()
	}
	return size, hex.EncodeToString(hash.Sum(nil)), errors.Join(err, out.Close())
}

// syncDirs makes the names below dir durable.
func syncDirs(dir string) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return syncPath(path)
	})
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// querier is a connection or transaction of either engine.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

const (
	liteColumns = `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
 WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`
	postgresColumns = `SELECT table_name, column_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name, ordinal_position`
	newestMigration = `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`
	gooseTable      = "goose_db_version"
)

// columnsOf lists the columns of every table.
func columnsOf(ctx context.Context, q querier, d store.Dialect) (map[string][]string, error) {
	text := liteColumns
	if d == store.Postgres {
		text = postgresColumns
	}
	columns := map[string][]string{}
	err := eachRow(ctx, q, text, func(rows *sql.Rows) error {
		var table, column string
		err := rows.Scan(&table, &column)
		columns[table] = append(columns[table], column)
		return err
	})
	return columns, err
}

func eachRow(ctx context.Context, q querier, text string, fn func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// quote makes an identifier; names come from the database's own catalogue.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// describe counts all tables by tenant and gives the newest migration.
func describe(ctx context.Context, q querier, d store.Dialect) (tables []Table, schema int64, err error) {
	columns, err := columnsOf(ctx, q, d)
	if err != nil {
		return nil, 0, err
	}
	for name, list := range columns {
		tenant := "0"
		if slices.Contains(list, "tenant_id") {
			tenant = "tenant_id"
		}
		t := Table{Name: name, Tenants: map[int64]int64{}}
		// Grouped below a sub-select, since GROUP BY a constant is refused.
		text := "SELECT tenant, COUNT(*) FROM (SELECT " + tenant + " AS tenant FROM " + quote(name) + ") counted GROUP BY tenant"
		err := eachRow(ctx, q, text, func(rows *sql.Rows) error {
			var id, n int64
			err := rows.Scan(&id, &n)
			t.Tenants[id] = n
			return err
		})
		if err != nil {
			return nil, 0, fmt.Errorf("ops: count %s: %w", name, err)
		}
		tables = append(tables, t)
	}
	slices.SortFunc(tables, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	if columns[gooseTable] == nil {
		return nil, 0, errors.New("ops: this database was never migrated")
	}
	err = eachRow(ctx, q, newestMigration, func(rows *sql.Rows) error { return rows.Scan(&schema) })
	return tables, schema, err
}

// compare names the first table whose counts differ.
func compare(want, got []Table) error {
	text := func(list []Table) map[string]string {
		m := map[string]string{}
		for _, t := range list {
			m[t.Name] = fmt.Sprint(t.Tenants) // maps print in the order of their keys
		}
		return m
	}
	w, g := text(want), text(got)
	for name, rows := range w {
		if g[name] != rows {
			return fmt.Errorf("ops: table %s has rows by tenant %s instead of %s", name, g[name], rows)
		}
	}
	for name := range g {
		if _, ok := w[name]; !ok {
			return fmt.Errorf("ops: table %s is not in the manifest", name)
		}
	}
	return nil
}
