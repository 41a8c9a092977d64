package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the real binary under test.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "viva")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "viva")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// running is a server started by a test.
type running struct {
	cmd     *exec.Cmd
	lines   chan string
	address string
	link    string // of the first administrator; "" when there is one
}

var (
	listens = regexp.MustCompile(`listens on (http://\S+)`)
	setup   = regexp.MustCompile(`http://\S+setup\?token=\S+`)
)

// serve starts the binary as make run does, its log in the data directory, and waits until
// it listens.
func serve(t *testing.T, data string, flags ...string) *running {
	t.Helper()
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--log", filepath.Join(data, "viva.log")}, flags...)
	r := &running{cmd: exec.Command(program, args...), lines: make(chan string, 100)}
	out, err := r.cmd.StdoutPipe()
	if err == nil {
		r.cmd.Stderr = os.Stderr
		err = r.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill(); _ = r.cmd.Wait() })
	go func() {
		for in := bufio.NewScanner(out); in.Scan(); {
			r.lines <- in.Text()
		}
		close(r.lines)
	}()
	for late := time.After(time.Minute); r.address == ""; {
		select {
		case line, ok := <-r.lines:
			if !ok {
				t.Fatal("the server ended before it listened")
			}
			if link := setup.FindString(line); link != "" {
				r.link = link
			}
			if found := listens.FindStringSubmatch(line); found != nil {
				r.address = found[1]
			}
		case <-late:
			t.Fatal("the server does not listen")
		}
	}
	return r
}

// stop ends the server by SIGTERM; it must end by itself and well.
func (r *running) stop(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("still there 30 seconds after SIGTERM")
	}
}

func (r *running) get(t *testing.T, path string) (int, string) {
	t.Helper()
	answer, err := http.Get(strings.TrimSuffix(r.address, "/") + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func viva(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	return string(out), err
}

// TestServe_firstStart: no account exists, the printed link lives under the base path, and
// SIGTERM ends the server.
func TestServe_firstStart(t *testing.T) {
	r := serve(t, filepath.Join(t.TempDir(), "data"), "--base-path", "/viva")
	if !strings.Contains(r.link, "/viva/setup?token=") || !strings.HasSuffix(r.address, "/viva/") {
		t.Errorf("link %q, address %q", r.link, r.address)
	}
	if status, text := r.get(t, "/readyz"); status != 200 {
		t.Errorf("readiness: %d %s", status, text)
	}
	if _, text := r.get(t, "/admin-api/system/auth/get-permission-info"); !strings.Contains(text, `"code":401`) {
		t.Errorf("without a session: %s", text)
	}
	r.stop(t)
}

// TestBackupDrill: a copy taken beside the running server is checked, put in place
// elsewhere, and served with the administrator it held.
func TestBackupDrill(t *testing.T) {
	data, copies, restored := filepath.Join(t.TempDir(), "data"), t.TempDir(), filepath.Join(t.TempDir(), "restored")
	r := serve(t, data)
	if text, err := viva(t, "user", "admin", "--data", data); err != nil {
		t.Fatalf("%v %s", err, text)
	}
	name, err := viva(t, "backup", "--data", data, "--to", copies)
	if err != nil {
		t.Fatalf("%v %s", err, name)
	}
	name = strings.TrimSpace(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(copies, name)
	}
	if status, _ := r.get(t, "/readyz"); status != 200 {
		t.Error("the server was disturbed")
	}
	if text, err := viva(t, "restore", name, "--check", "--data", restored); err != nil || !strings.Contains(text, "system_users") {
		t.Errorf("check: %v %s", err, text)
	}
	if text, err := viva(t, "restore", name, "--data", restored); err != nil {
		t.Fatalf("restore: %v %s", err, text)
	}
	r.stop(t)
	again := serve(t, restored)
	if again.link != "" {
		t.Error("the restored data has no administrator")
	}
	again.stop(t)
}

func TestRefusals(t *testing.T) {
	for name, args := range map[string][]string{
		"unknown flag":          {"serve", "--nothing"},
		"captcha neither":       {"serve", "--captcha", "maybe"},
		"proxy without a mask":  {"serve", "--trusted-proxy", "10.0.0.1"},
		"backup without target": {"backup"},
		"restore of nothing":    {"restore", filepath.Join(t.TempDir(), "none"), "--data", t.TempDir()},
	} {
		if text, err := viva(t, args...); err == nil || strings.Contains(text, "panic") {
			t.Errorf("%s: %v %s", name, err, text)
		}
	}
}
