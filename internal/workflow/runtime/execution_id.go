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
	ms := fmt.Sprintf("%012x", uint64(clock.Millis())&(1<<48-1))
	variant := "89ab"[r[19]&3]
	return ms[:8] + "-" + ms[8:] + "-7" + r[:3] + "-" + string(variant) + r[3:6] + "-" + r[6:18]
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
