package runtime

import (
	"fmt"
	"strconv"
	"strings"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/id"
)

// newID makes a UUID of version 7 (RFC 9562 §5.7): 48 bits of time, 74 random bits.
func newID() string {
	r := id.Token(10)
	variant := "89ab"[r[19]&3]
	return FirstID(clock.Millis()) + "-7" + r[:3] + "-" + string(variant) + r[3:6] + "-" + r[6:18]
}

// ExecutionID names a task or token of an instance on the wire.
func ExecutionID(instance string, n int64) string {
	return instance + "." + strconv.FormatInt(n, 10)
}

// SplitExecutionID is the reverse of ExecutionID; ok is false for any other text.
func SplitExecutionID(text string) (instance string, n int64, ok bool) {
	instance, number, found := strings.Cut(text, ".")
	n, err := strconv.ParseInt(number, 10, 64)
	if !found || instance == "" || err != nil || n <= 0 || ExecutionID(instance, n) != text {
		return "", 0, false
	}
	return instance, n, true
}

// FirstID is below every id made from the time on, and above those made before it: what
// began in a period is found by the order of the ids.
func FirstID(ms int64) string {
	text := fmt.Sprintf("%012x", uint64(ms)&(1<<48-1))
	return text[:8] + "-" + text[8:]
}
