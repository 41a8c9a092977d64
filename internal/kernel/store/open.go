package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// Dialect names a database engine.
type Dialect string

// The engines.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Config says which database to open: URL postgres://… or, when empty, the
// SQLite file viva.db in the directory Dir.
type Config struct {
	URL string
	Dir string
	// ReadOnly opens a database that is there already, beside whoever works on it: no
	// writer, no checkpoint, no change of settings. Write and Migrate answer ErrReadOnly.
	ReadOnly bool
}

// DB is an open database. Put it into a context with Use.
type DB struct {
	dialect    Dialect
	readers    *sql.DB
	writerPool *sql.DB
	writer     *writer
	conf       *pgx.ConnConfig
	path       string
	readOnly   bool
	statements atomic.Pointer[sync.Map]
	cached     atomic.Int64
	hot        atomic.Int64
	hotWrites  atomic.Int64
	totals     totals
	tables     atomic.Pointer[catalogue]
	hub        hub
	waker      waker
	closing    sync.Once
	GroupSize  func(n int)
}

type catalogue struct {
	tenant  map[string]bool
	audited map[string]bool
}

// Open connects and applies the engine's settings; it does not migrate.
func Open(ctx context.Context, c Config) (*DB, error) {
	db := &DB{readOnly: c.ReadOnly}
	db.statements.Store(&sync.Map{})
	db.tables.Store(&catalogue{tenant: map[string]bool{}, audited: map[string]bool{}})
	switch {
	case c.URL != "":
		return db, db.openPostgres(ctx, c.URL)
	case c.ReadOnly:
		return db, db.openReader(ctx, c.Dir)
	}
	return db, db.openSQLite(ctx, c.Dir)
}

func (db *DB) openPostgres(ctx context.Context, address string) error {
	conf, err := pgx.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("store: database address: %w", err)
	}
	if conf.RuntimeParams["statement_timeout"] == "" {
		conf.RuntimeParams["statement_timeout"] = "10s"
	}
	conf.RuntimeParams["timezone"] = "UTC"
	if db.readOnly {
		conf.RuntimeParams["default_transaction_read_only"] = "on"
	}
	db.dialect, db.conf = Postgres, conf
	db.readers = stdlib.OpenDB(*conf)
	db.readers.SetMaxOpenConns(max(16, runtime.NumCPU()*4))
	db.readers.SetMaxIdleConns(max(16, runtime.NumCPU()*4))
	db.writerPool = db.readers
	if err := db.readers.PingContext(ctx); err != nil {
		return fmt.Errorf("store: PostgreSQL does not answer: %w", err)
	}
	var bypass bool
	const role = `SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user`
	if err := db.readers.QueryRowContext(ctx, role).Scan(&bypass); err == nil && bypass {
		slog.Warn("the database role bypasses row-level security; use a plain role that owns the database")
	}
	return nil
}

const (
	minSQLite     = "3.51.3" // older WAL versions can lose committed pages
	sqliteReading = "mode=ro&_pragma=busy_timeout(5000)&_pragma=temp_store(2)"
	sqlitePragmas = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=temp_store(2)"
)

func (db *DB) openSQLite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store: data directory: %w", err)
	}
	db.dialect = SQLite
	db.path = filepath.Join(dir, "viva.db")
	base := "file:" + (&url.URL{Path: db.path}).EscapedPath() + "?" + sqlitePragmas
	var err error
	if db.writerPool, err = sql.Open("sqlite", base+"&_txlock=immediate&_pragma=cache_size(-20000)&_pragma=wal_autocheckpoint(1000)"); err != nil {
		return err
	}
	db.writerPool.SetMaxOpenConns(1)
	if err := db.checkSQLite(ctx, db.writerPool); err != nil {
		return err
	}
	if err := db.forgetSamples(ctx); err != nil {
		return err
	}
	if db.readers, err = sql.Open("sqlite", base+"&_pragma=query_only(1)&_pragma=cache_size(-8000)"); err != nil {
		return err
	}
	readers := max(4, runtime.NumCPU()*2)
	db.readers.SetMaxOpenConns(readers)
	db.readers.SetMaxIdleConns(readers)
	db.writer, err = startWriter(ctx, db)
	return err
}

