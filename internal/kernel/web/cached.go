package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Cached is an answer that was encoded once and is sent many times: the envelope with
// its data, compressed beforehand and named by an ETag, so that a client that has it
// gets a bare 304. A Raw call returns one like any other data. It is safe for concurrent
// use; whoever keeps it decides when it is stale.
type Cached struct {
	plain []byte
	zip   []byte
	etag  string
}

// NewCached encodes data in its envelope.
func NewCached(data any) (*Cached, error) {
	var plain, zip bytes.Buffer
	if err := jsonFormat.Marshal(&plain, Envelope[any]{Data: data}); err != nil {
		return nil, err
	}
	w, err := gzip.NewWriterLevel(&zip, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain.Bytes()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain.Bytes())
	return &Cached{plain: plain.Bytes(), zip: zip.Bytes(), etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`}, nil
}

// send answers 304, the compressed or the plain bytes. The browser must ask each time
// (the answer depends on the session), which costs it one empty round trip.
func (c *Cached) send(h huma.Context) {
	h.SetHeader("Cache-Control", "private, no-cache")
	h.SetHeader("Vary", "Accept-Encoding, Accept-Language, Authorization")
	h.SetHeader("ETag", c.etag)
	if strings.Contains(h.Header("If-None-Match"), c.etag) {
		h.SetStatus(http.StatusNotModified)
		return
	}
	h.SetHeader("Content-Type", "application/json")
	body := c.plain
	if accepts(h.Header("Accept-Encoding"), "gzip") {
		h.SetHeader("Content-Encoding", "gzip")
		body = c.zip
	}
	h.SetStatus(http.StatusOK)
	_, _ = h.BodyWriter().Write(body)
}

// accepts reads an Accept-Encoding header; a weight of zero is a refusal.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.0")
		}
	}
	return false
}
