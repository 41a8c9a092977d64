// Package outbound is the one way out of the program over HTTP to an address that
// somebody typed in. It dials the address that it checked itself, so that a name cannot
// point elsewhere between the two; private networks, the machine itself and the services
// of its host are out of reach unless the operator listed them. It follows no redirects,
// uses no proxy, sends no cookies, and bounds time and size.
//
//	res, err := outbound.Do(ctx, outbound.Request{Method: "POST", URL: text, Body: body}, allowed)
package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// The bounds of one call.
const (
	Timeout     = 5 * time.Second
	MaxResponse = 1 << 20
	maxHeaders  = 64 << 10
)

// Request is one call.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte
}

// Response is the answer to a call, whatever its status.
type Response struct {
	Status int
	Body   []byte
}

// The refusals, to be tested with errors.Is.
var (
	ErrURL      = errors.New("outbound: not an http or https address")
	ErrPrivate  = errors.New("outbound: the address is in a private network")
	ErrTooLarge = errors.New("outbound: the answer is larger than 1 MB")
)

// CheckURL refuses what could never be called, before it is stored.
func CheckURL(text string) error {
	_, err := parse(text)
	return err
}

func parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(text, " \t\r\n\x00") {
		return nil, ErrURL
	}
	return u, nil
}

// Do makes one call. allowed are hosts, as "host" or "host:port", that may stand in a
// private network.
func Do(ctx context.Context, in Request, allowed []string) (Response, error) {
	u, err := parse(in.URL)
	if err != nil {
		return Response{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, in.Method, u.String(), bytes.NewReader(in.Body))
	if err != nil {
		return Response{}, fmt.Errorf("%w: %w", ErrURL, err)
	}
	for name, value := range in.Header {
		req.Header.Set(name, value)
	}
	inside := listed(u, allowed)
	dialer := &net.Dialer{Timeout: Timeout, Control: func(_, address string, _ syscall.RawConn) error { return reachable(address, inside) }}
	// A transport of its own: a kept connection would outlive a change of what is allowed.
	transport := &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, TLSHandshakeTimeout: Timeout, MaxResponseHeaderBytes: maxHeaders, ForceAttemptHTTP2: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return Response{}, fmt.Errorf("outbound: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, MaxResponse+1))
	if err == nil && len(body) > MaxResponse {
		err = ErrTooLarge
	}
	return Response{Status: res.StatusCode, Body: body}, err
}

func listed(u *url.URL, allowed []string) bool {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := strings.ToLower(u.Hostname())
	return slices.ContainsFunc(allowed, func(one string) bool {
		one = strings.ToLower(strings.TrimSpace(one))
		return one != "" && (one == host || one == net.JoinHostPort(host, port))
	})
}

// closed are the networks beside the private ones that lead back inside: shared and
// translated addresses, tests and the future.
var closed = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, text := range list {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// reachable judges the address that is about to be dialled. What hosts tell about
// themselves (169.254.169.254) stays closed even when its name is listed.
func reachable(address string, inside bool) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrPrivate, address)
	}
	ip := to.Addr().Unmap().WithZone("")
	if ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() {
		return fmt.Errorf("%w: %s", ErrPrivate, ip)
	}
	if inside {
		return nil
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || slices.ContainsFunc(closed, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return fmt.Errorf("%w: %s", ErrPrivate, ip)
	}
	return nil
}
