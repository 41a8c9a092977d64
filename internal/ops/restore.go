package ops

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// RestoreOptions say what comes where.
type RestoreOptions struct {
	From string // directory of one backup
	Data string // data directory to replace
	DB   string // address of an empty PostgreSQL database, for a backup of PostgreSQL
	// CheckOnly verifies the backup and counts its rows, and changes nothing.
	CheckOnly bool
}

// Report says what a backup holds and what Restore did.
type Report struct {
	Manifest Manifest
	Restored bool
	// Aside is where the former data directory stands now; empty when there was none.
	Aside string
}

// String is the report for the terminal.
func (r Report) String() string {
	var out strings.Builder
	var rows, size int64
	for _, t := range r.Manifest.Tables {
		rows += t.Rows()
		_, _ = fmt.Fprintf(&out, "%-40s %10d  %v\n", t.Name, t.Rows(), t.Tenants)
	}
	for _, f := range r.Manifest.Files {
		size += f.Size
	}
	_, _ = fmt.Fprintf(&out, "backup of %s, %s, schema %d: %d tables, %d rows, %d files, %d bytes: verified\n",
		time.UnixMilli(r.Manifest.Time).UTC().Format(time.RFC3339), r.Manifest.Dialect, r.Manifest.Schema, len(r.Manifest.Tables), rows, len(r.Manifest.Files), size)
	if r.Restored {
		out.WriteString("restored")
		if r.Aside != "" {
			out.WriteString("; the former data directory is " + r.Aside)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// snapshot is a transaction that sees one moment.
var snapshot = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}

// ErrInUse says that a server works on the data directory.
var ErrInUse = errors.New("ops: a server uses this data directory; stop it first")

// Restore verifies a backup and, unless CheckOnly, puts it in place. No server may use
// the data directory. It is safe to interrupt: until the last step nothing has changed.
func Restore(ctx context.Context, o RestoreOptions) (Report, error) {
	m, err := readManifest(o.From)
	if err != nil {
		return Report{}, err
	}
	r := Report{Manifest: m}
	if err := m.verify(o.From); err != nil {
		return r, err
	}
	if m.Dialect == store.SQLite {
		tables, schema, err := inspectSQLite(ctx, filepath.Join(o.From, databaseLite))
		if err == nil {
			err = compare(m.Tables, tables)
		}
		if err == nil && schema != m.Schema {
			err = fmt.Errorf("ops: the copy has schema %d instead of %d", schema, m.Schema)
		}
		if err != nil {
			return r, err
		}
	}
	if o.CheckOnly {
		return r, nil
	}
	switch {
	case m.Dialect == store.SQLite && o.DB != "":
		return r, errors.New("ops: this is a backup of SQLite; restore it without a database address, then transfer")
	case m.Dialect == store.Postgres && o.DB == "":
		return r, errors.New("ops: this is a backup of PostgreSQL; give the address of an empty database")
	case m.Dialect == store.SQLite:
		err = notInUse(ctx, filepath.Join(o.Data, databaseLite))
	default:
		err = m.restorePostgres(ctx, o)
	}
	if err != nil {
		return r, err
	}
	r.Aside, err = m.swapIn(o)
	r.Restored = err == nil
	return r, err
}

func sqliteURL(path, query string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + query
}

// inspectSQLite opens a copy read-only, checks its structure and counts.
func inspectSQLite(ctx context.Context, path string) ([]Table, int64, error) {
	db, err := sql.Open("sqlite", sqliteURL(path, "mode=ro&immutable=1"))
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = db.Close() }()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil {
		return nil, 0, err
	}
	if verdict != "ok" {
		return nil, 0, fmt.Errorf("ops: the copy is damaged: %s", verdict)
	}
	return describe(ctx, db, store.SQLite)
}

// notInUse asks for sole ownership of the database: leaving WAL mode needs it.
func notInUse(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", sqliteURL(path, "_pragma=busy_timeout(0)"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode)
	if err != nil && strings.Contains(err.Error(), "locked") {
		return ErrInUse
	}
	return nil // a damaged database is a reason to restore
}

// swapIn builds the new data directory beside the old one and exchanges them.
func (m Manifest) swapIn(o RestoreOptions) (aside string, err error) {
	data := filepath.Clean(o.Data)
	if err := os.MkdirAll(filepath.Dir(data), 0o700); err != nil {
		return "", err
	}
	stamp := clock.Now().UTC().Format("20060102T150405Z")
	fresh, err := freeName(data + ".restoring-" + stamp)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(fresh)
		}
	}()
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return "", err
	}
	for _, f := range m.Files {
		rel, ok := strings.CutPrefix(f.Path, filesDir+"/")
		if !ok && (f.Path != databaseLite || m.Dialect != store.SQLite) {
			continue
		}
		if !ok {
			rel = f.Path
		}
		if !filepath.IsLocal(rel) {
			return "", fmt.Errorf("ops: %s leads out of the data directory", f.Path)
		}
		_, sum, err := copyFile(filepath.Join(o.From, f.Path), filepath.Join(fresh, rel))
		if err != nil {
			return "", err
		}
		if sum != f.SHA256 {
			return "", fmt.Errorf("ops: %s changed while it was copied", f.Path)
		}
	}
	if err := syncDirs(fresh); err != nil {
		return "", err
	}
	if _, err := os.Lstat(data); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(fresh, data); err != nil {
			return "", err
		}
		return "", syncPath(filepath.Dir(data))
	}
	if aside, err = freeName(data + ".before-" + stamp); err != nil {
		return "", err
	}
	if err := exchange(fresh, data, aside); err != nil {
		return "", err
	}
	return aside, syncPath(filepath.Dir(data))
}

// restorePostgres fills an empty database in one transaction and counts afterwards.
func (m Manifest) restorePostgres(ctx context.Context, o RestoreOptions) error {
	db, err := store.Open(ctx, store.Config{URL: o.DB})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	pool, err := db.OpenWhole()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	columns, err := columnsOf(ctx, pool, store.Postgres)
	if err != nil {
		return err
	}
	if len(columns) > 0 {
		return fmt.Errorf("ops: the database has %d tables; give an empty one, so that the old one stays as it is", len(columns))
	}
	dump := filepath.Join(o.From, databaseDump)
	if err := run(ctx, "pg_restore", o.DB, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", dump); err != nil {
		return err
	}
	tables, _, err := describe(ctx, pool, store.Postgres)
	if err != nil {
		return err
	}
	return compare(m.Tables, tables)
}

func hashFile(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	sum := sha256.New()
	_, err = io.Copy(sum, in)
	return hex.EncodeToString(sum.Sum(nil)), err
}
