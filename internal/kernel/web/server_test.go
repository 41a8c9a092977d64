package web_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/web"
)

func fetch(t testing.TB, url string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// TestServer_stop: the calls in flight are answered, new ones find the door closed.
func TestServer_stop(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	entered, release := make(chan struct{}, 10), make(chan struct{})
	web.Get(s.app.Module("demo"), "/slow", web.PublicNoTenant, func(ctx context.Context, _ web.None) (string, error) {
		entered <- struct{}{}
		<-release
		return "slow", ctx.Err()
	})
	server, err := s.app.Listen("127.0.0.1:0", "/")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	base := "http://" + server.Addr()
	if code, text := fetch(t, base+"/healthz"); code != 200 || text != "ok\n" {
		t.Errorf("%d %s", code, text)
	}
	if code, text := fetch(t, base+"/readyz"); code != 200 {
		t.Errorf("%d %s", code, text)
	}
	answers := make(chan string, 10)
	for range 10 {
		go func() { _, text := fetch(t, base+"/admin-api/demo/slow"); answers <- text }()
	}
	for range 10 {
		<-entered
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Stop(300 * time.Millisecond) }()
	time.Sleep(100 * time.Millisecond)
	if code, _ := fetch(t, base+"/readyz"); code != 503 {
		t.Errorf("ready while stopping: %d", code)
	}
	if code, _ := fetch(t, base+"/admin-api/demo/open"); code != 200 {
		t.Errorf("closed before its time: %d", code)
	}
	time.Sleep(400 * time.Millisecond)
	if c, err := net.DialTimeout("tcp", server.Addr(), time.Second); err == nil {
		_ = c.Close()
		t.Error("still accepts")
	}
	close(release)
	for range 10 {
		if text := <-answers; !strings.Contains(text, `"slow"`) {
			t.Errorf("a call in flight was answered %q", text)
		}
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestServer_notReady(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	s.app.OnReady(func(context.Context) error { return io.ErrUnexpectedEOF })
	server, err := s.app.Listen("127.0.0.1:0", "/")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve() }()
	defer func() { _ = server.Stop(0) }()
	if code, text := fetch(t, "http://"+server.Addr()+"/readyz"); code != 503 || strings.Contains(text, "EOF") {
		t.Errorf("%d %s", code, text)
	}
}

func TestServer_timeout(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{Timeout: 50 * time.Millisecond})
	web.Get(s.app.Module("demo"), "/stuck", web.PublicNoTenant, func(ctx context.Context, _ web.None) (string, error) {
		<-ctx.Done()
		_, err := http.NewRequestWithContext(ctx, "", "http://x", nil)
		return "", err
	})
	began := time.Now()
	scenario{URL: "/demo/stuck", Lang: "zh"}.Call(t, s.h)
	if d := time.Since(began); d > time.Second {
		t.Errorf("took %v", d)
	}
}

// TestServer_addresses: a forwarded address counts only from the proxy on this machine
// or from one that is named.
func TestServer_addresses(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.9.0.0/16")}})
	var seen string
	web.Get(s.app.Module("demo"), "/ip", web.PublicNoTenant, func(ctx context.Context, _ web.None) (string, error) { return ip(ctx), nil })
	for _, c := range []struct{ remote, forwarded, want string }{
		{"10.1.2.3:99", "", "10.1.2.3"}, {"10.1.2.3:99", "6.6.6.6", "10.1.2.3"}, {"127.0.0.1:99", "6.6.6.6", "6.6.6.6"},
		{"127.0.0.1:99", "1.1.1.1, 6.6.6.6", "6.6.6.6"}, {"127.0.0.1:99", "<script>", "127.0.0.1"}, {"[::1]:99", "2001:db8::1", "2001:db8::1"},
		{"10.9.0.1:99", "6.6.6.6", "6.6.6.6"}, {"127.0.0.1:99", "6.6.6.6, 10.9.0.1", "6.6.6.6"}, {"10.9.0.1:99", "1.1.1.1, 6.6.6.6", "6.6.6.6"},
		{"10.9.0.1:99", "1.1.1.1, junk", "10.9.0.1"}, {"[::ffff:10.9.0.1]:99", "6.6.6.6", "6.6.6.6"},
	} {
		r := scenario{URL: "/demo/ip"}.Request(t, "zh")
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		seen = body(s.h, r)
		if !strings.Contains(seen, `"`+c.want+`"`) {
			t.Errorf("%+v: %s", c, seen)
		}
	}
}

// TestServer_metrics: figures by call and outcome, without anything about callers.
func TestServer_metrics(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	scenario{URL: "/demo/open", Lang: "zh"}.Run(t, s.h)
	scenario{URL: "/demo/signed-in", Lang: "zh", Code: 401}.Run(t, s.h)
	text := body(s.app.MetricsHandler(), scenario{URL: "/x"}.Request(t, "zh"))
	for _, want := range []string{`viva_call_total{call="GET /demo/open",outcome="ok"} 1`, `viva_call_total{call="GET /demo/signed-in",outcome="401"} 1`, "viva_call_seconds_bucket", "viva_foreign_tenant_total 0", "viva_calls_in_flight 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestServer_otherOrigins: a preflight passes for any origin and header, without a session
// and without running the call; pages are not opened to others.
func TestServer_otherOrigins(t *testing.T) {
	s := newSite(t, kerneltest.Open(t, fixture), web.Options{})
	s.app.Handle("GET /page.html", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<p>")) }))
	ask := func(method, url string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, url, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.h.ServeHTTP(w, r)
		return w
	}
	const origin = "https://old.example.edu"
	w := ask("OPTIONS", "/admin-api/demo/signed-in", "Origin", origin, "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization,isencrypt,tenant-id")
	if w.Code != 204 || w.Body.Len() != 0 || w.Header().Get("Access-Control-Allow-Origin") != origin || w.Header().Get("Access-Control-Allow-Headers") != "authorization,isencrypt,tenant-id" ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "PUT") {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
	w = ask("GET", "/admin-api/demo/signed-in", "Origin", origin)
	if w.Header().Get("Access-Control-Allow-Origin") != origin || w.Header().Get("Vary") != "Origin" || !strings.Contains(w.Body.String(), `"code":401`) {
		t.Errorf("call: %v %s", w.Header(), w.Body)
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"own page": ask("GET", "/admin-api/demo/signed-in"), "a page": ask("GET", "/page.html", "Origin", origin),
	} {
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s is opened", name)
		}
	}
}
