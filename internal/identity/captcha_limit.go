package identity

import "time"

// The throttles of the captcha calls, per client. They are off unless Options ask for
// them: the machines of a campus share an address and a browser, so that together they
// look like one client (contract system.md §2.4). Each node counts what reaches it, so
// that n nodes together let up to n times as much through: what the limits save is the
// work of a node, and what protects a sign-in are the single try and its own limits.
const (
	captchaMinute     = time.Minute
	captchaGetLimit   = 30 // per minute
	captchaCheckLimit = 60 // per minute
	captchaFailLimit  = 5  // failures within a minute; one more locks get
	captchaFailLock   = 10 * time.Second
	captchaMaxClients = 100_000
)

// captchaClient is what is remembered of a client.
type captchaClient struct {
	since       time.Time // start of the minute that is being counted
	gets        int
	checks      int
	failures    []time.Time // the recent ones, oldest first
	lockedUntil time.Time
}

// captchaLimits holds the clients. Its callers hold the lock of the Captcha.
type captchaLimits struct {
	on      bool
	clients map[string]*captchaClient
	pruned  time.Time
}

// client returns the record of a client with its minute brought up to date.
func (l *captchaLimits) client(id string, now time.Time) *captchaClient {
	if now.Sub(l.pruned) >= captchaMinute || len(l.clients) >= captchaMaxClients {
		l.prune(now)
	}
	c := l.clients[id]
	if c == nil {
		c = &captchaClient{since: now}
		l.clients[id] = c
	}
	if now.Sub(c.since) >= captchaMinute {
		c.since, c.gets, c.checks = now, 0, 0
	}
	return c
}

// prune forgets clients with nothing left to count. When a flood of clients
// fills the table all the same, it starts anew: the memory of the server is
// worth more than the counts.
func (l *captchaLimits) prune(now time.Time) {
	l.pruned = now
	for id, c := range l.clients {
		if now.Sub(c.since) >= captchaMinute && now.After(c.lockedUntil) {
			delete(l.clients, id)
		}
	}
	if len(l.clients) >= captchaMaxClients {
		clear(l.clients)
	}
}

// get counts a get and returns the code that refuses it, or "".
func (l *captchaLimits) get(id string, now time.Time) string {
	if !l.on {
		return ""
	}
	c := l.client(id, now)
	if now.Before(c.lockedUntil) {
		return captchaLocked
	}
	if c.gets++; c.gets > captchaGetLimit {
		return captchaTooManyGets
	}
	return ""
}

// check counts a check and returns the code that refuses it, or "".
func (l *captchaLimits) check(id string, now time.Time) string {
	if !l.on {
		return ""
	}
	c := l.client(id, now)
	if c.checks++; c.checks > captchaCheckLimit {
		return captchaTooManyChecks
	}
	return ""
}

// failed counts a wrong answer.
func (l *captchaLimits) failed(id string, now time.Time) {
	if !l.on {
		return
	}
	c := l.client(id, now)
	recent := c.failures[:0]
	for _, t := range c.failures {
		if now.Sub(t) < captchaMinute {
			recent = append(recent, t)
		}
	}
	if c.failures = append(recent, now); len(c.failures) > captchaFailLimit {
		c.lockedUntil = now.Add(captchaFailLock)
		c.failures = c.failures[len(c.failures)-captchaFailLimit:]
	}
}
