package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Wake is Signal for work that its watchers also look for by themselves, such as a queue.
// It has no payload, and the other nodes hear of it a few milliseconds after the commit,
// of many at once. A NOTIFY inside the transactions would make PostgreSQL commit them one
// after the other, since it holds one lock for all databases from there to the end of
// the commit (src/backend/commands/async.c). A node that ends in those milliseconds
// costs the others the time until they look by themselves.
func Wake(ctx context.Context, topic string) error {
	db, t := From(ctx), txOf(ctx)
	if t == nil {
		return ErrNotInWrite
	}
	key := topic + "\n"
	if !t.first(key) {
		return nil
	}
	AfterCommit(ctx, func() {
		db.hub.send(topic, "")
		if db.dialect == Postgres {
			db.waker.ask(db, key)
		}
	})
	return nil
}

// wakePause is the least time between two rounds of notifications of a node.
const wakePause = 5 * time.Millisecond

// waker tells other nodes of the topics asked for since it last did.
type waker struct {
	lock    sync.Mutex
	keys    map[string]bool
	running bool
	closed  bool
	done    sync.WaitGroup
}

func (w *waker) ask(db *DB, key string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.closed {
		return
	}
	if w.keys == nil {
		w.keys = map[string]bool{}
	}
	w.keys[key] = true
	if !w.running {
		w.running = true
		w.done.Go(func() { w.run(db) })
	}
}

// run works until nothing is left to tell.
func (w *waker) run(db *DB) {
	for {
		w.lock.Lock()
		keys := w.keys
		w.keys = nil
		w.running = len(keys) > 0
		w.lock.Unlock()
		if len(keys) == 0 {
			return
		}
		for key := range keys {
			if err := db.notify(key); err != nil {
				slog.Warn("store: the other nodes were not told", "error", err)
			}
		}
		time.Sleep(wakePause)
	}
}

func (w *waker) close() {
	w.lock.Lock()
	w.closed = true
	w.lock.Unlock()
	w.done.Wait()
}

const sqlNotify = `SELECT pg_notify('viva', $1)`

// notify tells every listening node, in a transaction of its own.
func (db *DB) notify(key string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, err := db.readers.ExecContext(ctx, sqlNotify, key)
	return classify(err)
}