// openReader opens an existing SQLite file without ever writing to it. It may sit beside
// the server in another process: like any reader it sees one moment, holds up nobody who
// writes, and leaves the write-ahead log as it is, also when it closes last.
func (db *DB) openReader(ctx context.Context, dir string) (err error) {
	db.dialect, db.path = SQLite, filepath.Join(dir, "viva.db")
	if _, err := os.Stat(db.path); err != nil {
		return fmt.Errorf("store: no database to read: %w", err)
	}
	if db.readers, err = db.OpenWhole(); err != nil {
		return err
	}
	db.writerPool = db.readers
	return db.checkSQLite(ctx, db.readers)
}

// checkSQLite makes the first connection and refuses an engine that is too old.
func (db *DB) checkSQLite(ctx context.Context, pool *sql.DB) error {
	var version string
	if err := pool.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return fmt.Errorf("store: open %s: %w", db.path, err)
	}
	if versionLess(version, minSQLite) {
		return fmt.Errorf("store: SQLite %s is older than %s", version, minSQLite)
	}
	return nil
}

// forgetSamples drops the sampled values an ANALYZE by hand leaves in the file. With them
// SQLite plans a statement again whenever a parameter takes another value, which costs
// more than most of our statements themselves; the counts of the same ANALYZE stay.
func (db *DB) forgetSamples(ctx context.Context) error {
	var sampled bool
	if err := db.writerPool.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'sqlite_stat4'").Scan(&sampled); err != nil || !sampled {
		return err
	}
	if _, err := db.writerPool.ExecContext(ctx, "DELETE FROM sqlite_stat4"); err != nil {
		return err
	}
	_, err := db.writerPool.ExecContext(ctx, "ANALYZE sqlite_schema") // reads what is left; counts nothing
	return err
}

func versionLess(a, b string) bool {
	var x, y [3]int
	_, _ = fmt.Sscanf(a, "%d.%d.%d", &x[0], &x[1], &x[2])
	_, _ = fmt.Sscanf(b, "%d.%d.%d", &y[0], &y[1], &y[2])
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

// Dialect says which engine this is.
func (db *DB) Dialect() Dialect { return db.dialect }

// Path is the SQLite file, empty on PostgreSQL.
func (db *DB) Path() string { return db.path }

// Pool is a raw pool for engine-level work: the whole one on PostgreSQL, the read-only
// one on SQLite, whose only writing connection belongs to the writer. Only the kernel
// and the command line may use it.
func (db *DB) Pool() *sql.DB { return db.readers }

// Address is the PostgreSQL connection string, empty on SQLite.
func (db *DB) Address() string {
	if db.conf == nil {
		return ""
	}
	return db.conf.ConnString()
}

// Close finishes the writer's queue, checkpoints and closes all connections. A second
// Close does nothing.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		db.waker.close()
		db.hub.close()
		if db.writer != nil {
			db.writer.stop()
		}
		err = db.readers.Close()
		if db.writerPool != db.readers {
			err = errors.Join(err, db.writerPool.Close())
		}
	})
	return err
}

// Ping answers nil when the writer commits within the context's time.
func (db *DB) Ping(ctx context.Context) error {
	return Write(Use(ctx, db), func(context.Context) error { return nil })
}

// RefreshCatalogue reads which tables carry a tenant column. Migrate calls it.
func (db *DB) RefreshCatalogue(ctx context.Context) error {
	q := `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'tenant_id' WHERE m.type = 'table'`
	if db.dialect == Postgres {
		q = `SELECT table_name FROM information_schema.columns WHERE column_name = 'tenant_id' AND table_schema = current_schema()`
	}
	rows, err := db.readers.QueryContext(ctx, q) // SQLite: the writer holds the writing connection
	if err != nil {
		return err
	}
	defer rows.Close()
	next := &catalogue{tenant: map[string]bool{}, audited: auditedTables()}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		next.tenant[name] = true
	}
	db.tables.Store(next)
	db.statements.Store(&sync.Map{})
	return rows.Err()
}

// TenantTables lists the tables that carry a tenant column.
func (db *DB) TenantTables() []string {
	var names []string
	for name := range db.tables.Load().tenant {
		names = append(names, name)
	}
	return names
}

var (
	auditedLock sync.Mutex
	auditedSet  = map[string]bool{}
)

// Audited declares a table whose rows may change only through package table,
// which writes the audit row. Called when a table is declared.
func Audited(table string) {
	auditedLock.Lock()
	defer auditedLock.Unlock()
	auditedSet[strings.ToLower(table)] = true
}

func auditedTables() map[string]bool {
	auditedLock.Lock()
	defer auditedLock.Unlock()
	set := make(map[string]bool, len(auditedSet))
	for name := range auditedSet {
		set[name] = true
	}
	return set
}
