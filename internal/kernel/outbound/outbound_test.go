package outbound

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestReachable(t *testing.T) {
	for address, open := range map[string]bool{
		"8.8.8.8:443": true, "[2606:4700::1111]:443": true, "1.1.1.1:8080": true,
		"127.0.0.1:80": false, "127.9.9.9:80": false, "10.1.2.3:80": false, "172.16.0.1:80": false, "192.168.1.1:80": false, "169.254.169.254:80": false,
		"0.0.0.0:80": false, "100.64.0.1:80": false, "198.18.0.1:80": false, "255.255.255.255:80": false, "224.0.0.1:80": false,
		"[::1]:80": false, "[::]:80": false, "[fe80::1%eth0]:80": false, "[fc00::1]:80": false, "[::ffff:127.0.0.1]:80": false, "[64:ff9b::7f00:1]:80": false, "[2002:7f00:1::]:80": false,
		"localhost:80": false,
	} {
		if err := reachable(address, false); (err == nil) != open {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, open := range map[string]bool{"10.1.2.3:80": true, "127.0.0.1:80": true, "169.254.169.254:80": false, "[fe80::1]:80": false} {
		if err := reachable(address, true); (err == nil) != open {
			t.Errorf("listed %s: %v", address, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for text, fine := range map[string]bool{
		"https://erp.example/start": true, "http://erp.example:8080/a?b=c": true, "HTTP://erp.example": true,
		"": false, "erp.example": false, "ftp://erp.example": false, "file:///etc/passwd": false, "http://": false, "http://a:b@erp.example": false, "http://erp.example/a b": false, "gopher://x": false,
		"http://erp.example/\r\nHost: x": false,
	} {
		if err := CheckURL(text); (err == nil) != fine {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestDo: a server on this machine is out of reach until it is listed; redirects are not
// followed, large answers are refused, names that point inside are too.
func TestDo(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "/secret", http.StatusFound)
		case "/large":
			_, _ = w.Write([]byte(strings.Repeat("x", MaxResponse+1)))
		case "/most":
			_, _ = w.Write([]byte(strings.Repeat("x", MaxResponse)))
		default:
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte(r.Method + r.Header.Get("X-One")))
		}
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	post := func(path string, allowed ...string) (Response, error) {
		return Do(context.Background(), Request{Method: http.MethodPost, URL: server.URL + path, Header: map[string]string{"X-One": "1"}, Body: []byte("{}")}, allowed)
	}
	for _, allowed := range [][]string{nil, {""}, {"other"}, {"127.0.0.1:1"}} {
		if _, err := post("/", allowed...); !errors.Is(err, ErrPrivate) {
			t.Errorf("allowed %q: %v", allowed, err)
		}
	}
	if _, err := Do(context.Background(), Request{Method: http.MethodGet, URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1)}, nil); !errors.Is(err, ErrPrivate) {
		t.Errorf("by name: %v", err)
	}
	if calls != 0 {
		t.Errorf("%d calls went through", calls)
	}
	for _, allowed := range []string{host, "127.0.0.1", " " + host + " "} {
		if res, err := post("/", allowed); err != nil || res.Status != http.StatusTeapot || string(res.Body) != "POST1" {
			t.Errorf("%s: %+v %v", allowed, res, err)
		}
	}
	if res, err := post("/away", host); err != nil || res.Status != http.StatusFound {
		t.Errorf("redirect: %+v %v", res, err)
	}
	if _, err := post("/large", host); !errors.Is(err, ErrTooLarge) {
		t.Errorf("large: %v", err)
	}
	if res, err := post("/most", host); err != nil || len(res.Body) != MaxResponse {
		t.Errorf("most: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Do(ended, Request{Method: http.MethodGet, URL: server.URL}, []string{host}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
