package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// Backup writes a backup into a new directory below to and gives its name. The server
// may run, in this process or, when db is opened with store.Config.ReadOnly, in another.
// dataDir is where the files live; on SQLite the database too.
func Backup(ctx context.Context, db *store.DB, dataDir, to string) (name string, err error) {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return "", err
	}
	name, err = freeName(filepath.Join(to, "viva-"+clock.Now().UTC().Format("20060102T150405Z")))
	if err != nil {
		return "", err
	}
	work := name + ".partial"
	if err := os.Mkdir(work, 0o700); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(work)
		}
	}()
	m := Manifest{Format: manifestFormat, Time: clock.Millis(), Dialect: db.Dialect()}
	if err := m.saveDatabase(ctx, db, work); err != nil {
		return "", err
	}
	if err := m.saveFiles(ctx, dataDir, to, work); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(work, manifestName), text, 0o600); err != nil {
		return "", err
	}
	if err := syncPath(filepath.Join(work, manifestName)); err != nil {
		return "", err
	}
	if err := syncDirs(work); err != nil {
		return "", err
	}
	if err := os.Rename(work, name); err != nil {
		return "", err
	}
	return name, syncPath(to)
}

// freeName gives the name, or the name with a number when it exists.
func freeName(name string) (string, error) {
	for n := 1; n < 1000; n++ {
		try := name
		if n > 1 {
			try += "-" + strconv.Itoa(n)
		}
		if _, err := os.Lstat(try); errors.Is(err, fs.ErrNotExist) {
			return try, nil
		}
	}
	return "", fmt.Errorf("ops: %s exists a thousand times", name)
}

func (m *Manifest) saveDatabase(ctx context.Context, db *store.DB, work string) (err error) {
	target := filepath.Join(work, m.database())
	if db.Dialect() == store.SQLite {
		m.Tables, m.Schema, err = saveSQLite(ctx, db, target)
	} else {
		m.Tables, m.Schema, err = savePostgres(ctx, db, target)
	}
	if err != nil {
		return fmt.Errorf("ops: database: %w", err)
	}
	if err := syncPath(target); err != nil {
		return err
	}
	return m.add(work, m.database())
}

// add hashes a file that stands in the backup already.
func (m *Manifest) add(work, path string) error {
	info, err := os.Stat(filepath.Join(work, path))
	if err != nil {
		return err
	}
	sum, err := hashFile(filepath.Join(work, path))
	m.Files = append(m.Files, File{Path: path, Size: info.Size(), SHA256: sum})
	return err
}

// saveSQLite copies the database in one read transaction, which neither waits for the
// writer nor keeps it waiting, and counts in the copy.
func saveSQLite(ctx context.Context, db *store.DB, target string) ([]Table, int64, error) {
	pool, err := db.OpenWhole()
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = pool.Close() }()
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", target); err != nil {
		return nil, 0, err
	}
	if err := os.Chmod(target, 0o600); err != nil {
		return nil, 0, err
	}
	return inspectSQLite(ctx, target)
}

// savePostgres dumps and counts in one snapshot.
func savePostgres(ctx context.Context, db *store.DB, target string) ([]Table, int64, error) {
	pool, err := db.OpenWhole()
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = pool.Close() }()
	tx, err := pool.BeginTx(ctx, snapshot)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = tx.Rollback() }()
	var name string
	if err := tx.QueryRowContext(ctx, "SELECT pg_export_snapshot()").Scan(&name); err != nil {
		return nil, 0, err
	}
	err = run(ctx, "pg_dump", db.Address(), "--format=custom", "--no-owner", "--no-privileges", "--enable-row-security", "--snapshot="+name, "--file="+target)
	if err != nil {
		return nil, 0, err
	}
	return describe(ctx, tx, store.Postgres)
}

// run calls a PostgreSQL program. The password travels in the environment, which other
// users cannot read; the span of tenants is open, since the role obeys row-level security.
func run(ctx context.Context, program, address string, args ...string) error {
	path, err := find(program)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("ops: the database address is not a URL")
	}
	password, _ := u.User.Password()
	u.User = url.User(u.User.Username())
	cmd := exec.CommandContext(ctx, path, append([]string{"--dbname=" + u.String()}, args...)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password,
		"PGOPTIONS=-c app.tenant_low=0 -c app.tenant_high="+strconv.FormatInt(math.MaxInt64, 10)+" -c statement_timeout=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, strings.TrimSpace(string(out)))
	}
	return nil
}

func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program); len(found) > 0 {
		return found[len(found)-1], nil
	}
	return "", fmt.Errorf("ops: %s is not installed (Debian package postgresql-client)", program)
}

// saveFiles copies what stands beside the database: blobs, keys, settings. Files that
// change by themselves are left out: the database, running uploads, backups.
func (m *Manifest) saveFiles(ctx context.Context, dataDir, to, work string) error {
	err := filepath.WalkDir(dataDir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel, err := filepath.Rel(dataDir, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if within(path, to) || e.Name() == "uploads" {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || strings.HasPrefix(rel, databaseLite) {
			return nil
		}
		target := filepath.Join(filesDir, rel)
		size, sum, err := copyFile(path, filepath.Join(work, target))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		m.Files = append(m.Files, File{Path: filepath.ToSlash(target), Size: size, SHA256: sum})
		return err
	})
	if err != nil {
		return fmt.Errorf("ops: files: %w", err)
	}
	return nil
}

// within reports whether path is the directory to or lies below it.
func within(path, to string) bool {
	a, err1 := filepath.Abs(path)
	b, err2 := filepath.Abs(to)
	return err1 == nil && err2 == nil && (a == b || strings.HasPrefix(a, b+string(filepath.Separator)))
}
