package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"viva/internal/kernel/errs"
)

// Write runs fn in one transaction and returns after it is durable. The transaction
// rides in fn's ctx; a nested Write joins it. An error from fn rolls everything back.
// fn must not do network or file I/O and must not keep ctx.
func Write(ctx context.Context, fn func(context.Context) error) error {
	if txOf(ctx) != nil {
		return fn(ctx)
	}
	db := From(ctx)
	if db.readOnly {
		return ErrReadOnly
	}
	if db.dialect == SQLite {
		return db.writer.do(ctx, fn)
	}
	return db.writePostgres(ctx, fn)
}

// AfterCommit runs fn once the surrounding Write is durable, or at once outside one.
func AfterCommit(ctx context.Context, fn func()) {
	if t := txOf(ctx); t != nil {
		t.after = append(t.after, fn)
		return
	}
	fn()
}

// maxGroup bounds the closures of one SQLite commit.
const maxGroup = 32

type writer struct {
	db    *DB
	conn  *sql.Conn
	queue chan *closure
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once
	kept  map[string]*sql.Stmt // BEGIN, SAVEPOINT and the like
	hot   []*sql.Stmt          // other statements prepared on conn
	id    atomic.Uint64        // of the goroutine that runs closures
}

// ErrOuterContext is a Write inside a Write with the context from outside: it would wait
// for itself for ever.
var ErrOuterContext = errors.New("store: a Write inside a Write must use the inner context")

// suspicious is the wait after which a Write asks whether it waits for itself; asking
// each time would cost more than the statement.
const suspicious = time.Second

// goroutineID reads the number that every stack trace begins with.
func goroutineID() (id uint64) {
	var text [40]byte
	n := runtime.Stack(text[:], false)
	for _, c := range text[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}

type closure struct {
	ctx   context.Context
	fn    func(context.Context) error
	after []func()
	err   error
	ack   chan struct{}
	// dropped closures are not run: their caller has its answer.
	dropped bool
}

func startWriter(ctx context.Context, db *DB) (*writer, error) {
	conn, err := db.writerPool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, conn: conn, queue: make(chan *closure, 1024), quit: make(chan struct{}), done: make(chan struct{}), kept: map[string]*sql.Stmt{}}
	go w.loop()
	return w, nil
}

func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.done
	// SQLite keeps the file open, and locked, while a statement is.
	for _, s := range slices.AppendSeq(w.hot, maps.Values(w.kept)) {
		_ = s.Close()
	}
	_ = w.conn.Close()
}

func (w *writer) do(ctx context.Context, fn func(context.Context) error) error {
	c := &closure{ctx: ctx, fn: fn, ack: make(chan struct{})}
	slow := time.NewTimer(suspicious)
	defer slow.Stop()
	for queued := false; !queued; {
		select {
		case w.queue <- c:
			queued = true
		case <-w.done:
			return errs.ErrUnavailable.With()
		case <-ctx.Done():
			return errs.ErrUnavailable.With().Because(ctx.Err())
		case <-slow.C:
			if goroutineID() == w.id.Load() {
				return ErrOuterContext
			}
		}
	}
	// From here the outcome is the commit's, whatever becomes of the caller.
	for answered := false; !answered; {
		select {
		case <-c.ack:
			answered = true
		case <-w.done:
			select {
			case <-c.ack:
				answered = true
			default:
				return errs.ErrUnavailable.With()
			}
		case <-slow.C:
			if goroutineID() == w.id.Load() {
				c.dropped = true // read by this same goroutine
				return ErrOuterContext
			}
		}
	}
	if c.err == nil { // here, not in the writer, so that they may write themselves
		for _, f := range c.after {
			f()
		}
	}
	return c.err
}

func (w *writer) loop() {
	defer close(w.done)
	w.id.Store(goroutineID())
	for {
		select {
		case c := <-w.queue:
			w.group(c)
		case <-w.quit:
			for {
				select {
				case c := <-w.queue:
					w.group(c)
				default:
					_, _ = w.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
					return
				}
			}
		}
	}
}

// group commits the first closure together with those already waiting.
func (w *writer) group(first *closure) {
	batch := make([]*closure, 0, maxGroup)
	err := w.exec("BEGIN IMMEDIATE")
	for c := first; c != nil; {
		batch = append(batch, c)
		if err == nil {
			err = w.run(c)
		}
		c = nil
		if len(batch) < maxGroup {
			select {
			case c = <-w.queue:
			default:
			}
		}
	}
	if err == nil {
		err = w.exec("COMMIT")
	}
	if err != nil {
		_ = w.exec("ROLLBACK")
		slog.Error("store: commit failed", "closures", len(batch), "error", err)
	}
	for _, c := range batch {
		if err != nil && c.err == nil {
			c.err = errs.ErrUnavailable.With().Because(err)
		}
		close(c.ack)
	}
	if w.db.GroupSize != nil {
		w.db.GroupSize(len(batch))
	}
}

func (w *writer) exec(q string) (err error) {
	s := w.kept[q]
	if s == nil {
		if s, err = w.conn.PrepareContext(context.Background(), q); err != nil {
			return err
		}
		w.kept[q] = s
	}
	_, err = s.ExecContext(context.Background())
	return err
}

// run executes one closure under a savepoint. The returned error poisons the whole
// group: it means that the transaction itself is gone.
func (w *writer) run(c *closure) error {
	if c.dropped {
		return nil
	}
	if c.ctx.Err() != nil {
		c.err = errs.ErrUnavailable.With().Because(c.ctx.Err())
		return nil
	}
	if err := w.exec("SAVEPOINT c"); err != nil {
		return err
	}
	t := &tx{conn: w.conn}
	c.err = safely(context.WithValue(c.ctx, txKey{}, t), c.fn)
	c.after = t.after
	if c.err != nil {
		if err := w.exec("ROLLBACK TO c"); err != nil {
			return err
		}
	}
	return w.exec("RELEASE c")
}

// safely turns a panic of business code into an error: the savepoint undoes what it did.
func safely(ctx context.Context, fn func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(ctx)
}

const maxRetries = 3

func (db *DB) writePostgres(ctx context.Context, fn func(context.Context) error) error {
	for attempt := 0; ; attempt++ {
		err := db.tryPostgres(ctx, fn)
		if err == nil || attempt == maxRetries || !isRetryable(err) {
			return classify(err)
		}
		select {
		case <-time.After(time.Duration(5+rand.IntN(20*(attempt+1))) * time.Millisecond):
		case <-ctx.Done():
			return errs.ErrUnavailable.With().Because(ctx.Err())
		}
	}
}

func (db *DB) tryPostgres(ctx context.Context, fn func(context.Context) error) error {
	var t *tx
	err := db.onConn(ctx, func(c *pgx.Conn) error {
		t = beginPostgres(ctx, c)
		err := safely(context.WithValue(ctx, txKey{}, t), fn)
		if err == nil {
			err = t.commit(ctx)
		}
		if err != nil {
			t.rollback(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range t.after {
		f()
	}
	return nil
}

// isRetryable: serialisation failures and deadlocks, where nothing was committed.
func isRetryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

func isLost(err error) bool {
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) || errors.As(err, &connect) ||
		errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		pgconn.SafeToRetry(err) || err.Error() == "conn closed"
}
