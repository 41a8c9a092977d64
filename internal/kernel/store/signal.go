package store

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Signal tells everybody who watches the topic, on every node, once the surrounding
// Write is durable. It is a hint, not a message: watchers must also look by themselves
// from time to time. Equal signals of one transaction are sent once. It is for rare news
// with a payload; what is frequent goes through Wake.
func Signal(ctx context.Context, topic, payload string) error {
	db, t := From(ctx), txOf(ctx)
	if t == nil {
		return ErrNotInWrite
	}
	key := topic + "\n" + payload
	if !t.first(key) {
		return nil
	}
	AfterCommit(ctx, func() { db.hub.send(topic, payload) })
	if db.dialect != Postgres {
		return nil
	}
	t.late = append(t.late, plain(sqlNotify, key))
	return nil
}

// first reports whether the transaction has not been asked for this signal before.
func (t *tx) first(key string) bool {
	if t.signals[key] {
		return false
	}
	if t.signals == nil {
		t.signals = map[string]bool{}
	}
	t.signals[key] = true
	return true
}

// Watch gives the payloads signalled on a topic until stop is called. A slow watcher
// loses signals, and an empty payload may come at any time: it means "look yourself".
func (db *DB) Watch(topic string) (signals <-chan string, stop func()) {
	c := make(chan string, 64)
	db.hub.add(topic, c)
	if db.dialect == Postgres {
		db.hub.listening.Do(func() {
			ctx, cancel := context.WithCancel(context.Background())
			db.hub.stop = cancel
			db.hub.done.Go(func() { db.listen(ctx) })
		})
	}
	return c, sync.OnceFunc(func() { db.hub.remove(topic, c) })
}

// hub spreads signals inside the process.
type hub struct {
	lock      sync.Mutex
	watchers  map[string]map[chan string]bool
	listening sync.Once
	stop      context.CancelFunc
	done      sync.WaitGroup
}

func (h *hub) add(topic string, c chan string) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.watchers == nil {
		h.watchers = map[string]map[chan string]bool{}
	}
	if h.watchers[topic] == nil {
		h.watchers[topic] = map[chan string]bool{}
	}
	h.watchers[topic][c] = true
}

func (h *hub) remove(topic string, c chan string) {
	h.lock.Lock()
	defer h.lock.Unlock()
	delete(h.watchers[topic], c)
}

func (h *hub) send(topic, payload string) {
	h.lock.Lock()
	defer h.lock.Unlock()
	for c := range h.watchers[topic] {
		offer(c, payload)
	}
}

// sendAll wakes everybody, after a time in which signals may have been lost.
func (h *hub) sendAll() {
	h.lock.Lock()
	defer h.lock.Unlock()
	for _, set := range h.watchers {
		for c := range set {
			offer(c, "")
		}
	}
}

func offer(c chan string, payload string) {
	select {
	case c <- payload:
	default:
	}
}

func (h *hub) close() {
	h.listening.Do(func() {}) // nobody starts to listen any more
	if h.stop != nil {
		h.stop()
		h.done.Wait()
	}
}

// listen holds one PostgreSQL connection that hears the other nodes, and comes back
// when the server was away.
func (db *DB) listen(ctx context.Context) {
	for wait := 100 * time.Millisecond; ; wait = min(wait*2, 5*time.Second) {
		err := db.listenOnce(ctx, func() {
			wait = 100 * time.Millisecond
			db.hub.sendAll()
		})
		if ctx.Err() != nil {
			return
		}
		slog.Warn("store: signals of other nodes are late, the listening connection was lost", "error", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

func (db *DB) listenOnce(ctx context.Context, ready func()) error {
	conn, err := pgx.ConnectConfig(ctx, db.conf.Copy())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN viva"); err != nil {
		return err
	}
	ready()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		topic, payload, _ := strings.Cut(n.Payload, "\n")
		db.hub.send(topic, payload)
	}
}
