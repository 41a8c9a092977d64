package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

func contextFor(w *httptest.ResponseRecorder, headers map[string]string) huma.Context {
	r := httptest.NewRequest("GET", "/x", nil)
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	return humago.NewContext(&huma.Operation{}, r, w)
}

func TestCached(t *testing.T) {
	c, err := NewCached([]string{strings.Repeat("<学位>", 500)})
	if err != nil {
		t.Fatal(err)
	}
	send := func(headers map[string]string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c.send(contextFor(w, headers))
		return w
	}
	plain := send(nil)
	if plain.Code != 200 || !strings.HasPrefix(plain.Body.String(), `{"code":0,"data":["<学位>`) || plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d %.60s", plain.Code, plain.Body)
	}
	packed := send(map[string]string{"Accept-Encoding": "deflate, gzip;q=0.8"})
	z, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(text, plain.Body.Bytes()) {
		t.Errorf("compressed: %v, %d bytes", err, len(text))
	}
	for _, h := range []string{plain.Header().Get("ETag"), `W/"other", ` + plain.Header().Get("ETag")} {
		if w := send(map[string]string{"If-None-Match": h}); w.Code != 304 || w.Body.Len() != 0 {
			t.Errorf("%s: %d", h, w.Code)
		}
	}
	if w := send(map[string]string{"If-None-Match": `W/"other"`}); w.Code != 200 {
		t.Errorf("another tag: %d", w.Code)
	}
	if _, err := NewCached(func() {}); err == nil {
		t.Error("a function was encoded")
	}
	other, err := NewCached([]string{})
	if err != nil || other.etag == c.etag {
		t.Error("different answers have one tag")
	}
}

func TestAccepts(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br;q=1.0, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.000": false, "identity": false, "xgzip": false,
	} {
		if accepts(header, "gzip") != want {
			t.Errorf("%q: %v", header, !want)
		}
	}
}

func TestDownloadForms(t *testing.T) {
	w := httptest.NewRecorder()
	(&Download{Missing: true}).send(contextFor(w, nil))
	if w.Code != 404 || w.Body.Len() != 0 {
		t.Errorf("missing: %d %q", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	(&Download{Name: "a.png", Type: "image/png", Inline: true, Forever: true, Seek: nopSeeker{strings.NewReader("x")}}).send(contextFor(w, nil))
	if w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "inline") {
		t.Errorf("forever: %d %v", w.Code, w.Header())
	}
}

type nopSeeker struct{ io.ReadSeeker }

func (nopSeeker) Close() error { return nil }
