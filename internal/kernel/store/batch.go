package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Batch is a list of statements that go to PostgreSQL in one exchange; SQLite runs them
// one after another, prepared. Each passes the same walls as a statement of its own.
//
//	var b store.Batch
//	n := b.Exec(sqlTouch, args)              // *n is known after Send
//	rows := store.Read[row](&b, sqlRows, args)
//	err := b.Send(ctx)                       // inside a Write
//
// The first statement that fails ends the batch with a *BatchError.
type Batch struct {
	items []*batched
}

type batched struct {
	q      constSQL
	args   Args
	text   string
	values []any
	st     *statement
	count  int64
	tag    pgconn.CommandTag // what PostgreSQL says it did
	fetch  *fetch            // nil for a change without RETURNING

	// Of a batch that waits: its place there, and the caller's word for its failure.
	at      int
	explain func(error) error
}

// fetch reads rows either from database/sql or from pgx.
type fetch struct {
	lite func(*sql.Rows) error
	pg   func(pgx.Rows) error
}

// BatchError says which statement of a batch failed, counted from 0.
type BatchError struct {
	At    int
	cause error
}

// Error implements error.
func (e *BatchError) Error() string { return fmt.Sprintf("statement %d of a batch: %v", e.At, e.cause) }

// Unwrap gives the cause.
func (e *BatchError) Unwrap() error { return e.cause }

// Len is the number of statements.
func (b *Batch) Len() int { return len(b.items) }

// Exec adds a change. The number of rows it touched stands in the result after Send.
func (b *Batch) Exec(q constSQL, args Args) *int64 {
	item := &batched{q: q, args: args}
	b.items = append(b.items, item)
	return &item.count
}

// Read adds a query, or a change with RETURNING. The rows stand in the result after Send.
func Read[T any](b *Batch, q constSQL, args Args) *[]T {
	list := &[]T{}
	b.items = append(b.items, &batched{q: q, args: args, fetch: &fetch{
		lite: func(rows *sql.Rows) error { return eachSQL(rows, keep(list)) },
		pg:   func(rows pgx.Rows) error { return eachPgx(rows, keep(list)) },
	}})
	return list
}

// Send runs the statements in their order.
func (b *Batch) Send(ctx context.Context) error {
	if len(b.items) == 0 {
		return nil
	}
	db, t := From(ctx), txOf(ctx)
	if t == nil {
		return ErrNotInWrite
	}
	for i, item := range b.items {
		if err := item.bind(ctx, db); err != nil {
			return &BatchError{i, err}
		}
	}
	at, err := 0, error(nil)
	if db.dialect == Postgres {
		t.align(ctx)
		at, err = t.exchange(ctx, b.items...)
	} else {
		at, err = b.runSQLite(db.inside(ctx), db, t.conn)
	}
	switch {
	case err == nil:
		return nil
	case at < 0: // a statement that waited
		return classify(err)
	}
	return &BatchError{at, classify(err)}
}

// Later is Send for a batch of whose results nobody needs to know before the end of the
// transaction; see the function Later. explain, unless nil, turns the *BatchError of a
// statement that failed, then or now, into the error that the transaction ends with.
func (b *Batch) Later(ctx context.Context, explain func(error) error) error {
	db, t := From(ctx), txOf(ctx)
	if db.dialect == SQLite || t == nil {
		err := b.Send(ctx)
		if err != nil && explain != nil {
			err = explain(err)
		}
		return err
	}
	for i, item := range b.items {
		if err := item.bind(ctx, db); err != nil {
			return &BatchError{i, err}
		}
		item.at, item.explain = i, explain
	}
	return t.wait(ctx, b.items...)
}

// bind checks the statement and brings its values into the forms that every driver
// knows, as database/sql does.
func (item *batched) bind(ctx context.Context, db *DB) (err error) {
	item.text, item.values, item.st, err = db.bind(ctx, item.q, item.args)
	if err != nil {
		return err
	}
	for i, v := range item.values {
		if item.values[i], err = driver.DefaultParameterConverter.ConvertValue(v); err != nil {
			return fmt.Errorf("store: value %d of %s: %w", i+1, firstLine(string(item.q)), err)
		}
	}
	return nil
}

func (b *Batch) runSQLite(ctx context.Context, db *DB, conn *sql.Conn) (int, error) {
	for i, item := range b.items {
		if err := item.runSQLite(ctx, db, conn); err != nil {
			return i, err
		}
	}
	return 0, nil
}

func (item *batched) runSQLite(ctx context.Context, db *DB, conn *sql.Conn) error {
	var run interface {
		ExecContext(ctx context.Context, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	} = once{conn, item.text}
	if kept := db.preparedWrite(ctx, item.st, item.text, conn); kept != nil {
		run = kept
	}
	if item.fetch != nil {
		rows, err := run.QueryContext(ctx, item.values...)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		return item.fetch.lite(rows)
	}
	res, err := run.ExecContext(ctx, item.values...)
	if err == nil {
		item.count, err = res.RowsAffected()
	}
	return err
}

// once is a statement that is not kept prepared: its text depends on the length of a
// list.
type once struct {
	conn *sql.Conn
	text string
}

func (o once) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return o.conn.ExecContext(ctx, o.text, args...)
}

func (o once) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return o.conn.QueryContext(ctx, o.text, args...)
}

func (item *batched) receive(answers pgx.BatchResults) error {
	if item.fetch == nil {
		var err error
		item.tag, err = answers.Exec()
		item.count = item.tag.RowsAffected()
		return err
	}
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	return item.fetch.pg(rows)
}
