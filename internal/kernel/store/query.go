package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jmoiron/sqlx/reflectx"
	"modernc.org/sqlite"

	"viva/internal/kernel/errs"
)

type dbKey struct{}
type txKey struct{}

// Use puts the database into a context.
func Use(ctx context.Context, db *DB) context.Context { return context.WithValue(ctx, dbKey{}, db) }

// From gives the database of a context; it panics when there is none, since every
// entry point puts it there.
func From(ctx context.Context) *DB { return ctx.Value(dbKey{}).(*DB) }

// tx is the transaction that rides in a Write's context.
type tx struct {
	conn    *sql.Conn // SQLite: the writing connection
	after   []func()
	signals map[string]bool // already sent in this transaction

	// PostgreSQL only.
	pg   *pgx.Conn
	wall string     // row-level-security bounds in force after late
	late []*batched // statements that go with the next exchange
}

func txOf(ctx context.Context) *tx {
	t, _ := ctx.Value(txKey{}).(*tx)
	return t
}

// InWrite reports whether ctx is inside a Write.
func InWrite(ctx context.Context) bool { return txOf(ctx) != nil }

// Mapper names columns: snake_case of the field, or the db tag.
var Mapper = reflectx.NewMapperTagFunc("db", Snake, func(tag string) string {
	name, _, _ := strings.Cut(tag, ",")
	return name
})

// Snake turns a Go field name into a column name: DeptID → dept_id.
func Snake(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 &&
			(unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// Select reads all rows of a query into structs (columns by Mapper) or scalars.
// The list is never nil.
func Select[T any](ctx context.Context, q constSQL, args Args) ([]T, error) {
	list := []T{}
	err := Each(ctx, q, args, func(row T) error {
		list = append(list, row)
		return nil
	})
	return list, err
}

// Get reads the first row; ok is false when there is none.
func Get[T any](ctx context.Context, q constSQL, args Args) (row T, ok bool, err error) {
	err = Each(ctx, q, args, func(r T) error {
		row, ok = r, true
		return errStop
	})
	return row, ok, err
}

// One reads the first row, or errs.ErrNoRecord.
func One[T any](ctx context.Context, q constSQL, args Args) (T, error) {
	row, ok, err := Get[T](ctx, q, args)
	if err == nil && !ok {
		err = errs.ErrNoRecord.With()
	}
	return row, err
}

var errStop = errors.New("stop")

// Each streams rows to fn; exports use it so that memory stays flat. Inside a Write all
// rows are read before fn gets the first, so that fn may change what it reads.
func Each[T any](ctx context.Context, q constSQL, args Args, fn func(T) error) (err error) {
	db, t := From(ctx), txOf(ctx)
	item := &batched{q: q, args: args}
	if err := item.bind(ctx, db); err != nil {
		return err
	}
	if item.st.changes && t == nil {
		return ErrNotInWrite
	}
	switch {
	case db.dialect == Postgres && t != nil:
		var list []T
		item.fetch = &fetch{pg: func(rows pgx.Rows) error { return eachPgx(rows, keep(&list)) }}
		if err = t.run(ctx, item); err == nil {
			err = eachOf(list, fn)
		}
	case db.dialect == Postgres:
		err = db.onConn(ctx, func(c *pgx.Conn) error {
			rows, err := c.Query(ctx, item.text, item.values...)
			if err != nil {
				return classify(err)
			}
			defer rows.Close()
			return eachPgx(rows, fn)
		})
	default:
		var rows *sql.Rows
		if rows, err = db.query(ctx, t, item); err != nil {
			return classify(err)
		}
		defer func() { _ = rows.Close() }()
		err = eachSQL(rows, fn)
	}
	if err == errStop {
		err = nil
	}
	return err
}

// query reads on SQLite, outside a transaction in the kept form.
func (db *DB) query(ctx context.Context, t *tx, item *batched) (*sql.Rows, error) {
	if t != nil {
		return t.conn.QueryContext(db.inside(ctx), item.text, item.values...)
	}
	if kept := db.prepared(item.st, item.text); kept != nil {
		return kept.QueryContext(ctx, item.values...)
	}
	return db.readers.QueryContext(ctx, item.text, item.values...)
}

// inside keeps a caller's cancellation from interrupting a group of other callers'
// closures: SQLite rolls the whole transaction back when a change is interrupted.
func (db *DB) inside(ctx context.Context) context.Context {
	if db.dialect == SQLite {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// Exec runs a change and gives the number of rows it touched.
func Exec(ctx context.Context, q constSQL, args Args) (int64, error) {
	db, t := From(ctx), txOf(ctx)
	if t == nil {
		return 0, ErrNotInWrite
	}
	item := &batched{q: q, args: args}
	if err := item.bind(ctx, db); err != nil {
		return 0, err
	}
	if db.dialect == Postgres {
		err := t.run(ctx, item)
		return item.count, err
	}
	res, err := db.exec(db.inside(ctx), t, item)
	if err != nil {
		return 0, classify(err)
	}
	return res.RowsAffected()
}

// exec runs a change on SQLite in its prepared form. A query is not: its rows may be
// open while the same query runs again.
func (db *DB) exec(ctx context.Context, t *tx, item *batched) (sql.Result, error) {
	if kept := db.preparedWrite(ctx, item.st, item.text, t.conn); kept != nil {
		return kept.ExecContext(ctx, item.values...)
	}
	return t.conn.ExecContext(ctx, item.text, item.values...)
}

// ErrUnique is a violated unique index.
var ErrUnique = errors.New("store: a unique index refused the row")

// classify turns engine errors into ours: a unique violation, or unavailable for a
// full disk, a lost connection and the like. Others pass unchanged.
func classify(err error) error {
	if err == nil {
		return nil
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch code := lite.Code(); {
		case code == 2067 || code == 1555:
			return errors.Join(ErrUnique, err)
		case code&0xff == 13 || code&0xff == 10 || code&0xff == 5 || code&0xff == 8 || code&0xff == 14: // FULL IOERR BUSY READONLY CANTOPEN
			return errs.ErrUnavailable.With().Because(err)
		}
		return err
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch {
		case pg.Code == "23505":
			return errors.Join(ErrUnique, err)
		case pg.Code == "22021": // text with U+0000, which PostgreSQL cannot hold
			return errs.ErrInvalid.With("U+0000").Because(err)
		case strings.HasPrefix(pg.Code, "57P"), strings.HasPrefix(pg.Code, "53"), strings.HasPrefix(pg.Code, "08"), pg.Code == "57014":
			return errs.ErrUnavailable.With().Because(err)
		}
		return err
	}
	if isLost(err) {
		return errs.ErrUnavailable.With().Because(err)
	}
	return err
}
