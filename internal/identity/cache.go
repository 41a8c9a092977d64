package identity

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// cacheLife bounds how long another node may act on old knowledge when a signal is lost.
const cacheLife = 30 * time.Second

// cache keeps what was read from the database. A read that overlaps a drop is not
// kept, so that nothing stale survives the drop.
type cache[K comparable, V any] struct {
	lock    sync.Mutex
	drops   int64
	entries *otter.Cache[K, held[V]]
}

type held[V any] struct {
	value V
	until int64
}

func newCache[K comparable, V any](size int) *cache[K, V] {
	return &cache[K, V]{entries: otter.Must(&otter.Options[K, held[V]]{
		MaximumSize: size, ExpiryCalculator: otter.ExpiryWriting[K, held[V]](cacheLife),
	})}
}

// get answers from memory or reads. Inside a Write it always reads, since what it sees
// there may be rolled back.
func (c *cache[K, V]) get(ctx context.Context, key K, read func(context.Context) (V, error)) (V, error) {
	if store.InWrite(ctx) {
		return read(ctx)
	}
	if e, ok := c.entries.GetIfPresent(key); ok && clock.Millis() < e.until {
		return e.value, nil
	}
	c.lock.Lock()
	drops := c.drops
	c.lock.Unlock()
	value, err := read(ctx)
	if err != nil {
		return value, err
	}
	c.lock.Lock()
	if c.drops == drops {
		c.entries.Set(key, held[V]{value: value, until: clock.Millis() + cacheLife.Milliseconds()})
	}
	c.lock.Unlock()
	return value, nil
}

func (c *cache[K, V]) drop(key K) {
	c.lock.Lock()
	c.drops++
	c.entries.Invalidate(key)
	c.lock.Unlock()
}

func (c *cache[K, V]) clear() {
	c.lock.Lock()
	c.drops++
	c.entries.InvalidateAll()
	c.lock.Unlock()
}

// person names a user of a tenant.
type person struct{ tenant, user int64 }

type caches struct {
	sessions *cache[string, session]
	grants   *cache[person, *grant]
	tenants  *cache[int64, tenantState]
	menus    *cache[int, *menuTree]
}

func newCaches() caches {
	return caches{
		sessions: newCache[string, session](100_000), grants: newCache[person, *grant](20_000),
		tenants: newCache[int64, tenantState](10_000), menus: newCache[int, *menuTree](1),
	}
}

// The topic on which nodes tell each other what changed; see forget.
const topic = "identity"

// watch follows the changes of the other nodes. An empty signal means that some may
// have been lost.
func (s *Service) watch() {
	signals, stop := s.app.DB.Watch(topic)
	quit := make(chan struct{})
	s.quit = sync.OnceFunc(func() {
		stop()
		close(quit)
	})
	s.done.Go(func() {
		for {
			select {
			case what := <-signals:
				s.state.forget(what)
			case <-quit:
				return
			}
		}
	})
}

// forget drops what a signal names: "user T U", "session HASH", "tenant T", or all.
func (c caches) forget(what string) {
	kind, rest, _ := strings.Cut(what, " ")
	switch kind {
	case "user":
		t, u, _ := strings.Cut(rest, " ")
		tenant, _ := strconv.ParseInt(t, 10, 64)
		user, _ := strconv.ParseInt(u, 10, 64)
		c.grants.drop(person{tenant, user})
	case "session":
		c.sessions.drop(rest)
	default:
		if what == "" {
			c.sessions.clear()
		}
		c.tenants.clear()
		c.menus.clear()
		c.grants.clear() // last: they are made of the others
	}
}

// changed drops what a signal names here and on the other nodes after the commit.
func (s *Service) changed(ctx context.Context, what string) error {
	store.AfterCommit(ctx, func() { s.state.forget(what) })
	return store.Signal(ctx, topic, what)
}

// userChanged is called by whatever changes a user or his roles.
func (s *Service) userChanged(ctx context.Context, tenant, user int64) error {
	return s.changed(ctx, fmt.Sprint("user ", tenant, " ", user))
}

// rightsChanged is called by whatever changes a role, menu, package, tenant or department.
func (s *Service) rightsChanged(ctx context.Context) error { return s.changed(ctx, "rights") }
