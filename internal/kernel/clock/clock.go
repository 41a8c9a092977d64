// Package clock is the only source of the current time, so that tests and the
// demo can set it. Times in the database and on the wire are epoch milliseconds.
package clock

import (
	"sync/atomic"
	"time"
)

var source atomic.Pointer[func() time.Time]

// Now gives the current server time.
func Now() time.Time {
	if f := source.Load(); f != nil {
		return (*f)()
	}
	return time.Now()
}

// Millis gives the current time as epoch milliseconds.
func Millis() int64 { return Now().UnixMilli() }

// Set replaces the source and returns a function that restores the former one.
// For tests and the crash harness only.
func Set(f func() time.Time) (restore func()) {
	old := source.Swap(&f)
	return func() { source.Store(old) }
}

// Shanghai is the zone in which texts are shown and query times are read.
var Shanghai = time.FixedZone("Asia/Shanghai", 8*3600)
