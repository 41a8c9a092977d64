package identity

import (
	"context"
	"sync"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Five failures within failureWindow lock an account name for lockLife. Names that do
// not exist count as well, so that a lock tells nothing.
const (
	maxFailures   = 5
	failureWindow = 15 * 60 * 1000
	lockLife      = 15 * 60 * 1000
)

const (
	sqlFailure = `SELECT failures, first_time, locked_until FROM system_login_failure WHERE tenant_id = :tenant AND username = :username FOR UPDATE`
	// A failure after the window, or after a lock has ended, starts a new count.
	sqlCountFailure = `INSERT INTO system_login_failure AS f (tenant_id, username, failures, first_time, locked_until)
 VALUES (:tenant, :username, 1, :now, 0) ON CONFLICT (tenant_id, username) DO UPDATE SET
 failures = CASE WHEN f.first_time < :window OR f.locked_until > 0 AND f.locked_until <= :now THEN 1 ELSE f.failures + 1 END,
 first_time = CASE WHEN f.first_time < :window OR f.locked_until > 0 AND f.locked_until <= :now THEN :now ELSE f.first_time END,
 locked_until = CASE WHEN f.locked_until > :now THEN f.locked_until
  WHEN f.first_time >= :window AND f.locked_until = 0 AND f.failures + 1 >= :most THEN :lock ELSE 0 END`
	sqlForgetFailures = `DELETE FROM system_login_failure WHERE tenant_id = :tenant AND username = :username`
)

type failures struct {
	Failures    int
	FirstTime   int64
	LockedUntil int64
}

// locked gives the refusal of a locked account name.
func (f failures) locked() *errs.Error {
	if f.LockedUntil <= clock.Millis() {
		return nil
	}
	return errLocked.With(time.UnixMilli(f.LockedUntil).In(clock.Shanghai).Format(time.DateTime))
}

// failuresOf reads the count of an account name (in lower case) in the tenant of ctx.
func failuresOf(ctx context.Context, username string) (failures, error) {
	f, _, err := store.Get[failures](ctx, sqlFailure, store.Args{"username": username})
	return f, err
}

// countFailure adds one and gives the count after it.
func countFailure(ctx context.Context, username string) (failures, error) {
	now := clock.Millis()
	_, err := store.Exec(ctx, sqlCountFailure, store.Args{"username": username, "now": now, "window": now - failureWindow, "most": maxFailures, "lock": now + lockLife})
	if err != nil {
		return failures{}, err
	}
	return failuresOf(ctx, username)
}

func forgetFailures(ctx context.Context, username string) error {
	_, err := store.Exec(ctx, sqlForgetFailures, store.Args{"username": lower(username)})
	return err
}

// ipFailures counts failed sign-ins per address on this node, whatever the names. A
// campus shares addresses, so the limit is generous: it stops guessing over many names.
type ipFailures struct {
	most  int
	lock  sync.Mutex
	since int64
	count map[string]int
}

func newIPFailures(most int) *ipFailures { return &ipFailures{most: most, count: map[string]int{}} }

// refuse gives the refusal of an address that failed too often.
func (f *ipFailures) refuse(ip string) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.turn()
	if f.count[ip] < f.most {
		return nil
	}
	return errTooManyTries.With((f.since+failureWindow-clock.Millis())/60_000 + 1)
}

func (f *ipFailures) add(ip string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.turn()
	f.count[ip]++
}

// turn starts a new window. The table is dropped as a whole: that bounds its memory.
func (f *ipFailures) turn() {
	if now := clock.Millis(); now-f.since >= failureWindow || now < f.since {
		f.since = now
		clear(f.count)
	}
}
