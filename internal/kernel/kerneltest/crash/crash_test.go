package crash

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const childEnv = "VIVA_CRASH_CHILD"

// TestMain is also the child: the test binary run again with childEnv set.
func TestMain(m *testing.M) {
	task, dir, _ := strings.Cut(os.Getenv(childEnv), ":")
	switch task {
	case "write":
		writeUntilKilled(dir)
	case "deliver":
		deliverUntilKilled(dir)
	case "full":
		os.Exit(fillDisk(dir))
	default:
		os.Exit(m.Run())
	}
}

func writeUntilKilled(dir string) {
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	_, _ = fmt.Println("ready")
	l := &load{prefix: fmt.Sprint(os.Getpid(), "-", time.Now().UnixNano()), body: strings.Repeat("正文", 300), workers: 8, acks: os.Stdout,
		failed: func(err error) { _, _ = fmt.Fprintln(os.Stderr, err) }}
	l.run(kerneltest.AsSystem(db, 1), nil)
}

// cycles is the number of kills; VIVA_CRASH_CYCLES raises it for a long run.
func cycles(t *testing.T) int {
	n := 500
	if testing.Short() {
		n = 50
	}
	if text := os.Getenv("VIVA_CRASH_CYCLES"); text != "" {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestKill(t *testing.T) {
	db := kerneltest.Open(t, schema)
	dir := filepath.Dir(db.Path())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	began, acknowledged, after := time.Now(), 0, int64(0)
	n := cycles(t)
	for cycle := range n {
		acked := killOnce(t, dir)
		acknowledged += len(acked)
		after = inspect(t, dir, acked, after, cycle%50 == 49 || cycle == n-1)
		if t.Failed() {
			t.Fatalf("in cycle %d", cycle)
		}
	}
	if acknowledged < n {
		t.Errorf("only %d acknowledged writes in %d cycles prove little", acknowledged, n)
	}
	t.Logf("%d kills, %d acknowledged writes, 0 lost, 0 half done, %v", n, acknowledged, time.Since(began).Round(time.Second))
}

// killOnce runs a child for 0-20 ms after it is ready and gives what it acknowledged.
func killOnce(t *testing.T, dir string) []string {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=write:"+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	child.Stderr = &stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		_ = child.Wait()
		t.Fatalf("the child does not start: %q %v %s", line, err, stderr.String())
	}
	kill := time.AfterFunc(time.Duration(rand.IntN(20_001))*time.Microsecond, func() { _ = child.Process.Kill() })
	defer kill.Stop()
	rest, err := io.ReadAll(lines)
	_ = child.Wait()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v %s", err, stderr.String())
	}
	text := string(rest)
	text = text[:strings.LastIndexByte(text, '\n')+1] // a torn line was not acknowledged
	return strings.Fields(text)
}

func inspect(t *testing.T, dir string, acked []string, after int64, thorough bool) int64 {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err == nil {
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx := kerneltest.AsSystem(db, 1)
	last, err := verdict(ctx, acked, after)
	if err != nil {
		t.Error(err)
	}
	if thorough {
		if ok, err := store.One[string](ctx, `PRAGMA integrity_check`, nil); err != nil || ok != "ok" {
			t.Errorf("integrity: %s, %v", ok, err)
		}
	}
	return last
}

// TestHarness proves that the harness sees a loss and a half-done write.
func TestHarness(t *testing.T) {
	db := kerneltest.Open(t, schema)
	ctx := kerneltest.AsSystem(db, 1)
	for _, mark := range []string{"a", "b"} {
		if err := submit(ctx, mark, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := verdict(ctx, []string{"a", "b"}, 0); err != nil {
		t.Error(err)
	}
	if _, err := verdict(ctx, []string{"a", "b", "c"}, 0); err == nil {
		t.Error("a lost write goes unseen")
	}
	err := store.Write(ctx, func(ctx context.Context) error {
		_, err := store.Exec(ctx, `DELETE FROM outbox_event WHERE tenant_id = :tenant AND id = 2`, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verdict(ctx, nil, 0); err == nil {
		t.Error("a half-done write goes unseen")
	}
}

// TestPostgresRestart crashes the server several times under load.
func TestPostgresRestart(t *testing.T) {
	quiet(t)
	cluster := kerneltest.NewCluster(t)
	address, err := cluster.Create("crash", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{URL: address})
	if err == nil {
		err = db.Migrate(ctx, append(kerneltest.Kernel(), schema)...)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx = kerneltest.AsSystem(db, 1)
	var acks bytes.Buffer
	var failures atomic.Int64
	var wrong atomic.Value
	stop, ended := make(chan struct{}), make(chan struct{})
	l := &load{prefix: "w", body: strings.Repeat("正文", 300), workers: 16, acks: &acks, failed: func(err error) {
		failures.Add(1)
		if !isUnavailable(err) {
			wrong.Store(err.Error())
		}
		time.Sleep(5 * time.Millisecond)
	}}
	go func() { defer close(ended); l.run(ctx, stop) }()
	for range 4 {
		time.Sleep(700 * time.Millisecond)
		if err := cluster.Restart(); err != nil {
			t.Fatal(err)
		}
		back := time.Now()
		for submit(ctx, fmt.Sprint("back ", back.UnixNano()), "") != nil {
			if time.Since(back) > 3*time.Second {
				t.Fatal("no recovery within 3 s")
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	time.Sleep(300 * time.Millisecond)
	close(stop)
	<-ended
	acked := strings.Fields(acks.String())
	if _, err := verdict(ctx, acked, 0); err != nil {
		t.Error(err)
	}
	if w := wrong.Load(); w != nil {
		t.Errorf("an outage was answered as %v", w)
	}
	if failures.Load() == 0 || len(acked) < 100 {
		t.Errorf("%d failures and %d acknowledged writes: the test proves little", failures.Load(), len(acked))
	}
	t.Logf("4 crashes of the server, %d acknowledged writes, %d refused", len(acked), failures.Load())
}

// quiet keeps the expected errors of an outage out of the test's output.
func quiet(t *testing.T) {
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(old) })
}
