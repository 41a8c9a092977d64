package runtime

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// wire is a relay before PostgreSQL: it counts exchanges (the client speaks after the
// server did) and cuts the connection at a chosen one.
type wire struct {
	gate   net.Listener
	server string
	lock   sync.Mutex
	trips  int
	cutAt  int
	after  bool // cut between question and answer, else before the question
}

func newWire(t *testing.T, db *store.DB) (*wire, *store.DB) {
	t.Helper()
	address, err := url.Parse(db.Address())
	if err != nil {
		t.Fatal(err)
	}
	gate, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &wire{gate: gate, server: address.Host}
	t.Cleanup(func() { _ = gate.Close() })
	go l.accept()
	address.Host = gate.Addr().String()
	again, err := store.Open(context.Background(), store.Config{URL: address.String()})
	if err == nil {
		err = again.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return l, again
}

func (l *wire) accept() {
	for {
		client, err := l.gate.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", l.server)
		if err != nil {
			_ = client.Close()
			return
		}
		c := &line{wire: l, client: client, server: server, answered: true}
		go c.ask()
		go c.answer()
	}
}

// line is one connection through the relay.
type line struct {
	*wire
	client, server net.Conn
	answered       bool
	cut            bool
}

func (c *line) close() {
	_ = c.client.Close()
	_ = c.server.Close()
}

func (c *line) ask() {
	defer c.close()
	chunk := make([]byte, 256<<10)
	for {
		n, err := c.client.Read(chunk)
		if n > 0 && !c.forward(chunk[:n]) {
			return
		}
		if err != nil {
			return
		}
	}
}

func (c *line) forward(text []byte) bool {
	c.lock.Lock()
	if c.answered {
		c.answered = false
		c.trips++
		c.cut = c.trips == c.cutAt
	}
	cut, after := c.cut, c.after
	c.lock.Unlock()
	if cut && !after {
		return false
	}
	_, err := c.server.Write(text)
	return err == nil
}

func (c *line) answer() {
	defer c.close()
	chunk := make([]byte, 256<<10)
	for {
		n, err := c.server.Read(chunk)
		if n > 0 {
			c.lock.Lock()
			c.answered = true
			cut := c.cut
			c.lock.Unlock()
			if cut {
				return
			}
			if _, err := c.client.Write(chunk[:n]); err != nil {
				return
			}
		}
		if errors.Is(err, io.EOF) || err != nil {
			return
		}
	}
}

// during gives the exchanges of fn, cut at one of them unless 0.
func (l *wire) during(cutAt int, after bool, fn func() error) (int, error) {
	l.lock.Lock()
	l.trips, l.cutAt, l.after = 0, cutAt, after
	l.lock.Unlock()
	err := fn()
	l.lock.Lock()
	defer l.lock.Unlock()
	l.cutAt = 0
	return l.trips, err
}

// A command is BEGIN, one read, one batch of writes, COMMIT.
func TestTrips(t *testing.T) {
	kerneltest.NeedPostgres(t)
	l, db := newWire(t, kerneltest.OpenPostgres(t, Migrations, schema))
	w := newWorld(t, db, true)
	w.deploy(three)
	for round := range 4 {
		var res Result
		n, err := l.during(0, false, func() (err error) {
			res, err = w.e.Start(w.ctx, StartIn{CommandID: newID(), Key: "three"})
			return err
		})
		if err != nil || round > 1 && n > 4 {
			t.Errorf("start: %d exchanges, %v", n, err)
		}
		for range 3 {
			task := res.Opened[0]
			n, err := l.during(0, false, func() (err error) {
				res, err = w.e.Do(w.ctx, Command{ID: newID(), Instance: res.Instance, Action: &engine.CompleteTask{Task: task}})
				return err
			})
			if err != nil || round > 1 && n > 4 {
				t.Errorf("complete: %d exchanges, %v", n, err)
			}
		}
	}
	w.sound()
}

// The connection is cut before each question and before each answer of a command, also
// around COMMIT: the caller is told that the service is unavailable, and the same command
// again is executed once in all.
func TestCut(t *testing.T) {
	kerneltest.NeedPostgres(t)
	l, db := newWire(t, kerneltest.OpenPostgres(t, Migrations, schema))
	w := newWorld(t, db, true)
	w.deploy(three)
	w.start("three", nil)
	cuts := 0
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			res := w.start("three", nil)
			c := Command{ID: newID(), Instance: res.Instance, Action: &engine.CompleteTask{Task: res.Opened[0]}}
			_, err := l.during(at, after, func() error {
				_, err := w.e.Do(w.ctx, c)
				return err
			})
			if err == nil {
				break
			}
			if cuts++; !errs.Is(err, errs.ErrUnavailable) {
				t.Errorf("cut %d: %v", at, err)
			}
			again, err := w.e.Do(w.ctx, c)
			if err != nil || again.Rev != 2 {
				t.Errorf("cut %d, again: %+v %v", at, again, err)
			}
			w.at(res.Instance, "b user")
		}
	}
	if cuts < 4 { // before and after each of the two exchanges
		t.Errorf("only %d cuts", cuts)
	}
	t.Logf("%d cuts", cuts)
	w.sound()
}
