package password

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// maxWait is the longest anyone waits for a hash.
const maxWait = 10 * time.Second

// firstGuess is the time of a hash before one has been measured.
const firstGuess = 50 * time.Millisecond

// work is the gate all hashes of the process pass.
var work = newGate(runtime.GOMAXPROCS(0))

// gate runs a fixed number of functions at once and keeps the others in line.
// It measures how long one takes, and so knows for whom the line is too long:
// they are turned away at once instead of after ten seconds of waiting.
type gate struct {
	slots chan struct{}

	mu      sync.Mutex
	waiting int
	average time.Duration
}

func newGate(size int) *gate {
	return &gate{slots: make(chan struct{}, size), average: firstGuess}
}

// do runs fn when its turn comes. Otherwise it returns ErrBusy or the error of
// ctx, and fn has not run.
func (g *gate) do(ctx context.Context, fn func()) error {
	if err := g.enter(ctx); err != nil {
		return err
	}
	start := time.Now()
	defer func() {
		g.measured(time.Since(start))
		<-g.slots
	}()
	fn()
	return nil
}

func (g *gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	if !g.join() {
		return ErrBusy
	}
	defer g.part()
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ErrBusy
	}
}

// join enters the line unless it is too long.
func (g *gate) join() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Duration(g.waiting+1)*g.average/time.Duration(cap(g.slots)) > maxWait {
		return false
	}
	g.waiting++
	return true
}

func (g *gate) part() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting--
}

// measured lets the average follow the load slowly, so that one slow hash does
// not empty the line.
func (g *gate) measured(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.average += (d - g.average) / 16
}
