package store

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
)

// hot keeps the prepared form of a statement that is read often on SQLite, where parsing
// costs as much as a lookup by key. PostgreSQL's driver keeps its own.
type hot struct {
	uses  atomic.Int64
	once  sync.Once
	stmt  atomic.Pointer[sql.Stmt]
	write onConn // touched by the writer only
}

// onConn is a statement prepared on one connection; another connection, after a
// migration, prepares its own.
type onConn struct {
	conn *sql.Conn
	stmt *sql.Stmt
}

// hotAfter uses a statement is worth its memory on every reader connection; maxHot
// bounds how many are.
const (
	hotAfter = 16
	maxHot   = 400
)

// prepared gives the kept statement, or nil while it is used seldom.
func (db *DB) prepared(st *statement, text string) *sql.Stmt {
	if s := st.hot.stmt.Load(); s != nil && text == st.simple {
		return s
	}
	if text != st.simple || st.hot.uses.Add(1) < hotAfter {
		return nil
	}
	st.hot.once.Do(func() {
		if db.hot.Add(1) > maxHot {
			return
		}
		if s, err := db.readers.PrepareContext(context.Background(), text); err == nil {
			st.hot.stmt.Store(s)
		}
	})
	return st.hot.stmt.Load()
}

// preparedWrite gives the form of a statement that is prepared on the writing
// connection, nil when the text changes with a list or nothing more may be kept. Only the
// writer calls it.
func (db *DB) preparedWrite(ctx context.Context, st *statement, text string, conn *sql.Conn) *sql.Stmt {
	if text != st.simple {
		return nil
	}
	if kept := st.hot.write; kept.conn == conn {
		return kept.stmt
	}
	if db.hotWrites.Add(1) > maxHot {
		return nil
	}
	s, err := conn.PrepareContext(ctx, text)
	if err != nil {
		return nil // running it will say why
	}
	st.hot.write = onConn{conn, s}
	db.writer.hot = append(db.writer.hot, s)
	return s
}

// Prepare has the engine parse a statement in the form in which it would run, lists as
// one value, and runs nothing. The walls are not asked.
func (db *DB) Prepare(ctx context.Context, q constSQL) error {
	st := parse(string(q), db.dialect)
	if db.dialect == Postgres {
		s, err := db.readers.PrepareContext(ctx, st.simple)
		if err != nil {
			return err
		}
		return s.Close()
	}
	// The driver of SQLite parses when a statement runs.
	rows, err := db.readers.QueryContext(ctx, "EXPLAIN "+st.simple, make([]any, len(st.names))...)
	if err != nil {
		return err
	}
	return rows.Close()
}
