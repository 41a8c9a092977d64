package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"viva/internal/app"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	webapp "viva/web"
)

type serveCommand struct {
	dataFlags
	Addr            string         `help:"Address to listen on." default:"127.0.0.1:8080" env:"VIVA_ADDR"`
	Metrics         string         `help:"Address for metrics; empty turns them off." env:"VIVA_METRICS"`
	BasePath        string         `help:"Path under which the application lives." default:"/" env:"VIVA_BASE_PATH"`
	Demo            bool           `help:"Fill an empty database with the demo university." env:"VIVA_DEMO"`
	Captcha         string         `help:"Puzzle at sign-in." enum:"on,off" default:"on" env:"VIVA_CAPTCHA"`
	CaptchaThrottle string         `help:"Limit the captcha calls of one address and browser, on each node by itself." enum:"on,off" default:"off" env:"VIVA_CAPTCHA_THROTTLE"`
	SignInFailures  int            `help:"Failed sign-ins of one address in 15 minutes." default:"1000" env:"VIVA_SIGN_IN_FAILURES"`
	TrustedProxy    []netip.Prefix `help:"Networks of proxies whose X-Forwarded-For counts, such as 10.0.0.0/8; this machine's always does." env:"VIVA_TRUSTED_PROXY"`
	UserRate        float64        `help:"Calls a second per user; -1 is unlimited." default:"50" env:"VIVA_USER_RATE"`
	Log             string         `help:"Log file; empty is standard error." env:"VIVA_LOG" type:"path"`
	Grace           time.Duration  `help:"How long to report not-ready before stopping." default:"0s" env:"VIVA_GRACE"`
}

// Run serves until SIGTERM or SIGINT; a second signal ends at once.
func (c *serveCommand) Run() error {
	flush, err := logTo(c.Log)
	if err != nil {
		return err
	}
	defer flush()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	db, blobs, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close(); _ = blobs.Close() }()
	options := app.Options{
		CaptchaOff: c.Captcha == "off", CaptchaThrottled: c.CaptchaThrottle == "on", SignInFailures: c.SignInFailures,
		TrustedProxies: c.TrustedProxy, UserRate: c.UserRate, Version: version, NoDocument: true,
	}
	if c.Demo {
		options.TenantName = app.DemoTenant
	}
	a := app.New(db, blobs, options)
	files, err := fs.Sub(webapp.Dist, "dist")
	if err != nil {
		return err
	}
	a.Web.Assets(files, c.BasePath)
	if err := a.Prepare(ctx); err != nil {
		return err
	}
	if err := c.greet(ctx, a, db); err != nil {
		return err
	}
	if err := a.Start(ctx); err != nil {
		return err
	}
	return c.serve(ctx, stop, a)
}

func (c *serveCommand) serve(ctx context.Context, stop func(), a *app.App) error {
	server, err := a.Web.Listen(c.Addr, c.BasePath)
	if err != nil {
		return err
	}
	if err := c.serveMetrics(a.Web); err != nil {
		return err
	}
	fmt.Printf("Viva %s listens on http://%s%s\n", version, server.Addr(), c.base())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve() }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop() // a second signal now ends the process
	ending, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	return errors.Join(server.Stop(c.Grace), a.Stop(ending))
}

func (c *serveCommand) serveMetrics(w *web.App) error {
	if c.Metrics == "" {
		return nil
	}
	l, err := net.Listen("tcp", c.Metrics)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	go func() { _ = (&http.Server{Handler: w.MetricsHandler(), ReadHeaderTimeout: 5 * time.Second}).Serve(l) }()
	return nil
}

// greet fills the demo or prints the one-time administrator link.
func (c *serveCommand) greet(ctx context.Context, a *app.App, db *store.DB) error {
	ctx = store.Use(ctx, db)
	if c.Demo {
		accounts, err := a.Demo(ctx)
		if err != nil {
			return fmt.Errorf("demo data: %w", err)
		}
		fmt.Print(accounts)
		return nil
	}
	token, created, err := a.Identity.SetupLink(actor.AsSystem(ctx, app.SystemTenant))
	if err != nil || !created {
		return err
	}
	fmt.Printf("No administrator exists yet. Open this link once, within 24 hours, to create one:\n  http://%s%ssetup?token=%s\n", c.Addr, c.base(), token)
	return nil
}

// base is the path of the application with a slash at both ends.
func (c *serveCommand) base() string {
	if path := strings.Trim(c.BasePath, "/"); path != "" {
		return "/" + path + "/"
	}
	return "/"
}

func (d dataFlags) open(ctx context.Context) (*store.DB, *blob.Store, error) {
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return nil, nil, fmt.Errorf("data directory: %w", err)
	}
	db, err := store.Open(ctx, store.Config{URL: d.DB, Dir: d.Data})
	if err != nil {
		return nil, nil, err
	}
	blobs, err := blob.Open(filepath.Join(d.Data, "blobs"))
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	return db, blobs, nil
}

// logTo buffers the log, since a line per call is written; flushed each second.
func logTo(path string) (flush func(), err error) {
	var out io.Writer = os.Stderr
	if path != "" {
		// The log is opened first, and may lie in a data directory that does not exist yet.
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		out = file
	}
	b := &buffered{w: bufio.NewWriterSize(out, 64<<10)}
	slog.SetDefault(slog.New(slog.NewJSONHandler(b, nil)))
	quit := make(chan struct{})
	go func() {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-tick.C:
				b.flush()
			case <-quit:
				tick.Stop()
				return
			}
		}
	}()
	return func() { close(quit); b.flush() }, nil
}

type buffered struct {
	lock sync.Mutex
	w    *bufio.Writer
}

func (b *buffered) Write(p []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.w.Write(p)
}

func (b *buffered) flush() {
	b.lock.Lock()
	defer b.lock.Unlock()
	_ = b.w.Flush()
}
