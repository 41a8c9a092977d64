package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Later is Exec for a change of which nobody needs the count, such as an audit row.
// SQLite runs it at once. PostgreSQL gets it together with the next statement of the
// transaction or with its commit, which saves an exchange; one of those then answers for
// its failure. Statements keep their order.
func Later(ctx context.Context, q constSQL, args Args) error {
	db, t := From(ctx), txOf(ctx)
	if db.dialect == SQLite || t == nil {
		_, err := Exec(ctx, q, args)
		return err
	}
	item := &batched{q: q, args: args}
	if err := item.bind(ctx, db); err != nil {
		return err
	}
	return t.wait(ctx, item)
}

// wait keeps statements for the next exchange, unless there are too many.
func (t *tx) wait(ctx context.Context, items ...*batched) error {
	t.align(ctx)
	t.late = append(t.late, items...)
	if len(t.late) < maxLate {
		return nil
	}
	_, err := t.exchange(ctx)
	return classify(err)
}

// maxLate bounds the statements that wait.
const maxLate = 100

// plain is a statement of the transaction itself.
func plain(text string, values ...any) *batched {
	return &batched{q: constSQL(text), text: text, values: values}
}

// beginPostgres is a transaction whose BEGIN waits for its first statement.
func beginPostgres(ctx context.Context, c *pgx.Conn) *tx {
	return &tx{pg: c, wall: wallOf(ctx), late: []*batched{plain("BEGIN")}}
}

// exchange sends what waits and then the items, and reads all answers. at is the item
// that failed, negative when it was one that waited. A statement new to the connection
// costs one more exchange, in which pgx prepares it.
func (t *tx) exchange(ctx context.Context, items ...*batched) (at int, err error) {
	waited := len(t.late)
	all := append(t.late, items...)
	t.late = nil
	var queue pgx.Batch
	for _, item := range all {
		queue.Queue(item.text, item.values...)
	}
	answers := t.pg.SendBatch(ctx, &queue)
	for i, item := range all {
		if err := item.receive(answers); err != nil {
			_ = answers.Close()
			switch {
			case item.explain != nil && i < waited:
				err = item.explain(&BatchError{item.at, classify(err)})
			case i < waited:
				err = fmt.Errorf("%s: %w", firstLine(string(item.q)), err)
			}
			return i - waited, err
		}
	}
	return 0, answers.Close()
}

// run sends one statement.
func (t *tx) run(ctx context.Context, item *batched) error {
	t.align(ctx)
	_, err := t.exchange(ctx, item)
	return classify(err)
}

// errRolledBack is a commit that PostgreSQL turned into a rollback, because a statement
// had failed and somebody went on.
var errRolledBack = errors.New("store: a statement of the transaction had failed, so it was rolled back")

// commit sends what waits together with the COMMIT.
func (t *tx) commit(ctx context.Context) error {
	end := plain("COMMIT")
	_, err := t.exchange(ctx, end)
	if err == nil && end.tag.String() != end.text {
		err = errRolledBack
	}
	return err
}

// rollbackTime bounds the goodbye to a transaction; a connection that does not answer in
// it is closed, which ends the transaction too.
const rollbackTime = 5 * time.Second

func (t *tx) rollback(ctx context.Context) {
	if t.pg.PgConn().TxStatus() == 'I' { // nothing was sent, or PostgreSQL ended it
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	if _, err := t.pg.Exec(ctx, "ROLLBACK", pgx.QueryExecModeExec); err != nil {
		_ = t.pg.Close(ctx)
	}
}
