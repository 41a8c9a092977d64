package crash

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// TestDiskFull fills a small disk in a child with a mount namespace of its own, so that
// nothing stays mounted.
func TestDiskFull(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("needs root on Linux to mount a small file system")
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=full:"+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == cannotMount || errors.Is(err, syscall.EPERM):
		t.Skip("this environment may not mount")
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(strings.TrimSpace(string(out)))
}

const cannotMount = 77

func fillDisk(dir string) int {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		return cannotMount
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	text, err := fullDisk(dir)
	if err != nil {
		_, _ = fmt.Println("FAILED:", err)
		return 1
	}
	_, _ = fmt.Println(text)
	return 0
}

func fullDisk(dir string) (string, error) {
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 3<<20), 0o600); err != nil {
		return "", err
	}
	db, err := store.Open(context.Background(), store.Config{Dir: filepath.Join(dir, "data")})
	if err == nil {
		err = db.Migrate(context.Background(), append(kerneltest.Kernel(), schema)...)
	}
	if err != nil {
		return "", err
	}
	ctx := kerneltest.AsSystem(db, 1)
	var acked []string
	refused := 0
	body := strings.Repeat("x", 20_000)
	for i := 0; refused < 5; i++ {
		mark := fmt.Sprint("m", i)
		switch err := submit(ctx, mark, body); {
		case err == nil:
			acked = append(acked, mark)
		case isUnavailable(err):
			refused++
		default:
			return "", fmt.Errorf("a full disk is answered as %w", err)
		}
		if i > 10_000 {
			return "", errors.New("the disk never fills")
		}
	}
	if _, err := verdict(ctx, acked, 0); err != nil {
		return "", fmt.Errorf("reading on the full disk: %w", err)
	}
	if err := os.Remove(ballast); err != nil {
		return "", err
	}
	for i := range 20 {
		mark := fmt.Sprint("after", i)
		if err := submit(ctx, mark, body); err != nil {
			return "", fmt.Errorf("space is free again, but: %w", err)
		}
		acked = append(acked, mark)
	}
	if _, err := verdict(ctx, acked, 0); err != nil {
		return "", err
	}
	if ok, err := store.One[string](ctx, `PRAGMA integrity_check`, nil); err != nil || ok != "ok" {
		return "", fmt.Errorf("integrity: %s, %w", ok, err)
	}
	return fmt.Sprintf("%d writes kept, %d refused while the disk was full", len(acked), refused), db.Close()
}
