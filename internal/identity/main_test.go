package identity

import (
	"log/slog"
	"os"
	"testing"
)

// TestMain keeps the access log out of the output; refusals are still shown.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	os.Exit(m.Run())
}
