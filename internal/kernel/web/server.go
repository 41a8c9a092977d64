package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/id"
)

// state is what the outer handler learns from the guard for its log line.
type state struct {
	call *Call
	who  actor.Actor
	code int // of the envelope; 0 is success
}

type stateKey struct{}

func stateOf(ctx context.Context) *state {
	s, _ := ctx.Value(stateKey{}).(*state)
	return s
}

func noteActor(ctx context.Context, who actor.Actor) {
	if s := stateOf(ctx); s != nil {
		s.who = who
	}
}

// Handler is the whole edge: recovery, request id, log, metrics, headers and the
// canonical query around the declared calls, under the base path ("/" or "/viva/").
func (app *App) Handler(base string) http.Handler {
	base = "/" + strings.Trim(base, "/")
	var inner http.Handler = http.HandlerFunc(app.serve)
	if base != "/" {
		inner = http.StripPrefix(base, inner)
	}
	return inner
}

func (app *App) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	trace := id.Token(8)
	s := &state{}
	ctx := context.WithValue(r.Context(), stateKey{}, s)
	ctx = i18n.With(ctx, i18n.FromHeader(r.Header.Get("Accept-Language")))
	ctx = actor.WithRequest(ctx, actor.Request{ID: trace, IP: app.clientIP(r), UserAgent: r.UserAgent(), Method: r.Method, Path: r.URL.Path, Received: clock.Millis()})
	out := &recorder{ResponseWriter: w, status: http.StatusOK}
	headers(out.Header(), strings.HasPrefix(r.URL.Path, Prefix), trace)
	app.metrics.inFlight.Inc()
	defer func() {
		app.metrics.inFlight.Dec()
		if p := recover(); p != nil {
			if errors.Is(asError(p), http.ErrAbortHandler) {
				panic(p)
			}
			slog.ErrorContext(ctx, "panic", "trace", trace, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			app.writeFailure(ctx, out, errs.ErrInternal.With(trace))
		}
		app.finish(ctx, s, out, time.Since(start))
	}()
	r = r.WithContext(ctx)
	if canonical := canonicalQuery(r.URL.RawQuery); canonical != r.URL.RawQuery {
		u := *r.URL
		u.RawQuery = canonical
		r.URL = &u
	}
	if cors(out, r) {
		return
	}
	app.mux.ServeHTTP(out, r)
}

func asError(p any) error {
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}

func (app *App) writeFailure(ctx context.Context, out *recorder, err error) {
	if out.wrote {
		return
	}
	f := failure(ctx, err)
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(f.status)
	_ = jsonFormat.Marshal(out, f)
}

// finish logs one line per call; queries and bodies are never logged.
func (app *App) finish(ctx context.Context, s *state, out *recorder, took time.Duration) {
	r := actor.RequestOf(ctx)
	if s.call == nil {
		return
	}
	s.call.observe.done(out.status, s.code, took)
	slog.LogAttrs(ctx, slog.LevelInfo, "call", slog.String("trace", r.ID), slog.String("call", s.call.Name()), slog.Int("status", out.status), slog.Int("code", s.code),
		slog.Int64("us", took.Microseconds()), slog.Int64("tenant", s.who.TenantID), slog.Int64("user", s.who.UserID), slog.String("ip", r.IP))
}

// contentPolicy allows our own files only. Styles may be inline because the component
// library writes its rules at run time; frames may show the https pages of menus.
const contentPolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"font-src 'self' data:; worker-src 'self' blob:; frame-src 'self' blob: https: http:; connect-src 'self'; object-src 'none'; base-uri 'self'; " +
	"form-action 'self'; frame-ancestors 'self'"

func headers(h http.Header, api bool, trace string) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	if api {
		h.Set("Cache-Control", "no-store")
		h.Set("trace-id", trace)
	}
}

// clientIP is the peer, or, when the peer is a trusted proxy (this machine's, or one that
// Options name), the nearest forwarded address that is none.
func (app *App) clientIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		peer, err := netip.ParseAddr(host)
		if err != nil || !app.trusts(peer.Unmap()) {
			break
		}
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		host = next.String()
	}
	return host
}

func (app *App) trusts(peer netip.Addr) bool {
	return peer.IsLoopback() || slices.ContainsFunc(app.options.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(peer) })
}

// recorder remembers the status for the log.
type recorder struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (r *recorder) WriteHeader(code int) {
	if !r.wrote {
		r.wrote, r.status = true, code
		r.ResponseWriter.WriteHeader(code)
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.wrote = true
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Hijack is needed by websockets.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(r.ResponseWriter).Hijack()
}

// Server listens and stops gracefully.
type Server struct {
	http     *http.Server
	listener net.Listener
	stopping *atomic.Bool
}

// Listen opens the address; Serve answers on it.
func (app *App) Listen(addr, base string) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	stopping := &atomic.Bool{}
	app.health(stopping)
	return &Server{listener: l, stopping: stopping, http: &http.Server{
		Handler: app.Handler(base), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
	}}, nil
}

// Addr is the address listened on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Serve answers until Stop.
func (s *Server) Serve() error {
	err := s.http.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Stop reports not-ready for the grace time, then finishes the calls in flight (at
// most 10 s) and closes.
func (s *Server) Stop(grace time.Duration) error {
	s.stopping.Store(true)
	time.Sleep(grace)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return s.http.Shutdown(ctx)
}

// health: /healthz says the process lives, /readyz that it can take work.
func (app *App) health(stopping *atomic.Bool) {
	app.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	app.mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		err := app.DB.Ping(ctx)
		for _, check := range app.ready {
			if err == nil {
				err = check(ctx)
			}
		}
		if err != nil || stopping.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("not ready\n"))
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
}
