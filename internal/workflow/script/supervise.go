package script

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
)

const (
	grace     = 100 * time.Millisecond // for the interpreter to notice that it shall stop
	period    = 5 * time.Millisecond   // between looks at the heap
	maxGrowth = 128 << 20
)

// places among the running scripts of the process.
var places = make(chan struct{}, 2)

// Backtracking expressions run outside of the interpreter's loop. Their time ends
// after that of any script, so that a match which was cut short never counts as "no
// match": the interpreter stops right after it.
func init() { regexp2.DefaultMatchTimeout = maxLimit + maxLimit/4 }

// watch hands the interpreter of a run to its supervisor.
type watch struct {
	lock    sync.Mutex
	vm      *goja.Runtime
	stopped error
}

// attach registers the interpreter; false when the run was stopped before.
func (w *watch) attach(vm *goja.Runtime) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.vm = vm
	return w.stopped == nil
}

func (w *watch) stop(cause error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.stopped != nil {
		return
	}
	w.stopped = cause
	if w.vm != nil {
		w.vm.Interrupt(cause)
	}
}

// supervise does the work in one of the places. It returns within about limit after
// the work began, even when the work does not stop; its place is then free later.
func supervise(ctx context.Context, limit time.Duration, work func(*watch) error) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return interruption(ctx.Err())
	case <-timer.C:
		return fault(ErrBusy, "同时运行的脚本已满，请稍后重试", "too many scripts are running; try again shortly")
	}
	w, done := &watch{}, make(chan error, 1)
	go func() {
		defer func() { <-places }()
		done <- protect(w, work)
	}()
	timer.Reset(limit)
	heap := time.NewTicker(period)
	defer heap.Stop()
	before := heapBytes()
	for {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return w.end(ctx.Err(), done)
		case <-timer.C:
			return w.end(ErrTime, done)
		case <-heap.C:
			if heapBytes() > before+maxGrowth {
				return w.end(ErrMemory, done)
			}
		}
	}
}

// end stops the work and waits for it a little.
func (w *watch) end(cause error, done <-chan error) error {
	w.stop(cause)
	select {
	case <-done:
		return interruption(cause)
	case <-time.After(grace):
		return fault(errors.Join(ErrStuck, cause), "脚本中的内置函数长时间不返回，已放弃等待", "a built-in of the script did not return; it was left behind")
	}
}

// protect keeps a panic of the interpreter from ending the process.
func protect(w *watch, work func(*watch) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fault(fmt.Errorf("script: %v", cause), "脚本引擎内部错误：%v", "the script engine failed: %v", cause)
		}
	}()
	return work(w)
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
