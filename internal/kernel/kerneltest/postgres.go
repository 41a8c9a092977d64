package kerneltest

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"viva/internal/kernel/id"
)

// Cluster is a PostgreSQL server of this process.
type Cluster struct {
	dir      string
	bin      string
	port     int
	password string
	attr     *syscall.SysProcAttr
	leash    io.Closer
}

// Bin is the path of a PostgreSQL program, empty when none is installed.
func Bin(name string) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, _ := exec.LookPath(name)
	return path
}

// NeedPostgres skips the test without an installed server, or fails it when
// VIVA_TEST_POSTGRES=required.
func NeedPostgres(t testing.TB) {
	t.Helper()
	if Bin("initdb") != "" {
		return
	}
	const text = "PostgreSQL is not installed (looked for initdb in /usr/lib/postgresql/*/bin and PATH)"
	if os.Getenv("VIVA_TEST_POSTGRES") == "required" {
		t.Fatal(text)
	}
	t.Skip(text)
}

var shared = sync.OnceValues(func() (*Cluster, error) { return startCluster(false) })

// Shared is the process's server for ordinary tests; it does not wait for the disk.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	NeedPostgres(t)
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// NewCluster starts a server of its own with fsync on, for tests that crash it.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	NeedPostgres(t)
	c, err := startCluster(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.leash.Close() })
	return c
}

func startCluster(durable bool) (*Cluster, error) {
	dir, err := os.MkdirTemp("", "viva-pg-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: filepath.Dir(Bin("initdb")), password: id.Token(16), attr: &syscall.SysProcAttr{Setsid: true}}
	if err := c.dropRoot(); err != nil {
		return nil, err
	}
	if err := c.initialise(durable); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if err := c.hold(); err != nil {
		return nil, err
	}
	return c, c.waitReady()
}

// dropRoot chooses a user for the server, which refuses to run as root.
func (c *Cluster) dropRoot() error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return os.Chown(c.dir, uid, gid)
	}
	return fmt.Errorf("kerneltest: running as root, and neither postgres nor nobody exists")
}

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.SysProcAttr = c.dir, c.attr
	cmd.Env = append(os.Environ(), "HOME="+c.dir, "LC_ALL=C.UTF-8", "PGDATA="+c.data())
	return cmd
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *Cluster) initialise(durable bool) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.port = listener.Addr().(*net.TCPAddr).Port
	_ = listener.Close()
	secret := filepath.Join(c.dir, "secret")
	if err := os.WriteFile(secret, []byte(c.password), 0o644); err != nil { // the directory is 0700
		return err
	}
	out, err := c.command(filepath.Join(c.bin, "initdb"), "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres",
		"--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile="+secret).CombinedOutput()
	if err != nil {
		return fmt.Errorf("kerneltest: initdb: %w\n%s", err, out)
	}
	conf := fmt.Sprintf("listen_addresses = '127.0.0.1'\nport = %d\nunix_socket_directories = '%s'\nmax_connections = 300\n"+
		"shared_buffers = 64MB\ndeadlock_timeout = 200ms\n", c.port, c.dir)
	if !durable {
		conf += "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
	}
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(conf)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// hold starts the server under a shell that waits on a pipe from this process: when the
// process ends, even by kill -9, the shell stops the server and removes its directory.
func (c *Cluster) hold() error {
	const script = `"$0/pg_ctl" -w -l log start >/dev/null 2>&1; cat >/dev/null; "$0/pg_ctl" -m immediate stop >/dev/null 2>&1; cd /; rm -rf "$1"`
	cmd := c.command("/bin/sh", "-c", script, c.bin, c.dir)
	leash, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	c.leash = leash
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

func (c *Cluster) waitReady() error {
	var err error
	for range 300 {
		err = c.admin(`DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'viva') THEN CREATE ROLE viva LOGIN PASSWORD '` + c.password + `'; END IF; END $$`)
		if err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
	return fmt.Errorf("kerneltest: PostgreSQL does not start: %w\n%s", err, log)
}

func (c *Cluster) admin(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, fmt.Sprintf("host=%s port=%d user=postgres dbname=postgres", c.dir, c.port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// URL is the address of a database on this server, for the plain role viva.
func (c *Cluster) URL(name string) string {
	return fmt.Sprintf("postgres://viva:%s@127.0.0.1:%d/%s?sslmode=disable", c.password, c.port, name)
}

// Create makes a database owned by viva and gives its address; template may be empty.
func (c *Cluster) Create(name, template string) (string, error) {
	s := "CREATE DATABASE " + name + " OWNER viva"
	if template != "" {
		s += " TEMPLATE " + template
	}
	return c.URL(name), c.admin(s)
}

// Drop removes a database and whoever is connected to it.
func (c *Cluster) Drop(name string) error {
	return c.admin("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
}

// Restart ends the server without a shutdown checkpoint, as a crash does, and starts it again.
func (c *Cluster) Restart() error {
	out, err := c.command(filepath.Join(c.bin, "pg_ctl"), "-w", "-l", "log", "-m", "immediate", "restart").CombinedOutput()
	if err != nil {
		return fmt.Errorf("kerneltest: restart: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
