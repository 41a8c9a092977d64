package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server under measurement.
type process struct {
	cmd   *exec.Cmd
	base  string
	start time.Duration // from exec to ready
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

func startProcess(ready, binary string, args ...string) (*process, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(binary, append(args, addr)...), base: "http://" + addr}
	p.cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for time.Since(begin) < 60*time.Second {
		res, err := http.Get(p.base + ready)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode < 500 {
				p.start = time.Since(begin)
				return p, nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	p.stop()
	return nil, errors.New(binary + " did not become ready")
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// cpuTime is user and system time of the process so far (clock ticks are 10 ms).
func cpuTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	u, _ := strconv.ParseInt(fields[11], 10, 64)
	s, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(u+s) * 10 * time.Millisecond
}

// memory is the resident size and its peak in MB.
func memory(pid int) (now, peak float64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(text), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %f kB", &kb); n == 1 {
			now = kb / 1024
		}
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
			peak = kb / 1024
		}
	}
	return now, peak
}

// login signs a demo account in and gives its access token.
func login(base, username string) (string, error) {
	body := fmt.Sprintf(`{"username":%q,"password":"Viva@2026"}`, username)
	req, _ := http.NewRequest(http.MethodPost, base+"/admin-api/system/auth/login", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("tenant-id", "1")
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	var answer struct {
		Code int
		Data struct{ AccessToken string }
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Data.AccessToken == "" {
		return "", fmt.Errorf("sign-in of %s: %s", username, text)
	}
	return answer.Data.AccessToken, nil
}

// cluster is a throw-away PostgreSQL.
type cluster struct {
	cmd *exec.Cmd
	url string
}

// startPostgres makes a cluster with its own plain role, since row-level security does
// not bind a superuser. As root it runs as the user nobody.
func startPostgres(dir string) (*cluster, error) {
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		return nil, errors.New("no PostgreSQL below /usr/lib/postgresql: run make setup")
	}
	bin := bins[len(bins)-1]
	data := filepath.Join(dir, "cluster")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	var credential *syscall.SysProcAttr
	if os.Getuid() == 0 {
		u, err := user.Lookup("nobody")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := errors.Join(os.Chown(data, uid, gid), os.Chmod(dir, 0o755)); err != nil {
			return nil, err
		}
		credential = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	run := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.SysProcAttr, c.Dir = credential, data
		return c
	}
	if out, err := run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %s", out)
	}
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(addr)
	server := run("postgres", "-D", data, "-c", "listen_addresses=127.0.0.1", "-p", port, "-c", "unix_socket_directories="+data, "-c", "shared_buffers=256MB", "-c", "max_connections=120")
	if err := server.Start(); err != nil {
		return nil, err
	}
	c := &cluster{cmd: server, url: fmt.Sprintf("postgres://viva@127.0.0.1:%s/viva?sslmode=disable", port)}
	for range 100 {
		sql := run("psql", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-c", "CREATE ROLE viva LOGIN", "-c", "CREATE DATABASE viva OWNER viva")
		if sql.Run() == nil {
			return c, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.stop()
	return nil, errors.New("PostgreSQL did not start")
}

func (c *cluster) stop() {
	_ = c.cmd.Process.Signal(syscall.SIGINT)
	_ = c.cmd.Wait()
}
